package loop

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run/table"
)

// Opt is a value that may be missing: an empty cell of a CSV file, or a pointer in rows of
// data that is nil.
type Opt[E Expr] struct{ *node }

func (Opt[E]) of(n *node) Expr { return Opt[E]{n} }

func (Opt[E]) cell() cell {
	x := (*new(E)).cell()
	if x.nullable {
		fail("an Opt of an Opt: what may be missing is a Num, a Str or a Bool")
	}
	x.nullable = true
	return x
}

// Has says that there is a value.
func (x Opt[E]) Has() Bool {
	return Bool{made(func(c *compiler) ir.Value { return loop.FieldOf(c.b, c.value(x.node), "valid") })}
}

// Or is the value, and where it is missing another one.
func (x Opt[E]) Or(other E) E {
	value := wrap[E](made(func(c *compiler) ir.Value { return loop.FieldOf(c.b, c.value(x.node), "value") }))
	return If(x.Has(), value, other)
}

// Some is a value that is there.
func Some[E Expr](x E) Opt[E] {
	return opt[E](func(c *compiler) ir.Value { return c.value(x.made()) }, true)
}

// None is a value that is missing.
func None[E Expr]() Opt[E] {
	return opt[E](func(c *compiler) ir.Value {
		x := (*new(E)).cell()
		if x.kind == table.String {
			return c.value(Text("").node)
		}
		return arith.Zero(c.b, types[x.kind])
	}, false)
}

func opt[E Expr](value func(c *compiler) ir.Value, has bool) Opt[E] {
	return Opt[E]{made(func(c *compiler) ir.Value {
		return loop.MakeStruct(c.b, typeOf(c.b.Ctx(), Opt[E]{}.cell()), value(c), arith.ConstBool(c.b, has))
	})}
}
