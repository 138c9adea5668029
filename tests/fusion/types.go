package fusion

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
)

// scalars are the types of numbers and truth values; what is often wanted stands often.
var scalars = []ir.Type{ir.I64, ir.I64, ir.I64, ir.I64, ir.F64, ir.F64, ir.F64, ir.I32, ir.F32, ir.I1, ir.Index}

// scalar is the type of a number or truth value.
func (w *writer) scalar() ir.Type { return scalars[w.IntN(len(scalars))] }

// numeric reports a type that reductions have names for, i1 not among them.
func (w *writer) numeric(t ir.Type) bool {
	return t != ir.I1 && (w.c.IsFloat(t) || w.c.Info(t).Kind == ir.KindInteger || t == ir.Index)
}

// element is a type of elements, records and arrays of which are so deep at most.
func (w *writer) element(depth int) ir.Type {
	switch k := w.IntN(16); {
	case k == 0:
		return loop.String(w.c)
	case k == 1:
		return loop.Nullable(w.c, w.flat())
	case k < 4 && depth > 0:
		return w.record(depth - 1)
	case k == 4 && depth > 0:
		return loop.Array(w.c, w.element(depth-1))
	}
	return w.scalar()
}

// flat is a type without arrays.
func (w *writer) flat() ir.Type {
	if w.IntN(8) == 0 {
		return loop.String(w.c)
	}
	return w.scalar()
}

var names = []string{"a", "b", "c"}

// record is a type of structs.
func (w *writer) record(depth int) ir.Type {
	fields := make([]ir.Field, 1+w.IntN(3))
	for k := range fields {
		fields[k] = ir.Field{Name: names[k], Type: w.element(depth)}
	}
	return loop.StructOf(w.c, fields...)
}

// keyType is a type of keys.
func (w *writer) keyType() ir.Type {
	switch w.IntN(12) {
	case 0:
		return loop.String(w.c)
	case 1:
		return ir.F64
	case 2:
		return ir.I1
	case 3:
		return ir.I32
	case 4:
		return loop.StructOf(w.c, ir.Field{Name: "a", Type: ir.I64}, ir.Field{Name: "b", Type: w.flat()})
	case 5:
		return loop.Nullable(w.c, w.flat())
	}
	return ir.I64
}
