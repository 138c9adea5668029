package cuda_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/cuda/cudatest"
	"github.com/irc-lang/irc/backends/jit"
)

func TestMain(m *testing.M) {
	jit.ServeIfChild(cuda.Service)
	status := m.Run()
	cudatest.Remove()
	os.Exit(status)
}

func kernels(t testing.TB) string {
	t.Helper()
	data, err := os.ReadFile("testdata/kernels.ptx")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// onEach runs a test on the fake device, with threads in either order, and on a
// real one.
func onEach(t *testing.T, test func(t *testing.T, g *cuda.GPU)) {
	t.Run("fake", func(t *testing.T) {
		cudatest.Use(t)
		test(t, open(t))
	})
	t.Run("reversed", func(t *testing.T) {
		cudatest.Use(t, "REVERSE=1")
		test(t, open(t))
	})
	t.Run("device", func(t *testing.T) {
		g, err := cuda.Open(t.Context(), cuda.Options{})
		if errors.Is(err, cuda.ErrMissing) {
			t.Skipf("this test needs a GPU: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { closed(t, g) })
		test(t, g)
	})
}

func open(t *testing.T) *cuda.GPU {
	t.Helper()
	g, err := cuda.Open(t.Context(), cuda.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closed(t, g) })
	return g
}

func closed(t *testing.T, g *cuda.GPU) {
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

func load(t *testing.T, g *cuda.GPU) *cuda.Module {
	t.Helper()
	m, err := g.Load(t.Context(), kernels(t), "mark")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// device puts numbers into memory of the device; get reads them again.
func device[T float32 | float64 | byte](t *testing.T, g *cuda.GPU, xs []T) (arg cuda.Arg, get func() []T) {
	t.Helper()
	n := int64(binary.Size(xs))
	host, err := g.Host(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	binary.Encode(host.Bytes(), binary.LittleEndian, xs)
	mem, err := g.Alloc(t.Context(), n)
	if err == nil {
		err = g.CopyIn(t.Context(), mem, host, n)
	}
	if err != nil {
		t.Fatal(err)
	}
	return cuda.Arg{Size: 8, Bits: mem.Addr}, func() []T {
		clear(host.Bytes())
		if err := g.CopyOut(t.Context(), host, mem, n); err != nil {
			t.Fatal(err)
		}
		out := make([]T, len(xs))
		binary.Decode(host.Bytes(), binary.LittleEndian, out)
		return out
	}
}

func run(t *testing.T, m *cuda.Module, l cuda.Launch) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	if flag, err := m.Launch(ctx, l); err != nil || flag != 0 {
		t.Fatal(flag, err)
	}
}

func u64(x int) cuda.Arg { return cuda.Arg{Size: 8, Bits: uint64(x)} }

func numbers[T float32 | float64](n int) []T {
	out := make([]T, n)
	for i := range out {
		out[i] = T(i%17) - 8.25
	}
	return out
}

func TestSaxpy(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		const n = 1000 // no multiple of the block
		xs, ys := numbers[float32](n), numbers[float32](n + 13)[13:]
		x, _ := device(t, g, xs)
		y, get := device(t, g, ys)
		run(t, m, cuda.Launch{Kernel: "saxpy", Grid: [3]uint32{8, 1, 1}, Block: [3]uint32{128, 1, 1},
			Args: []cuda.Arg{{Size: 4, Bits: uint64(math.Float32bits(2.5))}, x, y, u64(n)}})
		for i, got := range get() {
			if want := float32(math.FMA(2.5, float64(xs[i]), float64(ys[i]))); got != want {
				t.Fatalf("element %d is %v, want %v", i, got, want)
			}
		}
	})
}

func TestReduce(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		xs, sum := numbers[float64](5000), 0.0
		for _, x := range xs {
			sum += x // exact: quarters
		}
		x, _ := device(t, g, xs)
		out, get := device(t, g, make([]float64, 3))
		run(t, m, cuda.Launch{Kernel: "reduce", Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{256, 1, 1}, Args: []cuda.Arg{x, out, u64(len(xs))}})
		if parts := get(); parts[0]+parts[1]+parts[2] != sum || parts[1] == 0 {
			t.Errorf("the parts are %v, their sum should be %v", parts, sum)
		}
	})
}

