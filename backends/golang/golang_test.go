package golang

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

func emitted(t *testing.T, src string) string {
	t.Helper()
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("test.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	got, err := Emit(g, Options{Name: "test.mlir"})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// What nobody reads is not there, but what traps is; names are as like those of the IR as Go lets them be.
func TestFunctions(t *testing.T) {
	got := emitted(t, `
func.func private @range(%x: i32, %y: i32) -> (i32, i32) {
  %q = arith.divsi %x, %y : i32
  return %q, %x : i32, i32
}
func.func private @log(%x: i32)
func.func @to.do(%x: i32) {
  %r:2 = func.call @range(%x, %x) : (i32, i32) -> (i32, i32)
  func.call @log(%r#1) : (i32) -> ()
  return
}`)
	for _, want := range []string{"package program\n", "//\tfunc log(arg0 int32)\n", "func range_(arg0, arg1 int32) (int32, int32) {\n\treturn div(arg0, arg1), arg0\n}\n",
		"func To_do(arg0 int32) {\n\t_, t2 := range_(arg0, arg0)\n\tlog(t2)\n}\n"} {
		if !strings.Contains(got, strings.Replace(want, "package program", "package test", 1)) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A product that is added to is rounded first, unless both may contract.
func TestProducts(t *testing.T) {
	got := emitted(t, `
func.func @apart(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y fastmath<contract> : f64
  %s = arith.addf %p, %x : f64
  return %s : f64
}
func.func @apart_too(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y : f64
  %s = arith.subf %p, %y fastmath<contract> : f64
  return %s : f64
}
func.func @together(%x: f64, %y: f64) -> f64 {
  %p = arith.mulf %x, %y fastmath<contract> : f64
  %s = arith.subf %x, %p fastmath<contract> : f64
  return %s : f64
}`)
	for _, want := range []string{"return float64(arg0*arg1) + arg0\n", "return float64(arg0*arg1) - arg1\n", "return arg0 - arg0*arg1\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// A variable that nobody reads goes with what only it reads, but not what may trap.
func TestUnused(t *testing.T) {
	const before = `package p

func f(x []int, n int) int {
	a := n + 1
	b := a * 2
	c := x[n]
	d := 0
	var e int
	if n > 3 {
		e = b
		d = 4
	}
	g, h := f2(n)
	for i := range n {
		k := h
	}
	return d
}
`
	const after = `package p

func f(x []int, n int) int {
	_ = x[n]
	d := 0
	if n > 3 {
		d = 4
	}
	f2(n)
	for range n {
	}
	return d
}
`
	if got := withoutUnused(before); got != after {
		t.Errorf("%s\nwant\n%s", got, after)
	}
}
