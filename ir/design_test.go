package ir

import "testing"

// The five design errors that the prototype met, and sharing up to the names of
// parameters at several depths.

// 1. A region must remember all its needs, not only the innermost.
func TestDesignRegionKeepsAllNeeds(t *testing.T) {
	b := newTB()
	var in Value
	b.loop(Void, func(i Value) {
		b.loop(Void, func(j Value) {
			in = b.loop(I64, func(k Value) { b.yield(b.p("f", i, b.p("g", j, k))) })
			b.Op(tPrint, in)
			b.yield()
		})
		b.yield()
	})
	g := b.g
	if needs := g.nodes[in].needs; needs != depthBit(1)|depthBit(2) {
		t.Errorf("the inner loop needs depths %b, wanted 1 and 2", needs)
	}
	check(t, "needs", finish(t, b, ScheduleOptions{}), "loop{loop{loop{g f} print}}")
}

// 2. A read is recorded where the node lives, not where its resource lives.
func TestDesignReadIsRecordedWhereItLives(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	var l Value
	nop := func() { b.yield() }
	b.cond(c, Void, func() { l = b.Op(tLoad, m); b.Op(tPrint, l); b.yield() }, nop)
	if h := b.g.Home(l); h != Root {
		t.Fatalf("the load lives in region %d, wanted the root", h)
	}
	b.Op(tStore, x, m)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, nop)
	check(t, "load", finish(t, b, ScheduleOptions{}), "load if{print}{} store if{print}{}")
}

// 3. Soft edges must constrain placement.
func TestDesignSoftEdgesConstrainPlacement(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	l := b.Op(tLoad, m)
	b.Op(tStore, x, m)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, func() { b.yield() })
	g := b.Finish()
	for _, opts := range []ScheduleOptions{{}, {Copies: true}, {Shuffle: func(int) int { return 0 }}} {
		check(t, "load before store", show(g, opts), "load store if{print}{}")
	}
}

// 4. Allocations must be pinned.
func TestDesignAllocationsArePinned(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	var first, second Value
	b.loop(Void, func(i Value) {
		first, second = b.Op(tAlloc), b.Op(tAlloc)
		b.Op(tPrint, b.Op(tLoad, first))
		b.Op(tPrint, b.Op(tLoad, second))
		b.Op(tStore, x, first)
		b.yield()
	})
	if first == second || !b.g.IsPinned(first) {
		t.Error("allocations are shared or float")
	}
	check(t, "alloc", finish(t, b, ScheduleOptions{}), "loop{alloc alloc load print load print}")
}

// 5. A load that may be out of bounds must be Partial.
func TestDesignLoadOutOfBoundsIsPartial(t *testing.T) {
	at := Define(&OpDef{Name: "t.at", Traits: NoCapture | Partial, Infer: gives(I64), Effects: func(c *Call) []Effect {
		return []Effect{{Read, c.Builder().ResourceOf(c.Args[0])}}
	}})
	b := newTB()
	i, c := b.Param(I64), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	b.loop(Void, func(j Value) {
		b.Op(tPrint, j)
		b.cond(c, Void, func() { b.Op(tPrint, b.Op(at, m, i)); b.yield() }, func() { b.yield() })
		b.yield()
	})
	g := b.Finish()
	for range 2 {
		check(t, "guarded", show(g, ScheduleOptions{}), "loop{print if{at print}{}}")
		g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
	}
}

// Equal loops are one node at whatever depths they are built, with nested regions
// and parameters, if they need the same; not if they take parameters of two loops
// around them.
func TestAlphaSharingAtSeveralDepths(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	mk := func(free Value) Value {
		return b.loop(I64, func(i Value) {
			b.yield(b.loop(I64, func(j Value) {
				b.yield(b.cond(b.p("c", i, j), I64, func() { b.yield(b.p("f", i, free)) }, func() { b.yield(b.p("g", j)) }))
			}))
		})
	}
	want := mk(x)
	var nest func(depth int, outer Value)
	nest = func(depth int, outer Value) {
		if got := mk(x); got != want && depth < 62 { // deeper, needs are not known exactly
			t.Errorf("depth %d: node %d, wanted %d", depth, got, want)
		}
		if depth == 70 {
			return
		}
		b.loop(Void, func(i Value) {
			own := mk(i)
			if own == want || depth > 0 && own == mk(outer) {
				t.Errorf("depth %d: different loops are one", depth)
			}
			if depth < 62 && own != mk(i) {
				t.Errorf("depth %d: equal loops are two", depth)
			}
			if depth < 60 {
				b.cond(i, Void, func() { // one deeper: what it needs is the same
					if mk(i) != own {
						t.Errorf("depth %d: an equal loop in a branch is another", depth)
					}
					b.yield()
				}, func() { b.yield() })
			}
			b.Op(tPrint, own)
			nest(depth+1, i)
			b.yield()
		})
	}
	nest(0, x)
	b.Op(tPrint, want)
	finish(t, b, ScheduleOptions{})
}
