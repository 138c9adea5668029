package fusion

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// value is a value of a type: one that is known, or a new one.
func (w *writer) value(t ir.Type) ir.Value { return w.deep(t, 2) }

func (w *writer) deep(t ir.Type, depth int) ir.Value {
	if have := w.have(func(x ir.Type) bool { return x == t }); len(have) > 0 && (depth == 0 || w.IntN(3) > 0) {
		return pick(w, have)
	}
	return w.fresh(t, depth)
}

// have lists the known values of some types.
func (w *writer) have(is func(ir.Type) bool) (out []ir.Value) {
	for _, v := range w.vals {
		if is(w.typ(v)) {
			out = append(out, v)
		}
	}
	return out
}

// fresh makes a value of a type, by so many operations on top of each other at most.
func (w *writer) fresh(t ir.Type, depth int) ir.Value {
	switch {
	case t == ir.I1:
		return w.truth(depth)
	case w.c.IsFloat(t):
		return w.float(t, depth)
	case t == ir.Index:
		return w.index(depth)
	case w.c.Info(t).Kind == ir.KindInteger:
		return w.integer(t, depth)
	case loop.IsString(w.c, t):
		return w.text(depth)
	}
	if fields, ok := loop.Fields(w.c, t); ok {
		args := make([]ir.Value, len(fields))
		for k, f := range fields {
			args[k] = w.deep(f.Type, max(0, depth-1))
		}
		return loop.MakeStruct(w.b, t, args...)
	}
	if keys, ok := loop.KeysOf(w.c, t); ok {
		return w.groups(keys)
	}
	elem, _ := loop.ElemOf(w.c, t)
	if w.depth > 2 || w.IntN(2) == 0 {
		list := make([]ir.Value, 1+w.IntN(3))
		for k := range list {
			list[k] = w.deep(elem, 0)
		}
		return collection.Of(w.b, list...)
	}
	return collection.Tabulate(w.b, w.size(), func(i ir.Value) (y ir.Value) {
		w.scope(func() {
			w.add(i)
			y = w.value(elem)
		})
		return y
	})
}

// groups are those of a few tuples.
func (w *writer) groups(keys []ir.Type) ir.Value {
	list := []loop.Generator{{Kind: loop.BucketKind, Types: keys}}
	return loop.BuildFor(w.b, w.few(), list, nil, nil, func(i ir.Value) (ys []ir.Value) {
		w.scope(func() {
			w.add(i)
			ys = w.tuple(list[0])
		})
		return ys
	})[0]
}

var integerOps = []*ir.OpDef{arith.Addi, arith.Subi, arith.Muli, arith.Xori, arith.Andi, arith.Ori, arith.Minsi, arith.Maxsi, arith.Maxui}

// integer is an integer of type t, i32 or i64.
func (w *writer) integer(t ir.Type, depth int) ir.Value {
	other := map[ir.Type]ir.Type{ir.I64: ir.I32, ir.I32: ir.I64}[t]
	switch k := w.IntN(12); {
	case depth == 0 || k == 0:
		return arith.ConstInt(w.b, t, []int64{0, 1, 2, 3, -1, 5, 7, 100}[w.IntN(8)])
	case k == 1 && t == ir.I64:
		return arith.Cast(w.b, arith.Extsi, w.deep(other, depth-1), t)
	case k == 1:
		return arith.Cast(w.b, arith.Trunci, w.deep(other, depth-1), t)
	case k == 2:
		return arith.Cast(w.b, arith.IndexCast, w.deep(ir.Index, depth-1), t)
	case k == 3:
		return arith.Cast(w.b, arith.Extui, w.deep(ir.I1, depth-1), t)
	case k == 4:
		return arith.Choose(w.b, w.deep(ir.I1, depth-1), w.deep(t, depth-1), w.deep(t, depth-1))
	case k == 5:
		d := []*ir.OpDef{arith.Remsi, arith.Divsi, arith.Remui}[w.IntN(3)]
		return w.b.Op(d, w.deep(t, depth-1), arith.ConstInt(w.b, t, int64(2+w.IntN(4))))
	case k == 6:
		return w.rounded(t, depth)
	}
	return w.b.Op(integerOps[w.IntN(len(integerOps))], w.deep(t, depth-1), w.deep(t, depth-1))
}

// rounded is a float towards zero, 0 for one that is large.
func (w *writer) rounded(t ir.Type, depth int) ir.Value {
	x := w.deep(ir.F64, depth-1)
	small := arith.CmpF(w.b, arith.OLT, w.b.Op(math.Absf, x), arith.ConstF64(w.b, 1e6))
	return arith.Cast(w.b, arith.Fptosi, arith.Choose(w.b, small, x, arith.ConstF64(w.b, 0)), t)
}

// index is a number of type index.
func (w *writer) index(depth int) ir.Value {
	switch k := w.IntN(4); {
	case depth > 0 && k == 0:
		return w.b.Op(arith.Addi, w.deep(ir.Index, depth-1), w.deep(ir.Index, depth-1))
	case depth > 0 && k == 1:
		return arith.Cast(w.b, arith.IndexCast, w.deep(ir.I64, depth-1), ir.Index)
	case k == 2:
		return pick(w, w.sizes)
	}
	return w.b.Index(int64(w.IntN(5)))
}

