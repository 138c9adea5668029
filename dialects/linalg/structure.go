package linalg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// A Structure is what all these ops are: loops from zero up, a map from the loops to the subscripts of each operand, and a
// region that makes of one element of each what the outputs' elements become.
type Structure struct {
	Maps      []*expr.Map // of each operand, inputs first
	Reduction []bool      // of each loop: that it is one; else it is parallel
	Inputs    int         // how many operands are inputs
	Args      int         // of how many operands the region gets an element: all, but for linalg.map the inputs
}

// Outputs is how many operands are outputs.
func (s *Structure) Outputs() int { return len(s.Maps) - s.Inputs }

const iteratorPrefix = "linalg.iterator_type<"

// A form makes the structure of an op with operands of some types. The error says what an attribute lacks; of types it
// is only the ranks that it asks for.
type form func(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error)

// StructureOf is that of an op of the graph.
func StructureOf(g *ir.Graph, v ir.Value) (*Structure, error) {
	f := forms[g.Def(v)]
	if f == nil {
		return nil, fmt.Errorf("is not a structured op")
	}
	return f(g.Ctx, g.AttrsOf(v), typesOf(g, g.Args(v)))
}

func (n *namedOp) structure(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error) {
	if len(types) != len(n.space().operands) {
		return nil, fmt.Errorf("takes %d inputs and one output, not %d operands", len(n.space().operands)-1, len(types))
	}
	w := n.space().windows()
	strides, ok := window(c, c.Get(attr, "strides"), w)
	if !ok {
		return nil, fmt.Errorf("requires 'strides' to be %d positive numbers: dense<1> : tensor<%dxi64>", w, w)
	}
	dilations, ok := window(c, c.Get(attr, "dilations"), w)
	if !ok {
		return nil, fmt.Errorf("requires 'dilations' to be %d positive numbers: dense<1> : tensor<%dxi64>", w, w)
	}
	ranks := lists.Map(types, func(t ir.Type) int { return rankOf(c, t) })
	return n.space().structure(ranks, strides, dilations), nil
}

// Iterators reads the attribute iterator_types.
func Iterators(c *ir.Context, a ir.Attr) (reduction []bool, ok bool) {
	if a == 0 || c.KindOf(a) != ir.AttrArray {
		return nil, false
	}
	for _, e := range c.AttrInfo(a).List {
		word, opaque := strings.CutPrefix(c.AttrInfo(e).Str, iteratorPrefix)
		switch {
		case c.KindOf(e) != ir.AttrOpaque || !opaque:
			return nil, false
		case word == "reduction>":
			reduction = append(reduction, true)
		case word == "parallel>":
			reduction = append(reduction, false)
		default:
			return nil, false
		}
	}
	return reduction, true
}

func genericStructure(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error) {
	n := len(types)
	reduction, ok := Iterators(c, c.Get(attr, "iterator_types"))
	if !ok {
		return nil, fmt.Errorf(`requires 'iterator_types', a list of "parallel" and "reduction"`)
	}
	maps := c.Get(attr, "indexing_maps")
	if maps == 0 || c.KindOf(maps) != ir.AttrArray || len(c.AttrInfo(maps).List) != n {
		return nil, fmt.Errorf("expected the number of indexing maps to be that of the operands, %d", n)
	}
	s := &Structure{Reduction: reduction, Inputs: n, Args: n}
	if seg := c.Ints(c.Get(attr, "operandSegmentSizes")); len(seg) == 2 {
		s.Inputs = int(seg[0])
	}
	for i, a := range c.AttrInfo(maps).List {
		m := expr.MapOf(c, a)
		switch {
		case m == nil:
			return nil, fmt.Errorf("expected indexing map #%d to be an affine map", i)
		case m.Syms != 0:
			return nil, fmt.Errorf("unexpected symbols in indexing map #%d", i)
		case m.Dims != len(reduction):
			return nil, fmt.Errorf("expected indexing map #%d to have %d dimensions to match the number of loops, not %d", i, len(reduction), m.Dims)
		}
		s.Maps = append(s.Maps, m)
	}
	return s, nil
}

func mapStructure(c *ir.Context, _ ir.Attr, types []ir.Type) (*Structure, error) {
	if len(types) == 0 {
		return nil, fmt.Errorf("needs an init")
	}
	rank := rankOf(c, types[len(types)-1])
	s := &Structure{Reduction: make([]bool, rank), Inputs: len(types) - 1, Args: len(types) - 1}
	for range types {
		s.Maps = append(s.Maps, expr.Identity(rank))
	}
	return s, nil
}

