package ops

import (
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/ir"
)

// The ops of expressions that are arrays. Most need none of them: elementwise
// functions, transposes, and products of matrices are made element by element where
// they are wanted (see arrayValue). What a function must see in memory is written to
// a temporary first.
var (
	Temporary = ir.Define(&ir.OpDef{Name: "bugs.temporary", Doc: "Memory for an array on the way to a value.",
		Attrs: []string{"name"}, Traits: ir.Unique, Infer: inferDeclaration})

	Fold = ir.Define(&ir.OpDef{Name: "bugs.fold",
		Doc:  "sum, prod, max or min of what its region gives for i from the lower to the upper bound, both included.",
		Args: []string{"lower", "upper"}, Attrs: []string{"kind"}, Body: ir.Loop, Infer: inferFold})

	Element = ir.Define(&ir.OpDef{Name: "bugs.element", Doc: "Ends the region of bugs.fold: one of the values that it combines.",
		Args: []string{"x"}, Traits: ir.Terminator, Infer: inferElement})

	Apply = ir.Define(&ir.OpDef{Name: "bugs.apply",
		Doc:  "A function of parts of arrays that gives a number; operands and `ranges` are as those of bugs.multivariate.",
		Args: []string{"operands..."}, Attrs: []string{"name", "ranges"}, Infer: inferApply, Effects: applyEffects})

	Compute = ir.Define(&ir.OpDef{Name: "bugs.compute",
		Doc:  "A function of parts of arrays that gives an array: it is written to the part that comes first.",
		Args: []string{"operands..."}, Attrs: []string{"name", "ranges"}, Infer: inferCompute, Effects: computeEffects})
)

func inferFold(c *ir.Call) (ir.Type, error) {
	if _, err := inferFor(c); err != nil {
		return 0, err
	}
	if a := c.Get("kind"); a == 0 || function.ReduceOps[c.Ctx().AttrInfo(a).Str] == nil {
		return 0, c.Errorf("attribute 'kind' must be sum, prod, max or min")
	}
	return ir.F64, nil
}

func inferElement(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.F64 {
		return 0, c.Errorf("wants one operand of type f64")
	}
	return ir.Void, nil
}

// partsOf groups the operands of an op and checks their types.
func partsOf(c *ir.Call) ([]Part[ir.Value], error) {
	ctx, g := c.Ctx(), c.Graph()
	ps, ok := Parts(ctx.Ints(c.Get("ranges")), c.Args, func(i int) int { return ArrayRank(ctx, c.ArgType(i)) })
	if !ok {
		return nil, c.Errorf("wants two bounds for each dimension of an array, and 'ranges' for all of them")
	}
	for _, p := range ps {
		if p.Scalar && g.Type(p.Array) != ir.F64 {
			return nil, c.Errorf("operands must be arrays with their bounds, or f64")
		}
		for _, b := range p.Bounds {
			if g.Type(b) != ir.Index {
				return nil, c.Errorf("bounds must be index")
			}
		}
	}
	return ps, nil
}

// signatureOf checks the parts of a call of a function that gives an array of a rank.
func signatureOf(c *ir.Call, array bool) error {
	ps, err := partsOf(c)
	if err != nil {
		return err
	}
	a := c.Get("name")
	if a == 0 || function.ArrayOpOf(c.Ctx().AttrInfo(a).Str) == nil {
		return c.Errorf("attribute 'name' must be the name of a function of arrays")
	}
	f := function.ArrayOpOf(c.Ctx().AttrInfo(a).Str)
	if (f.Result > 0) != array {
		return c.Errorf("%s gives %s", c.Ctx().AttrInfo(a).Str, apply.ShapeName(f.Result))
	}
	ranks := f.Args
	if array {
		ranks = append([]int{f.Result}, ranks...)
	}
	if len(ps) != len(ranks) {
		return c.Errorf("wants %d operands", len(ranks))
	}
	for i, p := range ps {
		if p.rank() != ranks[i] || p.Scalar && ranks[i] != 0 {
			return c.Errorf("part %d must be %s", i, apply.ShapeName(ranks[i]))
		}
	}
	return nil
}

func inferApply(c *ir.Call) (ir.Type, error) { return ir.F64, signatureOf(c, false) }

func inferCompute(c *ir.Call) (ir.Type, error) { return ir.Void, signatureOf(c, true) }

// applyEffects: the arrays are read.
func applyEffects(c *ir.Call) (out []ir.Effect) {
	for i, v := range c.Args {
		if IsArray(c.Ctx(), c.ArgType(i)) {
			out = append(out, ir.Effect{Kind: ir.Read, On: c.Builder().ResourceOf(v)})
		}
	}
	return out
}

func computeEffects(c *ir.Call) []ir.Effect {
	out := applyEffects(c)
	if len(out) > 0 {
		out[0].Kind = ir.Write
	}
	return out
}
