package codegen

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// leaf makes the instances of statements at one time, in any order.
func (g *generator) leaf(stmts []stmt, sc scope) (out []Node) {
	for _, x := range stmts {
		out = append(out, g.instances(x, sc)...)
	}
	return groupGuards(out)
}

// instances are those of one statement. Where there is more than one at a time their
// coordinates are dimensions of time, too.
func (g *generator) instances(x stmt, sc scope) (out []Node) {
	d, n := sc.depth(), x.tuple.Len()
	set := x.set
	if len(set.Basics()) > 1 {
		set = must(set.Coalesce())
	}
	var graph []presburger.Basic
	for _, b := range set.Basics() {
		b.In, b.Out = tuple(d), tuple(n)
		graph = append(graph, b)
	}
	m := presburger.MapOf(graph...).WithTotal(g.budget)
	f, err := m.AsPwMultiAff()
	if err != nil {
		if must(m.IsSingleValued()) {
			g.fail(err)
		}
		return g.coordinates(x, sc)
	}
	type guarded struct {
		cond []Expr
		user *User
	}
	var users []guarded
	for on, v := range f.Pieces() {
		on = must(on.Coalesce())
		if on = must(on.Gist(sc.known)); len(on.Basics()) == 0 {
			continue
		}
		cond, never := g.condition(on, sc.values)
		if never {
			continue
		}
		g.count()
		u := &User{Statement: x.tuple.Name()}
		for i := range n {
			row, den, divs := v.At(i).Floors()
			b := presburger.Basic{Params: g.params, Out: tuple(d), Divs: divs}
			u.Args = append(u.Args, g.rowSum(b, row, sc.values).floor(den).expr())
		}
		users = append(users, guarded{cond, u})
	}
	for _, u := range users {
		out = append(out, g.where(u.cond, false, []Node{u.user})...)
	}
	return out
}

// coordinates scans the coordinates of a statement.
func (g *generator) coordinates(x stmt, sc scope) []Node {
	d, n := sc.depth(), x.tuple.Len()
	same := g.blank(d + 2*n)
	for i := range n {
		e := make([]integer, 1+len(g.params)+d+2*n)
		e[g.entry(d+i)], e[g.entry(d+n+i)] = one, one.Neg()
		same.Eq = append(same.Eq, e)
	}
	x.set = must(must(x.set.InsertDims(d, n)).Intersect(g.set(same)))
	return g.dims([]stmt{x}, d, band{end: d + n, then: g.leaf, loops: func(int) []option { return nil }}, sc)
}
