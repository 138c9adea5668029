package loop_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// A shape is a program and what is left of it: the ops of the dialect, and scf.if, in the final
// tree and how often some ops ran, for its first arguments.
type shape struct {
	name, src string
	calls     [][2]string // arguments of @f and what it gives, as JSON
	ops       string      // "loop.for 1, loop.zip 1"
	ran       string      // "math.sqrt 10" of those that matter
}

// cleaned rebuilds a program with the cleanups until it stays.
func cleaned(t *testing.T, g *ir.Graph) *ir.Graph {
	t.Helper()
	for range 20 {
		s := ir.NewSchedule(g, ir.ScheduleOptions{})
		next := ir.Rewrite(g.Ctx, s, g.Ctx.Cleanups(), nil)
		if err := ir.Verify(next); err != nil {
			t.Fatalf("%v\n%s", err, print(next, false))
		}
		if ir.NewSchedule(next, ir.ScheduleOptions{}).Fingerprint() == s.Fingerprint() {
			return next
		}
		g = next
	}
	t.Fatalf("does not settle:\n%s", print(g, false))
	return nil
}

// opsOf counts the ops of a program that say what it does to collections.
func opsOf(g *ir.Graph) string {
	count := map[string]int{}
	var walk func(g *ir.Graph)
	walk = func(g *ir.Graph) {
		for v := range ir.ScheduleOf(g).All() {
			name := g.Def(v).Name
			if d, _, _ := strings.Cut(name, "."); d == "loop" && name != "loop.yield" && name != "loop.constant" || name == "scf.if" {
				count[name]++
			}
			for _, k := range g.Children(v) {
				walk(k)
			}
		}
	}
	walk(g)
	return listed(count)
}

func listed[N int | int64](count map[string]N) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s %d", name, count[name]))
	}
	return strings.Join(out, ", ")
}

// ranIn runs @f and says how often the ops ran that want names.
func ranIn(t *testing.T, g *ir.Graph, args, want string) string {
	t.Helper()
	_, count := built.Outcome(t, g, args)
	got := map[string]int64{}
	for _, x := range strings.Split(want, ", ") {
		name, _, _ := strings.Cut(x, " ")
		got[name] = 0
		for def, n := range count {
			if def.Name == name {
				got[name] += n
			}
		}
	}
	return listed(got)
}

// check compares a program as written, as built and as cleaned up.
func (x shape) check(t *testing.T) *ir.Graph {
	t.Helper()
	written := built.Parse(t, x.src, text.Options{Verbatim: true})
	asBuilt := built.Parse(t, x.src, text.Options{})
	final := cleaned(t, asBuilt)
	for _, call := range x.calls {
		for what, g := range map[string]*ir.Graph{"as written": written, "as built": asBuilt, "cleaned up": final} {
			if got := built.Run(t, g, "f", call[0]); got != call[1] {
				t.Errorf("%s: @f of %s, %s: %s, want %s\n%s", x.name, call[0], what, got, call[1], print(g, false))
			}
		}
	}
	for _, kind := range []*engine.Kind{engine.Eval, engine.LLVM} {
		for i, call := range x.calls {
			if strings.Contains(x.src, "loop.sort") || i > 0 && kind == engine.LLVM {
				break // an order of rows is not lowered; native code is slow to start
			}
			t.Run(x.name+" on "+kind.Name, func(t *testing.T) {
				if got := built.Lowered(t, kind, built.Parse(t, x.src, text.Options{}), "f", call[0]); got != call[1] {
					t.Errorf("@f of %s: lowered %s, want %s", call[0], got, call[1])
				}
			})
		}
	}
	if got := opsOf(final); got != x.ops {
		t.Errorf("%s: there is left %s, want %s, in\n%s", x.name, got, x.ops, print(final, false))
	}
	if x.ran != "" {
		if got := ranIn(t, final, x.calls[0][0], x.ran); got != x.ran {
			t.Errorf("%s: there ran %s, want %s, in\n%s", x.name, got, x.ran, print(final, false))
		}
	}
	return asBuilt
}

const cx = "!cx = !loop.struct<re: i64, im: i64>\n"

