package rule

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/prove/circuit"
)

func parse(src string) (*ir.Context, []*Rule, diag.List) {
	ctx := ir.NewContext(dialects.All...)
	rules, list := Parse(ctx, diag.NewSource("a.rules", src))
	return ctx, rules, list
}

// What a rule says becomes functions of one width.
func TestBuild(t *testing.T) {
	_, _, wrong := parse(`// a cast, a comparison, constants
arith.trunci(arith.muli{nsw, nuw}(arith.extui(x) : i(2 * w), C)) : iw => arith.select(arith.cmpi{ult}(x, 1), poison, C2 - 1) where C2 == 1 || C == 2`)
	if wrong.Err() == nil {
		t.Fatal("C2 is new on the right, and nobody says so")
	}
	ctx, rules, list := parse(`arith.trunci(arith.muli{nsw, nuw}(arith.extui(x) : i(2 * w), C)) : i(w + 1)
  => arith.trunci(arith.select(arith.cmpi{ult}(x, 1), poison, C - 1))`)
	if list.Err() != nil {
		t.Fatal(list)
	}
	g, err := rules[0].Build(ctx, 4, []uint64{200}, []uint64{1, 199})
	if err != nil {
		t.Fatal(err)
	}
	const want = `func.func private @src(%arg0: i4) -> i5 {
  %0 = arith.extui %arg0 : i4 to i8
  %c-56_i8 = arith.constant -56 : i8
  %1 = arith.muli %0, %c-56_i8 overflow<nsw, nuw> : i8
  %2 = arith.trunci %1 : i8 to i5
  return %2 : i5
}
func.func private @tgt(%arg0: i4) -> i5 {
  %c1_i4 = arith.constant 1 : i4
  %0 = arith.cmpi ult, %arg0, %c1_i4 : i4
  %1 = ub.poison : i8
  %c-57_i8 = arith.constant -57 : i8
  %2 = arith.select %0, %1, %c-57_i8 : i8
  %3 = arith.trunci %2 : i8 to i5
  return %3 : i5
}
`
	if got := text.String(g, text.PrintOptions{}); got != want {
		t.Errorf("got\n%s", got)
	}
	if _, err := rules[0].Build(ctx, 33, nil, nil); err == nil || !strings.Contains(err.Error(), "at width 33 this has 66 bits") {
		t.Error(err)
	}
}

// What is wrong with a rule is said at its place, with a way out.
func TestDiagnostics(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"", "1:1: error: there is no rule"},
		{"x => x", "1:1: error: expected an op, which a rule begins with, but found 'x'"},
		{"# no comment\narith.addi(x, 0) => x", "help: a comment begins with //"},
		{"arith.addi(x, x) => arith.shli(x, 1) where w > 1", "help: as a number the width is called width"},
		{"arith.addui_extended(x, 0) => x", "1:1: error: rules are of ops with one result, and arith.addui_extended has two"},
		{"arith.index_cast(x) => x", "1:1: error: rules are of integers by their width, and arith.index_cast tells types of one width apart"},
		{"memref.load(x) => x", "help: a pass in Go rewrites such ops: docs/new-pass.md"},
		{"scf.for(x) => x", "help: a pass in Go rewrites such ops: docs/new-pass.md"},
		{"arith.addi(x, 0)", "1:17: error: expected '=>' between the two sides of a rule, but found the end of the text"},
		{"arith.addi(x, 0) => y", "1:21: error: y is not on the left of =>"},
		{"arith.addi(abc, 0) => abd", "help: did you mean abc?"},
		{"arith.adi(x, 0) => x", "help: did you mean arith.addi?"},
		{"arith.addf(x, y) => arith.addf(y, x) : f32", "expected a type: i8, iw, i(w + 1) or i(2 * w)"},
		{"memref.alloc() => x", "1:1: error: rules are of ops on integers or floats that work on each element, without memory and regions, and memref.alloc is none"},
		{"arith.addi{exact}(x, y) => x", "1:12: error: arith.addi has no flag exact"},
		{"arith.andi{nsw}(x, y) => x", "help: leave the braces out: it has none"},
		{"arith.cmpi(x, y) => true", "help: write it in braces: arith.cmpi{slt}(x, y)"},
		{"arith.addi(x) => x", "1:1: error: arith.addi takes 2 operands, and 1 are given"},
		{"arith.addi(x, C + 1) => x", "1:15: error: what is computed of constants stands on the right of => only"},
		{"arith.addi(x, y) => x + y", "1:21: error: x is an operand, of which nothing can be computed here"},
		{"arith.addi(x, C) => x where x == 0", "1:29: error: x is an operand, and a condition is on constants"},
		{"arith.addi(x, C) => x where C", "1:30: error: expected a comparison, such as =="},
		{"arith.addi(x, C) => x where isPowerOf3(C)", "help: did you mean isPowerOf2?"},
		{"arith.addi(x, C) => x where log2(C, C) == 1", "1:29: error: log2 takes 1 arguments, and 2 are given"},
		{"arith.addi(x, C) => addi(x, C)", "an op is written with its dialect, arith.addi(x, y)"},
		{"arith.addi(x, C) => x where log2(C) == 1 +", "but found the end of the text"},
		{"arith.cmpi{eq}(x, y) => x : i8", "error: the type is"},
		{"arith.addi(x, 99999999999999999999) => x", "1:15: error: 99999999999999999999 is no integer of 64 bits"},
		{"arith.addi(x, 0) : i65 => x", "help: types are i1 to i64"},
		{"arith.extui(x) : i(w / 2) => x", "expected a width: (w + 1), (w - 1) or (2 * w)"},
		{"arith.addi(x, $) => x", "1:15: error: expected an op, an operand or a constant, but found '$'"},
		{"arith.addi(" + strings.Repeat("(", 2000), "the rule is nested more than 1000 deep"},
		{strings.Repeat("math.absi(", 2000), "the rule is nested more than 1000 deep"},
	} {
		_, _, list := parse(c.src)
		if list.Err() == nil || !strings.Contains(list[0].Error(), c.want) {
			t.Errorf("%.60s: %v, and wanted %q", c.src, list.Err(), c.want)
		}
	}
}

