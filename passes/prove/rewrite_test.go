package prove

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/rule"
)

func rulesOf(t *testing.T, file string) (*ir.Context, []*rule.Rule) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	ctx := ir.NewContext(dialects.All...)
	rules, list := rule.Parse(ctx, diag.NewSource(file, string(data)))
	if list.Err() != nil {
		t.Fatal(list)
	}
	return ctx, rules
}

var small = []int{1, 2, 3, 4, 5}

// Rules that were wrong in LLVM's history are refuted, and the counterexample runs.
func TestWrongRules(t *testing.T) {
	ctx, rules := rulesOf(t, "wrong.rules")
	if len(rules) < 18 {
		t.Errorf("there are %d rules", len(rules))
	}
	for _, r := range rules {
		for _, budget := range []Budget{{}, {Bits: -1}} {
			answers, err := Rewrite(context.Background(), ctx, r, small, budget)
			if err != nil {
				t.Errorf("%s: %v", r.Text(), err)
				continue
			}
			last := answers[len(answers)-1]
			if last.Counter == nil {
				t.Errorf("%s is taken for proven", r.Text())
				continue
			}
			shows(t, last, text.String(last.Program, text.PrintOptions{}))
		}
	}
}

// shows runs a counterexample in the interpreter, as far as that decides what is chosen of poison.
func shows(t *testing.T, a AtWidth, program string) {
	t.Helper()
	body := Bodies(a.Program)["src"]
	g := module(t, program+a.Counter.Calls(body))
	machine, err := interp.New(g, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	run := func(name string) string {
		out, err := machine.Call(name, nil)
		if err != nil {
			return "undefined behaviour"
		}
		return written(out[0], body.Ctx.Info(body.Type(body.Yields(ir.Root)[0])).Width)
	}
	if strings.Contains(program, "ub.freeze") {
		return
	}
	if src, tgt := run("call_src"), run("call_tgt"); src != a.Counter.Src || tgt != a.Counter.Tgt {
		t.Errorf("%v, and the interpreter gives %s and %s", a.Counter, src, tgt)
	}
}

// Their right forms are proven, by all values and by SAT.
func TestRightRules(t *testing.T) {
	ctx, rules := rulesOf(t, "right.rules")
	for _, r := range rules {
		for _, budget := range []Budget{{}, {Bits: -1}} {
			widths := small
			if budget.Bits < 0 {
				widths = small[:4] // divisions take the solver long
			}
			answers, err := Rewrite(context.Background(), ctx, r, widths, budget)
			if err != nil || len(answers) < 2 || answers[len(answers)-1].Counter != nil {
				t.Errorf("%s: %v, %v", r.Text(), answers, err)
			}
			if slices.ContainsFunc(answers, func(a AtWidth) bool { return budget.Bits < 0 && a.Method == Enumeration }) {
				t.Errorf("%s: all values were tried", r.Text())
			}
		}
	}
}

// What passes over branches got wrong: a division before its guard, and a branch on what may be poison before the branch
// that keeps that from running.
func TestWrongFunctions(t *testing.T) {
	for name, src := range map[string]string{"a division before its guard": `func.func @src(%x: i4, %y: i4) -> i4 {
  %z = arith.constant 0 : i4
  %c = arith.cmpi ne, %y, %z : i4
  %r = scf.if %c -> (i4) {
    %q = arith.divui %x, %y : i4
    scf.yield %q : i4
  } else {
    scf.yield %z : i4
  }
  return %r : i4
}
func.func @tgt(%x: i4, %y: i4) -> i4 {
  %z = arith.constant 0 : i4
  %c = arith.cmpi ne, %y, %z : i4
  %q = arith.divui %x, %y : i4
  %r = arith.select %c, %q, %z : i4
  return %r : i4
}`, "unswitching without freeze": `func.func private @src(%a: i1, %b: i1) -> i4 {
  %0 = arith.constant 0 : i4
  %1 = arith.constant 1 : i4
  %2 = arith.constant 2 : i4
  %r = scf.if %a -> (i4) {
    %s = scf.if %b -> (i4) {
      scf.yield %1 : i4
    } else {
      scf.yield %2 : i4
    }
    scf.yield %s : i4
  } else {
    scf.yield %0 : i4
  }
  return %r : i4
}
func.func private @tgt(%a: i1, %b: i1) -> i4 {
  %0 = arith.constant 0 : i4
  %1 = arith.constant 1 : i4
  %2 = arith.constant 2 : i4
  %r = scf.if %b -> (i4) {
    %s = arith.select %a, %1, %0 : i4
    scf.yield %s : i4
  } else {
    %s = arith.select %a, %2, %0 : i4
    scf.yield %s : i4
  }
  return %r : i4
}`} {
		bodies := Bodies(module(t, src))
		a, err := Refines(context.Background(), Question{Src: Function{Body: bodies["src"]}, Tgt: Function{Body: bodies["tgt"]}})
		if err != nil || a.Counter == nil || a.Counter.Tgt != "undefined behaviour" {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
}

// A program that is too large to decide, one that recurses, and one whose search takes too long are told, not waited for.
func TestBudgets(t *testing.T) {
	twice := "func.func private @f0(%x: i32) -> i32 {\n  return %x : i32\n}\n"
	for i := range 40 {
		n, k := string(rune('A'+i%26))+strings.Repeat("x", i/26), "0"
		if i > 0 {
			k = string(rune('A'+(i-1)%26)) + strings.Repeat("x", (i-1)/26)
		}
		twice += "func.func private @f" + n + "(%x: i32) -> i32 {\n  %a = func.call @f" + k + "(%x) : (i32) -> i32\n  %b = func.call @f" + k +
			"(%a) : (i32) -> i32\n  return %b : i32\n}\n"
	}
	for want, src := range map[string]string{
		"too much to decide":       twice + "func.func @main(%x: i32) -> i32 {\n  %r = func.call @fNx(%x) : (i32) -> i32\n  return %r : i32\n}",
		"recursion":                "func.func @main(%x: i32) -> i32 {\n  %r = func.call @main(%x) : (i32) -> i32\n  return %r : i32\n}",
		"integers of 1 to 64 bits": "func.func @main(%x: f32) -> f32 {\n  return %x : f32\n}",
	} {
		bodies := Bodies(module(t, src))
		main := Function{bodies["main"], bodies}
		if _, err := Refines(context.Background(), Question{Src: main, Tgt: main}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("wanted %q: %v", want, err)
		}
	}
	ctx := ir.NewContext(dialects.All...)
	rules, _ := rule.Parse(ctx, diag.NewSource("r", "arith.muli(arith.muli(x, y), z) => arith.muli(x, arith.muli(y, z))"))
	if _, err := Rewrite(context.Background(), ctx, rules[0], []int{12}, Budget{Conflicts: 20}); err == nil ||
		err.Error() != "undecided at width 12: there are 36 bits of arguments, and the SAT solver gave up" {
		t.Error(err)
	}
}
