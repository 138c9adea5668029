package space

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// Vector maps the parameters of a state to the vector. Where limits are nodes, logical
// nodes of st are computed on the way. The error names a parameter outside of its support, or on its edge, where
// the vector would be infinite.
func (u *Unconstrained) Vector(st eval.State) ([]float64, error) {
	vec := make([]float64, u.Len())
	outside := func(pl *Plan, k int, lo, hi float64) error {
		name, x := pl.Stmt.Var.ElemName(k), st[pl.Stmt.Var.ID][k]
		return &eval.NodeError{Node: name, Outside: true,
			Err: diag.Errorf(pl.Stmt.Span(), "%s is %v, which has no place on the unconstrained scale: it must be %s", name, x, eval.Between(lo, hi))}
	}
	numbers := func(pl *Plan, from, to int, lo, hi float64) error {
		first := u.Place(pl.Stmt.Var, from) - 1
		if bad := support.UnconstrainAll(pl.Kind, st[pl.Stmt.Var.ID][from:to], vec[first:], lo, hi); bad >= 0 {
			return outside(pl, from+bad, lo, hi)
		}
		return nil
	}
	err := u.run(st, nil, visitor{vector: true, numbers: numbers, node: func(pl *Plan, elems []int, lo, hi float64) error {
		if !pl.Joint {
			return numbers(pl, elems[0], elems[0]+1, lo, hi)
		}
		return u.jointVector(pl, elems, st[pl.Stmt.Var.ID], vec)
	}})
	return vec, err
}

// jointVector maps a node that is a vector or a matrix.
func (u *Unconstrained) jointVector(pl *Plan, elems []int, x, vec []float64) error {
	v := pl.Stmt.Var
	in := lists.Map(elems, func(k int) float64 { return x[k] })
	out, why := inverse(pl.Kind, in)
	if why != "" {
		return &eval.NodeError{Node: eval.ElementsName(v, elems), Outside: true,
			Err: diag.Errorf(pl.Stmt.Span(), "node %s has no place on the unconstrained scale: it is %s", eval.ElementsName(v, elems), why)}
	}
	n := 0
	for i, k := range elems {
		switch at := u.Place(v, k); {
		case at == 0:
		case pl.Kind == support.Identity:
			vec[at-1] = in[i]
		default:
			vec[at-1] = out[n]
			n++
		}
	}
	return nil
}

// Inside moves the numbers that are not given and have no place in the vector, such
// as a value that was moved to a limit, to where their coordinate is 0.
func (u *Unconstrained) Inside(st eval.State, given eval.Assigned) error {
	numbers := func(pl *Plan, from, to int, lo, hi float64) error {
		x := st[pl.Stmt.Var.ID]
		for k := from; k < to; k++ {
			if _, ok := support.Unconstrain(pl.Kind, x[k], lo, hi); !ok && !given.Has(pl.Stmt.Var, k) {
				x[k], _ = support.Constrained(kit.Float{}, pl.Kind, 0, lo, hi)
			}
		}
		return nil
	}
	return u.run(st, nil, visitor{vector: true, numbers: numbers, node: func(pl *Plan, elems []int, lo, hi float64) error {
		if pl.Joint {
			return nil
		}
		return numbers(pl, elems[0], elems[0]+1, lo, hi)
	}})
}

// Missing are the parameters of the density that have no value, and MissingData those
// of them that take part as data.
func (u *Unconstrained) Missing(given eval.Assigned) eval.Names { return u.missing(given, true) }

// MissingData: see Missing.
func (u *Unconstrained) MissingData(given eval.Assigned) eval.Names { return u.missing(given, false) }

func (u *Unconstrained) missing(given eval.Assigned, all bool) (out eval.Names) {
	asData := make([]bool, len(u.Model.Vars)) // variables with nodes that take part as data
	for _, s := range u.Model.Statements {
		if s.Sample != nil && u.Plans[s.Index] == nil {
			asData[s.Var.ID] = true
		}
	}
	each := func(yield func(v *model.Var, k int) bool) {
		for _, v := range u.Model.Vars {
			if given.Others(v) == 0 || !all && !asData[v.ID] {
				continue
			}
			for k := range v.Len() {
				if v.ClassAt(k) == model.Parameter && !given.Has(v, k) && !u.omitted(v, k) && (all || u.Plans[v.DrawnBy(k).Stmt-1] == nil) && !yield(v, k) {
					return
				}
			}
		}
	}
	for range each {
		out.Len++
	}
	out.All = func(yield func(string) bool) {
		each(func(v *model.Var, k int) bool { return yield(v.ElemName(k)) })
	}
	return out
}

// Isqrt is the number of rows of a square matrix.
func Isqrt(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

// inverse maps a vector or a matrix.
func inverse(kind support.Transform, x []float64) (out []float64, why string) {
	switch kind {
	case support.Simplex:
		out = make([]float64, len(x)-1)
		if !support.StickBreaks(x, out) {
			why = "no vector of positive numbers with sum 1"
		}
	case support.Cholesky:
		n := Isqrt(len(x))
		out = make([]float64, n*(n+1)/2)
		why = support.FactorRows(x, out, n)
	default:
		for _, y := range x {
			if math.IsNaN(y) || math.IsInf(y, 0) {
				why = "not finite"
			}
		}
	}
	return out, why
}
