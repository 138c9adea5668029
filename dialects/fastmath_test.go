package dialects_test

import (
	gomath "math"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// excluded is the meaning of the flags, on numbers in f64.
func excluded(f arith.FastMath, c *ir.Context, t ir.Type, v ir.Val) bool {
	if !c.IsFloat(t) {
		return false
	}
	x := v.Float(t)
	return f&arith.NNan != 0 && gomath.IsNaN(x) || f&arith.NInf != 0 && gomath.IsInf(x, 0)
}

// flagged makes an op of scalars whose types all fit; at are the operands, and narrow a type that t is cast to.
func flagged(b *ir.Builder, d *ir.OpDef, f arith.FastMath, at []ir.Value, narrow ir.Type) (ir.Value, error) {
	attr, to := arith.FastMathProps(b.Ctx(), f), ir.NoType
	switch d {
	case arith.Cmpf:
		attr = arith.PredicateF(b.Ctx(), arith.FULT, f)
	case arith.Extf, arith.Truncf:
		to = narrow
	}
	return b.Make(ir.Call{Def: d, Attr: attr, Args: at, Type: to})
}

// Of each op with fastmath nnan and ninf make poison of the NaNs and infinities among its operands and what it
// gives, and nothing else changes: where it is evaluated, in each lane of a vector, and where constants are folded.
func TestFastMathIsPoison(t *testing.T) {
	c := ir.NewContext(arith.Dialect, math.Dialect, ub.Dialect)
	numbers := []float64{0, 1, -1, 2, 0.5, 1e308, 65504, 3e38, -60000, gomath.NaN(), gomath.Inf(1), gomath.Inf(-1)}
	ops, poisoned := map[*ir.OpDef]bool{}, map[*ir.OpDef]bool{}
	for _, dialect := range []*ir.Dialect{arith.Dialect, math.Dialect} {
		for _, d := range dialect.Ops {
			if slices.Contains(d.Attrs, "fastmath") {
				ops[d] = true
			}
		}
	}
	if len(ops) < 40 {
		t.Fatalf("only %d ops have fastmath", len(ops))
	}
	for d := range ops {
		for _, typ := range formats {
			for _, f := range []arith.FastMath{arith.NNan, arith.NInf, arith.NNan | arith.NInf, arith.Fast, arith.Reassoc} {
				for k := range len(numbers) * len(numbers) {
					bits := func(i int) ir.Val { return ir.FloatVal(numbers[i], typ) }
					x := []ir.Val{bits(k % len(numbers)), bits(k / len(numbers)), bits(k % 7)}[:len(d.Args)]
					if d == math.Fpowi {
						x[1] = ir.IntVal([]int64{-1, 0, 1, 2, 400}[k/len(numbers)%5], 32)
					}
					if checkFlags(t, c, d, f, typ, x) {
						poisoned[d] = true
					}
				}
			}
		}
		if !poisoned[d] {
			t.Errorf("%s is never poison", d.Name)
		}
	}
}

// checkFlags compares an op with flags with the same without, and reports poison.
func checkFlags(t *testing.T, c *ir.Context, d *ir.OpDef, f arith.FastMath, typ ir.Type, x []ir.Val) bool {
	t.Helper()
	to := map[*ir.OpDef]ir.Type{arith.Extf: ir.F64, arith.Truncf: ir.F16}[d]
	args := func(b *ir.Builder, of func(i int, t ir.Type) ir.Value) (out []ir.Value) {
		for i := range x {
			if i == 1 && d == math.Fpowi {
				out = append(out, of(i, ir.I32))
			} else {
				out = append(out, of(i, typ))
			}
		}
		return out
	}
	eval := func(f arith.FastMath, x []ir.Val) (ir.Val, *ir.Call, bool) {
		b := ir.NewBuilder(c, ir.Plain)
		v, err := flagged(b, d, f, args(b, func(_ int, t ir.Type) ir.Value { return b.Param(t) }), to)
		if err != nil { // a cast that is none
			return ir.Val{}, nil, false
		}
		call := ir.CallsOf(b.Graph()).Of(v)
		y, err := d.Eval(call, x)
		if err != nil {
			t.Fatalf("%s of %s: %v", d.Name, elementwise.Quote(c, typ), err)
		}
		return y, call, true
	}
	plain, call, ok := eval(0, x)
	if !ok {
		return false
	}
	want := excluded(f, c, call.Type, plain)
	for i, v := range x {
		want = want || excluded(f, c, call.ArgType(i), v)
	}
	got, flags, _ := eval(f, x)
	same := got.IsPoison() || got.Bits == plain.Bits || excluded(arith.NNan, c, call.Type, got) && excluded(arith.NNan, c, call.Type, plain)
	if got.IsPoison() != want || !same {
		t.Fatalf("%s flagged %#x of %v in %s is %v, and %v without flags", d.Name, f, x, elementwise.Quote(c, typ), got, plain)
	}
	if want && !d.Poisons(flags) {
		t.Fatalf("%s flagged %#x may be poison and does not say so", d.Name, f)
	}
	lanes := make([]ir.Val, len(x))
	for i, v := range x {
		one := ir.FloatVal(1, typ)
		if i == 1 && d == math.Fpowi {
			one = ir.IntVal(1, 32)
		}
		lanes[i] = ir.Val{Ref: ir.Vector{one, v}}
	}
	if v, _, _ := eval(f, lanes); v.Ref.(ir.Vector)[1].IsPoison() != want || v.Ref.(ir.Vector)[0].IsPoison() && d != math.Atanh {
		t.Fatalf("%s flagged %#x of lanes %v is %v", d.Name, f, lanes, v)
	}
	b := ir.NewBuilder(c)
	v, err := flagged(b, d, f, args(b, func(i int, t ir.Type) ir.Value { return b.Const(t, x[i]) }), to)
	if err != nil {
		t.Fatal(err)
	}
	if k, ok := b.Graph().Const(v); ok && !want && (k.IsPoison() || c.IsFloat(call.Type) && !excluded(arith.NNan, c, call.Type, plain) && k.Bits != plain.Bits) {
		t.Fatalf("%s flagged %#x of constants %v is folded to %v", d.Name, f, x, k)
	}
	return want
}

// A reduction makes poison of what its flags exclude: in a lane, in the accumulator, and on the way.
func TestFastMathOfReductions(t *testing.T) {
	c := ir.NewContext(arith.Dialect, math.Dialect, ub.Dialect, vector.Dialect)
	inf, most := gomath.Inf(1), gomath.MaxFloat64
	for _, r := range []struct {
		lanes []float64
		flags arith.FastMath
		want  bool
	}{
		{[]float64{1, 2}, arith.Fast, false}, {[]float64{1, gomath.NaN()}, arith.NNan, true}, {[]float64{gomath.NaN(), 1}, arith.NInf, false},
		{[]float64{inf, 1}, arith.NNan, false}, {[]float64{inf, 1}, arith.NInf, true}, {[]float64{inf, -inf}, arith.NNan, true},
		{[]float64{inf, -inf}, 0, false}, {[]float64{most, most}, arith.NInf, true}, {[]float64{most, most, -inf}, arith.NNan, true},
	} {
		for _, acc := range []bool{false, true} {
			b := ir.NewBuilder(c, ir.Plain)
			lanes := make(ir.Vector, len(r.lanes))
			for i, x := range r.lanes {
				lanes[i] = ir.F64Val(x)
			}
			args, vals := []ir.Value{b.Param(c.Vector([]int64{int64(len(lanes))}, ir.F64))}, []ir.Val{{Ref: lanes}}
			if acc {
				args, vals = append(args, b.Param(ir.F64)), []ir.Val{{Ref: lanes[1:]}, lanes[0]}
				args[0] = b.Param(c.Vector([]int64{int64(len(lanes) - 1)}, ir.F64))
			}
			attr := c.Props([]ir.NamedAttr{{Name: "kind", Value: c.OpaqueAttr("vector.kind<add>")}, {Name: "fastmath", Value: elementwise.FastMathAttr(c, uint8(r.flags))}}, nil)
			v := b.OpAttr(vector.Reduction, attr, args...)
			got, err := vector.Reduction.Eval(ir.CallsOf(b.Graph()).Of(v), vals)
			if err != nil || got.IsPoison() != r.want {
				t.Errorf("the sum of %v flagged %#x is %v, %v", r.lanes, r.flags, got, err)
			}
		}
	}
}
