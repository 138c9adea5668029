package fusion

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// tuple is one tuple for a generator.
func (w *writer) tuple(g loop.Generator) (out []ir.Value) {
	for _, t := range g.Types {
		if g.Kind == loop.BucketKind {
			out = append(out, w.key(t))
		} else {
			out = append(out, w.value(t))
		}
	}
	for _, in := range g.Inner {
		out = append(out, w.tuple(in)...)
	}
	return out
}

// key is a value of a type for a key, of which there are few.
func (w *writer) key(t ir.Type) ir.Value {
	if t == ir.I64 && w.IntN(4) > 0 {
		return w.b.Op([]*ir.OpDef{arith.Remsi, arith.Remui, arith.Andi}[w.IntN(3)], w.value(t), arith.ConstInt(w.b, t, 3))
	}
	return w.value(t)
}

// given is what a generator is given: the values of one tuple, or a sequence.
func (w *writer) given(g loop.Generator) (ys []ir.Value, one bool) {
	if w.IntN(2) == 0 {
		return w.tuple(g), true
	}
	return []ir.Value{w.sequence(g, 0)}, false
}

// sequence is a sequence of tuples for a generator.
func (w *writer) sequence(g loop.Generator, depth int) ir.Value {
	t := loop.EmitOf(w.c, g.Tuple()...)
	switch k := w.IntN(12); {
	case k < 6 && depth < 3:
		return w.either(g, depth)
	case k == 6 && depth < 2:
		return w.b.Must(ir.Call{Def: loop.Seq, Args: []ir.Value{w.sequence(g, depth+1), w.sequence(g, depth+1)}, Type: t})
	case k < 9 && depth < 2 && w.depth < 4:
		return w.several(g, depth)
	case k == 9 && depth > 0:
		return collection.None(w.b, t)
	}
	return collection.One(w.b, w.tuple(g)...)
}

// either is one sequence or another.
func (w *writer) either(g loop.Generator, depth int) ir.Value {
	side := func(depth int) func() []ir.Value {
		return func() (out []ir.Value) {
			w.scope(func() { out = []ir.Value{w.sequence(g, depth)} })
			return out
		}
	}
	return w.b.Result(scf.BuildIf(w.b, w.value(ir.I1), side(depth+1), side(depth+2)), 0)
}

// several is what an inner loop emits: a few rounds, or one for each element of an array that
// is an element.
func (w *writer) several(g loop.Generator, depth int) ir.Value {
	list := []loop.Generator{{Kind: loop.EmitKind, Types: g.Tuple()}}
	size, row := w.few(), ir.Value(0)
	if rows := w.arrays(func(ir.Type) bool { return true }); w.depth > 0 && len(rows) > 0 && w.IntN(2) == 0 {
		row = rows[len(rows)-1]
		size = w.length[row]
	}
	return loop.BuildFor(w.b, size, list, nil, nil, func(i ir.Value) (out []ir.Value) {
		w.scope(func() {
			w.add(i)
			if row != 0 {
				w.open(loop.Element(w.b, row, i))
			}
			if w.IntN(2) == 0 {
				out = w.tuple(g)
			} else {
				out = []ir.Value{w.sequence(g, depth+1)}
			}
		})
		return out
	})[0]
}

// few is a small size.
func (w *writer) few() ir.Value {
	if w.IntN(2) == 0 {
		return w.sizes[3] // of the arguments
	}
	return w.b.Index(int64(1 + w.IntN(3)))
}
