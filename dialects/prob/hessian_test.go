package prob_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// A hessianCase is a row of testdata/hessians.json: the second derivatives by arguments i and j <= i.
type hessianCase struct {
	Law       string
	Arguments []any
	Hessian   []*float64
	Condition []*float64
}

// gradient is the case as one of derivatives, for the functions that take these: whose arguments are real is what counts.
func (c hessianCase) gradient() (out gradientCase) {
	out = gradientCase{Law: c.Law, Arguments: c.Arguments}
	for i := range c.Arguments {
		out.Gradient = append(out.Gradient, c.at(i, i))
	}
	return out
}

func (c hessianCase) at(i, j int) *float64 { return c.Hessian[i*(i+1)/2+j] }

// Densities with gamma functions of parameters have second derivatives, forward over reverse.
func TestHessiansOfDensities(t *testing.T) {
	data, err := os.ReadFile("testdata/hessians.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []hessianCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	checkHessians(t, cases, logpdfOf)
}

// Quantiles that are searched for have second derivatives, which here are those of formulas.
func TestHessiansOfQuantiles(t *testing.T) {
	const u, rate, tau = 0.3, 2.0, 4.0
	x := -math.Log1p(-u) / rate // of an exponential law, which is a gamma law of shape 1
	tangent := math.Tan(math.Pi * (u - 0.5))
	slope := math.Pi * (1 + tangent*tangent)
	zero := func(n int) []float64 { return make([]float64, n) }
	row := func(v ...float64) (out []*float64) {
		for i := range v {
			if out = append(out, &v[i]); math.IsNaN(v[i]) {
				out[i] = nil
			}
		}
		return out
	}
	none := math.NaN()
	checkHessians(t, []hessianCase{
		{Law: "dgamma", Arguments: []any{u, 1., rate}, Condition: row(zero(6)...),
			Hessian: row(1/(rate*(1-u)*(1-u)), none, none, -1/(rate*rate*(1-u)), none, 2*x/(rate*rate))},
		// Cauchy's law is t with one degree of freedom.
		{Law: "dt", Arguments: []any{u, 1., tau, 1.}, Condition: row(zero(10)...),
			Hessian: row(2*math.Pi*tangent*slope/2, 0, 0, -0.5*slope/8, 0, 0.75*tangent/32, none, none, none, none)},
	}, quantileOf)
}

// checkHessians compares second derivatives with tables.
func checkHessians(t *testing.T, cases []hessianCase, body gradientBody) {
	t.Helper()
	e, _, err := engine.Eval.Start(t.Context(), engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	programs := map[string]engine.Program{}
	for _, c := range cases {
		key := fmt.Sprint(c.Law, len(c.Arguments))
		if programs[key] == nil {
			if programs[key], err = built.Prepare(t.Context(), e, hessianProgram(t, c, body)); err != nil {
				t.Fatal(err)
			}
		}
		c.check(t, programs[key])
	}
}

// hessianProgram has the tangent of a gradient.
func hessianProgram(t *testing.T, c hessianCase, body gradientBody) *ir.Graph {
	t.Helper()
	g, err := differentiated(t, c.gradient(), body)
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	for i := range c.Arguments {
		if c.at(i, i) != nil {
			by = append(by, fmt.Sprint(i))
		}
	}
	list, err := pass.Parse(fmt.Sprintf("differentiate{of=f_grad wrt=%s mode=forward}", strings.Join(by, ",")), lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	if g, err = (&pass.Manager{}).Run(t.Context(), g, list); err != nil {
		t.Fatalf("%s: %v", c.Law, err)
	}
	return g
}

// check compares the second derivatives at a point with the table.
func (c hessianCase) check(t *testing.T, p engine.Program) {
	t.Helper()
	var args []ir.Val
	var real []int
	var x []float64
	for i, a := range c.Arguments {
		x = append(x, a.(float64))
		args = append(args, ir.F64Val(x[i]))
		if c.at(i, i) != nil {
			real = append(real, i)
		}
	}
	args = append(args, ir.F64Val(1))
	most := 1.0 // of the changes that relative steps of arguments make, or of the terms that cancel
	for _, i := range real {
		for _, j := range real {
			most = max(most, math.Abs(*c.at(max(i, j), min(i, j))*x[i]*x[j]))
		}
	}
	for _, j := range real {
		in := slices.Clone(args)
		for _, k := range real {
			in = append(in, ir.F64Val(map[bool]float64{true: 1}[k == j]))
		}
		out, _, err := p.Call(t.Context(), "f_grad_jvp", in)
		if err != nil {
			t.Fatal(err)
		}
		row := out[len(out)-len(real):]
		for n, i := range real {
			a, b := max(i, j), min(i, j)
			got, want, cond := row[n].F64(), *c.at(a, b), *c.Condition[a*(a+1)/2+b]
			bound := gradientError*math.Abs(want) + argumentsError*cond + 5e-324
			if x[i]*x[j] != 0 { // a small difference of terms
				bound += 0x1p-49 * most / math.Abs(x[i]*x[j])
			}
			if off := math.Abs(got - want); !(off <= bound) {
				t.Errorf("%s%v by %d and %d: %.17g, want %.17g: off by %.2g of it", c.Law, c.Arguments, i, j, got, want, off/math.Abs(want))
			}
		}
	}
}

// logpdfOf is the log density of a law.
func logpdfOf(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
	return b.OpAttr(prob.Logpdf, b.Ctx().With(0, "law", b.Ctx().StringAttr(c.Law)), args...)
}
