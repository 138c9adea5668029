package rewrite

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/prove"
	"github.com/irc-lang/irc/passes/prove/circuit"
	"github.com/irc-lang/irc/passes/rule"
)

const width = 4

// What the pass makes of the left side of each rule that is proven refines it: what matches is what was proven. Most
// rules match, and the others are found folded already.
func TestRefines(t *testing.T) {
	const file = "../prove/testdata/right.rules"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := ir.NewContext(dialects.All...)
	list, problems := rule.Parse(c, diag.NewSource(file, string(data)))
	if problems.Err() != nil {
		t.Fatal(problems)
	}
	applied := 0
	for _, r := range list {
		if applies(t, c, r) {
			applied++
		}
	}
	if applied < len(list)/2 {
		t.Errorf("%d of %d rules apply to their left sides", applied, len(list))
	}
}

// applies runs the pass on the left side of a rule, for the first constants for which it applies.
func applies(t *testing.T, c *ir.Context, r *rule.Rule) bool {
	set := &rules{of: map[*ir.OpDef][]*active{}}
	if err := set.add(r); err != nil {
		t.Logf("%s: %v", r.Line(), err)
		return false
	}
	if _, err := r.Build(c, width, nil, nil); err != nil {
		return false
	}
	for n := range 1 << (width * len(r.Constants)) {
		m, ok := with(t, c, r, n)
		if !ok {
			continue
		}
		src, _ := text.Parse(c, diag.NewSource("src", text.String(m, text.PrintOptions{})), text.Options{})
		made, err := set.settle(&pass.Context{Context: context.Background()}, src)
		if err != nil { // operands of a commutative op match in either order, and an associative one turns round
			t.Log(err)
			return false
		}
		if set.all[0].applied.Load() == 0 {
			continue
		}
		a, err := prove.Refines(context.Background(), prove.Question{Src: prove.Function{Body: prove.Bodies(m)["src"]}, Tgt: prove.Function{Body: prove.Bodies(made)["src"]}})
		if err != nil || a.Counter != nil {
			t.Errorf("%s: %v %v, of\n%s\nis made\n%s", r.Line(), err, a, text.String(src, text.PrintOptions{}), text.String(made, text.PrintOptions{}))
		}
		return true
	}
	return false
}

// with are the two sides of a rule with constants, which are the bits of n, and with what is computed of them.
func with(t *testing.T, c *ir.Context, r *rule.Rule, n int) (*ir.Graph, bool) {
	m, model := r.Match(circuit.New(), width), circuit.Model{}
	for _, bits := range m.Constants {
		for _, b := range bits {
			model[b] = n&1 == 1
			n >>= 1
		}
	}
	numbers := func(list [][]circuit.Bit) []uint64 {
		out := make([]uint64, len(list))
		for i, bits := range list {
			out[i] = m.Number(model, bits)
		}
		return out
	}
	if !m.Value(model, m.Where)[0] {
		return nil, false
	}
	g, err := r.Build(c, width, numbers(m.Constants), numbers(m.Computed))
	if err != nil {
		t.Fatal(err)
	}
	return g, true
}

// run applies the rules of a text to a program.
func run(t *testing.T, rules, program string, unproven bool) (string, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.rules")
	if err := os.WriteFile(file, []byte(rules), 0o666); err != nil {
		t.Fatal(err)
	}
	g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("a.mlir", program), text.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	n, err := (&Rewrite{Rules: []string{file}, Unproven: unproven}).Run(&pass.Context{Context: context.Background()}, g)
	if err != nil {
		return "", err
	}
	return text.String(n, text.PrintOptions{}), nil
}

// Where the result alone says how wide a rule is, it is matched; constants of several widths stand in one condition.
func TestWidthOfResult(t *testing.T) {
	const program = `func.func @f(%x: i32) -> (i8, i1) {
  %c = arith.constant 6 : i32
  %m = arith.muli %x, %c : i32
  %a = arith.trunci %m : i32 to i8
  %b = arith.trunci %m : i32 to i1
  return %a, %b : i8, i1
}
`
	for _, c := range []struct {
		rules, wanted string
		count         int
	}{
		{"arith.trunci(arith.muli(x : i32, C)) => 0 where width == 1 && C u% 2 == 0", "arith.constant", 2}, // false, and 6
		{"arith.trunci(arith.muli(x : i32, C)) => arith.muli(arith.trunci(x), 6) where C == 6 && width u> 4", "arith.muli %1, %c6_i8 : i8", 1},
		{"arith.addi(arith.trunci(arith.muli(x : i32, C)), D) => 0 where C == 6 && D == 1", "arith.muli", 1},
	} {
		got, err := run(t, c.rules, program, true)
		if n := strings.Count(got, c.wanted); err != nil || n != c.count {
			t.Errorf("%s: %v, %q is there %d times, not %d:\n%s", c.rules, err, c.wanted, n, c.count, got)
		}
	}
}

const program = `func.func @f(%x: i32, %y: f32, %v: vector<2xi16>, %i: index) -> (i32, f32, f32, vector<2xi16>, index, i1) {
  %c = arith.constant 24 : i32
  %a = arith.muli %x, %c overflow<nsw> : i32
  %h = arith.constant 0.5 : f32
  %p = arith.mulf %y, %h fastmath<nnan,arcp> : f32
  %q = arith.mulf %y, %h : f32
  %e = arith.constant dense<24> : vector<2xi16>
  %b = arith.muli %v, %e : vector<2xi16>
  %n = arith.constant 24 : index
  %j = arith.muli %i, %n : index
  %l = arith.cmpi slt, %x, %c : i32
  return %a, %p, %q, %b, %j, %l : i32, f32, f32, vector<2xi16>, index, i1
}
`

