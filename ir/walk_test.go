package ir

import (
	"strings"
	"testing"
)

// All and Nested visit what is scheduled, outer before inner, and stop when they are told to.
func TestAll(t *testing.T) {
	m := newTB()
	for _, name := range []string{"f", "g"} {
		f := tb{NewBuilder(m.Ctx())}
		x := f.Param(I64)
		f.p("unused", x)
		f.Op(tPrint, f.p(name, x))
		m.Must(Call{Def: tFunc, Graphs: []*Graph{f.Finish()}})
	}
	m.Op(tPrint, m.p("end"))
	g := m.Finish()
	for _, c := range []struct {
		stop string
		want string
	}{
		{"", "func p print func p print p print"},
		{"t.func", "func"},
		{"t.print", "func p print"},
	} {
		var got []string
		for n := range g.All() {
			got = append(got, strings.TrimPrefix(n.Def().Name, "t."))
			if n.Def().Name == c.stop {
				break
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("until %q: %s, want %s", c.stop, s, c.want)
		}
	}
	if n := g.NumOps(); n != 8 {
		t.Errorf("%d ops, want 8", n)
	}
	var graphs []*Graph
	for in := range g.Nested() {
		graphs = append(graphs, in)
	}
	if len(graphs) != 3 || graphs[0] != g {
		t.Errorf("%d graphs, want 3, the first of all first", len(graphs))
	}
	for in := range g.Nested() {
		if in != g {
			break
		}
	}
}
