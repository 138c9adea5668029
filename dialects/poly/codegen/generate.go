package codegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
)

// Options bound what is generated.
type Options struct {
	// Budget bounds the work of all operations on sets together; 0 is DefaultBudget. The
	// error beyond it is presburger.ErrBudget.
	Budget int64
	// MaxNodes bounds the loops, conditions and instances of the code; 0 is 100,000.
	MaxNodes int
	// Together relates instances. Two statements of which it relates some are not taken apart in
	// coincident members of bands, nor in those around them: instances that have one value in
	// all of these are executed by one loop, or by none.
	Together presburger.Map
}

// DefaultBudget is the work of one generation, in steps of package presburger; some
// seconds.
const DefaultBudget = 100_000_000

// ErrNodes is the error of code that would have more nodes than Options allow.
var ErrNodes = errors.New("codegen: the code has more nodes than allowed")

// Generate makes the code of a schedule tree where a condition on the parameters holds;
// the zero Set is none.
func Generate(tree *schedule.Node, context presburger.Set, o Options) (*Block, error) {
	if tree.Kind() != schedule.Domain {
		return nil, fmt.Errorf("codegen: the root of a tree is a domain, not a %s", tree.Kind())
	}
	return generate(o, func(g *generator) []Node {
		g.collect(context.Params())
		for _, n := range tree.All() {
			g.collectNode(n)
		}
		sc := g.start(context)
		var stmts []stmt
		for _, s := range tree.Set().AlignParams(g.params...).Sets() {
			stmts = append(stmts, stmt{s.Tuple(), g.lift(s.Basics(), 0, 0)})
		}
		return g.tree(tree.Child(0), g.within(stmts, sc.known), sc)
	})
}

// GenerateMap makes the code of a flat map from instances to times, each executed as many
// times as it has. The options relate times to atomic[d], separate[d] and unroll[d], for
// dimension d of the times.
func GenerateMap(m presburger.Map, context presburger.Set, options presburger.Map, o Options) (*Block, error) {
	return generate(o, func(g *generator) []Node {
		g.collect(m.Params())
		g.collect(context.Params())
		g.collect(options.Params())
		sc := g.start(context)
		length := -1
		var stmts []stmt
		for _, p := range m.AlignParams(g.params...).Maps() {
			in, out := p.Tuples()
			if length >= 0 && length != out.Len() {
				g.fail(fmt.Errorf("codegen: times of %d and of %d dimensions", length, out.Len()))
			}
			length = out.Len()
			var bs []presburger.Basic
			for _, b := range p.Basics() {
				bs = append(bs, permute(b, append(seq(in.Len(), length), seq(0, in.Len())...)))
			}
			stmts = append(stmts, stmt{in, g.set(bs...)})
		}
		stmts = g.within(stmts, sc.known)
		b := band{end: max(length, 0), then: g.leaf, loops: g.mapLoops(options.AlignParams(g.params...), max(length, 0))}
		return g.dims(stmts, 0, b, sc)
	})
}

// generator makes one tree.
type generator struct {
	params []string
	prefix string // of iterators
	budget *presburger.Budget
	left   int                // nodes
	tied   map[[2]string]bool // statements that are to stay together
}

// A stmt is a statement and a set of its instances with their times: the dimensions of
// time that there are so far, then the coordinates.
type stmt struct {
	tuple presburger.Tuple
	set   presburger.Set
}

// A scope is what code around establishes.
type scope struct {
	known  presburger.Set // of the dimensions so far; one conjunction, all floors known
	full   presburger.Set // the same, with contexts that are unions
	values []sum          // of the dimensions
	loops  int
}

func (sc scope) depth() int { return len(sc.values) }

// failure is how an error leaves the generator.
type failure struct{ err error }

func (g *generator) fail(err error) { panic(failure{err}) }

func must[T any](v T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return v
}

func generate(o Options, f func(g *generator) []Node) (b *Block, err error) {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	g := &generator{prefix: "c", budget: presburger.NewBudget(o.Budget), left: o.MaxNodes, tied: map[[2]string]bool{}}
	for _, m := range o.Together.Maps() {
		from, to := m.Tuples()
		g.tied[[2]string{from.Name(), to.Name()}], g.tied[[2]string{to.Name(), from.Name()}] = true, true
	}
	if g.left == 0 {
		g.left = 100_000
	}
	e, failed := unwind.Catch[failure](func() { b = &Block{tidy(unrepeated(f(g), map[string]bool{}))} })
	if failed {
		return nil, e.err
	}
	return b, nil
}

// count takes a node off those that are allowed.
func (g *generator) count() {
	if g.left--; g.left < 0 {
		g.fail(ErrNodes)
	}
}

func (g *generator) collect(params []string) {
	for _, p := range params {
		if !slices.Contains(g.params, p) {
			g.params = append(g.params, p)
		}
		for strings.HasPrefix(p, g.prefix) {
			g.prefix += "_"
		}
	}
}

func (g *generator) collectNode(n *schedule.Node) {
	contraction, m := n.Expansion()
	g.collect(n.Set().Params())
	g.collect(m.Params())
	g.collect(contraction.Params())
	b := n.Band()
	g.collect(b.Isolate.Params())
	for _, x := range b.Members {
		g.collect(x.Function.Params())
	}
}

// start is the scope of a context.
func (g *generator) start(context presburger.Set) scope {
	everything := g.set(presburger.Basic{Params: g.params, Out: tuple(0)})
	sc := scope{known: everything, full: everything}
	if len(context.Basics()) == 0 && context.Tuple().IsNone() && len(context.Params()) == 0 && context.String() == (presburger.Set{}).String() {
		return sc
	}
	return g.assume(sc, g.lift(context.AlignParams(g.params...).Basics(), 0, 0))
}

