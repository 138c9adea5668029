package space

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/roles"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir/diag"
)

// Unconstrained is the space in which a sampler moves: a vector of real numbers from
// which transforms make the continuous parameters of a model. Its density is that of
// the model, without the nodes that have no observed descendant (they are simulated
// afterwards), times the Jacobian of the transforms; discrete parameters take part as
// data. Coordinates are in the order of the variables in the program, and row by row
// within a variable.
type Unconstrained struct {
	Model    *model.Model
	Warnings diag.List

	Plans  []*Plan    // by Statement.Index; nil for a statement without coordinates
	First  []*Plan    // those that come before all other statements, in order
	data   eval.State // with NaN for what is not known
	places []*places  // by Var.ID; nil for a variable without coordinates
	order  []*places  // of the coordinates
	len    int
}

// A Coord is a coordinate of the vector. It is called like the element of the node that
// it belongs to: of a simplex the last has none, of a matrix those above the diagonal.
type Coord struct {
	Var  *model.Var
	Elem int
	Kind support.Transform
}

// Name is that of the element.
func (c Coord) Name() string { return c.Var.ElemName(c.Elem) }

// Plan is how the nodes of a statement come from the vector.
type Plan struct {
	Stmt         *model.Statement
	Kind         support.Transform
	Joint        bool // the node is a vector or a matrix
	Support      support.Ends
	Lower, Upper syntax.Expr // of the limits in the program, those in use
	First, Whole bool        // whole: every node of the statement is a parameter
	chained      bool        // a limit is that of a chain a[1] < a[2] < ...
	Cuts         cutLimits
}

// New finds the transforms and the vector. The error is a node that has no transform.
func New(m *model.Model) (*Unconstrained, *diag.Diagnostic) {
	u := &Unconstrained{Model: m, Plans: make([]*Plan, len(m.Statements)), places: make([]*places, len(m.Vars)), data: eval.DataState(m)}
	for _, s := range m.Statements {
		pl, d := u.plan(s)
		if d != nil {
			return nil, d
		}
		u.Plans[s.Index] = pl
	}
	for _, pl := range u.Plans {
		if pl == nil {
			continue
		}
		if d := u.spread(pl); d != nil {
			return nil, d
		}
	}
	u.number()
	if d := u.chains(); d != nil {
		return nil, d
	}
	return u, u.first()
}

// Names are the coordinates' names.
func (u *Unconstrained) Names() []string {
	out := make([]string, u.Len())
	for i := range out {
		out[i] = u.At(i).Name()
	}
	return out
}

// keeps reports a node that has a place in the vector or takes part as data: unknown,
// with an observed descendant.
func (u *Unconstrained) keeps(s *model.Statement, iter int) bool {
	return roles.Living(u.Model).Instance(s.Index, iter) && !u.known(s, iter)
}

// keepsAll reports a statement all of whose nodes are kept, and that none of their elements
// is observed; it may say no of one that is such.
func (u *Unconstrained) keepsAll(s *model.Statement) bool {
	return eval.NodeRank(s) == 0 && roles.Living(u.Model).All[s.Index] && (s.Var.Known.None() || s.Defines.Region != nil && s.Var.KnownIn(s.Defines.Region) == 0)
}

// known reports a node all of whose elements are observed.
func (u *Unconstrained) known(s *model.Statement, iter int) bool {
	if !s.Var.Has(model.Observed) && eval.NodeRank(s) == 0 {
		return false
	}
	all := true
	u.Model.Elements(s, iter, func(k int) { all = all && s.Var.ClassAt(k) == model.Observed })
	return all
}

// omitted reports an element that has no part in the density.
func (u *Unconstrained) omitted(v *model.Var, k int) bool {
	return roles.Of(u.Model, v, k) == roles.GeneratedQuantity
}

// plan finds the transform of a statement, nil if it has none.
func (u *Unconstrained) plan(s *model.Statement) (*Plan, *diag.Diagnostic) {
	if s.Sample == nil || !s.Var.Has(model.Parameter) || s.Dist.Counts || s.Dist.Law.Atoms {
		return nil, nil
	}
	pl := &Plan{Stmt: s, Whole: true}
	if !u.keepsAll(s) {
		some := false
		for i := range s.Iterations {
			if u.keeps(s, i) {
				some = true
			} else {
				pl.Whole = false
			}
		}
		if !some {
			return nil, nil
		}
	} else if s.Iterations == 0 {
		return nil, nil
	}
	if eval.NodeRank(s) > 0 {
		kind := s.Dist.Law.Transform
		if kind == support.NoTransform {
			return nil, u.refuse(s)
		}
		pl.Joint, pl.First, pl.Kind = true, true, kind
		u.Warnings = append(u.Warnings, u.unknownCuts(pl)...)
		return pl, u.positiveAlpha(pl)
	}
	var ok bool
	if pl.Support, ok = apply.Support(s.Dist.Law, len(s.Sample.Args)); !ok {
		return nil, u.refuse(s)
	}
	u.limit(pl)
	return pl, nil
}

func (u *Unconstrained) refuse(s *model.Statement) *diag.Diagnostic {
	return diag.Errorf(s.Sample.DistAt, "%s has no unconstrained scale, and %s is not observed", s.Sample.Dist, s.Var.Name).
		WithFix("give %s in the data, or leave -scale=unconstrained out", s.Var.Name)
}

