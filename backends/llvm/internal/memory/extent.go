package memory

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
)

// extent makes the view of a new allocation, without its base: sizes as given by
// the current op, and a length in elements, which is checked.
func extent(f *emit.Fn, sizes []ir.Value) *emit.View {
	t := f.G.Type(f.V)
	l := f.Layout(t)
	if !l.Ident && (l.Offset == ir.Dynamic || emit.Dynamic(l.Strides) > 0) {
		f.Fail("has a layout that is not static: allocate with the identity layout and take a view")
	}
	m := &emit.View{Elem: l.Elem, Ident: l.Ident, Inside: true, Off: lit.I64(0)}
	m.Sizes, _ = emit.Values(l.Sizes, f.ValuesOf(sizes))
	for i, n := range l.Sizes {
		if n == ir.Dynamic {
			f.Check(f.B.Icmp(enum.IPredSLT, m.Sizes[i], lit.I64(0)), "a size of an allocation is negative")
		}
	}
	if l.Ident {
		m.Strides = f.B.RowMajor(m.Sizes)
		m.Length = checkedProduct(f, m.Sizes, tooLarge)
		return m
	}
	m.Off = lit.I64(l.Offset)
	m.Strides, _ = emit.Values(l.Strides, nil)
	low, high, over := corners(f, m)
	var none value.Value = lit.Bit(false)
	for _, n := range m.Sizes {
		none = f.B.Or(none, f.B.Icmp(enum.IPredEQ, n, lit.I64(0)))
	}
	bad := f.B.Or(over, f.B.Or(f.B.Icmp(enum.IPredSLT, low, lit.I64(0)), f.B.Icmp(enum.IPredEQ, high, lit.I64(math.MaxInt64))))
	f.Check(f.B.And(bad, not(f, none)), tooLarge)
	m.Length = choose(f, none, lit.I64(0), f.B.Sum(high, lit.I64(1)))
	return m
}

// corners are the least and the greatest place of a view that has elements, and whether one of
// them does not fit.
func corners(f *emit.Fn, m *emit.View) (low, high, over value.Value) {
	low, high, over = m.Off, m.Off, lit.Bit(false)
	for i, n := range m.Sizes {
		step := overflows(f, &over, "mul", f.B.Minus(n, lit.I64(1)), m.Strides[i])
		low = overflows(f, &over, "add", low, extreme(f, "smin", step))
		high = overflows(f, &over, "add", high, extreme(f, "smax", step))
	}
	return low, high, over
}

// extreme is the smaller or the greater one of a number and 0.
func extreme(f *emit.Fn, name string, x value.Value) value.Value {
	n, ok := lit.Number(x)
	switch {
	case !ok:
		return f.B.Intrinsic("llvm."+name+".i64", types.I64, nil, x, lit.I64(0))
	case (n < 0) == (name == "smin"):
		return x
	}
	return lit.I64(0)
}

// overflows is the sum or the product of signed numbers, and notes whether it does not fit.
func overflows(f *emit.Fn, over *value.Value, op string, x, y value.Value) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		n, fits := ir.Sum(a, b)
		if op == "mul" {
			n, fits = a*b, ir.Times(a, b) == a*b
		}
		*over = f.B.Or(*over, lit.Bit(!fits))
		return lit.I64(n)
	case okA && a == 0 || okB && b == 0 || okA && a == 1 && op == "mul" || okB && b == 1 && op == "mul":
		if op == "mul" {
			return f.B.Times(x, y)
		}
		return f.B.Sum(x, y)
	}
	r := f.B.Intrinsic("llvm.s"+op+".with.overflow.i64", types.NewStruct(types.I64, types.I1), nil, x, y)
	*over = f.B.Or(*over, emit.Add(f.B, llir.NewExtractValue(r, 1)))
	return emit.Add(f.B, llir.NewExtractValue(r, 0))
}

// choose is x if a condition holds, else y; constants fold.
func choose(f *emit.Fn, when, x, y value.Value) value.Value {
	if n, ok := lit.Number(when); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	return emit.Add(f.B, llir.NewSelect(when, x, y))
}

func not(f *emit.Fn, x value.Value) value.Value {
	if n, ok := lit.Number(x); ok {
		return lit.Bit(n == 0)
	}
	return emit.Add(f.B, llir.NewXor(x, lit.Bit(true)))
}

// checkedProduct multiplies sizes and stops for a reason if the product is too large, as ir.Product has it: an extent of 0
// hides no others, whose products are strides.
func checkedProduct(f *emit.Fn, sizes []value.Value, reason string) value.Value {
	var p value.Value = lit.I64(1)
	var none, over value.Value = lit.Bit(false), lit.Bit(false)
	if f.Opts.Unchecked {
		return f.B.Product(sizes)
	}
	open := 0
	for _, n := range sizes {
		if _, ok := lit.Number(n); !ok {
			open++
		}
	}
	for _, n := range sizes {
		if _, ok := lit.Number(n); ok || open > 1 { // the only open one may be 0: it hides none
			zero := f.B.Icmp(enum.IPredEQ, n, lit.I64(0))
			none = f.B.Or(none, zero)
			n = choose(f, zero, lit.I64(1), n)
		}
		p = overflows(f, &over, "mul", p, n)
	}
	f.Check(over, reason)
	return choose(f, none, lit.I64(0), p)
}

const tooLarge = "an allocation is too large"

func checkedTimes(f *emit.Fn, x, y value.Value) value.Value {
	var over value.Value = lit.Bit(false)
	p := overflows(f, &over, "mul", x, y)
	f.Check(over, tooLarge)
	return p
}

// bytes is the length of a view in bytes.
func bytes(f *emit.Fn, m *emit.View) value.Value {
	size := BytesOf(f, m.Elem)
	if n, ok := lit.Number(m.Length); ok {
		if n > (1<<62)/size || n < 0 {
			f.StopIf(lit.Bit(true), tooLarge) // where it runs, if it does
			return lit.I64(0)
		}
		return lit.I64(n * size)
	}
	if size == 1 || f.Opts.Unchecked {
		return f.B.Times(m.Length, lit.I64(size))
	}
	return checkedTimes(f, m.Length, lit.I64(size))
}

// bits32 reports a machine of 32 bits: of C's types there, size_t has 32.
func bits32(e *emit.Emitter) bool {
	if e.Opts.Target == nil {
		return false
	}
	arch, _, _ := strings.Cut(e.Opts.Target.Triple, "-")
	for _, name := range []string{"arm", "thumb", "riscv32", "i386", "i486", "i586", "i686", "mips", "mipsel", "powerpc", "ppc", "wasm32"} {
		if arch == name || (name == "arm" || name == "thumb") && strings.HasPrefix(arch, name) && !strings.HasPrefix(arch, "arm64") {
			return true
		}
	}
	return false
}

// sizeType is C's size_t.
func sizeType(e *emit.Emitter) *types.IntType {
	if bits32(e) {
		return types.I32
	}
	return types.I64
}

// sized is a number of bytes that fits, as C's size_t.
func sized(f *emit.Fn, x value.Value) value.Value {
	if !bits32(f.Emitter) {
		return x
	}
	if n, ok := lit.Number(x); ok {
		return lit.I32(n)
	}
	return emit.Add(f.B, llir.NewTrunc(x, types.I32))
}
