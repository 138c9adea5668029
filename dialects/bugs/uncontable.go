package bugs

import "strings"

// Table gives the elements of an array that a density on the unconstrained scale reads
// besides the variables: positions, parts and limits; nil for another name.
func (u *Unconstrained) Table(name string) (v *Var, values []float64) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return nil, nil
	}
	f := map[string]func(v *Var, k int) float64{
		positionSuffix: func(v *Var, k int) float64 { return float64(u.coord[v.ID][k]) },
		partsSuffix: func(v *Var, k int) float64 {
			switch {
			case v.ClassAt(k) == Observed:
				return 1
			case u.leftOut(v, k):
				return -1
			}
			return 0
		},
		lowerSuffix: func(v *Var, k int) float64 { lo, _ := u.Model.within(u.data, v, k); return lo },
		upperSuffix: func(v *Var, k int) float64 { _, hi := u.Model.within(u.data, v, k); return hi },
	}[name[dot:]]
	v = u.Model.byName[name[:dot]]
	if f == nil || v == nil || name[dot:] != partsSuffix && u.coord[v.ID] == nil {
		return nil, nil
	}
	out := make([]float64, v.Len())
	for k := range out {
		out[k] = f(v, k)
	}
	return v, out
}
