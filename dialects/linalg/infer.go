package linalg

import (
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

func quote(c *ir.Context, t ir.Type) string { return elementwise.Quote(c, t) }

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}

func (f form) inferSegmented(c *ir.Call) (ir.Type, error) {
	if _, err := c.Segments(2); err != nil {
		return 0, err
	}
	return f.infer(c)
}

func (n *namedOp) infer(c *ir.Call) (ir.Type, error) {
	segments, err := c.Segments(2)
	if err != nil {
		return 0, err
	}
	want := len(n.space().operands) - 1
	if len(segments[0]) != want || len(segments[1]) != 1 {
		return 0, c.Errorf("takes %d inputs and one output, not %d and %d", want, len(segments[0]), len(segments[1]))
	}
	if err := n.checkAttrs(c); err != nil {
		return 0, err
	}
	if want == 1 && len(n.space().operands[0]) == 0 && shaped(c.Ctx(), c.ArgType(0)) {
		return 0, c.Errorf("sets elements to a number, not to %s", quote(c.Ctx(), c.ArgType(0)))
	}
	t, err := form(n.structure).infer(c)
	if err == nil && foreign(c.Graph(), c.Regions[0]) {
		c.NoMeaning("computes with elements of type %s", quote(c.Ctx(), elemOf(c.Ctx(), c.ArgType(0))))
	}
	return t, err
}

// functions are the words of the attribute fun, by the number of inputs.
var functions = [][]string{
	1: {"exp", "log", "abs", "ceil", "floor", "negf", "reciprocal", "round", "sqrt", "rsqrt", "square", "tanh", "erf"},
	2: {"add", "sub", "mul", "div", "div_unsigned", "max_signed", "min_signed", "max_unsigned", "min_unsigned", "powf"},
}

// checkAttrs checks the attributes cast and fun.
func (n *namedOp) checkAttrs(c *ir.Call) error {
	if a := c.Get("cast"); a != 0 && !isEnum(c.Ctx(), a, "linalg.type_fn", "cast_signed", "cast_unsigned") {
		return c.Errorf("requires 'cast' to be #linalg.type_fn<cast_signed> or #linalg.type_fn<cast_unsigned>")
	}
	inputs := len(n.space().operands) - 1
	if a := c.Get("fun"); a != 0 {
		prefix := []string{1: "linalg.unary_fn", 2: "linalg.binary_fn"}[inputs]
		if !isEnum(c.Ctx(), a, prefix, functions[inputs]...) {
			return c.Errorf("requires 'fun' to be a function of #%s, such as #%s<%s>", prefix, prefix, functions[inputs][0])
		}
	}
	return nil
}

func isEnum(c *ir.Context, a ir.Attr, prefix string, words ...string) bool {
	if c.KindOf(a) != ir.AttrOpaque {
		return false
	}
	return slices.ContainsFunc(words, func(w string) bool { return c.AttrInfo(a).Str == prefix+"<"+w+">" })
}

// infer checks an op that has a structure: its operands, the extents of its loops and its region.
func (f form) infer(c *ir.Call) (ir.Type, error) {
	x, types := c.Ctx(), typesOf(c.Graph(), c.Args)
	s, err := f(x, c.Attr, types)
	if err != nil {
		return 0, c.Errorf("%v", err)
	}
	if s.Outputs() == 0 {
		return 0, c.Errorf("expects at least one output")
	}
	results, err := checkOperands(c, s, types)
	if err != nil {
		return 0, err
	}
	if err := checkExtents(c, s, types); err != nil {
		return 0, err
	}
	return x.Multi(results...), checkBody(c, s, types)
}

// checkOperands checks kinds and ranks, and gives the types of the results: those of outputs that are tensors.
func checkOperands(c *ir.Call, s *Structure, types []ir.Type) (results []ir.Type, err error) {
	x := c.Ctx()
	var kind ir.TypeKind
	for i, t := range types {
		info := x.Info(t)
		switch {
		case shaped(x, t) && info.Unranked:
			return nil, c.Errorf("operand #%d must have a rank, and is %s", i, quote(x, t))
		case shaped(x, t) && kind != 0 && info.Kind != kind:
			return nil, c.Errorf("works on memrefs or on tensors, and has both: operand #%d is %s", i, quote(x, t))
		case i >= s.Inputs && !shaped(x, t):
			return nil, c.Errorf("output #%d must be a memref or a tensor, not %s", i-s.Inputs, quote(x, t))
		case len(s.Maps[i].Results) != rankOf(x, t):
			return nil, c.Errorf("expected operand #%d to have rank %d, as its indexing map has results, not %s", i, len(s.Maps[i].Results), quote(x, t))
		}
		if shaped(x, t) {
			kind = info.Kind
		}
		if i >= s.Inputs && info.Kind == ir.KindTensor {
			results = append(results, t)
		}
	}
	return results, nil
}

