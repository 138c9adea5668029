package naive

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

// work is a statement whose loop bounds or indices may wait for a value.
type work struct {
	s   syntax.Stmt
	env env
}

// unroll runs the loops. What cannot be run yet is tried again after the rest.
func (m *Model) unroll(stmts []syntax.Stmt) {
	var todo []work
	for _, s := range stmts {
		todo = append(todo, work{s, env{}})
	}
	for len(todo) > 0 {
		before := len(todo)
		var later []work
		for _, w := range todo {
			var more []work
			why := attempt(func() { more = m.step(w) })
			switch {
			case why == nil:
				for len(more) > 0 { // depth first, in the order of the program
					w := more[0]
					more = more[1:]
					var inner []work
					if why := attempt(func() { inner = m.step(w) }); why != nil {
						later = append(later, w)
					}
					more = append(inner, more...)
					before++
				}
			case why.unknown:
				later = append(later, w)
			default:
				panic(*why)
			}
		}
		if len(later) >= before {
			fail("the loops of %d statements cannot be run", len(later))
		}
		todo = later
	}
}

// step runs one statement: a loop gives the statements of its iterations.
func (m *Model) step(w work) []work {
	switch s := w.s.(type) {
	case *syntax.For:
		var out []work
		for _, x := range m.fromData().array(s.Over, w.env).v {
			inner := env{s.Var: int(x)}
			for k, v := range w.env {
				if k != s.Var {
					inner[k] = v
				}
			}
			for _, b := range s.Body {
				out = append(out, work{b, inner})
			}
		}
		return out
	case *syntax.Assign:
		m.whole(s.LHS, s.RHS, w.env)
		elems, dims := m.lhs(s.LHS, w.env)
		for i, k := range elems {
			if _, twice := m.defs[k]; twice {
				fail("%v is defined twice", k)
			}
			m.defs[k] = def{s: s, env: w.env, part: i, whole: len(dims) == 0}
		}
	case *syntax.Sample:
		if d := syntax.LookupDistribution(s.Dist); d.Multivariate {
			m.whole(s.LHS, s.Args[0], w.env)
		}
		elems, dims := m.lhs(s.LHS, w.env)
		m.nodes = append(m.nodes, &node{s: s, env: w.env, elems: elems, dims: dims})
	}
	return nil
}

// whole gives a name without indices on the left the extents of what shapes it.
func (m *Model) whole(r *syntax.Ref, by syntax.Expr, e env) {
	if !m.JAGS || len(r.Indices) > 0 || m.extent[r.Name] != nil {
		return
	}
	shape := m.fromData()
	shape.shapes = true
	var x value
	if why := attempt(func() { x = shape.array(by, e) }); why != nil {
		panic(failure{unknown: true, why: why.why})
	}
	m.widen(r.Name, x.dims)
}

// lhs lists the elements of a left side and the lengths of its ranges.
func (m *Model) lhs(r *syntax.Ref, e env) (elems []key, dims []int) {
	at := m.fromData().positions(r, e)
	top := make([]int, len(at))
	for d, list := range at {
		for _, i := range list {
			top[d] = max(top[d], i)
		}
		if len(r.Indices) == 0 || !single(r.Indices[d]) {
			dims = append(dims, len(list))
		}
	}
	m.widen(r.Name, top)
	product(at, func(at []int) { elems = append(elems, keyOf(r.Name, at)) })
	return elems, dims
}

// product lists the combinations of positions, the last fastest.
func product(lists [][]int, f func(at []int)) {
	at := make([]int, len(lists))
	var rec func(d int)
	rec = func(d int) {
		if d == len(lists) {
			f(at)
			return
		}
		for _, i := range lists[d] {
			at[d] = i
			rec(d + 1)
		}
	}
	rec(0)
}

// observe finds which elements of stochastic nodes have values from the data.
func (m *Model) observe() {
	r := m.fromData()
	for _, n := range m.nodes {
		n.known = make([]bool, len(n.elems))
		for i, k := range n.elems {
			n.known[i] = attempt(func() { r.value(k) }) == nil
		}
	}
}
