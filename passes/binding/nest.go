package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// code is a graph, and what is asked about it.
type code struct {
	g       *ir.Graph
	s       *ir.Schedule
	known   affine.Analysis
	effects func(v ir.Value) []ir.Effect
}

func codeOf(g *ir.Graph) *code {
	c := &code{g: g, s: ir.ScheduleOf(g), known: affine.Of(g).Certain()}
	c.effects = func(v ir.Value) []ir.Effect { // what it takes is found out where it is asked
		c.effects = g.Effects()
		return c.effects(v)
	}
	return c
}

// eachCode calls f for a graph and those in it, with the op that holds each.
func eachCode(g *ir.Graph, owner ir.Node, f func(c *code, owner ir.Node)) {
	f(codeOf(g), owner)
	if g.IsLeaf() {
		return
	}
	for v := range ir.ScheduleOf(g).All() {
		for _, child := range g.Children(v) {
			eachCode(child, g.NodeOf(v), f)
		}
	}
}

// symbolsIn lists the symbols of a program, and those that its ops refer to.
func symbolsIn(g *ir.Graph) (defined, named map[string]bool) {
	defined, named = map[string]bool{}, map[string]bool{}
	for n := range g.All() {
		if name := symbols.Of(n); name != "" {
			defined[name] = true
			continue
		}
		symbols.NamesIn(g.Ctx, n.Attrs(), named)
	}
	return defined, named
}

// opOf is the op that gives a value.
func (c *code) opOf(v ir.Value) ir.Value {
	if n, _, ok := c.g.Projection(v); ok {
		return n
	}
	return v
}

// around is the region around another, or Root.
func (c *code) around(r ir.Region) ir.Region { return c.s.Place(c.g.Owner(r)) }

// within calls f for the parameters and ops of a region, and of those in it.
func (c *code) within(r ir.Region, f func(v ir.Value)) {
	for _, v := range c.g.Params(r) {
		f(v)
	}
	for _, v := range c.s.Body(r) {
		f(v)
		for _, in := range c.g.Regions(v) {
			c.within(in, f)
		}
	}
}

// counts reports an scf.for over indices that goes by 1 from one constant to another: the
// first, and how many rounds there are.
func (c *code) counts(loop ir.Value) (lower, trips int64, ok bool) {
	if c.g.Def(loop) != scf.For {
		return 0, 0, false
	}
	args := c.g.Args(loop)
	lower, ok1 := c.known.Number(args[0]).Const()
	upper, ok2 := c.known.Number(args[1]).Const()
	step, ok3 := c.known.Number(args[2]).Const()
	if !ok1 || !ok2 || !ok3 || step != 1 || c.g.Type(args[0]) != ir.Index {
		return 0, 0, false
	}
	if upper < lower || upper-lower < 0 {
		return lower, 0, true
	}
	return lower, upper - lower, true
}

// mayWrite reports that one of some effects may change what others read.
func (c *code) mayWrite(effects, reads []ir.Effect) bool {
	return slices.ContainsFunc(effects, func(e ir.Effect) bool {
		return e.Writes() && slices.ContainsFunc(reads, func(read ir.Effect) bool { return c.g.MayAlias(read.On, e.On) })
	})
}

// A nest is a loop and all that stands in it, or straight-line code of a function: the ops of
// its Root from some one on, behind all that is written.
type nest struct {
	*code
	body ir.Region
	from ir.Value
}

// has reports what is made in the nest. Constants and the arguments of a function stand outside.
func (n *nest) has(v ir.Value) bool {
	if _, ok := n.g.Const(v); ok || v < n.from {
		return false
	}
	r, _, isParam := n.g.Param(v)
	if !isParam {
		r = n.s.Place(n.opOf(v))
	}
	for r != n.body && r != ir.Root {
		r = n.around(r)
	}
	return r == n.body && !(isParam && r == ir.Root)
}

// writes reports that the nest may change what is read.
func (n *nest) writes(reads []ir.Effect) bool {
	return n.body != ir.Root && n.mayWrite(n.g.EffectsOf(n.body), reads)
}

