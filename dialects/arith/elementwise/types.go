package elementwise

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// A Class is a type constraint: what MLIR's verifier calls it, and what is in it.
type Class struct {
	name string
	Has  func(c *ir.Context, t ir.Type) bool
}

// The constraints of arith and math. "Like" means the scalar, or a vector or
// tensor of it.
var (
	IntegerLike = Class{"signless-integer-like", like(isInteger)}
	FixedLike   = Class{"signless-fixed-width-integer-like", like(isFixed)}
	FloatLike   = Class{"floating-point-like", like(isFloat)}
	BoolLike    = Class{"bool-like", like(func(_ *ir.Context, t ir.Type) bool { return t == ir.I1 })}
	AnyType     = Class{"any type", func(*ir.Context, ir.Type) bool { return true }}

	IndexCastable = Class{"signless-integer-like or memref of signless-integer", orMemRef(isInteger)}
	BitCastable   = Class{"signless-integer-or-float-like or memref of signless-integer or float", orMemRef(isNumber)}
)

func isFixed(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return info.Kind == ir.KindInteger && info.Sign == ir.Signless
}

func isInteger(c *ir.Context, t ir.Type) bool { return t == ir.Index || isFixed(c, t) }

func isFloat(c *ir.Context, t ir.Type) bool { return c.IsFloat(t) }

func isNumber(c *ir.Context, t ir.Type) bool { return isInteger(c, t) || isFloat(c, t) }

func like(scalar func(*ir.Context, ir.Type) bool) func(*ir.Context, ir.Type) bool {
	return func(c *ir.Context, t ir.Type) bool { return scalar(c, c.ElemOrSelf(t)) }
}

func orMemRef(scalar func(*ir.Context, ir.Type) bool) func(*ir.Context, ir.Type) bool {
	return func(c *ir.Context, t ir.Type) bool {
		if info := c.Info(t); info.Kind == ir.KindMemRef {
			return scalar(c, info.Elem)
		}
		return scalar(c, c.ElemOrSelf(t))
	}
}

// CheckOperands reports a wrong number of operands, or one outside its class.
// The last class stands for all further operands.
func CheckOperands(c *ir.Call, classes ...Class) error {
	if len(c.Args) != len(classes) {
		return c.Errorf("expected %d operands, but found %d", len(classes), len(c.Args))
	}
	for i, k := range classes {
		if t := c.ArgType(i); !k.Has(c.Ctx(), t) {
			return c.Errorf("operand #%d must be %s, but got %s", i, k.name, Quote(c.Ctx(), t))
		}
	}
	return nil
}

// CheckResult reports a result type that is missing or outside its class.
func CheckResult(c *ir.Call, k Class) error {
	if c.Type == ir.NoType {
		return c.Errorf("needs its result type")
	}
	if n := len(c.Ctx().Results(c.Type)); n != 1 {
		return c.Errorf("expected 1 result, but found %d", n)
	}
	if !k.Has(c.Ctx(), c.Type) {
		return c.Errorf("result #0 must be %s, but got %s", k.name, Quote(c.Ctx(), c.Type))
	}
	return nil
}

// Same infers the type of an op whose operands, all of class k, and result have
// one type. Tensors may differ in how much of their shape is known.
func Same(n int, k Class) func(*ir.Call) (ir.Type, error) {
	classes := make([]Class, n)
	for i := range classes {
		classes[i] = k
	}
	return func(c *ir.Call) (ir.Type, error) {
		if err := CheckOperands(c, classes...); err != nil {
			return 0, err
		}
		t := c.ArgType(0)
		if c.Type != ir.NoType {
			if c.Type != t && len(c.Ctx().Results(c.Type)) != 1 {
				return 0, c.Errorf("expected 1 result, but found %d", len(c.Ctx().Results(c.Type)))
			}
			t = c.Type
		}
		for i := range c.Args {
			if !Compatible(c.Ctx(), t, c.ArgType(i)) {
				return 0, c.Errorf("requires the same type for all operands and results")
			}
		}
		return t, CheckFlags(c)
	}
}

// Compatible reports equal types, or tensors that differ only where an extent of
// one is unknown.
func Compatible(c *ir.Context, a, b ir.Type) bool {
	if a == b {
		return true
	}
	x, y := c.Info(a), c.Info(b)
	return x.Kind == ir.KindTensor && y.Kind == ir.KindTensor && x.Elem == y.Elem && x.Layout == y.Layout &&
		CompatibleShapes(x, y)
}

// CompatibleShapes reports shapes that may be the same.
func CompatibleShapes(x, y *ir.TypeInfo) bool {
	if x.Unranked || y.Unranked {
		return true
	}
	if len(x.Shape) != len(y.Shape) {
		return false
	}
	for i, n := range x.Shape {
		if m := y.Shape[i]; n != m && n != ir.Dynamic && m != ir.Dynamic {
			return false
		}
	}
	return true
}

// WithElem returns t with another element type: the type itself for a scalar.
func WithElem(c *ir.Context, t, elem ir.Type) ir.Type {
	info := c.Info(t)
	switch info.Kind {
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		shaped := *info
		shaped.Elem = elem
		return c.Type(shaped)
	}
	return elem
}

// SameShape reports that both types are scalars, or have equal shapes.
func SameShape(c *ir.Context, a, b ir.Type) bool {
	return WithElem(c, a, ir.I1) == WithElem(c, b, ir.I1)
}

// Quote spells a type for a message.
func Quote(c *ir.Context, t ir.Type) string { return "'" + text.TypeString(c, t) + "'" }
