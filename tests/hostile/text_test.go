//go:build unix

package hostile

import (
	"strings"
	"testing"
)

const (
	deep   = 100_000
	digits = 1_000_000
)

// nest is a case of n nested brackets, closed or not.
func nest(name, before, open, inner, shut, after, says string) []hostile {
	return []hostile{
		{name: name, kind: "mlir", gen: func(w input) { w.put(before).rep(deep, open).put(inner).rep(deep, shut).put(after) }, says: says},
		{name: name + ", open", kind: "mlir", gen: func(w input) { w.put(before).rep(deep, open) }, says: "error:"},
	}
}

const tooDeep = "levels deep"

func TestNesting(t *testing.T) {
	op := `"t.op"() {a = `
	var cases []hostile
	for _, c := range [][]hostile{
		nest("modules", "", "module {\n", "", "}\n", "", tooDeep),
		nest("regions", "", "\"t.op\"() ({\n", "", "}) : () -> ()\n", "", tooDeep),
		nest("ifs", "func.func @f(%c: i1) {\n", "scf.if %c {\n", "", "}\n", "return\n}\n", tooDeep),
		nest("loops on one line", "func.func @f(%c: index) {\n", "scf.while : () -> () { scf.condition(%d) } do { ", "", " scf.yield }", "return\n}\n", "error:"),
		nest("branches on one line", "func.func @f(%c: i1) {\n", "scf.if %c {", "", "}", "return\n}\n", tooDeep),
		nest("arrays", op, "[", "1", "]", "} : () -> ()\n", tooDeep),
		nest("dictionaries", op, "{a = ", "1", "}", "} : () -> ()\n", tooDeep),
		nest("tuples", op, "tuple<", "i1", ">", "} : () -> ()\n", tooDeep),
		nest("functions", op, "() -> (", "i1", ")", "} : () -> ()\n", tooDeep),
		nest("function arguments", op, "(", "i1", ") -> ()", "} : () -> ()\n", tooDeep),
		nest("memrefs", op, "memref<", "i1", ">", "} : () -> ()\n", tooDeep),
		nest("complexes", op, "complex<", "f32", ">", "} : () -> ()\n", "error:"),
		nest("opaque", op, "#d<", "", ">", "} : () -> ()\n", ""),
		nest("opaque brackets", op+"#d.a", "<[(", "", ")]>", "} : () -> ()\n", ""),
		nest("opaque type", op+"!d.t", "<", "a", ">", "} : () -> ()\n", ""),
		nest("affine parentheses", op+"affine_map<(d0) -> (", "(", "d0", ")", ")>} : () -> ()\n", tooDeep),
		nest("affine signs", op+"affine_map<(d0) -> (", "-", "d0", "", ")>} : () -> ()\n", tooDeep),
		nest("affine sums", op+"affine_map<(d0) -> (", "d0 + (", "d0", ")", ")>} : () -> ()\n", tooDeep),
		nest("affine products", op+"affine_map<(d0) -> (", "2 * (", "d0", ")", ")>} : () -> ()\n", tooDeep),
		nest("fused locations", `"t.op"() : () -> () loc(`, "fused[", "unknown", "]", ")\n", tooDeep),
		nest("named locations", `"t.op"() : () -> () loc(`, `"a"(`, "unknown", ")", ")\n", tooDeep),
		nest("callsite locations", `"t.op"() : () -> () loc(`, "callsite(unknown at ", "unknown", ")", ")\n", tooDeep),
		nest("dense", op, "dense<", "1", ">", " : tensor<1xi1>} : () -> ()\n", "error:"),
		nest("dense lists", op+"dense<", "[", "1", "]", "> : tensor<1xi1>} : () -> ()\n", "error:"),
		nest("resources", "{-# a: ", "{a: ", "1", "}", " #-}\n", "error:"),
		nest("opening parentheses", "", "(", "", ")", "", "error:"),
		nest("symbols", op+"@a", "::@a", "", "", "} : () -> ()\n", ""),
	} {
		cases = append(cases, c...)
	}
	for i := range cases {
		cases[i].args = "-allow-unregistered-dialect"
	}
	cases = append(cases,
		hostile{name: "ifs under the limit", kind: "mlir", gen: func(w input) {
			w.put("func.func @f(%c: i1) {\n").rep(900, "scf.if %c {\n").put("\"t.op\"() : () -> ()\n").rep(900, "}\n").put("return\n}\n")
		}, args: "-allow-unregistered-dialect -passes=canonicalize,cse,licm,inline"},
		hostile{name: "a long sum", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) {
			w.put(op, "affine_map<(d0) -> (d0").rep(deep, " + d0").put(")>} : () -> ()\n")
		}},
		hostile{name: "many constraints", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) {
			w.put(op, "affine_set<(d0) : (d0 >= 0").rep(deep, ", d0 >= 0").put(")>} : () -> ()\n")
		}},
		hostile{name: "many dimensions", kind: "mlir", args: "-allow-unregistered-dialect", gen: func(w input) {
			w.put(op, "affine_map<(d").repf(deep, "%d, d").put("x) -> (dx)>} : () -> ()\n")
		}},
	)
	runAll(t, cases)
}

