package vector

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
)

const iteratorPrefix = "vector.iterator_type<"

// iterators reads the property iterator_types; ok is false if it is none.
func iterators(c *ir.Context, a ir.Attr) (reduction []bool, ok bool) {
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrArray {
		return nil, false
	}
	for _, e := range c.AttrInfo(a).List {
		switch info := c.AttrInfo(e); {
		case info.Kind != ir.AttrOpaque:
			return nil, false
		case info.Str == iteratorPrefix+"reduction>":
			reduction = append(reduction, true)
		case info.Str == iteratorPrefix+"parallel>":
			reduction = append(reduction, false)
		default:
			return nil, false
		}
	}
	return reduction, true
}

// dimsOf lists the dimensions that a map gives; ok is false unless it gives dimensions alone, each
// once.
func dimsOf(m *expr.Map) (dims []int, ok bool) {
	for _, e := range m.Results {
		if e.Op != expr.OpDim || slices.Contains(dims, int(e.N)) {
			return nil, false
		}
		dims = append(dims, int(e.N))
	}
	return dims, true
}

// A contraction is what the attributes of vector.contract say.
type contraction struct {
	*space
	lhs, rhs []int // dimensions of the operands
}

func contractionOf(c *ir.Context, attr ir.Attr, lhs, rhs ir.Type) *contraction {
	reduction, _ := iterators(c, c.Get(attr, "iterator_types"))
	maps := c.AttrInfo(c.Get(attr, "indexing_maps")).List
	x := &contraction{space: &space{extents: make([]int64, len(reduction))}}
	x.lhs, _ = dimsOf(expr.MapOf(c, maps[0]))
	x.rhs, _ = dimsOf(expr.MapOf(c, maps[1]))
	x.parallel, _ = dimsOf(expr.MapOf(c, maps[2]))
	for i, d := range x.lhs {
		x.extents[d] = c.Info(lhs).Shape[i]
	}
	for i, d := range x.rhs {
		x.extents[d] = c.Info(rhs).Shape[i]
	}
	for d, yes := range reduction {
		if yes || !slices.Contains(x.parallel, d) {
			x.whole = append(x.whole, d)
		}
	}
	return x
}

func inferContract(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	reduction, ok := iterators(x, c.Get("iterator_types"))
	if !ok {
		return 0, c.Errorf("requires attribute 'iterator_types', a list of \"parallel\" and \"reduction\"")
	}
	maps := c.Get("indexing_maps")
	if maps == 0 || x.AttrInfo(maps).Kind != ir.AttrArray || len(x.AttrInfo(maps).List) != 3 {
		return 0, c.Errorf("expected an indexing map for each vector operand")
	}
	extents := make([]int64, len(reduction))
	used := make([]bool, len(reduction))
	for i, a := range x.AttrInfo(maps).List {
		if x.AttrInfo(a).Kind != ir.AttrMap {
			return 0, c.Errorf("expected an indexing map for each vector operand")
		}
		m := expr.MapOf(x, a)
		dims, ok := dimsOf(m)
		shape := shapeOf(x, c.ArgType(i))
		switch {
		case !ok || m.Syms != 0:
			return 0, c.Errorf("expected indexing map %d to be a projected permutation of its inputs", i)
		case m.Dims != len(reduction):
			return 0, c.Errorf("expected indexing map %d to have %d number of inputs", i, len(reduction))
		case len(dims) != len(shape):
			return 0, c.Errorf("expected indexing map %d to have %d number of outputs, as operand #%d is %s", i, len(shape), i, quote(c, c.ArgType(i)))
		case i < 2 && x.Info(c.ArgType(i)).Kind != ir.KindVector:
			return 0, c.Errorf("operand #%d must be a vector, but is %s", i, quote(c, c.ArgType(i)))
		}
		for k, d := range dims {
			if i == 2 && reduction[d] {
				return 0, c.Errorf("invalid accumulator/result vector shape, expected: dimension %d is reduced and has no place in it", d)
			}
			if used[d] && extents[d] != shape[k] {
				return 0, c.Errorf("invalid contracting dimension map: dimension %d is both %d and %d", d, extents[d], shape[k])
			}
			if i == 2 && !used[d] {
				return 0, c.Errorf("dimension %d of its result is one of neither factor", d)
			}
			used[d], extents[d] = true, shape[k]
		}
	}
	for d, yes := range used {
		if !yes {
			return 0, c.Errorf("expected all dimensions to be either a LHS or a RHS dimension: dimension %d is not", d)
		}
	}
	return c.ArgType(2), checkContracted(c, reduction, extents)
}

