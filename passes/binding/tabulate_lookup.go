package binding

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
)

// minReuse is how often an entry of an array must be read by a nest for a function of
// it to be worth a table.
const minReuse = 2

// elementTable is a table of f(x) for the elements x of an array, where a nest has
// f(m[i]) with indices that are no affine functions of its loops: log(p[class[i]]).
type elementTable struct {
	nest    *tableNest
	mem     ir.Value // the array, old
	shape   []int64
	ops     []elementOp
	mems    []ir.Value   // new: the tables, of each op
	vals    [][]ir.Value // new, of a short one in place of memory: its entries, of each op
	hoisted bool         // it is made at an op before the nest, which has it too
	traps   bool         // an index of its nest may be out of bounds: the table has to be memory, a read of which traps, too
}

// fewEntries is how many entries a table has at most that is no memory: its entries are values of straight-line code, between which
// comparisons of the index choose. A load of what was stored just now would wait for that, in a vector for all of it.
const fewEntries = 4

// isShort reports a table of a few values.
func (t *elementTable) isShort() bool {
	return !t.traps && len(t.shape) == 1 && t.shape[0] > 0 && t.shape[0] <= fewEntries
}

// elementOp is a costly op and the read on which alone it depends. With pick, a select,
// the op is one of select(c, x, k), and made of a value x that depends on the read.
type elementOp struct{ op, read, pick ir.Value }

// lookup is where the values of an op are.
type lookup struct {
	elementOp
	of *elementTable
	i  int
}

// findLookups adds the tables of elements that pay in a nest, but for ops that have a
// table by their loop variable or of an earlier nest.
func (w *tableNest) findLookups(shared func(ir.Value) bool) (out []*elementTable) {
	for _, op := range w.ops {
		if slices.ContainsFunc(w.loops, func(l *tableLoop) bool { return slices.Contains(l.ops, op.v) }) || shared(op.v) {
			continue
		}
		e, ok := w.ofElement(op.v)
		if !ok {
			continue
		}
		mem := w.g.Args(e.read)[0]
		shape := w.g.Ctx.Info(w.g.Type(mem)).Shape
		n := ir.Elements(shape)
		if n > int64(w.limit) || op.trips < minReuse*n {
			continue
		}
		i := slices.IndexFunc(out, func(t *elementTable) bool { return t.mem == mem })
		if i < 0 {
			i = len(out)
			out = append(out, &elementTable{nest: w, mem: mem, shape: shape})
		}
		out[i].ops = append(out[i].ops, e)
		out[i].traps = out[i].traps || w.mayTrap(e.read)
	}
	return out
}

// elementsAt drops tables whose array an op of the function may write, and gives the op
// one that has its values.
func (t *tables) elementsAt(v ir.Value, straight *tableNest) {
	effects := straight.effects(v)
	t.live = slices.DeleteFunc(t.live, func(e *elementTable) bool { return straight.mayWrite(effects, straight.effects(e.ops[0].read)) })
	if slices.ContainsFunc(effects, ir.Effect.Writes) {
		t.pending = nil
		straight.begin(v) // what was read before it stays out, as what was before the last table was made
	}
	if slices.Contains(opcost.Functions, straight.g.Def(v)) && !t.share(straight, v) {
		t.pending = append(t.pending, v)
	}
}

// hasten gives tables of a nest to the ops before it that have their values, since which nothing was written; a table is then
// made where the first of these stands.
func (t *tables) hasten(straight *tableNest, found []*elementTable) {
	for _, v := range t.pending {
		for _, e := range found {
			l, ok := e.find(straight, v)
			if !ok {
				continue
			}
			if t.lookups[v] = l; !e.hoisted {
				e.hoisted = true
				t.before[v] = append(t.before[v], e)
			}
			break
		}
	}
	t.pending = nil
}

// begin leaves straight-line code out that stands before an op.
func (w *tableNest) begin(at ir.Value) { w.from, w.reads = at, w.sources(w.readOf) }

// share gives an op the table of an earlier nest that has its values.
func (t *tables) share(w *tableNest, v ir.Value) bool {
	for _, e := range t.live {
		if l, ok := e.find(w, v); ok {
			t.lookups[v] = l
			return true
		}
	}
	return false
}

// elementsOf finds the tables of elements of a nest; it tells how many.
func (t *tables) elementsOf(nest ir.Value, w, straight *tableNest) (count int) {
	found := w.findLookups(func(v ir.Value) bool { return t.share(w, v) })
	for _, e := range found {
		for i, op := range e.ops {
			t.lookups[op.op] = lookup{op, e, i}
			count++
		}
	}
	t.hasten(straight, found)
	t.elements[nest] = found
	t.live = append(t.live, found...)
	return count
}

// ofElement finds the one read on which an op depends.
func (w *tableNest) ofElement(v ir.Value) (elementOp, bool) {
	if r := w.reads.of(v); r != nothing && r != several {
		return elementOp{op: v, read: r}, true
	}
	args := w.g.Args(v)
	if len(args) != 1 || w.g.Def(args[0]) != arith.Select {
		return elementOp{}, false
	}
	of := w.g.Args(args[0])
	r := w.reads.of(of[1])
	if r == nothing || r == several || w.reads.of(of[2]) != nothing {
		return elementOp{}, false
	}
	return elementOp{op: v, read: r, pick: args[0]}, true
}

