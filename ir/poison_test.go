package ir

import (
	"slices"
	"testing"
)

// An author's dialect, which says nothing of poison, and one op that does.
var (
	pChoose = Define(&OpDef{Name: "u.choose", Body: Branch, Infer: given})
	pDirty  = Define(&OpDef{Name: "u.dirty", Infer: gives(I64)})
	pRounds = Define(&OpDef{Name: "u.rounds", Body: Loop, Infer: given, Traits: Clean, Harmless: First,
		Feeds: func(_, _, j int) []Source { return []Source{{Index: j}, {Yields: true, Index: j}} }})
	pFreeze = Define(&OpDef{Name: "u.freeze", Infer: gives(I64), Traits: Freezes})
	pDivide = Define(&OpDef{Name: "u.divide", Infer: gives(I64), Traits: Partial | Clean, Traps: func(*Call) bool { return false }})

	unsaid = &Dialect{Name: "u", Ops: []*OpDef{pChoose, pDirty, pRounds, pFreeze, pDivide}}
)

// guarded builds a loop with an op of the author's on a value that it does not change.
func guarded(make func(b tb, x Value) Value, op *OpDef) string {
	b := tb{NewBuilder(NewContext(tDialect, unsaid))}
	x := make(b, b.Param(I64))
	b.Op(tPrint, b.loop(I64, func(Value) {
		if op != pChoose {
			b.yield(b.Op(op, x))
			return
		}
		r := b.Region(Branch, nil, func([]Value) { b.yield(b.p("in")) })
		b.yield(b.Must(Call{Def: op, Args: []Value{x}, Regions: []Region{r}, Type: I64}))
	}))
	return show(b.Finish(), ScheduleOptions{})
}

// An op with regions, or a partial one, stays where it is if its operand may be poison; that it cannot
// trap otherwise is no help. Of what is no poison it leaves the loop.
func TestPoisonKeepsInPlace(t *testing.T) {
	same := func(_ tb, x Value) Value { return x }
	dirty := func(b tb, x Value) Value { return b.Op(pDirty, x) }
	frozen := func(b tb, x Value) Value { return b.Op(pFreeze, b.Op(pDirty, x)) }
	of := func(b tb, x Value) Value { return b.p("sum", b.Op(pDirty, x)) }
	for _, x := range []struct {
		what string
		make func(tb, Value) Value
		op   *OpDef
		want string
	}{
		{"clean", same, pChoose, "choose{in} loop{} print"},
		{"dirty", dirty, pChoose, "dirty in loop{choose{}} print"},
		{"made of dirty", of, pChoose, "dirty sum in loop{choose{}} print"},
		{"frozen", frozen, pChoose, "dirty freeze choose{in} loop{} print"},
		{"clean, partial", same, pDivide, "divide loop{} print"},
		{"dirty, partial", dirty, pDivide, "dirty loop{divide} print"},
	} {
		if got := guarded(x.make, x.op); got != x.want {
			t.Errorf("%s: got %q, want %q", x.what, got, x.want)
		}
	}
}

// What a loop carries is known once the loop is there: it is clean if all that feeds it is.
func TestCarriedPoison(t *testing.T) {
	for _, dirties := range []bool{false, true} {
		b := tb{NewBuilder(NewContext(tDialect, unsaid))}
		x := b.Param(I64)
		r := b.Region(Loop, []Type{I64}, func(p []Value) {
			next := b.Op(tAdd, p[0], b.n(1))
			if dirties {
				next = b.Op(pDirty, next)
			}
			b.Op(tPrint, b.loop(I64, func(Value) { b.yield(b.Op(pDivide, p[0])) }))
			b.yield(next)
		})
		b.Op(tPrint, b.Must(Call{Def: pRounds, Args: []Value{x}, Regions: []Region{r}, Type: I64}))
		g := b.Finish()
		p := g.Params(r)[0]
		if got := g.MayBePoison(p); got != dirties {
			t.Errorf("carried, with poison %v: may be poison %v", dirties, got)
		}
		loops := show(Settle(g), ScheduleOptions{})
		if want := map[bool]string{false: "rounds{add divide loop{} print} print", true: "rounds{add dirty loop{divide} print} print"}[dirties]; loops != want {
			t.Errorf("got %q, want %q", loops, want)
		}
	}
}

// A frozen number is one number: no region gets a copy of its own.
func TestFrozenIsOne(t *testing.T) {
	b := tb{NewBuilder(NewContext(tDialect, unsaid))}
	x, y := b.Param(I1), b.Op(pFreeze, b.Op(pDirty, b.Param(I64)))
	use := func() { b.Op(tPrint, y); b.yield() }
	b.cond(x, Void, use, func() { b.yield() })
	b.cond(x, Void, func() { b.yield() }, use)
	g := b.Finish()
	s := NewSchedule(g, ScheduleOptions{Copies: true})
	if !slices.Contains(s.Body(Root), y) || len(s.Copies(y)) > 0 {
		t.Errorf("frozen %v times:\n%s", 1+len(s.Copies(y)), show(g, ScheduleOptions{Copies: true}))
	}
}
