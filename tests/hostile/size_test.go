//go:build unix

package hostile

import (
	"flag"
	"fmt"
	"testing"
	"time"
)

var (
	megabytes = flag.Int("megabytes", 4, "the length of a long line")
	parts     = flag.Int("parts", 400_000, "how many entries, elements, operands and the like there are of one kind")
)

// A file of 4 MB on one line; -megabytes=50 makes it longer, within the same time.
func TestOneLine(t *testing.T) {
	long := *megabytes << 20
	var cases []hostile
	for _, c := range []struct{ name, unit, mlir, bug, r string }{
		{"spaces", " ", "", "error:", "error:"},
		{"digits", "7", "error:", "error:", ""},
		{"identifier", "a", "error:", "error:", "error:"},
		{"parentheses", "(", "error:", "error:", "error:"},
		{"braces", "{", "error:", "error:", "error:"},
		{"brackets", "[", "error:", "error:", "error:"},
		{"less", "<", "error:", "error:", "error:"},
		{"NULs", "\x00", "error:", "error:", "error:"},
		{"invalid UTF-8", "\xff", "error:", "error:", "error:"},
		{"quotes", "\"", "error:", "error:", "error:"},
		{"percent", "%", "error:", "error:", "error:"},
		{"hashes", "#", "error:", "error:", "error:"},
		{"words", "a ", "error:", "error:", "error:"},
		{"values", "%a ", "error:", "error:", "error:"},
		{"strings", "\"a\" ", "error:", "error:", "error:"},
		{"commas", ",", "error:", "error:", "error:"},
		{"minus", "-", "error:", "error:", "error:"},
		{"backslashes", "\\", "error:", "error:", "error:"},
		{"characters of four bytes", "\U0001F600", "error:", "error:", "error:"},
	} {
		gen := func(w input) { w.rep(long/len(c.unit), c.unit) }
		small := func(w input) { w.put("model { x ~ dnorm(0, 1) }") }
		cases = append(cases,
			hostile{name: c.name, kind: "mlir", args: "-allow-unregistered-dialect", gen: gen, says: c.mlir},
			hostile{name: c.name + " in a model", kind: "bug", gen: gen, says: c.bug},
			hostile{name: c.name + " in the body of a model", kind: "bug", gen: func(w input) { gen(w.put("model { x ~ ")) }, says: "error:"},
			hostile{name: c.name + " in JSON", kind: "bug", args: "logdensity {0} -data={1}", gen: small, more: []func(input){gen}, exts: []string{"json"}, says: "error:"},
			hostile{name: c.name + " in R", kind: "bug", args: "logdensity {0} -data={1}", gen: small, more: []func(input){func(w input) { gen(w.put("x <- ")) }}, exts: []string{"R"}, says: c.r},
			hostile{name: c.name + " in CSV", kind: "bug", args: "logdensity {0} -data={1}", gen: small, more: []func(input){gen}, exts: []string{"csv"}, says: "error:"},
			hostile{name: c.name + " as arguments", kind: "mlir", args: "run {0} -args={1}", gen: func(w input) { w.put("func.func @main(%a: i32) { return }") }, more: []func(input){gen}, exts: []string{"json"}, says: "irc: "},
		)
	}
	cases = append(cases,
		hostile{name: "comment", kind: "mlir", gen: func(w input) { w.put("//").rep(long, "x") }},
		hostile{name: "string", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) { w.put("\"t.op\"() {a = \"").rep(long, "x").put("\"} : () -> ()") }, times: 10},
		hostile{name: "string, open", kind: "mlir", gen: func(w input) { w.put("\"t.op\"() {a = \"").rep(long, "x") }, says: "error:"},
		hostile{name: "error at the end", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) {
			w.put("\"t.op\"() {a = \"").rep(long, "x").put("\"} : () -> () oops")
		}, says: "error:"},
		hostile{name: "ops of a kilobyte", kind: "mlir", args: "-allow-unregistered-dialect -o /dev/null", times: 6, gen: func(w input) {
			for range long >> 10 {
				w.put("\"t.op\"() {a = \"").rep(1000, "x").put("\"} : () -> () ")
			}
		}},
		hostile{name: "lines", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) { w.rep(long, "\n").put("(") }, says: fmt.Sprintf(":%d:1: error:", long+1)},
		hostile{name: "split lines", kind: "mlir", args: "-split-input-file", gen: func(w input) { w.rep(long, "\n").put("(") }, says: fmt.Sprintf(":%d:1: error:", long+1)},
	)
	t.Logf("%d files of %d MB", len(cases), *megabytes)
	runAll(t, cases)
}

