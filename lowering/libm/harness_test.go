package libm_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering/libm"
)

var (
	points     = flag.Int("points", 200, "arguments of each function that are held to 200 bits")
	only       = flag.String("functions", "", "comma-separated ops to check; all if empty")
	exhaustive = flag.Bool("exhaustive", false, "check f32 functions of one operand on all 2^32 arguments")
	stride     = flag.Int("stride", 0, "check f32 functions of one operand on arguments that are so far apart; 0: some functions only")
)

func TestMain(m *testing.M) {
	jit.ServeIfChild()
	os.Exit(m.Run())
}

// loop is a function that applies an op to each element of memrefs.
func loop(name, op string, arity int, t string) string {
	var b strings.Builder
	names := []string{"%x", "%y"}[:arity]
	fmt.Fprintf(&b, "func.func @%s(", name)
	for _, n := range append(slices.Clone(names), "%o") {
		fmt.Fprintf(&b, "%sm: memref<?x%s> {llvm.noalias}, ", n, t)
	}
	fmt.Fprintf(&b, "%%n: index) {\n  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  scf.for %%i = %%c0 to %%n step %%c1 {\n")
	for _, n := range names {
		fmt.Fprintf(&b, "    %s = memref.load %sm[%%i] : memref<?x%s>\n", n, n, t)
	}
	fmt.Fprintf(&b, "    %%r = %s %s : %s\n    memref.store %%r, %%om[%%i] : memref<?x%s>\n  }\n  return\n}\n", op, strings.Join(names, ", "), t, t)
	return b.String()
}

func parse(t testing.TB, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("test.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return g
}

func lowered(t testing.TB, src string) *ir.Graph {
	t.Helper()
	g, err := libm.Lower(parse(t, src), libm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func start(t testing.TB, kind string, level jit.Level) engine.Engine {
	t.Helper()
	e, _, err := engine.New(t.Context(), kind, engine.Options{Unchecked: true, Level: level})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

func prepare(t testing.TB, e engine.Engine, g *ir.Graph) engine.Program {
	t.Helper()
	ps, err := e.Prepare(t.Context(), g)
	if err != nil {
		t.Fatal(err)
	}
	return ps[0]
}

func memory(elem ir.Type, n int) (*interp.MemRef, *interp.Buffer) {
	b := interp.NewBuffer(ir.NewContext(), elem, n, false)
	return &interp.MemRef{Buf: b, Sizes: []int64{int64(n)}, Strides: []int64{1}}, b
}

// apply runs a loop on arguments x[operand][i].
func apply(t testing.TB, p engine.Program, name string, elem ir.Type, x [][]float64) []float64 {
	t.Helper()
	var args []ir.Val
	for _, xs := range x {
		m, b := memory(elem, len(xs))
		for i, v := range xs {
			b.Store(i, ir.FloatVal(v, elem))
		}
		args = append(args, m.Val())
	}
	m, out := memory(elem, len(x[0]))
	args = append(args, m.Val(), ir.IntVal(int64(len(x[0])), 64))
	if _, _, err := p.Call(t.Context(), name, args); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	y := make([]float64, len(x[0]))
	for i := range y {
		y[i] = ir.BitsToFloat(out.Load(i).Bits, elem)
	}
	return y
}

var program struct {
	sync.Once
	engine.Program
	err error
}

// compiled is native code of a loop for each function of the table, made once for
// all tests; with -functions for those.
func compiled(t testing.TB) engine.Program {
	t.Helper()
	program.Do(func() {
		var src strings.Builder
		for _, f := range libm.Table {
			if !f.Integer() {
				for _, k := range formats {
					src.WriteString(loop(name(f.Op.Name, k), f.Op.Name, len(f.Op.Args), k.name))
				}
			}
		}
		e, _, err := engine.New(context.Background(), "llvm", engine.Options{Unchecked: true, Level: jit.O0})
		if err != nil {
			program.err = err
			return
		}
		ps, err := e.Prepare(context.Background(), lowered(t, src.String()))
		if err != nil {
			program.err = err
			return
		}
		program.Program = ps[0]
	})
	if errors.Is(program.err, jit.ErrMissing) {
		t.Skipf("this test needs libLLVM: %v", program.err)
	}
	if program.err != nil {
		t.Fatal(program.err)
	}
	return program.Program
}
