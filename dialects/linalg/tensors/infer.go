package tensors

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

func quote(c *ir.Call, t ir.Type) string { return elementwise.Quote(c.Ctx(), t) }

// ranked checks that a type is a tensor of known rank.
func ranked(c *ir.Call, what string, t ir.Type) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(t)
	if t == ir.NoType || info.Kind != ir.KindTensor || info.Unranked {
		return nil, c.Errorf("%s must be a tensor of known rank, not %s", what, quote(c, t))
	}
	return info, nil
}

// anyRank checks that a type is a tensor; one of unknown rank takes the op its meaning.
func anyRank(c *ir.Call, what string, t ir.Type) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(t)
	if t == ir.NoType || info.Kind != ir.KindTensor {
		return nil, c.Errorf("%s must be a tensor, not %s", what, quote(c, t))
	}
	if info.Unranked {
		c.NoMeaning("works on %s, whose rank is known only when the program runs", quote(c, t))
	}
	return info, nil
}

// count checks the number of operands.
func count(c *ir.Call, n int) error {
	if len(c.Args) != n {
		return c.Errorf("expects %d operands, has %d", n, len(c.Args))
	}
	return nil
}

// operand checks that operand i is there and a tensor.
func operand(c *ir.Call, i int, name string) (*ir.TypeInfo, error) {
	if len(c.Args) <= i {
		return nil, c.Errorf("expects at least %d operands, has %d", i+1, len(c.Args))
	}
	return ranked(c, name, c.ArgType(i))
}

func open(shape []int64) (n int) {
	for _, e := range shape {
		if e == ir.Dynamic {
			n++
		}
	}
	return n
}

// extents checks that operands from i on are the extents that the result's type leaves open.
func extents(c *ir.Call, i int) (*ir.TypeInfo, error) {
	info, err := ranked(c, "the result", c.Type)
	if err != nil {
		return nil, err
	}
	if n := open(info.Shape); n != len(c.Args)-i {
		return nil, c.Errorf("has %d extents for the %d that %s leaves open", len(c.Args)-i, n, quote(c, c.Type))
	}
	return info, indices(c, c.Args[i:])
}

func indices(c *ir.Call, vs []ir.Value) error {
	for i, v := range vs {
		if t := c.Graph().Type(v); t != ir.Index {
			return c.Errorf("index #%d must be of type 'index', not %s", i, quote(c, t))
		}
	}
	return nil
}

func inferEmpty(c *ir.Call) (ir.Type, error) {
	_, err := extents(c, 0)
	return c.Type, err
}

func inferSplat(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("expects a number")
	}
	info, err := extents(c, 1)
	if err == nil && info.Elem != c.ArgType(0) {
		err = c.Errorf("takes an element of %s, not %s", quote(c, c.Type), quote(c, c.ArgType(0)))
	}
	return c.Type, err
}

func inferFromElements(c *ir.Call) (ir.Type, error) {
	info, err := ranked(c, "the result", c.Type)
	if err != nil {
		return 0, err
	}
	n, ok := ir.Product(info.Shape...)
	if !ok || n != int64(len(c.Args)) {
		return 0, c.Errorf("has %d elements, and %s has not so many", len(c.Args), quote(c, c.Type))
	}
	for i := range c.Args {
		if c.ArgType(i) != info.Elem {
			return 0, c.Errorf("element #%d is %s, and %s has others", i, quote(c, c.ArgType(i)), quote(c, c.Type))
		}
	}
	return c.Type, nil
}

