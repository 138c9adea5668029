package affine

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
)

func noResult(*ir.Call) (ir.Type, error) { return ir.Void, nil }

// mapOf reads a map of an op, which takes so many operands.
func mapOf(c *ir.Call, name string, operands []ir.Value) (*expr.Map, error) {
	m := expr.MapOf(c.Ctx(), c.Get(name))
	if m == nil {
		return nil, c.Errorf("requires an affine map '%s'", name)
	}
	return m, indices(c, m.Inputs(), operands)
}

// indices checks the operands of a map or set with so many dimensions and symbols.
func indices(c *ir.Call, want int, operands []ir.Value) error {
	if len(operands) != want {
		return c.Errorf("has %d operands for the %d dimensions and symbols of its map", len(operands), want)
	}
	for i, v := range operands {
		if c.Graph().Type(v) != ir.Index {
			return c.Errorf("operand #%d of a map must be index", i)
		}
	}
	return nil
}

func inferApply(c *ir.Call) (ir.Type, error) {
	m, err := mapOf(c, "map", c.Args)
	if err == nil && len(m.Results) != 1 {
		err = c.Errorf("has a map with %d results, and needs one", len(m.Results))
	}
	return ir.Index, err
}

func inferExtreme(c *ir.Call) (ir.Type, error) {
	m, err := mapOf(c, "map", c.Args)
	if err == nil && len(m.Results) == 0 {
		err = c.Errorf("has a map without a result")
	}
	return ir.Index, err
}

func inferDelinearize(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 2 {
		return 0, c.Errorf("needs an index and a basis that is not empty")
	}
	if err := indices(c, len(c.Args), c.Args); err != nil {
		return 0, c.Errorf("takes an index and a basis of indices")
	}
	types := make([]ir.Type, len(c.Args)-1)
	for i := range types {
		types[i] = ir.Index
	}
	return c.Ctx().Multi(types...), nil
}

// element checks an access to the memref that operand m is, and gives the type of an element.
func element(c *ir.Call, m int) (*ir.TypeInfo, error) {
	if len(c.Args) <= m {
		return nil, c.Errorf("expects at least %d operands, has %d", m+1, len(c.Args))
	}
	info := c.Ctx().Info(c.ArgType(m))
	if info.Kind != ir.KindMemRef || info.Unranked {
		return nil, c.Errorf("operand #%d must be a ranked memref", m)
	}
	f, err := mapOf(c, "map", c.Args[m+1:])
	if err == nil && len(f.Results) != len(info.Shape) {
		err = c.Errorf("has a map with %d results for a memref of rank %d", len(f.Results), len(info.Shape))
	}
	return info, err
}

func inferLoad(c *ir.Call) (ir.Type, error) {
	info, err := element(c, 0)
	if err != nil {
		return 0, err
	}
	return info.Elem, nil
}

func inferStore(c *ir.Call) (ir.Type, error) {
	info, err := element(c, 1)
	if err == nil && c.ArgType(0) != info.Elem {
		err = c.Errorf("the value must have the element type of the memref")
	}
	return ir.Void, err
}

func inferPrefetch(c *ir.Call) (ir.Type, error) {
	if _, err := element(c, 0); err != nil {
		return 0, err
	}
	hint := c.Get("localityHint")
	if hint == 0 || c.Ctx().KindOf(hint) != ir.AttrInt || uint64(c.Ctx().AttrInfo(hint).Int) > 3 {
		return 0, c.Errorf("requires 'localityHint', of 0 to 3")
	}
	return ir.Void, nil
}

// vectorOf checks a vector of elements of memory.
func vectorOf(c *ir.Call, t ir.Type, m int) error {
	info, err := element(c, m)
	if err != nil {
		return err
	}
	if v := c.Ctx().Info(t); v.Kind != ir.KindVector || v.Elem != info.Elem {
		return c.Errorf("requires a vector whose elements are of the memref's element type")
	}
	return nil
}

func inferVectorLoad(c *ir.Call) (ir.Type, error) { return c.Type, vectorOf(c, c.Type, 0) }

func inferVectorStore(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 2 {
		return 0, c.Errorf("expects at least 2 operands, has %d", len(c.Args))
	}
	return ir.Void, vectorOf(c, c.ArgType(0), 1)
}

// places splits off memory and the operands of its map.
func places(c *ir.Call, rest []ir.Value, name string) ([]ir.Value, error) {
	m := expr.MapOf(c.Ctx(), c.Get(name))
	if m == nil || len(rest) < 1+m.Inputs() {
		return nil, c.Errorf("requires '%s' and its operands", name)
	}
	info := c.Ctx().Info(c.Graph().Type(rest[0]))
	if info.Kind != ir.KindMemRef || info.Unranked || len(info.Shape) != len(m.Results) {
		return nil, c.Errorf("has a '%s' with %d results, and wants memory of that rank for it", name, len(m.Results))
	}
	return rest[1+m.Inputs():], indices(c, m.Inputs(), rest[1:1+m.Inputs()])
}

func inferDmaStart(c *ir.Call) (ir.Type, error) {
	rest, err := c.Args, error(nil)
	for _, name := range []string{"src_map", "dst_map", "tag_map"} {
		if rest, err = places(c, rest, name); err != nil {
			return 0, err
		}
	}
	if len(rest) != 1 && len(rest) != 3 {
		return 0, c.Errorf("takes a number of elements, or that, a stride and the number of elements for it")
	}
	return ir.Void, indices(c, len(rest), rest)
}

func inferDmaWait(c *ir.Call) (ir.Type, error) {
	rest, err := places(c, c.Args, "tag_map")
	if err != nil {
		return 0, err
	}
	return ir.Void, indices(c, 1, rest)
}