// canLeave reports an op with one value, without regions, that writes nothing and reads what
// the loop does not write: made again elsewhere of the same operands it gives the same. It may trap.
func (n *nest) canLeave(v ir.Value) bool {
	g := n.g
	if _, _, ok := g.Projection(v); ok || !g.IsOp(v) || g.Results(v) != 1 || len(g.Regions(v)) > 0 || g.HasEffect(v) || g.IsPinned(v) {
		return false
	}
	effects := n.effects(v)
	return !slices.ContainsFunc(effects, ir.Effect.Writes) && !n.writes(effects)
}

// again makes values of the nest again elsewhere, of what was made for some of them.
func (n *nest) again(m *ir.Mirror, made map[ir.Value]ir.Value) func(ir.Value) ir.Value {
	var of func(v ir.Value) ir.Value
	of = func(v ir.Value) ir.Value {
		if x, ok := made[v]; ok {
			return x
		}
		if !n.has(v) {
			return m.Of(n.g.NodeOf(v))
		}
		call := ir.Call{Def: n.g.Def(v), Attr: n.g.AttrsOf(v), Type: n.g.Type(v)}
		for _, a := range n.g.Args(v) {
			call.Args = append(call.Args, of(a))
		}
		made[v] = m.B.Must(call)
		return made[v]
	}
	return of
}

// A gathered is what is known of values by what they are made of: their operands, and the ops in their
// regions.
type gathered[T any] struct {
	c     *code
	own   func(v ir.Value) (x T, whole bool) // of a value itself; whole: whatever it is made of
	join  func(v ir.Value, x, y T) T
	known map[ir.Value]T
}

func gather[T any](c *code, own func(v ir.Value) (x T, whole bool), join func(v ir.Value, x, y T) T) *gathered[T] {
	return &gathered[T]{c, own, join, map[ir.Value]T{}}
}

func (m *gathered[T]) of(v ir.Value) T {
	if x, ok := m.known[v]; ok {
		return x
	}
	x, whole := m.own(v)
	if !whole {
		for _, a := range m.c.g.Args(v) {
			x = m.join(v, x, m.of(a))
		}
		for _, r := range m.c.g.Regions(v) {
			for _, w := range m.c.s.Body(r) {
				x = m.join(v, x, m.of(w))
			}
		}
	}
	m.known[v] = x
	return x
}

// Of which sources a value of a nest is made: of what stands outside alone, of one, or of
// several or what cannot be made again.
const (
	nothing ir.Value = 0
	several ir.Value = ^ir.Value(0)
)

// sources finds them by what a value of the nest is itself: nothing for an op that can be made
// again, with false, a source, or several. Results of ops with several, and ops with regions, cannot.
func (n *nest) sources(own func(v ir.Value) (source ir.Value, whole bool)) *gathered[ir.Value] {
	return gather(n.code, func(v ir.Value) (ir.Value, bool) {
		_, _, isPart := n.g.Projection(v)
		switch {
		case !n.has(v):
			return nothing, true
		case isPart || len(n.g.Regions(v)) > 0:
			return several, true
		}
		return own(v)
	}, func(_, x, y ir.Value) ir.Value {
		switch {
		case x == nothing || x == y:
			return y
		case y == nothing:
			return x
		}
		return several
	})
}

// pairs compares values of one nest with those of another, of which some are known to be the same.
// Each pair is compared once.
type pairs struct {
	a, b  *nest
	known map[[2]ir.Value]bool
}

// same reports that v of the first nest is what w of the second is, as long as nothing that they read was written.
func (p *pairs) same(v, w ir.Value) bool {
	if v == w {
		return true
	}
	same, ok := p.known[[2]ir.Value{v, w}]
	if !ok {
		same = p.alike(v, w)
		p.known[[2]ir.Value{v, w}] = same
	}
	return same
}

// alike reports ops that do the same with operands that are the same. What stands outside of the nests may
// have read what was written between.
func (p *pairs) alike(v, w ir.Value) bool {
	g := p.a.g
	if _, _, isParam := g.Param(v); isParam || !p.a.has(v) || !p.b.has(w) || g.Def(v) != g.Def(w) || g.AttrsOf(v) != g.AttrsOf(w) || g.Type(v) != g.Type(w) || len(g.Regions(v)) > 0 {
		return false
	}
	return len(g.Args(v)) > 0 && slices.EqualFunc(g.Args(v), g.Args(w), p.same)
}
