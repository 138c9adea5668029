package prob_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/tests/built"
)

// onEngines runs a test on a program that is lowered for the interpreter, and on native
// code.
func onEngines(t *testing.T, src string, test func(t *testing.T, p engine.Program)) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			test(t, compiled(t, kind, src))
		})
	}
}

// compiled makes a program ready to run. Its code is not optimised: what is tested is the
// lowering, and libLLVM would take most of the time.
func compiled(t *testing.T, kind *engine.Kind, src string) engine.Program {
	t.Helper()
	e, _, err := kind.Start(t.Context(), engine.Options{CountHeap: true, Level: jit.O0})
	if errors.Is(err, jit.ErrMissing) {
		t.Skipf("native code needs libLLVM (libllvm19): %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() }) // an engine that tests ended with
	p, err := built.Prepare(t.Context(), e, parse(t, built.Context(), src))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// callOf calls a function, which must leave nothing on the heap.
func callOf(t *testing.T, p engine.Program, name string, args []ir.Val) []ir.Val {
	t.Helper()
	before, err := engine.Heap(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := p.Call(t.Context(), name, args)
	if err != nil {
		t.Fatalf("@%s: %v", name, err)
	}
	after, err := engine.Heap(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if n := after.Since(before).Kept(); n != 0 {
		t.Errorf("@%s leaves %d blocks of memory", name, n)
	}
	return out
}

// drawsOf is a function that fills its first argument with draws.
func drawsOf(name, law string, n int) string {
	params, list := "", make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%%p%d", i)
		params += ", " + list[i] + ": f64"
	}
	return fmt.Sprintf(`func.func @%s(%%x: memref<?xf64>%s) {
  %%zero = arith.constant 0 : index
  %%one = arith.constant 1 : index
  %%seed = arith.constant 77 : i64
  %%n = memref.dim %%x, %%zero : memref<?xf64>
  scf.for %%i = %%zero to %%n step %%one {
    %%k = arith.index_cast %%i : index to i64
    %%y = prob.draw %q(%s) seed %%seed stream %%seed counter %%k
    memref.store %%y, %%x[%%i] : memref<?xf64>
  }
  return
}
`, name, params, law, strings.Join(list, ", "))
}

// Each law of numbers draws in native code what it draws as it is; many draws are as its
// distribution function says, and none lies where its density is 0. Where make soak does not look at all, it is one law of
// three: to compile them takes the time.
func TestNativeDraws(t *testing.T) {
	src, laws, n := "", []string{}, 0
	for _, l := range prob.Laws {
		if least, most := apply.Arity(l); l.Joint == nil && most >= 0 && apply.HasCDF(l) {
			if n++; n%3 != 0 && !built.Soaking() {
				continue
			}
			src += drawsOf(fmt.Sprintf("f%d", len(laws)), l.Name, least)
			laws = append(laws, l.Name)
		}
	}
	m, err := interp.New(parse(t, built.Context(), src), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p := compiled(t, engine.LLVM, src)
	for i, law := range laws {
		name, l := fmt.Sprintf("f%d", i), prob.Lookup(law)
		least, _ := apply.Arity(l)
		for _, params := range prob.Samples[law] {
			if len(params) != least {
				continue
			}
			want := fill(t, 40, params, func(args []ir.Val) error { _, err := m.Call(name, args); return err })
			got := fill(t, 500, params, func(args []ir.Val) error { _, _, err := p.Call(t.Context(), name, args); return err })
			for k, x := range want {
				if y := got[k]; x != y && (l.Counts || !(math.Abs(x-y) <= 1e-11*(1+math.Abs(x)))) {
					t.Errorf("%s%v, draw %d: %v, and in native code %v", law, params, k, x, y)
					break
				}
			}
			for _, x := range got {
				if d := l.LogDensity(x, params); math.IsNaN(d) || math.IsInf(d, -1) {
					t.Errorf("%s%v: %v is drawn, where the log density is %v", law, params, x, d)
					break
				}
			}
			if a := prob.Agreement(law, got, params); !(a >= prob.LeastP) {
				t.Errorf("%s%v: the draws are as if with p = %v", law, params, a)
			}
		}
	}
	t.Logf("%d laws of %d", len(laws), n)
}

// fill calls a function of draws for n of them.
func fill(t *testing.T, n int, params []float64, call func(args []ir.Val) error) []float64 {
	t.Helper()
	out := make([]float64, n)
	x := &interp.MemRef{Buf: interp.Floats(out), Sizes: []int64{int64(n)}, Strides: []int64{1}}
	args := []ir.Val{x.Val()}
	for _, p := range params {
		args = append(args, ir.F64Val(p))
	}
	if err := call(args); err != nil {
		t.Fatal(err)
	}
	return out
}
