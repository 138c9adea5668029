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

// A fold that is a pattern has mutants, too: here half(mix(x, x)) is a division.
func TestMutatePattern(t *testing.T) {
	d := toy("")
	mix := d.Ops[0]
	half := d.Ops[2]
	d.Folds = []ir.Fold{{Of: half, Rule: "half(mix(x, x)) = mix(x, x) / 2", Is: &ir.Pattern{
		From: &ir.Term{Args: []*ir.Term{{Def: mix, Args: []*ir.Term{{Var: 1}, {Var: 1}}}}},
		To: &ir.Term{Def: arith.Divsi, Args: []*ir.Term{{Def: mix, Args: []*ir.Term{{Var: 1}, {Var: 1}}},
			{Is: func(ir.Type, int, []uint64) (uint64, bool) { return 2, true }, Text: "2"}}}}}}
	const sample = "func.func @f(%x: i32) -> i32 {\n  %y = toy.mix %x, %x : i32\n  %r = \"toy.half\"(%y) : (i32) -> i32\n  return %r : i32\n}"
	x, err := Config{Programs: 60, Samples: []string{sample}}.newDialectTest(d)
	if err != nil {
		t.Fatal(err)
	}
	runs, _, f := x.baseline(Config{Programs: 60})
	if f != nil {
		t.Fatal(f.what)
	}
	if v := x.verdict(0, runs); v.applied == 0 || v.noticed == 0 {
		t.Errorf("of %d mutants %d are noticed", v.applied, v.noticed)
	}
}

// A function is not called if one of its arguments cannot be made, which is said.
func TestUncalled(t *testing.T) {
	c := Config{Programs: 10, Samples: []string{"func.func @f(%x: tensor<4xi32>, %y: i32) -> i32 {\n  %r = \"toy.half\"(%y) : (i32) -> i32\n  return %r : i32\n}"}}
	x, err := c.newDialectTest(toy(""))
	if err != nil {
		t.Fatal(err)
	}
	if said := strings.Join(x.gen.uncalled, "\n"); !strings.Contains(said, "@f of the samples is not called as it is: no argument is made of type tensor<4xi32>") {
		t.Errorf("it says %q", said)
	}
}