func TestMany(t *testing.T) {
	n := *parts
	t.Logf("%d parts", n)
	plain := "-allow-unregistered-dialect"
	runAll(t, []hostile{
		{name: "entries", kind: "mlir", args: plain, times: 20, takes: 4 * time.Second, gen: func(w input) { w.put("\"t.op\"() {").repf(n, "a%d, ").put("b} : () -> ()") }},
		{name: "entries with values", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() {").repf(n/2, "a%d = 1, ").put("b} : () -> ()") }},
		{name: "equal entries", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() {").rep(n, "a, ").put("b} : () -> ()") }, says: "error:"},
		{name: "equal entries at the end", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() {").repf(n, "a%d, ").put("a0} : () -> ()") }, says: "error:"},
		{name: "elements", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() {a = [").rep(n, "1, ").put("1]} : () -> ()") }},
		{name: "dense elements", kind: "mlir", args: plain, gen: func(w input) {
			w.put("\"t.op\"() {a = dense<[").rep(n, "1, ").put("2]> : tensor<", itoa(n+1), "xi32>} : () -> ()")
		}},
		{name: "types", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() {a = tuple<").rep(n, "i1, ").put("i1>} : () -> ()") }},
		{name: "different types", kind: "mlir", args: plain, gen: func(w input) {
			w.put("\"t.op\"() {a = tuple<").repf(100000, "tensor<%dxi1>, ").put("i1>} : () -> ()")
		}},
		{name: "operands", kind: "mlir", args: plain, times: 10, gen: func(w input) {
			w.put("%0 = \"t.a\"() : () -> i1\n\"t.op\"(").rep(n, "%0, ").put("%0) : (").rep(n, "i1, ").put("i1) -> ()")
		}},
		{name: "operands of no name", kind: "mlir", args: plain, gen: func(w input) {
			w.put("\"t.op\"(").rep(n, "%0, ").put("%0) : (").rep(n, "i1, ").put("i1) -> ()")
		}, says: "error:"},
		{name: "results", kind: "mlir", args: plain, gen: func(w input) { w.put("%0:100001 = \"t.op\"() : () -> (").rep(100000, "i1, ").put("i1)") }},
		{name: "arguments", kind: "mlir", args: plain, gen: func(w input) { w.put("func.func @f(").repf(100000, "%%a%d: i1, ").put("%b: i1) { return }") }},
		{name: "arguments of one name", kind: "mlir", args: plain, gen: func(w input) { w.put("func.func @f(").rep(100000, "%a: i1, ").put("%b: i1) { return }") }, says: "error:"},
		{name: "65535 regions", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() (").rep(65534, "{}, ").put("{}) : () -> ()") }},
		{name: "65536 regions", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() (").rep(65535, "{}, ").put("{}) : () -> ()") }, says: "more than 65535 regions"},
		{name: "regions", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() (").rep(n, "{}, ").put("{}) : () -> ()") }, says: "more than 65535 regions"},
		{name: "regions of a switch", kind: "mlir", args: plain, gen: func(w input) {
			w.put("func.func @f(%a: index) {\nscf.index_switch %a ").repf(70000, "case %d {\nscf.yield\n}\n").put("default {\n}\nreturn\n}\n")
		}, says: "error:"},
		{name: "errors", kind: "mlir", args: plain, gen: func(w input) { w.rep(n, "bad.op\n") }, says: "error:"},
		{name: "errors in bodies", kind: "mlir", args: plain, gen: func(w input) { w.repf(n/8, "func.func @f%d() {\n%%a = arith.addi %%b, %%c : i32\nreturn\n}\n") }, says: "error:"},
		{name: "errors of a model", kind: "bug", gen: func(w input) { w.put("model {\n").rep(250000, "x <- )\n").put("}\n") }, says: "error:"},
		{name: "errors of JSON", kind: "bug", args: "logdensity {0} -data={1}", gen: func(w input) { w.put("model { x ~ dnorm(0, 1) }") }, more: []func(input){func(w input) { w.put("{").repf(100000, "\"x%d\": [\"a\"],\n").put("\"y\": 1}") }}, exts: []string{"json"}, says: "error:"},
		{name: "parts with an error", kind: "mlir", args: plain + " -split-input-file", gen: func(w input) { w.rep(2000, "(\n// -----\n") }, says: "error:", long: true},
		{name: "empty parts", kind: "mlir", args: plain + " -split-input-file", gen: func(w input) { w.rep(2000, "// -----\n") }},
		{name: "expectations", kind: "mlir", args: plain + " -verify-diagnostics", gen: func(w input) { w.rep(200000, "// expected-error {{nothing}}\n") }, says: "error:", long: true},
		{name: "expectations below", kind: "mlir", args: plain + " -verify-diagnostics", gen: func(w input) { w.rep(50000, "// expected-error @below {{nothing}}\n") }, says: "error:", long: true},
		{name: "expectations of nothing", kind: "mlir", args: plain + " -verify-diagnostics", gen: func(w input) { w.rep(200000, "// expected-error@") }, says: "error:"},
		{name: "modules", kind: "mlir", args: plain, gen: func(w input) { w.rep(10000, "module {\n}\n") }},
		{name: "functions of one name", kind: "mlir", args: plain, gen: func(w input) { w.rep(20000, "func.func @f() { return }\n") }, says: "error:"},
		{name: "calls of one another", kind: "mlir", args: plain + " -passes=inline,symbol-dce", gen: func(w input) {
			for i := range 10000 {
				w.put("func.func @f", itoa(i), "() { call @f", itoa((i+1)%10000), "() : () -> ()\nreturn }\n")
			}
		}},
		{name: "calls that double", kind: "mlir", args: plain + " -passes=inline{threshold=-1}", gen: func(w input) {
			w.put("func.func private @g()\nfunc.func @f0() { call @g() : () -> ()\nreturn }\n")
			for i := range 100 {
				w.put("func.func @f", itoa(i+1), "() { call @f", itoa(i), "() : () -> ()\ncall @f", itoa(i), "() : () -> ()\nreturn }\n")
			}
		}},
		{name: "nested loops unrolled", kind: "mlir", args: plain + " -passes=unroll{full=true},unroll{full=true}", gen: func(w input) {
			w.put("func.func @f() {\n%a = arith.constant 0 : index\n%b = arith.constant 10 : index\n%c = arith.constant 1 : index\n")
			w.repf(20, "scf.for %%i%d = %%a to %%b step %%c {\n").put("\"t.op\"(%i0) : (index) -> ()\n").rep(20, "}\n").put("return\n}\n")
		}},
		{name: "blocks", kind: "mlir", args: plain, gen: func(w input) { w.put("func.func @f() {\n").repf(100000, "^bb%d:\n\"t.op\"() : () -> ()\n").put("}\n") }, says: "error:"},
		{name: "labels", kind: "mlir", args: plain, gen: func(w input) { w.put("func.func @f() {\n").rep(n, "^bb0:\n").put("}\n") }, says: "error:"},
		{name: "aliases of a line", kind: "mlir", args: plain, gen: func(w input) { w.rep(n, "#a ") }, says: "error:"},
		{name: "locations of a node", kind: "mlir", args: plain, gen: func(w input) { w.put("\"t.op\"() : () -> () loc(fused[").repf(200000, "\"a\":%d:1, ").put("unknown])") }},
		{name: "undefined values in nested regions", kind: "mlir", args: plain, gen: func(w input) {
			w.rep(300, "\"t.op\"() ({\n").rep(20000, "\"t.u\"(%n) : (i1) -> ()\n").rep(300, "}) : () -> ()\n")
		}, says: "error:", takes: 2 * time.Second},
	})
}
