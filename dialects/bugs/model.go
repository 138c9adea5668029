package bugs

import (
	"fmt"
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
	Name  string
	ID    int
	Dims  []int     // nil for a scalar
	Value []float64 // of Known and Observed elements
	At    diag.Span // where it is first defined: in the data or in the program

	class   []Class
	given   []bool // by the data file
	known   []bool
	logical []origin // who assigns each element
	stoch   []origin // who draws each element
	fixed   bool     // the data or `var` fix its dimensions
}

// origin is the statement, counted from 1, and the iteration that define an
// element; the zero value says that nothing does.
type origin struct{ stmt, iter int32 }

// Len is the number of elements.
func (v *Var) Len() int { return len(v.Value) }

// Has reports that some element is of a class.
func (v *Var) Has(c Class) bool {
	for _, x := range v.class {
		if x == c {
			return true
		}
	}
	return false
}

// ClassAt says what element k, counted from 0 in storage order, is.
func (v *Var) ClassAt(k int) Class { return v.class[k] }

// Count is the number of elements of a class.
func (v *Var) Count(c Class) int {
	n := 0
	for _, x := range v.class {
		if x == c {
			n++
		}
	}
	return n
}

// assignedBy and drawnBy say what defines an element.
func (v *Var) assignedBy(k int) origin { return v.logical[k] }
func (v *Var) drawnBy(k int) origin    { return v.stoch[k] }

// knownAt reports that an element has a value.
func (v *Var) knownAt(k int) bool { return v.known[k] }

// ElemName spells an element as the language does: alpha[3], mu[2,1], tau.
func (v *Var) ElemName(k int) string {
	if v.Dims == nil {
		return v.Name
	}
	idx := make([]string, len(v.Dims))
	for d := len(v.Dims) - 1; d >= 0; d-- {
		idx[d] = fmt.Sprint(k%v.Dims[d] + 1)
		k /= v.Dims[d]
	}
	return v.Name + "[" + strings.Join(idx, ",") + "]"
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
	iters    []int32 // the loop variables of each iteration, len(Loops) each
	spans    []int32 // lowest and highest index on the left, by iteration and dimension
	n        int     // iterations
	done     []bool  // of an Assign: evaluated from data
	left     int     // iterations not done
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
func (s *Statement) at(i int) []int32 { d := len(s.Loops); return s.iters[i*d : i*d+d] }

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
	jags   bool
	alive  *lives
	cyclic bool // stochastic nodes form a cycle: only logical nodes are in order
}

// binding is what a name in the program means where it stands.
type binding struct {
	level int // a loop variable: its depth, counted from 1
	v     *Var
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
		for i := range s.n {
			all := true
			m.elements(s, i, func(k int) { all = all && s.v.ClassAt(k) == Observed })
			if all {
				observed++
			}
		}
	}
	return observed, parameters
}

// elements calls f for each element that an iteration of a statement defines.
func (m *Model) elements(s *Statement, iter int, f func(k int)) {
	d := len(s.v.Dims)
	if d == 0 {
		f(0)
		return
	}
	span := s.spans[iter*2*d : (iter+1)*2*d]
	box(s.v.Dims, span, 0, 0, f)
}

// box calls f for the elements of a rectangular part of an array.
func box(dims []int, span []int32, d, base int, f func(k int)) {
	for i := span[2*d]; i <= span[2*d+1]; i++ {
		k := base*dims[d] + int(i) - 1
		if d == len(dims)-1 {
			f(k)
		} else {
			box(dims, span, d+1, k, f)
		}
	}
}

// MaskOf finds the variable whose elements' being observed the array of a name
// tells, as bugs.stochastic reads it; nil if it is no such name.
func MaskOf(m *Model, name string) *Var {
	if base, ok := strings.CutSuffix(name, maskSuffix); ok {
		return m.byName[base]
	}
	return nil
}
