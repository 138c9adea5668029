//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"encoding/binary"
	"errors"
	"os"
	"slices"
	"syscall"
	"testing"
)

// bump adds 1 to the word that it is given, and returns it; null dies.
const bumping = `
define i32 @bump(ptr %args, ptr %results) {
  %p = load ptr, ptr %args
  %x = load i64, ptr %p
  %y = add i64 %x, 1
  store i64 %y, ptr %p
  store i64 %y, ptr %results
  ret i32 0
}
define i32 @null(ptr %args, ptr %results) {
  store volatile i64 1, ptr null
  ret i32 0
}
`

func shared(t *testing.T) *Shared {
	t.Helper()
	s, err := NewShared()
	if errors.Is(err, ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// What a buffer holds outlives the child: the next one sees it, with all that was
// written before the fault. The calls before the fault have their results.
func TestSharedOutlivesChild(t *testing.T) {
	o := ChildOptions{Shared: shared(t)}
	first := start(t, o)
	small, err := first.Alloc(within(t), 8)
	if err != nil {
		t.Fatal(err)
	}
	large, err := first.Alloc(within(t), 32<<20)
	if err != nil {
		t.Fatal(err)
	}
	large.Bytes()[32<<20-1] = 7
	m, err := first.Compile(within(t), bumping, Options{})
	if err != nil {
		t.Fatal(err)
	}
	bump := Call{"bump", []uint64{small.Addr()}, 1}
	out, err := m.Batch(within(t), []Call{bump, bump, {Symbol: "null"}, bump})
	var f *Fault
	if !errors.As(err, &f) || f.Call != 2 || f.Unreceived {
		t.Fatalf("the fault: %+v", f)
	}
	if len(out) != 2 || !slices.Equal(out[1].Results, []uint64{2}) {
		t.Errorf("results before the fault: %+v", out)
	}
	second := start(t, o)
	if m, err = second.Compile(within(t), bumping, Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := m.Call(within(t), "bump", []uint64{small.Addr()}, 1)
	if err != nil || r.Results[0] != 3 || binary.NativeEndian.Uint64(small.Bytes()) != 3 {
		t.Errorf("in the next child: %+v, %v", r, err)
	}
	if large.Bytes()[32<<20-1] != 7 {
		t.Error("the large buffer lost its contents")
	}
}

// A child that is killed while it waits has done nothing of the next request.
func TestEarlyFault(t *testing.T) {
	c := start(t, ChildOptions{})
	m, err := c.Compile(within(t), bumping, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(c.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_, err = m.Call(within(t), "null", nil, 0)
	var f *Fault
	if !errors.As(err, &f) || !f.Unreceived || f.Signal != syscall.SIGKILL {
		t.Errorf("%+v", err)
	}
}

// Buffers that are freed give their pages back, and are no part of the limit.
func TestSharedGivesBack(t *testing.T) {
	s := shared(t)
	c := start(t, ChildOptions{Shared: s, Memory: 256 << 20})
	for i := range 40 {
		b, err := c.Alloc(within(t), (20+i)<<20) // none fits where the one before was
		if err != nil {
			t.Fatal(err)
		}
		b.Bytes()[1<<20] = 1
		b.Free()
	}
	if s.used != 0 {
		t.Errorf("%d bytes are in use", s.used)
	}
	var info syscall.Stat_t
	if err := syscall.Fstat(int(s.file.Fd()), &info); err != nil {
		t.Fatal(err)
	}
	if held := info.Blocks * 512; held > 8<<20 {
		t.Errorf("%d bytes are held of %d in the file (page size %d)", held, info.Size, os.Getpagesize())
	}
}
