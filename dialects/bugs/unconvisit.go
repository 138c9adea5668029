package bugs

import (
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// omitted reports a node that omit names. A node is passed over as a whole.
func (r *runner) omitted(s *Statement) bool {
	out, first := false, true
	err := r.f.each(s.LHS, s.v, false, func(k int) error {
		if first {
			out, first = r.omit(s.v, k), false
		}
		return nil
	})
	return err == nil && out
}

// Visit is the reference meaning of the density at a vector: it gives the parameters in
// st their values, computes the logical nodes, hands each factor to factor, and returns
// the logarithm of the Jacobian. Discrete parameters must have values in st.
func (u *Unconstrained) Visit(vec []float64, st State, factor func(Factor)) (logJ float64, err error) {
	if len(vec) != len(u.Coords) {
		return 0, fmt.Errorf("the vector has %d numbers, and the model %d coordinates", len(vec), len(u.Coords))
	}
	err = u.run(st, false, factor, func(r *runner, pl *plan, elems []int, lo, hi float64) error {
		x, c := st[pl.s.v.ID], u.coord[pl.s.v.ID]
		if !pl.joint {
			y, j := prob.Constrained(prob.Float{}, pl.kind, vec[c[elems[0]]-1], lo, hi)
			x[elems[0]] = y
			logJ += j
			return nil
		}
		at := make([]float64, 0, len(elems))
		for _, k := range elems {
			if c[k] != 0 {
				at = append(at, vec[c[k]-1])
			}
		}
		out := make([]float64, len(elems))
		switch pl.kind {
		case prob.Simplex:
			logJ += prob.StickBreaking(at, out)
		case prob.Cholesky:
			logJ += prob.FromFactor(at, out, isqrt(len(elems)))
		default:
			for i, k := range elems {
				out[i] = x[k]
				if c[k] != 0 {
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

func isqrt(n int) int { return int(math.Round(math.Sqrt(float64(n)))) }

// Vector maps the parameters of a state to the vector. Where limits are nodes, logical
// nodes of st are computed on the way. The error names a parameter outside of its support, or on its edge, where
// the vector would be infinite.
func (u *Unconstrained) Vector(st State) ([]float64, error) {
	vec := make([]float64, len(u.Coords))
	err := u.run(st, true, nil, func(r *runner, pl *plan, elems []int, lo, hi float64) error {
		v := pl.s.v
		x, c := st[v.ID], u.coord[v.ID]
		if !pl.joint {
			y, ok := prob.Unconstrain(pl.kind, x[elems[0]], lo, hi)
			vec[c[elems[0]]-1] = y
			if !ok {
				return &NodeError{Node: v.ElemName(elems[0]), Outside: true,
					Err: diag.Errorf(pl.s.Span(), "%s is %v, which has no place on the unconstrained scale: it must be %s", v.ElemName(elems[0]), x[elems[0]], between(lo, hi))}
			}
			return nil
		}
		in := make([]float64, len(elems))
		for i, k := range elems {
			in[i] = x[k]
		}
		out, why := inverse(pl.kind, in)
		if why != "" {
			return &NodeError{Node: elementsName(v, elems), Outside: true,
				Err: diag.Errorf(pl.s.Span(), "node %s has no place on the unconstrained scale: it is %s", elementsName(v, elems), why)}
		}
		n := 0
		for i, k := range elems {
			switch {
			case c[k] == 0:
			case pl.kind == prob.Identity:
				vec[c[k]-1] = in[i]
			default:
				vec[c[k]-1] = out[n]
				n++
			}
		}
		return nil
	})
	return vec, err
}

// Inside moves the numbers that filled accepts and that have no place in the vector, such
// as a value that was moved to a limit, to where their coordinate is 0.
func (u *Unconstrained) Inside(st State, filled func(v *Var, k int) bool) error {
	return u.run(st, true, nil, func(r *runner, pl *plan, elems []int, lo, hi float64) error {
		x, k := st[pl.s.v.ID], elems[0]
		if pl.joint || !filled(pl.s.v, k) {
			return nil
		}
		if _, ok := prob.Unconstrain(pl.kind, x[k], lo, hi); !ok {
			x[k], _ = prob.Constrained(prob.Float{}, pl.kind, 0, lo, hi)
		}
		return nil
	})
}

// inverse maps a vector or a matrix.
func inverse(kind prob.Transform, x []float64) (out []float64, why string) {
	switch kind {
	case prob.Simplex:
		out = make([]float64, len(x)-1)
		if !prob.StickBreaks(x, out) {
			why = "no vector of positive numbers with sum 1"
		}
	case prob.Cholesky:
		n := isqrt(len(x))
		out = make([]float64, n*(n+1)/2)
		why = prob.FactorRows(x, out, n)
	default:
		for _, y := range x {
			if math.IsNaN(y) || math.IsInf(y, 0) {
				why = "not finite"
			}
		}
	}
	return out, why
}

func between(lo, hi float64) string {
	switch below, above := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
	case below && above:
		return fmt.Sprintf("between %.15g and %.15g, without the ends", lo, hi)
	case below:
		return fmt.Sprintf("above %.15g", lo)
	case above:
		return fmt.Sprintf("below %.15g", hi)
	}
	return "finite"
}

// elementsName spells the elements of a node.
func elementsName(v *Var, elems []int) string {
	if len(elems) == 1 {
		return v.ElemName(elems[0])
	}
	if len(elems) == v.Len() {
		return v.Name
	}
	return v.ElemName(elems[0]) + " to " + v.ElemName(elems[len(elems)-1])
}

// run goes through the model: node for each one with coordinates, with the limits that
// numbers have, before anything reads it. Only the vector is wanted if that is set.
func (u *Unconstrained) run(st State, vector bool, factor func(Factor), node func(r *runner, pl *plan, elems []int, lo, hi float64) error) error {
	r := &runner{m: u.Model, f: u.Model.frameOn(st), factor: factor, omit: u.leftOut}
	return r.named(u.runOn(r, vector, node))
}

func (u *Unconstrained) runOn(r *runner, vector bool, node func(r *runner, pl *plan, elems []int, lo, hi float64) error) error {
	visit := func(pl *plan) error {
		var elems []int
		some := false
		if err := r.f.each(pl.s.LHS, pl.s.v, false, func(k int) error {
			elems = append(elems, k)
			some = some || u.coord[pl.s.v.ID][k] != 0
			return nil
		}); err != nil || !some && !(pl.joint && pl.kind == prob.Simplex && len(elems) == 1) {
			return err
		}
		lo, hi, err := u.limits(r, pl, elems[0])
		if err != nil {
			return r.nodeError(pl.s, elems[0], err)
		}
		return node(r, pl, elems, lo, hi)
	}
	for _, pl := range u.early {
		for i := range pl.s.n {
			r.stmt, r.f.loops, r.f.at = pl.s, pl.s.Loops, pl.s.at(i)
			if !u.keeps(pl.s, i) {
				continue
			}
			if err := visit(pl); err != nil {
				return err
			}
		}
	}
	if vector && len(u.early) == u.count() {
		return nil // nothing else is needed
	}
	r.before = func(s *Statement) error {
		if pl := u.plans[s.Index]; pl != nil && !pl.early {
			return visit(pl)
		}
		return nil
	}
	return r.items(u.Model.Order)
}

// count is the number of plans.
func (u *Unconstrained) count() int {
	n := 0
	for _, pl := range u.plans {
		if pl != nil {
			n++
		}
	}
	return n
}

// limits evaluates the limits of a node, whose first element is k; infinite ones are none.
func (u *Unconstrained) limits(r *runner, pl *plan, k int) (lo, hi float64, err error) {
	lo, hi = -inf, inf
	if pl.joint {
		return lo, hi, nil
	}
	eval := func(i int) float64 {
		x, e := r.f.scalar(pl.s.Sample.Args[i])
		if e != nil {
			err = e
		}
		return x
	}
	if pl.sup.Lo.Kind != prob.NoLimit {
		lo = prob.LimitAt(prob.Float{}, pl.sup.Lo, eval)
	}
	if pl.sup.Hi.Kind != prob.NoLimit {
		hi = prob.LimitAt(prob.Float{}, pl.sup.Hi, eval)
	}
	if pl.lower != nil && err == nil {
		var x float64
		x, err = r.f.scalar(pl.lower)
		lo = prob.Greater(prob.Float{}, lo, x)
	}
	if pl.upper != nil && err == nil {
		var x float64
		x, err = r.f.scalar(pl.upper)
		hi = prob.Lesser(prob.Float{}, hi, x)
	}
	below, above := u.Model.within(u.data, pl.s.v, k)
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
		if !v.Has(Parameter) {
			continue
		}
		for k := range v.Len() {
			if v.ClassAt(k) == Parameter && !given[v.ID][k] && !u.leftOut(v, k) && (all || u.plans[v.drawnBy(k).stmt-1] == nil) {
				out = append(out, v.ElemName(k))
			}
		}
	}
	return out
}
