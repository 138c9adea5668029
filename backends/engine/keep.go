package engine

import (
	"context"
	"errors"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
)

// keptMemory is memory whose bytes are a buffer that all children see: interpreter,
// host and native code work on the same bytes.
type keptMemory struct {
	buf   *jit.Buffer
	users int // Keeps without a Drop
	calls int // that were given it
}

// hugeBytes is the size from which on memory that is given to a second call gets large pages:
// who calls twice calls often, and all that such memory saves is waiting for it.
const hugeBytes = 8 << 20

// given counts a call.
func (k *keptMemory) given() {
	if k.calls++; k.calls == 2 && len(k.buf.Bytes()) >= hugeBytes {
		go k.buf.UseHugePages()
	}
}

// Keep moves memory to where native code has it. It has no poison any more.
func (p *llvmProgram) Keep(ctx context.Context, m *interp.Memory) error {
	if k := p.e.kept[m]; k != nil {
		k.users++
		return nil
	}
	if m.Moved() != nil {
		return errors.New("the memory is bound to another engine")
	}
	buf, err := p.alloc(ctx, m)
	var f *jit.Fault
	if errors.As(err, &f) && f.Unreceived && f.Err == nil { // the child had died before
		p.e.died(err)
		buf, err = p.alloc(ctx, m)
	}
	if err != nil {
		p.e.died(err)
		return err
	}
	m.Define()
	m.Move(buf.Bytes(), p.e)
	p.copied.To += int64(len(buf.Bytes()))
	p.e.kept[m] = &keptMemory{buf: buf, users: 1}
	return nil
}

// alloc makes room for a memory that native code has.
func (p *llvmProgram) alloc(ctx context.Context, m *interp.Memory) (*jit.Buffer, error) {
	if _, ok := p.ctx.MemBytes(m.Whole().Elem); !ok {
		return nil, errors.New("memory of such elements cannot be passed to compiled code")
	}
	if err := p.e.alive(); err != nil {
		return nil, err
	}
	return p.e.child.Alloc(ctx, len(m.Bytes()))
}

// Drop brings memory home when nobody keeps it any more.
func (p *llvmProgram) Drop(_ context.Context, m *interp.Memory) error {
	k := p.e.kept[m]
	if k == nil { // the engine was closed
		return nil
	}
	if k.users--; k.users == 0 {
		if !m.Freed {
			p.copied.Back += int64(len(k.buf.Bytes()))
		}
		p.e.home(m)
	}
	return nil
}

// home ends that memory is shared.
func (e *llvmEngine) home(m *interp.Memory) {
	if !m.Freed {
		m.Move(nil, nil)
	}
	e.kept[m].buf.Free()
	delete(e.kept, m)
}

// Fetch does nothing: the memory is shared.
func (*llvmProgram) Fetch(context.Context, *interp.Memory) error { return nil }

// Wrote does nothing.
func (*llvmProgram) Wrote(*interp.Memory) {}

// Copied counts the copies of arguments and results, and those of Keep and Drop.
func (p *llvmProgram) Copied() run.Copied { return p.copied }
