package basic

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A scope is the symbols of a module. Names are looked up in it and in those around it; MLIR looks no further than
// the innermost.
type scope struct {
	s       *ir.Schedule
	outer   *scope
	hidden  bool // nothing outside of the program names what is not public in it
	symbols map[string]ir.Node
	inner   map[ir.Node]*scope // of the modules in it
}

// newScope finds the symbols of a graph and of the modules in it. What stands in regions of ops that are not
// registered is theirs.
func newScope(g *ir.Graph, outer *scope, hidden bool) *scope {
	sc := &scope{s: ir.ScheduleOf(g), outer: outer, hidden: hidden, symbols: map[string]ir.Node{}, inner: map[ir.Node]*scope{}}
	for v := range sc.s.All() {
		n := g.NodeOf(v)
		if symbols.UnknownScope(sc.s, sc.s.Place(v)) != ir.Root {
			continue
		}
		name := symbols.Of(n)
		if name != "" {
			sc.symbols[name] = n
		}
		// No reference from outside can enter a module that has no name or is private.
		if _, _, function := symbols.Signature(n); !function && len(g.Children(v)) == 1 {
			sc.inner[n] = newScope(g.Children(v)[0], sc, hidden || name == "" || symbols.IsPrivate(n))
		}
	}
	return sc
}

// A reach is which symbols a program needs, and what is still to be looked at for those that these name.
type reach struct {
	top  *scope
	live map[ir.Node]bool
	todo []func()
}

// unreachable are the symbols that can go: as in MLIR one stays that is public, or that something names which
// stays. Where nothing outside sees a scope, nested symbols are private.
func unreachable(g *ir.Graph) map[ir.Node]bool {
	r := &reach{top: newScope(g, nil, true), live: map[ir.Node]bool{}}
	r.enter(r.top)
	for len(r.todo) > 0 {
		next := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		next()
	}
	dead := map[ir.Node]bool{}
	r.collect(r.top, dead)
	return dead
}

// collect adds what is dead in a scope and in the modules that stay in it.
func (r *reach) collect(sc *scope, dead map[ir.Node]bool) {
	for _, n := range sc.symbols {
		if !r.live[n] {
			dead[n] = true
		}
	}
	for n, in := range sc.inner {
		if !dead[n] {
			r.collect(in, dead)
		}
	}
}

// enter looks at what stays in a scope whatever is named.
func (r *reach) enter(sc *scope) {
	g := sc.s.Graph()
	for v := range sc.s.All() {
		n := g.NodeOf(v)
		// The first condition holds for ops without a name, and for a second op of one name: both stay.
		if sc.symbols[symbols.Of(n)] != n || !(symbols.IsPrivate(n) || sc.hidden && symbols.IsNested(n)) {
			r.mark(sc, n)
		}
	}
}

// mark keeps an op of a scope.
func (r *reach) mark(sc *scope, n ir.Node) {
	if r.live[n] {
		return
	}
	r.live[n] = true
	// What the op names waits in a list, so that long chains of names need no deep recursion.
	r.todo = append(r.todo, func() {
		c := n.Graph().Ctx
		r.named(sc, c, n.Attrs())
		if in := sc.inner[n]; in != nil {
			r.enter(in)
			return
		}
		for _, child := range n.Children() {
			for in := range child.All() {
				r.named(sc, c, in.Attrs())
			}
		}
	})
}

// named keeps what an attribute names that stands in a scope.
func (r *reach) named(sc *scope, c *ir.Context, a ir.Attr) {
	symbols.EachReference(c, a, func(path []string, understood bool) {
		if !understood {
			r.everywhere(r.top, path[0])
			return
		}
		// The modules on the path stay too: without them the symbol at its end could not be named.
		at, n := sc.find(path[:1])
		for i := 1; at != nil; i++ {
			r.mark(at, n)
			if at = at.inner[n]; at == nil || i == len(path) || at.symbols[path[i]].Graph() == nil {
				return
			}
			n = at.symbols[path[i]]
		}
	})
}

// find is the symbol that a path names, and the scope in which it stands; none if there is no such symbol.
func (sc *scope) find(path []string) (*scope, ir.Node) {
	for sc != nil && sc.symbols[path[0]].Graph() == nil {
		sc = sc.outer
	}
	for ; sc != nil && len(path) > 1; path = path[1:] {
		sc = sc.inner[sc.symbols[path[0]]]
	}
	if sc == nil || sc.symbols[path[0]].Graph() == nil {
		return nil, ir.Node{}
	}
	return sc, sc.symbols[path[0]]
}

// everywhere keeps all symbols of a name.
func (r *reach) everywhere(sc *scope, name string) {
	if n := sc.symbols[name]; n.Graph() != nil {
		r.mark(sc, n)
	}
	for _, in := range sc.inner {
		r.everywhere(in, name)
	}
}
