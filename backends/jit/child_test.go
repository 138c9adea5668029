//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestChildCalls(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "thunks.ll")
	if !c.Info().Found || m.Timing().Total() <= 0 || !strings.Contains(strings.Join(m.Symbols(), " "), "add gamma print") {
		t.Errorf("info %+v, timing %v, symbols %v", c.Info(), m.Timing(), m.Symbols())
	}
	r, err := m.Call(within(t), "add", []uint64{40, 2}, 1)
	if err != nil || r.Status != 0 || !reflect.DeepEqual(r.Results, []uint64{42}) || len(r.Printed) != 0 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = m.Call(within(t), "gamma", []uint64{math.Float64bits(5)}, 1)
	if err != nil || math.Abs(math.Float64frombits(r.Results[0])-24) > 1e-12 {
		t.Errorf("gamma(5): %+v, %v", r, err)
	}
	if _, err = m.Call(within(t), "nothing", nil, 0); err == nil || !strings.Contains(err.Error(), "@nothing") {
		t.Errorf("an unknown function: %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if _, err = m.Call(within(t), "add", []uint64{1, 2}, 1); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Errorf("a closed module: %v", err)
	}
}

func TestChildPrints(t *testing.T) {
	const most = 200_000
	c := start(t, ChildOptions{Prints: most * 9})
	m := compileFile(t, c, "thunks.ll")
	for _, status := range []uint64{0, 5} {
		r, err := m.Call(within(t), "print", []uint64{status}, 0)
		if err != nil || r.Status != int32(status) || r.Dropped != 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		var b strings.Builder
		for _, p := range r.Printed {
			b.WriteString(p.String() + " ")
		}
		if want := "x = \" true -7 18446744073709551615 0.1 0.1 \n 0xff "; b.String() != want {
			t.Errorf("printed %q, want %q", b.String(), want)
		}
	}
	r, err := m.Call(within(t), "printn", []uint64{100_000}, 0)
	if err != nil || len(r.Printed) != 100_000 || r.Printed[99_999] != (Printed{Kind: PrintI64, Bits: 99_999}) {
		t.Errorf("%d records, %v", len(r.Printed), err)
	}
	r, err = m.Call(within(t), "printn", []uint64{most + 10}, 0)
	if err != nil || len(r.Printed) != most || r.Dropped != 10 {
		t.Errorf("%d records, %d dropped, %v", len(r.Printed), r.Dropped, err)
	}
}

func TestChildOutput(t *testing.T) {
	var out bytes.Buffer
	c := start(t, ChildOptions{Stdout: &out, Output: 1 << 20})
	m := compileFile(t, c, "thunks.ll")
	for range 2 {
		if _, err := m.Call(within(t), "stdout", nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != "pi is 3.5pi is 3.5" {
		t.Errorf("output %q", out.String())
	}
	_, err := m.Call(within(t), "flood", nil, 0)
	var f *Fault
	if !errors.As(err, &f) || f.Signal != syscall.SIGXFSZ || out.Len() < 1<<20 || out.Len() > 2<<20 {
		t.Errorf("%d bytes, error %v", out.Len(), err)
	}
}

func TestChildBatch(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "thunks.ll")
	var calls []Call
	for i := range uint64(5000) {
		calls = append(calls, Call{"add", []uint64{i, i}, 1}, Call{"print", []uint64{i % 3}, 0})
	}
	results, err := m.Batch(within(t), calls)
	if err != nil || len(results) != len(calls) {
		t.Fatalf("%d results, %v", len(results), err)
	}
	for i := range 5000 {
		sum, print := results[2*i], results[2*i+1]
		if sum.Results[0] != uint64(2*i) || sum.Printed != nil || print.Status != int32(i%3) || len(print.Printed) != 8 {
			t.Fatalf("pair %d: %+v, %+v", i, sum, print)
		}
	}
	if results, err := m.Batch(within(t), nil); err != nil || len(results) != 0 {
		t.Errorf("an empty batch: %v, %v", results, err)
	}
	if _, err := m.Batch(within(t), []Call{{"add", nil, -1}}); err == nil {
		t.Error("a negative number of results was accepted")
	}
}

func TestCallMany(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "thunks.ll")
	r, per, err := m.CallMany(within(t), Call{"add", []uint64{1, 2}, 1}, 1_000_000)
	if err != nil || r.Results[0] != 3 || per < 0 || per > time.Millisecond || r.Wall <= 0 {
		t.Errorf("%+v, %v, %v", r, per, err)
	}
	r, _, err = m.CallMany(within(t), Call{"print", []uint64{4}, 0}, 10)
	if err != nil || r.Status != 4 || len(r.Printed) != 8 {
		t.Errorf("%+v, %v", r, err)
	}
	if _, _, err = m.CallMany(within(t), Call{Symbol: "add"}, 0); err == nil {
		t.Error("0 runs were accepted")
	}
}

