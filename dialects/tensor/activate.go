package tensor

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	dmath "github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// Short forms of maps that networks are made of.
var (
	Relu = ir.Define(&ir.OpDef{Name: "ten.relu", Doc: "The elements that are more than a threshold, and 0 for all others and for NaN: a ten.map. As ONNX ThresholdedRelu, with 0 as Relu of numbers.",
		Args: []string{"operand"}, Attrs: []string{"threshold"}, Infer: noRegions(inferRelu)})
	Gelu = ir.Define(&ir.OpDef{Name: "ten.gelu", Doc: "x / 2 (1 + erf(x / sqrt 2)) (exact) or x / 2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) (tanh) of each element: a ten.map, whose steps are rounded to f32 or f64. As ONNX Gelu with approximate none and tanh.",
		Args: []string{"operand"}, Attrs: []string{"form"}, Infer: noRegions(inferGelu)})
)

// The forms of ten.gelu.
const (
	GeluExact = iota
	GeluTanh
)

var geluForms = []string{"exact", "tanh"}

func inferFloats(c *ir.Call) (ir.Type, error) {
	if err := checkOperands(c, 1, 1); err != nil {
		return 0, err
	}
	x := c.Ctx().Info(c.ArgType(0))
	if !c.Ctx().IsFloat(x.Elem) {
		return 0, c.Errorf("takes floats, not %s", spell(c.Ctx(), x.Elem))
	}
	return result(c, x.Shape, x.Elem)
}

func inferRelu(c *ir.Call) (ir.Type, error) {
	if a := c.Get("threshold"); a == 0 || c.Ctx().KindOf(a) != ir.AttrFloat || c.Ctx().TypeOf(a) != ir.F64 {
		return 0, c.Errorf("has an attribute threshold, an f64")
	}
	return inferFloats(c)
}

func inferGelu(c *ir.Call) (ir.Type, error) {
	a := c.Get("form")
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 0 || c.Ctx().AttrInfo(a).Int >= int64(len(geluForms)) {
		return 0, c.Errorf("has an attribute form: exact or tanh")
	}
	return inferFloats(c)
}

// wideOf is the type in which the steps of a formula are rounded.
func wideOf(t ir.Type) ir.Type {
	if t == ir.F16 || t == ir.BF16 {
		return ir.F32
	}
	return t
}

// threshold of a relu, as one of its elements.
func threshold(c *ir.Context, attrs ir.Attr, elem ir.Type) ir.Val {
	return ir.FloatVal(math.Float64frombits(c.AttrInfo(c.Get(attrs, "threshold")).Bits), elem)
}

// A stepper does the steps of a formula: with ops, or with numbers, so that a short form means what its map does.
type stepper[T any] struct {
	number   func(x float64) T
	add, mul func(x, y T) T
	call     func(f *ir.OpDef, x T) T
}

// gelu is the formula of a form.
func gelu[T any](s stepper[T], form int, x T) T {
	half, one := s.number(0.5), s.number(1)
	y := s.mul(x, s.number(math.Sqrt2/2))
	f := dmath.Erf
	if form == GeluTanh {
		cube := s.mul(s.mul(x, x), x)
		f, y = dmath.Tanh, s.mul(s.number(math.Sqrt(2/math.Pi)), s.add(x, s.mul(s.number(0.044715), cube)))
	}
	return s.mul(s.mul(half, x), s.add(one, s.call(f, y)))
}

// numbers are the steps rounded to a type.
func numbers(t ir.Type) stepper[float64] {
	round := func(x float64) float64 { return ir.FloatVal(x, t).Float(t) }
	return stepper[float64]{round,
		func(x, y float64) float64 { return round(x + y) },
		func(x, y float64) float64 { return round(x * y) },
		func(f *ir.OpDef, x float64) float64 {
			if f == dmath.Erf {
				return round(math.Erf(x))
			}
			return round(math.Tanh(x))
		}}
}

// ops are the steps as ops of a type.
func ops(b *ir.Builder, t ir.Type) stepper[ir.Value] {
	return stepper[ir.Value]{
		func(x float64) ir.Value { return arith.ConstFloat(b, t, x) },
		func(x, y ir.Value) ir.Value { return arith.AddF(b, x, y) },
		func(x, y ir.Value) ir.Value { return arith.MulF(b, x, y) },
		func(f *ir.OpDef, x ir.Value) ir.Value { return b.Op(f, x) }}
}

func runRelu(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	t := Elem(o.Call.Ctx(), o.G.Type(o.V))
	least := threshold(o.Call.Ctx(), o.G.AttrsOf(o.V), t).Float(t)
	return runElements(m, o, args, out, func(x float64) float64 {
		if x > least {
			return x
		}
		return 0
	})
}

func runGelu(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	c := o.Call.Ctx()
	s, form := numbers(wideOf(Elem(c, o.G.Type(o.V)))), int(c.AttrInfo(o.G.Attr(o.V, "form")).Int)
	return runElements(m, o, args, out, func(x float64) float64 { return gelu(s, form, x) })
}

// runElements gives what f makes of each element.
func runElements(m *interp.Machine, o *interp.Op, args, out []ir.Val, f func(x float64) float64) error {
	a, err := at(o, args, 0)
	if err != nil {
		return err
	}
	return made(m, o, out, a.shape, func(elems ir.Vector) error {
		for i, x := range a.all() {
			if elems[i] = x; !x.IsPoison() {
				elems[i] = ir.FloatVal(f(x.Float(a.elem)), a.elem)
			}
		}
		return nil
	})
}

func foldRelu(b *ir.Builder, c *ir.Call) ir.Value {
	t := Elem(c.Ctx(), c.Type)
	least := threshold(c.Ctx(), c.Attr, t)
	return BuildMap(b, c.Type, c.Args, func(xs []ir.Value) ir.Value {
		more := arith.CmpF(b, arith.OGT, xs[0], b.Const(t, least))
		return arith.Choose(b, more, xs[0], arith.ConstFloat(b, t, 0))
	})
}

func foldGelu(b *ir.Builder, c *ir.Call) ir.Value {
	t := Elem(c.Ctx(), c.Type)
	wide, form := wideOf(t), int(c.Ctx().AttrInfo(c.Get("form")).Int)
	return BuildMap(b, c.Type, c.Args, func(xs []ir.Value) ir.Value {
		x := xs[0]
		if wide != t {
			x = arith.Cast(b, arith.Extf, x, wide)
		}
		y := gelu(ops(b, wide), form, x)
		if wide != t {
			y = arith.Cast(b, arith.Truncf, y, t)
		}
		return y
	})
}

// BuildMap makes a map of a result of the given type: body makes the element of those of the operands.
func BuildMap(b *ir.Builder, t ir.Type, args []ir.Value, body func(xs []ir.Value) ir.Value) ir.Value {
	params := lists.Map(args, func(a ir.Value) ir.Type { return Elem(b.Ctx(), b.Graph().Type(a)) })
	r := b.Region(ir.Loop, params, func(xs []ir.Value) {
		b.Enter(Map, 0, args, 0, xs)
		b.Op(Yield, body(xs))
	})
	return b.Must(ir.Call{Def: Map, Args: args, Regions: []ir.Region{r}, Type: t, Loc: b.Loc})
}
