package emit

import (
	"slices"

	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// What a loop's iteration takes is counted in operations, when the loop is about to run: then the
// rounds of most loops inside of it are known.

const (
	mostRounds  = 1 << 20 // of a loop, and
	mostWork    = 1 << 40 // in all: so that no product overflows
	whileRounds = 16      // of a loop that ends when it pleases
	fewRounds   = 8       // of a loop of which nothing is known: few iterations may be of tiles
	callWork    = 50
	mathWork    = 20
	divideWork  = 10
)

// workOf counts the operations of an iteration whose body is r, at least 1, and reports that all iterations take
// equally long. A loop of which nothing is known before is taken to have half as many rounds as
// there are iterations, and some more: most of those are parts of triangles, the others of tiles.
func (f *Fn) workOf(r ir.Region, all value.Value) (work value.Value, even bool) {
	c := counted{Fn: f, all: all, inside: map[ir.Value]bool{}, even: true}
	c.mark(r)
	work = c.count(r)
	if n, ok := lit.Number(work); ok {
		return lit.I64(max(1, n)), c.even
	}
	return f.B.Sum(work, lit.I64(1)), c.even
}

// counted is the work of a region that is being counted.
type counted struct {
	*Fn
	all    value.Value       // rounds of the loop
	inside map[ir.Value]bool // what the region makes
	even   bool              // all rounds have the same work
}

// mark marks what a region makes.
func (c *counted) mark(r ir.Region) {
	for _, p := range c.G.Params(r) {
		c.inside[p] = true
	}
	for _, v := range c.S.Body(r) {
		c.inside[v] = true
		for _, in := range c.G.Regions(v) {
			c.mark(in)
		}
	}
}

// known is the number that a value is, if it is at hand before the region runs.
func (c *counted) known(v ir.Value) (value.Value, bool) {
	if n, ok := c.G.Const(v); ok && c.G.Type(v) == ir.Index {
		return lit.I64(int64(n.Bits)), true
	}
	from := v
	if n, _, ok := c.G.Projection(v); ok {
		from = n
	}
	if c.inside[from] || c.G.Type(v) != ir.Index {
		return nil, false
	}
	return c.Of(v).V, true
}

// guess is how many rounds a loop within has of which nothing is known.
func (c *counted) guess() value.Value {
	c.even = false
	return c.B.clamped(c.B.Sum(c.B.quotient(c.B.Sum(c.all, lit.I64(2)), lit.I64(2)), lit.I64(fewRounds)), mostRounds)
}

// loop is the work of rounds of a region.
func (c *counted) loop(rounds value.Value, r ir.Region) value.Value {
	return c.B.clamped(c.B.Times(c.B.clamped(rounds, mostRounds), c.B.Sum(c.count(r), lit.I64(1))), mostWork)
}

// count is the work of a region.
func (c *counted) count(r ir.Region) value.Value {
	var sum value.Value = lit.I64(0)
	for _, v := range c.S.Body(r) {
		sum = c.B.Sum(sum, c.countOp(v))
	}
	return c.B.clamped(sum, mostWork)
}

// countOp is the work of an op.
func (c *counted) countOp(v ir.Value) value.Value {
	regions := c.G.Regions(v)
	switch c.G.Def(v) {
	case scf.For:
		args := c.G.Args(v)
		low, high, ok := c.span(args[0], args[1])
		step, okStep := c.known(args[2])
		most, within := c.mostOf(args)
		switch {
		case ok && okStep:
			return c.loop(c.B.rounds(plain(low), plain(high), plain(step)), regions[0])
		case within:
			c.even = false
			return c.loop(lit.I64(most), regions[0])
		default:
			return c.loop(c.guess(), regions[0])
		}
	case scf.While:
		c.even = false
		return c.B.Times(lit.I64(whileRounds), c.B.Sum(c.count(regions[0]), c.count(regions[1])))
	case scf.Parallel, scf.Forall:
		return c.loop(c.guess(), regions[0])
	}
	w := lit.I64(c.costOf(v))
	var sum value.Value = w
	if len(regions) > 0 {
		c.even = false
	}
	for _, in := range regions {
		sum = c.B.Sum(sum, c.count(in))
	}
	return sum
}

// span is from where to where a loop runs, or a loop with as many rounds: one from x up to x + n, and to the smaller of that
// and something else, has n, but for the last of several such.
func (c *counted) span(low, high ir.Value) (from, to value.Value, ok bool) {
	from, okFrom := c.known(low)
	to, okTo := c.known(high)
	if okFrom && okTo {
		return from, to, true
	}
	ends := []ir.Value{high}
	if c.G.Def(high) == arith.Minsi {
		ends = c.G.Args(high)
	}
	for _, end := range ends {
		if c.G.Def(end) != arith.Addi {
			continue
		}
		for i, x := range c.G.Args(end) {
			if n, ok := c.known(c.G.Args(end)[1-i]); ok && x == low {
				return lit.I64(0), n, true
			}
		}
	}
	return nil, nil, false
}

// mostOf is how many rounds a loop has at most, and mostly has, if one of the numbers that it begins at the largest of and one
// that it ends at the smallest of differ by a constant: those of a tile.
func (c *counted) mostOf(args []ir.Value) (most int64, ok bool) {
	step, constant := c.G.Const(args[2])
	if !constant || int64(step.Bits) <= 0 {
		return 0, false
	}
	const deepest = 4
	for _, low := range c.extremes(args[0], arith.Maxsi, deepest) {
		for _, high := range c.extremes(args[1], arith.Minsi, deepest) {
			d := high.Plus(^uint64(0), low)
			if n := d.Int(d.Const); len(d.Terms) == 0 && (!ok || n < most) {
				most, ok = n, true
			}
		}
	}
	return max(0, (most-1)/int64(step.Bits)+1), ok
}

// extremes are the numbers that one is the largest or the smallest of, a few, which are looked for so deep.
func (c *counted) extremes(v ir.Value, op *ir.OpDef, deep int) []affine.Linear {
	if c.G.Def(v) == op && deep > 0 {
		args := c.G.Args(v)
		return append(c.extremes(args[0], op, deep-1), c.extremes(args[1], op, deep-1)...)
	}
	if c.G.Def(v) == arith.Addi {
		for i, x := range c.G.Args(v) {
			if by := c.G.Args(v)[1-i]; c.G.Def(x) == op && c.G.Def(by).Has(ir.ConstantLike) {
				out := c.extremes(x, op, deep)
				for i := range out {
					out[i] = out[i].Plus(1, c.Known.Linear(by))
				}
				return out
			}
		}
	}
	return []affine.Linear{c.Known.Linear(v)}
}

// clamped is the smaller of a number that is not negative and a limit.
func (ib *Builder) clamped(x value.Value, most int64) value.Value {
	if n, ok := lit.Number(x); ok {
		return lit.I64(min(n, most))
	}
	return ib.Intrinsic("llvm.umin.i64", types.I64, nil, x, lit.I64(most))
}

// costOf is the cost of an op, without its regions.
func (c *counted) costOf(v ir.Value) int64 {
	switch def := c.G.Def(v); {
	case def.Has(ir.ConstantLike) || def.Has(ir.Terminator):
		return 0
	case def == funcs.Call || def == funcs.CallIndirect || def == memref.Copy || def == memref.Alloc:
		return callWork
	case c.C.DialectOf(def) == math.Dialect || c.C.DialectOf(def) == special.Dialect:
		return mathWork
	case slices.Contains([]*ir.OpDef{arith.Divf, arith.Divsi, arith.Divui, arith.Remsi, arith.Remui, arith.Floordivsi, arith.Ceildivsi}, def):
		return divideWork
	}
	return 1
}

// ordered reports that the iterations of a loop must run one after the other: they print, or call what is not in the
// module, or change memory atomically in a way whose result depends on the order.
func (f *Fn) ordered(r ir.Region) bool {
	found := false
	var look func(r ir.Region)
	look = func(r ir.Region) {
		for _, v := range f.S.Body(r) {
			if f.G.Def(v) == funcs.Call {
				found = found || f.orderedCall(f.calleeOf(f.G, v))
			} else {
				found = found || orderedOp(f.G, v)
			}
			for _, in := range f.G.Regions(v) {
				look(in)
			}
		}
	}
	look(r)
	return found
}

// exactUpdates are the kinds of atomic updates whose order does not matter, by MLIR's number:
// those of integers.
var exactUpdates = []int64{1, 4, 5, 7, 8, 10, 11, 12}

// orderedOp says so of an op that is no call of a function by its name.
func orderedOp(g *ir.Graph, v ir.Value) bool {
	switch def := g.Def(v); def {
	case memref.AtomicRMW:
		return !slices.Contains(exactUpdates, g.Ctx.AttrInfo(g.Attr(v, "kind")).Int) || len(ir.Uses(g).Of(v)) > 0
	case memref.GenericAtomicRMW, funcs.CallIndirect:
		return true
	default:
		return Printing[def]
	}
}

// orderedCall is ordered of the body of a function and of those that it calls.
func (e *Emitter) orderedCall(c *Callee) bool {
	seen, todo := map[*Callee]bool{}, []*Callee{c}
	for len(todo) > 0 {
		c, todo = todo[len(todo)-1], todo[:len(todo)-1]
		if c == nil || c.Declaration {
			return true
		}
		if seen[c] {
			continue
		}
		seen[c] = true
		k := e.keeps(c)
		if k.ordered {
			return true
		}
		todo = append(todo, k.calls...)
	}
	return false
}

// order is what a function's own ops say: whether they have an order, and whom they call.
type order struct {
	ordered bool
	calls   []*Callee
}

func (e *Emitter) keeps(c *Callee) *order {
	if e.orders[c] != nil {
		return e.orders[c]
	}
	k := &order{}
	for v := range ir.ScheduleOf(c.G).All() {
		if c.G.Def(v) == funcs.Call {
			k.calls = append(k.calls, e.calleeOf(c.G, v))
		} else {
			k.ordered = k.ordered || orderedOp(c.G, v)
		}
	}
	if e.orders == nil {
		e.orders = map[*Callee]*order{}
	}
	e.orders[c] = k
	return k
}

func (e *Emitter) calleeOf(g *ir.Graph, v ir.Value) *Callee {
	return e.Callee[g.Ctx.AttrInfo(g.Attr(v, "callee")).Str]
}