func TestBuffers(t *testing.T) {
	c := start(t, ChildOptions{Memory: 64 << 20})
	m := compileFile(t, c, "thunks.ll")
	var bufs []*Buffer
	for _, n := range []int{0, 8, 100, 8000, 5 << 20} {
		b, err := c.Alloc(within(t), n)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Bytes()) != n || b.Addr()%64 != 0 {
			t.Errorf("%d bytes asked for, %d got, at %#x", n, len(b.Bytes()), b.Addr())
		}
		bufs = append(bufs, b)
	}
	b := bufs[3]
	for i := range 1000 {
		binary.NativeEndian.PutUint64(b.Bytes()[8*i:], math.Float64bits(float64(i)))
	}
	r, err := m.Call(within(t), "sum", []uint64{b.Addr(), 1000}, 1)
	if err != nil || math.Float64frombits(r.Results[0]) != 499500 {
		t.Errorf("%+v, %v", r, err)
	}
	if x := math.Float64frombits(binary.NativeEndian.Uint64(b.Bytes()[8*999:])); x != 1998 {
		t.Errorf("last element %v after the call", x)
	}
	old := b.Addr()
	for _, b := range bufs {
		b.Free()
		b.Free()
	}
	if b, err = c.Alloc(within(t), 4<<20); err != nil || b.Addr() > old || bytes.Count(b.Bytes(), []byte{0}) != 4<<20 {
		t.Errorf("freed memory was not joined or not cleared: %v", err)
	}
	if _, err := c.Alloc(within(t), 128<<20); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("over the limit: %v", err)
	}
}

func TestNativeMemory(t *testing.T) {
	c := start(t, ChildOptions{Memory: 512 << 20})
	m := compileFile(t, c, "thunks.ll")
	r, err := m.Call(within(t), "grab", []uint64{1000}, 1)
	if err != nil || r.Status != 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	got := make([]byte, 2)
	if err := c.Write(within(t), r.Results[0]+1, []byte{43}); err != nil {
		t.Fatal(err)
	}
	if err := c.Read(within(t), r.Results[0], got); err != nil || got[0] != 42 || got[1] != 43 {
		t.Errorf("%v, %v", got, err)
	}
	if err := c.FreeNative(within(t), r.Results[0]); err != nil {
		t.Error(err)
	}
	if err := c.Read(within(t), 16, got); err == nil {
		t.Error("address 16 was read")
	}
	if err := c.Write(within(t), 16, got); err == nil {
		t.Error("address 16 was written")
	}
	// Over RLIMIT_DATA malloc gives null, and the thunk its trap code.
	if r, err = m.Call(within(t), "grab", []uint64{2 << 30}, 1); err != nil || r.Status != 3 {
		t.Errorf("2 GiB under a limit of 512 MiB: %+v, %v", r, err)
	}
}

func TestFaults(t *testing.T) {
	for _, test := range []struct {
		symbol string
		signal syscall.Signal
		detail string
	}{
		{"null", syscall.SIGSEGV, "null pointer (SIGSEGV at address 0x8)"},
		{"wild", syscall.SIGSEGV, "no memory can have"},
		{"constant", syscall.SIGSEGV, "protected memory"},
		{"divide", syscall.SIGFPE, "by zero"},
		{"overflow", syscall.SIGSEGV, "overflowed its stack"},
		{"trap", syscall.SIGILL, "illegal instruction"},
		{"aborts", syscall.SIGABRT, "aborted"},
		{"exits", 0, "exit status 3"},
		{"forever", syscall.SIGKILL, "deadline exceeded"},
	} {
		t.Run(test.symbol, func(t *testing.T) {
			if test.symbol == "divide" && runtime.GOARCH == "arm64" {
				t.Skip("this test needs a processor that traps on division by zero")
			}
			t.Parallel()
			var stderr bytes.Buffer
			c := start(t, ChildOptions{Stderr: &stderr})
			m := compileFile(t, c, "faults.ll")
			ctx := within(t)
			if test.signal == syscall.SIGKILL {
				short, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
				defer cancel()
				ctx = short
			}
			_, err := m.Batch(ctx, []Call{{"ok", nil, 0}, {test.symbol, nil, 1}, {"ok", nil, 0}})
			var f *Fault
			if !errors.As(err, &f) {
				t.Fatalf("error %v", err)
			}
			if f.Signal != test.signal || f.Call != 1 || f.Symbol != test.symbol || !strings.Contains(f.Detail, test.detail) {
				t.Errorf("%+v", f)
			}
			if s := err.Error(); strings.Contains(s, "\n") || strings.Contains(s, "goroutine") || stderr.Len() > 0 {
				t.Errorf("not one sentence: %q, on stderr: %q", s, stderr.String())
			}
			if errors.Is(err, context.DeadlineExceeded) != (test.signal == syscall.SIGKILL) {
				t.Errorf("deadline exceeded, or not: %v", err)
			}
			if _, err := m.Call(within(t), "ok", nil, 0); !errors.As(err, &f) || !strings.Contains(err.Error(), "has ended") {
				t.Errorf("a call after the fault: %v", err)
			}
		})
	}
}

