package bugs

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// In JAGS a name on the left without indices is the whole of an array, as in
// `mu <- X %*% beta` or `p ~ ddirch(alpha)`. Its shape is that of the declaration or
// the data, else of what defines it: ranks finds the number of dimensions before any
// value is known, wholeLeft the extents once they are.

// ranks enters the dimensions of names that have no index anywhere.
func (b *builder) ranks(used map[string]int) {
	if !b.jags {
		return
	}
	r := ranker{b, used, map[string]bool{}}
	for _, s := range b.m.Statements {
		if n := s.LHS.Name; len(s.LHS.Indices) == 0 && len(s.Loops) == 0 && used[n] == 0 && b.data.Get(n) == nil {
			used[n] = r.definition(s)
		}
	}
}

type ranker struct {
	b    *builder
	used map[string]int
	busy map[string]bool
}

// definition is the rank of what a statement defines.
func (r ranker) definition(s *Statement) int {
	if s.Assign != nil {
		return r.of(s.Assign.RHS, s)
	}
	return nodeRank(s)
}

// nodeRank is the number of dimensions of the nodes of a statement: where there are some,
// the first parameter of the law tells the shape.
func nodeRank(s *Statement) int {
	if j := s.Dist.Law.Joint; j != nil {
		return j.Node
	}
	return 0
}

// rankOf is the rank of the results of functions that have one of their own, besides
// those of arrayOps; others are elementwise.
var rankOf = map[string]int{"sum": 0, "prod": 0, "max": 0, "min": 0, "mean": 0, "sd": 0, "length": 0, "inprod": 0,
	"c": 1, "rep": 1, "dim": 1, "t": 2}

// of is the rank of an expression within a statement.
func (r ranker) of(e syntax.Expr, s *Statement) int {
	switch e := e.(type) {
	case *syntax.Range:
		return 1
	case *syntax.Ref:
		return r.name(e, s)
	case *syntax.Unary:
		return r.of(e.X, s)
	case *syntax.Binary:
		x, y := r.of(e.X, s), r.of(e.Y, s)
		if e.Op == syntax.OpMatMul {
			return max(0, x+y-2)
		}
		return max(x, y)
	case *syntax.Call:
		name := canonical(e)
		if f := arrayOpOf(name + ".one"); f != nil && len(e.Args) > 1 {
			return f.result
		}
		if f := arrayOpOf(name); f != nil {
			return f.result
		}
		if n, ok := rankOf[name]; ok {
			return n
		}
		if f := syntax.LookupFunction(name); f != nil && f.Role != syntax.NoRole {
			return 0
		}
		n := 0
		for _, a := range e.Args {
			n = max(n, r.of(a, s))
		}
		return n
	}
	return 0
}

// name is the rank of what a name refers to; with indices, of its ranges.
func (r ranker) name(e *syntax.Ref, s *Statement) int {
	if len(e.Indices) > 0 {
		n := 0
		for _, x := range e.Indices {
			if _, all := x.(*syntax.All); all || r.of(x, s) > 0 {
				n++
			}
		}
		return n
	}
	if a := r.b.data.Get(e.Name); a != nil {
		return len(a.Dims)
	}
	if n := r.used[e.Name]; n > 0 || r.busy[e.Name] {
		return n
	}
	r.busy[e.Name] = true
	defer delete(r.busy, e.Name)
	for _, t := range r.b.m.Statements {
		if t.LHS.Name == e.Name && len(t.LHS.Indices) == 0 {
			return r.definition(t)
		}
	}
	return 0
}

// wholeLeft gives a left side without indices those of the whole array. It returns
// errUnknown while the shape is not known.
func (b *builder) wholeLeft(s *Statement) error {
	v := s.v
	if !b.jags || len(s.LHS.Indices) > 0 || len(v.Dims) == 0 || len(s.Loops) > 0 {
		return nil
	}
	dims := v.Dims
	if !v.fixed {
		for _, x := range b.wholeReads(s, nil) {
			if x == v || !b.settled(x) {
				return errUnknown
			}
		}
		shape, err := b.definedShape(s)
		if err != nil || len(shape) != len(v.Dims) {
			return err
		}
		dims = shape
	}
	left := *s.LHS
	for _, n := range dims {
		one, last := &syntax.Num{Place: left.Place, Value: 1}, &syntax.Num{Place: left.Place, Value: float64(n)}
		left.Indices = append(left.Indices, &syntax.Range{Place: left.Place, From: one, To: last})
	}
	s.LHS = &left
	b.m.bind[s.LHS] = binding{v: v}
	return nil
}

// definedShape is the shape of what a statement gives its node.
func (b *builder) definedShape(s *Statement) ([]int, error) {
	f := b.m.shapeFrame(s)
	if s.Assign != nil {
		x, err := f.array(s.Assign.RHS)
		return x.Dims, err
	}
	if nodeRank(s) == 0 {
		return nil, nil
	}
	x, err := f.array(s.Sample.Args[0])
	if nodeRank(s) == 2 && len(x.Dims) == 1 {
		x.Dims = []int{x.Dims[0], x.Dims[0]}
	}
	return slices.Clone(x.Dims), err
}
