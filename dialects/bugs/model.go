package bugs

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// Class says what one element of a variable is.
type Class uint8

// The classes.
const (
	Undefined Class = iota // nothing defines it
	Known                  // given by the data, or computed from them
	Logical                // computed anew at each point
	Observed               // stochastic, with a known value
	Parameter              // stochastic, without one
)

func (c Class) String() string {
	return [...]string{"undefined", "data", "logical", "observed", "parameter"}[c]
}

// A Var is a name of the model with all of its elements, stored row by row.
type Var struct {
	Name string
	ID   int
	Dims []int // nil for a scalar
	// Value is that of Known and Observed elements; nil if there are none. It may be
	// the memory of the data: nobody writes it.
	Value []float64
	At    diag.Span // where it is first defined: in the data or in the program

	size     int
	shared   bool // Value belongs to the data
	abstract bool // the data give its shape alone: it is known, and has no Value
	given    mask // by the data file
	known    mask
	assigned owners
	drawn    owners
	count    [Parameter + 1]int // elements of each class
	ints     integerRange
	fixed    bool // the data or `var` fix its dimensions
	table    bool // made for Waves, not in the program
}

// Len is the number of elements.
func (v *Var) Len() int { return v.size }

// Table reports a variable that is not in the program: it holds an order that was
// computed from the data.
func (v *Var) Table() bool { return v.table }

// Has reports that some element is of a class.
func (v *Var) Has(c Class) bool { return v.count[c] > 0 }

// Count is the number of elements of a class.
func (v *Var) Count(c Class) int { return v.count[c] }

// ClassAt says what element k, counted from 0 in storage order, is.
func (v *Var) ClassAt(k int) Class {
	switch {
	case v.known.has(k):
		if v.drawn.has(v.Dims, k) {
			return Observed
		}
		return Known
	case v.drawn.has(v.Dims, k):
		return Parameter
	case v.assigned.has(v.Dims, k):
		return Logical
	}
	return Undefined
}

// assignedBy and drawnBy say what defines an element.
func (v *Var) assignedBy(k int) origin { return v.assigned.at(v.Dims, k) }
func (v *Var) drawnBy(k int) origin    { return v.drawn.at(v.Dims, k) }

// knownAt reports that an element has a value.
func (v *Var) knownAt(k int) bool { return v.known.has(k) }

// ElemName spells an element as the language does: alpha[3], mu[2,1], tau.
func (v *Var) ElemName(k int) string {
	if v.Dims == nil {
		return v.Name
	}
	var buf [64]byte
	var index [8]int32
	at := index[:]
	if len(v.Dims) > len(index) {
		at = make([]int32, len(v.Dims))
	}
	out := append(append(buf[:0], v.Name...), '[')
	for d, i := range indexOf(v.Dims, k, at) {
		if d > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, int64(i), 10)
	}
	return string(append(out, ']'))
}

// A Loop is one `for` around a statement.
type Loop struct {
	Node *syntax.For
	Var  string
}

// A Statement is one relation with the loops around it, outermost first.
type Statement struct {
	Index  int
	Loops  []*Loop
	Assign *syntax.Assign // either this
	Sample *syntax.Sample // or this
	LHS    *syntax.Ref
	Dist   *syntax.Distribution // of a Sample
	InData bool                 // in the data block

	v        *Var
	expanded bool
	dom      domain
	lhs      leftSide
	n        int    // iterations
	rhs      number // of an Assign that defines one element at a time, compiled
	done     mask   // iterations evaluated from data
	left     int    // iterations not done; -1 if they do not follow from data
	keys     []string
}

// Var is the variable that the statement defines.
func (s *Statement) Var() *Var { return s.v }

// Iterations is how often the statement runs.
func (s *Statement) Iterations() int { return s.n }

// Span is the place of the statement.
func (s *Statement) Span() diag.Span {
	if s.Assign != nil {
		return s.Assign.Span()
	}
	return s.Sample.Span()
}

// at returns the loop variables of an iteration.
func (s *Statement) at(i int) []int32 {
	at := make([]int32, len(s.Loops))
	s.dom.at(i, at)
	return at
}

// A Model is a program bound to its data.
type Model struct {
	Name       string
	Vars       []*Var
	Statements []*Statement
	Order      []Item // a sequential order of the statements, in loops
	Warnings   diag.List

	byName map[string]*Var
	bind   map[*syntax.Ref]binding
	prog   *syntax.Program
	deps   []*dep
	why    []Why

	orderWork int // what was looked at to find the order
	jags      bool
	alive     *lives
	censored  map[*Var]map[int][]censoring
	cyclic    bool // stochastic nodes form a cycle: only logical nodes are in order
}

// binding is what a name in the program means where it stands.
type binding struct {
	level int // a loop variable: its depth, counted from 1
	v     *Var
}

// Abstract reports a model some of whose data have shapes and no values: it has a graph,
// and cannot be evaluated.
func (m *Model) Abstract() bool {
	return slices.ContainsFunc(m.Vars, func(v *Var) bool { return v.abstract })
}

// Lookup finds a variable by name, or nil.
func (m *Model) Lookup(name string) *Var { return m.byName[name] }

// Parameters lists the variables with parameters in the order of the program.
func (m *Model) Parameters() []*Var {
	var out []*Var
	for _, v := range m.Vars {
		if v.Has(Parameter) {
			out = append(out, v)
		}
	}
	return out
}

// Counts returns the number of observed stochastic nodes (a vector counts once)
// and of scalar parameters.
func (m *Model) Counts() (observed, parameters int) {
	for _, v := range m.Vars {
		parameters += v.Count(Parameter)
	}
	for _, s := range m.Statements {
		if s.Sample == nil {
			continue
		}
		switch {
		case s.v.known.all():
			observed += s.n
		case s.v.known.none():
		case s.lhs.region != nil && !s.multi():
			s.lhs.region.runs(s.v.Dims, func(from, to int) { observed += s.v.known.between(from, to) })
		default:
			observed += s.observedNodes()
		}
	}
	return observed, parameters
}

// nodes says whether some elements of a statement are known, and some unknown.
func (s *Statement) nodes() (known, unknown bool) {
	v := s.v
	switch {
	case v.known.all() || v.known.none() || s.n == 0:
		return s.n > 0 && v.known.all(), s.n > 0 && !v.known.all()
	case s.lhs.region != nil:
		n := v.knownIn(s.lhs.region)
		return n > 0, n < s.lhs.region.size()
	}
	s.eachElement(func(_, k int) bool {
		if v.known.has(k) {
			known = true
		} else {
			unknown = true
		}
		return !known || !unknown
	})
	return known, unknown
}

// observedNodes counts the iterations whose elements are all known.
func (s *Statement) observedNodes() int {
	n, last, all := 0, -1, false
	end := func() {
		if last >= 0 && all {
			n++
		}
	}
	s.eachElement(func(i, k int) bool {
		if i != last {
			end()
			last, all = i, true
		}
		all = all && s.v.known.has(k)
		return true
	})
	end()
	return n
}

// elements calls f for each element that an iteration of a statement defines.
func (m *Model) elements(s *Statement, iter int, f func(k int)) {
	d := len(s.v.Dims)
	if d == 0 {
		f(0)
		return
	}
	box(s.v.Dims, s.span(iter, s.at(iter), nil), 0, 0, f)
}

// MaskOf finds the variable whose elements' being observed the array of a name
// tells, as bugs.stochastic reads it; nil if it is no such name.
func MaskOf(m *Model, name string) *Var {
	if base, ok := strings.CutSuffix(name, maskSuffix); ok {
		return m.byName[base]
	}
	return nil
}