var shapes = []shape{
	{name: "a field of a struct is what it was made of (7.1)", src: cx + `
func.func @f(%x: i64, %y: i64) -> i64 {
  %s = loop.struct %x, %y : !cx
  %r = loop.field %s["re"] : !cx
  return %r : i64
}`, calls: [][2]string{{`[3, 4]`, `[3]`}}},
	{name: "a variable that is a struct is one for each field (7.2)", src: cx + `
func.func @f(%x: i64, %n: index) -> !cx {
  %z = arith.constant 0 : i64
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %c = loop.struct %x, %z : !cx
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%v = %c) -> (!cx) {
    %re = loop.field %v["re"] : !cx
    %im = loop.field %v["im"] : !cx
    %im2 = arith.addi %im, %x : i64
    %w = loop.struct %re, %im2 : !cx
    scf.yield %w : !cx
  }
  return %r : !cx
}`, calls: [][2]string{{`[3, 4]`, `[{"re": 3, "im": 12}]`}, {`[3, 0]`, `[{"re": 3, "im": 0}]`}}, ops: "loop.struct 1", ran: "arith.addi 4, loop.struct 1"},
	{name: "a field of a conditional struct (7.3)", src: cx + `
func.func @f(%k: i1, %a: i64, %b: i64) -> i64 {
  %s = scf.if %k -> (!cx) {
    %b2 = arith.muli %b, %b : i64
    %a2 = arith.muli %a, %a : i64
    %t = loop.struct %a2, %b2 : !cx
    scf.yield %t : !cx
  } else {
    %b2 = arith.divsi %a, %b : i64
    %t = loop.struct %b, %b2 : !cx
    scf.yield %t : !cx
  }
  %x = loop.field %s["re"] : !cx
  return %x : i64
}`, calls: [][2]string{{`[true, 3, 4]`, `[9]`}, {`[false, 3, 4]`, `[4]`}}, ops: "scf.if 1", ran: "arith.muli 1, scf.if 1"},
	{name: "array of structs to struct of arrays, two loops (7.4 without fusion)", src: cx + `
func.func @f(%n: index) -> !loop.array<!cx> {
  %z = arith.constant 0 : i64
  %v = loop.for %i < %n -> collect(!cx) {
    %k = arith.index_cast %i : index to i64
    %m = arith.subi %z, %k : i64
    %c = loop.struct %k, %m : !cx
    loop.yield %c : !cx
  }
  %l = loop.len %v : !loop.array<!cx>
  %w = loop.for %i < %l -> collect(!cx) {
    %c = loop.at %v[%i] : !loop.array<!cx>
    %re = loop.field %c["re"] : !cx
    %im = loop.field %c["im"] : !cx
    %m = arith.subi %z, %im : i64
    %d = loop.struct %re, %m : !cx
    loop.yield %d : !cx
  }
  return %w : !loop.array<!cx>
}`, calls: [][2]string{{`[2]`, `[[{"re": 0, "im": 0}, {"re": 1, "im": 1}]]`}, {`[0]`, `[[]]`}}, ops: "loop.at 1, loop.for 2, loop.zip 1"},
	{name: "one of two arrays of structs (7.5)", src: cx + `
func.func @f(%x: i64, %n: index) -> !loop.array<!cx> {
  %z = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %v = loop.for %i < %n -> collect(!cx) {
    %k = arith.index_cast %i : index to i64
    %c = loop.struct %k, %x : !cx
    loop.yield %c : !cx
  }
  %b = arith.cmpi sgt, %x, %seven : i64
  %r = scf.if %b -> (!loop.array<!cx>) {
    %w = loop.for %i < %n -> collect(!cx) {
      %c = loop.at %v[%i] : !loop.array<!cx>
      %re = loop.field %c["re"] : !cx
      %im = loop.field %c["im"] : !cx
      %m = arith.subi %z, %im : i64
      %d = loop.struct %re, %m : !cx
      loop.yield %d : !cx
    }
    scf.yield %w : !loop.array<!cx>
  } else {
    scf.yield %v : !loop.array<!cx>
  }
  return %r : !loop.array<!cx>
}`, calls: [][2]string{{`[8, 2]`, `[[{"re": 0, "im": -8}, {"re": 1, "im": -8}]]`}, {`[7, 2]`, `[[{"re": 0, "im": 7}, {"re": 1, "im": 7}]]`}}, ops: "loop.for 2, loop.zip 1, scf.if 1"},
	{name: "of an array of structs a field and the length (7.8)", src: cx + `
func.func @f(%n: index, %j: index, %x: i64) -> (i64, index) {
  %v = loop.for %i < %n -> collect(!cx) {
    %k = arith.index_cast %i : index to i64
    %g = arith.divsi %k, %x : i64
    %c = loop.struct %k, %g : !cx
    loop.yield %c : !cx
  }
  %c = loop.at %v[%j] : !loop.array<!cx>
  %re = loop.field %c["re"] : !cx
  %l = loop.len %v : !loop.array<!cx>
  return %re, %l : i64, index
}`, calls: [][2]string{{`[3, 2, 1]`, `[2, 3]`}}, ops: "loop.at 1, loop.for 1", ran: "arith.divsi 0, arith.index_cast 3"},
}

// Every rule of the dialect fires in one of the programs, and they settle.
func TestSplitting(t *testing.T) {
	fired := map[string]bool{}
	for _, x := range slices.Concat(shapes, formShapes, structShapes, groupShapes) {
		for _, r := range x.check(t).Ctx.FiredRules() {
			fired[r] = true
		}
	}
	for _, r := range cleaned(t, built.Parse(t, sample(t), text.Options{})).Ctx.FiredRules() {
		fired[r] = true
	}
	for _, f := range loop.Dialect.Folds {
		if !fired[f.Rule] {
			t.Errorf("rule never fires: %s", f.Rule)
		}
	}
	for _, f := range loop.Dialect.Cleanups {
		if !fired[f.Rule] {
			t.Errorf("rule never fires: %s", f.Rule)
		}
	}
}
