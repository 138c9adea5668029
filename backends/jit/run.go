//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Module is a module compiled in a child.
type Module struct {
	c      *Child
	id     uint32
	names  []string
	timing Timing
}

// Compile compiles a module in the child, together with what runtime.ll
// provides. Addresses in o.Symbols are those of the child (Buffer.Addr).
// Refusals are *CompileError; when LLVM itself crashes, a *Fault.
func (c *Child) Compile(ctx context.Context, ll string, o Options) (*Module, error) {
	r, err := c.do(ctx, &request{Op: opCompile, IR: ll, Options: o})
	if err != nil {
		return nil, err
	}
	return &Module{c: c, id: r.Module, names: r.Names, timing: r.Timing}, nil
}

// Symbols are the functions that the module defines with external linkage.
func (m *Module) Symbols() []string { return slices.Clone(m.names) }

// Timing is what compiling cost.
func (m *Module) Timing() Timing { return m.timing }

// Close frees the code in the child.
func (m *Module) Close() error {
	_, err := m.c.do(context.Background(), &request{Op: opDrop, Module: m.id})
	return err
}

// Call runs one thunk with the argument slots and room for so many results. The
// error is a *Fault when the child died of the call, or when ctx ended it.
func (m *Module) Call(ctx context.Context, symbol string, args []uint64, results int) (Result, error) {
	list, err := m.Batch(ctx, []Call{{symbol, args, results}})
	if err != nil {
		return Result{}, err
	}
	return list[0], nil
}

// Batch runs calls in order, each whatever the status of those before. A *Fault
// says in Call which one it was in; with it come the results of those before.
func (m *Module) Batch(ctx context.Context, calls []Call) ([]Result, error) {
	q, err := m.request(opCalls, calls)
	if err != nil {
		return nil, err
	}
	out, _, err := m.run(ctx, q)
	return out, err
}

// run makes the calls of a request.
func (m *Module) run(ctx context.Context, q *request) ([]Result, *reply, error) {
	size := headWords * len(q.NRes)
	for _, n := range q.NRes {
		size += int(n)
	}
	area, err := m.c.Alloc(ctx, 8*size)
	if err != nil {
		return nil, nil, err
	}
	defer area.Free()
	q.Addr, q.Size = area.Addr(), int64(8*size)
	r, err := m.c.do(ctx, q)
	if err == nil {
		return readResults(area.Bytes(), q.NRes, r.log), r, nil
	}
	var f *Fault
	if errors.As(err, &f) && f.Call >= 0 {
		return readResults(area.Bytes(), q.NRes[:f.Call], f.log), nil, err
	}
	return nil, nil, err
}

// CallMany runs one call n times, in a loop of native code, and returns the last run's result and the time of
// one run. The result's Wall is the time of all runs. It stops at the first status other than 0.
func (m *Module) CallMany(ctx context.Context, call Call, n int) (Result, time.Duration, error) {
	if n <= 0 {
		return Result{}, 0, fmt.Errorf("jit: CallMany of %d runs; at least 1 is needed", n)
	}
	q, err := m.request(opRepeat, []Call{call})
	if err != nil {
		return Result{}, 0, err
	}
	q.Count = int64(n)
	list, r, err := m.run(ctx, q)
	if err != nil {
		return Result{}, 0, err
	}
	return list[0], list[0].Wall / time.Duration(max(r.Size, 1)), nil
}

// request flattens calls. Sizes are checked here: the child trusts them.
func (m *Module) request(op opcode, calls []Call) (*request, error) {
	const most = 1 << 24 // slots of one batch: 128 MiB; bulk data goes into buffers
	q := &request{Op: op, Module: m.id, Fn: make([]uint32, len(calls)),
		NArgs: make([]uint32, len(calls)), NRes: make([]uint32, len(calls))}
	index := map[string]uint32{}
	results := 0
	for i, call := range calls {
		fn, ok := index[call.Symbol]
		if !ok {
			fn = uint32(len(q.Symbols))
			index[call.Symbol] = fn
			q.Symbols = append(q.Symbols, call.Symbol)
		}
		if call.Results < 0 || call.Results > most {
			return nil, fmt.Errorf("jit: call of @%s with %d result slots", call.Symbol, call.Results)
		}
		q.Fn[i], q.NArgs[i], q.NRes[i] = fn, uint32(len(call.Args)), uint32(call.Results)
		q.Slots = append(q.Slots, call.Args...)
		results += call.Results
	}
	if len(q.Slots) > most || results > most {
		return nil, fmt.Errorf("jit: a batch of %d argument and %d result slots; at most %d of each are possible", len(q.Slots), results, most)
	}
	return q, nil
}