// element checks a region that makes an element of indices.
func element(c *ir.Call, info *ir.TypeInfo) error {
	if len(c.Regions) != 1 {
		return c.Errorf("expects one region, has %d", len(c.Regions))
	}
	g := c.Graph()
	params := g.Params(c.Regions[0])
	if len(params) != len(info.Shape) || slices.ContainsFunc(params, func(p ir.Value) bool { return g.Type(p) != ir.Index }) {
		return c.Errorf("expects its region to have an argument of type 'index' for each of %d dimensions", len(info.Shape))
	}
	term := g.Term(c.Regions[0])
	if term == 0 || g.Def(term) != Yield || len(g.Args(term)) != 1 {
		return c.Errorf("expects its region to end with '%s' of one element", Yield.Name)
	}
	if t := g.Type(g.Args(term)[0]); t != info.Elem {
		return c.Errorf("has elements of type %s, and its region yields %s", quote(c, info.Elem), quote(c, t))
	}
	return nil
}

func inferGenerate(c *ir.Call) (ir.Type, error) {
	info, err := extents(c, 0)
	if err != nil {
		return 0, err
	}
	return c.Type, element(c, info)
}

// place checks an element's indices.
func place(c *ir.Call, tensor int) (*ir.TypeInfo, error) {
	info, err := operand(c, tensor, "the tensor")
	if err != nil {
		return nil, err
	}
	if n := len(c.Args) - tensor - 1; n != len(info.Shape) {
		return nil, c.Errorf("has %d indices for a tensor of rank %d", n, len(info.Shape))
	}
	return info, indices(c, c.Args[tensor+1:])
}

func inferExtract(c *ir.Call) (ir.Type, error) {
	info, err := place(c, 0)
	if err != nil {
		return 0, err
	}
	return info.Elem, nil
}

func inferInsert(c *ir.Call) (ir.Type, error) {
	info, err := place(c, 1)
	if err != nil {
		return 0, err
	}
	if c.ArgType(0) != info.Elem {
		return 0, c.Errorf("inserts %s into a tensor of %s", quote(c, c.ArgType(0)), quote(c, info.Elem))
	}
	return c.ArgType(1), nil
}

// padding are the low and high ends of a tensor.pad.
func padding(x *ir.Context, attr ir.Attr, args []ir.Value) (low, high []ir.Bound, ok bool) {
	seg := x.Ints(x.Get(attr, "operandSegmentSizes"))
	l, h := x.Ints(x.Get(attr, "static_low")), x.Ints(x.Get(attr, "static_high"))
	if len(seg) != 3 || seg[0] != 1 || int(seg[1]) != open(l) || int(seg[2]) != open(h) || len(args) != 1+open(l)+open(h) {
		return nil, nil, false
	}
	return ir.MixedBounds(l, args[1:1+seg[1]]), ir.MixedBounds(h, args[1+seg[1]:]), true
}

func inferPad(c *ir.Call) (ir.Type, error) {
	from, err := operand(c, 0, "the source")
	if err != nil {
		return 0, err
	}
	to, err := ranked(c, "the result", c.Type)
	if err != nil {
		return 0, err
	}
	low, high, ok := padding(c.Ctx(), c.Attr, c.Args)
	rank := len(from.Shape)
	if !ok || len(low) != rank || len(high) != rank || len(to.Shape) != rank || to.Elem != from.Elem {
		return 0, c.Errorf("expects what is added at both ends of %d dimensions, and a result of as many and of the source's elements", rank)
	}
	if err := indices(c, c.Args[1:]); err != nil {
		return 0, err
	}
	for d, n := range from.Shape {
		known := n != ir.Dynamic && low[d].Value == 0 && high[d].Value == 0
		switch {
		case low[d].Value == 0 && low[d].Const < 0 || high[d].Value == 0 && high[d].Const < 0:
			c.NoMeaning("adds less than nothing in dimension %d", d)
		case known && to.Shape[d] != n+low[d].Const+high[d].Const:
			return 0, c.Errorf("makes dimension %d %d long, and the type of its result says %d", d, n+low[d].Const+high[d].Const, to.Shape[d])
		}
	}
	return c.Type, element(c, to)
}

