package ir

import (
	"strings"
	"testing"
)

var (
	tZeros = Define(&OpDef{Name: "u.zeros", Infer: gives(I64)})
	tPlus  = Define(&OpDef{Name: "u.plus", Infer: gives(I64)})
	tLow   = Define(&OpDef{Name: "u.low", Infer: gives(I64)})
	tHigh  = Define(&OpDef{Name: "u.high", Infer: gives(I64)})

	uDialect = &Dialect{Name: "u", Ops: []*OpDef{tZeros, tPlus, tLow, tHigh}, Folds: []Fold{
		{Of: tPlus, Rule: "plus(zeros, b) = b", Do: func(b *Builder, c *Call) Value {
			if b.Graph().Def(c.Args[0]) == tZeros {
				return c.Args[1]
			}
			return 0
		}},
	}}
)

func newUB() tb { return tb{NewBuilder(NewContext(tDialect, uDialect))} }

func names(g *Graph) string {
	s := NewSchedule(g, ScheduleOptions{})
	var out []string
	for v := range s.All() {
		out = append(out, g.Def(v).Name[2:])
	}
	return strings.Join(out, " ")
}

// LMS case 8.1: before its phase a node keeps its level, so that rules match it;
// after the phase none is left.
func TestDelayedRewriting(t *testing.T) {
	b := newUB()
	x, y := b.Param(I64), b.Param(I64)
	delay := func(v Value) Value {
		b.Delay(v, "lowering", func(m *Mirror, n Node) Value { return m.Op(tLow, m.All(n.Args())...) })
		return v
	}
	b.Op(tPrint, delay(b.Op(tPlus, b.Op(tZeros), x)))
	b.Op(tPrint, delay(b.Op(tPlus, x, y)))
	g := b.Finish()
	check(t, "before", names(g), "print plus print")
	other := &Phase{Name: "other"}
	g, err := other.Run(g)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "another phase", names(g), "print plus print")
	p := &Phase{Name: "lowering", Illegal: func(d *OpDef) bool { return d == tPlus }}
	if g, err = p.Run(g); err != nil {
		t.Fatal(err)
	}
	check(t, "after", names(g), "print low print")
}

// LMS case 8.5: what a phase registers while it runs applies in its next
// iteration, and the second registration for one node is dropped.
func TestDelayedDuringPhase(t *testing.T) {
	b := newUB()
	v := b.Op(tHigh, b.Param(I64))
	b.Delay(v, "p", func(m *Mirror, n Node) Value {
		w := m.Op(tPlus, m.Of(n.Arg(0)), m.Of(n.Arg(0)))
		m.B.Delay(w, "p", func(m *Mirror, n Node) Value { return m.Op(tLow, m.Of(n.Arg(0))) })
		return w
	})
	b.Delay(v, "p", func(m *Mirror, n Node) Value { t.Error("the second registration ran"); return 0 })
	b.Op(tPrint, v)
	g, err := (&Phase{Name: "p"}).Run(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "after", names(g), "low print")
}

func TestPhaseLeavesNothingOver(t *testing.T) {
	b := newUB()
	b.Op(tPrint, b.Op(tHigh, b.Param(I64)))
	_, err := (&Phase{Name: "p", Illegal: func(d *OpDef) bool { return d == tHigh }}).Run(b.Finish())
	if err == nil || !strings.Contains(err.Error(), "u.high") || !strings.Contains(err.Error(), "phase p") {
		t.Errorf("got %v", err)
	}
}

// LMS case 1.9: rules fire on the users of what was rewritten, without a pass.
func TestMirroringFiresRules(t *testing.T) {
	b := newUB()
	x := b.Param(I64)
	b.Op(tPrint, b.Op(tPlus, b.Op(tHigh), x))
	g := b.Finish()
	rules := Rules{tHigh: func(m *Mirror, n Node) Value { return m.Op(tZeros) }}
	g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), rules, nil)
	check(t, "after", names(g), "print")
}

func TestVerifierNamesTheInvariant(t *testing.T) {
	b := newUB()
	x := b.Param(I64)
	var inner Value
	b.loop(Void, func(i Value) { inner = b.p("f", i); b.Op(tPrint, inner); b.yield() })
	out := b.p("g", x)
	b.Op(tPrint, out)
	g := b.Finish()
	if err := Verify(g); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		v, arg    Value
		invariant string
	}{{out, inner, "scope"}, {inner, out, "topological order"}} {
		err := Verify(Tamper(g, c.v, 0, c.arg))
		e, ok := err.(*InvariantError)
		if !ok || e.invariant != c.invariant || !strings.Contains(e.Error(), "t.p") {
			t.Errorf("got %v, want invariant %q", err, c.invariant)
		}
	}
}
