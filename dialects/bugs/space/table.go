package space

import (
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
)

// Table gives the elements of an array that a density on the unconstrained scale reads
// besides the variables: positions, parts and limits; nil for another name.
func (u *Unconstrained) Table(name string) (v *model.Var, values []float64) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil, nil
	}
	f := map[string]func(v *model.Var, k int) float64{
		ops.PositionSuffix: func(v *model.Var, k int) float64 { return float64(u.Place(v, k)) },
		ops.PartsSuffix: func(v *model.Var, k int) float64 {
			switch {
			case v.ClassAt(k) == model.Observed:
				return 1
			case u.omitted(v, k):
				return -1
			}
			return 0
		},
		ops.LowerSuffix: func(v *model.Var, k int) float64 { lo, _ := eval.Within(u.Model, u.data, v, k); return lo },
		ops.UpperSuffix: func(v *model.Var, k int) float64 { _, hi := eval.Within(u.Model, u.data, v, k); return hi },
	}[name[dot:]]
	v = u.Model.ByName[name[:dot]]
	if f == nil || v == nil || name[dot:] != ops.PartsSuffix && !u.Has(v) {
		return nil, nil
	}
	out := make([]float64, v.Len())
	for k := range out {
		out[k] = f(v, k)
	}
	return v, out
}
