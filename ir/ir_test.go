package ir

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func finish(t *testing.T, b tb, opts ScheduleOptions) string {
	t.Helper()
	g := b.Finish()
	if err := Verify(g); err != nil {
		t.Error(err)
	}
	s := NewSchedule(g, opts)
	again := Rewrite(g.Ctx, s, nil, nil)
	if err := Verify(again); err != nil {
		t.Error("after rewrite: ", err)
	}
	if a, b := NewSchedule(again, opts).Fingerprint(), NewSchedule(Rewrite(g.Ctx, NewSchedule(again, opts), nil, nil), opts).Fingerprint(); a != b {
		t.Errorf("the identity changes the fingerprint: %s to %s", show(g, opts), show(again, opts))
	}
	return show(g, opts)
}

func TestSharing(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	b.Op(tPrint, b.p("f", b.p("g", x), b.p("g", x)))
	check(t, "CSE", finish(t, b, ScheduleOptions{}), "g f print")
	b = newTB()
	x, y := b.Param(I64), b.Param(I64)
	if b.Op(tAdd, x, y) != b.Op(tAdd, y, x) {
		t.Error("x+y and y+x differ")
	}
	if b.Op(tAdd, x, b.n(0)) != x {
		t.Error("x+0 is not x")
	}
	if b.Op(tAdd, b.n(2), b.n(3)) != b.n(5) {
		t.Error("2+3 is not 5")
	}
}

func TestCodeMotion(t *testing.T) {
	// LMS cases 3.1, 3.2, 3.3: hot fringe, forced inside, loop in a conditional.
	b := newTB()
	x := b.Param(I1)
	b.Op(tPrint, b.loop(I64, func(i Value) {
		b.yield(b.cond(b.p("p0", i), I64, func() {
			b.yield(b.cond(x, I64, func() { b.yield(b.p("p1")) }, func() { b.yield(b.n(0)) }))
		}, func() { b.yield(b.n(1)) }))
	}))
	check(t, "3.1", finish(t, b, ScheduleOptions{}), "if{p1}{} loop{p0 if{}{}} print")
	b = newTB()
	x = b.Param(I1)
	b.Op(tPrint, b.loop(I64, func(i Value) {
		b.yield(b.cond(x, I64, func() {
			b.yield(b.cond(b.p("p0", i), I64, func() { b.yield(b.p("p1")) }, func() { b.yield(b.n(0)) }))
		}, func() { b.yield(b.n(1)) }))
	}))
	check(t, "3.2", finish(t, b, ScheduleOptions{}), "p1 loop{if{p0 if{}{}}{}} print")
	b = newTB()
	x = b.Param(I1)
	b.Op(tPrint, b.cond(x, I64, func() {
		b.yield(b.loop(I64, func(i Value) { b.yield(b.p("f", i, b.p("p1"))) }))
	}, func() { b.yield(b.n(1)) }))
	check(t, "3.3", finish(t, b, ScheduleOptions{}), "if{p1 loop{f}}{} print")
}

func TestColdCopies(t *testing.T) {
	b := newTB()
	x, y := b.Param(I1), b.Param(I1)
	z := b.p("z")
	use := func() { b.Op(tPrint, z); b.yield() }
	nop := func() { b.yield() }
	b.cond(x, Void, use, nop)
	b.cond(y, Void, use, nop)
	g := b.Finish()
	check(t, "with copies", show(g, ScheduleOptions{Copies: true}), "if{z print}{} if{z print}{}")
	check(t, "without", show(g, ScheduleOptions{}), "z if{print}{} if{print}{}")
}

func TestTrapsStay(t *testing.T) {
	b := newTB()
	x, y := b.Param(I64), b.Param(I64)
	b.loop(Void, func(i Value) { b.Op(tPrint, b.Op(tDiv, x, y)); b.Op(tPrint, b.Op(tDiv, x, b.n(2))); b.yield() })
	check(t, "3.16", finish(t, b, ScheduleOptions{}), "div loop{div print print}")
	b = newTB()
	x, y = b.Param(I64), b.Param(I64)
	q := b.Op(tDiv, x, y)
	b.loop(Void, func(i Value) { b.Op(tPrint, b.Op(tDiv, x, y)); b.yield() })
	b.Op(tPrint, q)
	check(t, "shared with one outside", finish(t, b, ScheduleOptions{}), "div loop{print} print")
}

