package scf_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/built"
)

// A loop knows what was stored before it in memory that it is said not to write; where it writes that all the same, its
// body is made again.
func TestBuildForWriting(t *testing.T) {
	for _, writes := range []bool{false, true} {
		made, known := 0, false
		g, err := built.Graph(built.Context(), built.Func{Name: "f", In: []ir.Type{ir.Index}, Out: []ir.Type{ir.Index}, Body: func(b *ir.Builder, args []ir.Value) []ir.Value {
			m := b.Must(ir.Call{Def: memref.Alloca, Type: b.Ctx().MemRef([]int64{1}, ir.Index)})
			zero, one := b.Index(0), b.Index(1)
			b.Op(memref.Store, one, m, zero)
			loop := scf.BuildForWriting(b, map[ir.Resource]bool{}, zero, args[0], one, []ir.Value{zero}, func(_ ir.Value, carried []ir.Value) []ir.Value {
				made++
				x := b.Op(memref.Load, m, zero)
				known = x == one
				if writes {
					b.Op(memref.Store, arith.AddI(b, x, one), m, zero)
				}
				return []ir.Value{arith.AddI(b, carried[0], x)}
			})
			return []ir.Value{b.Result(loop, 0)}
		}})
		if err != nil {
			t.Fatal(err)
		}
		want := map[bool]string{false: "[4]", true: "[10]"}[writes]
		if got := built.Run(t, g, "f", "[4]"); !strings.Contains(got, want) {
			t.Errorf("with a write %v it gives %s, want %s", writes, got, want)
		}
		if known == writes || writes && made < 2 {
			t.Errorf("with a write %v: the body was made %d times, and what was stored was known: %v", writes, made, known)
		}
	}
}
