package vector

import (
	"math"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A kind says how values are combined.
type kind struct {
	name string
	// int and float are the ops that combine integers and floats; nil where there is none.
	int, float *ir.OpDef
}

// kinds are MLIR's CombiningKinds, in its order.
var kinds = []*kind{
	{"add", arith.Addi, arith.Addf}, {"mul", arith.Muli, arith.Mulf}, {"minui", arith.Minui, nil}, {"minsi", arith.Minsi, nil},
	{"minnumf", nil, arith.Minnumf}, {"maxui", arith.Maxui, nil}, {"maxsi", arith.Maxsi, nil}, {"maxnumf", nil, arith.Maxnumf},
	{"and", arith.Andi, nil}, {"or", arith.Ori, nil}, {"xor", arith.Xori, nil},
	{"minimumf", nil, arith.Minimumf}, {"maximumf", nil, arith.Maximumf},
}

func kindNames() []string { return lists.Map(kinds, func(k *kind) string { return k.name }) }

const kindPrefix = "vector.kind<"

// kindAttr is the attribute of a kind.
func kindAttr(c *ir.Context, name string) ir.Attr { return c.OpaqueAttr(kindPrefix + name + ">") }

// kindOf reads the property kind of an op; nil if it is none.
func kindOf(c *ir.Context, attr ir.Attr) *kind {
	a := c.Get(attr, "kind")
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrOpaque {
		return nil
	}
	name, ok := strings.CutPrefix(c.AttrInfo(a).Str, kindPrefix)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(kinds, func(k *kind) bool { return k.name+">" == name })
	if i < 0 {
		return nil
	}
	return kinds[i]
}

// op is the op of arith that combines values of an element type; nil if none does.
func (k *kind) op(c *ir.Context, elem ir.Type) *ir.OpDef {
	if c.IsFloat(elem) {
		return k.float
	}
	if info := c.Info(elem); elem == ir.Index || info.Kind == ir.KindInteger && info.Sign == ir.Signless {
		return k.int
	}
	return nil
}

// checkKind refuses a kind that is none, or that does not combine such elements. Integers with a sign have no meaning here.
func checkKind(c *ir.Call, elem ir.Type) error {
	k, err := someKind(c)
	switch {
	case err != nil || k.op(c.Ctx(), elem) != nil:
		return err
	case c.Ctx().Info(elem).Kind == ir.KindInteger && k.int != nil:
		c.NoMeaning("combines elements of type %s", quote(c, elem))
		return nil
	}
	return c.Errorf("unsupported reduction type %s for kind '%s'", quote(c, elem), k.name)
}

// someKind refuses a kind that is none.
func someKind(c *ir.Call) (*kind, error) {
	if k := kindOf(c.Ctx(), c.Attr); k != nil {
		return k, nil
	}
	return nil, c.Errorf("requires attribute 'kind', one of #vector.kind<%s>", strings.Join(kindNames(), ">, <"))
}

// anyKind is checkKind for vector.multi_reduction, whose elements MLIR does not compare with its kind.
func anyKind(c *ir.Call, elem ir.Type) error {
	k, err := someKind(c)
	if err == nil && k.op(c.Ctx(), elem) == nil {
		c.NoMeaning("combines elements of type %s by '%s'", quote(c, elem), k.name)
	}
	return err
}

// neutral is the value that changes nothing it is combined with by the kind.
func (k *kind) neutral(c *ir.Context, elem ir.Type) ir.Val {
	info := c.Info(elem)
	w := info.Width
	if !c.IsFloat(elem) {
		switch k.name {
		case "mul":
			return ir.IntVal(1, w)
		case "minui", "and":
			return ir.IntVal(-1, w)
		case "minsi":
			return ir.Val{Bits: 1<<(w-1) - 1}
		case "maxsi":
			return ir.Val{Bits: 1 << (w - 1)}
		}
		return ir.Val{}
	}
	return ir.FloatVal(floatNeutral[k.name], elem)
}

// combine is what the kind makes of two values, by the op of arith.
func (k *kind) combine(c *ir.Context, elem ir.Type, x, y ir.Val) (ir.Val, error) {
	if x.Ref != nil || y.Ref != nil {
		return ir.Val{Ref: ir.Poison}, nil
	}
	if c.IsFloat(elem) {
		f := floatCombine[k.name]
		if f == nil || !elementwise.Computable(elem) {
			return ir.Val{}, ir.ErrNoValue
		}
		return ir.FloatVal(f(x.Float(elem), y.Float(elem)), elem), nil
	}
	w := c.Info(elem).Width
	f := intCombine[k.name]
	if f == nil || w < 1 || w > 64 {
		return ir.Val{}, ir.ErrNoValue
	}
	return ir.IntVal(f(x, y, w), w), nil
}

// intCombine are the kinds on integers of w bits; what lies above them does not matter.
var intCombine = map[string]func(x, y ir.Val, w int) int64{
	"add": func(x, y ir.Val, _ int) int64 { return int64(x.Bits + y.Bits) },
	"mul": func(x, y ir.Val, _ int) int64 { return int64(x.Bits * y.Bits) },
	"and": func(x, y ir.Val, _ int) int64 { return int64(x.Bits & y.Bits) },
	"or":  func(x, y ir.Val, _ int) int64 { return int64(x.Bits | y.Bits) },
	"xor": func(x, y ir.Val, _ int) int64 { return int64(x.Bits ^ y.Bits) },

	"minui": func(x, y ir.Val, _ int) int64 { return int64(min(x.Bits, y.Bits)) },
	"maxui": func(x, y ir.Val, _ int) int64 { return int64(max(x.Bits, y.Bits)) },
	"minsi": func(x, y ir.Val, w int) int64 { return min(x.Int(w), y.Int(w)) },
	"maxsi": func(x, y ir.Val, w int) int64 { return max(x.Int(w), y.Int(w)) },
}

// floatCombine are the kinds on floats, before rounding to their format.
var floatCombine = map[string]func(x, y float64) float64{
	"add":      func(x, y float64) float64 { return x + y },
	"mul":      func(x, y float64) float64 { return x * y },
	"minimumf": math.Min,
	"maximumf": math.Max,
	"minnumf":  number(math.Min),
	"maxnumf":  number(math.Max),
}

// number is f of two numbers, and of NaN and something else that.
func number(f func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		switch {
		case math.IsNaN(x):
			return y
		case math.IsNaN(y):
			return x
		}
		return f(x, y)
	}
}

// floatNeutral are values that leave every float as it is. -0.0 does so in a sum, and 0.0 makes
// 0.0 of -0.0.
var floatNeutral = map[string]float64{
	"add": math.Copysign(0, -1), "mul": 1, "minimumf": math.Inf(1), "maximumf": math.Inf(-1),
	"minnumf": math.NaN(), "maxnumf": math.NaN(),
}
