package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// An op reads the same whether or not one with a text like its own was read before.
func TestReadBefore(t *testing.T) {
	const head = "%a, %b = \"t_.two\"() : () -> (i32, i64)\n%p:2 = \"t_.two\"() : () -> (i32, i64)\n"
	cases := [][2]string{
		{`%x = "t_.x"(%a, %b) <{n = 1 : i32}> : (i32, i64) -> i32`, `%y = "t_.x"(%a, %b) <{n = 1 : i32}> : (i32, i64) -> i32`},
		{`%x = "t_.x"(%a, %b) : (i32, i64) -> i32`, `%y = "t_.x"(%b, %a) : (i32, i64) -> i32`},
		{`%x = "t_.x"(%a, %b) : (i32, i64) -> i32`, `%y = "t_.x"(%a) : (i32, i64) -> i32`},
		{`%x = "t_.x"(%a) : (i32) -> i32`, `%y = "t_.x"(%a) : (i32) -> i32x`},
		{`%x = "t_.x"(%a) : (i32) -> i3`, `%y = "t_.x"(%a) : (i32) -> i32 {}`},
		{`%x = "t_.x"(%a) : (i32) -> !t_.a`, `%y = "t_.x"(%a) : (i32) -> !t_.a<b>`},
		{`%x = "t_.x"(%a) : (i32) -> i32`, `%y:2 = "t_.x"(%a) : (i32) -> i32`},
		{`%x:2 = "t_.x"(%p#0) : (i32) -> (i32, i64)`, `%y:2 = "t_.x"(%p#1) : (i32) -> (i32, i64)`},
		{`%x = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> : (i32, i32) -> i32`,
			`%y = "arith.addi"(%a, %a) <{overflowFlags = #arith.overflow<nsw>}> {n = 1 : i8} : (i32, i32) -> i32`},
		{`%x = "arith.addi"(%a, %a) <{n = 1 : i8}> : (i32, i32) -> i32`,
			`%y = "arith.addi"(%a, %a) <{n = 1 : i8}> {overflowFlags = #arith.overflow<nuw,nsw>} : (i32, i32) -> i32`},
		{`%x = "arith.addi"(%a, %a) : (i32, i32) -> i32`, `%y = "arith.addi"(%a, %a) {n} : (i32, i32) -> i32`},
		{`%x = "arith.addi"(%a, %a) : (i32, i32) -> i32`, `%y = "arith.addi"(%a, %a) : (i32, i32) -> i32`},
		{`%x = "t_.x"(%a) <{n = 1 : i8}> : (i32) -> i32`, `%y = "t_.y"(%a) <{n = 1 : i8}> : (i32) -> i32`},
		{`%x = "t_.x"(%a) <{n = 1 : i8}> : (i32) -> i32`, `%y = "t_.x"(%a) <{n = 1 : i8}> {n = 2 : i8} : (i32) -> i32`},
		{`%x = "t_.x"(%a) <{n = 1 : i8}> : (i32) -> i32`, `%y = "t_.x"(%a) <{n = 1 : i8}, m}> : (i32) -> i32`},
		{`"t_.x"() <{n = 1 : i8}> ({}) : () -> ()`, `"t_.x"() <{n = 1 : i8}> ({ "t_.x"() <{n = 1 : i8}> ({}) : () -> () }) : () -> ()`},
		{`%x = "t_.x"() <{n = #k}> : () -> i32`, `%y = "t_.x"() <{n = #k}> : () -> i32`},
		{`%x = "t_.x"() <{n = "}>"}> : () -> i32`, `%y = "t_.x"() <{n = "}>"}> : () -> i32`},
		{"%x = \"t_.x\"() <{n = // }>\n1}> : () -> i32", "%y = \"t_.x\"() <{n = // }>\n2}> : () -> i32"},
		{`%x = "t_.x"(%a, %a) : (i32, i32) -> i32`, "%y = \"t_.x\"(%a, // %b)\n%a) : (i32, i32) -> i32"},
		{`%x = "t_.x"(%a) : (i32) -> i32`, "%y = \"t_.x\"(%a, ) : (i32) -> i32"},
		{`%x = "t_.x"(%a) : (i32) -> i32`, "%y = \"t_.x\"(%a %b) : (i32) -> i32"},
		{`%x = "t_.x"(%a) : (i32) -> i32`, "%y = \"t_.x\"(%a,\n\n"},
		{`%x = "t_.x"(%a) : (i32) -> i32`, "%y = \"t_.x\"(%a, %nowhere) : (i32) -> i32"},
		{`%x = "t_.x"(%a) : (i32) -> i32`, `%y = "t_.x"(%a) : (i32) -> i32 loc("a":1:2)`},
		{`%x = "t_.x"(%a) : (i32) -> i32 loc("a":1:2)`, `%y = "t_.x"(%a) : (i32) -> i32 loc("a":3:4)`},
		{`%x = "t_.x"(%a) : (i32) -> (i32)`, `%y = "t_.x"(%a) : (i32) -> (i32)`},
	}
	read := func(src string) (string, string) {
		file := diag.NewSource("in", src)
		g, errs := Parse(miniContext(), file, verbatim)
		if g == nil {
			return "", errs.Error()
		}
		return String(g, PrintOptions{Generic: true, DebugInfo: true, Source: file}), errs.Error()
	}
	blank := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r == '\n' {
				return r
			}
			return ' '
		}, s)
	}
	for _, c := range cases {
		alone := head + blank(c[0]) + "\n" + c[1] + "\n#k = 3 : i8\n"
		after := head + c[0] + "\n" + c[1] + "\n#k = 3 : i8\n"
		wantText, wantErr := read(alone)
		gotText, gotErr := read(after)
		if trim := func(s string) string { return strings.ReplaceAll(s, strings.TrimSpace(c[0]), "") }; trim(gotErr) != trim(wantErr) {
			t.Errorf("%s\n%s\n%s\nalone:\n%s", c[0], c[1], gotErr, wantErr)
		}
		if last, want := lastOp(gotText), lastOp(wantText); last != want {
			t.Errorf("%s\n%s\nis read as %s\nalone as %s", c[0], c[1], last, want)
		}
	}
}

