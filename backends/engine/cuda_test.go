package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// onDevices runs a test on the fake device, with threads in either order, and on a
// real one.
func onDevices(t *testing.T, o Options, test func(t *testing.T, e Engine, d *cudatest.Driver)) {
	if _, err := jit.Find(); err != nil {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	for name, settings := range map[string][]string{"fake": nil, "reversed": {"REVERSE=1"}, "device": nil} {
		t.Run(name, func(t *testing.T) {
			var d *cudatest.Driver
			if name != "device" {
				d = cudatest.Use(t, settings...)
			}
			e, _, err := New(t.Context(), "cuda", o)
			if name == "device" && errors.Is(err, cuda.ErrMissing) {
				t.Skipf("this test needs a GPU: %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
				if d == nil {
					return
				}
				calls := d.Calls()
				if last := calls[len(calls)-1]; d.Count("cuCtxSynchronize") > 0 && e.(*cudaEngine).born == 1 && !strings.Contains(last, "left: 0 allocations, 0 modules, 0 events, 0 contexts") {
					t.Errorf("at the end: %s", last)
				}
			}()
			test(t, e, d)
		})
	}
}

// floats makes memory of small random numbers; equal seeds give equal numbers.
func floats(elem ir.Type, seed uint64, sizes ...int64) ir.Val {
	strides, n, _ := strided.RowMajor(sizes)
	b := interp.NewBuffer(ir.NewContext(), elem, int(n), false)
	r := rand.New(rand.NewPCG(seed, 1))
	for i := range b.Len() {
		x := ir.F64Val(r.NormFloat64())
		if elem == ir.F32 {
			x = f32(r.NormFloat64())
		}
		b.Store(i, x)
	}
	b.Static = true
	return (&interp.MemRef{Buf: b, Sizes: sizes, Strides: strides}).Val()
}

// quarters is floats whose sums are exact in any order.
func quarters(seed uint64, n int64) ir.Val {
	v := floats(ir.F64, seed, n)
	b := v.Ref.(*interp.MemRef).Buf
	for i := range b.Len() {
		b.Store(i, ir.F64Val(math.Round(4*b.Load(i).F64())/4))
	}
	return v
}

// exampleCalls are calls of the examples, whose results do not depend on the order
// of threads.
var exampleCalls = []struct {
	file, entry string
	args        func() []ir.Val
}{
	{"saxpy", "saxpy", func() []ir.Val { return []ir.Val{f32(1.5), floats(ir.F32, 1, 1000), floats(ir.F32, 2, 1000)} }},
	{"saxpy", "saxpy", func() []ir.Val { return []ir.Val{f32(1.5), floats(ir.F32, 1, 0), floats(ir.F32, 2, 0)} }},
	{"reduce", "sum", func() []ir.Val { return []ir.Val{quarters(3, 1000), floats(ir.F64, 4, 1)} }},
	{"stencil", "heat", nil},
	{"matmul", "matmul", func() []ir.Val {
		return []ir.Val{floats(ir.F32, 5, 33, 20), floats(ir.F32, 6, 20, 47), floats(ir.F32, 7, 33, 47)}
	}},
}

// The examples give the same on a device as on the interpreter, to the last bit.
func TestDeviceExamples(t *testing.T) {
	for _, unchecked := range []bool{false, true} {
		onDevices(t, Options{Unchecked: unchecked}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
			for _, c := range exampleCalls {
				src, err := os.ReadFile("../../examples/device/" + c.file + ".mlir")
				if err != nil {
					t.Fatal(err)
				}
				g := parse(t, string(src))
				p, ref := prepare(t, e, g), prepare(t, eval(t), g)
				in, _, err := p.Signature(c.entry)
				if err != nil {
					t.Fatal(err)
				}
				if c.args == nil {
					c.args = func() []ir.Val { return heatArgs(t, g, in) }
				}
				got, want := c.args(), c.args()
				if _, _, err := p.Call(t.Context(), c.entry, got); err != nil {
					t.Fatalf("%s: %v", c.file, err)
				}
				if _, _, err := ref.Call(t.Context(), c.entry, want); err != nil {
					t.Fatal(err)
				}
				for i, typ := range in {
					if a, b := interp.FormatVal(g.Ctx, got[i], typ), interp.FormatVal(g.Ctx, want[i], typ); a != b {
						t.Errorf("%s: argument #%d is\n%s, want\n%s", c.file, i, a, b)
					}
				}
				s := p.(*cudaProgram).stats
				t.Logf("%s: %s", c.file, s)
			}
		})
	}
}

// heatArgs makes arguments of the stencil by their types: a time is 3.
func heatArgs(t *testing.T, g *ir.Graph, in []ir.Type) (out []ir.Val) {
	for i, typ := range in {
		info := g.Ctx.Info(typ)
		switch {
		case info.Kind == ir.KindMemRef:
			out = append(out, floats(info.Elem, uint64(i)+20, 35, 40))
		case info.Kind == ir.KindFloat:
			out = append(out, ir.F64Val(0.2))
		default:
			out = append(out, ir.IntVal(3, 64))
		}
	}
	return out
}

const residentSource = `
device.kernel @twice(%x: memref<?xf64>, %y: memref<?xf64>) {
  %i = device.thread_id x
  %a = memref.load %x[%i] : memref<?xf64>
  %b = arith.addf %a, %a : f64
  memref.store %b, %y[%i] : memref<?xf64>
  device.return
}
// Launches that share buffers: x -> y -> z -> x.
func.func @chain(%x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %y = memref.alloc(%n) : memref<?xf64>
  %z = memref.alloc(%n) : memref<?xf64>
  device.launch @twice blocks(%c1) threads(%n) args(%x, %y : memref<?xf64>, memref<?xf64>)
  device.launch @twice blocks(%c1) threads(%n) args(%y, %z : memref<?xf64>, memref<?xf64>)
  device.launch @twice blocks(%c1) threads(%n) args(%z, %x : memref<?xf64>, memref<?xf64>)
  %r = memref.load %z[%c1] : memref<?xf64>
  memref.dealloc %y : memref<?xf64>
  memref.dealloc %z : memref<?xf64>
  return %r : f64
}
// Memory that is not freed, and that nobody sees.
func.func @scratch(%x: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  %y = memref.alloc(%n) : memref<?xf64>
  device.launch @twice blocks(%c1) threads(%n) args(%x, %y : memref<?xf64>, memref<?xf64>)
  device.launch @twice blocks(%c1) threads(%n) args(%y, %x : memref<?xf64>, memref<?xf64>)
  return
}
// The host writes between launches, to one of the buffers.
func.func @mixed(%x: memref<?xf64>, %y: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = memref.dim %x, %c0 : memref<?xf64>
  scf.for %i = %c0 to %c3 step %c1 {
    device.launch @twice blocks(%c1) threads(%n) args(%x, %y : memref<?xf64>, memref<?xf64>)
    %a = memref.load %y[%c0] : memref<?xf64>
    memref.store %a, %x[%c1] : memref<?xf64>
  }
  return
}
// Views of one buffer, and elements that nothing has written.
func.func @views(%x: memref<8xf64>) -> memref<?xf64> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %low = memref.subview %x[0] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1]>>
  %high = memref.subview %x[4] [4] [1] : memref<8xf64> to memref<4xf64, strided<[1], offset: 4>>
  device.launch @strided blocks(%c1) threads(%c2) args(%low, %high : memref<4xf64, strided<[1]>>, memref<4xf64, strided<[1], offset: 4>>)
  %new = memref.alloc(%c4) : memref<?xf64>
  device.launch @first blocks(%c1) threads(%c1) args(%x, %new : memref<8xf64>, memref<?xf64>)
  return %new : memref<?xf64>
}
device.kernel @strided(%x: memref<4xf64, strided<[1]>>, %y: memref<4xf64, strided<[1], offset: 4>>) {
  %i = device.thread_id x
  %a = memref.load %x[%i] : memref<4xf64, strided<[1]>>
  memref.store %a, %y[%i] : memref<4xf64, strided<[1], offset: 4>>
  device.return
}
device.kernel @first(%x: memref<8xf64>, %y: memref<?xf64>) {
  %c4 = arith.constant 4 : index
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c4] : memref<8xf64>
  memref.store %a, %y[%c0] : memref<?xf64>
  device.return
}
// A kernel that leaves its buffer.
func.func @outside(%x: memref<?xf64>) {
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  device.launch @twice blocks(%c1) threads(%c9) args(%x, %x : memref<?xf64>, memref<?xf64>)
  return
}
device.kernel @spin(%x: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %r = scf.while (%c = %true) : (i1) -> i1 {
    %v = memref.atomic_rmw addi %one, %x[%c0] : (i32, memref<?xi32>) -> i32
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%c: i1):
    scf.yield %c : i1
  }
  device.return
}
func.func @forever(%x: memref<?xi32>) {
  %c1 = arith.constant 1 : index
  device.launch @spin blocks(%c1) threads(%c1) args(%x : memref<?xi32>)
  return
}
func.func @large(%n: index) {
  %c1 = arith.constant 1 : index
  device.launch @twice blocks(%c1) threads(%n) args(%e, %e : memref<?xf64>, memref<?xf64>)
  return
}
`

// program is the source of a test; %one and %e stand for constants that it needs.
func residentProgram() string {
	s := strings.Replace(residentSource, "%true = arith.constant true", "%true = arith.constant true\n  %one = arith.constant 1 : i32", 1)
	return strings.Replace(s, "func.func @large(%n: index) {", "func.func @large(%n: index) {\n  %e = memref.alloc(%n) : memref<?xf64>", 1)
}

// Data moves when the other side needs it, and only then.
func TestResidency(t *testing.T) {
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		g := parse(t, residentProgram())
		ref := prepare(t, eval(t), g)
		for _, c := range []struct {
			entry string
			args  func() []ir.Val
			want  string
		}{
			// x goes in; y and z go in with their poison; z comes back for the load, x at the end.
			{"chain", func() []ir.Val { return []ir.Val{floats(ir.F64, 1, 8)} }, "3 launches, 3 copies to the device (192 bytes), 2 copies back (128 bytes), 3 allocations"},
			{"scratch", func() []ir.Val { return []ir.Val{floats(ir.F64, 1, 8)} }, "2 launches, 2 copies to the device (128 bytes), 1 copies back (64 bytes), 2 allocations"},
			// x goes in for each launch, y once; y comes back for each load, and x never.
			{"mixed", func() []ir.Val { return []ir.Val{floats(ir.F64, 1, 8), floats(ir.F64, 2, 8)} }, "3 launches, 4 copies to the device (256 bytes), 3 copies back (192 bytes), 2 allocations"},
			{"views", func() []ir.Val { return []ir.Val{floats(ir.F64, 1, 8)} }, "2 launches, 2 copies to the device (96 bytes), 2 copies back (96 bytes), 2 allocations"},
		} {
			p := prepare(t, e, g)
			in, out, err := p.Signature(c.entry)
			if err != nil {
				t.Fatal(err)
			}
			got, want := c.args(), c.args()
			vals, _, err := p.Call(t.Context(), c.entry, got)
			if err != nil {
				t.Fatal(err)
			}
			wants, _, err := ref.Call(t.Context(), c.entry, want)
			if err != nil {
				t.Fatal(err)
			}
			got, want, in = append(got, vals...), append(want, wants...), append(in, out...)
			for i := range got {
				if a, b := interp.FormatVal(g.Ctx, got[i], in[i]), interp.FormatVal(g.Ctx, want[i], in[i]); a != b {
					t.Errorf("@%s: value #%d is %s, want %s", c.entry, i, a, b)
				}
			}
			if s := contract.StatsOf(p); s != c.want {
				t.Errorf("@%s: %s, want %s", c.entry, s, c.want)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		}
	})
}

