package binding

import (
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
)

// Times says of the values of a function's graph which are static.
type Times struct {
	*code
	args    []bool                  // by argument: static
	reads   map[ir.Value]bool       // loads of memory that is static, or may be
	memory  map[ir.Value][]ir.Value // the function's own memory that may be static: what stores into it
	seen    ir.Value                // the first op that does what is seen outside
	dynamic []bool                  // by value
	picks   *gathered[bool]         // indices that are read from memory
	strided map[ir.Value]bool       // loads that are worth packing, as findStrided says
}

// times analyses the body of a function that an op is; nil if it has no static argument, or no body.
func (c *code) times(f ir.Node) *Times {
	if f.Graph() == nil || f.Def() != funcs.Func || c.g.IsVerbatim() || !c.g.HasBlock(ir.Root) {
		return nil
	}
	args := funcs.StaticArgs(c.g.Ctx, f.Attrs())
	if args == nil {
		return nil
	}
	t := &Times{code: c, args: args, reads: map[ir.Value]bool{}, memory: map[ir.Value][]ir.Value{}, strided: map[ir.Value]bool{}, seen: ir.Value(c.g.Len()), dynamic: make([]bool, c.g.Len())}
	t.picks = gather(c, t.picked, func(_ ir.Value, x, y bool) bool { return x || y })
	t.findReads()
	t.findOwn()
	for changed := true; changed; {
		changed = false
		for v := ir.Value(1); int(v) < c.g.Len(); v++ {
			if !t.dynamic[v] && t.becomesDynamic(v) {
				t.dynamic[v], changed = true, true
			}
		}
	}
	return t
}

// Static reports a value that static arguments alone decide.
func (t *Times) Static(v ir.Value) bool { return !t.dynamic[v] }

// Always reports a region that every call runs, and as often: the function's own, and in
// such regions the bodies of loops whose bounds or conditions are static and the branches of conditionals
// whose condition is.
func (t *Times) Always(r ir.Region) bool {
	for r != ir.Root {
		v := t.g.Owner(r)
		if !t.isFixedLoop(v) && !t.isFixedIf(v) && !t.isFixedWhile(v) {
			return false
		}
		r = t.around(r)
	}
	return true
}

// isFixedLoop reports a loop that runs as often in every call that gets there.
func (t *Times) isFixedLoop(v ir.Value) bool { return t.g.Def(v) == scf.For && !t.bounds(v) }

// isFixedIf reports a conditional that takes the same branch in every call that gets there.
func (t *Times) isFixedIf(v ir.Value) bool { return t.g.Def(v) == scf.If && !t.dynamic[t.g.Args(v)[0]] }

// isFixedWhile reports a loop with a condition that runs as often in every call that gets there. One
// that may not end behind what is seen outside does not count: that comes first.
func (t *Times) isFixedWhile(v ir.Value) bool {
	return t.g.Def(v) == scf.While && v < t.seen && !t.dynamic[t.g.Yields(t.g.Regions(v)[0])[0]]
}

// findReads finds the loads of static memory: of arguments that are static, and which
// nothing in the function writes but what is not known (a call), which may not.
func (t *Times) findReads() {
	writes := ir.NewResourceSet(t.g)
	for v := range t.s.All() {
		if len(t.g.Regions(v)) > 0 {
			continue
		}
		for _, e := range t.effects(v) {
			switch {
			case !e.Writes():
			case e.On == ir.World || e.On == ir.IO:
				t.seen = min(t.seen, v)
			case e.On != ir.Memory:
				writes.Add(e.On)
			}
		}
	}
	for v := range t.s.All() {
		if t.g.Def(v) != memref.Load {
			continue
		}
		_, i, ok := t.g.Param(t.root(t.g.Args(v)[0]))
		if !ok || !t.isArg(t.root(t.g.Args(v)[0])) || !t.args[i] {
			continue
		}
		t.reads[v] = !slices.ContainsFunc(t.effects(v), func(e ir.Effect) bool { return writes.MayAlias(e.On) })
	}
}

func (t *Times) isArg(v ir.Value) bool {
	r, _, ok := t.g.Param(v)
	return ok && r == ir.Root
}

// root is the memory that a view is of.
func (t *Times) root(m ir.Value) ir.Value {
	for !t.isArg(m) && t.g.IsOp(m) && t.g.Def(m).Has(ir.View) && len(t.g.Args(m)) > 0 {
		m = t.g.Args(m)[0]
	}
	return m
}

