package prob_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/functions"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// A gradientCase is a row of testdata/gradients.json, which the script beside it makes and explains.
type gradientCase struct {
	Law, Of      string
	Other        bool
	Lower, Upper bool
	Arguments    []any
	Value        float64
	Gradient     []*float64
	Condition    []*float64
}

type gradientTables struct{ Densities, Truncated, Quantiles, Incomplete, Transforms, Linked []gradientCase }

func gradientTable(t *testing.T) (out gradientTables) {
	t.Helper()
	data, err := os.ReadFile("testdata/gradients.json")
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// flatten is the elements of a number or of nested lists, row by row, and their extents.
func flatten(x any) (v []float64, dims []int64) {
	list, ok := x.([]any)
	if !ok {
		return []float64{x.(float64)}, nil
	}
	for _, y := range list {
		w, inner := flatten(y)
		v, dims = append(v, w...), append([]int64{int64(len(list))}, inner...)
	}
	return v, dims
}

// shapesOf tells apart the functions that cases need: by the extents of the arguments, and which of them are counts.
func (c gradientCase) shapesOf() (dims [][]int64, real []bool) {
	at := 0
	for _, a := range c.Arguments {
		v, d := flatten(a)
		dims, real = append(dims, d), append(real, c.Gradient[at] != nil)
		at += len(v)
	}
	return dims, real
}

// A gradientBody makes what a case is about of its arguments.
type gradientBody func(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value

// gradientFunc is a function of the arguments of a case.
func gradientFunc(c gradientCase, ctx *ir.Context, body gradientBody) built.Func {
	dims, _ := c.shapesOf()
	f := built.Func{Name: "f", Out: []ir.Type{ir.F64}}
	for _, d := range dims {
		if d == nil {
			f.In = append(f.In, ir.F64)
		} else {
			f.In = append(f.In, ctx.MemRef(d, ir.F64))
		}
	}
	f.Body = func(b *ir.Builder, args []ir.Value) []ir.Value { return []ir.Value{body(c, b, args)} }
	return f
}

// kindsOf groups cases that one function serves.
func kindsOf(cases []gradientCase) (kinds [][]gradientCase) {
	at := map[string]int{}
	for _, c := range cases {
		dims, real := c.shapesOf()
		key := fmt.Sprint(c.Law, c.Of, c.Other, c.Lower, c.Upper, dims, real)
		k, ok := at[key]
		if !ok {
			k = len(kinds)
			at[key], kinds = k, append(kinds, nil)
		}
		kinds[k] = append(kinds[k], c)
	}
	return kinds
}

// differentiated is a program of a function @f of a case, and its derivative.
func differentiated(t *testing.T, c gradientCase, body gradientBody) (*ir.Graph, error) {
	t.Helper()
	ctx := built.Context()
	g, err := built.Graph(ctx, gradientFunc(c, ctx, body))
	if err != nil {
		t.Fatal(err)
	}
	var by []string
	_, real := c.shapesOf()
	for i, r := range real {
		if r {
			by = append(by, fmt.Sprint(i))
		}
	}
	list, err := pass.Parse(fmt.Sprintf("lower{to=scf},inline{threshold=-1},differentiate{of=f wrt=%s}", strings.Join(by, ",")), lowering.AllPasses())
	if err != nil {
		t.Fatal(err)
	}
	return (&pass.Manager{}).Run(t.Context(), g, list)
}

// gradientOf calls a derivative; what is not asked for is NaN.
func (c gradientCase) gradientOf(t *testing.T, p engine.Program) []float64 {
	t.Helper()
	var args, shadows []ir.Val
	var results []func(out []ir.Val) []float64
	scalars := 0
	for i, a := range c.Arguments {
		v, dims := flatten(a)
		_, real := c.shapesOf()
		none := make([]float64, len(v))
		for i := range none {
			none[i] = math.NaN()
		}
		result := func([]ir.Val) []float64 { return none }
		if dims == nil {
			args = append(args, ir.F64Val(v[0]))
			if real[i] {
				k := scalars
				scalars++
				result = func(out []ir.Val) []float64 { return []float64{out[k].F64()} }
			}
		} else {
			args = append(args, memoryOf(v, dims))
			if real[i] {
				s := make([]float64, len(v))
				shadows = append(shadows, memoryOf(s, dims))
				result = func([]ir.Val) []float64 { return s }
			}
		}
		results = append(results, result)
	}
	args = append(append(args, ir.F64Val(1)), shadows...)
	out, _, err := p.Call(t.Context(), "f_grad", args)
	if err != nil {
		t.Fatal(err)
	}
	// The adjoints of scalars come last: a derivative may give the function's own results before them.
	out = out[len(out)-scalars:]
	var all []float64
	for _, r := range results {
		all = append(all, r(out)...)
	}
	return all
}

func memoryOf(v []float64, dims []int64) ir.Val {
	m := &interp.MemRef{Buf: interp.Floats(v), Sizes: dims, Strides: make([]int64, len(dims))}
	n := int64(1)
	for d := len(dims) - 1; d >= 0; d-- {
		m.Strides[d] = n
		n *= dims[d]
	}
	return m.Val()
}

// Derivatives are right to 1e-10, and to what relative errors of the arguments of this size make of them.
const (
	gradientError  = 1e-10
	argumentsError = 32 * 0x1p-53
)

// checkGradients compares derivatives with the table, in the interpreter and in native code.
func checkGradients(t *testing.T, cases []gradientCase, body gradientBody) {
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		t.Run(kind.Name, func(t *testing.T) {
			e, _, err := kind.Start(t.Context(), engine.Options{Level: jit.O0})
			if errors.Is(err, jit.ErrMissing) {
				t.Skipf("native code needs libLLVM (libllvm19): %v", err)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			checked := 0
			for _, same := range kindsOf(cases) {
				g, err := differentiated(t, same[0], body)
				if err != nil {
					t.Errorf("%s %s: %v", same[0].Law, same[0].Of, err)
					continue
				}
				p, err := built.Prepare(t.Context(), e, g)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range same {
					checked += c.check(t, p)
				}
			}
			t.Logf("%d derivatives at %d points", checked, len(cases))
		})
	}
}

// check compares the derivatives at a point with the table, and says how many there are.
func (c gradientCase) check(t *testing.T, p engine.Program) (checked int) {
	t.Helper()
	most := 0.0
	for _, x := range c.Gradient {
		if x != nil {
			most = max(most, math.Abs(*x))
		}
	}
	for k, got := range c.gradientOf(t, p) {
		if c.Gradient[k] == nil {
			continue
		}
		checked++
		want, bound := *c.Gradient[k], gradientError*math.Abs(*c.Gradient[k])+argumentsError*(*c.Condition[k])+5e-324
		if math.Abs(want) < 1e-30*most { // 0, as the sum of terms that are not
			bound = 0x1p-51 * most
		}
		if off := math.Abs(got - want); !(off <= bound) {
			t.Errorf("%s %s%v, other %v, by element %d: %.17g, want %.17g: off by %.2g of it", c.Law, c.Of, c.Arguments, c.Other, k, got, want, off/math.Abs(want))
		}
	}
	return checked
}

// Every law's log density, by its value and its parameters.
func TestGradientsOfDensities(t *testing.T) {
	cases := gradientTable(t).Densities
	there := map[string]bool{}
	for _, c := range cases {
		there[c.Law] = true
	}
	for _, l := range prob.Laws {
		if !there[l.Name] {
			t.Errorf("%s has no derivatives in the table", l.Name)
		}
	}
	checkGradients(t, cases, logpdfOf)
}

// The density given bounds, by these too.
func TestGradientsOfTruncatedLaws(t *testing.T) {
	cases := gradientTable(t).Truncated
	there := map[string]bool{}
	for _, c := range cases {
		there[c.Law] = true
	}
	for _, l := range prob.Laws {
		if l.Joint == nil && apply.HasCDF(l) && !there[l.Name] {
			t.Errorf("%s has no derivatives in the table", l.Name)
		}
	}
	checkGradients(t, cases, func(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
		l, k, n := prob.Lookup(c.Law), kit.Ops{B: b}, len(args)
		var lo, hi *ir.Value
		if c.Upper {
			n--
			hi = &args[n]
		}
		if c.Lower {
			n--
			lo = &args[n]
		}
		mass, ok := apply.LogMassOps(l, k, args[1:n], lo, hi)
		return k.Valid(ok, k.Sub(apply.DensityOps(l, k, false, args[0], args[1:n]), mass))
	})
}

// Where a distribution function reaches u, by u and the parameters: of laws whose quantiles are searched for, too.
func TestGradientsOfQuantiles(t *testing.T) {
	cases := gradientTable(t).Quantiles
	there := map[string]bool{}
	for _, c := range cases {
		there[c.Law] = true
	}
	for _, l := range prob.Laws {
		if l.Joint == nil && apply.HasCDF(l) && !l.Counts && !there[l.Name] {
			t.Errorf("%s has no derivatives in the table", l.Name)
		}
	}
	checkGradients(t, cases, quantileOf)
}

// The incomplete gamma and beta functions and their inverses, by the shapes, too.
func TestGradientsOfIncompleteFunctions(t *testing.T) {
	checkGradients(t, gradientTable(t).Incomplete, func(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
		return b.Op(b.Ctx().Lookup("special."+c.Law), args...)
	})
}

// quantileOf is the quantile of a law.
func quantileOf(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
	return b.OpAttr(prob.Quantile, b.Ctx().With(0, "law", b.Ctx().StringAttr(c.Law)), args...)
}

// The node on the unconstrained scale, and the logarithm of the Jacobian, by the number and by the limits.
func TestGradientsOfTransforms(t *testing.T) {
	kinds := map[string]support.Transform{}
	for k := support.Identity; k < support.NoTransform; k++ {
		kinds[k.String()] = k
	}
	checkGradients(t, gradientTable(t).Transforms, func(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
		x, logJ := support.Constrained[ir.Value, ir.Value](kit.Ops{B: b}, kinds[c.Law], args[0], args[1], args[2])
		if c.Of == "node" {
			return x
		}
		return logJ
	})
}

// The density where a link makes the first parameter, by the predictor.
func TestGradientsAtLinks(t *testing.T) {
	checkGradients(t, gradientTable(t).Linked, func(c gradientCase, b *ir.Builder, args []ir.Value) ir.Value {
		l, k := prob.Lookup(c.Law), kit.Ops{B: b}
		chance := functions.Chance[ir.Value]{Link: functions.Links[c.Of], Eta: args[1], Other: c.Other}
		first, _ := functions.Shares[ir.Value, ir.Value](k, chance)
		p := append([]ir.Value{first}, args[2:]...)
		either := func(sizes []ir.Value, cond func(ir.Value) ir.Value, stable func() ir.Value, plain ir.Value) ir.Value {
			if sizes == nil {
				return plain
			}
			return k.Branch(cond(k.Exceeds(sizes...)), stable, func() ir.Value { return plain })
		}
		return l.Ops.AtLink(k, args[0], p, chance, either)
	})
}
