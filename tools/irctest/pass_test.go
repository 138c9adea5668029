package irctest

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
)

// rewriting is a pass of rules.
type rewriting struct{ rules ir.Rules }

func (p *rewriting) Run(_ *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), p.rules, nil), nil
}

// A passFault is a mistake of the author of a pass: rules that are wrong, with the example that the pass is for.
type passFault struct {
	name, example string
	rules         ir.Rules
}

func (f passFault) info() *pass.Info {
	return &pass.Info{Name: "faulty", Doc: "For a test.", Why: "nowhere", Example: f.example, New: func() pass.Pass { return &rewriting{f.rules} }}
}

// factored is a*b + a*c as a*(b+c): it keeps the flags, although b+c may overflow where the products do not.
func factored(m *ir.Mirror, n ir.Node) ir.Value {
	x, y := n.Arg(0), n.Arg(1)
	if x.Def() != arith.Muli || y.Def() != arith.Muli || x.Arg(0) != y.Arg(0) {
		return 0
	}
	sum := m.B.OpAttr(arith.Addi, n.Attrs(), m.Of(x.Arg(1)), m.Of(y.Arg(1)))
	return m.B.OpAttr(arith.Muli, n.Attrs(), m.Of(x.Arg(0)), sum)
}

// negated is x - y as x + (0 - y): it keeps nsw, and 0 - y overflows for the least number.
func negated(m *ir.Mirror, n ir.Node) ir.Value {
	if _, known := n.Arg(1).Const(); known || n.Type() != ir.I32 {
		return 0
	}
	minus := m.B.OpAttr(arith.Subi, n.Attrs(), m.B.Const(ir.I32, ir.Val{}), m.Of(n.Arg(1)))
	return m.B.OpAttr(arith.Addi, n.Attrs(), m.Of(n.Arg(0)), minus)
}

// shifted is x / 2 as a shift, which rounds down where the quotient rounds to zero.
func shifted(m *ir.Mirror, n ir.Node) ir.Value {
	v, ok := n.Arg(1).Const()
	if !ok || v.IsPoison() || v.Bits != 2 {
		return 0
	}
	return m.Op(arith.Shrsi, m.Of(n.Arg(0)), m.B.Const(n.Type(), ir.Val{Bits: 1}))
}

// unswitched asks a condition that a loop does not change before the loop, which may have no iteration, and freezes
// nothing.
func unswitched(m *ir.Mirror, n ir.Node) ir.Value {
	s, body := m.Schedule(), n.Region(0).Old()
	g := s.Graph()
	for _, v := range s.Body(body) {
		if g.Def(v) != scf.If || g.Home(g.Args(v)[0]) == body {
			continue
		}
		cond := g.NodeOf(g.Args(v)[0])
		made, _, _ := g.Projection(cond.Old())
		if _, known := cond.Const(); known || g.IsOp(made) && s.Place(made) == body {
			continue
		}
		c := m.Of(cond)
		loop := func(holds bool) func() []ir.Value {
			return func() []ir.Value {
				m.Set(cond, arith.ConstBool(m.B, holds))
				return m.B.Results(m.Copy(n))
			}
		}
		both := scf.BuildIf(m.B, c, loop(true), loop(false))
		m.Set(cond, c)
		return both
	}
	return 0
}

// speculated makes a choice of a branch, and runs both sides whatever they are: a quotient that was guarded traps.
func speculated(m *ir.Mirror, n ir.Node) ir.Value {
	s, g := m.Schedule(), n.Graph()
	if n.NumRegions() != 2 || g.Results(n.Old()) != 1 {
		return 0
	}
	for i := range 2 {
		for _, v := range s.Body(n.Region(i).Old()) {
			if !g.Def(v).Has(ir.Terminator) && (g.HasEffect(v) || len(g.Regions(v)) > 0) {
				return 0
			}
		}
	}
	x, y := m.Body(n.Region(0)), m.Body(n.Region(1))
	return m.Op(arith.Select, m.Of(n.Arg(0)), x[0], y[0])
}

// inverted exchanges the branches of a conditional and forgets to negate.
func inverted(m *ir.Mirror, n ir.Node) ir.Value {
	if n.NumRegions() != 2 || n.Graph().Results(n.Old()) != 1 {
		return 0
	}
	return scf.BuildIf(m.B, m.Of(n.Arg(0)), func() []ir.Value { return m.Body(n.Region(1)) }, func() []ir.Value { return m.Body(n.Region(0)) })
}

