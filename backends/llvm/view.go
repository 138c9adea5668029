package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/ir"
)

// view is a memref inside of a function: the element at index (i, ...) is
// base[off + i*stride + ...]. Static numbers are constants.
type view struct {
	elem    ir.Type
	base    value.Value
	off     value.Value
	sizes   []value.Value
	strides []value.Value
	// length is the number of elements from base on, nil if nobody knows.
	length value.Value
	// inside says that all elements are known to lie in [base, base+length).
	inside bool
	// moved says that base is the element (0, ..., 0) of a type whose offset is
	// dynamic, so that the true base is not known.
	moved bool
	// ident says that strides follow from the sizes, row-major without gaps.
	ident bool
	align int64 // known alignment of base, or 0
}

// Address arithmetic on i64; constants fold, and so do 0 + x, 0 * x and 1 * x.

func (f *fn) sum(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	switch {
	case okA && okB:
		return i64(a + b)
	case okA && a == 0:
		return y
	case okB && b == 0:
		return x
	}
	i := add(f, llir.NewAdd(x, y))
	i.OverflowFlags = flags
	return i
}

func (f *fn) times(x, y value.Value, flags ...enum.OverflowFlag) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	switch {
	case okA && okB:
		return i64(a * b)
	case okA && a == 0, okB && b == 0:
		return i64(0)
	case okA && a == 1:
		return y
	case okB && b == 1:
		return x
	}
	i := add(f, llir.NewMul(x, y))
	i.OverflowFlags = flags
	return i
}

func (f *fn) minus(x, y value.Value) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	switch {
	case okA && okB:
		return i64(a - b)
	case okB && b == 0:
		return x
	}
	return add(f, llir.NewSub(x, y))
}

func (f *fn) product(xs []value.Value) value.Value {
	var p value.Value = i64(1)
	for _, x := range xs {
		p = f.times(p, x)
	}
	return p
}

// rowMajor returns the strides of memory without gaps.
func (f *fn) rowMajor(sizes []value.Value) []value.Value {
	out := make([]value.Value, len(sizes))
	var n value.Value = i64(1)
	for i := len(sizes) - 1; i >= 0; i-- {
		out[i] = n
		if i > 0 {
			n = f.times(n, sizes[i])
		}
	}
	return out
}

var nsw = []enum.OverflowFlag{enum.OverflowFlagNSW}

// linear returns off + the sum of index times stride. In memory that a view is inside of, an
// access within bounds cannot overflow, and one out of bounds is trapped before or undefined.
// The place in another view is modulo 2^64, as in the interpreter: it is compared with the
// length of the memory afterwards, and an overflow that is undefined would undo the comparison.
func (f *fn) linear(m *view, at []value.Value) value.Value {
	flags := nsw
	if f.compared(m) {
		flags = nil
	}
	lin := m.off
	for i, x := range at {
		lin = f.sum(lin, f.times(x, m.strides[i], flags...), flags...)
	}
	return lin
}

// compared reports a view whose places are compared with the length of the memory.
func (f *fn) compared(m *view) bool { return !m.inside && m.length != nil && !f.opts.Unchecked }

// address returns a pointer to element lin, counted from base.
func (f *fn) address(m *view, lin value.Value) value.Value {
	if n, ok := number(lin); ok && n == 0 {
		return m.base
	}
	return add(f, &llir.InstGetElementPtr{ElemType: memType(f.c, m.elem), Src: m.base, Indices: []value.Value{lin}, InBounds: true, Typ: ptr})
}

// at returns a pointer to the element whose indices are the operands of the current op
// from the given one on.
func (f *fn) at(m *view, from int) value.Value {
	of := f.g.Args(f.v)[from:]
	return f.element(m, f.valuesOf(of), of)
}

// element returns a pointer to an element after checking the indices, which are the
// translations of values, or constants.
func (f *fn) element(m *view, at []value.Value, of []ir.Value) value.Value {
	if f.checks != nil {
		at = f.inBounds(m, at, of)
	} else {
		f.checkBounds(m, at, of)
	}
	return f.elementAt(m, at, of)
}

// elementAt is the address of an element within bounds.
func (f *fn) elementAt(m *view, at []value.Value, of []ir.Value) value.Value {
	if f.gpu != nil && of != nil {
		if p := f.stepwise(m, of); p != nil {
			return p
		}
	}
	return f.address(m, f.linear(m, at))
}

// layout is memrefLayout for a type that must have one.
func (f *fn) layout(t ir.Type) layoutOf {
	l, ok := memrefLayout(f.c, t)
	if !ok {
		f.fail("has type %s, which the LLVM backend does not translate; %s", spell(f.c, t), wayOut(f.c, t))
	}
	return l
}

// values fills in the dynamic entries of a list.
func values(static []int64, dyn []value.Value) (out, rest []value.Value) {
	for _, n := range static {
		if n == ir.Dynamic {
			out, dyn = append(out, dyn[0]), dyn[1:]
		} else {
			out = append(out, i64(n))
		}
	}
	return out, dyn
}

