package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// residency is the memory of a call that the device has copies of. The newest
// contents of a buffer are at the host, on the device, or both: they move when the
// other side needs them, so that launches that share a buffer move nothing.
type residency struct {
	ctx     context.Context
	p       *cudaProgram
	buffers map[*interp.Buffer]*resident
}

type resident struct {
	mem         cuda.Mem
	host        *jit.Buffer // where the bytes wait for the driver
	size        int         // of an element
	hostNewer   bool
	deviceNewer bool
}

func newResidency(ctx context.Context, p *cudaProgram) *residency {
	return &residency{ctx: ctx, p: p, buffers: map[*interp.Buffer]*resident{}}
}

// address is where a view's first element is on the device, whose copy is made or
// renewed if it must be.
func (m *residency) address(r *interp.MemRef) (uint64, error) {
	if r.Buf.Freed {
		return 0, ir.Trapf("memory is used after it was freed")
	}
	b := m.buffers[r.Buf]
	if b == nil {
		var err error
		if b, err = m.make(r.Buf); err != nil {
			return 0, err
		}
	}
	if b.hostNewer {
		if err := m.toDevice(r.Buf, b); err != nil {
			return 0, err
		}
	}
	return b.mem.Addr + uint64(r.Offset*int64(b.size)), nil
}

func (m *residency) make(buf *interp.Buffer) (b *resident, err error) {
	if err := m.sweep(); err != nil {
		return nil, err
	}
	b = &resident{size: int(elemBytes(m.p.g.Ctx, buf.Elem)), hostNewer: true}
	if b.size == 0 {
		return nil, errors.New("memory of such elements cannot be passed to a kernel")
	}
	n := int64(buf.Len() * b.size)
	if b.host, err = m.p.e.gpu.Host(m.ctx, n); err != nil {
		return nil, err
	}
	if b.mem, err = m.p.e.gpu.Alloc(m.ctx, n); err != nil {
		b.host.Free()
		return nil, err
	}
	if n > 0 {
		m.p.stats.Allocations++
	}
	m.buffers[buf] = b
	return b, nil
}

// marks stand for poison on the device: what a kernel leaves unchanged, or copies,
// is poison again at the host. As a float a mark is a signalling NaN, which no
// arithmetic gives; as a wide integer it is one of 2^50. The bits of other types
// could be anything, so poison becomes defined there, as it may.
var marks = struct{ f32, f64 uint64 }{
	f32: 0x7f800001 | uint64(rand.Uint32())&0x003ffffe,
	f64: 0x7ff0000000000001 | rand.Uint64()&0x0007fffffffffffe,
}

func (m *residency) mark(elem ir.Type) (bits uint64, sure bool) {
	switch {
	case elem == ir.F32:
		return marks.f32, true
	case elem == ir.F64 || elem == ir.I64 || elem == ir.Index:
		return marks.f64, true
	case elem == ir.I1:
		return 0xa4, true // not a truth value; its low bit is 0
	}
	return marks.f64, false
}

func (m *residency) toDevice(buf *interp.Buffer, b *resident) error {
	data := b.host.Bytes()
	mark, _ := m.mark(buf.Elem)
	for i := range buf.Len() {
		x := buf.Load(i)
		if x.IsPoison() {
			x.Bits = mark
		}
		put(data[i*b.size:], b.size, x.Bits)
	}
	if err := m.p.e.gpu.CopyIn(m.ctx, b.mem, b.host, b.mem.Size); err != nil {
		return err
	}
	b.hostNewer = false
	if b.mem.Size > 0 {
		m.p.stats.CopiesIn++
		m.p.stats.BytesIn += b.mem.Size
	}
	return nil
}

func (m *residency) toHost(buf *interp.Buffer, b *resident) error {
	if err := m.p.e.gpu.CopyOut(m.ctx, b.host, b.mem, b.mem.Size); err != nil {
		return err
	}
	b.deviceNewer = false
	if b.mem.Size > 0 {
		m.p.stats.CopiesOut++
		m.p.stats.BytesOut += b.mem.Size
	}
	data, w := b.host.Bytes(), m.p.g.Ctx.Info(buf.Elem).Width
	mark, sure := m.mark(buf.Elem)
	for i := range buf.Len() {
		v := ir.IntVal(int64(get(data[i*b.size:], b.size)), w)
		if sure && get(data[i*b.size:], b.size) == mark {
			v = ir.Val{Ref: ir.Poison}
		}
		buf.Store(i, v)
	}
	return nil
}

// needed brings memory among operands up to date at the host.
func (m *residency) needed(args []ir.Val) error {
	for _, v := range args {
		r, ok := v.Ref.(*interp.MemRef)
		if !ok {
			continue
		}
		if b := m.buffers[r.Buf]; b != nil && b.deviceNewer && !r.Buf.Freed {
			if err := m.toHost(r.Buf, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed notes that the host may have written to memory among operands.
func (m *residency) changed(args []ir.Val) {
	for _, v := range args {
		if r, ok := v.Ref.(*interp.MemRef); ok && m.buffers[r.Buf] != nil {
			m.buffers[r.Buf].hostNewer = true
		}
	}
}

// wrote notes which arguments a kernel has written to.
func (m *residency) wrote(args []ir.Val, written []bool) {
	for i, v := range args {
		if r, ok := v.Ref.(*interp.MemRef); ok && written[i] {
			m.buffers[r.Buf].deviceNewer = true
		}
	}
}

// sweep frees the copies of memory that the program has freed.
func (m *residency) sweep() error {
	for buf, b := range m.buffers {
		if !buf.Freed {
			continue
		}
		if err := m.drop(buf, b); err != nil {
			return err
		}
	}
	return nil
}

func (m *residency) drop(buf *interp.Buffer, b *resident) error {
	delete(m.buffers, buf)
	b.host.Free()
	return m.p.e.gpu.Free(m.ctx, b.mem)
}

// finish brings everything back to the host and frees the device's copies, also
// when something fails on the way. Memory is freed even if the call's time is up.
func (m *residency) finish() error {
	var first error
	for buf, b := range m.buffers {
		if b.deviceNewer && !buf.Freed && first == nil {
			first = m.toHost(buf, b)
		}
	}
	m.ctx = context.WithoutCancel(m.ctx)
	for buf, b := range m.buffers {
		if err := m.drop(buf, b); err != nil && first == nil {
			first = fmt.Errorf("after the call: %w", err)
		}
	}
	return first
}