// without is a map of so many dimensions to those that are not listed.
func without(rank int, dims []int64) *expr.Map {
	m := &expr.Map{Dims: rank}
	for d := range rank {
		if !slices.Contains(dims, int64(d)) {
			m.Results = append(m.Results, expr.Dim(d))
		}
	}
	return m
}

// dimensions reads an increasing list of dimensions, all below rank.
func dimensions(c *ir.Context, attr ir.Attr, rank int) ([]int64, error) {
	a := c.Get(attr, "dimensions")
	if a == 0 || c.KindOf(a) != ir.AttrDenseArray {
		return nil, fmt.Errorf("requires 'dimensions', a list of numbers")
	}
	dims := c.Ints(a)
	for i, d := range dims {
		if d < 0 || d >= int64(rank) {
			return nil, fmt.Errorf("has a dimension %d, which is not in the range 0 to %d", d, rank-1)
		}
		if i > 0 && d <= dims[i-1] {
			return nil, fmt.Errorf("requires its dimensions to be in increasing order, each once")
		}
	}
	return dims, nil
}

func reduceStructure(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error) {
	n := len(types) / 2
	if n == 0 || len(types)%2 != 0 {
		return nil, fmt.Errorf("takes as many inits as inputs, at least one")
	}
	rank := rankOf(c, types[0])
	dims, err := dimensions(c, attr, rank)
	if err != nil {
		return nil, err
	}
	s := &Structure{Reduction: make([]bool, rank), Inputs: n, Args: 2 * n}
	for _, d := range dims {
		s.Reduction[d] = true
	}
	for i := range types {
		if i < n {
			s.Maps = append(s.Maps, expr.Identity(rank))
		} else {
			s.Maps = append(s.Maps, without(rank, dims))
		}
	}
	return s, nil
}

func transposeStructure(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error) {
	if len(types) != 2 {
		return nil, fmt.Errorf("takes an input and an init")
	}
	a, rank := c.Get(attr, "permutation"), rankOf(c, types[1])
	if a == 0 || c.KindOf(a) != ir.AttrDenseArray {
		return nil, fmt.Errorf("requires 'permutation', a list of numbers")
	}
	perm := c.Ints(a)
	if len(perm) != rank {
		return nil, fmt.Errorf("has a permutation of %d dimensions, and the init has %d", len(perm), rank)
	}
	in := &expr.Map{Dims: rank, Results: make([]*expr.Expr, rank)}
	for d, p := range perm {
		if p < 0 || p >= int64(rank) || in.Results[p] != nil {
			return nil, fmt.Errorf("has a permutation that does not name each of 0 to %d once", rank-1)
		}
		in.Results[p] = expr.Dim(d)
	}
	return &Structure{Maps: []*expr.Map{in, expr.Identity(rank)}, Reduction: make([]bool, rank), Inputs: 1, Args: 2}, nil
}

func broadcastStructure(c *ir.Context, attr ir.Attr, types []ir.Type) (*Structure, error) {
	if len(types) != 2 {
		return nil, fmt.Errorf("takes an input and an init")
	}
	rank := rankOf(c, types[1])
	dims, err := dimensions(c, attr, rank)
	if err != nil {
		return nil, err
	}
	return &Structure{Maps: []*expr.Map{without(rank, dims), expr.Identity(rank)}, Reduction: make([]bool, rank), Inputs: 1, Args: 2}, nil
}

// rankOf is how many dimensions a type has: none, if it is a number.
func rankOf(c *ir.Context, t ir.Type) int { return len(shapeOf(c, t)) }

// shapeOf is the shape of a memref or tensor, empty for a number.
func shapeOf(c *ir.Context, t ir.Type) []int64 {
	if shaped(c, t) {
		return c.Info(t).Shape
	}
	return nil
}

// shaped reports a memref or tensor.
func shaped(c *ir.Context, t ir.Type) bool {
	k := c.Info(t).Kind
	return k == ir.KindMemRef || k == ir.KindTensor
}

// elemOf is the type of what an operand gives to one point.
func elemOf(c *ir.Context, t ir.Type) ir.Type {
	if shaped(c, t) {
		return c.Info(t).Elem
	}
	return t
}

// A place is a dimension of an operand.
type place struct{ operand, dim int }

// Extents says for each loop of which operand's dimension it is the extent: the first that the loop alone is
// the subscript of. Missing is the first loop that has none, or -1.
func (s *Structure) Extents() (from []place, missing int) {
	from, missing = make([]place, len(s.Reduction)), -1
	found := make([]bool, len(from))
	for o, m := range s.Maps {
		for d, e := range m.Results {
			if e.Op == expr.OpDim && !found[e.N] {
				from[e.N], found[e.N] = place{o, d}, true
			}
		}
	}
	return from, slices.Index(found, false)
}
