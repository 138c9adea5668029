package expr

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A Map gives its results for numbers of dimensions and symbols. It never changes.
type Map struct {
	Dims, Syms int
	Results    []*Expr
}

// A Set holds the points of all of its constraints: all points without one. It never changes.
type Set struct {
	Dims, Syms  int
	Constraints []Constraint
}

// A Constraint is Expr == 0 or Expr >= 0.
type Constraint struct {
	Expr  *Expr
	Equal bool
}

// Attr is the attribute of a map.
func (m *Map) Attr(c *ir.Context) ir.Attr {
	return c.GoAttr(ir.AttrInfo{Kind: ir.AttrMap, Str: m.String()}, m)
}

// Attr is the attribute of a set.
func (s *Set) Attr(c *ir.Context) ir.Attr {
	if len(s.Constraints) == 0 { // as it prints, and MLIR has it: one text is one attribute
		s = &Set{Dims: s.Dims, Syms: s.Syms, Constraints: []Constraint{{Expr: Const(0), Equal: true}}}
	}
	return c.GoAttr(ir.AttrInfo{Kind: ir.AttrSet, Str: s.String()}, s)
}

// MapOf is the map that an attribute is, or nil.
func MapOf(c *ir.Context, a ir.Attr) *Map {
	m, _ := c.GoOf(a).(*Map)
	return m
}

// SetOf is the set that an attribute is, or nil.
func SetOf(c *ir.Context, a ir.Attr) *Set {
	s, _ := c.GoOf(a).(*Set)
	return s
}

// Identity gives each of n dimensions.
func Identity(n int) *Map {
	m := &Map{Dims: n}
	for i := range n {
		m.Results = append(m.Results, Dim(i))
	}
	return m
}

// Permutation gives dimensions in another order: result i is dimension perm[i].
func Permutation(perm []int) *Map {
	m := &Map{Dims: len(perm)}
	for _, d := range perm {
		m.Results = append(m.Results, Dim(d))
	}
	return m
}

// Constants is a map of numbers.
func Constants(ns ...int64) *Map {
	m := &Map{}
	for _, n := range ns {
		m.Results = append(m.Results, Const(n))
	}
	return m
}

// IsIdentity reports a map that gives each of its dimensions in order, whatever its symbols.
func (m *Map) IsIdentity() bool {
	perm, ok := m.Permuted()
	for i, d := range perm {
		ok = ok && i == d
	}
	return ok
}

// Permuted reports which dimension each result is, if it is each of them once.
func (m *Map) Permuted() (perm []int, ok bool) {
	if len(m.Results) != m.Dims {
		return nil, false
	}
	seen := make([]bool, m.Dims)
	for _, e := range m.Results {
		if e.Op != OpDim || seen[e.N] {
			return nil, false
		}
		seen[e.N] = true
		perm = append(perm, int(e.N))
	}
	return perm, true
}

// Inputs is the number of dimensions and symbols.
func (m *Map) Inputs() int { return m.Dims + m.Syms }

// Inputs is the number of dimensions and symbols.
func (s *Set) Inputs() int { return s.Dims + s.Syms }

// Uses notes the dimensions and symbols of an expression.
func (e *Expr) Uses(dims, syms []bool) {
	switch {
	case e.Op == OpDim:
		dims[e.N] = true
	case e.Op == OpSym:
		syms[e.N] = true
	case e.L != nil:
		e.L.Uses(dims, syms)
		e.R.Uses(dims, syms)
	}
}

// Exprs are the expressions of the constraints.
func (s *Set) Exprs() []*Expr {
	return lists.Map(s.Constraints, func(c Constraint) *Expr { return c.Expr })
}