// assume adds what is known to a scope.
func (g *generator) assume(sc scope, s presburger.Set) scope {
	sc.full = must(sc.full.Intersect(s))
	if len(s.Basics()) != 1 {
		s = must(s.SimpleHull())
	}
	s = must(s.OuterFloors(sc.depth()))
	if len(s.Basics()) > 0 {
		sc.known = must(sc.known.Intersect(s))
	} else if must(sc.full.IsEmpty()) {
		sc.known = sc.full
	}
	return sc
}

// within keeps the instances whose times are in s, which is over as many dimensions as
// there are; statements without any are left out.
func (g *generator) within(stmts []stmt, s presburger.Set) (out []stmt) {
	for _, x := range stmts {
		n := dimsOf(x.set) - dimsOf(s)
		x.set = must(x.set.Intersect(must(s.InsertDims(dimsOf(s), n))))
		if !must(x.set.IsEmpty()) {
			out = append(out, x)
		}
	}
	return out
}

// tree makes the code of a subtree.
func (g *generator) tree(n *schedule.Node, stmts []stmt, sc scope) []Node {
	if len(stmts) == 0 && !hasExtension(n) {
		return nil
	}
	switch n.Kind() {
	case schedule.Leaf:
		return g.leaf(stmts, sc)
	case schedule.Band:
		return g.band(n, stmts, sc)
	case schedule.Sequence, schedule.Set:
		var out []Node
		for _, c := range n.Children() {
			out = append(out, g.tree(c.Child(0), g.filtered(stmts, c.Set(), sc.depth()), sc)...)
		}
		return out
	case schedule.Mark:
		if body := g.tree(n.Child(0), stmts, sc); len(body) > 0 {
			m := &Mark{Name: n.Name(), Body: &Block{body}}
			for _, v := range sc.values {
				m.Outer = append(m.Outer, v.expr())
			}
			return []Node{m}
		}
		return nil
	case schedule.Context:
		sc = g.assume(sc, g.conditions(n, sc))
		return g.tree(n.Child(0), g.within(stmts, sc.known), sc)
	case schedule.Guard:
		s := must(g.conditions(n, sc).OuterFloors(sc.depth()))
		inner := g.assume(sc, s)
		return g.guarded(must(s.Gist(sc.known)), sc, g.tree(n.Child(0), g.within(stmts, inner.known), inner))
	case schedule.Extension:
		return g.tree(n.Child(0), append(slices.Clip(stmts), g.extension(n, sc)...), sc)
	case schedule.Expansion:
		return g.tree(n.Child(0), g.expanded(n, stmts, sc), sc)
	}
	g.fail(fmt.Errorf("codegen: a %s stands where none may", n.Kind()))
	return nil
}

func hasExtension(n *schedule.Node) bool {
	for _, c := range n.All() {
		if c.Kind() == schedule.Extension {
			return true
		}
	}
	return false
}

// conditions are those of a context or guard.
func (g *generator) conditions(n *schedule.Node, sc scope) presburger.Set {
	s := n.Set().AlignParams(g.params...)
	if k := s.Tuple().Len(); k != sc.depth() {
		g.fail(fmt.Errorf("codegen: a %s of %d dimensions below %d members of bands", n.Kind(), k, sc.depth()))
	}
	if len(s.Basics()) == 0 {
		return must(sc.known.Subtract(sc.known))
	}
	return g.lift(s.Basics(), 0, 0)
}

// filtered keeps instances of a set.
func (g *generator) filtered(stmts []stmt, s presburger.Set, depth int) (out []stmt) {
	for _, f := range s.AlignParams(g.params...).Sets() {
		for _, x := range stmts {
			if !x.tuple.Equal(f.Tuple()) {
				continue
			}
			x.set = must(x.set.Intersect(g.lift(f.Basics(), 0, depth))).TileBounds().WithTotal(g.budget)
			if !must(x.set.IsEmpty()) {
				out = append(out, x)
			}
		}
	}
	return out
}

// extension are the instances that an extension adds.
func (g *generator) extension(n *schedule.Node, sc scope) (out []stmt) {
	for _, m := range n.Extension().AlignParams(g.params...).Maps() {
		in, t := m.Tuples()
		if in.Len() != sc.depth() {
			g.fail(fmt.Errorf("codegen: an extension of %d dimensions below %d members of bands", in.Len(), sc.depth()))
		}
		out = append(out, stmt{t, g.lift(m.Basics(), 0, 0)})
	}
	return g.within(out, sc.known)
}

// expanded replaces instances by those that an expansion relates them to.
func (g *generator) expanded(n *schedule.Node, stmts []stmt, sc scope) (out []stmt) {
	_, e := n.Expansion()
	for _, m := range e.AlignParams(g.params...).Maps() {
		in, t := m.Tuples()
		for _, x := range stmts {
			if !x.tuple.Equal(in) {
				continue
			}
			s := must(x.set.InsertDims(dimsOf(x.set), t.Len()))
			s = must(s.Intersect(g.lift(m.Basics(), 0, sc.depth())))
			s = must(s.ProjectOut(sc.depth(), in.Len()))
			if must(s.IsEmpty()) {
				continue
			}
			if i := slices.IndexFunc(out, func(y stmt) bool { return y.tuple.Equal(t) }); i >= 0 {
				out[i].set = out[i].set.Union(s)
			} else {
				out = append(out, stmt{t, s})
			}
		}
	}
	return out
}
