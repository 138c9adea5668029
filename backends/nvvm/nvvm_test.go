package nvvm

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/libm"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
)

func parse(t testing.TB, name, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource(name, src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// compile lowers and compiles kernels, emit lowers and translates them.
func compile(g *ir.Graph, o Options) (*PTX, error) {
	g, err := lowering.Compile(context.Background(), g, o.target())
	if err != nil {
		return nil, err
	}
	return Compile(g, o)
}

func emit(g *ir.Graph, o Options) (*llvm.Module, error) {
	g, err := lowering.Compile(context.Background(), g, o.target())
	if err != nil {
		return nil, err
	}
	return Emit(g, o)
}

func example(t testing.TB, name string) *ir.Graph {
	t.Helper()
	src, err := os.ReadFile("../../examples/device/" + name + ".mlir")
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, name, string(src))
}

func needsLLVM(t testing.TB) {
	t.Helper()
	if _, err := jit.Find(); err != nil {
		t.Skip("this test needs libLLVM: ", err)
	}
}

// assembles has ptxas look at PTX.
func assembles(t *testing.T, p *PTX) {
	t.Helper()
	t.Run("ptxas", func(t *testing.T) {
		tool, err := exec.LookPath("ptxas")
		if err != nil {
			t.Skip("this test needs ptxas")
		}
		file := filepath.Join(t.TempDir(), "k.ptx")
		if err := os.WriteFile(file, []byte(p.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(tool, "-arch="+p.Arch, file, "-o", file+".cubin").CombinedOutput(); err != nil {
			t.Errorf("%v\n%s\n%s", err, out, p.Text)
		}
	})
}

// What the examples must come to. A line that begins with ! must not be there.
var golden = map[string][]string{
	"saxpy": {`\.visible \.entry saxpy_kernel\(`, `%ctaid\.x`, `%ntid\.x`, `%tid\.x`, `ld\.global\.f32`, `mul\.rn\.f32`, `add\.rn\.f32`,
		`st\.global\.f32`, `!\.shared`, `!bar\.sync`, `!fma`},
	"reduce": {`\.entry sum_kernel\(`, `\.shared \.align 16 \.b8 \S+\[2048\]`, `bar\.sync`, `ld\.shared\.f64`, `st\.shared\.f64`,
		`ld\.global\.f64`, `atom\.global\.add\.f64`, `!atom\.add`, `!ld\.f64`, `!st\.f64`},
	"stencil": {`\.entry heat_kernel\(`, `%tid\.y`, `%ctaid\.y`, `ld\.global\.nc\.f64`, `st\.global\.f64`, `!ld\.f64`, `!bar\.sync`},
	"matmul": {`\.entry matmul_kernel\(`, `bar\.sync`, `ld\.shared\.f32`, `st\.shared\.f32`, `ld\.global\.f32`, `st\.global\.f32`,
		`\.b8 \S+\[1024\]`, `!ld\.f32`, `!st\.f32`, `!\.local`},
}

func TestExamples(t *testing.T) {
	needsLLVM(t)
	for name, want := range golden {
		for _, o := range []Options{{}, {Target: GPU("sm_90")}, {Unchecked: true}, {Target: GPU("sm_90"), Unchecked: true}} {
			t.Run(fmt.Sprint(name, o.target().CPU, o.Unchecked), func(t *testing.T) {
				p, err := compile(example(t, name), o)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(p.Text, ".target "+p.Arch) {
					t.Errorf("not for %s", p.Arch)
				}
				if traps := strings.Contains(p.Text, ".global .align 4 .u32 "+TrapSymbol); traps == o.Unchecked || traps != (len(p.Traps) > 0) {
					t.Errorf("unchecked: %v, variable: %v, traps: %v", o.Unchecked, traps, p.Traps)
				}
				for _, re := range want {
					none := strings.HasPrefix(re, "!")
					if regexp.MustCompile(strings.TrimPrefix(re, "!")).MatchString(p.Text) == none {
						t.Errorf("%s\n%s", re, p.Text)
					}
				}
				assembles(t, p)
			})
		}
	}
}

// PTX converts to bf16 by way of f32, on sm_80 twice rounded: kernels have its bits
// alone (package engine runs what comes of it on a machine for PTX).
func TestNoBF16InPTX(t *testing.T) {
	needsLLVM(t)
	g := parse(t, "bf16.mlir", `device.kernel @k(%out: memref<?xbf16>, %x: i32, %y: i64, %f: f32, %d: f64) {
  %i = device.thread_id x
  %a = arith.sitofp %x : i32 to bf16
  %b = arith.uitofp %y : i64 to bf16
  %c = arith.truncf %f : f32 to bf16
  %e = arith.truncf %d : f64 to bf16
  %s = arith.addf %a, %b : bf16
  %t = math.fma %s, %c, %e : bf16
  %n = arith.negf %t : bf16
  memref.store %n, %out[%i] : memref<?xbf16>
  device.return
}`)
	for _, arch := range []string{"sm_80", "sm_90"} {
		p, err := compile(g, Options{Target: GPU(arch)})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(p.Text, "bf16") || !strings.Contains(p.Text, "cvt.rn.f64.s32") {
			t.Errorf("%s:\n%s", arch, p.Text)
		}
		assembles(t, p)
	}
}

// What the launcher is told.
func TestKernelInfo(t *testing.T) {
	needsLLVM(t)
	p, err := compile(example(t, "reduce"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernel("sum_kernel")
	if k == nil || k.Entry != "sum_kernel" || k.Shared != 2048 || len(k.In) != 3 || p.Kernel("sum") != nil {
		t.Fatalf("got %+v", p.Kernels)
	}
	// As many parameters as the entry has, and of the same sizes.
	var want []string
	for i, x := range k.Params {
		want = append(want, fmt.Sprintf(".param .u%d %s_param_%d", 8*x.Bytes, k.Entry, i))
	}
	if !strings.Contains(strings.Join(strings.Fields(p.Text), " "), strings.Join(want, ", ")+" )") {
		t.Errorf("want %v\n%s", want, p.Text)
	}
	if s := p.Traps[0].String(); s != "@sum_kernel: memref.load: index out of bounds" || p.Traps[0].Loc == 0 {
		t.Errorf("trap 1 is %q", s)
	}
}

// Parameters of all sorts, and a symbol that is no name in PTX.
func TestSignature(t *testing.T) {
	needsLLVM(t)
	p, err := compile(parse(t, "x", `device.kernel @"a.b"(%a: i1, %b: i7, %c: i24, %d: i64, %e: index, %f: f16, %g: bf16, %h: f32, %i: f64,
    %m: memref<?x?xi1, strided<[?, ?], offset: ?>, 1>, %n: memref<4x4xbf16>) {
  %t = device.thread_id x
  %0 = memref.load %m[%t, %t] : memref<?x?xi1, strided<[?, ?], offset: ?>, 1>
  %1 = arith.andi %0, %a : i1
  memref.store %1, %m[%t, %e] : memref<?x?xi1, strided<[?, ?], offset: ?>, 1>
  %2 = arith.addf %g, %g : bf16
  memref.store %2, %n[%t, %t] : memref<4x4xbf16>
  device.return
}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := p.Kernel("a.b")
	if k == nil || k.Entry != "a_2eb" {
		t.Fatalf("got %+v", p.Kernels)
	}
	text := strings.NewReplacer(".align 2 .b8", ".b16").Replace(p.Text) // so f16 is written
	sizes := regexp.MustCompile(`\.param \.[usfb](\d+) a_2eb_param_`).FindAllStringSubmatch(text, -1)
	if len(sizes) != len(k.Params) {
		t.Fatalf("%d parameters, want %d\n%s", len(sizes), len(k.Params), p.Text)
	}
	for i, s := range sizes {
		if s[1] != fmt.Sprint(8*k.Params[i].Bytes) {
			t.Errorf("parameter %d has %s bits, want %d bytes", i, s[1], k.Params[i].Bytes)
		}
	}
	assembles(t, p)
}

// Functions that kernels reach are translated, those of the host are not; tables
// lie in global memory.
func TestReached(t *testing.T) {
	g := parse(t, "x", `memref.global "private" constant @table : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
memref.global @hosts : memref<4xf32>
func.func @host() { %m = memref.get_global @hosts : memref<4xf32> %a = memref.alloc() : memref<4xf32> return }
func.func @twice(%x: f32) -> f32 { %y = func.call @once(%x) : (f32) -> f32 %z = func.call @once(%y) : (f32) -> f32 return %z : f32 }
func.func private @once(%x: f32) -> f32 {
  %i = device.thread_id x
  %m = memref.get_global @table : memref<4xf32>
  %c = memref.load %m[%i] : memref<4xf32>
  %y = arith.mulf %x, %c : f32
  device.barrier
  return %y : f32
}
device.kernel @k(%x: f32, %a: memref<?xf32>) {
  %i = device.thread_id x
  %y = func.call @twice(%x) : (f32) -> f32
  memref.store %y, %a[%i] : memref<?xf32>
  device.return
}`)
	m, err := emit(g, Options{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	ll := m.Text()
	for _, want := range []string{`define internal float @irc.func.twice(float`, "convergent", `@irc.global.table = internal addrspace(1) constant`,
		`define ptx_kernel void @k(float`, `ptr addrspace(1)`, `!nvvm.annotations = !{!0}`, `target triple = "nvptx64-nvidia-cuda"`} {
		if !strings.Contains(ll, want) {
			t.Errorf("no %s in\n%s", want, ll)
		}
	}
	if strings.Contains(ll, "host") || strings.Contains(ll, "malloc") {
		t.Errorf("it has the host's functions:\n%s", ll)
	}
	needsLLVM(t)
	p, err := compile(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	assembles(t, p)
}

// Recursion needs a stack, which PTX has.
func TestRecursion(t *testing.T) {
	needsLLVM(t)
	p, err := compile(parse(t, "x", `func.func private @fib(%n: i32) -> i32 {
  %two = arith.constant 2 : i32 %one = arith.constant 1 : i32
  %c = arith.cmpi slt, %n, %two : i32
  %r = scf.if %c -> (i32) { scf.yield %n : i32 } else {
    %a = arith.subi %n, %one : i32 %b = arith.subi %n, %two : i32
    %x = func.call @fib(%a) : (i32) -> i32 %y = func.call @fib(%b) : (i32) -> i32
    %s = arith.addi %x, %y : i32 scf.yield %s : i32 }
  return %r : i32
}
device.kernel @k(%n: i32, %a: memref<1xi32>) {
  %i = device.thread_id x
  %y = func.call @fib(%n) : (i32) -> i32
  memref.store %y, %a[%i] : memref<1xi32>
  device.return
}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	assembles(t, p)
}

// A data-parallel loop becomes a kernel that compiles.
func TestOutlined(t *testing.T) {
	needsLLVM(t)
	for _, line := range []string{"outline-kernels", "canonicalize,outline-kernels{block=32},canonicalize,dce"} {
		p, err := pass.Parse(line, passes.All())
		if err != nil {
			t.Fatal(err)
		}
		g, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), example(t, "parallel"), p)
		if err != nil {
			t.Fatal(err)
		}
		out, err := compile(g, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if k := out.Kernel("normalize_kernel"); k == nil || len(k.Params) != 5 {
			t.Errorf("got %+v", out.Kernels)
		}
		assembles(t, out)
	}
}

// What kernels cannot do is refused, with the op and a way out.
func TestRefused(t *testing.T) {
	kernel := func(body string) string {
		return "device.kernel @k(%n: index, %x: f32, %a: memref<8x8xf32>) {\n" + body + "\ndevice.return }"
	}
	for _, e := range []struct{ src, says string }{
		{kernel(`%m = memref.alloc() : memref<8x8xf32> memref.store %x, %m[%n, %n] : memref<8x8xf32>
memref.copy %m, %a : memref<8x8xf32> to memref<8x8xf32>`), "'memref.alloc' op allocates memory of the host"},
		{kernel(`memref.dealloc %a : memref<8x8xf32>`), "'memref.dealloc' op frees memory of the host"},
		{kernel(`special.print %x : f32`), "'special.print' op prints"},
		{kernel(`%y = arith.remf %x, %x : f32 memref.store %y, %a[%n, %n] : memref<8x8xf32>`), "'arith.remf' op is not exact"},
		{kernel(`%m = memref.alloca(%n) : memref<?xf32> memref.store %x, %m[%n] : memref<?xf32> "user.op"(%m) : (memref<?xf32>) -> ()`), "size that is known only when it runs"},
		{kernel(`%m = memref.alloca() : memref<8xf32> memref.store %x, %m[%n] : memref<8xf32> func.call @g(%m, %x, %n) : (memref<8xf32>, f32, index) -> ()`) +
			`func.func private @g(%m: memref<8xf32>, %x: f32, %n: index) { %y = memref.atomic_rmw mulf %x, %m[%n] : (f32, memref<8xf32>) -> f32 return }`, "calls @g, which changes memory atomically"},
		{kernel(`%s = device.shared : memref<64x64xf32, 3> %t = device.shared : memref<8193xf32, 3>
memref.store %x, %s[%n, %n] : memref<64x64xf32, 3> memref.store %x, %t[%n] : memref<8193xf32, 3> device.barrier`), "@k has 49156 bytes of it"},
		{kernel(`%s = device.shared : memref<1000000x1000000xf32, 3> memref.store %x, %s[%n, %n] : memref<1000000x1000000xf32, 3> device.barrier`), "far more"},
		{kernel(`func.call @g() : () -> ()`) + "func.func private @g()", "'func.func' op has no body, and a kernel calls it"},
		{kernel(`%m = memref.get_global @g : memref<4xf32> memref.store %x, %m[%n] : memref<4xf32>`) + "memref.global @g : memref<4xf32>", "memory of the host"},
		{kernel(`func.call @g() : () -> ()`) + "func.func private @g() { %c1 = arith.constant 1 : index device.launch @j blocks(%c1) threads(%c1) return } device.kernel @j() { device.return }",
			"'device.launch' op launches a kernel from a kernel"},
		{`device.kernel @k(%x: f80) { device.return }`, "more than 64 bits"},
		{`device.kernel @k(%x: i128) { device.return }`, "more than 64 bits"},
		{`device.kernel @k(%x: memref<4x!a.b>) { device.return }`, "argument #0 of type"},
		{`device.kernel @irc_trap() { device.return }`, "something else is called too"},
		{`device.kernel @"a.b"() { device.return } device.kernel @a_2eb() { device.return }`, "something else is called too"},
		{`func.func @f() { return }`, ErrNoKernels.Error()},
	} {
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x", e.src), text.Options{AllowUnregistered: true})
		if err := list.Err(); err != nil {
			t.Error(err)
			continue
		}
		_, err := emit(g, Options{})
		if err == nil || !strings.Contains(err.Error(), e.says) {
			t.Errorf("%s\n says %v\n want %s", e.src, err, e.says)
		}
		var op *ir.OpError
		if errors.As(err, &op) && op.Loc == 0 {
			t.Errorf("%v has no place", err)
		}
	}
}

// Functions of math and special become arithmetic; one that has not is refused.
func TestMath(t *testing.T) {
	var b strings.Builder
	var left []string
	n := 0
	for _, d := range []*ir.Dialect{math.Dialect, special.Dialect} {
		for _, op := range d.Ops {
			if op.Effects != nil || op == math.Fpowi || op == math.Ipowi {
				continue
			}
			for _, elem := range []string{"f32", "f64"} {
				line := ""
				for _, args := range []string{"%x", "%x, %y", "%x, %y, %x"} {
					src := fmt.Sprintf("func.func @f(%%x: %s, %%y: %s) { %%r = %s %s : %s return }", elem, elem, op.Name, args, elem)
					if _, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x", src), text.Options{}); list.Err() == nil {
						line = fmt.Sprintf("%%r = %s %s : %s", op.Name, args, elem)
					}
				}
				if line == "" {
					continue // an op on integers
				}
				src := fmt.Sprintf(`device.kernel @k%d(%%a: memref<?x%s>) {
  %%i = device.thread_id x %%j = device.thread_id y
  %%x = memref.load %%a[%%i] : memref<?x%s>
  %%y = memref.load %%a[%%j] : memref<?x%s>
  %s
  memref.store %%r, %%a[%%i] : memref<?x%s>
  device.return
}
`, n, elem, elem, elem, line, elem)
				if _, err := emit(parse(t, "x", src), Options{}); err == nil {
					b.WriteString(src)
					n++
				} else if !strings.Contains(err.Error(), "lower-math") {
					t.Errorf("%s: %v", op.Name, err)
				} else if left = append(left, op.Name); libmHas(op) {
					t.Errorf("lower-math lowers %s, but %v", op.Name, err)
				}
			}
		}
	}
	if n < 60 {
		t.Errorf("only %d kernels", n)
	}
	if len(left) > 0 {
		t.Logf("no rule lowers %v", left)
	}
	g := parse(t, "x", b.String())
	if _, err := llvm.Emit(g, llvm.Options{Target: GPU("")}); err == nil || !strings.Contains(err.Error(), "lower-math") {
		t.Errorf("not lowered: %v", err)
	}
	needsLLVM(t)
	p, err := compile(g, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(p.Text, ".extern") {
		t.Errorf("it calls what nobody defines")
	}
	if !testing.Short() {
		assembles(t, p)
	}
}

func libmHas(op *ir.OpDef) bool {
	return slices.ContainsFunc(libm.Table, func(f libm.Function) bool { return f.Op == op })
}

func TestArch(t *testing.T) {
	for arch, ok := range map[string]bool{"sm_80": true, "sm_90": true, "sm_90a": true, "sm_120": true, "sm_52": false, "native": false, "80": false} {
		if err := CheckArch(arch); (err == nil) != ok {
			t.Errorf("%s: %v", arch, err)
		}
	}
}
