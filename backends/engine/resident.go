package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

// residency is the memory that the device has copies of, until the end of a call or
// as long as it is kept. The newest contents of a buffer are at the host, on the
// device, or both: they move when the other side needs them, so that launches that
// share a buffer move nothing.
type residency struct {
	ctx     context.Context // of the call under way, and its program
	p       *cudaProgram
	buffers map[*interp.Memory]*resident
	kept    map[*interp.Memory]int // Keeps without a Drop
}

type resident struct {
	mem         cuda.Mem
	host        *jit.Buffer // where the bytes wait for the driver
	hostNewer   bool
	deviceNewer bool
}

func newResidency() *residency {
	return &residency{buffers: map[*interp.Memory]*resident{}, kept: map[*interp.Memory]int{}}
}

// of is the residency for a call of a program.
func (m *residency) of(ctx context.Context, p *cudaProgram) *residency {
	m.ctx, m.p = ctx, p
	return m
}

// address is where a view's first element is on the device, whose copy is made or
// renewed if it must be.
func (m *residency) address(r *interp.MemRef) (uint64, error) {
	if r.Buf.Freed {
		return 0, ir.Trapf("memory is used after it was freed")
	}
	mem := r.Buf.Memory
	b := m.buffers[mem]
	if b == nil {
		var err error
		if b, err = m.make(mem); err != nil {
			return 0, err
		}
	}
	if b.hostNewer {
		if err := m.toDevice(mem, b); err != nil {
			return 0, err
		}
	}
	at, _ := r.Buf.Span(int(r.Offset))
	return b.mem.Addr + uint64(at), nil
}

func (m *residency) make(mem *interp.Memory) (b *resident, err error) {
	if err := m.sweep(); err != nil {
		return nil, err
	}
	if _, ok := m.p.g.Ctx.MemBytes(mem.Whole().Elem); !ok {
		return nil, errors.New("memory of such elements cannot be passed to a kernel")
	}
	b = &resident{hostNewer: true}
	n := int64(len(mem.Bytes()))
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
	m.buffers[mem] = b
	return b, nil
}

// marks stand for poison on the device: what a kernel leaves unchanged, or copies,
// is poison again at the host. As a float a mark is a signalling NaN, which no
// arithmetic gives; as a wide integer it is one of 2^50.
var marks = struct{ bit, f32, f64 []byte }{
	bit: []byte{0xa4}, // not a truth value; its low bit is 0
	f32: binary.LittleEndian.AppendUint32(nil, 0x7f800001|rand.Uint32()&0x003ffffe),
	f64: binary.LittleEndian.AppendUint64(nil, 0x7ff0000000000001|rand.Uint64()&0x0007fffffffffffe),
}

// mark stands for a poison element of a type; nil where its bits could be anything, so
// that poison becomes defined, as it may.
func mark(elem ir.Type) []byte {
	switch elem {
	case ir.F32:
		return marks.f32
	case ir.F64, ir.I64, ir.Index:
		return marks.f64
	case ir.I1:
		return marks.bit
	}
	return nil
}

