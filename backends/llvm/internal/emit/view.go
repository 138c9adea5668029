package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
)

// View is a memref inside of a function: the element at index (i, ...) is
// base[off + i*stride + ...]. Static numbers are constants.
type View struct {
	Elem    ir.Type
	Base    value.Value
	Off     value.Value
	Sizes   []value.Value
	Strides []value.Value
	// length is the number of elements from base on, nil if nobody knows.
	Length value.Value
	// inside says that all elements are known to lie in [base, base+length).
	Inside bool
	// moved says that base is the element (0, ..., 0) of a type whose offset is
	// dynamic, so that the true base is not known.
	Moved bool
	// ident says that strides follow from the sizes, row-major without gaps.
	Ident bool
	Align int64 // known alignment of base, or 0
}

// Address arithmetic on i64; constants fold, and so do 0 + x, 0 * x and 1 * x.

func (f *Fn) Sum(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a + b)
	case okA && a == 0:
		return y
	case okB && b == 0:
		return x
	}
	i := Add(f, llir.NewAdd(x, y))
	i.OverflowFlags = flags
	return i
}

func (f *Fn) Times(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a * b)
	case okA && a == 0, okB && b == 0:
		return lit.I64(0)
	case okA && a == 1:
		return y
	case okB && b == 1:
		return x
	}
	i := Add(f, llir.NewMul(x, y))
	i.OverflowFlags = flags
	return i
}

func (f *Fn) Minus(x, y value.Value) value.Value {
	a, okA := lit.Number(x)
	b, okB := lit.Number(y)
	switch {
	case okA && okB:
		return lit.I64(a - b)
	case okB && b == 0:
		return x
	}
	return Add(f, llir.NewSub(x, y))
}

func (f *Fn) Product(xs []value.Value) value.Value {
	var p value.Value = lit.I64(1)
	for _, x := range xs {
		p = f.Times(p, x)
	}
	return p
}

// RowMajor returns the strides of memory without gaps.
func (f *Fn) RowMajor(sizes []value.Value) []value.Value {
	out := make([]value.Value, len(sizes))
	var n value.Value = lit.I64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		if i > 0 {
			n = f.Times(n, sizes[i])
		}
	}
	return out
}

var Nsw = []enum.OverflowFlag{enum.OverflowFlagNSW}

// Linear returns off + the sum of index times stride. In memory that a view is inside of, an
// access within bounds cannot overflow, and one out of bounds is trapped before or undefined.
// The place in another view is modulo 2^64, as in the interpreter: it is compared with the
// length of the memory afterwards, and an overflow that is undefined would undo the comparison.
func (f *Fn) Linear(m *View, at []value.Value) value.Value {
	flags := Nsw
	if f.compared(m) {
		flags = nil
	}
	lin := m.Off
	for i, x := range at {
		lin = f.Sum(lin, f.Times(x, m.Strides[i], flags...), flags...)
	}
	return lin
}

// compared reports a view whose places are compared with the length of the memory.
func (f *Fn) compared(m *View) bool { return !m.Inside && m.Length != nil && !f.Opts.Unchecked }

// Address returns a pointer to element lin, counted from base.
func (f *Fn) Address(m *View, lin value.Value) value.Value {
	if n, ok := lit.Number(lin); ok && n == 0 {
		return m.Base
	}
	return Add(f, &llir.InstGetElementPtr{ElemType: lit.MemType(f.C, m.Elem), Src: m.Base, Indices: []value.Value{lin}, InBounds: true, Typ: lit.Ptr})
}

// At returns a pointer to the element whose indices are the operands of the current op
// from the given one on.
func (f *Fn) At(m *View, from int) value.Value {
	of := f.G.Args(f.V)[from:]
	return f.Element(m, f.ValuesOf(of), of)
}

// Element returns a pointer to an element after checking the indices, which are the
// translations of values, or constants.
func (f *Fn) Element(m *View, at []value.Value, of []ir.Value) value.Value {
	if f.checks != nil {
		at = f.inBounds(m, at, of)
	} else {
		f.checkBounds(m, at, of)
	}
	return f.ElementAt(m, at, of)
}

// ElementAt is the address of an element within bounds.
func (f *Fn) ElementAt(m *View, at []value.Value, of []ir.Value) value.Value {
	if f.Gpu != nil && of != nil {
		if p := f.stepwise(m, of); p != nil {
			return p
		}
	}
	return f.Address(m, f.Linear(m, at))
}

// Layout is memrefLayout for a type that must have one.
func (f *Fn) Layout(t ir.Type) layoutOf {
	l, ok := memrefLayout(f.C, t)
	if !ok {
		f.Fail("has type %s, which the LLVM backend does not translate; %s", lit.Spell(f.C, t), wayOut(f.C, t))
	}
	return l
}

// Values fills in the dynamic entries of a list.
func Values(static []int64, dyn []value.Value) (out, rest []value.Value) {
	for _, n := range static {
		if n == ir.Dynamic {
			out, dyn = append(out, dyn[0]), dyn[1:]
		} else {
			out = append(out, lit.I64(n))
		}
	}
	return out, dyn
}

