// Package naive evaluates BUGS models in the plainest way, as an oracle for the
// compiler: loops are executed element by element, an element is an entry of a map,
// logical nodes are evaluated recursively and remembered, and densities are textbook
// formulas. It shares nothing with the compiler but the syntax tree.
//
// It is for small models: each element of a vector that is assigned as a whole
// evaluates the whole right side.
package naive

import (
	"fmt"
	"runtime"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// A key is one element: a name and its indices, counted from 1.
type key struct {
	name string
	rank int
	at   [5]int
}

func keyOf(name string, at []int) key {
	k := key{name: name, rank: len(at)}
	copy(k.at[:], at)
	return k
}

func (k key) String() string {
	if k.rank == 0 {
		return k.name
	}
	return fmt.Sprint(k.name, k.at[:k.rank])
}

// env holds the loop variables around a statement.
type env map[string]int

// def is what assigns an element: component part of the right side.
type def struct {
	s     *syntax.Assign
	env   env
	part  int
	whole bool // the left side is a single element
}

// node is one stochastic node.
type node struct {
	s     *syntax.Sample
	env   env
	elems []key
	dims  []int
	known []bool // by the data, or computed from them
}

// Model is a program bound to data and unrolled.
type Model struct {
	JAGS   bool
	data   map[key]float64
	defs   map[key]def
	extent map[string][]int
	nodes  []*node
}

// failure is a panic that ends an evaluation.
type failure struct {
	unknown bool // a value is missing so far
	why     string
}

func fail(format string, args ...any) { panic(failure{why: fmt.Sprintf(format, args...)}) }

// attempt runs f and returns what stopped it.
func attempt(f func()) (stopped *failure) {
	defer func() {
		if r := recover(); r != nil {
			switch r := r.(type) {
			case failure:
				stopped = &r
			case runtime.Error: // arguments of a wrong form, which are not checked here
				stopped = &failure{why: r.Error()}
			default:
				panic(r)
			}
		}
	}()
	f()
	return nil
}

// New unrolls a program over its data.
func New(prog *syntax.Program, data *input.Data, jags bool) (*Model, error) {
	m := &Model{JAGS: jags, data: map[key]float64{}, defs: map[key]def{}, extent: map[string][]int{}}
	m.load(data)
	why := attempt(func() {
		for _, v := range prog.Vars {
			at := make([]int, len(v.Dims))
			for i, d := range v.Dims {
				at[i] = m.fromData().integer(d, nil)
			}
			m.widen(v.Name, at)
		}
		m.unroll(append(append([]syntax.Stmt(nil), prog.Data...), prog.Model...))
		m.observe()
	})
	if why != nil {
		return nil, fmt.Errorf("%s", why.why)
	}
	return m, nil
}

// load enters the data. A single number is both x and x[1].
func (m *Model) load(data *input.Data) {
	for _, name := range data.Names {
		a := data.Get(name)
		m.widen(name, a.Dims)
		each(a.Dims, func(n int, at []int) {
			if !a.IsMissing(n) {
				m.data[keyOf(name, at)] = a.Values[n]
			}
		})
		if len(a.Values) == 1 && !a.IsMissing(0) {
			m.data[keyOf(name, nil)], m.data[keyOf(name, []int{1})] = a.Values[0], a.Values[0]
		}
	}
}

// each lists the positions of an array, the last index fastest.
func each(dims []int, f func(n int, at []int)) {
	at := make([]int, len(dims))
	for i, d := range dims {
		if at[i] = 1; d == 0 {
			return
		}
	}
	for n := 0; ; n++ {
		f(n, at)
		d := len(dims) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] <= dims[d] {
				break
			}
			at[d] = 1
		}
		if d < 0 {
			return
		}
	}
}

// widen enlarges the extents of a name.
func (m *Model) widen(name string, at []int) {
	old := m.extent[name]
	if len(old) != len(at) {
		old = make([]int, len(at))
	}
	for d, n := range at {
		old[d] = max(old[d], n)
	}
	m.extent[name] = old
}
