package nvvm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
)

// The table of docs/abi.md.
func TestParams(t *testing.T) {
	c := ir.NewContext(dialects.All...)
	D := ir.Dynamic
	mem := func(elem ir.Type, shape ...int64) ir.Type {
		return c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: shape, Elem: elem})
	}
	strided := c.Type(ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{D, D}, Elem: ir.I32,
		Layout: c.Attr(ir.AttrInfo{Kind: ir.AttrStrided, Shape: []int64{D, 1}, Int: D})})
	for _, e := range []struct {
		t    ir.Type
		want string // kind, dimension, bytes
	}{
		{ir.I1, "0.0.1"}, {ir.I32, "0.0.4"}, {ir.Index, "0.0.8"}, {ir.F16, "0.0.2"}, {ir.F64, "0.0.8"},
		{mem(ir.F64, 4, 4), "1.0.8"}, {mem(ir.F32, D, 4), "1.0.8 2.0.8"}, {mem(ir.F32, D, D), "1.0.8 2.0.8 2.1.8"},
		{strided, "1.0.8 2.0.8 2.1.8 3.0.8"},
	} {
		ps, err := Params(c, []ir.Type{ir.I1, e.t})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, p := range ps[1:] {
			if p.Arg != 1 {
				t.Errorf("parameter of argument %d", p.Arg)
			}
			got = append(got, fmt.Sprintf("%d.%d.%d", p.Kind, p.Dim, p.Bytes))
		}
		if s := strings.Join(got, " "); s != e.want {
			t.Errorf("got %s, want %s", s, e.want)
		}
	}
	if _, err := Params(c, []ir.Type{ir.F32, mem(c.Func(nil, nil), 3)}); err == nil || !strings.Contains(err.Error(), "#1") {
		t.Errorf("got %v", err)
	}
}

func TestEntryName(t *testing.T) {
	for in, want := range map[string]string{"saxpy": "saxpy", "a.b": "a_2eb", "1x": "_31x", "x1": "x1", "π": "_cf_80"} {
		if got := llvm.EntryName(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}