// number is a case of a literal of a million digits.
func number(name, before, digit, after, says string) hostile {
	return hostile{name: name, kind: "mlir", args: "-allow-unregistered-dialect", says: says,
		gen: func(w input) { w.put(before).rep(digits, digit).put(after) }}
}

func TestDigits(t *testing.T) {
	op := `"t.op"() {a = `
	runAll(t, []hostile{
		number("integer", op, "7", " : i64} : () -> ()", "error:"),
		number("integer without a type", op, "7", "} : () -> ()", "error:"),
		number("wide integer", op, "7", " : i16777215} : () -> ()", "error:"),
		number("zeros", op, "0", " : i64} : () -> ()", "error:"),
		number("hexadecimal", op+"0x", "f", " : i64} : () -> ()", "error:"),
		number("wide hexadecimal", op+"0x", "f", " : i16777215} : () -> ()", "error:"),
		number("float", op+"1.", "7", " : f64} : () -> ()", ""),
		number("large float", op+"1", "7", ".0 : f64} : () -> ()", ""),
		number("f16", op+"1.", "7", " : f16} : () -> ()", ""),
		number("f128", op+"1.", "7", " : f128} : () -> ()", ""),
		number("f80", op+"1", "7", ".0 : f80} : () -> ()", ""),
		number("exponent", op+"1.0e", "7", " : f64} : () -> ()", ""),
		number("exponent of f16", op+"1.0e", "7", " : f16} : () -> ()", ""),
		number("exponent of f128", op+"1.0e-", "7", " : f128} : () -> ()", ""),
		number("float bits", op+"0x", "0", " : f64} : () -> ()", "error:"),
		number("width", op+"i", "7", "} : () -> ()", "error:"),
		number("shape", op+"tensor<", "7", "xi32>} : () -> ()", "error:"),
		number("vector shape", op+"vector<", "7", "xi32>} : () -> ()", "error:"),
		number("zeros in a shape", op+"tensor<", "0", "xi32>} : () -> ()", "error:"),
		number("rank", op+"tensor<", "1x", "i32>} : () -> ()", ""),
		number("dense integer", op+"dense<", "7", "> : tensor<2xi64>} : () -> ()", "error:"),
		number("dense float", op+"dense<1.", "7", "> : tensor<2xf64>} : () -> ()", ""),
		number("dense bytes", op+"dense<\"0x", "7", "\"> : tensor<2xf64>} : () -> ()", "error:"),
		number("array element", op+"array<i64: ", "7", ">} : () -> ()", "error:"),
		number("array of ones", op+"array<i64: 1", ", 1", ">} : () -> ()", ""),
		number("affine constant", op+"affine_map<() -> (", "7", ")>} : () -> ()", "error:"),
		number("affine dimension", op+"affine_map<(d0) -> (d", "7", ")>} : () -> ()", "error:"),
		number("results", "%x:", "7", " = \"t.op\"() : () -> ()", "error:"),
		number("result", "%x = \"t.op\"() : () -> i1 \"t.op\"(%x#", "7", ") : (i1) -> ()", "error:"),
		number("name", "%", "7", " = \"t.op\"() : () -> i1", ""),
		number("stride", op+"strided<[", "7", "]>} : () -> ()", "error:"),
		number("line of a location", `"t.op"() : () -> () loc("a":`, "7", ":1)", "error:"),
		number("constant", "func.func @f() { %a = arith.constant ", "7", " : i32 return }", "error:"),
		number("op name", `"`, "a", `"() : () -> ()`, ""),
		number("unknown op", "", "a", `() : () -> ()`, "error:"),
		number("symbol", "func.func @", "a", "() { return }", ""),
		number("attribute name", `"t.op"() {`, "a", " = 1} : () -> ()", ""),
		number("string", `"t.op"() {a = "`, "\\0A", `"} : () -> ()`, ""),
	})
}