// joined makes one conditional of two in one another by andi, which is poison where the inner condition is.
func joined(m *ir.Mirror, n ir.Node) ir.Value {
	s, g := m.Schedule(), n.Graph()
	outer := s.Body(n.Region(0).Old())
	if g.Results(n.Old()) != 0 || n.NumRegions() == 2 && len(s.Body(n.Region(1).Old())) > 1 {
		return 0
	}
	var inner ir.Node
	for _, v := range outer {
		switch {
		case g.Def(v) == scf.If && inner == (ir.Node{}) && g.Results(v) == 0:
			inner = g.NodeOf(v)
		case !g.Def(v).Has(ir.Terminator) && !g.IsPure(v):
			return 0
		}
	}
	if inner == (ir.Node{}) || inner.NumRegions() == 2 && len(s.Body(inner.Region(1).Old())) > 1 {
		return 0
	}
	m.BodyWithout(n.Region(0), func(x ir.Node) bool { return x == inner })
	both := m.Op(arith.Andi, m.Of(n.Arg(0)), m.Of(inner.Arg(0)))
	return scf.BuildIf(m.B, both, func() []ir.Value { m.Body(inner.Region(0)); return nil }, nil)
}

// peeled runs the first iteration before the loop, whether or not there is one.
func peeled(m *ir.Mirror, n ir.Node) ir.Value {
	args := m.All(n.Args())
	if m.B.Graph().Type(args[0]) != ir.Index || len(args) != 4 {
		return 0
	}
	first := m.Body(n.Region(0), append([]ir.Value{args[0]}, args[3:]...)...)
	next := m.Op(arith.Addi, args[0], args[2])
	body := m.Region(n.Region(0))
	return m.B.Must(ir.Call{Def: scf.For, Args: append([]ir.Value{next, args[1], args[2]}, first...), Attr: n.Attrs(), Regions: []ir.Region{body}})
}

// rounds runs a loop once more than it is written.
func rounds(m *ir.Mirror, n ir.Node) ir.Value {
	args := m.All(n.Args())
	if m.B.Graph().Type(args[0]) != ir.Index {
		return 0
	}
	args[1] = m.Op(arith.Addi, args[1], m.B.Index(1))
	return m.B.Must(ir.Call{Def: scf.For, Args: args, Attr: n.Attrs(), Regions: []ir.Region{m.Region(n.Region(0))}})
}

// dropped leaves a store out if the value was loaded from memory before, wherever that was.
func droppedStore(m *ir.Mirror, n ir.Node) ir.Value {
	if n.Arg(0).Def() == memref.Load {
		return m.B.Pack()
	}
	return 0
}

// kept takes for a load what the first load of the same element gave, whatever was stored since.
func keptLoad(m *ir.Mirror, n ir.Node) ir.Value {
	if n.NumArgs() != 2 || n.Arg(1).Def() != arith.Constant {
		return 0
	}
	g, s := n.Graph(), m.Schedule()
	for _, v := range s.Body(s.Place(n.Old())) {
		if v == n.Old() {
			return 0
		}
		if g.Def(v) == memref.Load && g.NodeOf(v).Arg(0) == n.Arg(0) && g.NodeOf(v).Arg(1) == n.Arg(1) {
			return m.Of(g.NodeOf(v))
		}
	}
	return 0
}

// panicking has not thought of everything.
// mistaken is a rule that is found to be wrong where the Example does not show it, as those of authors are.
func mistaken(_ *ir.Mirror, n ir.Node) ir.Value {
	if n.Type() == ir.I32 {
		return 0
	}
	panic(&ir.OpError{Op: n.Def().Name, Author: true, Msg: "is rewritten wrongly"})
}

func panicking(m *ir.Mirror, n ir.Node) ir.Value {
	if n.Type() != ir.I32 {
		panic("never mind")
	}
	return m.Op(arith.Xori, m.Of(n.Arg(1)), m.Of(n.Arg(0)))
}

