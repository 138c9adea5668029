package codegen

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// maxSteps is how many nodes one run executes, and how often its loops go round.
const maxSteps = 100_000_000

// ErrSteps is the error of code that executes longer than Run allows.
var ErrSteps = errors.New("codegen: the code takes more steps than allowed")

// Run executes a tree: visit gets the instances in order. It stops where visit returns
// false, and is an error for a name without a value. It is one too for a loop that goes on for too long, as
// one without an upper bound does.
func Run(b *Block, params map[string]int64, visit func(statement string, args []int64) bool) error {
	return run(b, params, visit, maxSteps)
}

func run(b *Block, params map[string]int64, visit func(string, []int64) bool, steps int64) (err error) {
	m := &machine{vars: map[string]int64{}, visit: visit, left: steps}
	for k, v := range params {
		m.vars[k] = v
	}
	end, _ := unwind.Catch[ended](func() { m.block(b) })
	return end.error
}

type machine struct {
	vars  map[string]int64
	visit func(string, []int64) bool
	left  int64 // steps
}

// ended is what leaves a run that cannot go on.
type ended struct{ error }

// step takes one off those that are left.
func (m *machine) step() {
	if m.left--; m.left < 0 {
		panic(ended{ErrSteps})
	}
}

// block returns false where the visitor wants no more.
func (m *machine) block(b *Block) bool {
	return lists.All(b.Nodes, m.node)
}

func (m *machine) node(n Node) bool {
	m.step()
	switch n := n.(type) {
	case *Block:
		return m.block(n)
	case *For:
		for i := m.value(apply(Max, n.Lower...)); len(n.Upper) == 0 || i <= m.value(apply(Min, n.Upper...)); i += n.Stride {
			m.step()
			m.vars[n.Iterator] = i
			if !m.block(n.Body) {
				return false
			}
		}
		delete(m.vars, n.Iterator)
	case *If:
		switch {
		case m.value(n.Cond) != 0:
			return m.block(n.Then)
		case n.Else != nil:
			return m.block(n.Else)
		}
	case *User:
		args := lists.Map(n.Args, m.value)
		return m.visit(n.Statement, args)
	case *Mark:
		return m.block(n.Body)
	}
	return true
}

func (m *machine) value(e Expr) int64 {
	switch e := e.(type) {
	case Int:
		return int64(e)
	case Name:
		v, ok := m.vars[string(e)]
		if !ok {
			panic(ended{fmt.Errorf("codegen: %s has no value", string(e))})
		}
		return v
	}
	op := e.(*Op)
	x := m.value(op.Args[0])
	switch op.Operator {
	case Select:
		return m.value(op.Args[2-truth(x != 0)])
	case And, Or:
		for _, a := range op.Args[1:] {
			if (x != 0) == (op.Operator == Or) {
				return x
			}
			x = m.value(a)
		}
		return x
	}
	for _, a := range op.Args[1:] {
		x = op.Operator.eval(x, m.value(a))
	}
	return x
}

func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// eval applies an operator to two integers.
func (op Operator) eval(x, y int64) int64 {
	switch op {
	case Add:
		return x + y
	case Sub:
		return x - y
	case Mul:
		return x * y
	case FloorDiv:
		return floorDiv(x, y)
	case Mod:
		return x - y*floorDiv(x, y)
	case Min:
		return min(x, y)
	case Max:
		return max(x, y)
	case Eq:
		return truth(x == y)
	case Ge:
		return truth(x >= y)
	case Le:
		return truth(x <= y)
	}
	panic("codegen: no operator of two integers")
}

func floorDiv(x, y int64) int64 {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}