func TestShapes(t *testing.T) {
	const huge = "4611686018427387904"
	f := func(body string) func(w input) {
		return func(w input) { w.put("func.func @main() {\n", body, "\nreturn\n}\n") }
	}
	cases := []hostile{
		{name: "memref of 2^62", gen: f("%m = memref.alloc() : memref<" + huge + "xi8>\n%c = arith.constant 0 : index\n%v = memref.load %m[%c] : memref<" + huge + "xi8>")},
		{name: "memref of 2^124", gen: f("%m = memref.alloc() : memref<" + huge + "x" + huge + "xf64>\nmemref.dealloc %m : memref<" + huge + "x" + huge + "xf64>")},
		{name: "strides of 2^62", gen: f("%m = memref.alloc() : memref<" + huge + "x" + huge + "xf64, strided<[" + huge + ", " + huge + "], offset: " + huge + ">>\n%c = arith.constant 0 : index\n%v = memref.load %m[%c, %c] : memref<" + huge + "x" + huge + "xf64, strided<[" + huge + ", " + huge + "], offset: " + huge + ">>")},
		{name: "vector of 2^62", gen: f("%v = arith.constant dense<1> : vector<" + huge + "xi32>\n%w = arith.addi %v, %v : vector<" + huge + "xi32>\n\"t.op\"(%w) : (vector<" + huge + "xi32>) -> ()")},
		{name: "tensor of 2^62", gen: f("%v = arith.constant dense<1> : tensor<" + huge + "xi32>\n%w = arith.addi %v, %v : tensor<" + huge + "xi32>\n\"t.op\"(%w) : (tensor<" + huge + "xi32>) -> ()")},
		{name: "tensor of 2^124", gen: f("%v = arith.constant dense<1.0> : tensor<" + huge + "x" + huge + "xf32>\n%w = arith.addf %v, %v : tensor<" + huge + "x" + huge + "xf32>\n\"t.op\"(%w) : (tensor<" + huge + "x" + huge + "xf32>) -> ()")},
		{name: "text elements of 2^62", gen: f("\"t.op\"() {a = dense<(1.0, 2.0)> : tensor<" + huge + "xcomplex<f32>>} : () -> ()")},
		{name: "bytes of 2^62", gen: f("\"t.op\"() {a = dense<\"0x00\"> : tensor<" + huge + "xi8>} : () -> ()")},
		{name: "list of 2^62", gen: f("\"t.op\"() {a = dense<[1, 2]> : tensor<" + huge + "xi8>} : () -> ()"), says: "error:"},
		{name: "sparse of 2^62", gen: f("\"t.op\"() {a = sparse<[0], [1]> : tensor<" + huge + "xi8>} : () -> ()")},
		{name: "sparse far", gen: f("\"t.op\"() {a = sparse<[" + huge[:18] + "], [1]> : tensor<" + huge + "xi8>} : () -> ()")},
		{name: "sparse far, printed", gen: f("%v = arith.constant sparse<[" + huge[:18] + "], [1]> : tensor<" + huge + "xi8>\n%w = arith.addi %v, %v : tensor<" + huge + "xi8>\n\"t.op\"(%w) : (tensor<" + huge + "xi8>) -> ()")},
		{name: "shape of 2^63", gen: f("\"t.op\"() {a = tensor<9223372036854775808xi8>} : () -> ()"), says: "error:"},
		{name: "many dimensions of vectors", gen: func(w input) {
			w.put("func.func @main() {\n%v = arith.constant dense<1> : vector<").rep(1000, "64x").put("i32>\nreturn\n}\n")
		}},
		{name: "global of 2^62", gen: func(w input) {
			w.put("memref.global @g : memref<"+huge+"xi8> = dense<1>\n", "func.func @main() {\nreturn\n}\n")
		}},
		{name: "subview of 2^62", gen: f("%m = memref.alloc() : memref<8xi8>\n%s = memref.subview %m[0] [" + huge + "] [" + huge + "] : memref<8xi8> to memref<" + huge + "xi8, strided<[" + huge + "]>>")},
		{name: "reinterpret of 2^62", gen: f("%m = memref.alloc() : memref<8xi8>\n%s = memref.reinterpret_cast %m to offset: [" + huge + "], sizes: [" + huge + "], strides: [" + huge + "] : memref<8xi8> to memref<" + huge + "xi8, strided<[" + huge + "], offset: " + huge + ">>")},
		{name: "loop of 2^63", gen: f("%a = arith.constant 0 : index\n%b = arith.constant 9223372036854775807 : index\n%c = arith.constant 1 : index\n%r = scf.for %i = %a to %b step %c iter_args(%x = %a) -> (index) {\n%y = arith.addi %x, %i : index\nscf.yield %y : index\n}\n\"t.op\"(%r) : (index) -> ()")},
	}
	for i := range cases {
		cases[i].kind = "mlir"
		cases[i].args = "-allow-unregistered-dialect"
		canon := cases[i]
		canon.name += ", passes"
		canon.args += " -passes=canonicalize,cse,licm,unroll{full=true},inline,symbol-dce -print-op-stats"
		cases = append(cases, canon)
	}
	runAll(t, cases)
}

