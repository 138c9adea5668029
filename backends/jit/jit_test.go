//go:build !nojit && linux && (amd64 || arm64)

package jit

import (
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

func TestCompileAndCall(t *testing.T) {
	l := library(t)
	code, err := l.Compile(`
declare double @lgamma(double)
define i32 @f(ptr %args, ptr %results) {
  %x = load double, ptr %args
  %y = call double @lgamma(double %x)
  store double %y, ptr %results
  ret i32 7
}
define internal void @hidden() { ret void }
`, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer code.Close()
	fn, err := code.Lookup("f")
	if err != nil {
		t.Fatal(err)
	}
	results := []uint64{0}
	status, err := CallSlots(fn, []uint64{math.Float64bits(0.5)}, results)
	want, _ := math.Lgamma(0.5)
	if got := math.Float64frombits(results[0]); err != nil || status != 7 || math.Abs(got-want) > 1e-15 {
		t.Errorf("status %d, lgamma(0.5) = %v, error %v; want 7, %v", status, got, err, want)
	}
	if s := code.Symbols(); len(s) != 1 || s[0] != "f" {
		t.Errorf("symbols %v, want [f]", s)
	}
	for _, name := range []string{"g", "hidden", "exp"} {
		if _, err := code.Lookup(name); err == nil || !strings.Contains(err.Error(), "@"+name) {
			t.Errorf("Lookup(%s): %v", name, err)
		}
	}
	if code.Timing().Total() <= 0 {
		t.Error("no timing")
	}
	if err := code.Close(); err != nil {
		t.Error(err)
	}
	if _, err := code.Lookup("f"); err == nil {
		t.Error("Lookup works after Close")
	}
	if _, err := CallSlots(0, nil, nil); err == nil {
		t.Error("a call of address 0 was made")
	}
}

var cell uint64 = 41 // a variable that does not move

func TestAbsoluteSymbols(t *testing.T) {
	l := library(t)
	const ir = `
@cell = external global i64
define i32 @f(ptr %args, ptr %results) {
  %x = load i64, ptr @cell
  %y = add i64 %x, 1
  store i64 %y, ptr %results
  ret i32 0
}`
	symbols := map[string]uintptr{"cell": uintptr(unsafe.Pointer(&cell)), "f": 1}
	code, err := l.Compile(ir, Options{Symbols: symbols})
	if err != nil {
		t.Fatal(err)
	}
	defer code.Close()
	fn, err := code.Lookup("f") // the module's own f, not the symbol's
	if err != nil {
		t.Fatal(err)
	}
	results := []uint64{0}
	if _, err := CallSlots(fn, nil, results); err != nil || results[0] != cell+1 {
		t.Errorf("%v, %v", results, err)
	}
}

// Bad IR is an error with LLVM's message and the line, never an abort.
func TestCompileErrors(t *testing.T) {
	l := library(t)
	for _, test := range []struct {
		name, ir, phase, message, source string
		o                                Options
	}{
		{name: "parse", ir: "define i32 @f() {\n  ret i32 %x\n}", phase: "parse", message: "use of undefined value '%x'", source: "ret i32 %x"},
		{name: "garbage", ir: "what is this", phase: "parse", message: "expected top-level entity", source: "what is this"},
		{name: "verify", ir: "define i32 @f() {\n  %y = add i32 %y, 1\n  ret i32 %y\n}", phase: "verify", message: "Only PHI nodes", source: "%y = add i32 %y, 1"},
		{name: "link", ir: "declare void @nowhere()\ndefine void @f() {\n  call void @nowhere()\n  ret void\n}", phase: "link", message: "nowhere"},
		{name: "fatal", ir: "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\ndefine i32 @f() {\n  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret i32 %y\n}", phase: "codegen", message: "annot select"},
		{name: "asm", ir: "define i32 @f() {\n  %y = call i32 asm \"bogus $0\", \"=r\"()\n  ret i32 %y\n}", phase: "codegen", message: "bogus"},
		{name: "layout", ir: "target datalayout = \"E-p:32:32\"\ndefine void @f() { ret void }", phase: "target", message: "data layout"},
		{name: "foreign", ir: "define void @f() { ret void }", phase: "target", message: "is for nvptx64", o: Options{Triple: "nvptx64-nvidia-cuda"}},
		{name: "unknown", ir: "define void @f() { ret void }", phase: "target", message: "", o: Options{Triple: "abacus-unknown-linux"}},
		{name: "passes", ir: "define void @f() { ret void }", phase: "optimize", message: "nonsense", o: Options{Passes: "nonsense"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			code, err := l.Compile(test.ir, test.o)
			var e *CompileError
			if !errors.As(err, &e) {
				t.Fatalf("code %v, error %v; want a CompileError", code, err)
			}
			if e.Phase != test.phase || !strings.Contains(e.Message, test.message) || e.Source != test.source {
				t.Errorf("phase %q, source %q, message:\n%s", e.Phase, e.Source, e.Message)
			}
		})
	}
	// The library survived all that.
	code, err := l.Compile("define void @f() { ret void }", Options{})
	if err != nil {
		t.Fatal(err)
	}
	code.Close()
}

// Compilations do not share state, and diagnostics go to the one they belong to.
func TestConcurrent(t *testing.T) {
	l := library(t)
	good := functions(5, 30)
	bad := "define void @f() {\n  call void asm \"bogus\", \"\"()\n  ret void\n}"
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				code, err := l.Compile(good, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := code.Lookup("f4"); err != nil {
					t.Error(err)
				}
				if err := code.Close(); err != nil {
					t.Error(err)
				}
				if _, err := l.Compile(bad, Options{}); err == nil || strings.Count(err.Error(), "invalid instruction") != 1 {
					t.Errorf("a wrong instruction: %v", err)
				}
			}
		})
	}
	wg.Wait()
}

