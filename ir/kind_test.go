package ir

import (
	"strings"
	"testing"
)

// tTimes runs its body as often as its attribute says, t.many or t.once.
var tTimes = Define(&OpDef{Name: "t.times", Attrs: []string{"n"}, Infer: given, Kind: func(c *Context, attr Attr, _ int) RegionKind {
	if a := c.Get(attr, "n"); a != 0 && c.AttrInfo(a).Str == "once" {
		return Once
	}
	return Loop
}})

func (t tb) times(n string, kind RegionKind, body func()) (Value, error) {
	return t.Make(Call{Def: tTimes, Attr: t.attrs(n), Type: Void, Regions: []Region{t.Region(kind, nil, func([]Value) { body(); t.yield() })}})
}

func (t tb) attrs(n string) Attr {
	return t.Ctx().Props([]NamedAttr{{Name: "n", Value: t.Ctx().StringAttr(n)}}, nil)
}

// The kind of a region follows from the attributes of its op: one of another kind is refused
// when the op is made, the schedule asks the region, and a rule that changes
// the attribute gets a region of the new kind.
func TestKindByAttribute(t *testing.T) {
	d := *tDialect
	d.Ops = append(d.Ops[:len(d.Ops):len(d.Ops)], tTimes)
	b := tb{NewBuilder(NewContext(&d))}
	x := b.Param(I64)
	if _, err := b.times("many", Once, func() {}); err == nil || !strings.Contains(err.Error(), `region #0 of kind "run once", and by its attributes the kind is "loop"`) {
		t.Errorf("got %v", err)
	}
	print := func() { b.Op(tPrint, b.p("x", x)) }
	many, err1 := b.times("many", Loop, print)
	once, err2 := b.times("once", Once, print)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	g := b.Finish()
	s := ScheduleOf(g)
	if f := s.Freq(g.Regions(many)[0]); f != 1000 {
		t.Errorf("a loop is taken to run %v times", f)
	}
	if f := s.Freq(g.Regions(once)[0]); f != 1 {
		t.Errorf("what runs once is taken to run %v times", f)
	}
	h := Rewrite(g.Ctx, s, Rules{tTimes: func(m *Mirror, n Node) Value { return m.CopyWith(n, b.attrs("once")) }}, nil)
	if err := Verify(h); err != nil {
		t.Error(err)
	}
	for _, v := range ScheduleOf(h).Body(Root) {
		if h.Def(v) == tTimes && h.NodeOf(v).Region(0).Kind() != Once {
			t.Errorf("%s has a region of kind %v", h.Name(v), h.NodeOf(v).Region(0).Kind())
		}
	}
	wrong := *h
	wrong.kept, wrong.regions = &kept{}, append([]region(nil), h.regions...)
	for r := range wrong.regions[1:] {
		wrong.regions[1+r].kind = Loop
	}
	if err := Verify(&wrong); err == nil || !strings.Contains(err.Error(), `"regions"`) {
		t.Errorf("a region of another kind is verified: %v", err)
	}
}
