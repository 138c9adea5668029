package lower

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// reduction is the value of a bugs.reduce or a bugs.fold.
func (l *lowering) reduction(v ir.Value) ir.Value {
	switch {
	case l.running[v] != nil:
		return l.running[v]()
	case l.model.g.Def(v) == ops.Fold:
		return l.fold(v)
	}
	return l.reduceInside(v)
}

// reduceInside is NaN where the op is early and its part is not all there.
func (l *lowering) reduceInside(v ir.Value) ir.Value {
	args := l.model.g.Args(v)
	ok := l.partsInside([]ops.Part[ir.Value]{{Array: args[0], Bounds: args[1:]}})
	if ok == 0 {
		return l.reduce(v)
	}
	some := func() []ir.Value { return []ir.Value{l.reduce(v)} }
	none := func() []ir.Value { return []ir.Value{arith.ConstF64(l.b, gomath.NaN())} }
	return l.b.Result(scf.BuildIf(l.b, ok, some, none), 0)
}

// startOf is what a reduction begins with.
func (l *lowering) startOf(v ir.Value) ir.Value {
	return arith.ConstF64(l.b, function.ReduceStart[l.model.g.Ctx.AttrInfo(l.model.g.Attr(v, "kind")).Str])
}

// reduce makes a loop for each dimension of a part of an array.
func (l *lowering) reduce(v ir.Value) ir.Value { return l.reduceFrom(v, l.startOf(v), -1, 0) }

// reduceFrom combines a number and the elements of a part; in dimension fixed of those at one index alone.
func (l *lowering) reduceFrom(v, acc ir.Value, fixed int, index ir.Value) ir.Value {
	args := l.model.g.Args(v)
	at := []ir.Value{l.values[args[0]]}
	var dim func(d int, acc ir.Value) ir.Value
	dim = func(d int, acc ir.Value) ir.Value {
		if 1+2*d == len(args) {
			return l.combined(v, acc, l.b.Op(memref.Load, slices.Clone(at)...))
		}
		lo, hi := args[1+2*d], args[2+2*d]
		switch {
		case d == fixed:
			at = append(at, index)
			acc = dim(d+1, acc)
		case lo == hi:
			at = append(at, l.zero(lo))
			acc = dim(d+1, acc)
		default:
			loop := scf.BuildFor(l.b, l.zero(lo), l.value(hi), l.b.Index(1), []ir.Value{acc}, func(iv ir.Value, carried []ir.Value) []ir.Value {
				at = append(at, iv)
				x := dim(d+1, carried[0])
				at = at[:len(at)-1]
				return []ir.Value{x}
			})
			return l.b.Result(loop, 0)
		}
		at = at[:len(at)-1]
		return acc
	}
	return dim(0, acc)
}

// combined is what a reduction makes of two numbers.
func (l *lowering) combined(v, x, y ir.Value) ir.Value {
	kind := l.model.g.Ctx.AttrInfo(l.model.g.Attr(v, "kind")).Str
	flags := arith.FastMath(0)
	if kind == "sum" {
		flags = arith.Reassoc
	}
	return arith.Float(l.b, function.ReduceOps[kind], flags, x, y)
}

// fold makes the loop of a bugs.fold.
func (l *lowering) fold(v ir.Value) ir.Value {
	args := l.model.g.Args(v)
	loop := scf.BuildFor(l.b, l.zero(args[0]), l.value(args[1]), l.b.Index(1), []ir.Value{l.startOf(v)}, func(iv ir.Value, carried []ir.Value) []ir.Value {
		return []ir.Value{l.foldAt(v, iv, carried[0])}
	})
	return l.b.Result(loop, 0)
}

// foldAt combines a number and what a bugs.fold gives at one index.
func (l *lowering) foldAt(v, iv, acc ir.Value) ir.Value {
	r := l.model.g.Regions(v)[0]
	l.zeroIV[l.model.g.Params(r)[0]] = iv
	l.region(r)
	return l.combined(v, acc, l.value(l.model.g.Args(l.model.g.Term(r))[0]))
}
