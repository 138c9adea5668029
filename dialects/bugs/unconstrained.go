package bugs

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// Unconstrained is the space in which a sampler moves: a vector of real numbers from
// which transforms make the continuous parameters of a model. Its density is that of
// the model, without the nodes that have no observed descendant (they are simulated
// afterwards), times the Jacobian of the transforms; discrete parameters take part as
// data. Coordinates are in the order of the variables in the program, and row by row
// within a variable.
type Unconstrained struct {
	Model    *Model
	Coords   []Coord
	Warnings diag.List

	plans []*plan   // by Statement.Index; nil for a statement without coordinates
	early []*plan   // those that come before all other statements, in order
	data  State     // with NaN for what is not known
	coord [][]int32 // by Var.ID and element: its coordinate, counted from 1, or 0; nil for none
}

// A Coord is a coordinate of the vector. It is called like the element of the node that
// it belongs to: of a simplex the last has none, of a matrix those above the diagonal.
type Coord struct {
	Name string
	Kind prob.Transform
}

// plan is how the nodes of a statement come from the vector.
type plan struct {
	s            *Statement
	kind         prob.Transform
	joint        bool // the node is a vector or a matrix
	sup          prob.Support
	lower, upper syntax.Expr // of the limits in the program, those in use
	early, whole bool        // whole: every node of the statement is a parameter
	chained      bool        // a limit is that of a chain a[1] < a[2] < ...
	cuts         cutLimits
}

// Unconstrained finds the transforms and the vector. The error is a node that has no
// transform.
func (m *Model) Unconstrained() (*Unconstrained, *diag.Diagnostic) {
	u := &Unconstrained{Model: m, plans: make([]*plan, len(m.Statements)), coord: make([][]int32, len(m.Vars)), data: m.NewState()}
	for _, s := range m.Statements {
		pl, d := u.plan(s)
		if d != nil {
			return nil, d
		}
		u.plans[s.Index] = pl
	}
	kinds := make([][]prob.Transform, len(m.Vars))
	for _, pl := range u.plans {
		if pl == nil {
			continue
		}
		if d := u.spread(pl, kinds); d != nil {
			return nil, d
		}
	}
	for _, v := range m.Vars {
		if u.coord[v.ID] == nil {
			continue
		}
		for k := range v.Len() {
			if u.coord[v.ID][k] != 0 {
				u.Coords = append(u.Coords, Coord{v.ElemName(k), kinds[v.ID][k]})
				u.coord[v.ID][k] = int32(len(u.Coords))
			}
		}
	}
	if d := u.chains(); d != nil {
		return nil, d
	}
	return u, u.order()
}

// Names are the coordinates' names.
func (u *Unconstrained) Names() []string {
	out := make([]string, len(u.Coords))
	for i, c := range u.Coords {
		out[i] = c.Name
	}
	return out
}

// Has reports a variable that has coordinates.
func (u *Unconstrained) Has(v *Var) bool { return u.coord[v.ID] != nil }

// keeps reports a node that has a place in the vector or takes part as data: unknown,
// with an observed descendant.
func (u *Unconstrained) keeps(s *Statement, iter int) bool {
	return u.Model.lives().instance(s.Index, iter) && !u.known(s, iter)
}

// known reports a node all of whose elements are observed.
func (u *Unconstrained) known(s *Statement, iter int) bool {
	all := true
	u.Model.elements(s, iter, func(k int) { all = all && s.v.ClassAt(k) == Observed })
	return all
}

// leftOut reports an element that has no part in the density.
func (u *Unconstrained) leftOut(v *Var, k int) bool {
	return u.Model.RoleOf(v, k) == GeneratedQuantity
}

// plan finds the transform of a statement, nil if it has none.
func (u *Unconstrained) plan(s *Statement) (*plan, *diag.Diagnostic) {
	if s.Sample == nil || !s.v.Has(Parameter) || s.Dist.Counts || s.Dist.Law.Atoms {
		return nil, nil
	}
	pl := &plan{s: s, whole: true}
	some := false
	for i := range s.n {
		if u.keeps(s, i) {
			some = true
		} else {
			pl.whole = false
		}
	}
	if !some {
		return nil, nil
	}
	if nodeRank(s) > 0 {
		kind := s.Dist.Law.Transform
		if kind == prob.NoTransform {
			return nil, u.refuse(s)
		}
		pl.joint, pl.early, pl.kind = true, true, kind
		u.Warnings = append(u.Warnings, u.unknownCuts(pl)...)
		return pl, u.positiveAlpha(pl)
	}
	var ok bool
	if pl.sup, ok = s.Dist.Law.SupportOf(len(s.Sample.Args)); !ok {
		return nil, u.refuse(s)
	}
	u.limit(pl)
	return pl, nil
}

func (u *Unconstrained) refuse(s *Statement) *diag.Diagnostic {
	return diag.Errorf(s.Sample.DistAt, "%s has no unconstrained scale, and %s is not observed", s.Sample.Dist, s.v.Name).
		WithFix("give %s in the data, or leave -scale=unconstrained out", s.v.Name)
}

