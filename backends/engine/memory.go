package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// memory is the memory of the arguments of a request, as the child sees it.
type memory struct {
	ctx    context.Context
	p      *llvmProgram
	shared map[*interp.Memory]*jit.Buffer
	order  []*interp.Memory
}

func newMemory(ctx context.Context, p *llvmProgram) *memory {
	return &memory{ctx: ctx, p: p, shared: map[*interp.Memory]*jit.Buffer{}}
}

func (m *memory) free() {
	for mem, b := range m.shared {
		if m.p.e.kept[mem] == nil {
			b.Free()
		}
	}
}

// slots makes the argument slots of a thunk.
func (m *memory) slots(types []ir.Type, args []ir.Val) ([]uint64, error) {
	if len(args) != len(types) {
		return nil, fmt.Errorf("%d arguments for a function of %d", len(args), len(types))
	}
	var out []uint64
	for i, t := range types {
		s, err := m.argument(out, t, args[i])
		if err != nil {
			return nil, fmt.Errorf("argument #%d: %w", i, err)
		}
		out = s
	}
	return out, nil
}

// errPoison refuses an argument: what is compiled counts on numbers.
var errPoison = errors.New("the value is poison, which a public function takes none of")

func (m *memory) argument(out []uint64, t ir.Type, v ir.Val) ([]uint64, error) {
	info := m.p.ctx.Info(t)
	switch x := v.Ref.(type) {
	case ir.Vector:
		n, _ := llvm.Slots(m.p.ctx, t)
		if info.Kind != ir.KindVector || len(x) != n {
			return nil, fmt.Errorf("a vector of %d elements does not fit its type", len(x))
		}
		for _, e := range x {
			if e.IsPoison() {
				return nil, errPoison
			}
			out = append(out, e.Bits)
		}
		return out, nil
	case *interp.MemRef:
		return m.memref(out, t, x)
	}
	switch {
	case v.IsPoison():
		return nil, errPoison
	case v.Ref != nil || info.Kind == ir.KindMemRef || info.Kind == ir.KindVector:
		return nil, errors.New("the value is not one of its type")
	}
	return append(out, v.Bits), nil
}

func (m *memory) memref(out []uint64, t ir.Type, r *interp.MemRef) ([]uint64, error) {
	if err := m.fits(t, r); err != nil {
		return nil, err
	}
	if r.Buf.Freed {
		return nil, errors.New("the memory was freed")
	}
	b, err := m.share(r.Buf.Memory)
	if err != nil {
		return nil, err
	}
	at, _ := r.Buf.Span(int(r.Offset))
	out = append(out, b.Addr()+uint64(at))
	for _, n := range append(slices.Clone(r.Sizes), r.Strides...) {
		out = append(out, uint64(n))
	}
	return out, nil
}

// fits checks that a memref is one of a type.
func (m *memory) fits(t ir.Type, r *interp.MemRef) error {
	info := m.p.ctx.Info(t)
	strides, _, ok := layouts.Layout(m.p.ctx, t)
	if !ok || r.Buf.Elem != info.Elem || len(r.Sizes) != len(info.Shape) || len(r.Strides) != len(r.Sizes) {
		return errors.New("the memref is not one of its type")
	}
	row, _, ok := strided.RowMajor(r.Sizes)
	if !ok {
		return fmt.Errorf("a memref of sizes %v is impossible", r.Sizes)
	}
	for i, n := range info.Shape {
		if n != ir.Dynamic && n != r.Sizes[i] {
			return fmt.Errorf("size %d of dimension %d, wanted %d", r.Sizes[i], i, n)
		}
		want := strides[i]
		if info.Layout == 0 {
			want = row[i]
		}
		if want != ir.Dynamic && want != r.Strides[i] && r.Sizes[i] > 1 {
			return fmt.Errorf("stride %d of dimension %d, wanted %d", r.Strides[i], i, want)
		}
	}
	return r.Check()
}

