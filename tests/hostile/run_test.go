//go:build unix

package hostile

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
)

// engines runs each case on every engine that is here.
func engines(t *testing.T, cases []hostile) {
	var out []hostile
	for _, c := range cases {
		for _, e := range []string{"eval", "llvm"} {
			if e == "llvm" && !jit.Doctor().Found {
				t.Logf("%s on llvm: skipped, needs libLLVM", c.name)
				continue
			}
			d := c
			d.name += ", " + e
			d.args += " -engine=" + e
			d.lazy = d.lazy && e == "llvm"
			out = append(out, d)
		}
	}
	runAll(t, out)
}

func TestRun(t *testing.T) {
	const terabyte = "1099511627776"
	// memory allocates, writes and reads; what is given and read is no constant.
	memory := func(before, alloc, shape string) func(w input) {
		typ := "memref<" + shape + "xi8>"
		at := strings.Repeat(", %c", strings.Count(shape, "x"))
		return func(w input) {
			w.put("func.func @main() {\n", before, "%m = memref.", alloc, " : ", typ, "\n%c = arith.constant 5 : index\n%x = arith.constant 7 : i8\n")
			w.put("memref.store %x, %m[%c", at, "] : ", typ, "\n%f = func.constant @see : (", typ, ") -> ()\nfunc.call_indirect %f(%m) : (", typ, ") -> ()\nreturn\n}\n")
			w.put("func.func @see(%m: ", typ, ") {\n%c = arith.constant 5 : index\n%v = memref.load %m[%c", at, "] : ", typ, "\nspecial.print %v : i8\nreturn\n}\n")
		}
	}
	// What loops must be seen to write, or the loops go.
	global := func(body string) func(w input) {
		return func(w input) {
			w.put("memref.global @g : memref<2xindex> = dense<0>\nfunc.func @main() {\n%m = memref.get_global @g : memref<2xindex>\n%a = arith.constant 0 : index\n")
			w.put(body, "\n%v = memref.load %m[%a] : memref<2xindex>\nspecial.print %v : index\nreturn\n}\n")
		}
	}
	forever := global("%c = arith.constant 1 : index\nscf.while : () -> () {\n%x = memref.load %m[%c] : memref<2xindex>\n%z = arith.cmpi eq, %x, %a : index\nscf.condition(%z)\n} do {\nmemref.store %c, %m[%a] : memref<2xindex>\nscf.yield\n}")
	counting := global("%b = arith.constant 9223372036854775807 : index\n%c = arith.constant 1 : index\nscf.for %i = %a to %b step %c {\n%x = memref.load %m[%c] : memref<2xindex>\n%y = arith.muli %x, %i : index\n%z = arith.xori %y, %i : index\nmemref.store %z, %m[%c] : memref<2xindex>\n}")
	recursion := func(w input) {
		w.put("func.func @main() -> i64 {\n%r = call @f() : () -> i64\nreturn %r : i64\n}\nfunc.func @f() -> i64 {\n%r = call @f() : () -> i64\n%s = arith.muli %r, %r : i64\nreturn %s : i64\n}\n")
	}
	engines(t, []hostile{
		{name: "memory of 2^40", args: "run {0}", gen: memory("", "alloc()", terabyte), says: "error", lazy: true},
		{name: "memory of 2^40 on the stack", args: "run {0}", gen: memory("", "alloca()", terabyte), says: "error", lazy: true},
		{name: "memory of 2^62", args: "run {0}", gen: memory("%n = arith.constant 4611686018427387904 : index\n", "alloc(%n)", "?"), says: "error", lazy: true},
		{name: "memory of 2^124", args: "run {0}", gen: memory("%n = arith.constant 4611686018427387904 : index\n", "alloc(%n, %n)", "?x?"), says: "error", lazy: true},
		{name: "memory of less than nothing", args: "run {0}", gen: memory("%n = arith.constant -1 : index\n", "alloc(%n)", "?"), says: "error", lazy: true},
		{name: "memory over the limit", args: "run {0} -mem-limit=50M", gen: memory("%n = arith.constant 800000000 : index\n", "alloc(%n)", "?"), says: "error", lazy: true},
		{name: "endless, with time", args: "run {0} -timeout=200ms", gen: forever, says: "-timeout"},
		{name: "counting, with time", args: "run {0} -timeout=200ms", gen: counting, says: "-timeout"},
		{name: "recursion", args: "run {0}", gen: recursion, says: "error"},
	})
	runAll(t, []hostile{
		{name: "endless, with fuel", kind: "mlir", args: "run {0} -fuel=1000000 -engine=eval", gen: forever, says: "-fuel"},
		{name: "counting, with fuel", kind: "mlir", args: "run {0} -fuel=1000000 -engine=eval", gen: counting, says: "-fuel"},
		{name: "recursion of large frames", kind: "mlir", args: "run {0} -engine=eval", gen: func(w input) {
			w.put("func.func @main() -> i64 {\n%r = call @f() : () -> i64\nreturn %r : i64\n}\nfunc.func @f() -> i64 {\n")
			w.put("%x0 = call @f() : () -> i64\n")
			for i := range 10000 {
				w.put("%x", itoa(i+1), " = arith.muli %x", itoa(i), ", %x", itoa(i), " : i64\n")
			}
			w.put("return %x10000 : i64\n}\n")
		}, says: "call depth"},
		{name: "deep arguments", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main(%a: memref<?xi32>) { return }") },
			more: []func(input){func(w input) { w.put("[").rep(deep, "[") }}, exts: []string{"json"}, says: "irc: "},
		{name: "digits of an argument", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main(%a: i64) { return }") },
			more: []func(input){func(w input) { w.put("[").rep(digits, "7").put("]") }}, exts: []string{"json"}, says: "irc: "},
		{name: "digits of a float argument", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main(%a: f64) -> f64 { return %a : f64 }") },
			more: []func(input){func(w input) { w.put("[0.").rep(digits, "7").put("]") }}, exts: []string{"json"}},
		{name: "ragged arguments", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main(%a: memref<?x?xi64>) { return }") },
			more: []func(input){func(w input) { w.put("[[[1]").rep(deep, ", []").put("]]") }}, exts: []string{"json"}, says: "irc: "},
		{name: "many arguments", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main() { return }") },
			more: []func(input){func(w input) { w.put("[1").rep(digits, ",1").put("]") }}, exts: []string{"json"}, says: "irc: "},
	})
}

