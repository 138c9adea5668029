package space

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir/diag"
)

// Visit is the reference meaning of the density at a vector: it gives the parameters in
// st their values, computes the logical nodes, hands each factor to factor, and returns
// the logarithm of the Jacobian. Discrete parameters must have values in st.
func (u *Unconstrained) Visit(vec []float64, st eval.State, factor func(eval.Factor)) (logJ float64, err error) {
	if len(vec) != u.Len() {
		return 0, fmt.Errorf("the vector has %d numbers, and the model %d coordinates", len(vec), u.Len())
	}
	err = u.run(st, false, factor, func(r *eval.Runner, pl *Plan, elems []int, lo, hi float64) error {
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
	})
	return logJ, err
}

func Isqrt(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

// Vector maps the parameters of a state to the vector. Where limits are nodes, logical
// nodes of st are computed on the way. The error names a parameter outside of its support, or on its edge, where
// the vector would be infinite.
func (u *Unconstrained) Vector(st eval.State) ([]float64, error) {
	vec := make([]float64, u.Len())
	err := u.run(st, true, nil, func(r *eval.Runner, pl *Plan, elems []int, lo, hi float64) error {
		v := pl.Stmt.Var
		x, c := st[v.ID], u.places[v.ID].of
		if !pl.Joint {
			y, ok := support.Unconstrain(pl.Kind, x[elems[0]], lo, hi)
			vec[c(elems[0])-1] = y
			if !ok {
				return &eval.NodeError{Node: v.ElemName(elems[0]), Outside: true,
					Err: diag.Errorf(pl.Stmt.Span(), "%s is %v, which has no place on the unconstrained scale: it must be %s", v.ElemName(elems[0]), x[elems[0]], eval.Between(lo, hi))}
			}
			return nil
		}
		in := make([]float64, len(elems))
		for i, k := range elems {
			in[i] = x[k]
		}
		out, why := inverse(pl.Kind, in)
		if why != "" {
			return &eval.NodeError{Node: eval.ElementsName(v, elems), Outside: true,
				Err: diag.Errorf(pl.Stmt.Span(), "node %s has no place on the unconstrained scale: it is %s", eval.ElementsName(v, elems), why)}
		}
		n := 0
		for i, k := range elems {
			switch {
			case c(k) == 0:
			case pl.Kind == support.Identity:
				vec[c(k)-1] = in[i]
			default:
				vec[c(k)-1] = out[n]
				n++
			}
		}
		return nil
	})
	return vec, err
}

// Inside moves the numbers that filled accepts and that have no place in the vector, such
// as a value that was moved to a limit, to where their coordinate is 0.
func (u *Unconstrained) Inside(st eval.State, filled func(v *model.Var, k int) bool) error {
	return u.run(st, true, nil, func(r *eval.Runner, pl *Plan, elems []int, lo, hi float64) error {
		x, k := st[pl.Stmt.Var.ID], elems[0]
		if pl.Joint || !filled(pl.Stmt.Var, k) {
			return nil
		}
		if _, ok := support.Unconstrain(pl.Kind, x[k], lo, hi); !ok {
			x[k], _ = support.Constrained(kit.Float{}, pl.Kind, 0, lo, hi)
		}
		return nil
	})
}

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

// run goes through the model: node for each one with coordinates, with the limits that
// numbers have, before anything reads it. Only the vector is wanted if that is set.
func (u *Unconstrained) run(st eval.State, vector bool, factor func(eval.Factor), node func(r *eval.Runner, pl *Plan, elems []int, lo, hi float64) error) error {
	r := &eval.Runner{Model: u.Model, Factor: factor}
	if vector {
		r = eval.OfParameters(u.Model, st)
	} else {
		r.Frame = eval.FrameOn(u.Model, st)
	}
	r.Omit = u.leftOut
	return r.Named(u.runOn(r, vector, node))
}

func (u *Unconstrained) runOn(r *eval.Runner, vector bool, node func(r *eval.Runner, pl *Plan, elems []int, lo, hi float64) error) error {
	visit := func(pl *Plan) error {
		var elems []int
		some := false
		if err := r.Frame.Each(pl.Stmt.LHS, pl.Stmt.Var, false, func(k int) error {
			elems = append(elems, k)
			some = some || u.Place(pl.Stmt.Var, k) != 0
			return nil
		}); err != nil || !some && !(pl.Joint && pl.Kind == support.Simplex && len(elems) == 1) {
			return err
		}
		lo, hi, err := u.limits(r, pl, elems[0])
		if err != nil {
			return r.ErrorAt(pl.Stmt, elems[0], err)
		}
		return node(r, pl, elems, lo, hi)
	}
	for _, pl := range u.Early {
		for i := range pl.Stmt.Iterations {
			r.Stmt, r.Frame.Loops, r.Frame.At = pl.Stmt, pl.Stmt.Loops, pl.Stmt.At(i)
			if !u.keeps(pl.Stmt, i) {
				continue
			}
			if err := visit(pl); err != nil {
				return err
			}
		}
	}
	if vector && len(u.Early) == u.count() {
		return nil // nothing else is needed
	}
	r.Before = func(s *model.Statement) error {
		if pl := u.Plans[s.Index]; pl != nil && !pl.Early {
			return visit(pl)
		}
		return nil
	}
	return r.Items(u.Model.Order)
}

// count is the number of plans.
func (u *Unconstrained) count() int {
	n := 0
	for _, pl := range u.Plans {
		if pl != nil {
			n++
		}
	}
	return n
}

// limits evaluates the limits of a node, whose first element is k; infinite ones are none.
func (u *Unconstrained) limits(r *eval.Runner, pl *Plan, k int) (lo, hi float64, err error) {
	lo, hi = -function.Inf, function.Inf
	if pl.Joint {
		return lo, hi, nil
	}
	arg := func(i int) float64 {
		x, e := r.Frame.Scalar(pl.Stmt.Sample.Args[i])
		if e != nil {
			err = e
		}
		return x
	}
	if pl.Support.Lo.Kind != support.NoLimit {
		lo = support.LimitAt(kit.Float{}, pl.Support.Lo, arg)
	}
	if pl.Support.Hi.Kind != support.NoLimit {
		hi = support.LimitAt(kit.Float{}, pl.Support.Hi, arg)
	}
	if pl.Lower != nil && err == nil {
		var x float64
		x, err = r.Frame.Scalar(pl.Lower)
		lo = kit.Greater(kit.Float{}, lo, x)
	}
	if pl.Upper != nil && err == nil {
		var x float64
		x, err = r.Frame.Scalar(pl.Upper)
		hi = kit.Lesser(kit.Float{}, hi, x)
	}
	below, above := eval.Within(u.Model, u.data, pl.Stmt.Var, k)
	return math.Max(lo, below), math.Min(hi, above), err
}

// Missing lists the parameters of the density that have no value, and MissingData those
// of them that take part as data.
func (u *Unconstrained) Missing(given [][]bool) []string { return u.missing(given, true) }

// MissingData: see Missing.
func (u *Unconstrained) MissingData(given [][]bool) []string { return u.missing(given, false) }

func (u *Unconstrained) missing(given [][]bool, all bool) []string {
	var out []string
	for _, v := range u.Model.Vars {
		if !v.Has(model.Parameter) {
			continue
		}
		for k := range v.Len() {
			if v.ClassAt(k) == model.Parameter && !given[v.ID][k] && !u.leftOut(v, k) && (all || u.Plans[v.DrawnBy(k).Stmt-1] == nil) {
				out = append(out, v.ElemName(k))
			}
		}
	}
	return out
}

// FirstOutside is that of a model, at a vector.
func (u *Unconstrained) FirstOutside(vec []float64, st eval.State) string {
	return eval.FirstOf(func(f func(eval.Factor)) error {
		_, err := u.Visit(vec, st.Clone(), f)
		return err
	})
}