// share copies memory to the child's unless it is kept there. Two memrefs of one memory
// share it.
func (m *memory) share(mem *interp.Memory) (*jit.Buffer, error) {
	if b := m.shared[mem]; b != nil {
		return b, nil
	}
	var b *jit.Buffer
	if k := m.p.e.kept[mem]; k != nil {
		b = k.buf
		k.given()
		mem.Define() // the host may have stored poison
	} else {
		var err error
		if b, err = m.p.alloc(m.ctx, mem); err != nil {
			return nil, err
		}
		copy(b.Bytes(), mem.Bytes())
		m.p.copied.To += int64(len(b.Bytes()))
	}
	m.shared[mem] = b
	m.order = append(m.order, mem)
	return b, nil
}

// back copies what the child left in shared memory.
func (m *memory) back() {
	for _, mem := range m.order {
		if m.p.e.kept[mem] == nil {
			mem.Overwrite(m.shared[mem].Bytes())
			m.p.copied.Back += int64(len(m.shared[mem].Bytes()))
		}
	}
}

// values reads the result slots of the thunk of a function.
func (m *memory) values(f *llvm.Func, slots []uint64) ([]ir.Val, error) {
	c := m.p.ctx
	out := make([]ir.Val, len(f.Out))
	for i, t := range f.Out {
		n, _ := llvm.Slots(c, t)
		var err error
		switch info := c.Info(t); info.Kind {
		case ir.KindMemRef:
			out[i], err = m.result(info, slots[:n], f.New[i])
		case ir.KindVector:
			vec := make(ir.Vector, n)
			for k := range vec {
				vec[k] = ir.IntVal(int64(slots[k]), c.Info(info.Elem).Width)
			}
			out[i] = ir.Val{Ref: vec}
		default:
			out[i] = ir.IntVal(int64(slots[0]), info.Width)
		}
		if err != nil {
			return nil, fmt.Errorf("result #%d: %w", i, err)
		}
		slots = slots[n:]
	}
	return out, nil
}

// result makes a memref of the child's: a view of an argument's memory, or a copy
// of what the child allocated, which it frees if that is new.
func (m *memory) result(info *ir.TypeInfo, slots []uint64, fresh bool) (ir.Val, error) {
	rank, c := len(info.Shape), m.p.ctx
	size, ok := c.MemBytes(info.Elem)
	if !ok {
		return ir.Val{}, errors.New("memory of such elements cannot be read from compiled code")
	}
	r := &interp.MemRef{}
	for i := range rank {
		r.Sizes = append(r.Sizes, int64(slots[1+i]))
		r.Strides = append(r.Strides, int64(slots[1+rank+i]))
	}
	for _, mem := range m.order {
		b, whole := m.shared[mem], mem.Whole()
		off := slots[0] - b.Addr()
		if slots[0] < b.Addr() || off >= uint64(len(b.Bytes())) {
			continue
		}
		if whole.Elem == info.Elem {
			r.Buf, r.Offset = whole, int64(off)/size
			return r.Val(), r.Check()
		}
		var err error
		if r.Buf, err = whole.View(c, info.Elem, int64(off)); err != nil {
			return ir.Val{}, err
		}
		return r.Val(), r.Check()
	}
	low, high, ok := span(r)
	if !ok {
		return ir.Val{}, fmt.Errorf("a memref of sizes %v and strides %v is impossible", r.Sizes, r.Strides)
	}
	r.Buf, r.Offset = interp.NewBuffer(c, info.Elem, int(high-low), false), -low
	m.p.copied.Back += int64(len(r.Buf.Bytes()))
	if fresh {
		return r.Val(), m.p.e.child.Take(m.ctx, slots[0], r.Buf.Bytes())
	}
	return r.Val(), m.p.e.child.Read(m.ctx, slots[0]+uint64(low*size), r.Buf.Bytes())
}

// maxRead bounds the elements that are read from the child.
const maxRead = 1 << 28

// span is the range of places, relative to the first element, of a memref.
func span(r *interp.MemRef) (low, high int64, ok bool) {
	for i, n := range r.Sizes {
		if n == 0 {
			return 0, 0, true
		}
		s := r.Strides[i]
		if n < 0 || n > maxRead || s > maxRead || s < -maxRead {
			return 0, 0, false
		}
		low += min(0, (n-1)*s)
		high += max(0, (n-1)*s)
	}
	return low, high + 1, high-low < maxRead
}
