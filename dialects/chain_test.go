package dialects_test

import (
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Two ops with a constant each, in every place, become one op and mean the same.
func TestChainsOfConstants(t *testing.T) {
	c := ir.NewContext(mine...)
	numbers := []int64{3, -5, 100, -128, 127}
	for _, outer := range []*ir.OpDef{arith.Addi, arith.Subi} {
		for _, inner := range []*ir.OpDef{arith.Addi, arith.Subi} {
			for places := range 4 {
				for _, c1 := range numbers {
					for _, c2 := range numbers {
						b := ir.NewBuilder(c)
						x := b.Param(ir.I8)
						make2 := func(d *ir.OpDef, v ir.Value, n int64, first bool) ir.Value {
							k := b.Const(ir.I8, ir.IntVal(n, 8))
							if first {
								return b.Op(d, k, v)
							}
							return b.Op(d, v, k)
						}
						calc := func(d *ir.OpDef, v, n int64, first bool) int64 {
							switch {
							case d == arith.Addi:
								return int64(int8(v + n))
							case first:
								return int64(int8(n - v))
							}
							return int64(int8(v - n))
						}
						v := make2(outer, make2(inner, x, c1, places&1 != 0), c2, places&2 != 0)
						g := b.Graph()
						for _, a := range g.Args(v) {
							if g.IsOp(a) && !g.Def(a).Has(ir.ConstantLike) {
								t.Fatalf("%s (%s) in places %d: two ops are left", outer.Name, inner.Name, places)
							}
						}
						for _, n := range []int64{0, 1, -1, 77, -128} {
							want := calc(outer, calc(inner, n, c1, places&1 != 0), c2, places&2 != 0)
							vals, _ := run(g, []ir.Val{ir.IntVal(n, 8)})
							if vals[v].Bits != ir.IntVal(want, 8).Bits {
								t.Fatalf("%s (%s) in places %d of %d, with %d and %d: got %v, want %d", outer.Name, inner.Name, places, n, c1, c2, vals[v], want)
							}
						}
					}
				}
			}
		}
	}
}