// becomesDynamic reports a value that is dynamic as far as its operands are known.
func (t *Times) becomesDynamic(v ir.Value) bool {
	g := t.g
	if _, ok := g.Const(v); ok {
		return false
	}
	if r, i, ok := g.Param(v); ok {
		return t.lateParam(r, i)
	}
	if n, i, ok := g.Projection(v); ok {
		return t.lateResult(n, i)
	}
	if !g.IsOp(v) {
		return true
	}
	if len(g.Regions(v)) > 0 {
		return t.lateResult(v, 0)
	}
	if stores, ok := t.memory[v]; ok {
		return t.lateMemory(v, stores)
	}
	return t.lateOp(v)
}

func (t *Times) lateParam(r ir.Region, i int) bool {
	if r == ir.Root {
		return i >= len(t.args) || !t.args[i]
	}
	v := t.g.Owner(r)
	if t.isFixedWhile(v) {
		before, after := t.g.Regions(v)[0], t.g.Regions(v)[1]
		if r == after {
			return t.dynamic[t.g.Yields(before)[1+i]]
		}
		return t.dynamic[t.g.Args(v)[i]] || t.dynamic[t.g.Yields(after)[i]]
	}
	if t.g.Def(v) != scf.For || t.bounds(v) {
		return true
	}
	return i > 0 && (t.dynamic[t.g.Args(v)[2+i]] || t.dynamic[t.g.Yields(r)[i-1]])
}

// bounds reports a loop that does not run as often in every call.
func (t *Times) bounds(v ir.Value) bool {
	a := t.g.Args(v)
	return t.dynamic[a[0]] || t.dynamic[a[1]] || t.dynamic[a[2]]
}

// lateResult: result i of an op with regions. One without results counts as dynamic, but
// for what is asked of it.
func (t *Times) lateResult(v ir.Value, i int) bool {
	g := t.g
	if len(g.Regions(v)) == 0 {
		return t.dynamic[v]
	}
	if i >= g.Results(v) {
		return true
	}
	switch g.Def(v) {
	case scf.For:
		return t.bounds(v) || t.dynamic[g.Args(v)[3+i]] || t.dynamic[g.Yields(g.Regions(v)[0])[i]]
	case scf.While:
		return !t.isFixedWhile(v) || t.dynamic[g.Yields(g.Regions(v)[0])[1+i]]
	case scf.If:
		if t.dynamic[g.Args(v)[0]] || len(g.Regions(v)) != 2 {
			return true
		}
		return t.dynamic[g.Yields(g.Regions(v)[0])[i]] || t.dynamic[g.Yields(g.Regions(v)[1])[i]]
	}
	return true
}

// lateOp: an op without regions is static if its operands are, it has no effect, and what
// it reads is static. One that may trap behind what is seen outside does not: that comes first.
func (t *Times) lateOp(v ir.Value) bool {
	g := t.g
	for _, a := range g.Args(v) {
		if t.dynamic[a] {
			return true
		}
	}
	if g.HasEffect(v) || g.IsPinned(v) || !t.reads[v] && len(t.effects(v)) > 0 {
		return true
	}
	return g.IsPartial(v) && v > t.seen
}

// costs reports a value that takes at least some number of operations, about, without what stands further out.
func (t *Times) costs(v ir.Value, least float64) bool {
	g, seen, sum := t.g, map[ir.Value]bool{}, 0.0
	place := t.s.Place(t.opOf(v))
	var add func(v ir.Value)
	add = func(v ir.Value) {
		v = t.opOf(v)
		if _, ok := g.Const(v); ok || seen[v] || sum >= least || !g.IsOp(v) || t.s.Place(v) != place {
			return
		}
		seen[v] = true
		sum += t.cost(v)
		for _, a := range g.Args(v) {
			add(a)
		}
	}
	add(v)
	return sum >= least
}

// cost is the cost of an op by itself.
func (t *Times) cost(v ir.Value) float64 {
	g := t.g
	switch def := g.Def(v); {
	case def.Has(ir.Terminator):
		return 0
	case len(g.Regions(v)) > 0:
		sum := 0.0
		for _, r := range g.Regions(v) {
			for _, w := range t.s.Body(r) {
				sum += t.cost(w)
			}
		}
		if def == scf.For || def == scf.While {
			sum = max(sum, 1) * usualRounds
		}
		return sum
	case def == memref.Load && t.isOwn(t.root(g.Args(v)[0])):
		return fillOps
	case t.strided[v], def == memref.Load && slices.ContainsFunc(g.Args(v)[1:], t.picks.of):
		return gatherOps
	}
	return opcost.Of(g.Def(v))
}

// picked is what picks says of a value itself.
func (t *Times) picked(v ir.Value) (yes, whole bool) {
	yes = t.g.Def(v) == memref.Load
	return yes, yes || !t.g.IsOp(v) || len(t.g.Regions(v)) > 0
}

// What things cost, in additions.
const (
	gatherOps   = 8
	usualRounds = 16
	fillOps     = 1 << 10 // memory that nothing reads is not filled
)