// fromFields makes a value of what crosses the border of a function (see fields).
func (f *fn) fromFields(t ir.Type, fs []value.Value) val {
	if f.c.Info(t).Kind != ir.KindMemRef {
		return val{v: fs[0]}
	}
	l := f.layout(t)
	m := &view{elem: l.elem, base: fs[0], off: i64(0), ident: l.ident}
	m.sizes, fs = values(l.sizes, fs[1:])
	switch {
	case l.ident:
		m.strides = f.rowMajor(m.sizes)
		m.length, m.inside = f.product(m.sizes), true
	default:
		m.strides, _ = values(l.strides, fs)
		m.moved = l.offset == ir.Dynamic
		if l.offset != 0 && !m.moved {
			m.base, m.off = f.address(m, i64(-l.offset)), i64(l.offset)
		}
	}
	return val{m: m}
}

// toFields is the inverse of fromFields.
func (f *fn) toFields(t ir.Type, x val) []value.Value {
	if x.m == nil {
		return []value.Value{x.v}
	}
	l := f.layout(t)
	f.checkType(l, x.m)
	out := []value.Value{f.address(x.m, x.m.off)}
	out = append(out, pick(l.sizes, x.m.sizes)...)
	if !l.ident {
		out = append(out, pick(l.strides, x.m.strides)...)
	}
	return out
}

// checkType checks the sizes and strides that only the type tells beyond this
// place: a memref.cast may have claimed what does not hold.
func (f *fn) checkType(l layoutOf, m *view) {
	var bad value.Value = bit(false)
	differs := func(static []int64, xs []value.Value) {
		for i, n := range static {
			if n != ir.Dynamic {
				bad = f.or(bad, f.icmp(enum.IPredNE, xs[i], i64(n)))
			}
		}
	}
	if f.opts.Unchecked {
		return
	}
	differs(l.sizes, m.sizes)
	if !l.ident {
		differs(l.strides, m.strides)
	}
	f.check(bad, "a memref is not as its type says")
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

// carried lists the LLVM types of a value in phis: a memref keeps its base, and
// its offset if that is dynamic.
func (f *fn) carried(t ir.Type) []types.Type {
	if f.c.Info(t).Kind != ir.KindMemRef {
		return []types.Type{f.llType(t)}
	}
	l := f.layout(t)
	n := dynamic(l.sizes) + dynamic([]int64{l.offset})
	if !l.ident {
		n += dynamic(l.strides)
	}
	out := []types.Type{ptr}
	for range n {
		out = append(out, types.I64)
	}
	return out
}

func (f *fn) toCarried(t ir.Type, x val) []value.Value {
	if x.m == nil {
		return []value.Value{x.v}
	}
	l := f.layout(t)
	f.checkType(l, x.m)
	base := x.m.base
	if off, ok := number(x.m.off); l.offset != ir.Dynamic && !(ok && off == l.offset) {
		base = f.address(x.m, f.minus(x.m.off, i64(l.offset)))
	}
	out := append([]value.Value{base}, pick([]int64{l.offset}, []value.Value{x.m.off})...)
	out = append(out, pick(l.sizes, x.m.sizes)...)
	if !l.ident {
		out = append(out, pick(l.strides, x.m.strides)...)
	}
	return out
}

func (f *fn) fromCarried(t ir.Type, fs []value.Value) val {
	if f.c.Info(t).Kind != ir.KindMemRef {
		return val{v: fs[0]}
	}
	l := f.layout(t)
	m := &view{elem: l.elem, base: fs[0], ident: l.ident}
	off, fs := values([]int64{l.offset}, fs[1:])
	m.off = off[0]
	m.sizes, fs = values(l.sizes, fs)
	if l.ident {
		m.strides = f.delayedRowMajor(m.sizes)
	} else {
		m.strides, _ = values(l.strides, fs)
	}
	return val{m: m}
}

// delayedRowMajor is rowMajor where phis are still being made, which must stay
// together at the head of their block: strides that are not constant are computed
// by afterPhis.
func (f *fn) delayedRowMajor(sizes []value.Value) []value.Value {
	for _, s := range sizes[min(1, len(sizes)):] {
		if _, ok := number(s); !ok {
			out := make([]value.Value, len(sizes))
			f.pending = append(f.pending, pendingStrides{nil, sizes, out})
			return out
		}
	}
	return f.rowMajor(sizes)
}

// pendingStrides are those of a memref in phis of a block, or of one made here, of nil.
type pendingStrides struct {
	at         *llir.Block
	sizes, out []value.Value
}

// afterPhis computes, at the current place, the strides of memrefs in the phis of its block. Those of blocks where branches
// meet wait until they are placed: the branches have loops, and phis, of their own.
func (f *fn) afterPhis() {
	var wait []pendingStrides
	for _, p := range f.pending {
		if p.at != nil && p.at != f.cur {
			wait = append(wait, p)
			continue
		}
		copy(p.out, f.rowMajor(p.sizes))
	}
	f.pending = wait
}