func TestMatmul(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		const n = 37
		as, bs := numbers[float32](n*n), numbers[float32](n*n + 5)[5:]
		a, _ := device(t, g, as)
		b, _ := device(t, g, bs)
		c, get := device(t, g, make([]float32, n*n))
		run(t, m, cuda.Launch{Kernel: "matmul", Grid: [3]uint32{3, 3, 1}, Block: [3]uint32{16, 16, 1}, Args: []cuda.Arg{a, b, c, u64(n)}})
		for i, got := range get() {
			want := float32(0)
			for k := range n {
				want = float32(math.FMA(float64(as[i/n*n+k]), float64(bs[k*n+i%n]), float64(want))) // exact products
			}
			if got != want {
				t.Fatalf("element %d is %v, want %v", i, got, want)
			}
		}
	})
}

// Parameters of every size, each at its place.
func TestArguments(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		out, get := device(t, g, make([]byte, 64))
		x, e, f := int16(-1234), float32(3.75), -2.5
		run(t, m, cuda.Launch{Kernel: "mix", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: []cuda.Arg{
			{Size: 1, Bits: 0x85}, {Size: 2, Bits: uint64(uint16(x))}, {Size: 4, Bits: 0x01020304}, {Size: 8, Bits: 0x1122334455667788},
			{Size: 4, Bits: uint64(math.Float32bits(e))}, {Size: 8, Bits: math.Float64bits(f)}, out}})
		b, le := get(), binary.LittleEndian
		if b[0] != 0x85 || int16(le.Uint16(b[2:])) != x || le.Uint32(b[4:]) != 0x01020304 || le.Uint64(b[8:]) != 0x1122334455667788 ||
			math.Float32frombits(le.Uint32(b[16:])) != e || math.Float64frombits(le.Uint64(b[24:])) != f || le.Uint32(b[32:]) != 0x01020304 {
			t.Errorf("arguments arrive as %x", b)
		}
		quotient := uint64(0x1122334455667788) / 0x01020305
		if b[40] != byte(quotient) || b[41] != 0x04 || le.Uint32(b[44:]) != 3 || math.Float64frombits(le.Uint64(b[48:])) != -9.375 || le.Uint32(b[56:]) != 5+7 {
			t.Errorf("results are %x", b[40:])
		}
	})
}

func TestFlag(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		l := cuda.Launch{Kernel: "flagged", Grid: [3]uint32{2, 1, 1}, Block: [3]uint32{2, 1, 1}, Args: []cuda.Arg{{Size: 4, Bits: 7}}}
		for range 2 {
			if flag, err := m.Launch(t.Context(), l); err != nil || flag != 7 {
				t.Errorf("the flag is %d, %v", flag, err)
			}
		}
		if _, err := m.Time(t.Context(), l, 3); err == nil || !strings.Contains(err.Error(), "flag to 7") {
			t.Errorf("Time: %v", err)
		}
		l.Args[0].Bits = 0
		times, err := m.Time(t.Context(), l, 3)
		if err != nil || len(times) != 3 || times[2] <= 0 {
			t.Errorf("times %v, %v", times, err)
		}
	})
}

// A kernel that does not end is stopped by the context, and leaves nothing behind
// that a second device would miss.
func TestHang(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer stop()
		start := time.Now()
		_, err := m.Launch(ctx, cuda.Launch{Kernel: "spin", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "the CUDA driver was stopped") {
			t.Errorf("got %v", err)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("it took %v", d)
		}
		if _, err := g.Alloc(t.Context(), 8); err == nil || g.Broken() == nil {
			t.Error("the device is still usable")
		}
	})
}

func TestWild(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		m := load(t, g)
		// A page that nobody has.
		_, err := m.Launch(t.Context(), cuda.Launch{Kernel: "wild", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Args: []cuda.Arg{u64(0x10000)}})
		var e *cuda.Error
		if !errors.As(err, &e) || !e.Fault() || !e.Broken() || e.Name != "CUDA_ERROR_ILLEGAL_ADDRESS" || !strings.Contains(err.Error(), "@wild") {
			t.Fatalf("got %v", err)
		}
		if _, err := g.Alloc(t.Context(), 8); err == nil || !strings.Contains(err.Error(), "not usable any more") {
			t.Errorf("later: %v", err)
		}
	})
}