// lastOp is the last top-level op of a text, without the names of its results.
func lastOp(s string) string {
	s = strings.TrimSuffix(strings.TrimSpace(s), "}) : () -> () loc(\"in\":1:1)")
	lines := strings.SplitAfter(strings.TrimSpace(s), "\n  ")
	last := lines[len(lines)-1]
	if _, rest, ok := strings.Cut(last, " = \""); ok && strings.HasPrefix(last, "%") {
		last = rest
	}
	return last
}

// A location that is read in one go is what is read of it piece by piece.
func TestPlainLocation(t *testing.T) {
	cases := map[string]bool{
		`"a":1:2`: true, `"":0:0`: true, `"a b/c.mlir":123456789:1`: true, `"#x)(":7:70`: true,
		`"a":01:2`: false, `"a":1:02`: false, `"a" :1:2`: false, `"a":1: 2`: false, `"a":1:2 `: false, `"a":1234567890:2`: false,
		`"a\\b":1:2`: false, `"a\22":1:2`: false, `"é":1:2`: false, `"a"("b":1:2)`: false, `unknown`: false,
		`"a":99999999999:2`: false, `"a":1`: false, `"a":1:`: false, `"a:1:2`: false, `"a":1:2:3`: false, `"a":1:2x`: false, ``: false, `"`: false,
	}
	read := func(loc string) string {
		file := diag.NewSource("in", "\"t_.x\"() : () -> () loc("+loc+")\n")
		g, errs := Parse(miniContext(), file, verbatim)
		if g == nil {
			return errs.Error()
		}
		return String(g, PrintOptions{Generic: true, DebugInfo: true, Source: file})
	}
	for loc, plain := range cases {
		name, line, col, n := literal.PlainLocation(loc + ")")
		if got := n == len(loc) && loc != ""; got != plain {
			t.Errorf("%s: plain is %v", loc, got)
		}
		if said := fmt.Sprintf("\"%s\":%d:%d", name, line, col); plain && said != loc {
			t.Errorf("%s is read as %s", loc, said)
		}
		if plain && read(loc) != strings.ReplaceAll(read("fused["+loc+"]"), "fused["+loc+"]", loc) {
			t.Errorf("%s is read as\n%s\nin another\n%s", loc, read(loc), read("fused["+loc+"]"))
		}
	}
}

// Reading an op whose like was read before allocates next to nothing.
func TestReadingAllocatesLittle(t *testing.T) {
	const n = 20000
	var b strings.Builder
	b.WriteString("\"func.func\"() <{function_type = (i32) -> (), sym_name = \"f\"}> ({\n^bb0(%0: i32):\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%%d = \"arith.addi\"(%%%d, %%0) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32\n", i+1, i)
	}
	b.WriteString("  \"func.return\"() : () -> ()\n}) : () -> ()\n")
	ctx, src := miniContext(), diag.NewSource("in", b.String())
	allocs := testing.AllocsPerRun(1, func() {
		if _, errs := Parse(ctx, src, Options{}); errs != nil {
			t.Fatal(errs)
		}
	})
	if allocs > n/10 {
		t.Errorf("%.0f allocations for %d ops", allocs, n)
	}
}
