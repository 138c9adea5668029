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

// Dense elements are read as they were written, and as many as the type has.
func TestDenseAttr(t *testing.T) {
	c := NewContext()
	want := []Val{FloatVal(1.5, F32), FloatVal(-2, F32), FloatVal(0, F32), FloatVal(4, F32)}
	got := c.Elems(DenseAttr(c, c.Tensor([]int64{2, 2}, F32), want...))
	for i, x := range want {
		if len(got) != len(want) || got[i] != x.Bits {
			t.Fatalf("element %d of %v is not %#x", i, got, x.Bits)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("three elements of four are accepted")
		}
	}()
	DenseAttr(c, c.Tensor([]int64{2, 2}, F32), want[:3]...)
}
