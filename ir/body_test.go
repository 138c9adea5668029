package ir

import "testing"

// A rule of a loop may put new values in the place of ops of its body, also of those in regions of it. What only these
// need is gone, and no rule is asked for them.
func TestBodyWith(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	loop := b.loop(I64, func(i Value) {
		inner := b.cond(x, I64, func() { b.yield(b.p("deep", b.p("old", i), i)) }, func() { b.yield(x) })
		b.yield(b.p("user", inner, b.p("old", i)))
	})
	b.Op(tYield, loop)
	g := b.Finish()
	asked := 0
	out := Rewrite(g.Ctx, ScheduleOf(g), Rules{
		tPure: func(m *Mirror, n Node) Value {
			if n.Graph().Ctx.AttrInfo(n.Attr("n")).Str == "old" {
				asked++
			}
			return 0
		},
		tLoop: func(m *Mirror, n Node) Value {
			instead := map[Node]Value{}
			for v := range m.Schedule().All() {
				if g.Def(v) == tPure && g.Ctx.AttrInfo(g.Attr(v, "n")).Str == "old" {
					instead[g.NodeOf(v)] = tb{m.B}.p("new")
				}
			}
			if len(instead) != 1 {
				t.Fatalf("%d ops are to be replaced", len(instead))
			}
			body := n.Region(0)
			r := m.RegionWith(body, Loop, nil, func(params []Value) {
				m.Op(tYield, m.BodyWith(body, instead, params...)...)
			})
			return m.B.Must(Call{Def: tLoop, Regions: []Region{r}, Type: I64})
		},
	}, nil)
	if err := Verify(out); err != nil {
		t.Fatal(err)
	}
	if got, want := show(out, ScheduleOptions{}), "new loop{if{deep}{} user}"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if asked > 0 {
		t.Errorf("a rule was asked %d times for what is replaced", asked)
	}
}