func (m *residency) toDevice(mem *interp.Memory, b *resident) error {
	data, whole := b.host.Bytes(), mem.Whole()
	copy(data, mem.Bytes())
	if x := mark(whole.Elem); x != nil {
		for i := range whole.Len() {
			if whole.Load(i).IsPoison() {
				copy(data[i*len(x):], x)
			}
		}
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

func (m *residency) toHost(mem *interp.Memory, b *resident) error {
	if err := m.p.e.gpu.CopyOut(m.ctx, b.host, b.mem, b.mem.Size); err != nil {
		return err
	}
	b.deviceNewer = false
	if b.mem.Size > 0 {
		m.p.stats.CopiesOut++
		m.p.stats.BytesOut += b.mem.Size
	}
	data, whole := b.host.Bytes(), mem.Whole()
	mem.Set(data)
	if x := mark(whole.Elem); x != nil {
		for i := range whole.Len() {
			if bytes.Equal(data[i*len(x):][:len(x)], x) {
				whole.Store(i, ir.Val{Ref: ir.Poison})
			}
		}
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
		if b := m.buffers[r.Buf.Memory]; b != nil && b.deviceNewer && !r.Buf.Freed {
			if err := m.toHost(r.Buf.Memory, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed notes that the host may have written to memory among operands.
func (m *residency) changed(args []ir.Val) {
	for _, v := range args {
		if r, ok := v.Ref.(*interp.MemRef); ok && m.buffers[r.Buf.Memory] != nil {
			m.buffers[r.Buf.Memory].hostNewer = true
		}
	}
}

// wrote notes which arguments a kernel has written to.
func (m *residency) wrote(args []ir.Val, written []bool) {
	for i, v := range args {
		if r, ok := v.Ref.(*interp.MemRef); ok && written[i] {
			m.buffers[r.Buf.Memory].deviceNewer = true
		}
	}
}

// sweep frees the copies of memory that the program has freed.
func (m *residency) sweep() error {
	for mem, b := range m.buffers {
		if !mem.Freed {
			continue
		}
		if err := m.drop(mem, b); err != nil {
			return err
		}
	}
	return nil
}

func (m *residency) drop(mem *interp.Memory, b *resident) error {
	delete(m.buffers, mem)
	b.host.Free()
	return m.p.e.gpu.Free(m.ctx, b.mem)
}

// finish brings back to the host what is not kept and what somebody may see, or all, and frees the device's
// copies of it, also when something fails on the way. Memory is freed even if the
// call's time is up.
func (m *residency) finish(all bool) error {
	var first error
	for mem, b := range m.buffers {
		if b.deviceNewer && !mem.Freed && first == nil && (all || m.kept[mem] == 0 && !m.p.inside[mem]) {
			first = m.toHost(mem, b)
		}
	}
	if m.ctx != nil {
		m.ctx = context.WithoutCancel(m.ctx)
	}
	for mem, b := range m.buffers {
		if !all && m.kept[mem] > 0 && !mem.Freed {
			continue
		}
		if err := m.drop(mem, b); err != nil && first == nil {
			first = fmt.Errorf("after the call: %w", err)
		}
	}
	return first
}

// Keep makes the device's copy of a memory stay after the calls that make it.
func (p *cudaProgram) Keep(_ context.Context, m *interp.Memory) error {
	switch by := m.Moved(); {
	case by != nil && by != p.e:
		return errors.New("the memory is bound to another engine")
	case by == nil && m.Bytes() != nil:
		m.Move(m.Bytes(), p.e) // it stays where it is
	}
	p.e.mem.kept[m]++
	return nil
}

// Drop brings memory back and frees the device's copy when nobody keeps it any more.
func (p *cudaProgram) Drop(ctx context.Context, m *interp.Memory) error {
	mem := p.e.mem.of(context.WithoutCancel(ctx), p)
	if mem.kept[m]--; mem.kept[m] > 0 {
		return nil
	}
	delete(mem.kept, m)
	if m.Bytes() != nil {
		m.Move(m.Bytes(), nil)
	}
	b := mem.buffers[m]
	if b == nil || p.e.gpu == nil {
		return nil
	}
	err := p.Fetch(ctx, m)
	return errors.Join(err, mem.drop(m, b))
}

// Fetch brings what kernels have written to a memory back to the host.
func (p *cudaProgram) Fetch(ctx context.Context, m *interp.Memory) error {
	if b := p.e.mem.buffers[m]; b != nil && b.deviceNewer && !m.Freed {
		return p.e.mem.of(ctx, p).toHost(m, b)
	}
	return nil
}

// Wrote notes that what the host has of a memory is what counts.
func (p *cudaProgram) Wrote(m *interp.Memory) {
	if b := p.e.mem.buffers[m]; b != nil {
		b.hostNewer, b.deviceNewer = true, false
	}
}

// Copied counts the copies to the device and back.
func (p *cudaProgram) Copied() run.Copied {
	return run.Copied{To: p.stats.BytesIn, Back: p.stats.BytesOut}
}
