package passes_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// What a symbol refers to exists, once in its scope, and has the type of the use.
func TestSymbols(t *testing.T) {
	for _, e := range []struct{ src, says string }{
		{`func.func @f(%a: i32) { func.call @g(%a) : (i32) -> () return }`, "'g' does not reference a valid function"},
		{`func.func private @g(i64)
func.func @f(%a: i32) { func.call @g(%a) : (i32) -> () return }`, "operand type mismatch: operand 0 is not what @g takes"},
		{`func.func private @g()
func.func @f(%a: i32) { func.call @g(%a) : (i32) -> () return }`, "incorrect number of operands for callee"},
		{`func.func private @g() -> i32
func.func @f(%a: i32) { %0 = func.call @g() : () -> i64 return }`, "result type mismatch: result 0"},
		{`func.func @f() { return }
func.func @f() { return }`, "redefinition of symbol named 'f'"},
		{`func.func @f() { %0 = func.constant @g : () -> () return }`, "reference to undefined function 'g'"},
		{`func.func @f() { %0 = func.constant @f : (i32) -> () return }`, "reference to function 'f' with mismatched type"},
		{`func.func @f() { %0 = memref.get_global @f : memref<i32> return }`, "'f' is a func.func"},
		{`memref.global @g : memref<i32>
func.func @f() { %0 = memref.get_global @g : memref<i64> return }`, "does not match type of the global memref @g"},
		{`memref.global @g : memref<i32>
func.func @f() { %0 = memref.get_global @g : memref<i32> return }`, ""},
		{`"a.scope"() ({ func.func private @f() func.func private @f() }) : () -> ()`, "redefinition"},
		// An op that is not registered has a scope of its own.
		{`"a.scope"() ({
  func.func private @f(i32)
  func.func @h(%a: i32) { call @f(%a) : (i32) -> () call @g() : () -> () return }
}) : () -> ()
func.func private @f()
func.func @g() { call @f() : () -> () return }`, ""},
	} {
		g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x", e.src), text.Options{Verbatim: true})
		if list.Err() != nil {
			t.Fatal(list)
		}
		err := symbols.Check(g)
		if (e.says == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), e.says) {
			t.Errorf("%s\n says %v\n want %s", e.src, err, e.says)
		}
	}
}

// No pass takes a symbol out of the region of an op that is not registered, or
// mistakes it for one of the same name outside.
func TestSymbolsOfUnknown(t *testing.T) {
	src := `"a.scope"() ({
  func.func private @f() -> i32 {
    %0 = arith.constant 1 : i32
    return %0 : i32
  }
}) : () -> ()
func.func private @f() -> i32 {
  %0 = arith.constant 2 : i32
  return %0 : i32
}
func.func @g() -> i32 {
  %0 = call @f() : () -> i32
  return %0 : i32
}`
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("x", src), text.Options{AllowUnregistered: true})
	if list.Err() != nil {
		t.Fatal(list)
	}
	n, _ := apply(t, g, "inline,symbol-dce")
	s := show(n)
	if strings.Count(s, "private @f") != 1 || !strings.Contains(s, "constant 1 : i32") || !strings.Contains(s, "%c2_i32 = arith.constant 2 : i32\n    return %c2_i32") {
		t.Error(s)
	}
}
