package ir

import (
	"slices"
	"testing"
)

// Users are ops that are needed, those in regions too, once for each operand; a result of
// several counts by itself and as one of its op.
func TestUses(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	y := b.p("y", x)
	b.p("dead", y)
	pair := b.cond(c, b.Ctx().Multi(I64, I64), func() {
		b.Op(tPrint, y)
		b.yield(x, y)
	}, func() { b.yield(y, b.p("twice", y, y)) })
	first := b.Op(tPrint, b.Result(pair, 0))
	g := b.Finish()

	u := Uses(g)
	if Uses(g) != u {
		t.Error("the table is made again")
	}
	names := func(v Value) (out []string) {
		for _, w := range u.Of(v) {
			out = append(out, g.Def(w).Name)
		}
		return out
	}
	if got, want := names(y), []string{"t.print", "t.yield", "t.p", "t.p", "t.yield"}; !slices.Equal(sorted(got), sorted(want)) {
		t.Errorf("y is used by %v, want %v", got, want)
	}
	if !slices.IsSorted(u.Of(y)) {
		t.Errorf("users are not in order: %v", u.Of(y))
	}
	if got := u.Of(pair); !slices.Equal(got, []Value{first}) || !slices.Equal(u.Of(g.Args(first)[0]), got) {
		t.Errorf("the conditional is used by %v, its first result by %v, want %v", got, u.Of(g.Args(first)[0]), first)
	}
	n := g.NodeOf(y)
	if len(n.Users()) != 4 || n.NumUses() != 5 {
		t.Errorf("y has %d users in %d places, want 4 in 5", len(n.Users()), n.NumUses())
	}
	if got := g.NodeOf(pair).UsedResults(); !slices.Equal(got, []bool{true, false}) {
		t.Errorf("used results are %v, want the first", got)
	}
}

func sorted(s []string) []string {
	s = slices.Clone(s)
	slices.Sort(s)
	return s
}

// An analysis is made once for each graph, whoever asks, and for a rebuilt graph anew. What
// panics panics for each who asks.
func TestAnalysisIsKept(t *testing.T) {
	b := newTB()
	b.Op(tPrint, b.n(1))
	g := b.Finish()
	made := 0
	size := NewAnalysis("size", func(g *Graph) int {
		made++
		return ScheduleOf(g).NumOps()
	})
	for range 3 {
		Parallel(4, func(int) {
			if n := size.Of(g); n != 2 {
				t.Errorf("size is %d", n)
			}
		})
	}
	if h := Rewrite(g.Ctx, ScheduleOf(g), nil, nil); size.Of(h) != 2 || made != 2 {
		t.Errorf("made %d times for two graphs", made)
	}
	want := []AnalysisCount{{"schedule", 2, 3}, {"size", 2, 13}}
	if got := g.Ctx.Analyses(); !slices.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
	fails := NewAnalysis("fails", func(*Graph) int { panic("no size") })
	for range 2 {
		if got := panics(func() { fails.Of(g) }); got != "no size" {
			t.Errorf("panics with %v", got)
		}
	}
	if got := panics(func() { size.Of(newTB().Graph()) }); got != "ir: analysis size of a graph that is being built" {
		t.Errorf("of an unfinished graph it panics with %v", got)
	}
}

func panics(f func()) (what any) {
	defer func() { what = recover() }()
	f()
	return nil
}

// Cleanups see the users in the graph that is rebuilt; of several for an op the first that gives
// something wins, and what fired is counted.
func TestCleanups(t *testing.T) {
	once := func(name string) func(m *Mirror, n Node) Value {
		return func(m *Mirror, n Node) Value {
			if n.NumUses() != 1 || n.NumArgs() != 1 {
				return 0
			}
			return m.B.OpAttr(tPure, m.B.Ctx().Props([]NamedAttr{{Name: "n", Value: m.B.Ctx().StringAttr(name)}}, nil), m.Of(n.Arg(0)), m.Of(n.Arg(0)))
		}
	}
	d := *tDialect
	d.Cleanups = []Cleanup{
		{Of: tPure, Rule: "never", Do: func(*Mirror, Node) Value { return 0 }},
		{Of: tPure, Rule: "used once", Do: once("first")},
		{Of: tPure, Rule: "too late", Do: once("second")},
	}
	b := tb{NewBuilder(NewContext(&d))}
	x := b.Param(I64)
	one, two := b.p("one", x), b.p("two", x)
	b.Op(tPrint, one)
	b.Op(tPrint, two)
	b.Op(tPrint, two)
	g := b.Finish()
	h := Rewrite(g.Ctx, ScheduleOf(g), g.Ctx.Cleanups(), nil)
	var got []string
	for _, v := range ScheduleOf(h).Body(Root) {
		if h.Def(v) == tPure {
			got = append(got, h.Ctx.AttrInfo(h.Attr(v, "n")).Str)
		}
	}
	if !slices.Equal(got, []string{"first", "two"}) || !slices.Equal(h.Ctx.FiredRules(), []string{"used once"}) {
		t.Errorf("got %v by %v", got, h.Ctx.FiredRules())
	}
}
