package ir

import "testing"

// A read must not sink into a branch of an op that writes what it reads, past
// the write.
func TestReadStaysBeforeWriteAroundIt(t *testing.T) {
	b := newTB()
	x, c, d := b.Param(I64), b.Param(I1), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	l := b.Op(tLoad, m)
	nop := func() { b.yield() }
	b.cond(c, Void, func() {
		b.Op(tStore, x, m)
		b.cond(d, Void, func() { b.Op(tPrint, l); b.yield() }, nop)
		b.yield()
	}, nop)
	check(t, "nested branch", finish(t, b, ScheduleOptions{}), "if{load store if{print}{}}{}")
}

// What a spliced body read from outside is read where it is spliced.
func TestSpliceReads(t *testing.T) {
	for _, write := range []bool{false, true} {
		b := newTB()
		x, c := b.Param(I64), b.Param(I1)
		m := b.Param(b.Ctx().OpaqueType("t.ref"))
		nop := func() { b.yield() }
		l := b.cond(b.Const(I1, BoolVal(true)), I64, func() {
			l := b.Op(tLoad, m)
			if write {
				b.Op(tStore, x, m)
			}
			b.yield(l)
		}, func() { b.yield(x) })
		if !write {
			b.Op(tStore, x, m)
		}
		b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, nop)
		check(t, "spliced", finish(t, b, ScheduleOptions{}), "load store if{print}{}")
	}
}

// What is spliced stands in the source where it stood.
func TestSplicedPlaces(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	b.cond(b.Const(I1, BoolVal(true)), Void, func() {
		b.Must(Call{Def: tPrint, Args: []Value{x}, Type: Void, Loc: 7})
		b.yield()
	}, func() { b.yield() })
	g := b.Finish()
	found := 0
	for v := range NewSchedule(g, ScheduleOptions{}).All() {
		if g.Def(v) != tPrint {
			continue
		}
		found++
		if ls := g.LocsOf(v); len(ls) != 1 || ls[0] != 7 {
			t.Errorf("the op has the places %v", ls)
		}
	}
	if found != 1 {
		t.Errorf("%d ops", found)
	}
}

// A loop that writes nothing still reads what was written before it, through a
// reference that may be that memory.
func TestOptimistSeesWritesBelow(t *testing.T) {
	b := newTB()
	ref := b.Ctx().OpaqueType("t.ref")
	keep := Define(&OpDef{Name: "t.keep", Infer: func(c *Call) (Type, error) { return ref, nil }})
	x := b.Param(I64)
	a := b.Op(tAlloc)
	q := b.Op(keep, a)
	b.Op(tPrint, b.Op(tLoad, q))
	b.Op(tStore, x, a)
	b.loop(Void, func(i Value) { b.Op(tPrint, b.Op(tLoad, q)); b.yield() })
	g := b.Finish()
	for range 2 {
		g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
		check(t, "may alias", show(g, ScheduleOptions{}), "alloc keep load print store load loop{print}")
	}
}

// Regions deeper than 64 share a bit of the needs.
func TestDeepRegions(t *testing.T) {
	b := newTB()
	c := b.Param(I1)
	var nest func(d int, p Value)
	nest = func(d int, p Value) {
		if d == 100 {
			return
		}
		b.loop(Void, func(i Value) {
			for range 2 {
				v := b.cond(c, I64, func() { b.yield(b.p("f", i)) }, func() { b.yield(b.p("g", p)) })
				b.Op(tPrint, v)
				b.cond(c, Void, func() { b.Op(tPrint, b.p("f", i)); b.yield() }, func() { b.Op(tPrint, b.p("f", i)); b.yield() })
			}
			nest(d+1, i)
			b.yield()
		})
	}
	nest(0, b.n(1))
	finish(t, b, ScheduleOptions{})
}

// A delayed rewrite is for one op, not for what that may fold to.
func TestDelayIsNotInherited(t *testing.T) {
	b := newUB()
	y := b.p("y")
	v := b.Op(tPlus, b.Op(tHigh), y)
	b.Delay(v, "lowering", func(m *Mirror, n Node) Value { return m.Op(tLow, m.All(n.Args())...) })
	b.Op(tPrint, v)
	g, err := (&Phase{Name: "zero", Rules: Rules{tHigh: func(m *Mirror, n Node) Value { return m.Op(tZeros) }}}).Run(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "folded", names(g), "p print")
	if g, err = (&Phase{Name: "lowering"}).Run(g); err != nil {
		t.Fatal(err)
	}
	check(t, "lowered", names(g), "p print")
}