func TestAliases(t *testing.T) {
	plain := func(name, says string, gen func(w input)) hostile {
		return hostile{name: name, kind: "mlir", args: "-allow-unregistered-dialect", gen: gen, says: says}
	}
	text := func(s string) func(w input) { return func(w input) { w.put(s) } }
	use := "\"t.op\"() {a = #a0} : () -> ()\n"
	runAll(t, []hostile{
		plain("attribute of itself", "itself", text("#a0 = #a0\n"+use)),
		plain("two attributes", "itself", text("#a0 = [#a1]\n#a1 = [#a0]\n"+use)),
		plain("type of itself", "itself", text("!t = tuple<!t>\n\"t.op\"() {a = !t} : () -> ()\n")),
		plain("two types", "itself", text("!t = tuple<!u>\n!u = tuple<!t>\n\"t.op\"() {a = !t} : () -> ()\n")),
		plain("location of itself", "itself", text("\"t.op\"() : () -> () loc(#a0)\n#a0 = loc(#a0)\n")),
		plain("locations", "itself", text("\"t.op\"() : () -> () loc(#a0)\n#a0 = loc(fused[#a1])\n#a1 = loc(\"x\"(#a0))\n")),
		plain("type and attribute", "itself", text("!t = memref<1xi8, #a0>\n#a0 = [!t]\n"+use)),
		plain("chain forward", tooDeep, func(w input) {
			for i := range deep {
				w.put("#a", itoa(i), " = [#a", itoa(i+1), "]\n")
			}
			w.put("#a", itoa(deep), " = 1\n", use)
		}),
		plain("chain of locations", tooDeep, func(w input) {
			w.put("\"t.op\"() : () -> () loc(#a0)\n")
			for i := range deep {
				w.put("#a", itoa(i), " = loc(\"x\"(#a", itoa(i+1), "))\n")
			}
			w.put("#a", itoa(deep), " = loc(unknown)\n")
		}),
		plain("chain backward", tooDeep, func(w input) {
			w.put("#a0 = 1\n")
			for i := range deep {
				w.put("#a", itoa(i+1), " = [#a", itoa(i), "]\n")
			}
			w.put("\"t.op\"() {a = #a", itoa(deep), "} : () -> ()\n")
		}),
		plain("types backward", tooDeep, func(w input) {
			w.put("!a0 = i1\n")
			for i := range deep {
				w.put("!a", itoa(i+1), " = tuple<!a", itoa(i), ">\n")
			}
			w.put("\"t.op\"() {a = !a", itoa(deep), "} : () -> ()\n")
		}),
		plain("doubling", "stands for more", func(w input) {
			w.put("#a0 = [1, 2]\n")
			for i := range 100 {
				w.put("#a", itoa(i+1), " = [#a", itoa(i), ", #a", itoa(i), "]\n")
			}
			w.put("\"t.op\"() {a = #a100} : () -> ()\n")
		}),
		plain("used often", "", func(w input) {
			w.put("#a0 = [1, 2]\n")
			for i := range 12 {
				w.put("#a", itoa(i+1), " = [#a", itoa(i), ", #a", itoa(i), "]\n")
			}
			w.rep(50, "\"t.op\"() {a = #a12} : () -> ()\n")
		}),
		plain("many", "", func(w input) {
			for i := range deep {
				w.put("#a", itoa(i), " = ", itoa(i), "\n")
			}
			w.put(use)
		}),
		plain("not defined", "undefined", func(w input) {
			w.rep(100, "\"t.op\"() {a = #nobody} : () -> ()\n").repf(deep, "#a%d = 1\n")
		}),
	})
}