func TestBadPTX(t *testing.T) {
	onEach(t, func(t *testing.T, g *cuda.GPU) {
		_, err := g.Load(t.Context(), ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { mov.u32 %r1, 0; ret; }\n", "")
		var e *cuda.Error
		if !errors.As(err, &e) || e.Log == "" || e.Call != "cuModuleLoadDataEx" || !strings.Contains(err.Error(), "%r1") {
			t.Errorf("got %v", err)
		}
		m := load(t, g) // the context survives
		if got := strings.Join(m.Kernels(), " "); got != "saxpy reduce matmul mix spin wild flagged" {
			t.Errorf("kernels %s", got)
		}
		if _, err := m.Launch(t.Context(), cuda.Launch{Kernel: "none", Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}}); err == nil || !strings.Contains(err.Error(), "looking for kernel @none") {
			t.Errorf("got %v", err)
		}
		if _, err := g.Load(t.Context(), kernels(t), "absent"); err == nil || !strings.Contains(err.Error(), "variable absent") {
			t.Errorf("got %v", err)
		}
	})
}

// What no device can do is refused with words, before the driver is asked.
func TestLimits(t *testing.T) {
	cudatest.Use(t)
	g := open(t)
	m := load(t, g)
	one := [3]uint32{1, 1, 1}
	for _, c := range []struct {
		l    cuda.Launch
		want string
	}{
		{cuda.Launch{Grid: [3]uint32{1, 0, 1}, Block: one}, "is empty"},
		{cuda.Launch{Grid: [3]uint32{1, 70000, 1}, Block: one}, "70000 blocks along y; Fake GPU has at most 65535"},
		{cuda.Launch{Grid: one, Block: [3]uint32{2048, 1, 1}}, "blocks of 2048 threads along x"},
		{cuda.Launch{Grid: one, Block: [3]uint32{64, 64, 1}}, "blocks of 4096 threads; Fake GPU has at most 1024"},
		{cuda.Launch{Grid: one, Block: one, Shared: 1 << 20}, "1048576 bytes of shared memory"},
	} {
		c.l.Kernel = "spin"
		if _, err := m.Launch(t.Context(), c.l); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	if _, err := g.Alloc(t.Context(), 1<<40); err == nil || !strings.Contains(err.Error(), "allocating 1099511627776 bytes on the device: out of memory") {
		t.Errorf("got %v", err)
	}
	host, err := g.Host(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.CopyIn(t.Context(), cuda.Mem{Addr: 1, Size: 4}, host, 8); err == nil {
		t.Error("a copy beyond the memory was accepted")
	}
}

func TestDevice(t *testing.T) {
	cudatest.Use(t)
	g := open(t)
	d := g.Device()
	arch, err := d.Arch()
	if d.Name != "Fake GPU" || d.Capability() != "9.0" || d.DriverVersion() != "12.4" || arch != "sm_90" || err != nil || d.Memory != 1<<30 || d.SMs != 132 {
		t.Errorf("%+v, %s, %v", d, arch, err)
	}
	// The fake has the clocks of an H100 SXM: 3.35 TB/s and 67 TFLOP/s by its data sheet.
	if bw, fl := d.PeakBandwidth()/1e12, d.PeakFlops()/1e12; math.Abs(bw-3.35) > 0.01 || math.Abs(fl-67) > 0.5 {
		t.Errorf("peaks %.2f TB/s, %.1f TFLOP/s", bw, fl)
	}
	for cc, want := range map[string]string{"8.0": "sm_80", "8.9": "sm_80", "12.0": "sm_90", "7.5": ""} {
		cudatest.Use(t, "CAPABILITY="+cc)
		d := open(t).Device()
		if arch, err := d.Arch(); arch != want || (err == nil) != (want != "") {
			t.Errorf("capability %s: %s, %v", cc, arch, err)
		}
	}
}

func TestMissing(t *testing.T) {
	for _, c := range []struct {
		lib, devices string
		device       int
		want         string
		missing      bool
	}{
		{lib: "/nonexistent/libcuda.so", want: "/nonexistent/libcuda.so cannot be used", missing: true},
		{lib: "libm.so.6", want: "it lacks cuInit", missing: true},
		{devices: "0", want: "no CUDA-capable device is detected", missing: true},
		{devices: "2", device: 2, want: "there is no device 2; this machine has 2"},
	} {
		cudatest.Use(t)
		if c.lib != "" {
			t.Setenv("IRC_LIBCUDA", c.lib)
		}
		if c.devices != "" {
			t.Setenv("IRC_FAKECUDA_DEVICES", c.devices)
		}
		g, err := cuda.Open(t.Context(), cuda.Options{Device: c.device})
		if g != nil || err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, cuda.ErrMissing) != c.missing {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}
