package interp_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

func TestJSONRoundTrip(t *testing.T) {
	c := ir.NewContext(mini)
	dyn := ir.Dynamic
	ui8 := c.Type(ir.TypeInfo{Kind: ir.KindInteger, Width: 8, Sign: ir.Unsigned})
	si8 := c.Type(ir.TypeInfo{Kind: ir.KindInteger, Width: 8, Sign: ir.Signed})
	for _, x := range []struct {
		t        ir.Type
		in, want string
	}{
		{ir.F64, `0.1`, `0.1`}, {ir.F64, `"NaN"`, `"NaN"`}, {ir.F64, `"-Infinity"`, `"-Infinity"`}, {ir.F64, `-0.0`, `-0.0`}, {ir.F32, `-0`, `-0.0`},
		{ir.F64, `5e-324`, `5e-324`}, {ir.F64, `1e300`, `1e+300`}, {ir.F64, `3`, `3`},
		{ir.F32, `0.1`, `0.1`}, {ir.F32, `16777217`, `1.6777216e+07`}, {ir.F32, `"Infinity"`, `"Infinity"`},
		{ir.F16, `0.1`, `0.099975586`}, {ir.F16, `65504`, `65504`}, {ir.BF16, `3.14`, `3.140625`},
		{ir.I64, `9223372036854775807`, `9223372036854775807`}, {ir.I64, `-9223372036854775808`, `-9223372036854775808`},
		{ir.I64, `9007199254740993`, `9007199254740993`}, {ir.I64, `18446744073709551615`, `-1`},
		{ir.Index, `-5`, `-5`}, {ir.I32, `-2147483648`, `-2147483648`}, {ir.I32, `4294967295`, `-1`}, {ir.I8, `-1`, `-1`},
		{ui8, `255`, `255`}, {si8, `-128`, `-128`}, {c.Int(5), `-16`, `-16`},
		{ir.I1, `true`, `true`}, {ir.I1, `false`, `false`}, {ir.I1, `1`, `true`}, {ir.I1, `-1`, `true`},
		{c.MemRef([]int64{2, 3}, ir.I32), `[[1,2,3],[4,5,6]]`, `[[1, 2, 3], [4, 5, 6]]`},
		{c.MemRef([]int64{dyn, dyn}, ir.F64), `[[1,"NaN"],[3,4],[5,6]]`, `[[1, "NaN"], [3, 4], [5, 6]]`},
		{c.MemRef(nil, ir.F64), `2.5`, `2.5`}, {c.MemRef([]int64{dyn}, ir.I1), `[]`, `[]`}, {c.MemRef([]int64{dyn, 2}, ir.I1), `[]`, `[]`},
		{c.MemRef([]int64{0, 2}, ir.I1), `[]`, `[]`}, {c.MemRef([]int64{2, dyn}, ir.I1), `[[],[]]`, `[[], []]`},
		{c.Vector([]int64{2, 2}, ir.F32), `[[1,2],[3,4]]`, `[[1, 2], [3, 4]]`},
		{c.Type(ir.TypeInfo{Kind: ir.KindTensor, Elem: ir.I8}), `7`, `7`},
		{c.MemRef([]int64{2}, c.Vector([]int64{2}, ir.I8)), `[[1,2],[3,4]]`, `[[1, 2], [3, 4]]`},
		{c.MemRef([]int64{1}, c.MemRef([]int64{2}, ir.I8)), `[[1,2]]`, `[[1, 2]]`},
		{c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{2, 2}, Elem: ir.I8, Layout: c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{2, 1}})}), `[[1,2],[3,4]]`, `[[1, 2], [3, 4]]`},
	} {
		vals, err := interp.ArgsFromJSON(c, []ir.Type{x.t}, []byte("["+x.in+"]"), nil)
		if err != nil {
			t.Errorf("%s: %v", x.in, err)
			continue
		}
		out, err := interp.ToJSON(c, vals, []ir.Type{x.t})
		if err != nil || string(out) != "["+x.want+"]" {
			t.Errorf("%s: got %s, %v, want [%s]", x.in, out, err, x.want)
		}
		again, err := interp.ArgsFromJSON(c, []ir.Type{x.t}, out, nil)
		if err != nil {
			t.Errorf("%s does not read again: %v", out, err)
		} else if a, b := interp.FormatVal(c, vals[0], x.t), interp.FormatVal(c, again[0], x.t); a != b {
			t.Errorf("%s: %s reads again as %s", x.in, a, b)
		}
	}
}