// What is wrong with a program is told as the interpreter tells it, and the engine
// goes on.
func TestDeviceTraps(t *testing.T) {
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		g := parse(t, residentProgram())
		p, ref := prepare(t, e, g), prepare(t, eval(t), g)
		for _, c := range []struct {
			entry string
			arg   ir.Val
			want  string
		}{
			{"outside", floats(ir.F64, 1, 8), "memref.load"},
			{"large", ir.IntVal(2000, 64), "device.launch"},
		} {
			_, _, err := p.Call(t.Context(), c.entry, []ir.Val{c.arg})
			_, _, want := ref.Call(t.Context(), c.entry, []ir.Val{c.arg})
			var f, w *interp.Failure
			if !errors.As(err, &f) || !errors.As(want, &w) || f.Op != c.want || w.Op != c.want || !f.IsTrap() {
				t.Errorf("@%s: %v, the interpreter says %v", c.entry, err, want)
			}
		}
		x := floats(ir.F64, 1, 8)
		if _, _, err := p.Call(t.Context(), "chain", []ir.Val{x}); err != nil {
			t.Errorf("after traps: %v", err)
		}
	})
}

// A fault of the device that no check foresaw ends its context; the next call gets
// a new one.
func TestDeviceFault(t *testing.T) {
	onDevices(t, Options{Unchecked: true}, func(t *testing.T, e Engine, d *cudatest.Driver) {
		if d == nil {
			t.Skip("where memory ends on a real device is not known")
		}
		p := prepare(t, e, parse(t, residentProgram()))
		_, _, err := p.Call(t.Context(), "outside", []ir.Val{floats(ir.F64, 1, 8)})
		if !ir.IsTrap(err) || !strings.Contains(err.Error(), "illegal memory access") || !strings.Contains(err.Error(), "@twice") {
			t.Errorf("got %v", err)
		}
		if _, _, err := p.Call(t.Context(), "chain", []ir.Val{floats(ir.F64, 1, 8)}); err != nil {
			t.Errorf("after the fault: %v", err)
		}
	})
}