// Constant expressions and conditions mean on all constants of 4 bits what they mean in Go.
func TestConstants(t *testing.T) {
	signed := func(x uint64) int64 { return ir.IntVal(int64(x), 4).Int(4) }
	for cond, want := range map[string]func(a, b uint64) bool{
		"A + B == 3":               func(a, b uint64) bool { return (a+b)&15 == 3 },
		"A - B * A u< 7":           func(a, b uint64) bool { return (a-b*a)&15 < 7 },
		"A / B == 2":               func(a, b uint64) bool { return b != 0 && !(a == 8 && b == 15) && signed(a)/signed(b) == 2 },
		"A % B < 0":                func(a, b uint64) bool { return b != 0 && !(a == 8 && b == 15) && signed(a)%signed(b) < 0 },
		"A u/ B u>= 2":             func(a, b uint64) bool { return b != 0 && a/b >= 2 },
		"A u% B u> 2":              func(a, b uint64) bool { return b != 0 && a%b > 2 },
		"A << B == 8":              func(a, b uint64) bool { return b < 4 && a<<b&15 == 8 },
		"A >> B <= -2":             func(a, b uint64) bool { return b < 4 && signed(a)>>b <= -2 },
		"A u>> B == 1":             func(a, b uint64) bool { return b < 4 && a>>b == 1 },
		"(A | B ^ 5 & A) != 7":     func(a, b uint64) bool { return a|(b^(5&a)) != 7 },
		"~A > -B":                  func(a, b uint64) bool { return signed(^a&15) > signed(-b&15) },
		"log2(A) == 2":             func(a, _ uint64) bool { return a >= 4 && a < 8 },
		"ctlz(A) + cttz(B) == 5":   func(a, b uint64) bool { return lz(a)+tz(b) == 5 },
		"ctpop(A) == abs(B)":       func(a, b uint64) bool { return ones(a) == uint64(max(signed(b), -signed(b)))&15 },
		"smin(A, B) < smax(A, 1)":  func(a, b uint64) bool { return min(signed(a), signed(b)) < max(signed(a), 1) },
		"umin(A, B) u< umax(A, 1)": func(a, b uint64) bool { return min(a, b) < max(a, 1) },
		"A u<= width && B >= 0":    func(a, b uint64) bool { return a <= 4 && b < 8 },
		"isPowerOf2(A) || isMask(B)": func(a, b uint64) bool {
			return ones(a) == 1 || b == 1 || b == 3 || b == 7 || b == 15
		},
		"!(isSignBit(A) && !isNegative(B))": func(a, b uint64) bool { return !(a == 8 && b < 8) },
		"B != 0 && A / B == 1":              func(a, b uint64) bool { return b != 0 && !(a == 8 && b == 15) && signed(a)/signed(b) == 1 },
		"(A) == (B)":                        func(a, b uint64) bool { return a == b },
	} {
		_, rules, list := parse("arith.addi(A, B) => A where " + cond)
		if list.Err() != nil {
			t.Error(list)
			continue
		}
		c := circuit.New()
		m := rules[0].Match(c, 4)
		for n := range uint64(256) {
			known := circuit.Model{}
			for i := range 4 {
				known[m.Constants[0][i]], known[m.Constants[1][i]] = n>>i&1 == 1, n>>(4+i)&1 == 1
			}
			if got := c.Value(known, m.Where)[0]; got != want(n&15, n>>4) {
				t.Errorf("%s is %v for %d and %d", cond, got, n&15, n>>4)
			}
		}
	}
}

func ones(x uint64) (n uint64) {
	for ; x != 0; x &= x - 1 {
		n++
	}
	return n
}

func lz(x uint64) (n uint64) {
	for ; n < 4 && x&8 == 0; x <<= 1 {
		n++
	}
	return n
}

func tz(x uint64) (n uint64) {
	for ; n < 4 && x&1 == 0; x >>= 1 {
		n++
	}
	return n
}

// Rules read whatever stands in a text, and never fail but by a diagnostic.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"arith.addi{nsw}(x, C) : i8 => arith.subi(x, -C) where C != 0 && !(C u< 2 || isMask(C))", "arith.select(c, true, y) => arith.ori(c, y)"} {
		f.Add(s)
	}
	ctx := ir.NewContext(dialects.All...)
	f.Fuzz(func(t *testing.T, src string) {
		rules, list := Parse(ctx, diag.NewSource("fuzz", src))
		if len(rules) == 0 && list.Err() == nil {
			t.Error("neither rules nor errors")
		}
		for _, r := range rules {
			r.Build(ctx, 5, nil, nil)
		}
	})
}