func TestJSONErrors(t *testing.T) {
	c := ir.NewContext(mini)
	ui8 := c.Type(ir.TypeInfo{Kind: ir.KindInteger, Width: 8, Sign: ir.Unsigned})
	m23 := c.MemRef([]int64{2, 3}, ir.I32)
	for _, x := range []struct {
		t        ir.Type
		in, want string
	}{
		{ir.F64, `{`, "not a JSON array"}, {ir.F64, `3`, "not a JSON array"}, {ir.F64, `[1] 2`, "text after"}, {ir.F64, `[]`, "0 given, 1 wanted"},
		{ir.F64, `["nan"]`, `a number is wanted, not "nan"`}, {ir.F64, `[null]`, "not null"}, {ir.F64, `[[1]]`, "not an array"},
		{ir.F64, `[1e400]`, "too large"}, {ir.F32, `[1e39]`, "too large"}, {ir.F16, `[70000]`, "too large"}, {ir.F64, `[true]`, "not true"},
		{ir.I64, `[1.5]`, "an integer is wanted"}, {ir.I64, `[1e999999999]`, "an integer is wanted"}, {ir.I64, `[18446744073709551616]`, "does not fit into 64 bits"},
		{ir.I8, `[256]`, "does not fit"}, {ir.I8, `[-129]`, "does not fit"}, {ui8, `[-1]`, "does not fit"}, {ir.I32, `[true]`, "an integer is wanted"},
		{ir.I64, `["1"]`, "an integer is wanted"}, {c.Int(128), `[1]`, "more than 64 bits"}, {ir.I64, `[` + strings.Repeat("9", 200) + `]`, "an integer is wanted"},
		{m23, `[[[1,2,3]]]`, "length 2 is wanted, this one has 1"}, {m23, `[[[1,2,3],[4,5]]]`, "argument 0[1]: an array of length 3"},
		{m23, `[[[1,2,3],[4,5,"x"]]]`, `argument 0[1][2]: an integer is wanted, not "x"`}, {m23, `[7]`, "an array is wanted"},
		{c.MemRef([]int64{ir.Dynamic, ir.Dynamic}, ir.I8), `[[[1],[1,2]]]`, "length 1 is wanted"},
		{c.OpaqueType("mini.fun"), `[1]`, "no JSON form"}, {c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Unranked: true, Elem: ir.I8}), `[[1]]`, "unranked"},
		{c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{2}, Elem: ir.I8, Layout: c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{2}})}), `[[1, 2]]`, "identity layout"},
		{c.Type(ir.TypeInfo{Kind: ir.KindTensor, Unranked: true, Elem: ir.I8}), `[[1]]`, "unknown rank"},
	} {
		_, err := interp.ArgsFromJSON(c, []ir.Type{x.t}, []byte(x.in), nil)
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: got %v, want %q", x.in, err, x.want)
		}
	}
}

// Every float reads back as the number that was written.
func TestFloatsRoundTrip(t *testing.T) {
	c := ir.NewContext(mini)
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range []ir.Type{ir.F16, ir.BF16, ir.F32, ir.F64} {
		w := c.Info(typ).Width
		for n := range uint64(1 << 16) {
			bits := n
			if w > 16 {
				bits = r.Uint64() >> (64 - w)
			}
			if math.IsNaN(ir.BitsToFloat(bits, typ)) {
				continue
			}
			in := []ir.Val{{Bits: bits}}
			text, _ := interp.ToJSON(c, in, []ir.Type{typ})
			out, err := interp.ArgsFromJSON(c, []ir.Type{typ}, text, nil)
			if err != nil || out[0].Bits != bits {
				t.Fatalf("%#x of width %d: %s reads as %v, %v", bits, w, text, out, err)
			}
		}
	}
}

func TestFormatPoison(t *testing.T) {
	c := ir.NewContext(mini)
	poison := ir.Val{Ref: ir.Poison}
	vec := ir.Val{Ref: ir.Vector{poison, {Bits: 1}}}
	if s := interp.FormatVal(c, vec, c.Vector([]int64{2}, ir.I1)); s != "[poison, true]" {
		t.Error(s)
	}
	if s, _ := interp.ToJSON(c, []ir.Val{poison, vec}, []ir.Type{ir.F64, c.Vector([]int64{2}, ir.I8)}); string(s) != `["poison", ["poison", 1]]` {
		t.Error(string(s))
	}
	for _, x := range []struct {
		p    interp.Printed
		want string
	}{
		{interp.Printed{Kind: interp.PrintText, Text: "a b"}, "a b"},
		{interp.Printed{Val: ir.F64Val(1e22), Type: ir.F64}, "1e+22\n"},
		{interp.Printed{Val: ir.IntVal(-3, 8), Type: ir.I8}, "-3\n"},
	} {
		if s := interp.FormatPrinted(c, x.p); s != x.want {
			t.Errorf("got %q, want %q", s, x.want)
		}
	}
	freed := &interp.MemRef{Buf: interp.NewBuffer(c, ir.I8, 2, false), Sizes: []int64{3}, Strides: []int64{1}}
	if s := interp.FormatVal(c, freed.Val(), c.MemRef([]int64{3}, ir.I8)); s != "out of bounds" {
		t.Error(s)
	}
}

func TestSteps(t *testing.T) {
	c := ir.NewContext(mini)
	r := &interp.MemRef{Buf: interp.NewBuffer(c, ir.I64, 10, false), Offset: 9, Sizes: []int64{3}, Strides: []int64{-4}}
	for i := range 10 {
		r.Buf.Store(i, ir.Val{Bits: uint64(i)})
	}
	if s := interp.FormatVal(c, r.Val(), c.MemRef([]int64{3}, ir.I64)); s != "[9, 5, 1]" {
		t.Error(s)
	}
	if i, err := r.At(ints(2)); i != 1 || err != nil {
		t.Error(i, err)
	}
	r.Sizes[0] = 4
	if _, err := r.At(ints(3)); err == nil || r.Check() == nil {
		t.Error("a view outside of its memory is read")
	}
}