// Recursion has more room than a thread's usual 8 MiB.
func TestDeepRecursion(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "faults.ll")
	const n = 60_000
	r, err := m.Call(within(t), "descend", []uint64{n}, 1)
	if err != nil || r.Results[0] != n*(n+1)/2 {
		t.Errorf("%+v, %v", r, err)
	}
}

const orphanEnv = "IRC_JIT_TEST_ORPHAN"

func TestChildConcurrent(t *testing.T) {
	c := start(t, ChildOptions{})
	m := compileFile(t, c, "thunks.ll")
	var wg sync.WaitGroup
	for g := range uint64(4) {
		wg.Go(func() {
			for i := range uint64(200) {
				r, err := m.Call(within(t), "add", []uint64{g, i}, 1)
				if err != nil || r.Results[0] != g+i {
					t.Errorf("%+v, %v", r, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestCompileErrorInChild(t *testing.T) {
	c := start(t, ChildOptions{})
	_, err := c.Compile(within(t), "define i32 @f() {\n  ret i32 %x\n}", Options{})
	var e *CompileError
	if !errors.As(err, &e) || e.Line != 2 || !strings.Contains(e.Message, "undefined value") {
		t.Errorf("%v", err)
	}
	compileFile(t, c, "thunks.ll") // the child goes on
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, err := Start(ctx, ChildOptions{})
	if errors.Is(err, ErrMissing) {
		t.Skip("this test needs libLLVM")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	cancel()
	<-c.done
	if _, err := c.Compile(within(t), "", Options{}); err == nil {
		t.Error("the child outlived its context")
	}
	if _, err := Start(ctx, ChildOptions{}); err == nil {
		t.Error("a child was started for a cancelled context")
	}
}

func TestClosed(t *testing.T) {
	c := start(t, ChildOptions{})
	b, err := c.Alloc(within(t), 10)
	if err != nil {
		t.Fatal(err)
	}
	m := compileFile(t, c, "thunks.ll")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if b.Bytes() != nil {
		t.Error("memory of a closed child")
	}
	b.Free()
	if _, err := c.Alloc(within(t), 10); !errors.Is(err, errClosed) {
		t.Errorf("Alloc: %v", err)
	}
	if err := m.Close(); !errors.Is(err, errClosed) {
		t.Errorf("Module.Close: %v", err)
	}
	if err := c.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
}

func TestProcessors(t *testing.T) {
	library(t)
	for triple, one := range map[string]string{"": "generic", "nvptx64-nvidia-cuda": "sm_80"} {
		names, err := Processors(within(t), triple)
		if err != nil || len(names) < 10 || !slices.Contains(names, one) || slices.Contains(names, "help") {
			t.Errorf("%q: %v, %v", triple, names, err)
		}
	}
}

func TestVectorBytes(t *testing.T) {
	l := library(t)
	for cpu, want := range map[string]int{"x86-64": 16, "x86-64-v3": 32, "knl": 64} {
		if got, err := l.VectorBytes(Options{Triple: "x86_64-unknown-linux-gnu", CPU: cpu}); err != nil || got != want {
			t.Errorf("%s: %d, %v", cpu, got, err)
		}
	}
}

// What a call has printed is there while it runs, and when it is stopped.
func TestPrintsOfAStoppedCall(t *testing.T) {
	for _, streaming := range []bool{false, true} {
		var got []Printed
		o := ChildOptions{}
		if streaming {
			o.Printed = func(rs []Printed) { got = append(got, rs...) }
		}
		c := start(t, o)
		m, err := c.Compile(t.Context(), `declare void @irc_print_i64(i64)
declare void @irc_print_str(ptr, i64)
@text = private constant [5 x i8] c"hello"
define i32 @forever(ptr %args, ptr %results) {
  call void @irc_print_i64(i64 7)
  call void @irc_print_str(ptr @text, i64 5)
  br label %loop
loop:
  call void asm sideeffect "", ""()
  br label %loop
}
define i32 @once(ptr %args, ptr %results) {
  call void @irc_print_i64(i64 8)
  ret i32 0
}
`, Options{Level: O1})
		if err != nil {
			t.Fatal(err)
		}
		r, err := m.Call(within(t), "once", nil, 0)
		if streaming != (len(r.Printed) == 0) || err != nil {
			t.Errorf("streaming %t: %v, %v", streaming, r.Printed, err)
		}
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer stop()
		_, err = m.Call(ctx, "forever", nil, 0)
		var f *Fault
		if !errors.As(err, &f) || f.Err == nil {
			t.Fatalf("got %v", err)
		}
		want := []Printed{{Kind: PrintI64, Bits: 7}, {Kind: PrintStr, Bits: 5, Text: "hello"}}
		if streaming {
			if want = append([]Printed{{Kind: PrintI64, Bits: 8}}, want...); len(f.Printed) > 0 {
				t.Errorf("printed twice: %v", f.Printed)
			}
		} else {
			got = f.Printed
		}
		if !slices.Equal(got, want) {
			t.Errorf("streaming %t: %v", streaming, got)
		}
	}
}
