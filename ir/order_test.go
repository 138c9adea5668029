package ir

import "testing"

// Orders that random programs hardly meet: each is a read whose only user stands
// in a branch behind a write, where it must not follow its user.

// anyRef is a reference to memory of which nothing is known.
var anyRef = Define(&OpDef{Name: "t.any", Attrs: []string{"n"}, Infer: func(c *Call) (Type, error) { return c.Ctx().OpaqueType("t.ref"), nil }})

func (t tb) any(name string, a Value) Value {
	c := t.Ctx()
	return t.OpAttr(anyRef, c.Props([]NamedAttr{{Name: "n", Value: c.StringAttr(name)}}, nil), a)
}

// Many reads of a wide resource become one token; it comes after all of them.
func TestManyReadersAreJoined(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	a := b.Op(tAlloc)
	var loads []Value
	for i := range manyReaders + 2 {
		loads = append(loads, b.Op(tLoad, b.any(string(rune('a'+i)), a)))
	}
	b.Op(tStore, x, a)
	b.cond(c, Void, func() {
		for _, l := range loads {
			b.Op(tPrint, l)
		}
		b.yield()
	}, func() { b.yield() })
	b.Op(tPrint, b.Op(tLoad, b.any("a", a)))
	g := b.Finish()
	for _, opts := range []ScheduleOptions{{}, {Copies: true}, {Shuffle: func(int) int { return 0 }}} {
		s := NewSchedule(g, opts)
		for _, l := range loads {
			if s.Place(l) != Root {
				t.Fatalf("a load stands behind the store: %s", show(g, opts))
			}
		}
	}
	if err := Verify(g); err != nil {
		t.Error(err)
	}
}

// The edges of reads of a wide resource and writes below it are linear in them.
func TestEdgesOfReadersAreLinear(t *testing.T) {
	edges := func(n int) int {
		b := newTB()
		x := b.Param(I64)
		a, o := b.Op(tAlloc), b.Op(tAlloc)
		for i := range n {
			b.Op(tPrint, b.Op(tLoad, b.any(string(rune('a'+i)), o)))
		}
		for range n {
			b.Op(tStore, x, a)
			x = b.p("f", x)
		}
		return len(b.Finish().edges)
	}
	if few, many := edges(100), edges(800); many > 10*few {
		t.Errorf("8 times the ops have %d edges, not %d", many, few)
	}
}

// A write of a wide resource comes after reads of what lies below it.
func TestWideWriteComesAfterNarrowReads(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	a := b.Op(tAlloc)
	b.Op(tPut, a, b.Op(tBox)) // so that others may know it
	q := b.any("q", a)
	b.Op(tPrint, b.Op(tLoad, q))
	l := b.Op(tLoad, a)
	b.Op(tStore, x, q)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, func() { b.yield() })
	g := b.Finish()
	if p := NewSchedule(g, ScheduleOptions{}).Place(l); p != Root {
		t.Errorf("a load stands behind the store: %s", show(g, ScheduleOptions{}))
	}
}

// What a region reads and that lives further out is read where the region is, two
// regions deep as well.
func TestReadsFloatOutOfRegions(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	var l Value
	nop := func() { b.yield() }
	b.cond(c, Void, func() {
		b.cond(c, Void, func() { l = b.Op(tLoad, m); b.Op(tPrint, l); b.yield() }, nop)
		b.yield()
	}, nop)
	b.Op(tStore, x, m)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, nop)
	check(t, "two deep", finish(t, b, ScheduleOptions{}), "load if{if{print}{}}{} store if{print}{}")
}

// The same where the region itself has no use for what it read.
func TestUnusedReadsFloatOutOfRegions(t *testing.T) {
	for _, depth := range []int{1, 2} {
		b := newTB()
		x, c := b.Param(I64), b.Param(I1)
		m := b.Param(b.Ctx().OpaqueType("t.ref"))
		var l Value
		nop := func() { b.yield() }
		var nest func(d int)
		nest = func(d int) {
			b.cond(c, Void, func() {
				if d > 1 {
					nest(d - 1)
				} else {
					l = b.Op(tLoad, m)
				}
				b.Op(tPrint, x)
				b.yield()
			}, nop)
		}
		nest(depth)
		b.Op(tStore, x, m)
		b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, nop)
		g := b.Finish()
		if p := NewSchedule(g, ScheduleOptions{}).Place(l); p != Root {
			t.Errorf("a load of %d regions deep stands behind the store: %s", depth, show(g, ScheduleOptions{}))
		}
	}
}

