package emitted

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

// What the iterations of a parallel loop give is combined as a tree, in C and Go as in the interpreter: in another
// order a reduction that is no sum gives something else.
func TestReductions(t *testing.T) {
	const src = `
func.func @main(%n: index, %m: index) -> (i64, f32) {
	%c0 = arith.constant 0 : index
	%c1 = arith.constant 1 : index
	%z = arith.constant 3 : i64
	%f = arith.constant 0.125 : f32
	%r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%n, %m) step (%c1, %c1) init (%z, %f) -> (i64, f32) {
		%k = arith.muli %i, %m : index
		%l = arith.addi %k, %j : index
		%x = arith.index_cast %l : index to i64
		%w = arith.sitofp %x : i64 to f32
		%y = arith.divf %f, %w : f32
		scf.reduce(%x, %y : i64, f32) {
		^bb0(%p: i64, %q: i64):
			%t = arith.muli %p, %z : i64
			%s = arith.subi %q, %t : i64
			scf.reduce.return %s : i64
		}, {
		^bb0(%p: f32, %q: f32):
			%s = arith.addf %p, %q : f32
			scf.reduce.return %s : f32
		}
	}
	return %r#0, %r#1 : i64, f32
}`
	g := built.Parse(t, src, text.Options{})
	var list []sampled
	for _, size := range [][2]int64{{0, 5}, {3, 1}, {1, 64}, {1, 65}, {1, 66}, {2, 65}, {1, 129}, {7, 65}, {31, 33}} {
		list = append(list, sampled{fmt.Sprint(size), g, call{"main", []ir.Type{ir.Index, ir.Index}, []ir.Type{ir.I64, ir.F32}, nil}, func() []ir.Val {
			return []ir.Val{ir.IntVal(size[0], 64), ir.IntVal(size[1], 64)}
		}, false})
	}
	t.Run("Go", func(t *testing.T) { inGo(t, list) })
	t.Run("C", func(t *testing.T) {
		needCompiler(t)
		for _, p := range list {
			t.Run(p.name, p.inC)
		}
	})
}
