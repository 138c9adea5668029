package ir

import (
	"fmt"
	"math/big"
	"reflect"
	"sync"
	"testing"
)

// someAttrs are attributes of which no two are equal: numbers, lone properties of
// more names than are numbered, and others.
func someAttrs(c *Context) (out []AttrInfo) {
	for i := range 3000 {
		out = append(out,
			AttrInfo{Kind: AttrInt, Type: []Type{I64, I32}[i%2], Int: int64(i*7 - 100)},
			AttrInfo{Kind: AttrFloat, Type: F64, Bits: uint64(i) << 40},
			AttrInfo{Kind: AttrProps, Dict: []NamedAttr{{Name: fmt.Sprint("name", i%50), Value: c.IntAttr(int64(i), I64)}}},
			AttrInfo{Kind: AttrProps, Attrs: []NamedAttr{{Name: fmt.Sprint("name", i%50), Value: c.IntAttr(int64(i), I64)}}},
			AttrInfo{Kind: AttrDict, Dict: []NamedAttr{{Name: fmt.Sprint("name", i%50), Value: c.IntAttr(int64(i), I64)}}},
			AttrInfo{Kind: AttrString, Str: fmt.Sprint(i)},
			AttrInfo{Kind: AttrOpaque, Str: fmt.Sprint(i)},
			AttrInfo{Kind: AttrStrided, Shape: []int64{int64(i), 1}},
			AttrInfo{Kind: AttrStrided, Shape: []int64{int64(i)}, Int: 1},
			AttrInfo{Kind: AttrInt, Type: I64, Big: new(big.Int).Lsh(big.NewInt(int64(i+1)), 70)})
	}
	return out
}

// Goroutines that intern the same attributes get the same numbers, different ones
// for different attributes, and read back what they gave.
func TestAtoms(t *testing.T) {
	c := NewContext()
	attrs := someAttrs(c)
	var got [4][]Attr
	var wg sync.WaitGroup
	for k := range got {
		got[k] = make([]Attr, len(attrs))
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range attrs {
				if k%2 == 1 {
					i = len(attrs) - 1 - i
				}
				a := c.Attr(attrs[i])
				got[k][i] = a
				if info := c.AttrInfo(a); info != c.AttrInfo(a) || !reflect.DeepEqual(*info, attrs[i]) {
					t.Errorf("%+v is read back as %+v", attrs[i], *info)
					return
				}
			}
		}()
	}
	wg.Wait()
	number := map[Attr]int{}
	for i, a := range got[0] {
		if j, ok := number[a]; ok {
			t.Fatalf("%+v and %+v are one attribute", attrs[i], attrs[j])
		}
		number[a] = i
		if c.KindOf(a) != attrs[i].Kind || c.TypeOf(a) != attrs[i].Type {
			t.Errorf("%+v is of kind %d and type %d", attrs[i], c.KindOf(a), c.TypeOf(a))
		}
		for _, other := range got[1:] {
			if other[i] != a {
				t.Fatalf("%+v has two numbers", attrs[i])
			}
		}
		for _, e := range append(attrs[i].Dict, attrs[i].Attrs...) {
			if attrs[i].Kind == AttrProps && c.Get(a, e.Name) != e.Value {
				t.Errorf("%+v: %s is not found", attrs[i], e.Name)
			}
		}
	}
}

// Places noted by several goroutines read back as they are, and equal ones are the
// same location, however they came about.
func TestPlaces(t *testing.T) {
	c := NewContext()
	const n = 5000
	text := func(i int) string { return fmt.Sprintf("\"f%d\":%d:%d", i%3, i/2, i%2) }
	var locs [2][n]Loc
	var wg sync.WaitGroup
	for k := range locs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			p := c.NewPlaces()
			for i := range n {
				locs[k][i] = p.At(fmt.Sprintf("f%d", i%3), uint32(i/2), uint32(i%2))
			}
		}()
	}
	wg.Wait()
	for i := range n {
		a, b := locs[0][i], locs[1][i]
		if c.LocText(a) != text(i) || c.LocText(b) != text(i) {
			t.Fatalf("%s is %s and %s", text(i), c.LocText(a), c.LocText(b))
		}
		written := LocAttr | Loc(c.Attr(AttrInfo{Kind: AttrLoc, Str: text(i)}))
		if !c.sameLoc(a, b) || !c.sameLoc(a, written) || c.sameLoc(a, Loc(i+1)) || i > 0 && c.sameLoc(a, locs[1][i-1]) {
			t.Fatalf("%s is not the same as itself only", text(i))
		}
	}
}
