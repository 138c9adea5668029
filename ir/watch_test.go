package ir

import (
	"maps"
	"testing"
)

// A watcher hears of folds, shares and overwritten writes, and can tell from where
// nodes were built what moved.
func TestWatch(t *testing.T) {
	count := map[EventKind]int{}
	var tally Tally
	var rules []string
	ctx := NewContext(tDialect)
	ctx.Watch = func(e Event) {
		count[e.Kind]++
		switch e.Kind {
		case Folded:
			rules = append(rules, e.Rule)
		case Finished:
			tally = e.Tally()
		}
	}
	b := tb{NewBuilder(ctx)}
	x := b.Param(I64)
	ref := b.Param(ctx.OpaqueType("t.ref"))
	b.Op(tAdd, x, b.n(0))      // folds
	b.Op(tAdd, b.n(1), b.n(2)) // folds
	a := b.p("a", x)           // sinks
	b.p("dead", x)             // dead
	b.p("twice", x)            // dead, too
	b.p("twice", x)            // shared
	b.Op(tStore, x, ref)       // overwritten
	b.Op(tStore, b.p("v", x), ref)
	l := b.loop(I64, func(i Value) {
		h := b.p("h", x) // leaves the loop
		b.yield(b.Op(tAdd, h, i))
	}, x)
	r := b.cond(x, I64, func() { b.yield(a) }, func() { b.yield(l) })
	b.yield(r)
	b.Finish()
	want := map[EventKind]int{Folded: 2, Shared: 1, Overwritten: 1, Finished: 1}
	shared := count[Shared]
	if count[Shared] = want[Shared]; !maps.Equal(count, want) || shared < 1 {
		t.Errorf("events %v, %d shared", count, shared)
	}
	if len(rules) != 2 || rules[0] != "x + 0 = x" || rules[1] != "" {
		t.Errorf("rules %q", rules)
	}
	if tally.Hoisted != 1 || tally.Dead != 3 || tally.Sunk < 1 || tally.Garbage != 0 {
		t.Errorf("%+v", tally)
	}
}

// A write overwrites only what was written in its own region: what stands before a
// branch is seen where the branch is not taken.
func TestBranchDoesNotOverwrite(t *testing.T) {
	ctx := NewContext(tDialect)
	overwritten := 0
	ctx.Watch = func(e Event) {
		if e.Kind == Overwritten {
			overwritten++
		}
	}
	b := tb{NewBuilder(ctx)}
	x, y := b.Param(I64), b.Param(I64)
	ref := b.Param(ctx.OpaqueType("t.ref"))
	before := b.Op(tStore, x, ref)
	var inside Value
	b.cond(x, I64, func() {
		inside = b.Op(tStore, y, ref)
		b.yield(x)
	}, func() { b.yield(y) })
	b.yield(b.Op(tLoad, ref))
	g := b.Finish()
	if h := g.Hard(inside); overwritten != 0 || len(h) != 1 || h[0] != before {
		t.Errorf("%d writes overwritten; the write in the branch comes after %v, not %d", overwritten, h, before)
	}
}
