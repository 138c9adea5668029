package affine

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// bounds are the maps of a loop with their operands.
type bounds struct {
	lower, upper         *expr.Map
	lowerArgs, upperArgs []ir.Value
	inits                []ir.Value
	step                 int64
}

// boundsOf reads an affine.for that is right.
func boundsOf(x *ir.Context, attr ir.Attr, args []ir.Value) bounds {
	b := bounds{lower: expr.MapOf(x, x.Get(attr, "lowerBoundMap")), upper: expr.MapOf(x, x.Get(attr, "upperBoundMap")),
		step: x.AttrInfo(x.Get(attr, "step")).Int}
	l, u := b.lower.Inputs(), b.lower.Inputs()+b.upper.Inputs()
	b.lowerArgs, b.upperArgs, b.inits = args[:l], args[l:u], args[u:]
	return b
}

// attr writes the bounds among the attributes of an affine.for.
func (b *bounds) attr(x *ir.Context, like ir.Attr) ir.Attr {
	like = x.With(like, "lowerBoundMap", b.lower.Attr(x))
	like = x.With(like, "upperBoundMap", b.upper.Attr(x))
	like = x.With(like, "step", x.IntAttr(b.step, ir.Index))
	return x.With(like, "operandSegmentSizes", x.DenseArray(ir.I32, int64(len(b.lowerArgs)), int64(len(b.upperArgs)), int64(len(b.inits))))
}

func (b *bounds) args() []ir.Value { return slices.Concat(b.lowerArgs, b.upperArgs, b.inits) }

// ended checks that a region ends with affine.yield of values of the given types.
func ended(c *ir.Call, i int, types []ir.Type) error {
	g := c.Graph()
	t := g.Term(c.Regions[i])
	if t == 0 || g.Def(t) != Yield {
		return c.Errorf("expects region #%d to end with '%s'", i, Yield.Name)
	}
	return elementwise.SameTypes(c, "what the region yields", g.Args(t), types)
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}

func inferFor(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	if step := c.Get("step"); step == 0 || x.KindOf(step) != ir.AttrInt || x.AttrInfo(step).Int <= 0 {
		return 0, c.Errorf("requires a step that is positive")
	}
	seg, err := c.Segments(3)
	if err != nil {
		return 0, err
	}
	for i, name := range []string{"lowerBoundMap", "upperBoundMap"} {
		m, err := mapOf(c, name, seg[i])
		if err == nil && len(m.Results) == 0 {
			err = c.Errorf("has a '%s' without a result", name)
		}
		if err != nil {
			return 0, err
		}
	}
	if len(c.Regions) != 1 {
		return 0, c.Errorf("expects one region, has %d", len(c.Regions))
	}
	inits := typesOf(c.Graph(), seg[2])
	if err := elementwise.SameTypes(c, "arguments of the region", c.Graph().Params(c.Regions[0]), append([]ir.Type{ir.Index}, inits...)); err != nil {
		return 0, err
	}
	return x.Multi(inits...), ended(c, 0, inits)
}

func inferIf(c *ir.Call) (ir.Type, error) {
	s := expr.SetOf(c.Ctx(), c.Get("condition"))
	if s == nil {
		return 0, c.Errorf("requires an affine set 'condition'")
	}
	if err := indices(c, s.Inputs(), c.Args); err != nil {
		return 0, err
	}
	if len(c.Regions) != 2 {
		return 0, c.Errorf("expects 2 regions, has %d", len(c.Regions))
	}
	g := c.Graph()
	for i, r := range c.Regions {
		if len(g.Params(r)) != 0 {
			return 0, c.Errorf("region #%d should have no arguments", i)
		}
	}
	types := typesOf(g, g.Yields(c.Regions[0]))
	if err := ended(c, 0, types); err != nil {
		return 0, err
	}
	if g.HasBlock(c.Regions[1]) {
		return c.Ctx().Multi(types...), ended(c, 1, types)
	}
	if len(types) > 0 {
		return 0, c.Errorf("must have an else block if defining values")
	}
	return ir.Void, nil
}

// box is the iteration space of affine.parallel.
type box struct {
	lower, upper         *expr.Map
	lowerArgs, upperArgs []ir.Value
	lowerN, upperN       []int64 // how many results bound each dimension
	steps                []int64
	kinds                []reduction
}

// results are those of a map that bound dimension d.
func results(m *expr.Map, groups []int64, d int) []*expr.Expr {
	from := int64(0)
	for _, n := range groups[:d] {
		from += n
	}
	return m.Results[from : from+groups[d]]
}

