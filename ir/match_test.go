package ir

import "testing"

type sizedArray struct {
	N    Size
	Elem Type
}

var tArray = DefineType(&TypeDef[sizedArray]{Name: "sz.array", Params: []Param[sizedArray]{
	SizeParam("n", func(t *sizedArray) *Size { return &t.N }), TypeParam("elem", func(t *sizedArray) *Type { return &t.Elem })}})

// A name of a size in a signature stands for one size of the caller.
func TestMatch(t *testing.T) {
	c := NewContext(&Dialect{Name: "sz", Types: []Defined{tArray}})
	of := func(s Size) Type { return tArray.Type(c, sizedArray{s, F64}) }
	n, m, any, four := of(NamedSize("n")), of(NamedSize("m")), of(AnySize), of(Known(4))
	in := func(ts ...Type) []Type { return ts }
	for i, x := range []struct {
		formalIn, in, formalOut, out []Type
		want                         bool
	}{
		{in(n, n), in(m, m), in(n), in(m), true},
		{in(n, n), in(four, four), in(n), in(four), true},
		{in(n, n), in(m, n), nil, nil, false},
		{in(n, n), in(any, any), nil, nil, false}, // nobody knows that they are equal
		{in(n, m), in(any, any), nil, nil, true},
		{in(n), in(any), in(n), in(any), false},
		{nil, nil, in(n), in(any), true},
		{nil, nil, in(n), in(m), false}, // the caller's m is another
		{in(four), in(n), nil, nil, false},
		{in(any), in(four), nil, nil, false},
		{in(c.Func(in(n), in(m))), in(c.Func(in(m), in(n))), nil, nil, true},
		{in(c.Func(in(n), in(n))), in(c.Func(in(m), in(n))), nil, nil, false},
		{in(c.MemRef([]int64{2}, n)), in(c.MemRef([]int64{2}, m)), nil, nil, true},
		{in(c.MemRef([]int64{2}, n)), in(c.MemRef([]int64{3}, m)), nil, nil, false},
		{in(n), in(F64), nil, nil, false},
		{in(F64), in(F64), in(I1), in(I1), true},
	} {
		if got := c.Match(x.formalIn, x.in, x.formalOut, x.out); got != x.want {
			t.Errorf("case %d: %v", i, got)
		}
	}
	b := NewBuilder(c)
	b.Param(c.MemRef([]int64{2}, n))
	if !b.Finish().NamesSizes() {
		t.Error("n is a name")
	}
	b = NewBuilder(c)
	b.Param(four)
	if b.Finish().NamesSizes() {
		t.Error("4 is no name")
	}
}