func TestMemory(t *testing.T) {
	b := newTB()
	x, y := b.Param(I64), b.Param(I64)
	m := b.Op(tAlloc)
	b.Op(tStore, x, m)
	b.Op(tStore, y, m)
	b.Op(tPrint, b.Op(tLoad, m))
	check(t, "forwarding and dead stores", finish(t, b, ScheduleOptions{}), "print")

	b = newTB()
	x, y = b.Param(I64), b.Param(I64)
	ref := b.Ctx().OpaqueType("t.ref")
	m1, m2 := b.Param(ref), b.Param(ref)
	b.Op(tStore, x, m1)
	l := b.Op(tLoad, m2)
	b.Op(tStore, y, m1)
	b.Op(tPrint, l)
	b.Op(tPrint, b.Op(tLoad, m2))
	check(t, "arguments may alias", finish(t, b, ScheduleOptions{}), "store load store print load print")
}

// A read must not sink past a write into a later branch.
func TestSoftEdges(t *testing.T) {
	b := newTB()
	x, c := b.Param(I64), b.Param(I1)
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	l := b.Op(tLoad, m)
	b.Op(tStore, x, m)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, func() { b.yield() })
	check(t, "load, store, branch", finish(t, b, ScheduleOptions{}), "load store if{print}{}")
	b = newTB()
	x, c = b.Param(I64), b.Param(I1)
	m = b.Param(b.Ctx().OpaqueType("t.ref"))
	l = b.Op(tLoad, m)
	b.cond(c, Void, func() { b.Op(tPrint, l); b.yield() }, func() { b.yield() })
	b.Op(tStore, x, m)
	check(t, "load, branch, store", finish(t, b, ScheduleOptions{}), "if{load print}{} store")
	// The read is recorded in a branch, lives outside, and is used after the write.
	b = newTB()
	x, c = b.Param(I64), b.Param(I1)
	m = b.Param(b.Ctx().OpaqueType("t.ref"))
	var r Value
	b.cond(c, Void, func() { r = b.Op(tLoad, m); b.Op(tPrint, r); b.yield() }, func() { b.yield() })
	b.Op(tStore, x, m)
	b.cond(c, Void, func() { b.Op(tPrint, r); b.yield() }, func() { b.yield() })
	check(t, "recorded in a branch", finish(t, b, ScheduleOptions{}), "load if{print}{} store if{print}{}")
}

func TestLoopMemory(t *testing.T) {
	b := newTB()
	ref := b.Ctx().OpaqueType("t.ref")
	m := b.Param(ref)
	a := b.Op(tAlloc)
	b.Op(tStore, b.n(1), a)
	b.loop(Void, func(i Value) {
		b.Op(tPrint, b.Op(tLoad, m))
		b.Op(tStore, b.Op(tAdd, b.Op(tLoad, a), i), a)
		b.yield()
	})
	b.Op(tPrint, b.Op(tLoad, a))
	g := b.Finish()
	check(t, "first build", show(g, ScheduleOptions{}), "alloc store loop{load print load add store} load print")
	g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
	check(t, "rebuild", show(g, ScheduleOptions{}), "alloc store load loop{print load add store} load print")
	if err := Verify(g); err != nil {
		t.Error(err)
	}
}

func TestAlphaSharing(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	mk := func() Value {
		return b.loop(I64, func(i Value) {
			b.yield(b.loop(I64, func(j Value) { b.yield(b.Op(tAdd, i, b.p("f", j, x))) }))
		})
	}
	l := mk()
	if mk() != l {
		t.Error("equal loops are two")
	}
	var inner Value
	b.loop(Void, func(i Value) { inner = mk(); b.Op(tPrint, inner); b.yield() })
	if inner != l {
		t.Error("equal loops at different depths are two")
	}
	other := b.loop(I64, func(i Value) {
		b.yield(b.loop(I64, func(j Value) { b.yield(b.Op(tAdd, j, b.p("f", j, x))) }))
	})
	if other == l {
		t.Error("different loops are one")
	}
	if b.Graph().garbage == 0 {
		t.Error("garbage is not counted")
	}
}

func TestNeedsAreKept(t *testing.T) {
	// The inner region needs both outer parameters; its loop must not leave the middle one.
	b := newTB()
	var k Value
	b.loop(Void, func(i Value) {
		b.loop(Void, func(j Value) {
			k = b.loop(I64, func(l Value) { b.yield(b.p("f", i, b.p("g", j, l))) })
			b.Op(tPrint, k)
			b.yield()
		})
		b.yield()
	})
	check(t, "needs", finish(t, b, ScheduleOptions{}), "loop{loop{loop{g f} print}}")
}