// An isolated op that defines no symbol.
func TestIsolatedWithoutSymbol(t *testing.T) {
	b := newTB()
	iso := Define(&OpDef{Name: "t.iso", Traits: Isolated, Infer: gives(I64)})
	for range 3 {
		f := NewBuilder(b.Ctx())
		f.Op(tPrint, tb{f}.p("f", f.Param(I64)))
		b.Op(tPrint, b.Must(Call{Def: iso, Graphs: []*Graph{f.Finish()}}))
	}
	check(t, "isolated", finish(t, b, ScheduleOptions{}), "iso print iso print iso print")
}

// A function value may be called after its maker has returned.
func TestLambdaKeepsMemory(t *testing.T) {
	b := newTB()
	fn := b.Ctx().OpaqueType("t.fn")
	lambda := Define(&OpDef{Name: "t.closure", Body: Lambda, Infer: func(c *Call) (Type, error) { return fn, nil }})
	x := b.Param(I64)
	a := b.Op(tAlloc)
	r := b.Region(Lambda, nil, func([]Value) { b.Op(tPrint, b.Op(tLoad, a)); b.yield() })
	f := b.Must(Call{Def: lambda, Regions: []Region{r}})
	b.Op(tStore, x, a)
	b.yield(f)
	check(t, "captured", finish(t, b, ScheduleOptions{}), "alloc closure{load print} store")
}

// Memory that is written between a function's making and its call is read when it
// is read, not when the function is called.
func TestReadStaysOutOfLambda(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	fn := b.Ctx().OpaqueType("t.fn")
	lambda := Define(&OpDef{Name: "t.fun", Body: Lambda, Infer: func(c *Call) (Type, error) { return fn, nil }})
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	l := b.Op(tLoad, m)
	r := b.Region(Lambda, nil, func([]Value) { b.Op(tPrint, l); b.yield() })
	f := b.Must(Call{Def: lambda, Regions: []Region{r}})
	b.Op(tStore, x, m)
	b.yield(f)
	g := b.Finish()
	for _, opts := range []ScheduleOptions{{}, {Shuffle: func(int) int { return 0 }}} {
		check(t, "lambda", show(g, opts), "load fun{print} store")
	}
}

// A loop whose op writes by itself reads what it has written.
func TestLoopThatWritesItself(t *testing.T) {
	b := newTB()
	ref := b.Ctx().OpaqueType("t.ref")
	fill := Define(&OpDef{Name: "t.fill", Body: Loop, Infer: gives(Void), Effects: func(c *Call) []Effect {
		return []Effect{{Write, c.Builder().ResourceOf(c.Args[0])}}
	}})
	m := b.Param(ref)
	r := b.Region(Loop, nil, func([]Value) { b.Op(tPrint, b.Op(tLoad, m)); b.yield() })
	b.Must(Call{Def: fill, Args: []Value{m}, Regions: []Region{r}})
	g := b.Finish()
	for range 2 {
		g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
		check(t, "rebuilt", show(g, ScheduleOptions{}), "fill{load print}")
	}
}

// Fresh numbers are not shared, from however deep they come.
func TestUniqueNumbers(t *testing.T) {
	b := newTB()
	fresh := Define(&OpDef{Name: "t.fresh", Traits: Unique, Infer: gives(I64)})
	c := b.Param(I1)
	for range 2 {
		b.Op(tPrint, b.cond(c, I64, func() { b.yield(b.Op(fresh)) }, func() { b.yield(b.n(0)) }))
	}
	check(t, "two", finish(t, b, ScheduleOptions{}), "if{fresh}{} print if{fresh}{} print")
}

// Rules that undo one another end a phase.
func TestPhaseOfOpposedRulesEnds(t *testing.T) {
	b := newUB()
	b.Op(tPrint, b.Op(tHigh, b.Param(I64)))
	swap := func(d *OpDef) func(m *Mirror, n Node) Value {
		return func(m *Mirror, n Node) Value { return m.Op(d, m.All(n.Args())...) }
	}
	g, err := (&Phase{Name: "p", Rules: Rules{tHigh: swap(tLow), tLow: swap(tHigh)}}).Run(b.Finish())
	if err != nil {
		t.Fatal(err)
	}
	check(t, "after", names(g), "high print")
}

// A reference that is stored may be read by others, although a store keeps nothing
// of the memory that it writes.
func TestStoredReferenceEscapes(t *testing.T) {
	b := newTB()
	box := b.Param(b.Ctx().OpaqueType("t.ref"))
	a := b.Op(tAlloc)
	b.Op(tStore, a, box)
	b.Op(tStore, b.n(1), a)
	check(t, "stored", finish(t, b, ScheduleOptions{}), "alloc store store")
}