func TestDeviceTimeout(t *testing.T) {
	onDevices(t, Options{}, func(t *testing.T, e Engine, _ *cudatest.Driver) {
		p := prepare(t, e, parse(t, residentProgram()))
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer stop()
		if _, _, err := p.Call(ctx, "forever", []ir.Val{ints(1, 2)}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		if _, _, err := p.Call(t.Context(), "chain", []ir.Val{floats(ir.F64, 1, 8)}); err != nil {
			t.Errorf("after the timeout: %v", err)
		}
	})
}

// Each call of the driver fails in turn, while a program runs.
func TestDriverFails(t *testing.T) {
	if _, err := jit.Find(); err != nil {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	d := cudatest.Use(t)
	session := func() (err error) {
		e, _, err := New(t.Context(), "cuda", Options{})
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, e.Close()) }()
		ps, err := e.Prepare(t.Context(), parse(t, residentProgram()))
		if err != nil {
			return err
		}
		_, _, err = ps[0].Call(t.Context(), "chain", []ir.Val{floats(ir.F64, 1, 8)})
		return errors.Join(err, ps[0].Close())
	}
	if err := session(); err != nil {
		t.Fatal(err)
	}
	times := map[string]int{}
	for _, line := range d.Calls() {
		if name, _, _ := strings.Cut(line, " "); strings.HasPrefix(name, "cu") && name != "cuDeviceGetAttribute" {
			times[name]++
		}
	}
	for name, n := range times {
		for k := 1; k <= n; k++ {
			d := cudatest.Use(t, fmt.Sprintf("FAIL=%s=2@%d", name, k))
			err := session()
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "out of memory") {
				t.Errorf("%s #%d: the error is %v", name, k, err)
			}
			calls := d.Calls()
			last := calls[len(calls)-1]
			frees := name == "cuMemFree_v2" || name == "cuModuleUnload"
			if d.Count("cuMemAlloc_v2") > 0 && !frees && !strings.Contains(last, "left: 0 allocations, 0 modules, 0 events, 0 contexts") {
				t.Errorf("%s #%d: at the end: %s", name, k, last)
			}
		}
	}
}

func TestNoDevice(t *testing.T) {
	for want, set := range map[string]string{"cannot be used": "IRC_LIBCUDA=/nonexistent", "capability 7.5; irc makes code for 8.0": "IRC_FAKECUDA_CAPABILITY=7.5"} {
		cudatest.Use(t)
		name, value, _ := strings.Cut(set, "=")
		t.Setenv(name, value)
		if _, _, err := New(t.Context(), "cuda", Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func f32(x float64) ir.Val { return ir.Val{Bits: uint64(math.Float32bits(float32(x)))} }
