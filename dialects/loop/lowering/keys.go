package lowering

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/ir"
)

// kinds are the components of keys.
func kinds(c *ir.Context, types []ir.Type) (out []kit.Kind) {
	for _, t := range loop.Leaves(c, types...) {
		if loop.IsString(c, t) {
			out = append(out, kit.String)
		} else {
			out = append(out, kit.Scalar(t))
		}
	}
	return out
}

// keyValues are the values of the components, which are equal where keys are: what a nullable
// that has no value holds is zero.
func (m arrays) keyValues(types []ir.Type, keys []ir.Value) (out []ir.Value) {
	for i, v := range keys {
		out = append(out, m.keyLeaves(types[i], v, 0)...)
	}
	return out
}

// keyLeaves are keyValues of a component, which counts where has holds; 0 is always.
func (m arrays) keyLeaves(t ir.Type, v, has ir.Value) (out []ir.Value) {
	c, k := m.B.Ctx(), m.kit()
	types, fields, record := m.fields(t, v)
	switch {
	case record:
		inner := has
		if loop.IsNullable(c, t) {
			if inner = fields[1]; has != 0 {
				inner = k.And(has, inner)
			}
		}
		for i, x := range fields {
			out = append(out, m.keyLeaves(types[i], x, inner)...)
		}
	case loop.IsString(c, t):
		x := m.view(v)
		if has != 0 {
			x.n = k.Choose(has, x.n, k.Index(0))
		}
		out = []ir.Value{x.parts[0], x.from, x.n}
	case has != 0:
		out = []ir.Value{k.Choose(has, v, arith.Zero(m.B, t))}
	default:
		out = []ir.Value{v}
	}
	return out
}
