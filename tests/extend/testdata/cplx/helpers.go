package main

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

func addf(m *ir.Mirror, x, y ir.Value) ir.Value { return arith.AddF(m.B, x, y) }
func subf(m *ir.Mirror, x, y ir.Value) ir.Value { return arith.SubF(m.B, x, y) }
func mulf(m *ir.Mirror, x, y ir.Value) ir.Value { return arith.MulF(m.B, x, y) }
