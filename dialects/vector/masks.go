package vector

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"slices"
)

// isMask checks a mask of some lanes.
func isMask(c *ir.Call, what string, t ir.Type, shape []int64) error {
	info, err := isVector(c, what, t)
	if err != nil {
		return err
	}
	if info.Elem != ir.I1 || !slices.Equal(info.Shape, shape) {
		return c.Errorf("%s is %s, and must be %s", what, quote(c, t), quote(c, c.Ctx().Vector(shape, ir.I1)))
	}
	return nil
}

// maskResult checks that the result is a mask.
func maskResult(c *ir.Call) (*ir.TypeInfo, error) {
	info, err := isVector(c, "result", c.Type)
	if err == nil && info.Elem != ir.I1 {
		err = c.Errorf("result must be a vector of i1, but is %s", quote(c, c.Type))
	}
	return info, err
}

// maskRank is how many numbers say how many lanes of a mask are set: one in each dimension.
func maskRank(info *ir.TypeInfo) int { return max(len(info.Shape), 1) }

func inferConstantMask(c *ir.Call) (ir.Type, error) {
	info, err := maskResult(c)
	if err != nil {
		return 0, err
	}
	sizes, err := numbers(c, "mask_dim_sizes")
	if err != nil {
		return 0, err
	}
	if len(sizes) != maskRank(info) {
		return 0, c.Errorf("must specify array attr of size equal vector result rank: %d and %d", len(sizes), maskRank(info))
	}
	zeros := 0
	for d, n := range sizes {
		most := int64(1)
		if len(info.Shape) > 0 {
			most = info.Shape[d]
		}
		if n < 0 || n > most {
			return 0, c.Errorf("array attr of size out of bounds of vector result dimension size: %d is not in [0, %d]", n, most)
		}
		if n != 0 && n != most && info.Scalable != nil && info.Scalable[d] {
			return 0, c.Errorf("only supports none or all set in a dimension that scales: %d is neither 0 nor %d", n, most)
		}
		if n == 0 {
			zeros++
		}
	}
	if zeros > 0 && zeros < len(sizes) {
		return 0, c.Errorf("expected all mask dim sizes to be zeros, as a result of conjunction with zero mask dim")
	}
	return c.Type, operands(c, 0, 0)
}

func inferCreateMask(c *ir.Call) (ir.Type, error) {
	info, err := maskResult(c)
	if err != nil {
		return 0, err
	}
	if len(c.Args) != maskRank(info) {
		return 0, c.Errorf("must specify an operand for each result vector dimension: %d and %d", len(c.Args), maskRank(info))
	}
	for i := range c.Args {
		if c.ArgType(i) != ir.Index {
			return 0, c.Errorf("operand #%d must be of type index, but is %s", i, quote(c, c.ArgType(i)))
		}
	}
	return c.Type, nil
}

// maskOf sets the lanes whose index is below a limit in each dimension.
func maskOf(c *ir.Call, limits []int64) (ir.Val, error) {
	if _, ok := lanes(c.Ctx(), c.Type); !ok {
		return ir.Val{}, tooLong
	}
	shape := shapeOf(c.Ctx(), c.Type)
	out := make(ir.Vector, count(shape))
	points(shape, func(i int, at []int) {
		set := len(at) > 0 || limits[0] > 0
		for d, x := range at {
			set = set && int64(x) < limits[d]
		}
		out[i] = ir.BoolVal(set)
	})
	return ir.Val{Ref: out}, nil
}

func evalConstantMask(c *ir.Call, _ []ir.Val) (ir.Val, error) {
	return maskOf(c, intsOf(c.Ctx(), c.Get("mask_dim_sizes")))
}

func evalCreateMask(c *ir.Call, args []ir.Val) (ir.Val, error) {
	limits := lists.Map(args, func(a ir.Val) int64 { return int64(a.Bits) })
	return maskOf(c, limits)
}

func inferStep(c *ir.Call) (ir.Type, error) {
	info, err := isVector(c, "result", c.Type)
	if err == nil && (info.Elem != ir.Index || len(info.Shape) != 1) {
		err = c.Errorf("result must be a vector of one dimension of index, but is %s", quote(c, c.Type))
	}
	if err == nil {
		err = operands(c, 0, 0)
	}
	return c.Type, err
}

func evalStep(c *ir.Call, _ []ir.Val) (ir.Val, error) {
	n, ok := lanes(c.Ctx(), c.Type)
	if !ok {
		return ir.Val{}, tooLong
	}
	out := make(ir.Vector, n)
	for i := range out {
		out[i].Bits = uint64(i)
	}
	return ir.Val{Ref: out}, nil
}