func TestOptimizeAndEmit(t *testing.T) {
	l := library(t)
	const ir = `define i64 @f(i64 %n) {
  %p = alloca i64
  store i64 %n, ptr %p
  %x = load i64, ptr %p
  %y = mul i64 %x, 8
  ret i64 %y
}`
	text, err := l.Optimize(ir, Options{})
	if err != nil || !strings.Contains(text, "shl i64 %n, 3") {
		t.Errorf("error %v, text:\n%s", err, text)
	}
	text, err = l.Optimize(ir, Options{Level: O0})
	if err != nil || !strings.Contains(text, "alloca") {
		t.Errorf("O0: error %v, text:\n%s", err, text)
	}
	text, err = l.Optimize(ir, Options{Passes: "mem2reg"})
	if err != nil || strings.Contains(text, "alloca") || !strings.Contains(text, "mul") {
		t.Errorf("mem2reg: error %v, text:\n%s", err, text)
	}
	for _, test := range []struct{ triple, cpu, want string }{
		{"", "", "f:"}, {"x86_64-unknown-linux-gnu", "x86-64", "leaq"}, {"aarch64-unknown-linux-gnu", "", "lsl"},
		{"nvptx64-nvidia-cuda", "sm_80", ".target sm_80"},
	} {
		out, err := l.Emit(ir, Assembly, Options{Triple: test.triple, CPU: test.cpu})
		if err != nil && strings.Contains(err.Error(), "built without") {
			t.Logf("%s: %v", test.triple, err)
			continue
		}
		if err != nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: error %v, text:\n%s", test.triple, err, out)
		}
	}
	obj, err := l.Emit(ir, Object, Options{})
	if err != nil || !strings.HasPrefix(string(obj), "\x7fELF") {
		t.Errorf("object: error %v, starts with %q", err, obj[:min(4, len(obj))])
	}
}

// Vector code for the host: this is what CPU and features are for.
func TestHostFeatures(t *testing.T) {
	l := library(t)
	triple, cpu, features := l.Host()
	if triple == "" || cpu == "" || !strings.Contains(features, "+") {
		t.Errorf("host %q, %q, %q", triple, cpu, features)
	}
}

func TestMissing(t *testing.T) {
	_, err := load("/nonexistent/libLLVM.so")
	var e *MissingError
	if !errors.Is(err, ErrMissing) || !errors.As(err, &e) || !strings.Contains(err.Error(), "apt-get install libllvm19") ||
		!strings.Contains(err.Error(), "IRC_LIBLLVM") {
		t.Errorf("error %v", err)
	}
	if _, err := load("libm.so.6"); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "lacks") {
		t.Errorf("a library that is not LLVM: %v", err)
	}
}

func TestCandidates(t *testing.T) {
	list := candidates()
	if list[0] != "libLLVM-19.so" || list[1] != "libLLVM.so.19.1" || list[len(list)-1] != "libLLVM.so" {
		t.Errorf("order %v", list)
	}
}

func TestDoctor(t *testing.T) {
	info := Doctor()
	if info.Found == (info.Reason != "") || info.Found == (info.Path == "") || info.Found == (info.Version == "") {
		t.Errorf("%+v", info)
	}
}

func BenchmarkCallSlots(b *testing.B) {
	code, err := library(b).Compile("define i32 @f(ptr %a, ptr %b) {\n  ret i32 0\n}", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer code.Close()
	fn, err := code.Lookup("f")
	if err != nil {
		b.Fatal(err)
	}
	slots := []uint64{1}
	for b.Loop() {
		if _, err := CallSlots(fn, slots, slots); err != nil {
			b.Fatal(err)
		}
	}
}
