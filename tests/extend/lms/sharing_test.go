package lms_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/extend/lms"
)

// Programs with two mutable arrays, one that never changes, and a variable of it.
const owned = `%v1 = lms.newmut %k3 %v2 = lms.newmut %k3 lms.write %v1[%k0], %x %z = lms.zeros %k3 %v = lms.var %z : !lms.arr
  %i0 = arith.constant 0 : index %i1 = arith.constant 1 : index %in = arith.index_cast %y : i64 to index %zz = lms.lit %z, %z : !lms.arr, !lms.arr
`

// either is one of the two in each way there is to choose.
var either = map[string]string{
	"itself":      `%a = arith.select %c, %v1, %v1 : !lms.arr`,
	"select":      `%a = arith.select %c, %v1, %v2 : !lms.arr`,
	"if":          `%a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %z : !lms.arr }`,
	"if of two":   `%q, %a = scf.if %c -> (!lms.arr, !lms.arr) { scf.yield %z, %v1 : !lms.arr, !lms.arr } else { lms.print %k1 scf.yield %z, %z : !lms.arr, !lms.arr }`,
	"switch":      "%a = scf.index_switch %in -> !lms.arr case 1 { scf.yield %v1 : !lms.arr } default { scf.yield %v2 : !lms.arr }",
	"for":         `%a = scf.for %i = %i0 to %in step %i1 iter_args(%b = %z) -> (!lms.arr) { scf.yield %v2 : !lms.arr }`,
	"while":       "%a = scf.while (%b = %v1) : (!lms.arr) -> !lms.arr { scf.condition(%c) %b : !lms.arr } do { ^bb0(%b: !lms.arr): scf.yield %v2 : !lms.arr }",
	"call":        `%a = func.call @keep(%v1) : (!lms.arr) -> !lms.arr`,
	"element":     `%w = lms.lit %z, %v2 : !lms.arr, !lms.arr %a = lms.at %w[%x]`,
	"of a copy":   `%w = lms.arr %i < %k3 { lms.yield %v1 } %u = lms.clone %w : !lms.arrs %a = lms.at %u[%x]`,
	"of its turn": `%w = lms.arr %i < %k3 { %f = lms.newmut %k3 lms.write %f[%k0], %i lms.yield %f } %a = lms.at %w[%x]`,
}

// What must be refused, by name.
func TestRefused(t *testing.T) {
	type refused struct{ id, src, want string }
	cases := []refused{
		{"4.1 mut1", `%a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  lms.write %a[%k1], %k10`, "write to what is no unique allocation"},
		{"an element", `%w = lms.lit %v1, %v2 : !lms.arr, !lms.arr %a = lms.at %w[%x] lms.write %a[%k1], %k10`, "write to what is no unique allocation"},
		{"an array that is built at once", `lms.write %zz[%k0], %z`, "write to what is no unique allocation"},
		{"4.4 mut3", `scf.for %i = %i0 to %in step %i1 { %a = lms.get %v : !lms.arr %x1 = lms.read %a[%k1] lms.write %v1[%k0], %k7 lms.print %x1 lms.set %v, %v1 : !lms.arr }`, "illegal sharing: a variable"},
		{"a mutable array as an element", `lms.write %v1[%k0], %v2`, "illegal sharing: a mutable array may not refer to a mutable array"},
		{"an array that never changes, as a number", `lms.write %v1[%k0], %z`, "operand #2 has the wrong type"},
		{"an array of mutable arrays in a variable", `%w = lms.lit %v1, %z : !lms.arr, !lms.arr %u = lms.var %w : !lms.arrs`, "illegal sharing: a variable may not refer to an array of mutable arrays"},
		{"set, and by a copy", `%u = lms.var %zz : !lms.arrs %w = lms.arr %i < %k3 { lms.yield %v1 } %q = lms.clone %w : !lms.arrs lms.set %u, %q : !lms.arrs`, "illegal sharing: a variable may not refer to an array of mutable arrays"},
		{"a mutable array of mutable arrays", `%w = lms.lit %z, %v1 : !lms.arr, !lms.arr %q = lms.mutcopy %w`, "illegal sharing: a mutable array may not hold mutable arrays"},
	}
	for name, a := range either {
		cases = append(cases, refused{"var: " + name, a + ` %u = lms.var %a : !lms.arr`, "illegal sharing: a variable"},
			refused{"set: " + name, a + ` lms.set %v, %a : !lms.arr`, "illegal sharing: a variable"},
			refused{"write: " + name, a + ` %w0 = lms.mutcopy %zz lms.write %w0[%k1], %a`, "illegal sharing: a mutable array"})
	}
	const keep = "func.func private @keep(%a: !lms.arr) -> !lms.arr { return %a : !lms.arr }\n"
	for _, k := range cases {
		for _, verbatim := range []bool{false, true} { // which knows nothing of memory
			_, errs := text.Parse(memtest.Context(lms.Dialect), diag.NewSource("x", keep+head+owned+k.src+"\n  return }"), text.Options{Verbatim: verbatim})
			if err := errs.Err(); err == nil || !strings.Contains(err.Error(), k.want) {
				t.Errorf("%s, verbatim %t: got %v, wanted %q", k.id, verbatim, err, k.want)
			}
		}
	}
	for name, a := range either { // a copy may be kept, and written into an array of arrays
		src := keep + head + owned + a + ` %b = lms.clone %a : !lms.arr lms.set %v, %b : !lms.arr %w0 = lms.mutcopy %zz lms.write %w0[%k1], %b` + "\n  return }"
		if _, errs := text.Parse(memtest.Context(lms.Dialect), diag.NewSource("x", src), text.Options{}); errs.Err() != nil {
			t.Errorf("%s: %v", name, errs.Err())
		}
	}
}

// The argument of a function may be mutable where it is called: inlining it finds
// nothing that is refused.
func TestArgumentsAreNotKept(t *testing.T) {
	_, errs := text.Parse(memtest.Context(lms.Dialect), diag.NewSource("x", `func.func private @f(%a: !lms.arr) {
  %v = lms.var %a : !lms.arr
  return
}`), text.Options{})
	if err := errs.Err(); err == nil || !strings.Contains(err.Error(), "illegal sharing") {
		t.Error(err)
	}
}
