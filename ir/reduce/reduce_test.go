package reduce_test

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/irtest"
	"github.com/irc-lang/irc/ir/reduce"
	"github.com/irc-lang/irc/ir/text"
)

var ctx = context.Background()

func context_() *ir.Context { return ir.NewContext(dialects.All...) }

// ops counts the ops of a program by name; it fails the test for a bad program.
func ops(t *testing.T, src string) map[string]int {
	t.Helper()
	g, errs := text.Parse(context_(), diag.NewSource("r.mlir", src), text.Options{Verbatim: true, AllowUnregistered: true})
	if errs.Err() != nil {
		t.Fatalf("the result does not parse: %v\n%s", errs, src)
	}
	out := map[string]int{}
	var walk func(g *ir.Graph)
	walk = func(g *ir.Graph) {
		for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
			out[g.Def(v).Name]++
			for _, c := range g.Children(v) {
				walk(c)
			}
		}
	}
	walk(g)
	return out
}

// traps reports that a function ends in a trap with the given text.
func traps(entry string, args func(f *interp.Function) []ir.Val, msg string) reduce.Check {
	return func(_ context.Context, src string) bool {
		g, errs := text.Parse(context_(), diag.NewSource("r.mlir", src), text.Options{Verbatim: true})
		if errs.Err() != nil {
			return false
		}
		m, err := interp.New(g, interp.Options{Fuel: 1e6})
		if err != nil {
			return false
		}
		f, err := m.Resolve(entry)
		if err != nil || f.Graph == nil {
			return false
		}
		_, err = m.Invoke(f, args(f))
		return ir.IsTrap(err) && strings.Contains(err.Error(), msg)
	}
}

// argsOf makes the arguments of a program fit what a smaller one has for parameters.
func argsOf(p *irtest.Program) func(f *interp.Function) []ir.Val {
	return func(f *interp.Function) []ir.Val {
		var out []ir.Val
		for i, a := range p.Args[:min(len(p.Args), len(f.Params))] {
			c := f.Graph.Ctx
			info := c.Info(f.Params[i])
			if info.Kind != ir.KindMemRef {
				out = append(out, ir.IntVal(int64(a.Bits), info.Width))
				continue
			}
			b := interp.NewBuffer(c, info.Elem, len(a.Elems), false)
			for i, x := range a.Elems {
				b.Store(i, ir.IntVal(int64(x), c.Info(info.Elem).Width))
			}
			out = append(out, ir.Val{Ref: &interp.MemRef{Buf: b, Sizes: []int64{int64(len(a.Elems))}, Strides: []int64{1}}})
		}
		return out
	}
}

