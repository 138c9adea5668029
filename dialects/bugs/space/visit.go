package space

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
)

// Visit is the reference meaning of the density at a vector: it gives the parameters in
// st their values, computes the logical nodes, hands each factor to factor, and returns
// the logarithm of the Jacobian. Discrete parameters must have values in st.
func (u *Unconstrained) Visit(vec []float64, st eval.State, factor func(eval.Factor)) (logJ float64, err error) {
	if len(vec) != u.Len() {
		return 0, fmt.Errorf("the vector has %d numbers, and the model %d coordinates", len(vec), u.Len())
	}
	err = u.run(st, factor, visitor{node: func(pl *Plan, elems []int, lo, hi float64) error {
		x, c := st[pl.Stmt.Var.ID], u.places[pl.Stmt.Var.ID].of
		if !pl.Joint {
			y, j := support.Constrained(kit.Float{}, pl.Kind, vec[c(elems[0])-1], lo, hi)
			x[elems[0]] = y
			logJ += j
			return nil
		}
		at := make([]float64, 0, len(elems))
		for _, k := range elems {
			if c(k) != 0 {
				at = append(at, vec[c(k)-1])
			}
		}
		out := make([]float64, len(elems))
		switch pl.Kind {
		case support.Simplex:
			logJ += support.StickBreaking(at, out)
		case support.Cholesky:
			logJ += support.FromFactor(at, out, Isqrt(len(elems)))
		default:
			for i, k := range elems {
				out[i] = x[k]
				if c(k) != 0 {
					out[i], at = at[0], at[1:]
				}
			}
		}
		for i, k := range elems {
			x[k] = out[i]
		}
		return nil
	}})
	return logJ, err
}

// FirstOutside is that of a model, at a vector.
func (u *Unconstrained) FirstOutside(vec []float64, st eval.State) string {
	return eval.FirstOf(func(f func(eval.Factor)) error {
		_, err := u.Visit(vec, st.Clone(), f)
		return err
	})
}