// checkContracted checks that the accumulator has all parallel dimensions, but for such of extent 1,
// and the types of elements.
func checkContracted(c *ir.Call, reduction []bool, extents []int64) error {
	x := c.Ctx()
	kept, _ := dimsOf(expr.MapOf(x, x.AttrInfo(c.Get("indexing_maps")).List[2]))
	parallel := 0
	for d, r := range reduction {
		if !r && (extents[d] != 1 || slices.Contains(kept, d)) {
			parallel++
		}
	}
	if n := len(shapeOf(x, c.ArgType(2))); n != parallel {
		return c.Errorf("invalid accumulator/result vector shape, expected: %d dimensions are parallel, and it has %d", parallel, n)
	}
	elem := x.ElemOrSelf(c.ArgType(2))
	for i := range 2 {
		from := x.ElemOrSelf(c.ArgType(i))
		if from != elem && (x.IsFloat(from) != x.IsFloat(elem) || x.Info(from).Width >= x.Info(elem).Width || from == ir.Index) {
			return c.Errorf("factor #%d has elements of type %s, which do not widen to %s", i, quote(c, from), quote(c, elem))
		}
	}
	return checkKind(c, elem)
}

func evalContract(c *ir.Call, args []ir.Val) (ir.Val, error) { return contractMasked(c, args, nil) }

// contractMasked is a contraction of the points that a mask leaves; nil leaves all.
func contractMasked(c *ir.Call, args []ir.Val, mask ir.Vector) (ir.Val, error) {
	x := c.Ctx()
	n, err := lanesEach(c, c.ArgType(0), c.ArgType(1), c.ArgType(2))
	if err != nil {
		return ir.Val{}, err
	}
	s, k := contractionOf(x, c.Attr, c.ArgType(0), c.ArgType(1)), kindOf(x, c.Attr)
	elem := x.ElemOrSelf(c.ArgType(2))
	lhs, rhs := widened(x, c.ArgType(0), elem, lanesOf(args[0], n[0])), widened(x, c.ArgType(1), elem, lanesOf(args[1], n[1]))
	if product(s.extents) > maxPoints {
		return ir.Val{}, tooLong
	}
	at := s.at()
	return s.fold(x, c.Type, args[2], func(acc ir.Val, point int) (ir.Val, error) {
		l, r := at(point)
		return k.contracted(x, elem, acc, lhs[l], rhs[r])
	}, mask)
}

// maxPoints bounds the products of a contraction.
const maxPoints = 1 << 24

// at finds the lanes of both factors at a point of the space.
func (s *contraction) at() func(point int) (lhs, rhs int) {
	all := stridesOf(s.extents)
	l, r := stridesOf(pick(s.extents, s.lhs)), stridesOf(pick(s.extents, s.rhs))
	return func(point int) (lhs, rhs int) {
		for i, d := range s.lhs {
			lhs += point / all[d] % int(s.extents[d]) * l[i]
		}
		for i, d := range s.rhs {
			rhs += point / all[d] % int(s.extents[d]) * r[i]
		}
		return lhs, rhs
	}
}

// widened makes lanes those of a wider type, with their sign.
func widened(c *ir.Context, t, to ir.Type, lanes ir.Vector) ir.Vector {
	from := c.ElemOrSelf(t)
	if from == to {
		return lanes
	}
	out := make(ir.Vector, len(lanes))
	for i, x := range lanes {
		switch {
		case x.Ref != nil:
			out[i] = x
		case c.IsFloat(to):
			out[i] = ir.FloatVal(x.Float(from), to)
		default:
			out[i] = ir.IntVal(x.Int(c.Info(from).Width), c.Info(to).Width)
		}
	}
	return out
}

func inferOuterProduct(c *ir.Call) (ir.Type, error) {
	lhs, err := vectorAt(c, 2, 3, "operand #0", 0)
	if err != nil {
		return 0, err
	}
	x := c.Ctx()
	if len(lhs.Shape) != 1 {
		return 0, c.Errorf("expected 1-d vector for operand #1, not %s", quote(c, c.ArgType(0)))
	}
	if x.ElemOrSelf(c.ArgType(1)) != lhs.Elem {
		return 0, c.Errorf("multiplies elements of type %s and %s", quote(c, lhs.Elem), quote(c, x.ElemOrSelf(c.ArgType(1))))
	}
	t := c.ArgType(0)
	if rhs := x.Info(c.ArgType(1)); rhs.Kind == ir.KindVector {
		if len(rhs.Shape) != 1 {
			return 0, c.Errorf("expected 1-d vector for operand #2, not %s", quote(c, c.ArgType(1)))
		}
		both := ir.TypeInfo{Kind: ir.KindVector, Elem: lhs.Elem, Shape: []int64{lhs.Shape[0], rhs.Shape[0]}}
		if scales(lhs)+scales(rhs) > 0 {
			both.Scalable = []bool{scales(lhs) > 0, scales(rhs) > 0}
		}
		t = x.Type(both)
	}
	if len(c.Args) == 3 && c.ArgType(2) != t {
		return 0, c.Errorf("expected operand #3 of same type as result type: %s and %s", quote(c, c.ArgType(2)), quote(c, t))
	}
	return t, checkKind(c, lhs.Elem)
}

