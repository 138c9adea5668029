package prob_test

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// jointParameters are by law the parameters that the ops are tried with, on 2 elements.
var jointParameters = map[string][]any{
	"dmnorm": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}}, "dmnorm.vcov": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}},
	"dmt": {[]float64{1, -2}, [][]float64{{2, 0.5}, {0.5, 1}}, 3.0}, "dwish": {[][]float64{{2, 0.5}, {0.5, 1}}, 3.5}, "dinvwish": {[][]float64{{2, 0.5}, {0.5, 1}}, 3.5},
	"dscaled.wishart": {[]float64{1, 2}, 2.5}, "dlkjcorr": {1.5}, "ddirch": {[]float64{0.3, 2}}, "dmulti": {[]float64{1, 3}, 9.0},
	"dsample": {[]float64{1, 3}, 1.0}, "car.proper": {[]float64{1, 2}, []float64{0.5, 0.5}, []float64{2, 1}, []float64{1, 1}, []float64{1, 1}, 2.0, 0.3},
}

// jointFunction draws into %x, which is returned at the last element with its log density.
func jointFunction(name, law string, params []any) string {
	var names []string
	body := "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
	constants, arrays := 0, ""
	number := func(x float64) string {
		constants++
		body += fmt.Sprintf("  %%v%d = arith.constant %e : f64\n", constants, x)
		return fmt.Sprintf("%%v%d", constants)
	}
	array := func(name, kind, sizes string) {
		body += fmt.Sprintf("  %s = memref.alloc(%s) : %s\n", name, sizes, kind)
		arrays += fmt.Sprintf("  memref.dealloc %s : %s\n", name, kind)
	}
	store := func(x float64, name, at, kind string) {
		body += fmt.Sprintf("  memref.store %s, %s[%s] : %s\n", number(x), name, at, kind)
	}
	for i, p := range params {
		a := fmt.Sprintf("%%p%d", i)
		switch p := p.(type) {
		case float64:
			a = number(p)
		case []float64:
			array(a, "memref<?xf64>", "%n")
			for i, x := range p {
				store(x, a, fmt.Sprintf("%%c%d", i), "memref<?xf64>")
			}
		case [][]float64:
			array(a, "memref<?x?xf64>", "%n, %n")
			for i, row := range p {
				for j, x := range row {
					store(x, a, fmt.Sprintf("%%c%d, %%c%d", i, j), "memref<?x?xf64>")
				}
			}
		}
		names = append(names, a)
	}
	node, index, list := "memref<?xf64>", "%c1", strings.Join(names, ", ")
	if prob.Lookup(law).Joint.Node == 2 {
		node, index = "memref<?x?xf64>", "%c1, %c0"
	}
	body += fmt.Sprintf("  prob.draw_into %q(%s) seed %%k stream %%k counter %%k into %%x\n  %%l = prob.logpdf %q(%s) at %%x\n", law, list, law, list)
	body += "  %y = memref.load %x[" + index + "] : " + node + "\n" + arrays + "  return %l, %y : f64, f64\n"
	return fmt.Sprintf("func.func @%s(%%k: i64, %%n: index, %%x: %s) -> (f64, f64) {\n%s}\n", name, node, body)
}

// jointModule has a function for each law of arrays; those of one number are not drawn into memory.
func jointModule() (src string, laws []string) {
	for _, l := range prob.Laws {
		if params := jointParameters[l.Name]; params != nil {
			src += jointFunction(fmt.Sprintf("f%d", len(laws)), l.Name, params)
			laws = append(laws, l.Name)
		}
	}
	return src, laws
}

// What can be drawn into memory is tried.
func TestJointLawsAreTried(t *testing.T) {
	for _, l := range prob.Laws {
		if l.Joint != nil && l.Joint.Node > 0 && l.Joint.Go.Draw != nil && jointParameters[l.Name] == nil {
			t.Errorf("%s has no parameters here", l.Name)
		}
	}
}

// A draw into memory and its log density are the same as they are, lowered, and in native
// code, and of data that do not fit both are NaN.
func TestJointOps(t *testing.T) {
	src, laws := jointModule()
	ctx := built.Context()
	g := parse(t, ctx, src)
	if once := printed(t, g); printed(t, parse(t, ctx, once)) != once {
		t.Error("it is read otherwise than printed")
	}
	m, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	asIs := func(name string, args ...ir.Val) []ir.Val {
		out, err := m.Call(name, args)
		if err != nil {
			t.Fatal(name, err)
		}
		return out
	}
	onEngines(t, src, func(t *testing.T, p engine.Program) {
		native := func(name string, args ...ir.Val) []ir.Val { return callOf(t, p, name, args) }
		for i, law := range laws {
			name, rank := fmt.Sprintf("f%d", i), prob.Lookup(law).Joint.Node
			for seed := range int64(4) {
				x, y := drawn(asIs, name, seed, 2, rank), drawn(native, name, seed, 2, rank)
				for i := range x {
					if math.IsNaN(x[i]) || math.IsInf(x[i], 0) || !(math.Abs(x[i]-y[i]) <= 1e-9*(1+math.Abs(x[i]))) {
						t.Errorf("%s, seed %d: %v, and compiled %v", law, seed, x, y)
					}
				}
			}
			for _, call := range []func(string, ...ir.Val) []ir.Val{asIs, native} {
				if x := drawn(call, name, 1, 3, rank); len(jointParameters[law]) > 1 && !math.IsNaN(x[1]) {
					t.Errorf("%s of 3 elements with 2 of parameters: %v", law, x)
				}
			}
		}
	})
}

// drawn is the log density and the last element, then all elements, of a node of n
// elements in each dimension.
func drawn(call func(name string, args ...ir.Val) []ir.Val, name string, seed, n int64, rank int) []float64 {
	sizes, strides, all := []int64{n, n}[:rank], []int64{n, 1}[2-rank:], make([]float64, n*n)
	if rank == 1 {
		all = all[:n]
	}
	x := &interp.MemRef{Buf: interp.Floats(all), Sizes: sizes, Strides: strides}
	out := call(name, ir.IntVal(seed, 64), ir.IntVal(2, 64), x.Val())
	return append([]float64{out[0].F64(), out[1].F64()}, all...)
}
