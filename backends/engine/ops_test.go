package engine

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/lowering"
)

// An opCase is one op on one choice of types: a function of its own.
type opCase struct {
	name string // of the function
	def  *ir.OpDef
	in   []ir.Type
	out  []ir.Type
}

// variants are the properties to try an op with.
func variants(c *ir.Context, d *ir.OpDef) []ir.Attr {
	out := []ir.Attr{0}
	switch {
	case d == arith.Cmpi:
		out = nil
		for p := arith.EQ; p <= arith.UGE; p++ {
			out = append(out, arith.PredicateI(c, p))
		}
	case d == arith.Cmpf:
		out = nil
		for p := arith.AlwaysFalse; p <= arith.AlwaysTrue; p++ {
			out = append(out, arith.PredicateF(c, p, 0))
		}
	case strings.Contains(strings.Join(d.Attrs, " "), "overflowFlags"):
		out = []ir.Attr{arith.OverflowProps(c, 0), arith.OverflowProps(c, arith.NSW), arith.OverflowProps(c, arith.NUW|arith.NSW)}
	}
	return out
}

// operandTypes lists choices of operand types for an op of n operands.
func operandTypes(c *ir.Context, n int) [][]ir.Type {
	var base []ir.Type
	for _, t := range []ir.Type{ir.I1, ir.I8, ir.I16, ir.I32, ir.I64, c.Int(24), ir.Index, ir.F32, ir.F64, ir.F16, ir.BF16} {
		base = append(base, t, c.Vector([]int64{3}, t))
	}
	base = append(base, c.Vector([]int64{2, 2}, ir.F64), c.Vector([]int64{2, 2}, ir.I32))
	var out [][]ir.Type
	for _, t := range base {
		same := make([]ir.Type, n)
		for i := range same {
			same[i] = t
		}
		out = append(out, same)
		if n == 3 {
			out = append(out, []ir.Type{ir.I1, t, t}, []ir.Type{elementwise.WithElem(c, t, ir.I1), t, t})
		}
		if n == 2 {
			out = append(out, []ir.Type{t, elementwise.WithElem(c, t, ir.I32)}, []ir.Type{t, elementwise.WithElem(c, t, ir.I64)})
		}
	}
	return out
}

// resultTypes lists what a conversion may give; NoType is for the others.
func resultTypes(c *ir.Context, in []ir.Type) []ir.Type {
	out := []ir.Type{ir.NoType}
	if len(in) == 1 {
		for _, e := range []ir.Type{ir.I1, ir.I8, ir.I16, ir.I32, ir.I64, ir.Index, ir.F16, ir.BF16, ir.F32, ir.F64} {
			out = append(out, elementwise.WithElem(c, in[0], e))
		}
	}
	return out
}

// opModule makes a function for each op of some dialects and each choice of types
// that the op accepts.
func opModule(t testing.TB, names ...string) (*ir.Graph, []opCase) {
	c := ir.NewContext(dialects.All...)
	mod := ir.NewBuilder(c)
	var cases []opCase
	seen, supported := map[string]bool{}, llvm.Supported()
	for _, name := range names {
		for _, d := range c.Dialect(name).Ops {
			if d.Eval == nil || !supported[d] && !lowering.Lowers([]*ir.Dialect{c.Dialect(name)}, d) {
				continue
			}
			for _, in := range operandTypes(c, len(d.Args)) {
				if name == "special" && c.Info(c.ElemOrSelf(in[0])).Width < 32 {
					continue // intermediate results of their lowerings overflow there
				}
				for _, res := range resultTypes(c, in) {
					for _, attr := range variants(c, d) {
						k := addCase(c, mod, d, in, res, attr, len(cases), seen)
						if k != nil {
							cases = append(cases, *k)
						}
					}
				}
			}
		}
	}
	file := ir.NewBuilder(c)
	file.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{mod.Finish()}})
	return file.Finish(), cases
}

func addCase(c *ir.Context, mod *ir.Builder, d *ir.OpDef, in []ir.Type, res ir.Type, attr ir.Attr, n int, seen map[string]bool) *opCase {
	probe := ir.NewBuilder(c, ir.Plain)
	var args []ir.Value
	for _, t := range in {
		args = append(args, probe.Param(t))
	}
	v, err := probe.Make(ir.Call{Def: d, Args: args, Attr: attr, Type: res})
	if err != nil {
		return nil
	}
	out := c.Results(probe.Graph().Type(v))
	key := fmt.Sprint(d.Name, in, out, attr)
	if seen[key] {
		return nil
	}
	seen[key] = true
	var outs []ir.Value
	for i := range out {
		outs = append(outs, probe.Result(v, i))
	}
	probe.Op(funcs.Return, outs...)
	name := fmt.Sprintf("op%d", n)
	mod.Must(ir.Call{Def: funcs.Func, Attr: funcs.Props(c, name, "", in, out), Graphs: []*ir.Graph{probe.Finish()}})
	return &opCase{name, d, in, out}
}

var interesting = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 2, 3, 1e-3, 1e10, -1e10, 255, 65504, 1e300, -1e300, 1e-300, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi}

