package lower

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// reserve makes memory for the whole run of the function: on its stack, unless it is
// more than the target allows.
func (l *lowering) reserve(shape ...int64) ir.Value {
	n := int64(1)
	for _, d := range shape {
		n *= max(d, 1)
	}
	def, heap := memref.Alloca, n > int64(l.target.Costs.MaxStack/8)
	if heap {
		def = memref.Alloc
	}
	v := l.b.Must(ir.Call{Def: def, Type: l.g.Ctx.MemRef(shape, ir.F64)})
	if heap {
		l.heap = append(l.heap, v)
	}
	return v
}

// release frees what reserve took from the heap.
func (l *lowering) release() {
	for _, v := range l.heap {
		l.b.Op(memref.Dealloc, v)
	}
}

// allocateArrays makes the memory of temporaries, and the workspace.
func (l *lowering) allocateArrays() {
	g, c := l.g, l.g.Ctx
	matrices, rows, vectors, elements, factored := int64(0), int64(1), int64(0), int64(1), int64(0)
	l.s.Walk(func(v ir.Value) {
		if !l.need[v] {
			return
		}
		switch g.Def(v) {
		case ops.Temporary:
			l.values[v], l.stored[v] = l.reserve(c.Info(g.Type(v)).Shape...), true
		case ops.Constrain:
			factored = max(factored, ops.MatrixRows(g, v))
		case ops.Multivariate:
			factored = max(factored, ops.MatrixRows(g, v))
			if n := lawOf(g, v).Joint.Vectors; n > 0 {
				vectors, elements = max(vectors, n), max(elements, l.mostElements(v))
			}
			if n := lawOf(g, v).Joint.Matrices; n > 0 {
				matrices, rows = max(matrices, n), max(rows, ops.MatrixRows(g, v))
			}
		case ops.Apply, ops.Compute:
			f := function.ArrayOpOf(c.AttrInfo(g.Attr(v, "name")).Str)
			most := l.mostElements(v)
			if f.Factors {
				factored = max(factored, most)
			}
			if f.Matrices > 0 {
				matrices, rows = max(matrices, int64(f.Matrices)), max(rows, most)
			}
			if f.Vectors > 0 {
				vectors, elements = max(vectors, int64(f.Vectors)), max(elements, most)
			}
		}
	})
	if matrices > 0 {
		l.work.Matrices = l.reserve(matrices, rows, rows)
	}
	if factored > 0 {
		l.work.Factor = l.reserve(factored, factored)
	}
	if vectors > 0 {
		l.work.Vectors = l.reserve(vectors, elements)
	}
}

// mostElements bounds the extents of the parts of an op.
func (l *lowering) mostElements(v ir.Value) int64 {
	most := int64(0)
	for _, p := range l.partsOf(v) {
		for d, ranged := range p.Ranged {
			if ranged {
				most = max(most, l.g.Ctx.Info(l.g.Type(p.Array)).Shape[d])
			}
		}
	}
	return most
}

func (l *lowering) partsOf(v ir.Value) []ops.Part[ir.Value] {
	g, args := l.g, l.g.Args(v)
	ps, _ := ops.Parts(g.Ctx.Ints(g.Attr(v, "ranges")), args, func(i int) int { return ops.ArrayRank(g.Ctx, g.Type(args[i])) })
	return ps
}

// call lowers bugs.apply and bugs.compute. Where an index that picks a part is none,
// the value is NaN.
func (l *lowering) call(v ir.Value) {
	f := function.ArrayOpOf(l.g.Ctx.AttrInfo(l.g.Attr(v, "name")).Str)
	ps, valid := l.partsOf(v), ir.Value(0)
	inside := l.partsInside(ps)
	views := make([]kit.View, len(ps))
	for i, p := range ps {
		views[i] = l.orNothing(inside, l.view(p, &valid))
	}
	l.join(&valid, inside)
	k := l.kit()
	if f.Result > 0 {
		out := views[0]
		f.Lower(k, l.work, out, views[1:])
		if valid != 0 {
			k.EachOf(out, func(i []ir.Value) { out.Store(k, k.Valid(valid, out.Load(k, i...)), i...) })
		}
		return
	}
	x := f.Lower(k, l.work, kit.View{}, views)
	if valid != 0 {
		x = k.Valid(valid, x)
	}
	l.values[v] = x
}

// fold makes the loop of a bugs.fold.
func (l *lowering) fold(v ir.Value) ir.Value {
	args, r := l.g.Args(v), l.g.Regions(v)[0]
	kind := l.g.Ctx.AttrInfo(l.g.Attr(v, "kind")).Str
	flags := arith.FastMath(0)
	if kind == "sum" {
		flags = arith.Reassoc
	}
	inits := []ir.Value{arith.ConstF64(l.b, function.ReduceStart[kind])}
	loop := scf.BuildFor(l.b, l.zero(args[0]), l.value(args[1]), l.b.Index(1), inits, func(iv ir.Value, carried []ir.Value) []ir.Value {
		l.zeroIV[l.g.Params(r)[0]] = iv
		l.region(r)
		x := l.value(l.g.Args(l.g.Term(r))[0])
		return []ir.Value{arith.Float(l.b, function.ReduceOps[kind], flags, carried[0], x)}
	})
	return l.b.Result(loop, 0)
}
