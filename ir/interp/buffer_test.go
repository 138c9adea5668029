package interp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var poison = ir.Val{Ref: ir.Poison}

// Elements are bytes as LLVM lays them out, and read as what was stored.
func TestBytesOfElements(t *testing.T) {
	c := ir.NewContext(mini)
	four := func(elem ir.Type) ir.Type {
		return c.Type(ir.TypeInfo{Kind: ir.KindVector, Shape: []int64{4}, Elem: elem})
	}
	one := ir.Val{Bits: 1}
	for _, x := range []struct {
		elem ir.Type
		v    ir.Val
		want string
	}{
		{ir.I1, one, "01"}, {c.Int(3), ir.IntVal(-1, 3), "07"}, {ir.I8, ir.IntVal(-2, 8), "fe"},
		{c.Int(9), ir.IntVal(-1, 9), "ff01"}, {ir.I16, ir.IntVal(0x1234, 16), "3412"}, {c.Int(24), ir.IntVal(-2, 24), "feffff00"},
		{ir.I32, ir.IntVal(0x12345678, 32), "78563412"}, {c.Int(33), ir.IntVal(-1, 33), "ffffffff01000000"},
		{ir.I64, ir.IntVal(-2, 64), "feffffffffffffff"}, {ir.Index, ir.IntVal(258, 64), "0201000000000000"},
		{ir.F16, ir.FloatVal(1, ir.F16), "003c"}, {ir.BF16, ir.FloatVal(1, ir.BF16), "803f"}, {ir.F32, ir.FloatVal(1.5, ir.F32), "0000c03f"},
		{ir.F64, ir.F64Val(-2), "00000000000000c0"},
		{four(ir.I16), ir.Val{Ref: ir.Vector{one, {Bits: 2}, {Bits: 3}, {Bits: 0xffff}}}, "010002000300ffff"},
	} {
		b := interp.NewBuffer(c, x.elem, 3, true)
		b.Store(1, x.v)
		n := len(x.want) / 2
		if got := fmt.Sprintf("%x", b.Bytes()[n:2*n]); got != x.want || len(b.Bytes()) != 3*n {
			t.Errorf("%s: %s in %d bytes, want %s", c.Info(x.elem).Text, got, len(b.Bytes()), x.want)
		}
		if got := fmt.Sprint(b.Load(1)); got != fmt.Sprint(x.v) {
			t.Errorf("%s: %s, stored was %v", c.Info(x.elem).Text, got, x.v)
		}
		lanes, _ := b.Load(0).Ref.(ir.Vector)
		if !b.Load(0).IsPoison() && !(lanes != nil && lanes[0].IsPoison() && lanes[3].IsPoison()) {
			t.Errorf("%s: %v where nothing was stored", c.Info(x.elem).Text, b.Load(0))
		}
	}
	for _, elem := range []ir.Type{c.OpaqueType("mini.fun"), c.MemRef([]int64{2}, ir.I8), four(ir.I1), four(c.Int(3)), c.Int(128),
		c.Type(ir.TypeInfo{Kind: ir.KindVector, Shape: []int64{3}, Elem: ir.F32})} {
		b := interp.NewBuffer(c, elem, 2, true)
		if b.Store(1, ir.Val{Ref: "x"}); b.Bytes() != nil || b.Load(1).Ref != "x" || !b.Load(0).IsPoison() {
			t.Errorf("%s: not kept as a value", c.Info(elem).Text)
		}
		if _, err := b.View(c, ir.I8, 0); err == nil || !strings.Contains(err.Error(), "not plain numbers") {
			t.Errorf("%s as bytes: %v", c.Info(elem).Text, err)
		}
	}
}

// shown lists the elements of a buffer.
func shown(b *interp.Buffer) string {
	var out []string
	for i := range b.Len() {
		if v := b.Load(i); v.IsPoison() {
			out = append(out, "poison")
		} else {
			out = append(out, fmt.Sprintf("%x", v.Bits))
		}
	}
	return strings.Join(out, " ")
}

