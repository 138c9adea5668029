package bugs

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir/diag"
)

// chains finds nodes that limit each other, as in
//
//	a[1] ~ dnorm(0, tau) I(, a[2])
//	for (j in 2:K) { a[j] ~ dnorm(0, tau) I(a[j-1], a[j+1]) }
//
// where every limit is said twice. Then the lower one is kept: an ordered vector.
func (u *Unconstrained) chains() *diag.Diagnostic {
	for _, pl := range u.plans {
		if pl == nil || pl.joint {
			continue
		}
		lower, d := u.mutual(pl, pl.lower, func(q *plan) syntax.Expr { return q.s.Sample.Bound.Upper })
		if d != nil {
			return d
		}
		upper, d := u.mutual(pl, pl.upper, func(q *plan) syntax.Expr { return q.s.Sample.Bound.Lower })
		if d != nil {
			return d
		}
		pl.chained = lower || upper
		if upper {
			pl.upper = nil
			u.choose(pl)
			u.rename(pl)
		}
		if lower && pl.kind == prob.LowerBound {
			pl.kind = prob.Ordered
			u.rename(pl)
		}
	}
	return nil
}

// rename enters the kind into the coordinates.
func (u *Unconstrained) rename(pl *plan) {
	for i := range pl.s.n {
		u.Model.elements(pl.s, i, func(k int) {
			if c := u.coord[pl.s.v.ID][k]; c != 0 && u.keeps(pl.s, i) {
				u.Coords[c-1].Kind = pl.kind
			}
		})
	}
}

// mutual reports that a limit is a node whose opposite limit is the node itself, for
// all nodes of a statement.
func (u *Unconstrained) mutual(pl *plan, e syntax.Expr, opposite func(*plan) syntax.Expr) (bool, *diag.Diagnostic) {
	r, ok := e.(*syntax.Ref)
	if !ok || u.Model.bind[r].v == nil {
		return false, nil
	}
	some, others := false, false
	for i := range pl.s.n {
		if !u.keeps(pl.s, i) {
			continue
		}
		self := element{pl.s.v, 0}
		u.Model.elements(pl.s, i, func(k int) { self.k = k })
		if q, iter := u.drawer(pl.s, i, r); q != nil && u.refersTo(q, iter, opposite, self) {
			some = true
		} else {
			others = true
		}
	}
	if some && others {
		return false, diag.Errorf(e.Span(), "this limit is a node that is limited in turn, for some elements of %s and not for others", pl.s.v.Name).
			WithFix("give the elements at the ends of the chain statements of their own")
	}
	return some, nil
}

// drawer finds the plan and the instance that draw what a limit refers to, if it has a
// coordinate.
func (u *Unconstrained) drawer(s *Statement, iter int, r *syntax.Ref) (*plan, int) {
	v := u.Model.bind[r].v
	f := &frame{m: u.Model, store: u.data, loops: s.Loops, at: s.at(iter)}
	k, err := f.element(r, v)
	if err != nil || u.coord[v.ID] == nil || u.coord[v.ID][k] == 0 {
		return nil, 0
	}
	by := v.drawnBy(k)
	return u.plans[by.stmt-1], int(by.iter)
}

func (u *Unconstrained) refersTo(q *plan, iter int, opposite func(*plan) syntax.Expr, want element) bool {
	if q.joint || q.s.Sample.Bound == nil {
		return false
	}
	r, ok := opposite(q).(*syntax.Ref)
	if !ok || u.Model.bind[r].v != want.v {
		return false
	}
	f := &frame{m: u.Model, store: u.data, loops: q.s.Loops, at: q.s.at(iter)}
	k, err := f.element(r, want.v)
	return err == nil && k == want.k
}

// used lists the expressions that the limits of a plan are made of.
func (pl *plan) used() []syntax.Expr {
	var out []syntax.Expr
	for _, l := range []prob.Limit{pl.sup.Lo, pl.sup.Hi} {
		for _, i := range l.Params() {
			out = append(out, pl.s.Sample.Args[i])
		}
	}
	for _, e := range []syntax.Expr{pl.lower, pl.upper} {
		if e != nil {
			out = append(out, e)
		}
	}
	return out
}

// order chooses the nodes that come before all statements: those whose limits follow
// from data, and chains. The others come where their statement is.
func (u *Unconstrained) order() *diag.Diagnostic {
	state := map[*plan]int8{}
	for _, pl := range u.plans {
		if pl == nil || state[pl] != 0 {
			continue
		}
		if d := u.place(pl, state); d != nil {
			return d
		}
	}
	for _, pl := range u.plans {
		if pl != nil && !pl.early && u.Model.cyclic {
			return diag.Errorf(pl.s.Sample.DistAt, "the limits of %s depend on nodes, and the nodes of the model have no sequential order", pl.s.v.Name).
				WithFix("give limits that are data")
		}
	}
	return nil
}

func (u *Unconstrained) place(pl *plan, state map[*plan]int8) *diag.Diagnostic {
	state[pl] = 1
	pl.early = true
	for _, e := range pl.used() {
		if u.Model.fromData(e) {
			continue
		}
		if !pl.chained {
			pl.early = false
			state[pl] = 2
			return nil
		}
		if d := u.before(pl, e, state); d != nil {
			return d
		}
	}
	state[pl] = 2
	u.early = append(u.early, pl)
	return nil
}

// before places what a limit of a chain refers to.
func (u *Unconstrained) before(pl *plan, e syntax.Expr, state map[*plan]int8) *diag.Diagnostic {
	r, ok := e.(*syntax.Ref)
	bad := diag.Errorf(e.Span(), "the limits of %s form a chain that has no order", pl.s.v.Name).
		WithFix("let each limit be data, or a single node that comes before in the chain")
	if !ok {
		return bad
	}
	for i := range pl.s.n {
		if !u.keeps(pl.s, i) {
			continue
		}
		q, iter := u.drawer(pl.s, i, r)
		switch {
		case q == nil && u.isData(pl.s, i, r), q == pl && iter < i:
		case q == nil, q == pl, state[q] == 1:
			return bad
		case state[q] == 0:
			if d := u.place(q, state); d != nil {
				return d
			}
			if !q.early {
				return bad
			}
		case !q.early:
			return bad
		}
	}
	return nil
}

// isData reports a limit that is an element with a known value.
func (u *Unconstrained) isData(s *Statement, iter int, r *syntax.Ref) bool {
	v := u.Model.bind[r].v
	f := &frame{m: u.Model, store: u.data, loops: s.Loops, at: s.at(iter)}
	k, err := f.element(r, v)
	return err == nil && (v.ClassAt(k) == Known || v.ClassAt(k) == Observed)
}