// checkExtents compares what the shapes say of each loop.
func checkExtents(c *ir.Call, s *Structure, types []ir.Type) error {
	from, missing := s.Extents()
	if missing >= 0 {
		return c.Errorf("has no operand whose extent is that of loop %d: the loop alone is the subscript of none", missing)
	}
	x := c.Ctx()
	last := make([]int64, len(from)) // the last index of each loop, or Dynamic
	for d, p := range from {
		if last[d] = shapeOf(x, types[p.operand])[p.dim]; last[d] != ir.Dynamic {
			last[d]--
		}
	}
	for i, m := range s.Maps {
		for d, n := range shapeOf(x, types[i]) {
			if n == ir.Dynamic {
				continue
			}
			low, high, ok := bounds(m.Results[d], last)
			switch e := m.Results[d]; {
			case !ok:
			case e.Op == expr.OpDim && high+1 != n:
				p := from[e.N]
				return c.Errorf("inferred operand #%d has shape's dimension #%d to be %d, as dimension #%d of operand #%d is, but found %d", i, d, high+1, p.dim, p.operand, n)
			case low < 0:
				return c.Errorf("reads operand #%d at %d in dimension #%d: a subscript is never negative", i, low, d)
			case high >= n:
				return c.Errorf("inferred operand #%d has shape's dimension #%d to be at least %d, but found %d", i, d, high+1, n)
			}
		}
	}
	return nil
}

// bounds are what a subscript is at least and at most for loops with these last indices. ok is false where it is not
// known, or where a loop never runs.
func bounds(e *expr.Expr, last []int64) (low, high int64, ok bool) {
	used := make([]bool, len(last))
	e.Uses(used, nil)
	zeros, ends := make([]int64, len(last)), make([]int64, len(last))
	for d, n := range last {
		if used[d] && (n == ir.Dynamic || n < 0 || n > math.MaxInt32) {
			if e.Op == expr.OpDim && n != ir.Dynamic {
				return 0, n, true
			}
			return 0, 0, false
		}
		ends[d] = max(n, 0)
	}
	if low, ok = corner(e, zeros, ends, true); !ok {
		return 0, 0, false
	}
	high, ok = corner(e, zeros, ends, false)
	return low, high, ok
}

// corner is the least or the greatest of a linear expression in a box.
func corner(e *expr.Expr, low, high []int64, least bool) (int64, bool) {
	switch e.Op {
	case expr.OpConst:
		return e.N, true
	case expr.OpDim:
		if least {
			return low[e.N], true
		}
		return high[e.N], true
	case expr.OpAdd:
		l, ok := corner(e.L, low, high, least)
		r, also := corner(e.R, low, high, least)
		return l + r, ok && also
	case expr.OpMul:
		if !e.R.IsConst() {
			return 0, false
		}
		l, ok := corner(e.L, low, high, least == (e.R.N >= 0))
		if ok && (l > math.MaxInt32 || e.R.N > math.MaxInt32 || l < -math.MaxInt32 || e.R.N < -math.MaxInt32) {
			return 0, false
		}
		return l * e.R.N, ok
	}
	return 0, false
}