// Views of a memory under several types see each other's stores, and the poison of
// each byte.
func TestViews(t *testing.T) {
	c := ir.NewContext(mini)
	b := interp.NewBuffer(c, ir.I8, 13, true)
	view := func(elem ir.Type, at int64) *interp.Buffer {
		t.Helper()
		v, err := b.View(c, elem, at)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	check := func(v *interp.Buffer, want string) {
		t.Helper()
		if got := shown(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	words, halves, long := view(ir.I32, 4), view(ir.I16, 2), view(ir.I64, 0)
	words.Store(0, ir.Val{Bits: 0x11223344})
	check(words, "11223344 poison")
	check(halves, "poison 3344 1122 poison poison")
	check(long, "poison")
	check(b, "poison poison poison poison 44 33 22 11 poison poison poison poison poison")
	b.Store(8, ir.Val{Bits: 0x55})
	check(words, "11223344 poison")
	for i := range 4 {
		b.Store(i, ir.Val{Bits: uint64(i)})
	}
	check(long, "1122334403020100")
	b.Store(6, poison)
	check(long, "poison")
	check(words, "poison poison")
	for i := range b.Len() { // nothing is poison any more, and then something is
		b.Store(i, ir.Val{Bits: uint64(i)})
	}
	check(long, "706050403020100")
	check(words, "7060504 b0a0908")
	long.Store(0, poison)
	check(b, "poison poison poison poison poison poison poison poison 8 9 a b c")
	halves.Store(0, ir.Val{Bits: 0xfffe})
	check(b, "poison poison fe ff poison poison poison poison 8 9 a b c")
	inner, err := words.View(c, ir.I8, 5)
	if err != nil {
		t.Fatal(err)
	}
	check(inner, "9 a b c")
	for at, n := range map[int64]int{12: 0, 16: 0, 1 << 40: 0, 8: 1} {
		if v := view(ir.I32, at); v.Len() != n {
			t.Errorf("a view at %d has %d elements, want %d", at, v.Len(), n)
		}
	}
	for at, want := range map[int64]string{2: "byte 2 is not aligned to elements of 4 bytes", -4: "4 bytes before its memory", 1<<40 + 1: "not aligned"} {
		if _, err := b.View(c, ir.I32, at); !ir.IsTrap(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("a view at %d: %v", at, err)
		}
	}
}

// A view of smaller numbers tells the bytes of poison apart.
func TestViewOfSmallerNumbers(t *testing.T) {
	c := ir.NewContext(mini)
	for _, fresh := range []bool{false, true} {
		b := interp.NewBuffer(c, ir.I32, 3, fresh)
		b.Store(1, ir.Val{Bits: 0x01020304})
		b.Store(2, poison)
		v, err := b.View(c, ir.I16, 2)
		if err != nil {
			t.Fatal(err)
		}
		low := map[bool]string{false: "0", true: "poison"}[fresh]
		if got := shown(v); got != low+" 304 102 poison poison" {
			t.Error(got)
		}
		v.Store(3, ir.Val{Bits: 1})
		if got := shown(b); got != low+" 1020304 poison" {
			t.Error(got)
		}
		v.Store(4, ir.Val{Bits: 2})
		if got := shown(b); got != low+" 1020304 20001" {
			t.Error(got)
		}
		for range 3 { // poison comes and goes
			if v.Store(2, poison); shown(b) != low+" poison 20001" {
				t.Error(shown(b))
			}
			if v.Store(2, ir.Val{Bits: 7}); shown(b) != low+" 70304 20001" {
				t.Error(shown(b))
			}
		}
	}
}

// Memory that is freed has ended under all its types.
func TestViewOfFreedMemory(t *testing.T) {
	f := newFile()
	f.fn("nothing", nil, func(b fb, _ []ir.Value) { b.ret() })
	m := f.machine(t, interp.Options{})
	b, err := m.Alloc(ir.I8, 8)
	if err != nil {
		t.Fatal(err)
	}
	v, err := b.View(f.ctx, ir.I64, 0)
	if err != nil {
		t.Fatal(err)
	}
	r := &interp.MemRef{Buf: v, Sizes: []int64{1}, Strides: []int64{1}}
	if _, err := r.At(ints(0)); err != nil {
		t.Error(err)
	}
	if err := m.Free(v); err != nil || !b.Freed {
		t.Error(err)
	}
	if _, err := r.At(ints(0)); err == nil || !strings.Contains(err.Error(), "after it was freed") || r.Check() == nil || v.Len() != 0 {
		t.Error(err)
	}
	if late, err := b.View(f.ctx, ir.I64, 0); err != nil || late.Len() != 0 {
		t.Error(late, err)
	}
}

// What other code makes of the bytes is what they are.
func TestBytesFromOutside(t *testing.T) {
	c := ir.NewContext(mini)
	b := interp.NewBuffer(c, ir.I16, 4, false)
	b.Store(2, poison)
	b.Store(3, poison)
	data := bytes.Clone(b.Bytes())
	data[1], data[7] = 1, 2
	b.Overwrite(data)
	if got := shown(b); got != "100 0 poison 200" {
		t.Error(got)
	}
	if b.Set(data); shown(b) != "100 0 0 200" {
		t.Error(shown(b))
	}
	x := []float64{1, 2}
	s := interp.Floats(x)
	if s.Store(1, ir.F64Val(3)); x[1] != 3 || s.Load(0).F64() != 1 || s.Len() != 2 || interp.Floats(nil).Len() != 0 {
		t.Error(x)
	}
}

// Numbers are loaded and stored without allocations, poison or not.
func TestMemoryWithoutAllocations(t *testing.T) {
	f := newFile()
	addOne(f)
	m := f.machine(t, interp.Options{})
	fn, _ := m.Resolve("add")
	for _, fresh := range []bool{false, true} {
		b := interp.NewBuffer(f.ctx, ir.I64, 1000, fresh)
		args := []ir.Val{{Ref: &interp.MemRef{Buf: b, Sizes: []int64{1000}, Strides: []int64{1}}}}
		for i := range 500 {
			b.Store(i, ir.Val{Bits: uint64(i)})
		}
		out := make([]ir.Val, 1)
		run := func() {
			if err := m.InvokeTo(fn, args, out); err != nil {
				t.Fatal(err)
			}
		}
		run()
		if n := testing.AllocsPerRun(10, run); n != 0 {
			t.Errorf("%v allocations a run", n)
		}
		if b.Load(499).Bits != 499+12 || b.Load(999).IsPoison() != fresh { // the first run, one to warm up and ten
			t.Error(b.Load(499), b.Load(999))
		}
	}
}

// Bytes that were not stored as numbers of an odd width are such a number only if
// they have no bits beyond it; then to store what was loaded changes nothing.
func TestOddWidths(t *testing.T) {
	c := ir.NewContext(mini)
	b := interp.NewBuffer(c, ir.I8, 4, false)
	i17, i1 := c.Int(17), ir.I1
	for _, k := range []struct {
		bytes  [4]int64
		elem   ir.Type
		poison bool
	}{
		{[4]int64{0xff, 0xff, 1, 0}, i17, false},
		{[4]int64{0xff, 0xff, 2, 0}, i17, true},
		{[4]int64{0, 0, 0, 0x80}, i17, true},
		{[4]int64{1}, i1, false},
		{[4]int64{3}, i1, true},
	} {
		for i, x := range k.bytes {
			b.Store(i, ir.IntVal(x, 8))
		}
		v, err := b.View(c, k.elem, 0)
		if err != nil {
			t.Fatal(err)
		}
		x := v.Load(0)
		if x.IsPoison() != k.poison {
			t.Errorf("%v in %d bits is %v", k.bytes, c.Info(k.elem).Width, x)
		}
		v.Store(0, x)
		for i, want := range k.bytes {
			if y := b.Load(i); !k.poison && y != ir.IntVal(want, 8) {
				t.Errorf("%v: byte %d is %v after its number was stored again", k.bytes, i, y)
			}
		}
	}
}
