package tensor

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// carriedKey is that of the maps of a graph that loops have taken into what they carry.
type carriedKey struct{}

// carried says what stands for maps of what loops carry, which are done before it is carried now. Rules must not look through them:
// what such a map reads stands for what it makes.
func carried(m *ir.Mirror) map[ir.Value]ir.Value {
	return m.Once(carriedKey{}, func() any { return map[ir.Value]ir.Value{} }).(map[ir.Value]ir.Value)
}

func carriedAs(m *ir.Mirror, n ir.Node) ir.Value { return carried(m)[n.Old()] }

// A rotation is a value that a loop carries, number k, with the map that reads it in the loop, and that behind it if there is one.
type rotation struct {
	k      int
	in     ir.Node
	behind ir.Node
}

// carriedMap takes maps from the begin of a round to the end of the one before: the first is done before the loop, and that of the last
// round is done for whoever reads the result. It cannot trap, so that it may be done once where a loop has no rounds.
func carriedMap(m *ir.Mirror, n ir.Node) ir.Value {
	old := n.Region(0)
	var all []rotation
	for k := range old.Yields() {
		if r, ok := rotationOf(m, n, k); ok {
			all = append(all, r)
		}
	}
	if len(all) == 0 {
		return 0
	}
	args := m.All(n.Args())
	for _, r := range all {
		args[3+r.k] = r.of(m, n, args[3+r.k])
	}
	body := m.RegionWith(old, ir.Loop, nil, func(params []ir.Value) {
		m.B.Enter(scf.For, n.Attrs(), args, 0, params)
		for _, r := range all {
			carried(m)[r.in.Old()] = params[r.k+1]
		}
		ys := m.Body(old, params...)
		for _, r := range all {
			ys[r.k] = r.of(m, n, ys[r.k])
		}
		m.Op(scf.Yield, ys...)
	})
	v := m.B.Must(ir.Call{Def: scf.For, Args: args, Attr: n.Attrs(), Regions: []ir.Region{body}, Loc: m.B.Loc})
	for _, r := range all {
		if r.behind != (ir.Node{}) {
			carried(m)[r.behind.Old()] = m.B.Result(v, r.k)
		}
	}
	return v
}

// of is what the map makes of a value that is carried.
func (r rotation) of(m *ir.Mirror, n ir.Node, x ir.Value) ir.Value {
	args := make([]ir.Value, r.in.NumArgs())
	for i, a := range r.in.Args() {
		if args[i] = x; a.Old() != n.Region(0).Params()[r.k+1].Old() {
			args[i] = m.Of(a)
		}
	}
	return applied(m, r.in, args)
}

// rotationOf wants a product, which the map is fused with: maps of maps would go round for ever.
func rotationOf(m *ir.Mirror, n ir.Node, k int) (rotation, bool) {
	g, old := n.Graph(), n.Region(0).Old()
	p, y := g.Params(old)[k+1], g.NodeOf(g.Yields(old)[k])
	users := g.NodeOf(p).Users()
	if !isProduct(y) || m.Schedule().Place(y.Old()) != old || y.NumUses() != 1 || len(users) != 1 {
		return rotation{}, false
	}
	r := rotation{k: k, in: users[0]}
	if r.in.Def() != Map || !isPointwise(r.in) || m.Schedule().Place(r.in.Old()) != old || r.in.Type() != g.Type(p) || !outside(m, r.in, old, p) {
		return rotation{}, false
	}
	for _, u := range n.Users() {
		if !slices.ContainsFunc(g.Args(u.Old()), func(a ir.Value) bool { return isResult(g, a, n.Old(), k) }) {
			continue
		}
		if r.behind != (ir.Node{}) || !r.sameAs(m, u, p, n.Old()) {
			return rotation{}, false
		}
		r.behind = u
	}
	return r, true
}

func isResult(g *ir.Graph, v, of ir.Value, k int) bool {
	n, i, _ := g.Projection(v)
	return n == of && i == k
}

// sameAs reports an op that makes of the result of a loop what the map in the loop makes of what is carried, p.
func (r rotation) sameAs(m *ir.Mirror, u ir.Node, p, loop ir.Value) bool {
	g, in := u.Graph(), r.in
	if u.Def() != in.Def() || u.Attrs() != in.Attrs() || u.Type() != in.Type() || u.NumArgs() != in.NumArgs() {
		return false
	}
	for i, a := range u.Args() {
		if b := in.Arg(i).Old(); b == p && !isResult(g, a.Old(), loop, r.k) || b != p && b != a.Old() {
			return false
		}
	}
	return u.NumRegions() == 0 || sameBody(m, u.Region(0), in.Region(0))
}

// sameBody compares two regions of ops without regions, op by op.
func sameBody(m *ir.Mirror, x, y ir.Block) bool {
	g := m.Schedule().Graph()
	as := map[ir.Value]ir.Value{}
	for i, p := range y.Params() {
		as[x.Params()[i].Old()] = p.Old()
	}
	xs, ys := m.Schedule().Body(x.Old()), m.Schedule().Body(y.Old())
	if len(xs) != len(ys) {
		return false
	}
	for i, v := range xs {
		w := ys[i]
		if g.Def(v) != g.Def(w) || g.AttrsOf(v) != g.AttrsOf(w) || g.Type(v) != g.Type(w) || len(g.Args(v)) != len(g.Args(w)) || len(g.Regions(v)) > 0 {
			return false
		}
		for k, a := range g.Args(v) {
			if b, ok := as[a]; ok {
				a = b
			}
			if a != g.Args(w)[k] {
				return false
			}
		}
		as[v] = w
	}
	return true
}
