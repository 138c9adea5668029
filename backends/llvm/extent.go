package llvm

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// extent makes the view of a new allocation, without its base: sizes as given by
// the current op, and a length in elements, which is checked.
func (f *fn) extent(sizes []ir.Value) *view {
	t := f.g.Type(f.v)
	l := f.layout(t)
	if !l.ident && (l.offset == ir.Dynamic || dynamic(l.strides) > 0) {
		f.fail("has a layout that is not static: allocate with the identity layout and take a view")
	}
	m := &view{elem: l.elem, ident: l.ident, inside: true, off: i64(0)}
	m.sizes, _ = values(l.sizes, f.valuesOf(sizes))
	for i, n := range l.sizes {
		if n == ir.Dynamic {
			f.check(f.icmp(enum.IPredSLT, m.sizes[i], i64(0)), "a size of an allocation is negative")
		}
	}
	if l.ident {
		m.strides = f.rowMajor(m.sizes)
		m.length = f.checkedProduct(m.sizes, tooLarge)
		return m
	}
	m.off = i64(l.offset)
	m.strides, _ = values(l.strides, nil)
	low, high, over := f.corners(m)
	var none value.Value = bit(false)
	for _, n := range m.sizes {
		none = f.or(none, f.icmp(enum.IPredEQ, n, i64(0)))
	}
	bad := f.or(over, f.or(f.icmp(enum.IPredSLT, low, i64(0)), f.icmp(enum.IPredEQ, high, i64(math.MaxInt64))))
	f.check(f.and(bad, f.not(none)), tooLarge)
	m.length = f.choose(none, i64(0), f.sum(high, i64(1)))
	return m
}

// corners are the least and the greatest place of a view that has elements, and whether one of
// them does not fit.
func (f *fn) corners(m *view) (low, high, over value.Value) {
	low, high, over = m.off, m.off, bit(false)
	for i, n := range m.sizes {
		step := f.overflows(&over, "mul", f.minus(n, i64(1)), m.strides[i])
		low = f.overflows(&over, "add", low, f.extreme("smin", step))
		high = f.overflows(&over, "add", high, f.extreme("smax", step))
	}
	return low, high, over
}

// extreme is the smaller or the greater one of a number and 0.
func (f *fn) extreme(name string, x value.Value) value.Value {
	n, ok := number(x)
	switch {
	case !ok:
		return f.intrinsic("llvm."+name+".i64", types.I64, nil, x, i64(0))
	case (n < 0) == (name == "smin"):
		return x
	}
	return i64(0)
}

// overflows is the sum or the product of signed numbers, and notes whether it does not fit.
func (f *fn) overflows(over *value.Value, op string, x, y value.Value) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	switch {
	case okA && okB:
		n, fits := ir.Sum(a, b)
		if op == "mul" {
			n, fits = a*b, ir.Times(a, b) == a*b
		}
		*over = f.or(*over, bit(!fits))
		return i64(n)
	case okA && a == 0 || okB && b == 0 || okA && a == 1 && op == "mul" || okB && b == 1 && op == "mul":
		if op == "mul" {
			return f.times(x, y)
		}
		return f.sum(x, y)
	}
	r := f.intrinsic("llvm.s"+op+".with.overflow.i64", types.NewStruct(types.I64, types.I1), nil, x, y)
	*over = f.or(*over, add(f, llir.NewExtractValue(r, 1)))
	return add(f, llir.NewExtractValue(r, 0))
}

// choose is x if a condition holds, else y; constants fold.
func (f *fn) choose(when, x, y value.Value) value.Value {
	if n, ok := number(when); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	return add(f, llir.NewSelect(when, x, y))
}

func (f *fn) not(x value.Value) value.Value {
	if n, ok := number(x); ok {
		return bit(n == 0)
	}
	return add(f, llir.NewXor(x, bit(true)))
}

// checkedProduct multiplies sizes and stops for a reason if the product is too large, as ir.Product has it: an extent of 0
// hides no others, whose products are strides.
func (f *fn) checkedProduct(sizes []value.Value, reason string) value.Value {
	var p value.Value = i64(1)
	var none, over value.Value = bit(false), bit(false)
	if f.opts.Unchecked {
		return f.product(sizes)
	}
	open := 0
	for _, n := range sizes {
		if _, ok := number(n); !ok {
			open++
		}
	}
	for _, n := range sizes {
		if _, ok := number(n); ok || open > 1 { // the only open one may be 0: it hides none
			zero := f.icmp(enum.IPredEQ, n, i64(0))
			none = f.or(none, zero)
			n = f.choose(zero, i64(1), n)
		}
		p = f.overflows(&over, "mul", p, n)
	}
	f.check(over, reason)
	return f.choose(none, i64(0), p)
}

const tooLarge = "an allocation is too large"

func (f *fn) checkedTimes(x, y value.Value) value.Value {
	var over value.Value = bit(false)
	p := f.overflows(&over, "mul", x, y)
	f.check(over, tooLarge)
	return p
}

// bytes is the length of a view in bytes.
func (f *fn) bytes(m *view) value.Value {
	size := f.bytesOf(m.elem)
	if n, ok := number(m.length); ok {
		if n > (1<<62)/size || n < 0 {
			f.stopIf(bit(true), tooLarge) // where it runs, if it does
			return i64(0)
		}
		return i64(n * size)
	}
	if size == 1 || f.opts.Unchecked {
		return f.times(m.length, i64(size))
	}
	return f.checkedTimes(m.length, i64(size))
}

// bits32 reports a machine of 32 bits: of C's types there, size_t has 32.
func (e *emitter) bits32() bool {
	if e.opts.Target == nil {
		return false
	}
	arch, _, _ := strings.Cut(e.opts.Target.Triple, "-")
	for _, name := range []string{"arm", "thumb", "riscv32", "i386", "i486", "i586", "i686", "mips", "mipsel", "powerpc", "ppc", "wasm32"} {
		if arch == name || (name == "arm" || name == "thumb") && strings.HasPrefix(arch, name) && !strings.HasPrefix(arch, "arm64") {
			return true
		}
	}
	return false
}

// sizeType is C's size_t.
func (e *emitter) sizeType() *types.IntType {
	if e.bits32() {
		return types.I32
	}
	return types.I64
}

// sized is a number of bytes that fits, as C's size_t.
func (f *fn) sized(x value.Value) value.Value {
	if !f.bits32() {
		return x
	}
	if n, ok := number(x); ok {
		return i32(n)
	}
	return add(f, llir.NewTrunc(x, types.I32))
}
