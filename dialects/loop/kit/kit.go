package kit

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Kit is a Builder with short names for the ops of lowerings.
type Kit struct{ *ir.Builder }

// Int is a constant of an integer type or of index.
func (k Kit) Int(t ir.Type, n int64) ir.Value {
	if t == ir.Index {
		return k.Index(n)
	}
	return arith.ConstInt(k.Builder, t, n)
}

// Like is a constant of the type of a value.
func (k Kit) Like(x ir.Value, n int64) ir.Value { return k.Int(k.Graph().Type(x), n) }

// Add, Sub and Mul wrap around.
func (k Kit) Add(x, y ir.Value) ir.Value { return arith.AddI(k.Builder, x, y) }

// Sub is x - y.
func (k Kit) Sub(x, y ir.Value) ir.Value { return arith.SubI(k.Builder, x, y) }

// Mul is x * y.
func (k Kit) Mul(x, y ir.Value) ir.Value { return arith.MulI(k.Builder, x, y) }

// Div is x / y of numbers that are not negative, y not 0.
func (k Kit) Div(x, y ir.Value) ir.Value { return k.Op(arith.Divui, x, y) }

// Next is i + 1, and Last i - 1.
func (k Kit) Next(i ir.Value) ir.Value { return k.Add(i, k.Like(i, 1)) }

// Last is i - 1.
func (k Kit) Last(i ir.Value) ir.Value { return k.Sub(i, k.Like(i, 1)) }

// And, Or and Xor work on the bits of integers, of i1 too.
func (k Kit) And(x, y ir.Value) ir.Value { return k.Op(arith.Andi, x, y) }

// Or is x | y.
func (k Kit) Or(x, y ir.Value) ir.Value { return k.Op(arith.Ori, x, y) }

// Xor is x ^ y.
func (k Kit) Xor(x, y ir.Value) ir.Value { return k.Op(arith.Xori, x, y) }

// Not is the other i1.
func (k Kit) Not(x ir.Value) ir.Value { return k.Xor(x, arith.ConstBool(k.Builder, true)) }

// Shl shifts by n bits, fewer than x has; Shr fills up with zeros.
func (k Kit) Shl(x, n ir.Value) ir.Value { return k.Op(arith.Shli, x, n) }

// Shr is x >> n, unsigned.
func (k Kit) Shr(x, n ir.Value) ir.Value { return k.Op(arith.Shrui, x, n) }

// Is compares integers.
func (k Kit) Is(p arith.CmpIPredicate, x, y ir.Value) ir.Value {
	return arith.CmpI(k.Builder, p, x, y)
}

// Less compares signed integers.
func (k Kit) Less(x, y ir.Value) ir.Value { return k.Is(arith.SLT, x, y) }

// IsZero compares an integer with 0.
func (k Kit) IsZero(x ir.Value) ir.Value { return k.Is(arith.EQ, x, k.Like(x, 0)) }

// Choose is yes where cond holds and no elsewhere; both are computed.
func (k Kit) Choose(cond, yes, no ir.Value) ir.Value {
	return arith.Choose(k.Builder, cond, yes, no)
}

// Min is the smaller of two signed integers.
func (k Kit) Min(x, y ir.Value) ir.Value { return k.Op(arith.Minsi, x, y) }

// Max is the larger of two signed integers.
func (k Kit) Max(x, y ir.Value) ir.Value { return k.Op(arith.Maxsi, x, y) }

// Widen makes an integer, or an index, of type t of another: the bits above are zero.
func (k Kit) Widen(x ir.Value, t ir.Type) ir.Value { return k.convert(x, t, arith.Extui) }

// WidenSigned is Widen with the sign in the bits above.
func (k Kit) WidenSigned(x ir.Value, t ir.Type) ir.Value { return k.convert(x, t, arith.Extsi) }

// convert is a conversion between integers, of which index has 64 bits.
func (k Kit) convert(x ir.Value, t ir.Type, ext *ir.OpDef) ir.Value {
	from := k.Graph().Type(x)
	a, b := k.Ctx().Info(from), k.Ctx().Info(t)
	cast := arith.IndexCastui
	if ext == arith.Extsi {
		cast = arith.IndexCast
	}
	switch {
	case from == t:
		return x
	case a.Kind == ir.KindIndex || b.Kind == ir.KindIndex:
		return arith.Cast(k.Builder, cast, x, t)
	case a.Width > b.Width:
		return arith.Cast(k.Builder, arith.Trunci, x, t)
	}
	return arith.Cast(k.Builder, ext, x, t)
}

// If gives what one of two branches gives.
func (k Kit) If(cond ir.Value, then, els func() []ir.Value) []ir.Value {
	return k.Results(scf.BuildIf(k.Builder, cond, then, els))
}

// IfOnly runs a branch that gives nothing.
func (k Kit) IfOnly(cond ir.Value, then func()) {
	scf.BuildIf(k.Builder, cond, func() []ir.Value { then(); return nil }, nil)
}

// IfElse runs one of two branches that give nothing.
func (k Kit) IfElse(cond ir.Value, then, els func()) {
	scf.BuildIf(k.Builder, cond, func() []ir.Value { then(); return nil }, func() []ir.Value { els(); return nil })
}