// FromFields makes a value of what crosses the border of a function (see fields).
func (f *Fn) FromFields(t ir.Type, fs []value.Value) Val {
	if f.C.Info(t).Kind != ir.KindMemRef {
		return Val{V: fs[0]}
	}
	l := f.Layout(t)
	m := &View{Elem: l.Elem, Base: fs[0], Off: lit.I64(0), Ident: l.Ident}
	m.Sizes, fs = Values(l.Sizes, fs[1:])
	switch {
	case l.Ident:
		m.Strides = f.RowMajor(m.Sizes)
		m.Length, m.Inside = f.Product(m.Sizes), true
	default:
		m.Strides, _ = Values(l.Strides, fs)
		m.Moved = l.Offset == ir.Dynamic
		if l.Offset != 0 && !m.Moved {
			m.Base, m.Off = f.Address(m, lit.I64(-l.Offset)), lit.I64(l.Offset)
		}
	}
	return Val{M: m}
}

// toFields is the inverse of fromFields.
func (f *Fn) toFields(t ir.Type, x Val) []value.Value {
	if x.M == nil {
		return []value.Value{x.V}
	}
	l := f.Layout(t)
	f.checkType(l, x.M)
	out := []value.Value{f.Address(x.M, x.M.Off)}
	out = append(out, pick(l.Sizes, x.M.Sizes)...)
	if !l.Ident {
		out = append(out, pick(l.Strides, x.M.Strides)...)
	}
	return out
}

// checkType checks the sizes and strides that only the type tells beyond this
// place: a memref.cast may have claimed what does not hold.
func (f *Fn) checkType(l layoutOf, m *View) {
	var bad value.Value = lit.Bit(false)
	differs := func(static []int64, xs []value.Value) {
		for i, n := range static {
			if n != ir.Dynamic {
				bad = f.Or(bad, f.Icmp(enum.IPredNE, xs[i], lit.I64(n)))
			}
		}
	}
	if f.Opts.Unchecked {
		return
	}
	differs(l.Sizes, m.Sizes)
	if !l.Ident {
		differs(l.Strides, m.Strides)
	}
	f.Check(bad, "a memref is not as its type says")
}

// pick selects the entries that a type leaves open.
func pick(static []int64, xs []value.Value) []value.Value {
	var out []value.Value
	for i, n := range static {
		if n == ir.Dynamic {
			out = append(out, xs[i])
		}
	}
	return out
}

// Carried lists the LLVM types of a value in phis: a memref keeps its base, and
// its offset if that is dynamic.
func (f *Fn) Carried(t ir.Type) []types.Type {
	if f.C.Info(t).Kind != ir.KindMemRef {
		return []types.Type{f.LLType(t)}
	}
	l := f.Layout(t)
	n := Dynamic(l.Sizes) + Dynamic([]int64{l.Offset})
	if !l.Ident {
		n += Dynamic(l.Strides)
	}
	out := []types.Type{lit.Ptr}
	for range n {
		out = append(out, types.I64)
	}
	return out
}

func (f *Fn) ToCarried(t ir.Type, x Val) []value.Value {
	if x.M == nil {
		return []value.Value{x.V}
	}
	l := f.Layout(t)
	f.checkType(l, x.M)
	base := x.M.Base
	if off, ok := lit.Number(x.M.Off); l.Offset != ir.Dynamic && !(ok && off == l.Offset) {
		base = f.Address(x.M, f.Minus(x.M.Off, lit.I64(l.Offset)))
	}
	out := append([]value.Value{base}, pick([]int64{l.Offset}, []value.Value{x.M.Off})...)
	out = append(out, pick(l.Sizes, x.M.Sizes)...)
	if !l.Ident {
		out = append(out, pick(l.Strides, x.M.Strides)...)
	}
	return out
}

func (f *Fn) FromCarried(t ir.Type, fs []value.Value) Val {
	if f.C.Info(t).Kind != ir.KindMemRef {
		return Val{V: fs[0]}
	}
	l := f.Layout(t)
	m := &View{Elem: l.Elem, Base: fs[0], Ident: l.Ident}
	off, fs := Values([]int64{l.Offset}, fs[1:])
	m.Off = off[0]
	m.Sizes, fs = Values(l.Sizes, fs)
	if l.Ident {
		m.Strides = f.delayedRowMajor(m.Sizes)
	} else {
		m.Strides, _ = Values(l.Strides, fs)
	}
	return Val{M: m}
}

// delayedRowMajor is rowMajor where phis are still being made, which must stay
// together at the head of their block: strides that are not constant are computed
// by afterPhis.
func (f *Fn) delayedRowMajor(sizes []value.Value) []value.Value {
	for _, s := range sizes[min(1, len(sizes)):] {
		if _, ok := lit.Number(s); !ok {
			out := make([]value.Value, len(sizes))
			f.pending = append(f.pending, pendingStrides{nil, sizes, out})
			return out
		}
	}
	return f.RowMajor(sizes)
}

// pendingStrides are those of a memref in phis of a block, or of one made here, of nil.
type pendingStrides struct {
	at         *llir.Block
	sizes, out []value.Value
}

// AfterPhis computes, at the current place, the strides of memrefs in the phis of its block. Those of blocks where branches
// meet wait until they are placed: the branches have loops, and phis, of their own.
func (f *Fn) AfterPhis() {
	var wait []pendingStrides
	for _, p := range f.pending {
		if p.at != nil && p.at != f.Cur {
			wait = append(wait, p)
			continue
		}
		copy(p.out, f.RowMajor(p.sizes))
	}
	f.pending = wait
}