func TestBytes(t *testing.T) {
	text := func(s string) func(w input) { return func(w input) { w.put(s) } }
	var cases []hostile
	for name, c := range map[string]struct{ text, mlir, bug string }{
		"invalid UTF-8": {"\xff\xfe\x80\xc3\x28 \xed\xa0\x80", "error:", "error:"},
		"NUL":           {"\x00", "error:", "error:"},
		"NULs":          {strings.Repeat("\x00", 5000), "error:", "error:"},
		"two BOMs":      {"\xef\xbb\xbf\xef\xbb\xbf", "error:", "error:"},
		"string":        {"\"\xff\x00\x80", "error:", "error:"},
		"escape":        {"\"\\", "error:", "error:"},
		"terminal":      {"\x1b[2J\x1b]0;x\x07", "error:", "error:"},
		"nothing":       {"", "", "error:"},
		"carriage":      {"\r\r\r", "", "error:"},
		"right to left": {"\u202e\u2066abc", "error:", "error:"},
	} {
		cases = append(cases,
			hostile{name: name + " in IR", kind: "mlir", gen: text(c.text), says: c.mlir},
			hostile{name: name + " in a model", kind: "bug", gen: text(c.text), says: c.bug},
			hostile{name: name + " in JSON", kind: "bug", args: "logdensity {0} -data={1}", gen: text("model { x ~ dnorm(0, 1) }"), more: []func(input){text(c.text)}, exts: []string{"json"}, says: "error:"},
			hostile{name: name + " in arguments", kind: "mlir", args: "run {0} -args={1}", gen: text("func.func @main(%a: i32) { return }"), more: []func(input){text(c.text)}, exts: []string{"json"}, says: "irc: "},
			hostile{name: name + " after an op", kind: "mlir", args: "-allow-unregistered-dialect", gen: text("\"t.op\"() : () -> ()\n" + c.text), says: c.mlir},
		)
	}
	runAll(t, cases)
}

func itoa(n int) string {
	var b [20]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}