// Random programs that trap become one op that traps and little else.
func TestTrapsOfRandomPrograms(t *testing.T) {
	found, total := 0, 0
	for seed := uint64(0); found < 12 && seed < 400; seed++ {
		p := irtest.New(seed, irtest.Config{Traps: true, Ops: 120})
		check := traps(p.Entry, argsOf(p), "division by zero")
		if !check(ctx, p.Text) {
			continue
		}
		found++
		out, err := reduce.Reduce(context_(), p.Text, check, reduce.Options{})
		if err != nil || !check(ctx, out) {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
		n := 0
		for name, k := range ops(t, out) {
			if name != "arith.constant" {
				n += k
			}
		}
		total += n
		if n > 10 { // module, function, return, division and what it takes to get there
			t.Errorf("seed %d: %d ops are left of %d lines\n%s", seed, n, strings.Count(p.Text, "\n"), out)
		}
		again, _ := reduce.Reduce(context_(), p.Text, check, reduce.Options{})
		if again != out {
			t.Errorf("seed %d: two reductions differ", seed)
		}
	}
	if found < 12 {
		t.Errorf("only %d programs trap", found)
	}
	t.Logf("%d programs, %.1f ops left on average", found, float64(total)/float64(found))
}

const sample = `
module {
  func.func @unused(%x: i64) -> i64 {
    return %x : i64
  }
  func.func @f(%n: index, %m: memref<8xf64>) -> f64 attributes {note = "x"} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %big = arith.constant 12345.678 : f64
    %t = arith.constant true
    %s = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %big) -> f64 {
      %r = scf.if %t -> f64 {
        %x = memref.load %m[%i] : memref<8xf64>
        %y = arith.mulf %x, %acc : f64
        %z = arith.divf %y, %big : f64
        scf.yield %z : f64
      } else {
        scf.yield %acc : f64
      }
      scf.yield %r : f64
    }
    %e = arith.addf %s, %s : f64
    return %e : f64
  }
}
`

func TestBodiesTakeThePlaceOfTheirOps(t *testing.T) {
	check := func(_ context.Context, s string) bool {
		g, errs := text.Parse(context_(), diag.NewSource("r.mlir", s), text.Options{Verbatim: true})
		return errs.Err() == nil && g != nil && strings.Contains(s, "divf")
	}
	out, err := reduce.Reduce(context_(), sample, check, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ops(t, out)
	if got["arith.divf"] != 1 || got["scf.for"]+got["scf.if"]+got["memref.load"]+got["arith.mulf"]+got["arith.addf"] != 0 || got["func.func"] != 1 {
		t.Errorf("left: %v\n%s", got, out)
	}
	if strings.Contains(out, "12345") || strings.Contains(out, "note") {
		t.Errorf("constants or attributes are not made smaller:\n%s", out)
	}
	if strings.Contains(out, `"arith.divf"`) {
		t.Errorf("the result is in generic form:\n%s", out)
	}
}

func TestBudgets(t *testing.T) {
	calls := 0
	check := func(_ context.Context, s string) bool { calls++; return strings.Contains(s, "divf") }
	last := 0
	out, err := reduce.Reduce(context_(), sample, check, reduce.Options{MaxChecks: 10, Progress: func(p reduce.Progress) {
		if p.Checks < last || p.Bytes == 0 || p.Ops == 0 {
			t.Errorf("progress %+v after %d checks", p, last)
		}
		last = p.Checks
	}})
	if err != nil || calls > 10 || !strings.Contains(out, "divf") || last == 0 {
		t.Errorf("%d checks, %v\n%s", calls, err, out)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if out, err := reduce.Reduce(context_(), sample, check, reduce.Options{Context: ctx}); !errors.Is(err, context.Canceled) || out != sample {
		t.Errorf("a cancelled reduction goes on: %v", err)
	}
	if out, err := reduce.Reduce(context_(), sample, func(context.Context, string) bool { return false }, reduce.Options{}); !errors.Is(err, reduce.ErrCheck) || out != sample {
		t.Errorf("a check that never holds: %v", err)
	}
}

// Unregistered ops with regions, and ops whose results have types without constants.
func TestUnregistered(t *testing.T) {
	src := `
"x.outer"() ({
  %a:2 = "x.pair"() : () -> (!x.t, i32)
  "x.use"(%a#0) : (!x.t) -> ()
  %b = "x.make"(%a#0) ({
    %k = "x.inner"() : () -> !x.t
    "x.use"(%k) {tag} : (!x.t) -> ()
  }) {y = 3 : i8} : (!x.t) -> !x.t
  "x.bug"(%b) : (!x.t) -> ()
}) : () -> ()
`
	out, err := reduce.Reduce(context_(), src, func(_ context.Context, s string) bool { return strings.Contains(s, `"x.bug"(%`) }, reduce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ops(t, out)
	if got["x.bug"] != 1 || got["x.use"] != 0 || got["x.outer"] != 0 || len(got) > 3 {
		t.Errorf("left: %v\n%s", got, out)
	}
}

// Of a text that does not parse functions go, and ops whose results are another value then; a function of one op is left.
func TestTextOps(t *testing.T) {
	const src = `func.func @helper(%x: f32) -> f32 {
  %y = arith.addf %x, %x : f32
  return %y : f32
}

func.func @unrelated(%m: memref<4xf32>, %i: index) {
  %z = arith.constant 0.0 : f32
  scf.for %j = %i to %i step %i { // a loop {
    memref.store %z, %m[%j] {text = "}"} : memref<4xf32>
  }
  return
}

func.func @f(%a: tensor<2x3xf32>, %s: f32, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %t:2 = func.call @helper(%s) : (f32) -> (f32, f32)
  %x = linalg.add ins(%a, %a : tensor<2x3xf32>, tensor<2x3xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  %k = linalg.mul ins(%x, %t#1 : tensor<2x3xf32>, f32) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %k : tensor<2x3xf32>
}
`
	define, use := regexp.MustCompile(`(%\w+)(:\d+)?(?:,| =|:)`), regexp.MustCompile(`%\w+`)
	checks := 0
	check := func(_ context.Context, s string) bool {
		checks++
		names := map[string]bool{}
		for _, m := range define.FindAllStringSubmatch(s, -1) {
			names[m[1]] = true
		}
		for _, v := range use.FindAllString(s, -1) {
			if !names[v] {
				return false // mlir-opt would refuse it
			}
		}
		whole := strings.Count(s, "{") == strings.Count(s, "}") && strings.Contains(s, "func.func @f(") && strings.Contains(s, "return")
		returns := regexp.MustCompile(`return %\w+ : tensor`).MatchString(s) == strings.Contains(s, ") -> tensor<2x3xf32> {")
		mul := regexp.MustCompile(`%k = linalg.mul ins\(%[ax], %\w+(#\d)? : tensor<2x3xf32>, f32\) outs\(%o : tensor<2x3xf32>\) -> tensor<2x3xf32>\n`)
		return whole && returns && mul.MatchString(s) && (!strings.Contains(s, "@helper(%s)") || strings.Contains(s, "func.func @helper("))
	}
	out, err := reduce.Reduce(context_(), src, check, reduce.Options{TextOnly: true})
	if err != nil || strings.Count(out, "=") != 1 || strings.Contains(out, "helper") || strings.Contains(out, "unrelated") || strings.Contains(out, "linalg.add") || strings.Contains(out, "return %") {
		t.Errorf("after %d checks, %v:\n%s", checks, err, out)
	}
	if checks > 300 {
		t.Errorf("%d checks", checks)
	}
}

func TestText(t *testing.T) {
	src := "func.func @f( {\n  some lines\n  that do ((( not parse\n  but BUG is here\n}\nmore\n"
	for _, o := range []reduce.Options{{}, {TextOnly: true}} {
		out, err := reduce.Reduce(context_(), src, func(_ context.Context, s string) bool { return strings.Contains(s, "BUG") && strings.Contains(s, "(") }, o)
		if err != nil || len(out) > len("( BUG ")+1 {
			t.Errorf("left %q, %v", out, err)
		}
	}
	if out, err := reduce.Reduce(context_(), "", func(context.Context, string) bool { return true }, reduce.Options{}); err != nil || len(out) > 20 {
		t.Errorf("the empty program: %q, %v", out, err)
	}
}
