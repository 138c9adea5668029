package engine

import (
	"errors"
	"testing"

	"github.com/irc-lang/irc/ir"
)

// leftOutSource has functions that nothing runs, others that call them, and others.
const leftOutSource = `func.func @wide(%x: i64) -> i64 {
  %a = arith.extui %x : i64 to i128
  %b = arith.muli %a, %a : i128
  %c = arith.trunci %b : i128 to i64
  return %c : i64
}
func.func @caller(%x: i64) -> i64 {
  %y = call @wide(%x) : (i64) -> i64
  return %y : i64
}
func.func @vector(%x: vector<2xi72>, %y: i64) -> i64 {
  return %y : i64
}
func.func @fine(%x: i64) -> i64 {
  %y = arith.addi %x, %x : i64
  return %y : i64
}`

// What works on numbers of more than 64 bits runs on no engine, and each says the same
// of the same op; the other functions run.
func TestWideNumbers(t *testing.T) {
	for _, e := range []Engine{eval(t), native(t, Options{})} {
		p := prepare(t, e, parse(t, leftOutSource))
		for _, k := range []struct {
			name string
			args int
			at   string
		}{{"wide", 1, "arith.extui"}, {"caller", 1, "arith.extui"}, {"vector", 2, "func.func"}} {
			_, _, err := p.Call(t.Context(), k.name, make([]ir.Val, k.args))
			var op *ir.OpError
			if !errors.As(err, &op) || op.Op != k.at || op.Loc == 0 {
				t.Errorf("%s: @%s: %v, want an error at %s", e.Name(), k.name, err, k.at)
			}
		}
		out, _, err := p.Call(t.Context(), "fine", []ir.Val{{Bits: 21}})
		if err != nil || out[0].Bits != 42 {
			t.Errorf("%s: %v, %v", e.Name(), out, err)
		}
	}
}

// The engine that chooses interprets a program with a function that has no native
// code: all functions share their memory.
func TestAutoInterpretsWhatIsLeftOut(t *testing.T) {
	e, _, err := New(t.Context(), "auto", Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	p := prepare(t, e, parse(t, `func.func @rank(%m: memref<*xf32>) -> index {
  %r = memref.rank %m : memref<*xf32>
  return %r : index
}
func.func @fine(%x: i64) -> i64 {
  return %x : i64
}`))
	if name, why := p.Engine(); name != "eval" {
		t.Errorf("%s: %s", name, why)
	}
	if out, _, err := p.Call(t.Context(), "fine", []ir.Val{{Bits: 3}}); err != nil || out[0].Bits != 3 {
		t.Errorf("%v, %v", out, err)
	}
}