// boxOf reads an affine.parallel. What is missing is nil.
func boxOf(x *ir.Context, attr ir.Attr, args []ir.Value) (b box, ok bool) {
	b.lower, b.upper = expr.MapOf(x, x.Get(attr, "lowerBoundsMap")), expr.MapOf(x, x.Get(attr, "upperBoundsMap"))
	if b.lower == nil || b.upper == nil || len(args) != b.lower.Inputs()+b.upper.Inputs() {
		return b, false
	}
	b.lowerArgs, b.upperArgs = args[:b.lower.Inputs()], args[b.lower.Inputs():]
	b.lowerN, b.upperN = groups(x, x.Get(attr, "lowerBoundsGroups"), b.lower), groups(x, x.Get(attr, "upperBoundsGroups"), b.upper)
	b.steps = integers(x, x.Get(attr, "steps"))
	for _, k := range integers(x, x.Get(attr, "reductions")) {
		if k < 0 || k >= int64(len(reductions)) {
			return b, false
		}
		b.kinds = append(b.kinds, reductions[k])
	}
	return b, true
}

// integers reads an array of integers.
func integers(x *ir.Context, a ir.Attr) (out []int64) {
	if a == 0 {
		return nil
	}
	for _, e := range x.AttrInfo(a).List {
		out = append(out, x.AttrInfo(e).Int)
	}
	return out
}

// groups reads dense<[1, 2]> : tensor<2xi32>, the numbers of results of a map that belong
// together; nil if they do not add up.
func groups(x *ir.Context, a ir.Attr, m *expr.Map) []int64 {
	out := []int64{}
	if a == 0 || x.KindOf(a) != ir.AttrDense || len(x.Info(x.AttrInfo(a).Type).Shape) != 1 {
		return nil
	}
	sum, n := 0, x.Info(x.AttrInfo(a).Type).Shape[0]
	elems := x.Elems(a)
	for i := range n {
		e := int32(elems[min(int(i), len(elems)-1)])
		if e < 1 || sum > len(m.Results) {
			return nil
		}
		sum += int(e)
		out = append(out, int64(e))
	}
	if sum != len(m.Results) {
		return nil
	}
	return out
}

// groupsAttr writes them.
func groupsAttr(x *ir.Context, ns []int64) ir.Attr {
	t := x.Type(ir.TypeInfo{Kind: ir.KindTensor, Shape: []int64{int64(len(ns))}, Elem: ir.I32})
	splat := len(ns) > 0 && !slices.ContainsFunc(ns, func(n int64) bool { return n != ns[0] })
	var buf []byte
	for _, n := range ns {
		if buf = ir.AppendElem(buf, uint64(n), 4); splat {
			break
		}
	}
	return x.Attr(ir.AttrInfo{Kind: ir.AttrDense, Type: t, Str: string(buf), Splat: splat})
}

func inferParallel(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	b, ok := boxOf(x, c.Attr, c.Args)
	switch {
	case b.lower == nil || b.upper == nil:
		return 0, c.Errorf("requires affine maps 'lowerBoundsMap' and 'upperBoundsMap'")
	case len(c.Args) != b.lower.Inputs()+b.upper.Inputs():
		return 0, c.Errorf("has %d operands for the %d dimensions and symbols of its maps", len(c.Args), b.lower.Inputs()+b.upper.Inputs())
	case !ok:
		return 0, c.Errorf("has a reduction that there is not")
	case len(c.Regions) != 1:
		return 0, c.Errorf("expects one region, has %d", len(c.Regions))
	}
	if err := indices(c, len(c.Args), c.Args); err != nil {
		return 0, err
	}
	params := c.Graph().Params(c.Regions[0])
	if n := len(params); b.lowerN == nil || b.upperN == nil || len(b.lowerN) != n || len(b.upperN) != n || len(b.steps) != n {
		return 0, c.Errorf("must have as many groups of lower bounds, groups of upper bounds and steps as its region has arguments, %d", n)
	}
	for i, v := range params {
		if c.Graph().Type(v) != ir.Index {
			return 0, c.Errorf("argument #%d of its region must be index", i)
		}
		if b.steps[i] <= 0 {
			return 0, c.Errorf("requires steps that are positive")
		}
	}
	types := typesOf(c.Graph(), c.Graph().Yields(c.Regions[0]))
	if err := ended(c, 0, types); err != nil {
		return 0, err
	}
	if len(types) != len(b.kinds) {
		return 0, c.Errorf("has %d reductions, and its region yields %d values", len(b.kinds), len(types))
	}
	for i, k := range b.kinds {
		if !k.takes(x, types[i]) {
			return 0, c.Errorf("result type cannot match reduction attribute: \"%s\" does not reduce value #%d", k.name, i)
		}
	}
	return x.Multi(types...), nil
}
