package bind

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// In JAGS a name on the left without indices is the whole of an array, as in
// `mu <- X %*% beta` or `p ~ ddirch(alpha)`. Its shape is that of the declaration or
// the data, else of what defines it: ranks finds the number of dimensions before any
// value is known, wholeLeft the extents once they are.

// ranks enters the dimensions of names that have no index anywhere.
func (b *Builder) ranks(used map[string]int) {
	if !b.JAGS {
		return
	}
	r := ranker{b, used, map[string]bool{}}
	for _, s := range b.Model.Statements {
		if n := s.LHS.Name; len(s.LHS.Indices) == 0 && len(s.Loops) == 0 && used[n] == 0 && b.Data.Get(n) == nil {
			used[n] = r.definition(s)
		}
	}
}

type ranker struct {
	b    *Builder
	used map[string]int
	busy map[string]bool
}

// definition is the rank of what a statement defines.
func (r ranker) definition(s *model.Statement) int {
	if s.Assign != nil {
		return r.of(s.Assign.RHS, s)
	}
	return eval.NodeRank(s)
}

// of is the rank of an expression within a statement.
func (r ranker) of(e syntax.Expr, s *model.Statement) int {
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
			if r.isRow(e.X, s) && y == 1 {
				return 0
			}
			return max(0, x+y-2)
		}
		return max(x, y)
	case *syntax.Call:
		name := function.Canonical(e)
		if f := function.ArrayOpOf(name + ".one"); f != nil && len(e.Args) > 1 {
			return f.Result
		}
		if f := function.ArrayOpOf(name); f != nil {
			return f.Result
		}
		if n, ok := eval.RankOf[name]; ok {
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

// isRow reports a matrix with one row: a transposed vector, or one times a matrix.
func (r ranker) isRow(e syntax.Expr, s *model.Statement) bool {
	switch e := e.(type) {
	case *syntax.Call:
		return function.Canonical(e) == "t" && len(e.Args) == 1 && r.of(e.Args[0], s) == 1
	case *syntax.Binary:
		return e.Op == syntax.OpMatMul && r.isRow(e.X, s) && r.of(e.Y, s) == 2
	}
	return false
}

// name is the rank of what a name refers to; with indices, of its ranges.
func (r ranker) name(e *syntax.Ref, s *model.Statement) int {
	if len(e.Indices) > 0 {
		n := 0
		for _, x := range e.Indices {
			if _, all := x.(*syntax.All); all || r.of(x, s) > 0 {
				n++
			}
		}
		return n
	}
	if a := r.b.Data.Get(e.Name); a != nil {
		return len(a.Dims)
	}
	if n := r.used[e.Name]; n > 0 || r.busy[e.Name] {
		return n
	}
	r.busy[e.Name] = true
	defer delete(r.busy, e.Name)
	for _, t := range r.b.Model.Statements {
		if t.LHS.Name == e.Name && len(t.LHS.Indices) == 0 {
			return r.definition(t)
		}
	}
	return 0
}

// wholeLeft gives a left side without indices those of the whole array. It returns
// errUnknown while the shape is not known.
func (b *Builder) wholeLeft(s *model.Statement) error {
	v := s.Var
	if !b.JAGS || len(s.LHS.Indices) > 0 || len(v.Dims) == 0 || len(s.Loops) > 0 {
		return nil
	}
	dims := v.Dims
	if !v.Fixed {
		if !b.settledAll(s) {
			return eval.ErrUnknown
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
	b.Model.Bindings[s.LHS] = model.Binding{Var: v}
	return nil
}

// definedShape is the shape of what a statement gives its node.
func (b *Builder) definedShape(s *model.Statement) ([]int, error) {
	f := eval.ShapeFrame(b.Model, s)
	if s.Assign != nil {
		x, err := f.Array(s.Assign.RHS)
		return x.Dims, err
	}
	if eval.NodeRank(s) == 0 {
		return nil, nil
	}
	x, err := f.Array(s.Sample.Args[0])
	if eval.NodeRank(s) == 2 && len(x.Dims) == 1 {
		x.Dims = []int{x.Dims[0], x.Dims[0]}
	}
	return slices.Clone(x.Dims), err
}
