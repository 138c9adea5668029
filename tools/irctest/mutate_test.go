package irctest

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

func TestMutate(t *testing.T) { Config{Programs: 60}.Mutate(t, toy("")) }

// A rule that never fires, and one that nothing can notice, are named.
func TestMutateNames(t *testing.T) {
	d := toy("")
	mix := d.Ops[0]
	d.Folds = append(d.Folds,
		ir.Fold{Of: mix, Rule: "mix(12345, y) = y + 37035", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
			if !isConst(c, 0, 12345) {
				return 0
			}
			return b.Op(arith.Addi, c.Args[1], b.Const(ir.I32, ir.Val{Bits: 37035}))
		}})
	r := &recorder{TB: t}
	Config{Programs: 60}.Mutate(r, d)
	if said := r.said.String(); strings.Count(said, "\n") != 1 || !strings.Contains(said, `rule "mix(12345, y) = y + 37035" never fires`) {
		t.Errorf("it says\n%s", said)
	}
	d.Cleanups = append(d.Cleanups, ir.Cleanup{Of: mix, Rule: "mix with 1000 users = x", Do: func(m *ir.Mirror, n ir.Node) ir.Value {
		if len(n.Users()) > 1000 {
			return m.Of(n.Arg(0))
		}
		return 0
	}})
	r = &recorder{TB: t}
	Config{Programs: 60}.Mutate(r, d)
	if said := r.said.String(); !strings.Contains(said, `rule "mix with 1000 users = x" never fires`) {
		t.Errorf("of a cleanup it says\n%s", said)
	}
	d.Cleanups = d.Cleanups[:1]
	r = &recorder{TB: t}
	sample := "func.func @f(%y: i32) -> i32 {\n  %k = arith.constant 12345 : i32\n  %r = toy.mix %k, %y : i32\n  return %r : i32\n}"
	Config{Programs: 60, Samples: []string{sample}}.Mutate(r, d)
	if r.failed {
		t.Errorf("with a sample it says\n%s", r.said.String())
	}
}