// checkBody checks the region against the operands' elements.
func checkBody(c *ir.Call, s *Structure, types []ir.Type) error {
	if len(c.Regions) != 1 {
		return c.Errorf("expects one region, has %d", len(c.Regions))
	}
	x, g, body := c.Ctx(), c.Graph(), c.Regions[0]
	params := g.Params(body)
	if len(params) != s.Args {
		return c.Errorf("expects its region to have %d arguments, an element of each operand, not %d", s.Args, len(params))
	}
	for i, p := range params {
		if have, want := g.Type(p), elemOf(x, types[i]); have != want {
			return c.Errorf("expected argument #%d of its region to be %s, an element of operand #%d, not %s", i, quote(x, want), i, quote(x, have))
		}
	}
	term := g.Term(body)
	if term == 0 || g.Def(term) != Yield {
		return c.Errorf("expects its region to end with '%s'", Yield.Name)
	}
	ys := g.Yields(body)
	if len(ys) != s.Outputs() {
		return at(g, term, c.Errorf("expects its region to yield %d values, one for each output, not %d", s.Outputs(), len(ys)))
	}
	for i, y := range ys {
		if have, want := g.Type(y), elemOf(x, types[s.Inputs+i]); have != want {
			return at(g, term, c.Errorf("yields %s for output #%d, whose elements are %s", quote(x, have), i, quote(x, want)))
		}
	}
	return checkIndices(c, g, body, len(s.Reduction))
}

// at gives an error the place of an op of the body.
func at(g *ir.Graph, v ir.Value, err error) error {
	if e, ok := err.(*ir.OpError); ok {
		if locs := g.LocsOf(v); len(locs) > 0 {
			e.Loc = locs[0]
		}
	}
	return err
}

// checkIndices checks that linalg.index names a loop that there is, in a region and those in it that are of no op like this.
func checkIndices(c *ir.Call, g *ir.Graph, r ir.Region, loops int) error {
	for _, v := range g.Members(r) {
		if !g.IsOp(v) {
			continue
		}
		if g.Def(v) == Index {
			if d := dimOf(g, v); d >= int64(loops) {
				return at(g, v, c.Errorf("has %d loops, and 'linalg.index' in it asks for number %d", loops, d))
			}
		}
		for _, in := range g.Regions(v) {
			if t := g.Term(in); t != 0 && g.Def(t) == Yield || len(g.Children(v)) > 0 {
				continue
			}
			if err := checkIndices(c, g, in, loops); err != nil {
				return err
			}
		}
	}
	return nil
}

func dimOf(g *ir.Graph, v ir.Value) int64 { return g.Ctx.AttrInfo(g.Attr(v, "dim")).Int }

func inferIndex(c *ir.Call) (ir.Type, error) {
	a := c.Get("dim")
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrInt || c.Ctx().AttrInfo(a).Int < 0 {
		return 0, c.Errorf("requires 'dim', the number of a loop, from 0")
	}
	if len(c.Args) > 0 {
		return 0, c.Errorf("takes no operands")
	}
	return ir.Index, nil
}

// effects: inputs are read, outputs are read and written.
func (f form) effects(c *ir.Call) (out []ir.Effect) {
	s, err := f(c.Ctx(), c.Attr, typesOf(c.Graph(), c.Args))
	if err != nil {
		return nil
	}
	for i, v := range c.Args {
		if c.Ctx().Info(c.ArgType(i)).Kind != ir.KindMemRef {
			continue
		}
		e := ir.Effect{Kind: ir.Read, On: c.Builder().ResourceOf(v)}
		if i >= s.Inputs {
			e.Kind = ir.Write
		}
		found := false
		for k := range out {
			if out[k].On == e.On {
				out[k].Kind, found = max(out[k].Kind, e.Kind), true
			}
		}
		if !found {
			out = append(out, e)
		}
	}
	return out
}

// traps: with static shapes all accesses are within them, so an op traps only where memory may be gone or less than its type says,
// or where its region does.
func (f form) traps(c *ir.Call) bool {
	x := c.Ctx()
	s, err := f(x, c.Attr, typesOf(c.Graph(), c.Args))
	if err != nil {
		return true
	}
	for i := range c.Args {
		info := x.Info(c.ArgType(i))
		for d, n := range shapeOf(x, c.ArgType(i)) {
			if e := s.Maps[i].Results[d]; n == ir.Dynamic || !linear(e) {
				return true
			}
		}
		if info.Kind == ir.KindMemRef && !memref.Accessible(c, i) {
			return true
		}
	}
	return false
}

// linear reports a subscript that checkExtents has bounded.
func linear(e *expr.Expr) bool {
	switch e.Op {
	case expr.OpConst, expr.OpDim:
		return true
	case expr.OpAdd:
		return linear(e.L) && linear(e.R)
	case expr.OpMul:
		return linear(e.L) && e.R.IsConst() && e.R.N <= math.MaxInt32
	}
	return false
}