func inferConcat(c *ir.Call) (ir.Type, error) {
	first, err := operand(c, 0, "input #0")
	if err != nil {
		return 0, err
	}
	a := c.Get("dim")
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 0 || c.Ctx().AttrInfo(a).Int >= int64(len(first.Shape)) {
		return 0, c.Errorf("requires 'dim', a dimension of its inputs")
	}
	dim, shape := int(c.Ctx().AttrInfo(a).Int), slices.Clone(first.Shape)
	for i := range c.Args[1:] {
		info, err := operand(c, i+1, "an input")
		if err != nil {
			return 0, err
		}
		if len(info.Shape) != len(shape) || info.Elem != first.Elem {
			return 0, c.Errorf("takes tensors of one rank and one type of elements, not %s and %s", quote(c, c.ArgType(0)), quote(c, c.ArgType(i+1)))
		}
		for d, n := range info.Shape {
			switch {
			case d == dim && (n == ir.Dynamic || shape[d] == ir.Dynamic):
				shape[d] = ir.Dynamic
			case d == dim:
				shape[d] += n
			case shape[d] == ir.Dynamic:
				shape[d] = n
			case n != ir.Dynamic && n != shape[d]:
				return 0, c.Errorf("takes tensors that differ along dimension %d only, and dimension %d is %d and %d", dim, d, shape[d], n)
			}
		}
	}
	if c.Type != ir.NoType {
		to, err := ranked(c, "the result", c.Type)
		if err != nil {
			return 0, err
		}
		if to.Elem != first.Elem || !compatible(shape, to.Shape) {
			return 0, c.Errorf("gives %s, which %s is not", quote(c, c.Ctx().Tensor(shape, first.Elem)), quote(c, c.Type))
		}
		return c.Type, nil
	}
	return c.Ctx().Tensor(shape, first.Elem), nil
}

// compatible reports shapes that may be one.
func compatible(a, b []int64) bool {
	return len(a) == len(b) && !slices.ContainsFunc(pairs(a, b), func(p [2]int64) bool { return p[0] != p[1] && p[0] != ir.Dynamic && p[1] != ir.Dynamic })
}

func pairs(a, b []int64) (out [][2]int64) {
	for i := range a {
		out = append(out, [2]int64{a[i], b[i]})
	}
	return out
}

