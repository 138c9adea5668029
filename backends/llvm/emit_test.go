package llvm

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

var update = flag.Bool("update", false, "rewrite the expected output")

func parse(t testing.TB, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("test.mlir", src), text.Options{AllowUnregistered: true})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return g
}

// verify has LLVM's own verifier look at a module.
func verify(t testing.TB, ll string) {
	t.Helper()
	opt, err := exec.LookPath("opt-19")
	if err != nil {
		t.Skip("this test needs opt-19")
	}
	cmd := exec.Command(opt, "-passes=verify", "-disable-output", "-")
	cmd.Stdin = strings.NewReader(ll)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// modes are the ways to emit; each file of testdata has its expected output in
// the first.
var modes = []Options{{Name: "m"}, {Unchecked: true}, {Thunks: true}, {Thunks: true, Unchecked: true}}

func TestFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		golden := strings.TrimSuffix(file, ".mlir") + ".ll"
		for i, o := range modes {
			got, err := Text(parse(t, string(src)), o)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if i == 0 {
				compare(t, golden, got)
			}
			t.Run(fmt.Sprint(filepath.Base(file), i), func(t *testing.T) { verify(t, got) })
		}
		h, err := Header(parse(t, string(src)), "m.h")
		if err != nil {
			t.Fatal(err)
		}
		compare(t, strings.TrimSuffix(file, ".mlir")+".h", h)
	}
}

func compare(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got {
		t.Errorf("%s differs from what is emitted (-update rewrites it): %v\n%s", file, err, got)
	}
}

// The engine's programs are valid in every mode too.
func TestEngineFiles(t *testing.T) {
	files, err := filepath.Glob("../engine/testdata/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range modes {
			ll, err := Text(parse(t, string(src)), o)
			if err != nil {
				t.Fatal(err)
			}
			verify(t, ll)
		}
	}
}

// What has no translation is an error that names the op.
func TestUnsupported(t *testing.T) {
	for _, test := range []struct{ src, op, want string }{
		{`func.func @f(%t: tensor<4xf64>) { return }`, "func.func", "tensor<4xf64>"},
		{`func.func @f(%t: memref<*xf64>) { return }`, "func.func", "ranked"},
		{`func.func @f(%x: f64) -> f64 { %y = "my.op"(%x) : (f64) -> f64 return %y : f64 }`, "my.op", "not registered"},
		{`func.func @exp(%x: f64) -> f64 { return %x : f64 }`, "func.func", "C library"},
		{`func.func @f(%x: f64, %y: f64) -> f64 { %z = special.gammainc %x, %y : f64 return %z : f64 }`, "special.gammainc", "no translation"},
		{`func.func @f(%x: f64) -> f16 { %z = arith.truncf %x to_nearest_even : f64 to f16 return %z : f16 }`, "", ""},
		{`func.func @f() { func.call @g() : () -> () return }`, "func.call", "no function"},
		{`func.func private @g(f64) func.func @f() { func.call @g() : () -> () return }`, "func.call", "operands"},
		{`func.func @f() -> vector<[4]xf32> { %c = arith.constant dense<1.0> : vector<[4]xf32> return %c : vector<[4]xf32> }`, "func.func", "vector<[4]xf32>"},
		{`module { module { } func.func @f() { return } }`, "builtin.module", "another module"},
	} {
		ll, err := Text(parse(t, test.src), Options{})
		if test.op == "" {
			if err != nil {
				t.Error(err)
			} else {
				verify(t, ll)
			}
			continue
		}
		e, ok := err.(*ir.OpError)
		if !ok || e.Op != test.op || !strings.Contains(e.Msg, test.want) || e.Loc == 0 {
			t.Errorf("%s:\n%v (want %s: %s)", test.src, err, test.op, test.want)
		}
	}
}

// BenchmarkEmit emits one function of 4000 ops.
func BenchmarkEmit(b *testing.B) {
	var s strings.Builder
	s.WriteString("func.func @f(%v0: f64, %c: i1) -> f64 {\n")
	for i := range 4000 {
		fmt.Fprintf(&s, "%%v%d = arith.%s %%v%d, %%v%d : f64\n", i+1, []string{"addf", "mulf", "divf"}[i%3], i, max(0, i-7))
	}
	s.WriteString("return %v4000 : f64 }")
	g := parse(b, s.String())
	for b.Loop() {
		if _, err := Text(g, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFunctions emits 100 functions of loops and memory.
func BenchmarkFunctions(b *testing.B) {
	var s strings.Builder
	for i := range 100 {
		fmt.Fprintf(&s, `func.func @f%d(%%a: memref<?xf64>, %%n: index) -> f64 {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%z = arith.constant %d.0 : f64
  %%s = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%t = %%z) -> f64 {
    %%x = memref.load %%a[%%i] : memref<?xf64>
    %%y = arith.mulf %%x, %%t : f64
    scf.yield %%y : f64
  }
  return %%s : f64
}
`, i, i)
	}
	g := parse(b, s.String())
	for b.Loop() {
		if _, err := Text(g, Options{Thunks: true}); err != nil {
			b.Fatal(err)
		}
	}
}
