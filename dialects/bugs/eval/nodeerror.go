package eval

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/dialects/bugs/model"
)

// A NodeError is a node that has no density at a point: a parameter of its distribution, or an index on the
// way to it, has no meaning there; or its own value is outside of the support where it needs a place inside.
type NodeError struct {
	Node    string // as ElemName spells it
	Outside bool
	Err     error
}

func (e *NodeError) Error() string { return e.Err.Error() }

func (e *NodeError) Unwrap() error { return e.Err }

// Named is an error of the statement that runs, with the node.
func (r *Runner) Named(err error) error {
	var e *NodeError
	if err == nil || errors.As(err, &e) || r.Stmt == nil {
		return err
	}
	return &NodeError{Node: r.node(), Err: err}
}

// node is what the statement that runs defines in this iteration.
func (r *Runner) node() string {
	var elems []int
	if err := r.Frame.Each(r.Stmt.LHS, r.Stmt.Var, false, func(k int) error { elems = append(elems, k); return nil }); err != nil || elems == nil {
		return r.Stmt.Var.Name
	}
	return ElementsName(r.Stmt.Var, elems)
}

// FirstOf runs the reference evaluation for the first node whose density is 0.
func FirstOf(visit func(func(Factor)) error) (node string) {
	_ = visit(func(f Factor) {
		if node == "" && math.IsInf(f.Logp, -1) {
			node = f.Var.ElemName(f.Elem)
		}
	})
	return node
}

// FirstOutside names the first node whose density is 0 at a state, "" if there is none.
func FirstOutside(m *model.Model, st State) string {
	return FirstOf(func(f func(Factor)) error { return Visit(m, st.Clone(), f) })
}

func Between(lo, hi float64) string {
	switch below, above := !math.IsInf(lo, -1), !math.IsInf(hi, 1); {
	case below && above:
		return fmt.Sprintf("between %.15g and %.15g, without the ends", lo, hi)
	case below:
		return fmt.Sprintf("above %.15g", lo)
	case above:
		return fmt.Sprintf("below %.15g", hi)
	}
	return "finite"
}

// ElementsName spells the elements of a node.
func ElementsName(v *model.Var, elems []int) string {
	if len(elems) == 1 {
		return v.ElemName(elems[0])
	}
	if len(elems) == v.Len() {
		return v.Name
	}
	return v.ElemName(elems[0]) + " to " + v.ElemName(elems[len(elems)-1])
}
