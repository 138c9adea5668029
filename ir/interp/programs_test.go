package interp_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/text"
)

// A program as written and the graph that folding, sharing and scheduling make
// of it mean the same: a taste of what tests/random does with more of them.
func TestRandomPrograms(t *testing.T) {
	const n = uint64(300)
	trapped, skipped := 0, 0
	for seed := uint64(0); seed < n && !t.Failed(); seed++ {
		p := irtest.New(seed, irtest.Config{Traps: seed%3 == 0})
		want, err := runProgram(p, text.Options{Verbatim: true})
		got, err2 := runProgram(p, text.Options{})
		var missing *interp.Unsupported
		if errors.As(err, &missing) || errors.As(err2, &missing) {
			skipped++
			continue
		}
		var f, f2 *interp.Failure
		if err2 != nil && (!errors.As(err2, &f2) || !f2.IsTrap()) || err != nil && (!errors.As(err, &f) || !f.IsTrap()) {
			t.Errorf("seed %d: %v / %v\n%s", seed, err, err2, p.Text)
			continue
		}
		if err != nil {
			trapped++ // the graph may drop a trap
			continue
		}
		if err2 != nil || got != want {
			t.Errorf("seed %d: got %s, %v\nwant %s\n%s", seed, got, err2, want, p.Text)
		}
	}
	t.Logf("%d programs, %d trap, %d have ops that do not run", n, trapped, skipped)
	if trapped == 0 || trapped > int(n)/2 {
		t.Errorf("%d of %d programs trap", trapped, n)
	}
}

// runProgram returns all that can be seen of a run: output, results, memory.
func runProgram(p *irtest.Program, o text.Options) (seen string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	ctx := ir.NewContext(dialects.All...)
	g, errs := text.Parse(ctx, diag.NewSource("p.mlir", p.Text), o)
	if err := errs.Err(); err != nil {
		return "", err
	}
	m, err := interp.New(g, interp.Options{Fuel: 1e7, MemLimit: 1 << 24})
	if err != nil {
		return "", err
	}
	fn, err := m.Resolve(p.Entry)
	if err != nil {
		return "", err
	}
	var args []ir.Val
	for i, a := range p.Args {
		v := ir.Val{Bits: a.Bits}
		if a.Elems != nil {
			b := interp.NewBuffer(ctx, ctx.Info(fn.Params[i]).Elem, len(a.Elems), false)
			for i, x := range a.Elems {
				b.Store(i, ir.Val{Bits: x})
			}
			v = ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{int64(len(a.Elems))}, Strides: []int64{1}}}
		}
		args = append(args, v)
	}
	out, err := m.Invoke(fn, args)
	if err != nil {
		return "", err
	}
	s := ""
	for _, q := range m.Printed() {
		s += interp.FormatPrinted(ctx, q)
	}
	r, _ := interp.ToJSON(ctx, out, fn.Results)
	a, _ := interp.ToJSON(ctx, args, fn.Params)
	return fmt.Sprintf("%s%s %s", s, r, a), nil
}

func machineOf(t testing.TB, src string, o interp.Options) *interp.Machine {
	t.Helper()
	g, errs := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("p.mlir", src), text.Options{})
	if err := errs.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := interp.New(g, o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMLIRProgram(t *testing.T) {
	m := machineOf(t, `
func.func @gcd(%a: i64, %b: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %r:2 = scf.while (%x = %a, %y = %b) : (i64, i64) -> (i64, i64) {
    %c = arith.cmpi ne, %y, %zero : i64
    scf.condition(%c) %x, %y : i64, i64
  } do {
  ^bb0(%x: i64, %y: i64):
    %m = arith.remsi %x, %y : i64
    scf.yield %y, %m : i64, i64
  }
  return %r#0 : i64
}
func.func @matmul(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  %n = memref.dim %a, %c0 : memref<?x?xf64>
  %k = memref.dim %a, %c1 : memref<?x?xf64>
  %m = memref.dim %b, %c1 : memref<?x?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %s = scf.for %l = %c0 to %k step %c1 iter_args(%acc = %z) -> f64 {
        %x = memref.load %a[%i, %l] : memref<?x?xf64>
        %y = memref.load %b[%l, %j] : memref<?x?xf64>
        %p = arith.mulf %x, %y : f64
        %q = arith.addf %acc, %p : f64
        scf.yield %q : f64
      }
      memref.store %s, %c[%i, %j] : memref<?x?xf64>
    }
  }
  return
}
func.func @div(%a: i64, %b: i64) -> i64 {
  %q = arith.divsi %a, %b : i64
  return %q : i64
}
`, interp.Options{})
	want(t, m, "gcd", ints(252, 105), 21)
	f, err := m.Resolve("matmul")
	if err != nil {
		t.Fatal(err)
	}
	args, err := interp.ArgsFromJSON(m.Ctx, f.Params, []byte(`[[[1,2],[3,4],[5,6]], [[1,0,2],[0,1,3]], [[0,0,0],[0,0,0],[0,0,0]]]`), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Invoke(f, args); err != nil {
		t.Fatal(err)
	}
	if s := interp.FormatVal(m.Ctx, args[2], f.Params[2]); s != "[[1, 2, 8], [3, 4, 18], [5, 6, 28]]" {
		t.Error(s)
	}
	args, _ = interp.ArgsFromJSON(m.Ctx, f.Params, []byte(`[[[1,2]], [[1],[1]], [[]]]`), nil)
	fails(t, m, "matmul", args, "out of bounds [0, 0)")
	fails(t, m, "div", ints(1, 0), "trap: ")
	src := diag.NewSource("p.mlir", "func.func @div(%a: i64, %b: i64) -> i64 {\n  %q = arith.divsi %a, %b : i64\n  return %q : i64\n}")
	m = machineOf(t, src.Text, interp.Options{})
	fail := fails(t, m, "div", ints(math.MinInt64, 0), "trap: ")
	if d := fail.Diagnostic(src).Error(); !strings.HasPrefix(d, "p.mlir:2:") {
		t.Error(d)
	}
}