// positiveAlpha refuses a Dirichlet node with components that are 0.
func (u *Unconstrained) positiveAlpha(pl *plan) *diag.Diagnostic {
	if pl.kind != prob.Simplex {
		return nil
	}
	alpha := pl.s.Sample.Args[0]
	if !u.Model.fromData(alpha) {
		return nil
	}
	f := &frame{m: u.Model, store: u.data, loops: pl.s.Loops}
	for i := range pl.s.n {
		f.at = pl.s.at(i)
		x, err := f.array(alpha)
		for k, a := range x.V {
			if err == nil && a == 0 && u.keeps(pl.s, i) {
				return diag.Errorf(alpha.Span(), "parameter %d of %s is 0, which makes a part of %s 0: that has no unconstrained scale", k+1, pl.s.Sample.Dist, pl.s.v.Name).
					WithFix("leave the part out of the vector")
			}
		}
	}
	return nil
}

// limit joins the support with the limits of the program, and chooses the kind.
func (u *Unconstrained) limit(pl *plan) {
	if b := pl.s.Sample.Bound; b != nil {
		pl.lower, pl.upper = literal(b.Lower, &pl.sup.Lo, math.Max), literal(b.Upper, &pl.sup.Hi, math.Min)
	}
	pl.cuts = u.cutLimits(pl.s)
	u.Warnings = append(u.Warnings, u.unknownCuts(pl)...)
	u.choose(pl)
}

// choose finds the kind by which limits there are.
func (u *Unconstrained) choose(pl *plan) {
	lo, hi := pl.sup.Lo.Kind != prob.NoLimit || pl.lower != nil, pl.sup.Hi.Kind != prob.NoLimit || pl.upper != nil
	some := pl.cuts.lower == someNodes && !lo || pl.cuts.upper == someNodes && !hi
	lo, hi = lo || pl.cuts.lower != noNode, hi || pl.cuts.upper != noNode
	switch {
	case pl.sup.Lo.Varies() || pl.sup.Hi.Varies() || u.infinite(pl, pl.lower) || u.infinite(pl, pl.upper) || some:
		pl.kind = prob.AnyBounds
	case lo && hi:
		pl.kind = prob.BothBounds
	case lo:
		pl.kind = prob.LowerBound
	case hi:
		pl.kind = prob.UpperBound
	default:
		pl.kind = prob.Identity
	}
}

// literal takes a limit that is written as a number into one of the support.
func literal(e syntax.Expr, l *prob.Limit, both func(x, y float64) float64) syntax.Expr {
	n, ok := e.(*syntax.Num)
	if neg, is := e.(*syntax.Unary); is && neg.Op == syntax.OpNeg {
		if m, is := neg.X.(*syntax.Num); is {
			n, ok = &syntax.Num{Value: -m.Value}, true
		}
	}
	switch {
	case !ok:
	case l.Kind == prob.NoLimit:
		*l, e = prob.Limit{Kind: prob.NumberLimit, Num: n.Value}, nil
	case l.Kind == prob.NumberLimit:
		l.Num, e = both(l.Num, n.Value), nil
	}
	return e
}

// infinite reports a limit in the data that is infinite for some node.
func (u *Unconstrained) infinite(pl *plan, e syntax.Expr) bool {
	if e == nil || !u.Model.fromData(e) {
		return false
	}
	f := &frame{m: u.Model, store: u.data, loops: pl.s.Loops}
	for i := range pl.s.n {
		f.at = pl.s.at(i)
		if x, err := f.scalar(e); err == nil && math.IsInf(x, 0) && u.keeps(pl.s, i) {
			return true
		}
	}
	return false
}

// spread says which elements have coordinates.
func (u *Unconstrained) spread(pl *plan, kinds [][]prob.Transform) *diag.Diagnostic {
	s := pl.s
	id := s.v.ID
	if u.coord[id] == nil {
		u.coord[id], kinds[id] = make([]int32, s.v.Len()), make([]prob.Transform, s.v.Len())
	}
	for i := range s.n {
		if !u.keeps(s, i) {
			continue
		}
		var elems []int
		data := false
		u.Model.elements(s, i, func(k int) {
			elems = append(elems, k)
			data = data || s.v.ClassAt(k) == Observed
		})
		if data {
			pl.whole = false
		}
		if data && pl.kind != prob.Identity {
			return diag.Errorf(s.Span(), "a part of %s is observed, and %s has an unconstrained scale only as a whole", s.v.ElemName(elems[0]), s.Sample.Dist).
				WithFix("give all of the node in the data, or nothing")
		}
		n := int(math.Round(math.Sqrt(float64(len(elems)))))
		for r, k := range elems {
			if s.v.ClassAt(k) == Observed || pl.kind == prob.Simplex && r == len(elems)-1 || pl.kind == prob.Cholesky && r/n < r%n {
				continue
			}
			u.coord[id][k], kinds[id][k] = 1, pl.kind
		}
	}
	return nil
}

// straight is the coordinate of the first element, counted from 0, of a variable whose
// elements are coordinates one after the other; ok is false for others.
func (u *Unconstrained) straight(v *Var) (first int, ok bool) {
	c := u.coord[v.ID]
	for k := range c {
		if c[k] == 0 || int(c[k]) != int(c[0])+k {
			return 0, false
		}
	}
	return int(c[0]) - 1, len(c) > 0
}