// readOf says of a value itself of which read it is made: one of memory from before the nest, of known size, that the nest does
// not write.
func (w *tableNest) readOf(v ir.Value) (read ir.Value, whole bool) {
	switch {
	case w.g.Def(v) == memref.Load:
		mem := w.g.Args(v)[0]
		if w.has(mem) || slices.Contains(w.g.Ctx.Info(w.g.Type(mem)).Shape, ir.Dynamic) || w.writes(w.effects(v)) {
			return several, true
		}
		return v, true
	case w.g.IsOp(v) && w.g.IsPure(v):
		return nothing, false
	}
	return several, true
}

// find looks for a table that has the values of an op of a later nest, or of none.
func (t *elementTable) find(w *tableNest, v ir.Value) (lookup, bool) {
	e, ok := w.ofElement(v)
	if !ok || w.g.Args(e.read)[0] != t.mem || t.isShort() && w.mayTrap(e.read) {
		return lookup{}, false
	}
	x, y := e.op, ir.Value(0)
	for i, of := range t.ops {
		y = of.op
		if w.g.Def(x) != w.g.Def(y) || (e.pick == 0) != (of.pick == 0) {
			continue
		}
		if e.pick != 0 {
			x, y = w.g.Args(e.pick)[1], w.g.Args(of.pick)[1]
		}
		if p := (pairs{&w.nest, &t.nest.nest, map[[2]ir.Value]bool{{e.read, of.read}: true}}); p.same(x, y) {
			return lookup{e, t, i}, true
		}
		x = e.op
	}
	return lookup{}, false
}

// build makes the tables, in a nest of loops over the array.
func (t *elementTable) build(m *ir.Mirror) {
	b, w := m.B, t.nest
	if t.isShort() {
		t.vals = make([][]ir.Value, len(t.ops))
		for i := range t.shape[0] {
			for k, x := range t.entries(m, b.Index(i)) {
				t.vals[k] = append(t.vals[k], x)
			}
		}
		return
	}
	for _, e := range t.ops {
		t.mems = append(t.mems, b.Must(ir.Call{Def: memref.Alloca, Type: w.g.Ctx.MemRef(t.shape, w.g.Type(e.op))}))
	}
	at := make([]ir.Value, 0, len(t.shape))
	var loops func()
	loops = func() {
		if d := len(at); d < len(t.shape) {
			scf.BuildFor(b, b.Index(0), b.Index(t.shape[d]), b.Index(1), nil, func(x ir.Value, _ []ir.Value) []ir.Value {
				at = append(at, x)
				loops()
				at = at[:d]
				return nil
			})
			return
		}
		for i, x := range t.entries(m, at...) {
			b.Op(memref.Store, append([]ir.Value{x, t.mems[i]}, at...)...)
		}
	}
	loops()
}

// entries makes those of one element, of each op.
func (t *elementTable) entries(m *ir.Mirror, at ...ir.Value) (out []ir.Value) {
	w := t.nest
	x := m.B.Op(memref.Load, append([]ir.Value{m.Of(w.g.NodeOf(t.mem))}, at...)...)
	for _, e := range t.ops {
		made := map[ir.Value]ir.Value{e.read: x}
		again := w.again(m, made)
		if e.pick != 0 {
			made[e.pick] = again(w.g.Args(e.pick)[1])
		}
		out = append(out, again(e.op))
	}
	return out
}

// value is what replaces an op: the entry of its table.
func (l lookup) value(m *ir.Mirror, n ir.Node) ir.Value {
	g, b := n.Graph(), m.B
	v := l.entry(m, g)
	if l.pick == 0 {
		return v
	}
	of := g.Args(l.pick)
	other := b.Must(ir.Call{Def: g.Def(l.op), Attr: g.AttrsOf(l.op), Type: g.Type(l.op), Args: []ir.Value{m.Of(g.NodeOf(of[2]))}})
	return b.Op(arith.Select, m.Of(g.NodeOf(of[0])), v, other)
}

// entry reads the table, or chooses between its entries, of which the index is certainly one.
func (l lookup) entry(m *ir.Mirror, g *ir.Graph) ir.Value {
	b, args := m.B, g.Args(l.read)
	if l.of.isShort() {
		vals, at := l.of.vals[l.i], m.Of(g.NodeOf(args[1]))
		v := vals[len(vals)-1]
		for i := len(vals) - 2; i >= 0; i-- {
			v = arith.Choose(b, arith.CmpI(b, arith.EQ, at, b.Index(int64(i))), vals[i], v)
		}
		return v
	}
	call := ir.Call{Def: memref.Load, Attr: g.AttrsOf(l.read), Type: g.Type(l.op), Args: []ir.Value{l.of.mems[l.i]}}
	for _, x := range args[1:] {
		call.Args = append(call.Args, m.Of(g.NodeOf(x)))
	}
	return b.Must(call)
}