// A rule matches integers of each width, indices and vectors, by the flags and predicates that it names, and makes those
// that it writes.
func TestMatches(t *testing.T) {
	const three = "arith.addi(arith.shli(x, 3), arith.shli(x, 4))"
	for _, c := range []struct {
		rules, wanted string
		count         int
	}{
		{"arith.muli(x, 24) => " + three, "arith.shli", 6},
		{"arith.muli{nsw}(x, 24) => " + three, "arith.shli", 2},
		{"arith.muli{nuw}(x, 24) => " + three, "arith.shli", 0},
		{"arith.muli(x : i16, 24) : i16 => " + three, "arith.shli", 2},
		{"arith.muli{nsw}(x, C) => arith.muli(x, C) where C == 24", "nsw", 0},
		{"arith.muli(x, C) => arith.subi(0, arith.muli(x, -C)) where C == 24 && C u< 100", "arith.constant -24 : i32", 1},
		{"arith.muli(x, C) => arith.subi(0, arith.muli(x, -C)) where C == 25", "arith.subi", 0},
		{"arith.muli(x, 24) => " + three + " where width u> 20", "arith.shli", 4}, // of i32 and index
		{"arith.muli(x, 24) => " + three + " where width == 16", "arith.shli", 2},
		{"arith.cmpi{slt}(x, C) => arith.cmpi{sle}(x, C - 1)", "sle", 1},
		{"arith.cmpi{ult}(x, C) => arith.cmpi{ule}(x, C - 1)", "sle", 0},
		{"arith.mulf{arcp}(x, 0.5) => arith.divf{nnan}(x, 3.0)", "arith.divf %arg1, %cst_0 fastmath<nnan>", 1},
		{"arith.mulf{nsz}(x, 0.5) => arith.divf(x, 3.0)", "arith.divf", 0},
		{"arith.mulf{nnan}(x, C) => arith.addf(x, C)", "arith.addf", 1},
		{"arith.mulf{fast}(x, -5.0e-1) => arith.addf(x, x)", "arith.addf", 0},
	} {
		got, err := run(t, c.rules, program, true)
		if n := strings.Count(got, c.wanted); err != nil || n != c.count {
			t.Errorf("%s: %v, %q is there %d times, not %d:\n%s", c.rules, err, c.wanted, n, c.count, got)
		}
	}
}

// What is wrong with a file of rules is said at its place, and what to do.
func TestDiagnostics(t *testing.T) {
	long := "arith.addi(" + strings.Repeat("arith.andi(x, ", 8) + "x" + strings.Repeat(")", 8) + ", x) => x"
	for _, c := range []struct{ rules, want string }{
		{"", "a.rules:1:1: error: there is no rule"},
		{"arith.muli(x, C) => arith.shli(x, C)", "a.rules:1:1: error: the rule is wrong at width 4: on (x = "},
		{"\narith.muli(x, 300) => arith.muli(x, 299)", "a.rules:2:1: error: the rule is wrong at width 16: on (x = 1) @src gives 300, and @tgt 299"},
		{"arith.addi(x, x) => arith.shli(x, 1)", "error: the rule is wrong at width 1: on (x = false) @src gives false, and @tgt poison"},
		{"arith.addi(x, x) => arith.shli(x, 1)", "`where width u> 1` leaves that width out"},
		{"arith.addi(x, y) => x where width u> 4", "error: the rule is wrong at width 8"},
		{"arith.addi(x, C) => x where C != C", "error: the rule cannot be proven: at width 64 the rule applies to nothing"},
		{"arith.muli(x, 24) => arith.muli(x, 23)", "error: the rule is wrong at width 8"},
		{"arith.mulf{nsz}(x, 0.0) => 0.0", "help: the option unproven, or -unproven, takes it as it is"},
		{"arith.mulf(x, 0.0) => 0.0", "a.rules:1:1: error: a rule on floats says which flags arith.mulf must have"},
		{"arith.mulf{nsz}(x, 2) => arith.addf(x, 1 + 1)", "a.rules:1:40: error: only integers are computed"},
		{"arith.cmpf{nsz}(x, 0.0) => true", "help: write it in braces: arith.cmpf{ogt}(x, y)"},
		{"arith.addf{nsz}(x, y) => arith.addi(x, y)", "a.rules:1:37: error: arith.addi is on integers, and this is a float"},
		{"math.fpowi{nsz}(x, n) => x", "rules are of ops on integers or floats that work on each element"},
		{"arith.addi(x, -C) => x", "a.rules:1:15: error: what is computed of constants is not matched"},
		{long, "9 ops on its left; what is matched has at most 7, 4 and 8"},
		{"arith.subi(x, y) => arith.subi(arith.subi(x, C), C)", "a.rules:1:46: error: C is not on the left of =>"},
		{"arith.muli(x, y) => arith.muli(arith.addi(x, 1), y)", "a.rules:1:1: error: the rule is wrong"},
	} {
		_, err := run(t, c.rules, program, false)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want %q", c.rules, err, c.want)
		}
	}
	_, err := run(t, "arith.muli(x, y) => arith.muli(arith.addi(x, 1), y)", program, true)
	if err == nil || !strings.Contains(err.Error(), "this rule does not end: it has applied 1000 times") {
		t.Errorf("a rule that grows: %v", err)
	}
	if _, err := run(t, strings.Repeat("//\n", maxFile/3+1), program, false); err == nil || !strings.Contains(err.Error(), "is longer than") {
		t.Errorf("a long file: %v", err)
	}
}
