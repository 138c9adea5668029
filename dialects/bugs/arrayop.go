package bugs

import (
	"github.com/irc-lang/irc/dialects/prob"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
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
	if a := c.Get("kind"); a == 0 || reduceOps[c.Ctx().AttrInfo(a).Str] == nil {
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
func partsOf(c *ir.Call) ([]operandPart[ir.Value], error) {
	ctx, g := c.Ctx(), c.Graph()
	ps, ok := operandParts(ctx.Ints(c.Get("ranges")), c.Args, func(i int) int { return arrayRank(ctx, c.ArgType(i)) })
	if !ok {
		return nil, c.Errorf("wants two bounds for each dimension of an array, and 'ranges' for all of them")
	}
	for _, p := range ps {
		if p.scalar && g.Type(p.array) != ir.F64 {
			return nil, c.Errorf("operands must be arrays with their bounds, or f64")
		}
		for _, b := range p.bounds {
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
	if a == 0 || arrayOpOf(c.Ctx().AttrInfo(a).Str) == nil {
		return c.Errorf("attribute 'name' must be the name of a function of arrays")
	}
	f := arrayOpOf(c.Ctx().AttrInfo(a).Str)
	if (f.result > 0) != array {
		return c.Errorf("%s gives %s", c.Ctx().AttrInfo(a).Str, prob.ShapeName(f.result))
	}
	ranks := f.args
	if array {
		ranks = append([]int{f.result}, ranks...)
	}
	if len(ps) != len(ranks) {
		return c.Errorf("wants %d operands", len(ranks))
	}
	for i, p := range ps {
		if p.rank() != ranks[i] || p.scalar && ranks[i] != 0 {
			return c.Errorf("part %d must be %s", i, prob.ShapeName(ranks[i]))
		}
	}
	return nil
}

func inferApply(c *ir.Call) (ir.Type, error) { return ir.F64, signatureOf(c, false) }

func inferCompute(c *ir.Call) (ir.Type, error) { return ir.Void, signatureOf(c, true) }

// applyEffects: the arrays are read.
func applyEffects(c *ir.Call) (out []ir.Effect) {
	for i, v := range c.Args {
		if isArray(c.Ctx(), c.ArgType(i)) {
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

func runTemporary(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	ref, err := m.NewMemRef(ir.F64, o.G.Ctx.Info(o.G.Type(o.V)).Shape...)
	if err == nil {
		out[0] = ref.Val()
	}
	return err
}

func runFold(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	lo, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	hi, err := interp.Index(args[1])
	if err != nil {
		return err
	}
	kind := o.G.Ctx.AttrInfo(o.Call.Get("kind")).Str
	total, in := reduceStart[kind], m.Temp(1)
	for i := lo; i <= hi; i++ {
		in[0] = ir.IntVal(i, 64)
		ys, err := m.Run(o.Regions[0], in)
		if err != nil {
			return err
		}
		total = reductions[kind]([]float64{total, ys[0].F64()})
	}
	out[0] = ir.F64Val(total)
	return nil
}

func runApply(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	x, _, err := callParts(o, args)
	if err == nil {
		out[0] = ir.F64Val(x.V[0])
	}
	return err
}

func runCompute(_ *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	x, dest, err := callParts(o, args)
	if err != nil {
		return err
	}
	_, cells, err := readPart(dest)
	if err != nil {
		return err
	}
	r, err := interp.AsMemRef(dest.array)
	if err != nil {
		return err
	}
	if len(cells) != len(x.V) {
		return ir.Trapf("%d values are assigned to %d elements", len(x.V), len(cells))
	}
	for i, k := range cells {
		r.Buf.Store(k, ir.F64Val(x.V[i]))
	}
	return nil
}

// callParts evaluates the function of bugs.apply or bugs.compute; dest is the part
// that the latter writes.
func callParts(o *interp.Op, args []ir.Val) (out value, dest operandPart[ir.Val], err error) {
	c, olds := o.G.Ctx, o.G.Args(o.V)
	f := arrayOpOf(c.AttrInfo(o.Call.Get("name")).Str)
	ps, _ := operandParts(c.Ints(o.Call.Get("ranges")), args, func(i int) int { return arrayRank(c, o.G.Type(olds[i])) })
	if f.result > 0 {
		dest, ps = ps[0], ps[1:]
	}
	vals := make([]value, len(ps))
	for i, p := range ps {
		if vals[i], _, err = readPart(p); err != nil {
			return out, dest, err
		}
	}
	if out, err = f.inGo(vals); err != nil {
		err = ir.Trapf("%s: %v", c.AttrInfo(o.Call.Get("name")).Str, err)
	}
	return out, dest, err
}
