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

var Nsw = []enum.OverflowFlag{enum.OverflowFlagNSW}

// Linear returns off + the sum of index times stride. In memory that a view is inside of, an
// access within bounds cannot overflow, and one out of bounds is trapped before or undefined.
// The place in another view is modulo 2^64, as in the interpreter: it is compared with the
// length of the memory afterwards, and an overflow that is undefined would undo the comparison.
func (ib *Builder) Linear(m *View, at []value.Value) value.Value {
	flags := Nsw
	if ib.compared(m) {
		flags = nil
	}
	lin := m.Off
	for i, x := range at {
		lin = ib.Sum(lin, ib.Times(x, m.Strides[i], flags...), flags...)
	}
	return lin
}

// compared reports a view whose places are compared with the length of the memory.
func (ib *Builder) compared(m *View) bool {
	return !m.Inside && m.Length != nil && !ib.e.Opts.Unchecked
}

// Address returns a pointer to element lin, counted from base.
func (ib *Builder) Address(m *View, lin value.Value) value.Value {
	if n, ok := lit.Number(lin); ok && n == 0 {
		return m.Base
	}
	return Add(ib, &llir.InstGetElementPtr{ElemType: lit.MemType(ib.e.C, m.Elem), Src: m.Base, Indices: []value.Value{lin}, InBounds: true, Typ: lit.Ptr})
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
	if f.Loops.checks != nil {
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
	return f.B.Address(m, f.B.Linear(m, at))
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
		m.Strides = f.B.RowMajor(m.Sizes)
		m.Length, m.Inside = f.B.Product(m.Sizes), true
	default:
		m.Strides, _ = Values(l.Strides, fs)
		m.Moved = l.Offset == ir.Dynamic
		if l.Offset != 0 && !m.Moved {
			m.Base, m.Off = f.B.Address(m, lit.I64(-l.Offset)), lit.I64(l.Offset)
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
	out := []value.Value{f.B.Address(x.M, x.M.Off)}
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
				bad = f.B.Or(bad, f.B.Icmp(enum.IPredNE, xs[i], lit.I64(n)))
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
func (ph *Phis) Carried(t ir.Type) []types.Type {
	if ph.f.C.Info(t).Kind != ir.KindMemRef {
		return []types.Type{ph.f.LLType(t)}
	}
	l := ph.f.Layout(t)
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

func (ph *Phis) ToCarried(t ir.Type, x Val) []value.Value {
	if x.M == nil {
		return []value.Value{x.V}
	}
	l := ph.f.Layout(t)
	ph.f.checkType(l, x.M)
	base := x.M.Base
	if off, ok := lit.Number(x.M.Off); l.Offset != ir.Dynamic && !(ok && off == l.Offset) {
		base = ph.b.Address(x.M, ph.b.Minus(x.M.Off, lit.I64(l.Offset)))
	}
	out := append([]value.Value{base}, pick([]int64{l.Offset}, []value.Value{x.M.Off})...)
	out = append(out, pick(l.Sizes, x.M.Sizes)...)
	if !l.Ident {
		out = append(out, pick(l.Strides, x.M.Strides)...)
	}
	return out
}

func (ph *Phis) FromCarried(t ir.Type, fs []value.Value) Val {
	if ph.f.C.Info(t).Kind != ir.KindMemRef {
		return Val{V: fs[0]}
	}
	l := ph.f.Layout(t)
	m := &View{Elem: l.Elem, Base: fs[0], Ident: l.Ident}
	off, fs := Values([]int64{l.Offset}, fs[1:])
	m.Off = off[0]
	m.Sizes, fs = Values(l.Sizes, fs)
	if l.Ident {
		m.Strides = ph.delayedRowMajor(m.Sizes)
	} else {
		m.Strides, _ = Values(l.Strides, fs)
	}
	return Val{M: m}
}

// delayedRowMajor is rowMajor where phis are still being made, which must stay
// together at the head of their block: strides that are not constant are computed
// by afterPhis.
func (ph *Phis) delayedRowMajor(sizes []value.Value) []value.Value {
	for _, s := range sizes[min(1, len(sizes)):] {
		if _, ok := lit.Number(s); !ok {
			out := make([]value.Value, len(sizes))
			ph.pending = append(ph.pending, pendingStrides{nil, sizes, out})
			return out
		}
	}
	return ph.b.RowMajor(sizes)
}

// Phis are the values that loops carry and that branches give. Phis stay together at the head of their block, so strides that
// have to be computed of them wait until all of them are made.
type Phis struct {
	f       *Fn
	b       *Builder
	pending []pendingStrides
}

// pendingStrides are those of a memref in phis of a block, or of one made here, of nil.
type pendingStrides struct {
	at         *llir.Block
	sizes, out []value.Value
}

// After computes, at the current place, the strides of memrefs in the phis of its block. Those of blocks where branches
// meet wait until they are placed: the branches have loops, and phis, of their own.
func (ph *Phis) After() {
	var wait []pendingStrides
	for _, p := range ph.pending {
		if p.at != nil && p.at != ph.b.Cur {
			wait = append(wait, p)
			continue
		}
		copy(p.out, ph.b.RowMajor(p.sizes))
	}
	ph.pending = wait
}
