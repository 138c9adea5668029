package llvm

import (
	"slices"

	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

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
func (f *fn) workOf(r ir.Region, all value.Value) (work value.Value, even bool) {
	inside := map[ir.Value]bool{}
	var mark func(r ir.Region)
	mark = func(r ir.Region) {
		for _, p := range f.g.Params(r) {
			inside[p] = true
		}
		for _, v := range f.s.Body(r) {
			inside[v] = true
			for _, in := range f.g.Regions(v) {
				mark(in)
			}
		}
	}
	mark(r)
	even = true
	known := func(v ir.Value) (value.Value, bool) {
		if n, ok := f.g.Const(v); ok && f.g.Type(v) == ir.Index {
			return i64(int64(n.Bits)), true
		}
		from := v
		if n, _, ok := f.g.Projection(v); ok {
			from = n
		}
		if inside[from] || f.g.Type(v) != ir.Index {
			return nil, false
		}
		return f.of(v).v, true
	}
	guess := func() value.Value {
		even = false
		return f.clamped(f.sum(f.quotient(f.sum(all, i64(2)), i64(2)), i64(fewRounds)), mostRounds)
	}
	var count func(r ir.Region) value.Value
	loop := func(rounds value.Value, r ir.Region) value.Value {
		return f.clamped(f.times(f.clamped(rounds, mostRounds), f.sum(count(r), i64(1))), mostWork)
	}
	count = func(r ir.Region) value.Value {
		var sum value.Value = i64(0)
		for _, v := range f.s.Body(r) {
			var w value.Value
			switch def := f.g.Def(v); def {
			case scf.For:
				args := f.g.Args(v)
				low, high, ok := f.span(args[0], args[1], known)
				step, okStep := known(args[2])
				most, within := f.mostOf(args)
				switch {
				case ok && okStep:
					w = loop(f.rounds(plain(low), plain(high), plain(step)), f.g.Regions(v)[0])
				case within:
					even = false
					w = loop(i64(most), f.g.Regions(v)[0])
				default:
					w = loop(guess(), f.g.Regions(v)[0])
				}
			case scf.While:
				even = false
				w = f.times(i64(whileRounds), f.sum(count(f.g.Regions(v)[0]), count(f.g.Regions(v)[1])))
			case scf.Parallel, scf.Forall:
				w = loop(guess(), f.g.Regions(v)[0])
			default:
				w = i64(f.costOf(v))
				if len(f.g.Regions(v)) > 0 {
					even = false
				}
				for _, in := range f.g.Regions(v) {
					w = f.sum(w, count(in))
				}
			}
			sum = f.sum(sum, w)
		}
		return f.clamped(sum, mostWork)
	}
	work = count(r)
	if n, ok := number(work); ok {
		return i64(max(1, n)), even
	}
	return f.sum(work, i64(1)), even
}

// span is from where to where a loop runs, or a loop with as many rounds: one from x up to x + n, and to the smaller of that
// and something else, has n, but for the last of several such.
func (f *fn) span(low, high ir.Value, known func(v ir.Value) (value.Value, bool)) (from, to value.Value, ok bool) {
	from, okFrom := known(low)
	to, okTo := known(high)
	if okFrom && okTo {
		return from, to, true
	}
	ends := []ir.Value{high}
	if f.g.Def(high) == arith.Minsi {
		ends = f.g.Args(high)
	}
	for _, end := range ends {
		if f.g.Def(end) != arith.Addi {
			continue
		}
		for i, x := range f.g.Args(end) {
			if n, ok := known(f.g.Args(end)[1-i]); ok && x == low {
				return i64(0), n, true
			}
		}
	}
	return nil, nil, false
}

// mostOf is how many rounds a loop has at most, and mostly has, if one of the numbers that it begins at the largest of and one
// that it ends at the smallest of differ by a constant: those of a tile.
func (f *fn) mostOf(args []ir.Value) (most int64, ok bool) {
	step, constant := f.g.Const(args[2])
	if !constant || int64(step.Bits) <= 0 {
		return 0, false
	}
	const deepest = 4
	for _, low := range f.extremes(args[0], arith.Maxsi, deepest) {
		for _, high := range f.extremes(args[1], arith.Minsi, deepest) {
			d := high.Plus(^uint64(0), low)
			if n := d.Int(d.Const); len(d.Terms) == 0 && (!ok || n < most) {
				most, ok = n, true
			}
		}
	}
	return max(0, (most-1)/int64(step.Bits)+1), ok
}

// extremes are the numbers that one is the largest or the smallest of, a few, which are looked for so deep.
func (f *fn) extremes(v ir.Value, op *ir.OpDef, deep int) []affine.Linear {
	if f.g.Def(v) == op && deep > 0 {
		args := f.g.Args(v)
		return append(f.extremes(args[0], op, deep-1), f.extremes(args[1], op, deep-1)...)
	}
	if f.g.Def(v) == arith.Addi {
		for i, x := range f.g.Args(v) {
			if by := f.g.Args(v)[1-i]; f.g.Def(x) == op && f.g.Def(by).Has(ir.ConstantLike) {
				out := f.extremes(x, op, deep)
				for i := range out {
					out[i] = out[i].Plus(1, f.known.Linear(by))
				}
				return out
			}
		}
	}
	return []affine.Linear{f.known.Linear(v)}
}

// clamped is the smaller of a number that is not negative and a limit.
func (f *fn) clamped(x value.Value, most int64) value.Value {
	if n, ok := number(x); ok {
		return i64(min(n, most))
	}
	return f.intrinsic("llvm.umin.i64", types.I64, nil, x, i64(most))
}

// costOf is the cost of an op, without its regions.
func (f *fn) costOf(v ir.Value) int64 {
	switch def := f.g.Def(v); {
	case def.Has(ir.ConstantLike) || def.Has(ir.Terminator):
		return 0
	case def == funcs.Call || def == funcs.CallIndirect || def == memref.Copy || def == memref.Alloc:
		return callWork
	case f.c.DialectOf(def) == math.Dialect || f.c.DialectOf(def) == special.Dialect:
		return mathWork
	case slices.Contains([]*ir.OpDef{arith.Divf, arith.Divsi, arith.Divui, arith.Remsi, arith.Remui, arith.Floordivsi, arith.Ceildivsi}, def):
		return divideWork
	}
	return 1
}

// ordered reports that the iterations of a loop must run one after the other: they print, or call what is not in the
// module, or change memory atomically in a way whose result depends on the order.
func (f *fn) ordered(r ir.Region) bool {
	found := false
	var look func(r ir.Region)
	look = func(r ir.Region) {
		for _, v := range f.s.Body(r) {
			if f.g.Def(v) == funcs.Call {
				found = found || f.orderedCall(f.calleeOf(f.g, v))
			} else {
				found = found || orderedOp(f.g, v)
			}
			for _, in := range f.g.Regions(v) {
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
		return printEmitters()[def] != nil
	}
}

// orderedCall is ordered of the body of a function and of those that it calls.
func (e *emitter) orderedCall(c *callee) bool {
	seen, todo := map[*callee]bool{}, []*callee{c}
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
	calls   []*callee
}

func (e *emitter) keeps(c *callee) *order {
	if e.orders[c] != nil {
		return e.orders[c]
	}
	k := &order{}
	walk(c.g, func(v ir.Value) {
		if c.g.Def(v) == funcs.Call {
			k.calls = append(k.calls, e.calleeOf(c.g, v))
		} else {
			k.ordered = k.ordered || orderedOp(c.g, v)
		}
	})
	if e.orders == nil {
		e.orders = map[*callee]*order{}
	}
	e.orders[c] = k
	return k
}

func (e *emitter) calleeOf(g *ir.Graph, v ir.Value) *callee {
	return e.callee[g.Ctx.AttrInfo(g.Attr(v, "callee")).Str]
}