func evalOuterProduct(c *ir.Call, args []ir.Val) (ir.Val, error) { return outerMasked(c, args, nil) }

// outerMasked is an outer product; without an accumulator a mask leaves nothing out.
func outerMasked(c *ir.Call, args []ir.Val, mask ir.Vector) (ir.Val, error) {
	x := c.Ctx()
	n, err := lanesEach(c, c.ArgType(0), c.ArgType(1), c.Type)
	if err != nil {
		return ir.Val{}, err
	}
	lhs, rhs, out := lanesOf(args[0], n[0]), lanesOf(args[1], n[1]), make(ir.Vector, n[2])
	var acc ir.Vector
	if len(args) == 3 {
		acc = lanesOf(args[2], n[2])
	}
	k, elem := kindOf(x, c.Attr), x.ElemOrSelf(c.Type)
	for i := range out {
		l, r := lhs[i/n[1]], rhs[i%n[1]]
		var err error
		switch {
		case acc == nil:
			out[i], err = kinds[1].combine(x, elem, l, r)
		case mask != nil && mask[i].Ref != nil:
			out[i] = elementwise.Poisoned
		case mask != nil && !mask[i].Bool():
			out[i] = acc[i]
		default:
			out[i], err = k.contracted(x, elem, acc[i], l, r)
		}
		if err != nil {
			return ir.Val{}, err
		}
	}
	return ir.Val{Ref: out}, nil
}

// parseContract reads `{indexing_maps = ..., iterator_types = ["parallel", ...], kind = ...} %x, %y, %z`.
func parseContract(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	at := p.At()
	p.AliasedDict(op)
	if a := op.Prop("iterator_types"); a != 0 && c.AttrInfo(a).Kind == ir.AttrArray {
		var list []ir.Attr
		for _, e := range c.AttrInfo(a).List {
			if word := c.AttrInfo(e).Str; c.AttrInfo(e).Kind == ir.AttrString {
				if word != "parallel" && word != "reduction" {
					p.Errorf(at, "unexpected iterator type '%s': there are parallel and reduction", word)
				}
				e = c.OpaqueAttr(iteratorPrefix + word + ">")
			}
			list = append(list, e)
		}
		op.SetProp("iterator_types", c.ArrayAttr(list...))
	}
	defaultKind(p, op)
	op.Args = []ir.Value{p.Operand()}
	for range 2 {
		p.Expect(",")
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	ts := p.ColonTypes()
	p.Expect("into")
	result := p.Type()
	if len(ts) == 3 && ts[2] == result {
		ts = ts[:2] // that of the accumulator may be said twice
	}
	p.CheckTypes(op.Args, append(ts, result))
}

func defaultKind(p *text.Parser, op *text.Op) {
	if op.Prop("kind") == 0 {
		op.SetProp("kind", kindAttr(p.Ctx(), "add"))
	}
}

func printContract(p *text.Printer, v ir.Value) {
	g, c := p.Graph(), p.Ctx()
	args := g.Args(v)
	var words []ir.Attr
	for _, e := range c.AttrInfo(p.Prop(v, "iterator_types")).List {
		words = append(words, c.StringAttr(strings.TrimSuffix(strings.TrimPrefix(c.AttrInfo(e).Str, iteratorPrefix), ">")))
	}
	p.Str(" ")
	p.Attr(c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: []ir.NamedAttr{
		{Name: "indexing_maps", Value: p.Prop(v, "indexing_maps")},
		{Name: "iterator_types", Value: c.ArrayAttr(words...)},
		{Name: "kind", Value: p.Prop(v, "kind")}}}))
	p.Str(" ")
	p.Values(args)
	p.AttrDict(v, Contract.Attrs...)
	p.Str(" : ")
	p.Types([]ir.Type{g.Type(args[0]), g.Type(args[1])})
	p.Str(" into ")
	p.Type(g.Type(v))
}

func parseOuterProduct(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	p.Expect(",")
	op.Args = append(op.Args, p.Operand())
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
	}
	p.AttrDict(op)
	defaultKind(p, op)
	p.CheckTypes(op.Args[:2], p.ColonTypes())
}

// printOuterProduct writes the kind only where there is something to combine with.
func printOuterProduct(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args := g.Args(v)
	p.Str(" ")
	p.Values(args)
	if k := kindOf(p.Ctx(), g.AttrsOf(v)); len(args) == 2 || k != nil && k.name == "add" {
		p.AttrDict(v, "kind")
	} else {
		p.AttrDict(v)
	}
	p.Str(" : ")
	p.Types([]ir.Type{g.Type(args[0]), g.Type(args[1])})
}
