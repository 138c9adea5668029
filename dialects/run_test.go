package dialects_test

import (
	"strings"
	"testing"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// program calls directly, by a function value, and one function that has several
// results; it prints.
const program = `
func.func @swap(%a: i64, %b: i64) -> (i64, i64) { return %b, %a : i64, i64 }
func.func @minus(%a: i64, %b: i64) -> i64 {
  %0 = arith.subi %a, %b : i64
  return %0 : i64
}
func.func @main(%a: i64, %b: i64, %x: f64) -> i64 {
  %0:2 = call @swap(%a, %b) : (i64, i64) -> (i64, i64)
  %f = constant @minus : (i64, i64) -> i64
  %1 = call_indirect %f(%0#0, %0#1) : (i64, i64) -> i64
  %2:2 = arith.addui_extended %1, %a : i64, i1
  special.print %2#1 : i1
  special.print %1, %x : i64, f64
  %3 = special.step %x : f64
  special.print %3 : f64
  return %2#0 : i64
}
`

func TestRun(t *testing.T) {
	for _, verbatim := range []bool{false, true} {
		g := parse(t, "program", program, verbatim)
		m, err := interp.New(g, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.Call("main", []ir.Val{ir.IntVal(5, 64), ir.IntVal(3, 64), ir.F64Val(0.5)})
		if err != nil {
			t.Fatal(err)
		}
		if len(out) != 1 || out[0].Int(64) != 3 {
			t.Errorf("got %v, want 3", out)
		}
		var sb strings.Builder
		for _, p := range m.Printed() {
			sb.WriteString(interp.FormatPrinted(g.Ctx, p))
		}
		if got := strings.Join(strings.Fields(sb.String()), " "); got != "true -2 0.5 1" && got != "1 -2 0.5 1" {
			t.Errorf("printed %q", sb.String())
		}
	}
}

// An argument with llvm.noalias is memory of its own.
func TestPrepare(t *testing.T) {
	c := ir.NewContext(mine...)
	b := ir.NewBuilder(c)
	mem := c.MemRef([]int64{4}, ir.F64)
	p, q := b.Param(mem), b.Param(mem)
	dict := func(names ...string) ir.Attr {
		var d []ir.NamedAttr
		for _, n := range names {
			d = append(d, ir.NamedAttr{Name: n, Value: c.UnitAttr()})
		}
		return c.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: d})
	}
	funcs.Prepare(b, c.Props([]ir.NamedAttr{{Name: "arg_attrs", Value: c.ArrayAttr(dict(funcs.NoAlias), dict())}}, nil))
	if b.ResourceOf(q) != ir.External {
		t.Error("a plain argument is not External")
	}
	if r := b.ResourceOf(p); r == ir.External || b.Graph().MayAlias(r, ir.External) {
		t.Error("llvm.noalias is not heard")
	}
}
