package scf

import (
	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// terminated checks that region i of an op ends with the given op and returns
// what it yields.
func terminated(c *ir.Call, i int, by *ir.OpDef) ([]ir.Value, error) {
	g := c.Graph()
	t := g.Term(c.Regions[i])
	switch {
	case t != 0 && g.Def(t) != by:
		return nil, c.Errorf("expects region #%d to end with '%s', not with '%s'", i, by.Name, g.Def(t).Name)
	case t == 0:
		return nil, c.Errorf("expects region #%d to end with '%s'", i, by.Name)
	}
	return g.Args(t), nil
}

func regions(c *ir.Call, n int) error {
	if len(c.Regions) != n {
		return c.Errorf("expects %d regions, has %d", n, len(c.Regions))
	}
	return nil
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}

func noResult(c *ir.Call) (ir.Type, error) { return ir.Void, nil }

func inferYield(c *ir.Call) (ir.Type, error) {
	if len(c.Regions) != 0 {
		return 0, c.Errorf("has no regions")
	}
	return ir.Void, nil
}

func inferCondition(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 1 || c.ArgType(0) != ir.I1 {
		return 0, c.Errorf("operand #0 must be 1-bit signless integer")
	}
	return ir.Void, nil
}

func inferReduceReturn(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 {
		return 0, c.Errorf("expects one operand, has %d", len(c.Args))
	}
	return ir.Void, nil
}

// yieldedTypes is the type of an op whose results are what region i yields.
func yieldedTypes(c *ir.Call, i int, by *ir.OpDef) (ir.Type, error) {
	ys, err := terminated(c, i, by)
	if err != nil {
		return 0, err
	}
	return c.Ctx().Multi(typesOf(c.Graph(), ys)...), nil
}

func noParams(c *ir.Call) error {
	for i, r := range c.Regions {
		if len(c.Graph().Params(r)) != 0 {
			return c.Errorf("region #%d should have no arguments", i)
		}
	}
	return nil
}

func inferExecuteRegion(c *ir.Call) (ir.Type, error) {
	if err := regions(c, 1); err != nil {
		return 0, err
	}
	if !c.Graph().HasBlock(c.Regions[0]) {
		return 0, c.Errorf("region needs to have at least one block")
	}
	if err := noParams(c); err != nil {
		return 0, err
	}
	return yieldedTypes(c, 0, Yield)
}

func inferIf(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.I1 {
		return 0, c.Errorf("operand #0 must be 1-bit signless integer")
	}
	if err := regions(c, 2); err != nil {
		return 0, err
	}
	if err := noParams(c); err != nil {
		return 0, err
	}
	t, err := yieldedTypes(c, 0, Yield)
	if err != nil {
		return 0, err
	}
	if !c.Graph().HasBlock(c.Regions[1]) {
		if t != ir.Void {
			return 0, c.Errorf("must have an else block if defining values")
		}
		return t, nil
	}
	if u, err := yieldedTypes(c, 1, Yield); err != nil || t != u {
		if err == nil {
			err = c.Errorf("the two regions yield different types")
		}
		return 0, err
	}
	return t, nil
}

func inferIndexSwitch(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.Index {
		return 0, c.Errorf("operand #0 must be index")
	}
	cases := c.Ctx().Ints(c.Get("cases"))
	if err := regions(c, len(cases)+1); err != nil {
		return 0, err
	}
	seen := map[int64]bool{}
	for _, n := range cases {
		if seen[n] {
			return 0, c.Errorf("has duplicate case value: %d", n)
		}
		seen[n] = true
	}
	if err := noParams(c); err != nil {
		return 0, err
	}
	t, err := yieldedTypes(c, 0, Yield)
	for i := 1; i < len(c.Regions) && err == nil; i++ {
		var u ir.Type
		if u, err = yieldedTypes(c, i, Yield); err == nil && u != t {
			err = c.Errorf("its regions yield different types")
		}
	}
	return t, err
}

func inferFor(c *ir.Call) (ir.Type, error) {
	if len(c.Args) < 3 {
		return 0, c.Errorf("expects at least 3 operands, has %d", len(c.Args))
	}
	iv := c.ArgType(0)
	if info := c.Ctx().Info(iv); !c.Ctx().IsInt(iv) || info.Sign != ir.Signless {
		return 0, c.Errorf("operand #0 must be signless integer or index")
	}
	if c.ArgType(1) != iv || c.ArgType(2) != iv {
		return 0, c.Errorf("failed to verify that all of {lowerBound, upperBound, step} have same type")
	}
	if err := regions(c, 1); err != nil {
		return 0, err
	}
	inits := typesOf(c.Graph(), c.Args[3:])
	if err := elementwise.SameTypes(c, "arguments of the region", c.Graph().Params(c.Regions[0]), append([]ir.Type{iv}, inits...)); err != nil {
		return 0, err
	}
	ys, err := terminated(c, 0, Yield)
	if err == nil {
		err = elementwise.SameTypes(c, "what the region yields", ys, inits)
	}
	return c.Ctx().Multi(inits...), err
}

func inferWhile(c *ir.Call) (ir.Type, error) {
	if err := regions(c, 2); err != nil {
		return 0, err
	}
	g := c.Graph()
	inits := typesOf(g, c.Args)
	if err := elementwise.SameTypes(c, "arguments of the 'before' region", g.Params(c.Regions[0]), inits); err != nil {
		return 0, err
	}
	cond, err := terminated(c, 0, Condition)
	if err != nil {
		return 0, err
	}
	out := typesOf(g, cond[1:])
	if err := elementwise.SameTypes(c, "arguments of the 'after' region", g.Params(c.Regions[1]), out); err != nil {
		return 0, err
	}
	ys, err := terminated(c, 1, Yield)
	if err == nil {
		err = elementwise.SameTypes(c, "what the 'after' region yields", ys, inits)
	}
	return c.Ctx().Multi(out...), err
}

func repeat(t ir.Type, n int) []ir.Type {
	out := make([]ir.Type, n)
	for i := range out {
		out[i] = t
	}
	return out
}

func inferParallel(c *ir.Call) (ir.Type, error) {
	seg, err := c.Segments(4)
	if err != nil {
		return 0, err
	}
	n := len(seg[0])
	if n == 0 {
		return 0, c.Errorf("needs at least one tuple element for lowerBound, upperBound and step")
	}
	index := repeat(ir.Index, n)
	for i, what := range []string{"lower bounds", "upper bounds", "steps"} {
		if err := elementwise.SameTypes(c, what, seg[i], index); err != nil {
			return 0, err
		}
	}
	if err := regions(c, 1); err != nil {
		return 0, err
	}
	if err := elementwise.SameTypes(c, "arguments of the region", c.Graph().Params(c.Regions[0]), index); err != nil {
		return 0, err
	}
	inits := typesOf(c.Graph(), seg[3])
	ys, err := terminated(c, 0, Reduce)
	if err == nil {
		err = elementwise.SameTypes(c, "reductions", ys, inits)
	}
	return c.Ctx().Multi(inits...), err
}

func inferReduce(c *ir.Call) (ir.Type, error) {
	if err := regions(c, len(c.Args)); err != nil {
		return 0, err
	}
	for i := range c.Args {
		t := c.ArgType(i)
		if err := elementwise.SameTypes(c, "arguments of a reduction", c.Graph().Params(c.Regions[i]), []ir.Type{t, t}); err != nil {
			return 0, err
		}
		ys, err := terminated(c, i, ReduceReturn)
		if err != nil {
			return 0, err
		}
		if err := elementwise.SameTypes(c, "the result of a reduction", ys, []ir.Type{t}); err != nil {
			return 0, err
		}
	}
	return ir.Void, nil
}

func inferForall(c *ir.Call) (ir.Type, error) {
	seg, err := c.Segments(4)
	if err != nil {
		return 0, err
	}
	rank := 0
	for i, name := range []string{"staticLowerBound", "staticUpperBound", "staticStep"} {
		static, dynamic := c.Ctx().Ints(c.Get(name)), 0
		for _, n := range static {
			if n == ir.Dynamic {
				dynamic++
			}
		}
		if i == 0 {
			rank = len(static)
		}
		if len(static) != rank {
			return 0, c.Errorf("'%s' has %d elements, wanted %d", name, len(static), rank)
		}
		if err := elementwise.SameTypes(c, "operands for '"+name+"'", seg[i], repeat(ir.Index, dynamic)); err != nil {
			return 0, err
		}
	}
	if err := regions(c, 1); err != nil {
		return 0, err
	}
	outs := typesOf(c.Graph(), seg[3])
	for _, t := range outs {
		if c.Ctx().Info(t).Kind != ir.KindTensor {
			return 0, c.Errorf("shared outputs must be ranked tensors")
		}
	}
	if err := elementwise.SameTypes(c, "arguments of the region", c.Graph().Params(c.Regions[0]), append(repeat(ir.Index, rank), outs...)); err != nil {
		return 0, err
	}
	_, err = terminated(c, 0, InParallel)
	return c.Ctx().Multi(outs...), err
}

func inferInParallel(c *ir.Call) (ir.Type, error) {
	if err := regions(c, 1); err != nil {
		return 0, err
	}
	return noResult(c)
}
