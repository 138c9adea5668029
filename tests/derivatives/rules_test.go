package derivatives

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/derive"
)

// floats lists the ops of a dialect that take nothing but floats and give one, by the number of operands.
func floats(c *ir.Context, d *ir.Dialect) map[*ir.OpDef]int {
	out := map[*ir.OpDef]int{}
	for _, def := range d.Ops {
		for n := 1; n <= 3; n++ {
			b := ir.NewBuilder(c, ir.Plain)
			var args []ir.Value
			for range n {
				args = append(args, b.Param(ir.F64))
			}
			if v, err := b.Make(ir.Call{Def: def, Args: args}); err == nil && b.Graph().Type(v) == ir.F64 && b.Graph().Def(v) == def {
				out[def] = n
			}
		}
	}
	return out
}

// Each op on floats has a rule, or a reason why it has none; and what has a reason has no rule.
func TestEveryOpHasARule(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	found := 0
	for _, d := range dialects.All {
		if ir.Table[derive.Table](d) == nil {
			continue
		}
		for def := range floats(c, d) {
			found++
			if rule, why := derive.Of(c, def), derive.WhyNot(c, def); (rule == nil) == (why == "") {
				t.Errorf("%s has the rule %v and the reason %q", def.Name, rule, why)
			}
		}
		for _, r := range ir.Table[derive.Table](d) {
			ways := 0
			for _, has := range []bool{r.Partials != nil, r.Transpose != nil, r.Back != nil} {
				if has {
					ways++
				}
			}
			if r.Says == "" || ways != 1 || (r.Tangent == nil && r.Map == nil) != (r.Transpose == nil) {
				t.Errorf("the rule of %s is none of partial derivatives, a tangent with a transpose, and a way back, or says nothing", r.Of.Name)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d ops on floats were found", found)
	}
}

// points are where rules are tried, in all combinations.
var points = []float64{-30, -2.5, -0.7, -1e-3, 1e-3, 0.25, 0.75, 1.25, 3.5, 40}

// Each partial derivative is that by differences of the op, wherever that is smooth and finite.
func TestRules(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	for _, d := range dialects.All {
		for def, n := range floats(c, d) {
			rule := derive.Of(c, def)
			if rule == nil || rule.Partials == nil {
				continue
			}
			t.Run(def.Name, func(t *testing.T) { tryRule(t, c, def, n) })
		}
	}
}

func tryRule(t *testing.T, c *ir.Context, def *ir.OpDef, n int) {
	in := make([]ir.Type, n)
	for i := range in {
		in[i] = ir.F64
	}
	b := ir.NewBuilder(c)
	funcs.Define(b, "f", in, []ir.Type{ir.F64}, func(f *ir.Builder, args []ir.Value) []ir.Value {
		if d := c.Lookup(def.Name); d == arith.Remf {
			return []ir.Value{arith.Float(f, def, 0, args...)}
		}
		return []ir.Value{f.Op(def, args...)}
	})
	g := b.Finish()
	m := machine(t, g)
	d, err := through(g, "differentiate{of=f}")
	if err != nil {
		t.Fatal(err)
	}
	dm := machine(t, d)
	tried := 0
	for k := range int(math.Pow(float64(len(points)), float64(n))) {
		x := make([]float64, n)
		for i := range x {
			x[i] = points[k%len(points)]
			k /= len(points)
		}
		call := func(x []float64) float64 {
			var args []ir.Val
			for _, v := range x {
				args = append(args, ir.F64Val(v))
			}
			out, err := m.Call("f", args)
			if err != nil {
				t.Fatal(err)
			}
			return out[0].F64()
		}
		var args []ir.Val
		for _, v := range x {
			args = append(args, ir.F64Val(v))
		}
		out, err := dm.Call("f_grad", append(args, ir.F64Val(1)))
		if err != nil {
			t.Fatal(err)
		}
		for i := range x {
			want, ok := slope(call, x, i)
			if !ok {
				continue
			}
			tried++
			if got := out[1+i].F64(); !(math.Abs(got-want) <= 1e-6*math.Abs(want)+1e-9*(1+math.Abs(call(x)))) {
				t.Errorf("%s at %v by operand %d: %v, by differences %v", def.Name, x, i, got, want)
			}
		}
	}
	if tried < 3 {
		t.Errorf("only %d derivatives were compared", tried)
	}
}

// slope is a derivative by differences, by Richardson's extrapolation, if steps agree about it.
func slope(f func([]float64) float64, x []float64, i int) (float64, bool) {
	by := func(h float64) float64 {
		y := append([]float64(nil), x...)
		y[i] += h
		high := f(y)
		y[i] -= 2 * h
		return (high - f(y)) / (2 * h)
	}
	h := 1e-3 * math.Abs(x[i])
	if v := f(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	if y := append([]float64(nil), x...); y[i] != 0 { // no corner
		y[i] += 1e-6 * h
		right := f(y) - f(x)
		y[i] = x[i] - 1e-6*h
		if left := f(x) - f(y); math.Abs(right-left) > 0.1*math.Abs(right)+1e-14*(1+math.Abs(f(x))) {
			return 0, false
		}
	}
	a, b, c := by(h), by(h/2), by(h/4)
	first, second := (4*b-a)/3, (4*c-b)/3
	best := (16*second - first) / 15
	if math.IsNaN(best) || math.IsInf(best, 0) || math.Abs(second-first) > 1e-5*math.Abs(best)+1e-9*(1+math.Abs(f(x))) {
		return 0, false
	}
	return best, true
}
