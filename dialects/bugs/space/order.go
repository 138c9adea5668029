package space

import (
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir/diag"
)

// chains finds nodes that limit each other, as in
//
//	a[1] ~ dnorm(0, tau) I(, a[2])
//	for (j in 2:K) { a[j] ~ dnorm(0, tau) I(a[j-1], a[j+1]) }
//
// where every limit is said twice. Then the lower one is kept: an ordered vector.
func (u *Unconstrained) chains() *diag.Diagnostic {
	for _, pl := range u.Plans {
		if pl == nil || pl.Joint {
			continue
		}
		lower, d := u.mutual(pl, pl.Lower, func(q *Plan) syntax.Expr { return q.Stmt.Sample.Bound.Upper })
		if d != nil {
			return d
		}
		upper, d := u.mutual(pl, pl.Upper, func(q *Plan) syntax.Expr { return q.Stmt.Sample.Bound.Lower })
		if d != nil {
			return d
		}
		pl.chained = lower || upper
		if upper {
			pl.Upper = nil
			u.choose(pl)
		}
		if lower && pl.Kind == support.LowerBound {
			pl.Kind = support.Ordered
		}
	}
	return nil
}

// mutual reports that a limit is a node whose opposite limit is the node itself, for
// all nodes of a statement.
func (u *Unconstrained) mutual(pl *Plan, e syntax.Expr, opposite func(*Plan) syntax.Expr) (bool, *diag.Diagnostic) {
	r, ok := e.(*syntax.Ref)
	if !ok || u.Model.Bindings[r].Var == nil || !u.Has(u.Model.Bindings[r].Var) {
		return false, nil
	}
	some, others := false, false
	for i := range pl.Stmt.Iterations {
		if !u.keeps(pl.Stmt, i) {
			continue
		}
		self := order.Element{Var: pl.Stmt.Var, Elem: 0}
		u.Model.Elements(pl.Stmt, i, func(k int) { self.Elem = k })
		if q, iter := u.drawer(pl.Stmt, i, r); q != nil && u.refersTo(q, iter, opposite, self) {
			some = true
		} else {
			others = true
		}
	}
	if some && others {
		return false, diag.Errorf(e.Span(), "this limit is a node that is limited in turn, for some elements of %s and not for others", pl.Stmt.Var.Name).
			WithFix("give the elements at the ends of the chain statements of their own")
	}
	return some, nil
}

// drawer finds the plan and the instance that draw what a limit refers to, if it has a
// coordinate.
func (u *Unconstrained) drawer(s *model.Statement, iter int, r *syntax.Ref) (*Plan, int) {
	v := u.Model.Bindings[r].Var
	f := &eval.Frame{Model: u.Model, Store: u.data, Loops: s.Loops, At: s.At(iter)}
	k, err := f.Element(r, v)
	if err != nil || u.Place(v, k) == 0 {
		return nil, 0
	}
	by := v.DrawnBy(k)
	return u.Plans[by.Stmt-1], int(by.Iter)
}

func (u *Unconstrained) refersTo(q *Plan, iter int, opposite func(*Plan) syntax.Expr, want order.Element) bool {
	if q.Joint || q.Stmt.Sample.Bound == nil {
		return false
	}
	r, ok := opposite(q).(*syntax.Ref)
	if !ok || u.Model.Bindings[r].Var != want.Var {
		return false
	}
	f := &eval.Frame{Model: u.Model, Store: u.data, Loops: q.Stmt.Loops, At: q.Stmt.At(iter)}
	k, err := f.Element(r, want.Var)
	return err == nil && k == want.Elem
}

// used lists the expressions that the limits of a plan are made of.
func (pl *Plan) used() []syntax.Expr {
	var out []syntax.Expr
	for _, l := range []support.Limit{pl.Support.Lo, pl.Support.Hi} {
		for _, i := range l.Params() {
			out = append(out, pl.Stmt.Sample.Args[i])
		}
	}
	for _, e := range []syntax.Expr{pl.Lower, pl.Upper} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// first chooses the nodes that come before all statements: those whose limits follow
// from data, and chains. The others come where their statement is.
func (u *Unconstrained) first() *diag.Diagnostic {
	state := map[*Plan]int8{}
	for _, pl := range u.Plans {
		if pl == nil || state[pl] != 0 {
			continue
		}
		if d := u.place(pl, state); d != nil {
			return d
		}
	}
	for _, pl := range u.Plans {
		if pl != nil && !pl.First && u.Model.Cyclic {
			return diag.Errorf(pl.Stmt.Sample.DistAt, "the limits of %s depend on nodes, and the nodes of the model have no sequential order", pl.Stmt.Var.Name).
				WithFix("give limits that are data")
		}
	}
	return nil
}

func (u *Unconstrained) place(pl *Plan, state map[*Plan]int8) *diag.Diagnostic {
	state[pl] = 1
	pl.First = true
	for _, e := range pl.used() {
		if eval.FromData(u.Model, e) {
			continue
		}
		if !pl.chained {
			pl.First = false
			state[pl] = 2
			return nil
		}
		if d := u.before(pl, e, state); d != nil {
			return d
		}
	}
	state[pl] = 2
	u.First = append(u.First, pl)
	return nil
}

// before places what a limit of a chain refers to.
func (u *Unconstrained) before(pl *Plan, e syntax.Expr, state map[*Plan]int8) *diag.Diagnostic {
	r, ok := e.(*syntax.Ref)
	bad := diag.Errorf(e.Span(), "the limits of %s form a chain that has no order", pl.Stmt.Var.Name).
		WithFix("let each limit be data, or a single node that comes before in the chain")
	if !ok {
		return bad
	}
	for i := range pl.Stmt.Iterations {
		if !u.keeps(pl.Stmt, i) {
			continue
		}
		q, iter := u.drawer(pl.Stmt, i, r)
		switch {
		case q == nil && u.isData(pl.Stmt, i, r), q == pl && iter < i:
		case q == nil, q == pl, state[q] == 1:
			return bad
		case state[q] == 0:
			if d := u.place(q, state); d != nil {
				return d
			}
			if !q.First {
				return bad
			}
		case !q.First:
			return bad
		}
	}
	return nil
}

// isData reports a limit that is an element with a known value.
func (u *Unconstrained) isData(s *model.Statement, iter int, r *syntax.Ref) bool {
	v := u.Model.Bindings[r].Var
	f := &eval.Frame{Model: u.Model, Store: u.data, Loops: s.Loops, At: s.At(iter)}
	k, err := f.Element(r, v)
	return err == nil && (v.ClassAt(k) == model.Known || v.ClassAt(k) == model.Observed)
}