func TestPipelines(t *testing.T) {
	program := func(w input) {
		w.put("func.func @f(%m: memref<4xindex>) {\n%a = arith.constant 0 : index\n%b = arith.constant 1000000000 : index\n%c = arith.constant 1 : index\nscf.for %i = %a to %b step %c {\nmemref.store %i, %m[%a] : memref<4xindex>\n}\nreturn\n}\n")
	}
	ok := func(name, passes string) hostile {
		return hostile{name: name, kind: "mlir", args: "-passes=" + passes, gen: program}
	}
	cases := []hostile{
		ok("unroll all of 10^9", "unroll{full=true}"),
		ok("repeated cse", "repeat(cse,canonicalize)"),
		ok("repeats of repeats", strings.Repeat("repeat(", 90)+"cse"+strings.Repeat(")", 90)),
	}
	bad := func(name, passes string) hostile {
		return hostile{name: name, kind: "mlir", args: "-passes=" + passes, gen: program, says: "irc: ", usage: true}
	}
	cases = append(cases,
		bad("unroll by 10^9", "unroll{factor=1000000000}"),
		bad("unroll by 2^63", "unroll{factor=9223372036854775807}"),
		bad("unroll by too much", "unroll{factor="+strings.Repeat("9", 10000)+"}"),
		ok("unroll by what the target says", "unroll{factor=0}"),
		bad("unroll by less", "unroll{factor=-5}"),
		bad("huge count", "repeat{n=1000000000}(cse)"),
		bad("deep", strings.Repeat("repeat(", 15000)+"cse"+strings.Repeat(")", 15000)),
		bad("deep, open", strings.Repeat("repeat(", 15000)),
		bad("deep functions", strings.Repeat("func(", 15000)),
		bad("options", "unroll"+strings.Repeat("{", 100000)),
		bad("a long name", strings.Repeat("a", 100000)),
		bad("commas", strings.Repeat(",", 100000)),
		bad("bytes", "\xff\xfe(\x01"),
	)
	runAll(t, cases)
}