// randomVal makes a value of a type, often a remarkable one.
func randomVal(r *rand.Rand, c *ir.Context, t ir.Type) ir.Val {
	info := c.Info(t)
	if info.Kind == ir.KindVector {
		n, _ := llvm.Slots(c, t)
		v := make(ir.Vector, n)
		for i := range v {
			v[i] = randomVal(r, c, info.Elem)
		}
		return ir.Val{Ref: v}
	}
	if c.IsFloat(t) {
		switch r.IntN(4) {
		case 0:
			return ir.FloatVal(interesting[r.IntN(len(interesting))], t)
		case 1:
			return ir.FloatVal(r.Float64(), t)
		}
		return ir.FloatVal(r.NormFloat64()*math.Exp(3*r.NormFloat64()), t)
	}
	switch r.IntN(3) {
	case 0:
		return ir.IntVal(int64(r.IntN(7)-3), info.Width)
	case 1:
		return ir.IntVal(math.MinInt64>>(64-info.Width)-int64(r.IntN(2)), info.Width)
	}
	return ir.IntVal(int64(r.Uint64()), info.Width)
}

// ulps is how many units in the last place two floats may be apart: basic ops
// not at all, functions of libm by some, since Go's are others.
func ulps(d *ir.OpDef, t ir.Type) float64 {
	dialect, name, _ := strings.Cut(d.Name, ".")
	exact := map[string]bool{"absf": true, "ceil": true, "floor": true, "round": true, "roundeven": true, "trunc": true, "sqrt": true, "copysign": true, "fma": true}
	switch {
	case dialect == "arith" || exact[name]:
		return 0
	case t != ir.F64 && dialect == "special":
		return 40
	case t != ir.F64:
		return 3
	case dialect == "special":
		return 1e4
	}
	return 64
}

func sameVal(c *ir.Context, d *ir.OpDef, t ir.Type, a, b ir.Val) bool {
	if a.IsPoison() {
		return true
	}
	if x, ok := a.Ref.(ir.Vector); ok {
		y, ok := b.Ref.(ir.Vector)
		for i := range x {
			if !ok || !sameVal(c, d, c.Info(t).Elem, x[i], y[i]) {
				return false
			}
		}
		return true
	}
	if !c.IsFloat(t) || a.Bits == b.Bits {
		return a.Bits == b.Bits
	}
	x, y := a.Float(t), b.Float(t)
	if math.IsNaN(x) || math.IsNaN(y) {
		return math.IsNaN(x) && math.IsNaN(y)
	}
	eps := map[ir.Type]float64{ir.F64: 0x1p-52, ir.F32: 0x1p-23, ir.F16: 0x1p-10, ir.BF16: 0x1p-7}[t]
	least := 0x1p-14 // below, f16 is subnormal
	if strings.HasPrefix(d.Name, "special.") {
		least = 1 // sums of terms near 1 are computed in the format itself
	}
	return math.Abs(x-y) <= ulps(d, t)*eps*math.Max(math.Abs(x), least)
}

// Every op with an Eval gives what Eval says, on random operands of every type.
func TestOps(t *testing.T) {
	g, cases := opModule(t, "arith", "math", "special")
	e, ref := native(t, Options{Level: jit.O1}), eval(t)
	low, err := lowering.Compile(t.Context(), g, e.Target())
	if err != nil {
		t.Fatal(err)
	}
	p, q := prepare(t, e, low), prepare(t, ref, g)
	r := rand.New(rand.NewPCG(1, 2))
	const runs = 40
	var calls []Call
	for _, k := range cases {
		for range runs {
			var args []ir.Val
			for _, typ := range k.in {
				args = append(args, randomVal(r, g.Ctx, typ))
			}
			calls = append(calls, Call{Name: k.name, Args: args})
		}
	}
	got, err := p.Batch(t.Context(), calls)
	if err != nil {
		t.Fatal(err)
	}
	want, err := q.Batch(t.Context(), calls)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]int{}
	for i, w := range want {
		k := cases[i/runs]
		if d := differs(g.Ctx, k, w, got[i]); d != "" {
			id := k.def.Name + fmt.Sprint(k.in)
			if bad[id]++; bad[id] <= 2 {
				t.Errorf("%s on %s: %s", k.def.Name, show(g.Ctx, k.in, calls[i].Args), d)
			}
		}
	}
	t.Logf("%d functions, %d calls", len(cases), len(calls))
}

func differs(c *ir.Context, k opCase, want, got Result) string {
	if want.Err != nil || got.Err != nil {
		if ir.IsTrap(want.Err) && ir.IsTrap(got.Err) {
			return ""
		}
		return fmt.Sprintf("errors %v and %v", want.Err, got.Err)
	}
	for i, typ := range k.out {
		if k.def.Name == "math.fpowi" && hasNaN(c, typ, want.Values[i]) {
			continue
		}
		if !sameVal(c, k.def, typ, want.Values[i], got.Values[i]) {
			return fmt.Sprintf("%s, but compiled %s", show(c, k.out, want.Values), show(c, k.out, got.Values))
		}
	}
	return ""
}

// hasNaN: the reference gives NaN for 0 and infinity to large powers.
func hasNaN(c *ir.Context, t ir.Type, v ir.Val) bool {
	return strings.Contains(interp.FormatVal(c, v, t), "NaN")
}

func show(c *ir.Context, types []ir.Type, vals []ir.Val) string {
	var parts []string
	for i, v := range vals {
		parts = append(parts, interp.FormatVal(c, v, types[i]))
	}
	return strings.Join(parts, " ")
}
