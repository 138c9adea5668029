package ir

import (
	"fmt"
	"testing"
)

// Parameters and results have no attributes: the index that stands for one is no number of an attribute,
// neither of one that is there nor beyond the last.
func TestIndexIsNoAttribute(t *testing.T) {
	const many = 2 << 10 // more than a page of the table of attributes
	b := tb{NewBuilder(NewContext(tDialect))}
	for i := range many / 2 {
		b.p(fmt.Sprint("an attribute of another op ", i))
	}
	types := make([]Type, many)
	for i := range types {
		types[i] = I64
		b.Param(I64)
	}
	op, err := b.Make(Call{Def: tLoop, Type: b.Ctx().Multi(types...), Attr: b.attrs("own"), Regions: []Region{b.Region(Loop, nil, func([]Value) { b.yield() })}})
	if err != nil {
		t.Fatal(err)
	}
	g := b.Graph()
	for i, v := range append(b.Results(op), g.Params(Root)...) {
		if a, n := g.AttrsOf(v), g.Attr(v, "n"); a != 0 || n != 0 {
			t.Fatalf("%s %d has attributes %d, n = %d", g.Def(v).Name, i, a, n)
		}
	}
	if a := g.Attr(op, "n"); a == 0 || g.Ctx.AttrInfo(a).Str != "own" {
		t.Errorf("the op itself has n = %d", a)
	}
}
