package prob_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// jointParameters are by law the parameters that the ops are tried with, on 2 elements.
var jointParameters = map[string][]any{
	"dmnorm": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}}, "dmnorm.vcov": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}},
	"dmt": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}, 3.0}, "dwish": {[][]float64{{2, 0.5}, {0.5, 1}}, 3.5},
	"dscaled.wishart": {[]float64{1, 2}, 2.5}, "dlkjcorr": {1.5}, "ddirch": {[]float64{0.3, 2}}, "dmulti": {[]float64{1, 3}, 9.0},
	"dsample": {[]float64{1, 3}, 1.0}, "car.proper": {[]float64{1, 2}, []float64{0.5, 0.5}, []float64{2, 1}, []float64{1, 1}, []float64{1, 1}, 2.0, 0.3},
}

// A draw into memory and its log density are the same as they are and lowered, and of data
// that do not fit both are NaN.
func TestJointOps(t *testing.T) {
	for law, params := range jointParameters {
		j := prob.Lookup(law).Joint
		var list, stores strings.Builder
		for i, p := range params {
			name := fmt.Sprintf("%%p%d", i)
			if i > 0 {
				list.WriteString(", ")
			}
			list.WriteString(name)
			put := func(x float64, at string) {
				fmt.Fprintf(&stores, "  %%v%d%s = arith.constant %e : f64\n  memref.store %%v%d%s, %s[%s] : %%T\n", i, strings.ReplaceAll(strings.ReplaceAll(at, ", ", ""), "%", ""), x, i, strings.ReplaceAll(strings.ReplaceAll(at, ", ", ""), "%", ""), name, at)
			}
			switch p := p.(type) {
			case float64:
				fmt.Fprintf(&stores, "  %s = arith.constant %e : f64\n", name, p)
			case []float64:
				fmt.Fprintf(&stores, "  %s = memref.alloc(%%n) : memref<?xf64>\n", name)
				for a, x := range p {
					put(x, fmt.Sprintf("%%c%d", a))
				}
			case [][]float64:
				fmt.Fprintf(&stores, "  %s = memref.alloc(%%n, %%n) : memref<?x?xf64>\n", name)
				for a, row := range p {
					for b, x := range row {
						put(x, fmt.Sprintf("%%c%d, %%c%d", a, b))
					}
				}
			}
		}
		vector, index := "memref<?xf64>", "%c1"
		if j.Node == 2 {
			vector, index = "memref<?x?xf64>", "%c1, %c0"
		}
		text := stores.String()
		for _, line := range strings.Split(text, "\n") {
			kind := "memref<?xf64>"
			if strings.Count(line, "%c") == 2 {
				kind = "memref<?x?xf64>"
			}
			text = strings.Replace(text, line, strings.ReplaceAll(line, "%T", kind), 1)
		}
		src := "func.func @f(%k: i64, %n: index, %x: " + vector + ") -> (f64, f64) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n" + text +
			fmt.Sprintf("  prob.draw_into %q(%s) seed %%k stream %%k counter %%k into %%x\n  %%l = prob.logpdf %q(%s) at %%x\n", law, list.String(), law, list.String()) +
			"  %y = memref.load %x[" + index + "] : " + vector + "\n  return %l, %y : f64, f64\n}\n"
		ctx := ir.NewContext(dialects.All...)
		g := parse(t, ctx, src)
		if once := printed(t, g); printed(t, parse(t, ctx, once)) != once {
			t.Errorf("%s is read otherwise than printed", law)
		}
		low, err := lowering.Compile(t.Context(), parse(t, ctx, src), target.Interp())
		if err != nil {
			t.Fatal(law, err)
		}
		for seed := range int64(4) {
			x, y := drawn(t, g, seed, 2, j.Node), drawn(t, low, seed, 2, j.Node)
			for i := range x {
				if math.IsNaN(x[i]) || math.IsInf(x[i], 0) || !(math.Abs(x[i]-y[i]) <= 1e-9*(1+math.Abs(x[i]))) {
					t.Errorf("%s, seed %d: %v, and lowered %v", law, seed, x, y)
				}
			}
		}
		for _, g := range []*ir.Graph{g, low} {
			if x := drawn(t, g, 1, 3, j.Node); len(params) > 1 && !math.IsNaN(x[1]) {
				t.Errorf("%s of 3 elements with 2 of parameters: %v", law, x)
			}
		}
	}
}

// drawn calls a function of the test with a node of n elements in each dimension.
func drawn(t *testing.T, g *ir.Graph, seed, n int64, rank int) []float64 {
	t.Helper()
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sizes := []int64{n, n}[:rank]
	x, err := m.NewMemRef(ir.F64, sizes...)
	if err != nil {
		t.Fatal(err)
	}
	out, err := m.Call("f", []ir.Val{ir.IntVal(seed, 64), ir.IntVal(2, 64), x.Val()})
	if err != nil {
		t.Fatal(err)
	}
	return []float64{out[0].F64(), out[1].F64()}
}
