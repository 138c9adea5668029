package raise

import "github.com/irc-lang/irc/ir"

// A carrier is a loop with what holds the value that it carries.
type carrier struct {
	loop ir.Value
	k    int
	cell *memory
}

// goesOn is what holds a value that a loop carries on for the loop around it: it begins with what that carries, which
// nothing else needs, and what it ends with is what that carries on.
func (n *nest) goesOn(v ir.Value, k int, init ir.Value) *memory {
	c, ok := n.carried[value{init, 0}]
	if !ok {
		return nil
	}
	l, _ := ir.As[ir.LoopLike](n.g.NodeOf(c.loop))
	y := n.g.Yields(l.Body)[c.k]
	// The loop around yields this result, what it carries only starts this loop, and this loop stands
	// directly in it.
	if n.key(y) != (value{v, k}) || n.g.NodeOf(init).NumUses() != 1 || n.s.Place(v) != l.Body {
		return nil
	}
	// Uses are counted by argument, as one op may use the result twice.
	uses := 0
	for _, u := range n.g.NodeOf(v).Users() {
		for _, a := range n.g.Args(u.Old()) {
			if n.key(a) == (value{v, k}) {
				uses++
			}
		}
	}
	if uses != 1 {
		return nil
	}
	return c.cell
}
