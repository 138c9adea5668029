package bugs

import (
	"errors"
	"math"
)

// A NodeError is a node that has no density at a point: a parameter of its distribution,
// or an index on the way to it, has no meaning there, or its own value is outside of the
// support where it needs a place inside.
type NodeError struct {
	Node    string // as ElemName spells it
	Outside bool
	Err     error
}

func (e *NodeError) Error() string { return e.Err.Error() }
func (e *NodeError) Unwrap() error { return e.Err }

// named is an error of the statement that runs, with the node.
func (r *runner) named(err error) error {
	var e *NodeError
	if err == nil || errors.As(err, &e) || r.stmt == nil {
		return err
	}
	return &NodeError{Node: r.node(), Err: err}
}

// node is what the statement that runs defines in this iteration.
func (r *runner) node() string {
	var elems []int
	if err := r.f.each(r.stmt.LHS, r.stmt.v, false, func(k int) error { elems = append(elems, k); return nil }); err != nil || elems == nil {
		return r.stmt.v.Name
	}
	return elementsName(r.stmt.v, elems)
}

// firstOutside runs the reference evaluation for the first node whose density is 0.
func firstOutside(visit func(func(Factor)) error) (node string) {
	_ = visit(func(f Factor) {
		if node == "" && math.IsInf(f.Logp, -1) {
			node = f.Var.ElemName(f.Elem)
		}
	})
	return node
}

// FirstOutside names the first node whose density is 0 at a state, "" if there is none.
func (m *Model) FirstOutside(st State) string {
	return firstOutside(func(f func(Factor)) error { return m.Visit(st.clone(), f) })
}

// FirstOutside is that of a model, at a vector.
func (u *Unconstrained) FirstOutside(vec []float64, st State) string {
	return firstOutside(func(f func(Factor)) error {
		_, err := u.Visit(vec, st.clone(), f)
		return err
	})
}
