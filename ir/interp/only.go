package interp

import "github.com/irc-lang/irc/ir"

// Only is the one op of a region of the running op, and its operands as they are now. It is for an op that
// gives what stands there a meaning of its own; nil if the region holds none, or several. The operands are
// good until the Func returns.
func (m *Machine) Only(code *Code) (*Op, []ir.Val) {
	if len(code.ops) != 1 {
		return nil, nil
	}
	o := &code.ops[0]
	args := m.frame[o.win : int(o.win)+len(o.slots) : int(o.win)+len(o.slots)]
	for i, s := range o.slots {
		args[i] = m.frame[s]
	}
	return o, args
}
