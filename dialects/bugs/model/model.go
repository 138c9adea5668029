package model

import (
	"slices"
	"strconv"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
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

	Size      int
	Shared    bool // Value belongs to the data
	ShapeOnly bool // the data give its shape alone: it is known, and has no Value
	FromFile  Mask // by the data file
	Known     Mask
	Assigned  Owners
	Drawn     Owners
	Counts    [Parameter + 1]int // elements of each class
	Integers  integerRange
	Fixed     bool // the data or `var` fix its dimensions
	Table     bool // made for Wavefronts, not in the program
}

// Len is the number of elements.
func (v *Var) Len() int { return v.Size }

// Has reports that some element is of a class.
func (v *Var) Has(c Class) bool { return v.Counts[c] > 0 }

// Count is the number of elements of a class.
func (v *Var) Count(c Class) int { return v.Counts[c] }

// ClassAt says what element k, counted from 0 in storage order, is.
func (v *Var) ClassAt(k int) Class {
	switch {
	case v.Known.Has(k):
		if v.Drawn.Has(v.Dims, k) {
			return Observed
		}
		return Known
	case v.Drawn.Has(v.Dims, k):
		return Parameter
	case v.Assigned.Has(v.Dims, k):
		return Logical
	}
	return Undefined
}

// AssignedBy and drawnBy say what defines an element.
func (v *Var) AssignedBy(k int) Origin { return v.Assigned.at(v.Dims, k) }

func (v *Var) DrawnBy(k int) Origin { return v.Drawn.at(v.Dims, k) }

// KnownAt reports that an element has a value.
func (v *Var) KnownAt(k int) bool { return v.Known.Has(k) }

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
	for d, i := range IndicesOf(v.Dims, k, at) {
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

	Var        *Var
	Expanded   bool
	Domain     Domain
	Defines    LeftSide
	Iterations int    // iterations
	Compiled   Number // of an Assign that defines one element at a time, compiled
	Done       Mask   // iterations evaluated from data
	Pending    int    // iterations not done; -1 if they do not follow from data
	LoopKeys   []string
}

// Span is the place of the statement.
func (s *Statement) Span() diag.Span {
	if s.Assign != nil {
		return s.Assign.Span()
	}
	return s.Sample.Span()
}

// At returns the loop variables of an iteration.
func (s *Statement) At(i int) []int32 {
	at := make([]int32, len(s.Loops))
	s.Domain.At(i, at)
	return at
}

// A Model is a program bound to its data.
type Model struct {
	Name       string
	Vars       []*Var
	Statements []*Statement
	Order      []Item // a sequential order of the statements, in loops
	Warnings   diag.List

	ByName   map[string]*Var
	Bindings map[*syntax.Ref]Binding
	Program  *syntax.Program
	Deps     []*Dependence
	Why      []Why

	OrderWork int // what was looked at to find the order
	JAGS      bool
	Alive     *ObservedAncestors
	Censored  map[*Var]map[int][]Censoring
	Cyclic    bool // stochastic nodes form a cycle: only logical nodes are in order
}

// Binding is what a name in the program means where it stands.
type Binding struct {
	Level int // a loop variable: its depth, counted from 1
	Var   *Var
}

// Abstract reports a model some of whose data have shapes and no values: it has a graph,
// and cannot be evaluated.
func (m *Model) Abstract() bool {
	return slices.ContainsFunc(m.Vars, func(v *Var) bool { return v.ShapeOnly })
}

// Lookup finds a variable by name, or nil.
func (m *Model) Lookup(name string) *Var { return m.ByName[name] }

// Parameters lists the variables with parameters in the order of the program.
func (m *Model) Parameters() []*Var {
	return lists.Filter(m.Vars, func(v *Var) bool { return v.Has(Parameter) })
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
		case s.Var.Known.All():
			observed += s.Iterations
		case s.Var.Known.None():
		case s.Defines.Region != nil && !s.Multi():
			s.Defines.Region.Runs(s.Var.Dims, func(from, to int) { observed += s.Var.Known.Between(from, to) })
		default:
			observed += s.observedNodes()
		}
	}
	return observed, parameters
}

// Nodes says whether some elements of a statement are known, and some unknown.
func (s *Statement) Nodes() (known, unknown bool) {
	v := s.Var
	switch {
	case v.Known.All() || v.Known.None() || s.Iterations == 0:
		return s.Iterations > 0 && v.Known.All(), s.Iterations > 0 && !v.Known.All()
	case s.Defines.Region != nil:
		n := v.KnownIn(s.Defines.Region)
		return n > 0, n < s.Defines.Region.Size()
	}
	s.EachElement(func(_, k int) bool {
		if v.Known.Has(k) {
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
	s.EachElement(func(i, k int) bool {
		if i != last {
			end()
			last, all = i, true
		}
		all = all && s.Var.Known.Has(k)
		return true
	})
	end()
	return n
}

// Elements calls f for each element that an iteration of a statement defines.
func (m *Model) Elements(s *Statement, iter int, f func(k int)) {
	d := len(s.Var.Dims)
	if d == 0 {
		f(0)
		return
	}
	EachInBox(s.Var.Dims, s.Spans(iter, s.At(iter), nil), 0, 0, f)
}