// A loop into which a rule puts a write is built again: what was read as if
// nothing wrote it is read in each round.
func TestLoopIsBuiltAgainForItsWrites(t *testing.T) {
	grow := Define(&OpDef{Name: "t.grow", Infer: gives(I64)})
	b := newTB()
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	b.loop(Void, func(i Value) {
		b.Op(tPrint, b.Op(tLoad, m))
		b.Op(tPrint, b.Op(grow, i, m))
		b.yield()
	})
	g := b.Finish()
	rules := Rules{grow: func(m *Mirror, n Node) Value {
		m.Op(tStore, m.Of(n.Arg(0)), m.Of(n.Arg(1)))
		return m.Of(n.Arg(0))
	}}
	for range 2 {
		g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), rules, nil)
		check(t, "with the write", show(g, ScheduleOptions{}), "loop{load print store print}")
	}
}

// The second region of a loop writes what the first one reads.
func TestSiblingsOfALoopAreBuiltAgain(t *testing.T) {
	grow := Define(&OpDef{Name: "t.grow2", Infer: gives(I64)})
	b := newTB()
	x := b.Param(I64)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	before := b.Region(Loop, []Type{I64}, func(p []Value) { b.Op(tPrint, b.Op(tLoad, m)); b.yield(p[0], p[0]) })
	after := b.Region(Loop, []Type{I64}, func(p []Value) { b.Op(tPrint, b.Op(grow, p[0], m)); b.yield(p[0]) })
	b.Must(Call{Def: tWhile, Args: []Value{x}, Regions: []Region{before, after}, Type: I64})
	g := b.Finish()
	rules := Rules{grow: func(m *Mirror, n Node) Value {
		m.Op(tStore, m.Of(n.Arg(0)), m.Of(n.Arg(1)))
		return m.Of(n.Arg(0))
	}}
	g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), rules, nil)
	check(t, "with the write", show(g, ScheduleOptions{}), "while{load print}{store print}")
}

// What may trap inside of a barrier is not one with its equal outside.
func TestTrapsStayInBarriers(t *testing.T) {
	b := newTB()
	x, y := b.Param(I64), b.Param(I64)
	b.Op(tPrint, b.Op(tDiv, x, y))
	r := b.Region(Barrier, nil, func([]Value) { b.Op(tPrint, b.Op(tDiv, x, y)); b.yield() })
	b.Must(Call{Def: tHide, Regions: []Region{r}, Type: Void})
	check(t, "two", finish(t, b, ScheduleOptions{}), "div print hide{div print}")
}

// What only the region of an unknown op uses stays outside of it: nobody knows
// when the region runs, and how often.
func TestNothingSinksIntoBarriers(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	v := b.p("a", x)
	r := b.Region(Barrier, nil, func([]Value) { b.Op(tPrint, v); b.yield() })
	b.Must(Call{Def: tHide, Regions: []Region{r}, Type: Void})
	check(t, "one use, inside", finish(t, b, ScheduleOptions{}), "a hide{print}")
}

// Loops that use the same values in other places are two.
func TestLoopsWithValuesExchanged(t *testing.T) {
	b := newTB()
	b.loop(Void, func(i Value) {
		b.loop(Void, func(j Value) {
			one := b.loop(I64, func(k Value) { b.yield(b.p("f", i, j, k)) })
			two := b.loop(I64, func(k Value) { b.yield(b.p("f", j, i, k)) })
			if one == two {
				t.Error("they are one")
			}
			b.Op(tPrint, one)
			b.Op(tPrint, two)
			b.yield()
		})
		b.yield()
	})
	check(t, "both", finish(t, b, ScheduleOptions{}), "loop{loop{loop{f} loop{f} print print}}")
}