func inferCast(c *ir.Call) (ir.Type, error) {
	if err := count(c, 1); err != nil {
		return 0, err
	}
	from, err := anyRank(c, "the source", c.ArgType(0))
	if err != nil {
		return 0, err
	}
	to, err := anyRank(c, "the result", c.Type)
	if err == nil && (from.Elem != to.Elem || !from.Unranked && !to.Unranked && !compatible(from.Shape, to.Shape)) {
		err = c.Errorf("casts %s to %s, which no tensor is as well", quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	return c.Type, err
}

func inferDim(c *ir.Call) (ir.Type, error) {
	if err := count(c, 2); err != nil {
		return 0, err
	}
	if _, err := anyRank(c, "the source", c.ArgType(0)); err != nil {
		return 0, err
	}
	return ir.Index, indices(c, c.Args[1:])
}

func inferRank(c *ir.Call) (ir.Type, error) {
	if err := count(c, 1); err != nil {
		return 0, err
	}
	_, err := anyRank(c, "the tensor", c.ArgType(0))
	return ir.Index, err
}

// Groups reads [[0, 1], [2]]: which neighbouring dimensions of the large shape are one of the small.
func groups(x *ir.Context, a ir.Attr, large int) (out [][]int, ok bool) {
	if a == 0 || x.KindOf(a) != ir.AttrArray {
		return nil, false
	}
	next := 0
	for _, g := range x.AttrInfo(a).List {
		if x.KindOf(g) != ir.AttrArray || len(x.AttrInfo(g).List) == 0 {
			return nil, false
		}
		var group []int
		for _, d := range x.AttrInfo(g).List {
			if x.KindOf(d) != ir.AttrInt || x.AttrInfo(d).Int != int64(next) {
				return nil, false
			}
			group = append(group, next)
			next++
		}
		out = append(out, group)
	}
	return out, next == large || len(out) == 0
}

// regroup checks that the small shape is the large one with groups of dimensions joined.
func regroup(c *ir.Call, small, large *ir.TypeInfo) error {
	gs, ok := groups(c.Ctx(), c.Get("reassociation"), len(large.Shape))
	if !ok || len(gs) != len(small.Shape) {
		return c.Errorf("requires 'reassociation' to list for each of %d dimensions which of 0 to %d it is, in order", len(small.Shape), len(large.Shape)-1)
	}
	if small.Elem != large.Elem {
		return c.Errorf("changes the type of elements")
	}
	if len(gs) == 0 {
		if n, ok := ir.Product(large.Shape...); !ok || n != 1 {
			return c.Errorf("joins dimensions to none that are not all 1")
		}
	}
	for d, g := range gs {
		n, known := int64(1), true
		for _, k := range g {
			if large.Shape[k] == ir.Dynamic {
				known = false
			} else {
				n = ir.Times(n, large.Shape[k])
			}
		}
		switch {
		case known && small.Shape[d] != n:
			return c.Errorf("expects dimension %d of the collapsed type to be %d, the product of what it is", d, n)
		case !known && small.Shape[d] != ir.Dynamic:
			return c.Errorf("expects dimension %d of the collapsed type to be '?', as what it is is not known", d)
		}
	}
	return nil
}

func inferExpandShape(c *ir.Call) (ir.Type, error) {
	small, err := operand(c, 0, "the source")
	if err != nil {
		return 0, err
	}
	large, err := ranked(c, "the result", c.Type)
	if err != nil {
		return 0, err
	}
	switch shape := c.Ctx().Ints(c.Get("static_output_shape")); {
	case len(shape) != len(large.Shape) || open(shape) != len(c.Args)-1:
		return 0, c.Errorf("expects 'output_shape' to be the shape of the result, with an operand for each '?'")
	case !slices.Equal(shape, large.Shape):
		c.NoMeaning("has another 'output_shape' than %s", quote(c, c.Type))
	}
	if err := indices(c, c.Args[1:]); err != nil {
		return 0, err
	}
	return c.Type, regroup(c, small, large)
}

func inferCollapseShape(c *ir.Call) (ir.Type, error) {
	large, err := operand(c, 0, "the source")
	if err != nil {
		return 0, err
	}
	small, err := ranked(c, "the result", c.Type)
	if err != nil {
		return 0, err
	}
	return c.Type, regroup(c, small, large)
}

func inferReshape(c *ir.Call) (ir.Type, error) {
	if err := count(c, 2); err != nil {
		return 0, err
	}
	from, err := anyRank(c, "the source", c.ArgType(0))
	if err != nil {
		return 0, err
	}
	shape, err := operand(c, 1, "the shape")
	if err != nil {
		return 0, err
	}
	to, err := anyRank(c, "the result", c.Type)
	switch {
	case err != nil:
		return 0, err
	case len(shape.Shape) != 1 || !c.Ctx().IsInt(shape.Elem):
		return 0, c.Errorf("expects a shape of integers, not %s", quote(c, c.ArgType(1)))
	case !to.Unranked && shape.Shape[0] != int64(len(to.Shape)):
		return 0, c.Errorf("expects a shape of %d integers, not %s", len(to.Shape), quote(c, c.ArgType(1)))
	}
	n, ok := ir.Product(from.Shape...)
	k, also := ir.Product(to.Shape...)
	if from.Elem != to.Elem || !from.Unranked && !to.Unranked && ok && also && n != k {
		return 0, c.Errorf("makes of %s %s, which has other elements", quote(c, c.ArgType(0)), quote(c, c.Type))
	}
	return c.Type, nil
}
