package text

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir"
)

// Formats read what they print: groups, anchors, segments, defaults, implicit
// terminators.
func TestFormats(t *testing.T) {
	const head = "module {\n  %0:3 = \"u_.three\"() : () -> (i32, i32, f32)\n"
	for _, c := range []struct{ pretty, generic string }{
		{"%1 = t.seg x %0#0[%0#1, %0#2] with %0#0 flag n = 3 ; {u} : i32, i32, f32 -> i64",
			`%1 = "t.seg"(%0#1, %0#2, %0#0, %0#0) <{flag, kind = 0 : i64, n = 3 : i32, operandSegmentSizes = array<i32: 2, 1, 1>}> {u} : (i32, f32, i32, i32) -> i64`},
		{"t.seg y %0#0[] : i32, ",
			`"t.seg"(%0#0) <{kind = 1 : i64, operandSegmentSizes = array<i32: 0, 0, 1>}> : (i32) -> ()`},
		{`t.wrap "w" {
  } {b}`, `"t.wrap"() <{what = "w"}> ({
    "t.end"() : () -> ()
  }) {b} : () -> ()`},
		{`t.wrap {
  ^bb0(%arg0: i32):
    t.end {a}
  }`, `"t.wrap"() ({
  ^bb0(%arg0: i32):
    "t.end"() {a} : () -> ()
  }) : () -> ()`},
		{"%1 = arith.addf %0#2, %0#2 {a} : f32", `%1 = "arith.addf"(%0#2, %0#2) <{fastmath = #arith.fastmath<none>}> {a} : (f32, f32) -> f32`},
		{"%1 = arith.addf %0#2, %0#2 fastmath<reassoc,ninf> : f32", `%1 = "arith.addf"(%0#2, %0#2) <{fastmath = #arith.fastmath<reassoc,ninf>}> : (f32, f32) -> f32`},
		{"%1 = arith.cmpi ult, %0#0, %0#1 : i32", `%1 = "arith.cmpi"(%0#0, %0#1) <{predicate = 6 : i64}> : (i32, i32) -> i1`},
	} {
		src := head + "  " + c.pretty + "\n}\n"
		g := parse(t, src, verbatim)
		if got := String(g, PrintOptions{}); strings.Replace(got, ", \n", ",\n", 1) != strings.Replace(src, ", \n", ",\n", 1) {
			t.Errorf("got\n%s\nwant\n%s", got, src)
		}
		generic := String(g, PrintOptions{Generic: true})
		if !strings.Contains(generic, "\n  "+c.generic+"\n") {
			t.Errorf("generic form\n%s\nwant\n%s", generic, c.generic)
		}
		if got := String(parse(t, generic, verbatim), PrintOptions{}); got != String(g, PrintOptions{}) {
			t.Errorf("the generic form reads as\n%s", got)
		}
	}
}

// Enumerations are spelt in one way, so that equal ops are equal.
func TestCanonicalFlags(t *testing.T) {
	g := parse(t, `%0 = "u_.x"() : () -> f32
%1 = "arith.addf"(%0, %0) <{fastmath = #arith.fastmath<ninf, reassoc>}> : (f32, f32) -> f32`, verbatim)
	if got := String(g, PrintOptions{Generic: true}); !strings.Contains(got, "<reassoc,ninf>") {
		t.Errorf("got %s", got)
	}
}

// Constants take MLIR's names, and equal names are told apart.
func TestNames(t *testing.T) {
	got := String(parse(t, `module {
  %a = arith.constant 1 : index
  %b = arith.constant 1 : index
  %c = arith.constant -1 : i8
  %d = arith.constant true
  %e = arith.constant 1.5 : f32
  %f = arith.constant dense<1> : vector<2xi8>
}`, verbatim), PrintOptions{})
	for _, want := range []string{"%c1 =", "%c1_0 =", "%c-1_i8 =", "%true = arith.constant true\n", "%cst =", "%cst_1 ="} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// Locations that are given are kept; others are places in the source.
func TestLocations(t *testing.T) {
	src := `"u_.x"() : () -> () loc("f.py":3:4)
"u_.x"() : () -> ()
"u_.y"() : () -> () loc(#loc)
#loc = loc(callsite("a" at unknown))
`
	g := parse(t, src, verbatim)
	if got := String(g, PrintOptions{Generic: true}); strings.Contains(got, "loc") {
		t.Errorf("locations without DebugInfo:\n%s", got)
	}
	got := String(g, PrintOptions{Generic: true, DebugInfo: true})
	for _, want := range []string{`loc("f.py":3:4)`, `loc(unknown)`, `loc(callsite("a" at unknown))`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	again := parse(t, got, verbatim)
	if two := String(again, PrintOptions{Generic: true, DebugInfo: true}); two != got {
		t.Errorf("printed\n%s\nthen\n%s", got, two)
	}
}

// A text without a module is one with it.
func TestImplicitModule(t *testing.T) {
	const body = "func.func @f() {\n  return\n}\n"
	a := String(parse(t, body, Options{}), PrintOptions{Generic: true})
	b := String(parse(t, "module {\n"+body+"}", Options{}), PrintOptions{Generic: true})
	if a != b || !strings.HasPrefix(a, `"builtin.module"`) {
		t.Errorf("got\n%s\nand\n%s", a, b)
	}
}

// Regions without a block, with an empty one and without a terminator differ.
func TestBlocks(t *testing.T) {
	g := parse(t, `"u_.x"() ({}, {^bb0:}, {"u_.y"() : () -> ()}) : () -> ()`, verbatim)
	want := "\"u_.x\"() ({\n  }, {\n  ^bb0:\n  }, {\n    \"u_.y\"() : () -> ()\n  }) : () -> ()\n"
	if got := String(g, PrintOptions{Generic: true}); !strings.Contains(got, want) {
		t.Errorf("got\n%s", got)
	}
}

func TestStrings(t *testing.T) {
	c := ir.NewContext()
	v := c.Vector([]int64{4}, ir.F32)
	if got := TypeString(c, c.Func([]ir.Type{v}, []ir.Type{c.Func(nil, nil)})); got != "(vector<4xf32>) -> (() -> ())" {
		t.Error(got)
	}
	if got := AttrString(c, c.ArrayAttr(c.IntAttr(-1, ir.I64), c.FloatAttr(0.1, ir.F32), c.SymbolAttr("a b"))); got != `[-1, 1.000000e-01 : f32, @"a b"]` {
		t.Error(got)
	}
}