func TestDeadCode(t *testing.T) {
	b := newTB()
	x := b.Param(I1)
	m := b.Op(tAlloc)
	b.Op(tStore, b.n(1), m)
	b.cond(x, I64, func() { b.yield(b.p("a")) }, func() { b.yield(b.n(3)) })
	b.cond(x, Void, func() { b.Op(tPrint, b.n(1)); b.yield() }, func() { b.p("c"); b.yield() })
	check(t, "dead", finish(t, b, ScheduleOptions{}), "if{print}{}")
}

func TestSplice(t *testing.T) {
	b := newTB()
	x := b.Param(I64)
	v := b.cond(b.Const(I1, BoolVal(true)), I64, func() {
		b.Op(tPrint, x)
		b.loop(Void, func(i Value) { b.Op(tPrint, i); b.yield() })
		b.yield(b.p("f", x))
	}, func() { b.yield(b.n(3)) })
	b.Op(tPrint, v)
	check(t, "if true", finish(t, b, ScheduleOptions{}), "f print loop{print} print")
}

func TestOutOfScope(t *testing.T) {
	b := newTB()
	var in Value
	b.loop(Void, func(i Value) { in = b.p("f", i); b.Op(tPrint, in); b.yield() })
	if _, err := b.Make(Call{Def: tPrint, Args: []Value{in}}); err == nil {
		t.Error("a use out of scope is accepted")
	}
}

func TestUnknownOpsAreOrdered(t *testing.T) {
	b := newTB()
	u, _ := b.Ctx().Unregistered("x.y")
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	b.Op(tPrint, b.Op(tLoad, m))
	b.Must(Call{Def: u, Args: []Value{m}})
	b.Op(tPrint, b.Op(tLoad, m))
	check(t, "order", finish(t, b, ScheduleOptions{}), "load print y load print")
	b = newTB()
	u, _ = b.Ctx().Unregistered("x.y")
	r := b.Region(Barrier, nil, func([]Value) { b.Op(tPrint, b.p("f")) })
	b.Must(Call{Def: u, Regions: []Region{r}})
	b.Op(tPrint, b.p("f"))
	check(t, "barrier", finish(t, b, ScheduleOptions{}), "y{f print} f print")
}

func TestFunctions(t *testing.T) {
	b := newTB()
	f := NewBuilder(b.Ctx())
	f.Op(tPrint, tb{f}.p("f", f.Param(I64)))
	b.Must(Call{Def: tFunc, Graphs: []*Graph{f.Finish()}})
	g := b.Finish()
	g2 := Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
	if NewSchedule(g, ScheduleOptions{}).Fingerprint() != NewSchedule(g2, ScheduleOptions{}).Fingerprint() {
		t.Error("fingerprint of a child changes")
	}
}

// Found by random programs: a read must not be placed inside of a loop that
// writes what it reads, wherever else its users would let it stand.
func TestReadStaysOutOfWritingLoop(t *testing.T) {
	b := newTB()
	m := b.Param(b.Ctx().OpaqueType("t.ref"))
	l := b.Op(tLoad, m)
	b.loop(Void, func(i Value) { b.Op(tStore, l, m); b.Op(tStore, i, m); b.Op(tPrint, l); b.yield() })
	g := b.Finish()
	check(t, "deepest place", show(g, ScheduleOptions{Shuffle: func(int) int { return 0 }}), "load loop{store print}")
}

// A set of resources says what asking each of them says.
func TestResourceSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		g := &Graph{memory: fixedResources()}
		for range 1 + rng.IntN(12) {
			g.addResource(resource{parent: Resource(rng.IntN(len(g.memory)))})
		}
		s, in := NewResourceSet(g), []Resource(nil)
		for range rng.IntN(4) {
			r := Resource(rng.IntN(len(g.memory)))
			s.Add(r)
			in = append(in, r)
		}
		for r := range Resource(len(g.memory)) {
			if want := slices.ContainsFunc(in, func(x Resource) bool { return g.MayAlias(x, r) }); s.MayAlias(r) != want {
				t.Fatalf("%d and %v of %v: %v", r, in, g.memory, !want)
			}
		}
	}
}