// Where is If with one value.
func (k Kit) Where(cond ir.Value, then, els func() ir.Value) ir.Value {
	return k.If(cond, func() []ir.Value { return []ir.Value{then()} }, func() []ir.Value { return []ir.Value{els()} })[0]
}

// For runs body for i from low up to high, high excluded, with carried values.
func (k Kit) For(low, high ir.Value, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	return k.ForStep(low, high, k.Like(low, 1), inits, body)
}

// ForStep is For with a step, which is positive.
func (k Kit) ForStep(low, high, step ir.Value, inits []ir.Value, body func(i ir.Value, carried []ir.Value) []ir.Value) []ir.Value {
	return k.Results(scf.BuildFor(k.Builder, low, high, step, inits, body))
}

// Each is For that carries nothing.
func (k Kit) Each(low, high ir.Value, body func(i ir.Value)) {
	k.EachStep(low, high, k.Like(low, 1), body)
}

// EachStep is Each with a step, which is positive.
func (k Kit) EachStep(low, high, step ir.Value, body func(i ir.Value)) {
	k.ForStep(low, high, step, nil, func(i ir.Value, _ []ir.Value) []ir.Value { body(i); return nil })
}

// EachAtOnce runs body for i from 0 up to n, n excluded, in any order, and on several cores.
func (k Kit) EachAtOnce(n ir.Value, body func(i ir.Value)) {
	scf.BuildParallel(k.Builder, k.Index(0), n, k.Index(1), body)
}

// While repeats step while more holds of the carried values, and gives the last ones.
func (k Kit) While(inits []ir.Value, more func(s []ir.Value) ir.Value, step func(s []ir.Value) []ir.Value) []ir.Value {
	return k.Until(inits, func(s []ir.Value) (ir.Value, []ir.Value) { return more(s), s }, step)
}

// Until is scf.while: look says of the carried values whether to go on, and makes those
// that step takes, and that it gives in the end.
func (k Kit) Until(inits []ir.Value, look func(s []ir.Value) (ir.Value, []ir.Value), step func(found []ir.Value) []ir.Value) []ir.Value {
	return k.Results(scf.BuildWhile(k.Builder, inits, look, step))
}

// Array is the type of an array of elements at this level.
func (k Kit) Array(elem ir.Type) ir.Type { return k.Ctx().MemRef([]int64{ir.Dynamic}, elem) }

// Elem is the element type of memory.
func (k Kit) Elem(mem ir.Value) ir.Type { return k.Ctx().Info(k.Graph().Type(mem)).Elem }

// Alloc allocates n elements. It traps where n is negative, or memory is out.
func (k Kit) Alloc(elem ir.Type, n ir.Value) ir.Value {
	return k.Must(ir.Call{Def: memref.Alloc, Args: []ir.Value{n}, Type: k.Array(elem)})
}

// Zeros is Alloc of zeros.
func (k Kit) Zeros(elem ir.Type, n ir.Value) ir.Value {
	mem := k.Alloc(elem, n)
	k.Fill(mem, n, arith.Zero(k.Builder, elem))
	return mem
}

// Fill stores x in the first n elements.
func (k Kit) Fill(mem, n, x ir.Value) {
	k.Each(k.Index(0), n, func(i ir.Value) { k.Store(x, mem, i) })
}

// Resize moves memory to another of n elements, and frees it.
func (k Kit) Resize(mem, n ir.Value) ir.Value {
	return k.Must(ir.Call{Def: memref.Realloc, Args: []ir.Value{mem, n}, Type: k.Graph().Type(mem)})
}

// Free frees memory.
func (k Kit) Free(mems ...ir.Value) {
	for _, m := range mems {
		k.Op(memref.Dealloc, m)
	}
}

// Len is the number of elements of an array.
func (k Kit) Len(mem ir.Value) ir.Value { return k.Op(memref.Dim, mem, k.Index(0)) }

// Prefix is the first n elements of an array, as the same memory: to free it frees all.
func (k Kit) Prefix(mem, n ir.Value) ir.Value {
	c := k.Ctx()
	attr := c.Props([]ir.NamedAttr{
		{Name: "operandSegmentSizes", Value: c.DenseArray(ir.I32, 1, 0, 1, 0)},
		{Name: "static_offsets", Value: c.DenseArray(ir.I64, 0)},
		{Name: "static_sizes", Value: c.DenseArray(ir.I64, ir.Dynamic)},
		{Name: "static_strides", Value: c.DenseArray(ir.I64, 1)},
	}, nil)
	return k.Must(ir.Call{Def: memref.ReinterpretCast, Attr: attr, Args: []ir.Value{mem, n}, Type: k.Graph().Type(mem)})
}

// Load reads element i. It traps out of bounds.
func (k Kit) Load(mem, i ir.Value) ir.Value { return k.Op(memref.Load, mem, i) }

// Store writes element i. It traps out of bounds.
func (k Kit) Store(x, mem, i ir.Value) { k.Op(memref.Store, x, mem, i) }
