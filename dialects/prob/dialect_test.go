package prob_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// module has one function, of what the ops take; law(0) stands for its parameters.
func module(op, law string, n int) string {
	args, names := make([]string, n), make([]string, n)
	for i := range n {
		names[i] = fmt.Sprintf("%%p%d", i)
		args[i] = ", " + names[i] + ": f64"
	}
	list := strings.Join(names, ", ")
	if op == "draw" {
		return fmt.Sprintf("func.func @f(%%n: i64%s) -> f64 {\n  %%c = arith.constant 77 : i64\n  %%r = prob.draw %q(%s) seed %%c stream %%n counter %%n\n  return %%r : f64\n}\n", strings.Join(args, ""), law, list)
	}
	return fmt.Sprintf("func.func @f(%%x: f64%s) -> f64 {\n  %%r = prob.%s %q(%s) at %%x\n  return %%r : f64\n}\n", strings.Join(args, ""), op, law, list)
}

func parse(t *testing.T, ctx *ir.Context, src string) *ir.Graph {
	t.Helper()
	g, list := text.Parse(ctx, diag.NewSource("f.mlir", src), text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	return g
}

func printed(t *testing.T, g *ir.Graph) string {
	t.Helper()
	var out strings.Builder
	if err := text.Print(&out, g, text.PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func call(t *testing.T, g *ir.Graph, args []ir.Val) float64 {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Call("f", args)
	if err != nil {
		t.Fatal(err)
	}
	return out[0].F64()
}

// Each op of each law of numbers, as it is and lowered, at values and parameters that are
// valid and that are not.
func TestOpsAsTheyAreAndLowered(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	tried := 0
	for _, l := range prob.Laws {
		least, most := apply.Arity(l)
		if l.Joint != nil || most < 0 {
			continue
		}
		for _, op := range []string{"logpdf", "cdf", "quantile", "draw"} {
			if op != "logpdf" && !apply.HasCDF(l) {
				continue
			}
			tried++
			ctx := ir.NewContext(dialects.All...)
			g := parse(t, ctx, module(op, l.Name, least))
			if once := printed(t, g); printed(t, parse(t, ctx, once)) != once {
				t.Errorf("%s of %s is read otherwise than printed", op, l.Name)
			}
			low, err := lowering.Compile(t.Context(), parse(t, ctx, module(op, l.Name, least)), target.Interp())
			if err != nil {
				t.Fatal(err)
			}
			for i := range 6 {
				args := []ir.Val{ir.F64Val([]float64{0.25, 0.75, 3, r.NormFloat64(), 1, 2}[i])}
				if op == "draw" {
					args[0] = ir.IntVal(int64(i), 64)
				}
				for range least {
					args = append(args, ir.F64Val([]float64{0.5, 1, 2, 4, r.Float64(), r.NormFloat64()}[r.IntN(6)]))
				}
				x, y := call(t, g, args), call(t, low, args)
				if x != y && !(math.IsNaN(x) && math.IsNaN(y)) && !(math.Abs(x-y) <= 1e-11*(1+math.Abs(x))) {
					t.Errorf("%s of %s at %v: %v, and lowered %v", op, l.Name, args, x, y)
				}
			}
		}
	}
	if tried < 90 {
		t.Errorf("only %d ops were tried", tried)
	}
}

func TestWrongOps(t *testing.T) {
	for src, want := range map[string]string{
		`%r = prob.logpdf "dnrm"(%x, %x) at %x`:    "must be the name of a law of numbers",
		`%r = prob.logpdf "dmnorm"(%x) at %x`:      "the law has 2 parameters",
		`%r = prob.logpdf "dnorm"(%x) at %x`:       "dnorm has the parameters mu tau",
		`%r = prob.cdf "dflat"() at %x`:            "dflat has no distribution function",
		`%r = prob.quantile "dnorm"(%x, %n) at %x`: "f64",
	} {
		_, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("f.mlir", "func.func @f(%x: f64, %n: i64) {\n  "+src+"\n  return\n}\n"), text.Options{})
		if !strings.Contains(fmt.Sprint(list), want) {
			t.Errorf("%s: %v, want %q", src, list, want)
		}
	}
}
