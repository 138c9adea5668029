package dialects_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Types that are text only go through every op and every fold unharmed: no
// width, more than 64 bits, dynamic, empty and scalable shapes, rare floats.
func TestOddTypes(t *testing.T) {
	c := ir.NewContext(mine...)
	b := ir.NewBuilder(c)
	shaped := func(kind ir.TypeKind, elem ir.Type, shape ...int64) ir.Type {
		return c.Type(ir.TypeInfo{Kind: kind, Shape: shape, Elem: elem})
	}
	f80 := c.Type(ir.TypeInfo{Kind: ir.KindFloat, Width: 80, Text: "f80"})
	f8 := c.Type(ir.TypeInfo{Kind: ir.KindFloat, Width: 8, Text: "f8E4M3FN"})
	types := []ir.Type{c.Int(0), c.Int(128), ir.I1, f80, f8, shaped(ir.KindTensor, ir.I32, ir.Dynamic), shaped(ir.KindVector, ir.I32, 0),
		shaped(ir.KindTensor, ir.F64, 2, ir.Dynamic), shaped(ir.KindVector, c.Int(128), 2),
		c.Type(ir.TypeInfo{Kind: ir.KindVector, Shape: []int64{4}, Scalable: []bool{true}, Elem: ir.F32}),
		c.Type(ir.TypeInfo{Kind: ir.KindTensor, Unranked: true, Elem: ir.I64})}
	made := 0
	for _, typ := range types {
		x := b.Param(typ)
		zero := x
		if info := c.Info(typ); info.Kind == ir.KindInteger {
			zero = b.ConstAttr(typ, c.IntAttr(0, typ))
		}
		for _, d := range append(append([]*ir.OpDef{}, arith.Dialect.Ops...), math.Dialect.Ops...) {
			for _, last := range []ir.Value{x, zero} {
				call := ir.Call{Def: d, Args: []ir.Value{x, x, last}[3-min(3, len(d.Args)):]}
				switch d {
				case arith.Cmpi:
					call.Attr = arith.PredicateI(c, arith.ULT)
				case arith.Cmpf:
					call.Attr = arith.PredicateF(c, arith.OLT, 0)
				case arith.Select:
					call.Args[0] = arith.ConstBool(b, true)
				}
				if len(d.Args) == 1 && d.Args[0] == "in" {
					call.Type = typ
				}
				if _, err := b.Make(call); err == nil {
					made++
				}
			}
		}
	}
	if made < 200 {
		t.Errorf("only %d ops were accepted", made)
	}
	if err := ir.Verify(b.Finish()); err != nil {
		t.Error(err)
	}
}

// Folding while reading keeps the samples readable, and leaves no work for a
// second reading.
func TestSamplesFolded(t *testing.T) {
	for name, src := range samples(t) {
		once := text.String(parse(t, name, src, false), text.PrintOptions{})
		twice := text.String(parse(t, name+" printed", once, false), text.PrintOptions{})
		if once != twice || !strings.Contains(once, "module") && !strings.Contains(once, "func") {
			t.Errorf("%s:\n%s\nthen\n%s", name, once, twice)
		}
	}
}