const (
	branching = `func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
  %r = scf.if %c -> (i32) {
    %q = arith.divui %x, %y : i32
    scf.yield %q : i32
  } else {
    scf.yield %x : i32
  }
  return %r : i32
}`
	nested = `func.func @f(%m: memref<4xi32>, %c: i1, %x: i32) {
  %c0 = arith.constant 0 : index
  %s = arith.addi %x, %x overflow<nsw> : i32
  %d = arith.cmpi slt, %s, %x : i32
  scf.if %c {
    scf.if %d {
      memref.store %x, %m[%c0] : memref<4xi32>
    }
  }
  return
}`
	looping = `func.func @f(%n: index, %x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.andi %n, %c3 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%a = %x) -> (i32) {
    %b = arith.muli %a, %x : i32
    scf.yield %b : i32
  }
  return %r : i32
}`
	switching = `func.func @f(%m: memref<4xi32>, %n: index, %x: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %k = arith.andi %n, %c3 : index
  %s = arith.addi %x, %x overflow<nsw> : i32
  %c = arith.cmpi slt, %s, %x : i32
  scf.for %i = %c0 to %k step %c1 {
    scf.if %c {
      memref.store %x, %m[%i] : memref<4xi32>
    }
  }
  return
}`
	storing = `func.func @f(%m: memref<4xi32>, %i: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.load %m[%c0] : memref<4xi32>
  memref.store %a, %m[%c1] : memref<4xi32>
  %c3 = arith.constant 3 : index
  %j = arith.andi %i, %c3 : index
  memref.store %x, %m[%j] : memref<4xi32>
  %b = memref.load %m[%c0] : memref<4xi32>
  return %a, %b : i32, i32
}`
	summing = `func.func @f(%a: i32, %b: i32, %c: i32) -> i32 {
  %x = arith.muli %a, %b overflow<nsw> : i32
  %y = arith.muli %a, %c overflow<nsw> : i32
  %z = arith.addi %x, %y overflow<nsw> : i32
  return %z : i32
}`
	subtracting = `func.func @f(%a: i32, %b: i32) -> i32 {
  %x = arith.subi %a, %b overflow<nsw> : i32
  return %x : i32
}`
	halving = `func.func @f(%a: i32, %b: i32) -> i32 {
  %c2 = arith.constant 2 : i32
  %x = arith.divsi %a, %c2 : i32
  %y = arith.xori %x, %b : i32
  return %y : i32
}`
)

// passFaults are known mistakes, those of compilers in use among them.
var passFaults = []passFault{
	{"factoring keeps nsw", summing, ir.Rules{arith.Addi: factored}},
	{"a difference as a sum keeps nsw", subtracting, ir.Rules{arith.Subi: negated}},
	{"a quotient as a shift", halving, ir.Rules{arith.Divsi: shifted}},
	{"unswitching without freeze", switching, ir.Rules{scf.For: unswitched}},
	{"a hoist over a trap", branching, ir.Rules{scf.If: speculated}},
	{"branches exchanged", branching, ir.Rules{scf.If: inverted}},
	{"conditions joined by andi", nested, ir.Rules{scf.If: joined}},
	{"peeling of no iteration", looping, ir.Rules{scf.For: peeled}},
	{"one iteration more", looping, ir.Rules{scf.For: rounds}},
	{"a store that is lost", storing, ir.Rules{memref.Store: droppedStore}},
	{"a load that is kept over a store", storing, ir.Rules{memref.Load: keptLoad}},
	{"a panic", halving, ir.Rules{arith.Xori: panicking}},
	{"an author's mistake, which refuses no input", halving, ir.Rules{arith.Xori: mistaken}},
}

// mostLines is how long the report of a fault may be up to what becomes of the program: that of unswitching needs a
// loop, a conditional, a number that may be poison and something to see, and the report says what is wrong.
const mostLines = 24

func TestPassFaults(t *testing.T) {
	for _, f := range passFaults {
		t.Run(f.name, func(t *testing.T) {
			at, found, find, tally, err := Config{Programs: 1000}.passFault(f.info())
			if err != nil || found == nil {
				t.Fatalf("nothing is found: %v; %s", err, tally)
			}
			r := &recorder{TB: t}
			report(r, tally.dialects, at, found, find)
			t.Logf("%d programs: %s", tally.programs.Load(), r.said.String())
			if out, _, _ := strings.Cut(r.said.String(), "becomes"); strings.Count(out, "\n") > mostLines {
				t.Errorf("it is reduced to more than %d lines", mostLines)
			}
		})
	}
}

func TestRightPass(t *testing.T) { Config{Programs: 100}.Pass(t, basic.CanonicalizeInfo) }