// positiveAlpha refuses a Dirichlet node with components that are 0.
func (u *Unconstrained) positiveAlpha(pl *Plan) *diag.Diagnostic {
	if pl.Kind != support.Simplex {
		return nil
	}
	alpha := pl.Stmt.Sample.Args[0]
	if !eval.FromData(u.Model, alpha) {
		return nil
	}
	f := &eval.Frame{Model: u.Model, Store: u.data, Loops: pl.Stmt.Loops}
	for i := range pl.Stmt.Iterations {
		f.At = pl.Stmt.At(i)
		x, err := f.Array(alpha)
		for k, a := range x.V {
			if err == nil && a == 0 && u.keeps(pl.Stmt, i) {
				return diag.Errorf(alpha.Span(), "parameter %d of %s is 0, which makes a part of %s 0: that has no unconstrained scale", k+1, pl.Stmt.Sample.Dist, pl.Stmt.Var.Name).
					WithFix("leave the part out of the vector")
			}
		}
	}
	return nil
}

// limit joins the support with the limits of the program, and chooses the kind.
func (u *Unconstrained) limit(pl *Plan) {
	if b := pl.Stmt.Sample.Bound; b != nil {
		pl.Lower, pl.Upper = literal(b.Lower, &pl.Support.Lo, math.Max), literal(b.Upper, &pl.Support.Hi, math.Min)
	}
	pl.Cuts = u.cutLimits(pl.Stmt)
	u.Warnings = append(u.Warnings, u.unknownCuts(pl)...)
	u.choose(pl)
}

// choose finds the kind by which limits there are.
func (u *Unconstrained) choose(pl *Plan) {
	lo, hi := pl.Support.Lo.Kind != support.NoLimit || pl.Lower != nil, pl.Support.Hi.Kind != support.NoLimit || pl.Upper != nil
	some := pl.Cuts.Lower == someNodes && !lo || pl.Cuts.Upper == someNodes && !hi
	lo, hi = lo || pl.Cuts.Lower != NoNode, hi || pl.Cuts.Upper != NoNode
	switch {
	case pl.Support.Lo.Varies() || pl.Support.Hi.Varies() || u.infinite(pl, pl.Lower) || u.infinite(pl, pl.Upper) || some:
		pl.Kind = support.AnyBounds
	case lo && hi:
		pl.Kind = support.BothBounds
	case lo:
		pl.Kind = support.LowerBound
	case hi:
		pl.Kind = support.UpperBound
	default:
		pl.Kind = support.Identity
	}
}

// literal takes a limit that is written as a number into one of the support.
func literal(e syntax.Expr, l *support.Limit, both func(x, y float64) float64) syntax.Expr {
	n, ok := e.(*syntax.Num)
	if neg, is := e.(*syntax.Unary); is && neg.Op == syntax.OpNeg {
		if m, is := neg.X.(*syntax.Num); is {
			n, ok = &syntax.Num{Value: -m.Value}, true
		}
	}
	switch {
	case !ok:
	case l.Kind == support.NoLimit:
		*l, e = support.Limit{Kind: support.NumberLimit, Num: n.Value}, nil
	case l.Kind == support.NumberLimit:
		l.Num, e = both(l.Num, n.Value), nil
	}
	return e
}

// infinite reports a limit in the data that is infinite for some node.
func (u *Unconstrained) infinite(pl *Plan, e syntax.Expr) bool {
	if e == nil || !eval.FromData(u.Model, e) {
		return false
	}
	f := &eval.Frame{Model: u.Model, Store: u.data, Loops: pl.Stmt.Loops}
	for i := range pl.Stmt.Iterations {
		f.At = pl.Stmt.At(i)
		if x, err := f.Scalar(e); err == nil && math.IsInf(x, 0) && u.keeps(pl.Stmt, i) {
			return true
		}
	}
	return false
}

// spread says which elements have coordinates.
func (u *Unconstrained) spread(pl *Plan) *diag.Diagnostic {
	s := pl.Stmt
	p := u.places[s.Var.ID]
	if p == nil {
		p = &places{v: s.Var, has: model.Mask{Len: s.Var.Len()}}
		u.places[s.Var.ID] = p
	}
	if r := s.Defines.Region; r != nil && u.keepsAll(s) {
		r.Runs(s.Var.Dims, p.has.SetRange)
		return nil
	}
	for i := range s.Iterations {
		if !u.keeps(s, i) {
			continue
		}
		var elems []int
		data := false
		u.Model.Elements(s, i, func(k int) {
			elems = append(elems, k)
			data = data || s.Var.ClassAt(k) == model.Observed
		})
		if data {
			pl.Whole = false
		}
		if data && pl.Kind != support.Identity {
			return diag.Errorf(s.Span(), "a part of %s is observed, and %s has an unconstrained scale only as a whole", s.Var.ElemName(elems[0]), s.Sample.Dist).
				WithFix("give all of the node in the data, or nothing")
		}
		n := int(math.Round(math.Sqrt(float64(len(elems)))))
		for r, k := range elems {
			if s.Var.ClassAt(k) == model.Observed || pl.Kind == support.Simplex && r == len(elems)-1 || pl.Kind == support.Cholesky && r/n < r%n {
				continue
			}
			p.has.Set(k)
		}
	}
	return nil
}
