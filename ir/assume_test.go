package ir

import "testing"

// What the second region of a loop writes its first reads in the next round.
func TestSiblingLoopRegions(t *testing.T) {
	b := newTB()
	ref := b.Ctx().OpaqueType("t.ref")
	m, other := b.Op(tAlloc), b.Param(ref)
	b.Op(tStore, b.n(1), m)
	r1 := b.Region(Loop, nil, func([]Value) { b.Op(tPrint, b.Op(tLoad, m)); b.Op(tPrint, b.Op(tLoad, other)); b.yield() })
	r2 := b.Region(Loop, nil, func([]Value) { b.Op(tStore, b.n(2), m); b.yield() })
	b.Must(Call{Def: tLoop, Regions: []Region{r1, r2}, Type: Void})
	g := b.Finish()
	want := "alloc store load loop{load print print}{store}"
	for range 2 {
		g = Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
		check(t, "rebuild", show(g, ScheduleOptions{}), want)
	}
}

// Making a function does nothing; what it does it does when it is called.
func TestLambdaHasNoEffectOfItsOwn(t *testing.T) {
	b := newTB()
	lambda := Define(&OpDef{Name: "t.lambda", Body: Lambda, Infer: gives(I64)})
	r := b.Region(Lambda, []Type{I64}, func(a []Value) { b.Op(tPrint, b.Op(tDiv, a[0], b.Param(I64))); b.yield() })
	v := b.Must(Call{Def: lambda, Regions: []Region{r}})
	if g := b.Graph(); !g.IsPure(v) {
		t.Error("a lambda is not pure")
	}
}

func TestDeclarationsStayDeclarations(t *testing.T) {
	b := NewBuilder(NewContext(tDialect))
	b.NoBlock()
	g := Rewrite(b.Ctx(), NewSchedule(b.Finish(), ScheduleOptions{}), nil, nil)
	if g.HasBlock(Root) {
		t.Error("a body appears")
	}
}

func TestRangesAreEntered(t *testing.T) {
	b := newTB()
	seen := map[*Builder]bool{}
	loop := Define(&OpDef{Name: "t.ranged", Body: Loop, Infer: gives(Void), Enter: func(b *Builder, _ Attr, args []Value, i int, p []Value) {
		b.SetRange(p[0], 0, 9, 3)
		if low, high, step, ok := b.Range(p[0]); ok && low == 0 && high == 9 && step == 3 && i == 0 && len(args) == 1 {
			seen[b] = true
		}
	}})
	x := b.Param(I64)
	r := b.Region(Loop, []Type{I64}, func(a []Value) { b.Op(tPrint, a[0]); b.yield() })
	b.Must(Call{Def: loop, Args: []Value{x}, Regions: []Region{r}})
	g := b.Finish()
	Rewrite(g.Ctx, NewSchedule(g, ScheduleOptions{}), nil, nil)
	if len(seen) != 1 {
		t.Errorf("a rebuild enters %d regions, wanted 1", len(seen))
	}
}