var floatOps = []*ir.OpDef{arith.Addf, arith.Subf, arith.Mulf, arith.Addf, arith.Subf, arith.Mulf, arith.Divf, arith.Minimumf, arith.Maximumf, arith.Minnumf, arith.Maxnumf}

// float is a float of type t, f32 or f64.
func (w *writer) float(t ir.Type, depth int) ir.Value {
	switch k := w.IntN(12); {
	case depth == 0 || k == 0:
		return arith.ConstFloat(w.b, t, []float64{0, 1, 0.5, -1, 3, -0.25, 0.1, 100}[w.IntN(8)])
	case k == 1 && t == ir.F64:
		return arith.Cast(w.b, arith.Extf, w.deep(ir.F32, depth-1), t)
	case k == 1:
		return arith.Cast(w.b, arith.Truncf, w.deep(ir.F64, depth-1), t)
	case k == 2:
		return arith.Cast(w.b, arith.Sitofp, w.deep([]ir.Type{ir.I64, ir.I32}[w.IntN(2)], depth-1), t)
	case k == 3:
		return arith.Choose(w.b, w.deep(ir.I1, depth-1), w.deep(t, depth-1), w.deep(t, depth-1))
	case k == 4:
		return w.b.Op([]*ir.OpDef{arith.Negf, math.Absf, math.Sqrt}[w.IntN(3)], w.deep(t, depth-1))
	}
	return w.b.Op(floatOps[w.IntN(len(floatOps))], w.deep(t, depth-1), w.deep(t, depth-1))
}

// truth is a truth value: mostly of numbers that are compared.
func (w *writer) truth(depth int) ir.Value {
	switch k := w.IntN(10); {
	case depth == 0 && k < 5:
		return arith.ConstBool(w.b, k < 2)
	case k == 0:
		return w.b.Op([]*ir.OpDef{arith.Andi, arith.Ori, arith.Xori}[w.IntN(3)], w.deep(ir.I1, depth-1), w.deep(ir.I1, depth-1))
	case k < 3 && len(w.strings()) > 0:
		return loop.CompareStrings(w.b, loop.Predicate(w.IntN(6)), pick(w, w.strings()), w.text(depth))
	case k < 5:
		p := []arith.CmpFPredicate{arith.OLT, arith.OGT, arith.OEQ, arith.UNE, arith.UNO, arith.OGE}[w.IntN(6)]
		return arith.CmpF(w.b, p, w.deep(ir.F64, max(0, depth-1)), w.deep(ir.F64, 0))
	}
	t := []ir.Type{ir.I64, ir.I64, ir.I32, ir.Index}[w.IntN(4)]
	p := []arith.CmpIPredicate{arith.SLT, arith.SGT, arith.NE, arith.EQ, arith.ULE}[w.IntN(5)]
	return arith.CmpI(w.b, p, w.deep(t, max(0, depth-1)), w.deep(t, 0))
}

// strings lists those that are known.
func (w *writer) strings() []ir.Value {
	return w.have(func(t ir.Type) bool { return loop.IsString(w.c, t) })
}

var words = []string{"", "a", "b", "ab", "fox"}

// text is a string: a constant, or the beginning or end of one.
func (w *writer) text(depth int) ir.Value {
	known := w.strings()
	if depth == 0 || len(known) == 0 || w.IntN(2) == 0 {
		return w.b.Const(loop.String(w.c), loop.Str(words[w.IntN(len(words))]))
	}
	s := pick(w, known)
	if w.IntN(2) == 0 {
		return collection.Take(w.b, s, w.b.Index(1))
	}
	return collection.Drop(w.b, s, w.b.Index(1))
}

// size is what a loop may run over.
func (w *writer) size() ir.Value {
	arrays := w.arrays(func(ir.Type) bool { return true })
	if len(arrays) == 0 || w.IntN(3) == 0 {
		return pick(w, w.sizes)
	}
	return w.length[pick(w, arrays)]
}

// arrays lists the known arrays with some elements.
func (w *writer) arrays(of func(elem ir.Type) bool) []ir.Value {
	return w.have(func(t ir.Type) bool {
		elem, ok := loop.ElemOf(w.c, t)
		return ok && !loop.IsString(w.c, t) && of(elem)
	})
}

// open adds a value and what it is made of.
func (w *writer) open(v ir.Value) {
	w.known(v)
	t := w.typ(v)
	if loop.IsString(w.c, t) {
		w.add(loop.Size(w.b, v))
	}
	fields, _ := loop.Fields(w.c, t)
	for _, f := range fields {
		if w.IntN(4) > 0 {
			w.open(loop.FieldOf(w.b, v, f.Name))
		}
	}
}

// at is an element of an array at any place, another value where it has none.
func (w *writer) at(xs, place ir.Value) ir.Value {
	elem, _ := loop.ElemOf(w.c, w.typ(xs))
	return w.b.Result(scf.BuildIf(w.b, arith.CmpI(w.b, arith.ULT, place, w.length[xs]),
		func() []ir.Value { return []ir.Value{loop.Element(w.b, xs, place)} },
		func() (out []ir.Value) {
			w.scope(func() { out = []ir.Value{w.deep(elem, 0)} })
			return out
		}), 0)
}