// Alloc makes n bytes of zeroed memory that this process and native code share.
func (c *Child) Alloc(ctx context.Context, n int) (*Buffer, error) {
	if n < 0 || int64(n) > 1<<46 {
		return nil, fmt.Errorf("jit: Alloc of %d bytes", n)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.end != nil {
		return nil, fmt.Errorf("jit: the child process has ended: %w", c.end)
	}
	c.shared.mu.Lock()
	defer c.shared.mu.Unlock()
	b := c.shared.cut(n)
	if b == nil {
		if err := c.addSegment(ctx, n); err != nil {
			return nil, err
		}
		if b = c.shared.cut(n); b == nil {
			return nil, errors.New("jit: a new segment is too small") // not reached: it is made for n
		}
	}
	b.size = n
	return b, nil
}

// addSegment maps more of the shared file, at least n bytes, on both sides.
func (c *Child) addSegment(ctx context.Context, n int) error {
	a := c.shared
	size, off := int64(max(roundUp(n, pageSize), segmentMinimum)), int64(roundUp(int(a.size), hugePage))
	if limit := c.o.Memory; limit > 0 && a.used+size > limit {
		return fmt.Errorf("jit: buffers of %d bytes in all exceed the child's memory limit of %d", a.used+size, limit)
	}
	if err := a.grow(off - a.size + size); err != nil {
		return err
	}
	mem, err := mapAligned(a.file.Fd(), off, size)
	if err != nil {
		return err
	}
	s := &segment{off: off, mem: mem, free: []span{{0, int(size)}}}
	a.segments = append(a.segments, s)
	c.size = c.held.Allow(size+hugePage, c.size)
	r, err := c.ask(ctx, &request{Op: opMap, Off: off, Size: size})
	if err != nil {
		unmap(mem)
		a.segments = a.segments[:len(a.segments)-1]
		return err
	}
	s.addr = r.Addr
	return nil
}

// chunk is how much memory goes through the pipe in one message.
const chunk = 16 << 20

// Read copies from any address in the child, as of memory that native code
// allocated itself. An address that is not mapped is an error, not a fault.
func (c *Child) Read(ctx context.Context, addr uint64, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), chunk)
		r, err := c.do(ctx, &request{Op: opRead, Addr: addr, Size: int64(n)})
		if err != nil {
			return err
		}
		copy(data, r.Data)
		data, addr = data[n:], addr+uint64(n)
	}
	return nil
}

// Take is Read of memory that native code got from malloc, which libc has back then.
func (c *Child) Take(ctx context.Context, addr uint64, data []byte) error {
	most := max(0, len(data)-chunk)
	if err := c.Read(ctx, addr, data[:most]); err != nil {
		return err
	}
	r, err := c.do(ctx, &request{Op: opRead, Addr: addr + uint64(most), Size: int64(len(data) - most), Slots: []uint64{addr}})
	if err == nil {
		copy(data[most:], r.Data)
	}
	return err
}

// Write copies to any address in the child that is mapped and writable.
func (c *Child) Write(ctx context.Context, addr uint64, data []byte) error {
	for len(data) > 0 {
		n := min(len(data), chunk)
		if _, err := c.do(ctx, &request{Op: opWrite, Addr: addr, Data: data[:n]}); err != nil {
			return err
		}
		data, addr = data[n:], addr+uint64(n)
	}
	return nil
}

// FreeNative gives memory that native code got from malloc back to libc.
func (c *Child) FreeNative(ctx context.Context, addrs ...uint64) error {
	_, err := c.do(ctx, &request{Op: opFree, Slots: addrs})
	return err
}
