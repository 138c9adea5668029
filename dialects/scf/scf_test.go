package scf_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

func TestRoundTrip(t *testing.T) { memtest.RoundTrip(t, "testdata/scf.mlir") }

// Each program must use the fold, and show the same before and after.
var foldTests = []struct {
	rule, src string
	args      [][]int64
	gone      string // an op that is not there any more
}{
	{"if true {A} else {B} = A", `func.func @f(%x: index) -> index {
  %t = arith.constant true
  %r = scf.if %t -> (index) { %a = arith.addi %x, %x : index scf.yield %a : index } else { scf.yield %x : index }
  return %r : index }`, [][]int64{{3}}, "scf.if"},
	{"if !c {A} else {B} = if c {B} else {A}", `func.func private @show(index)
func.func @f(%c: i1, %x: index) {
  %t = arith.constant true
  %n = arith.xori %c, %t : i1
  scf.if %n { func.call @show(%x) : (index) -> () } else { }
  return }`, [][]int64{{0, 3}, {1, 3}}, "arith.xori"},
	{"what both branches of an if yield needs no if", `func.func private @show(index)
func.func @f(%c: i1, %x: index) -> (index, index) {
  %r:2 = scf.if %c -> (index, index) { func.call @show(%x) : (index) -> () %a = arith.muli %x, %x : index scf.yield %x, %a : index, index } else { scf.yield %x, %x : index, index }
  return %r#0, %r#1 : index, index }`, [][]int64{{0, 3}, {1, 3}}, ""},
	{"results of an if that both branches give the same are one", `func.func private @show(index)
func.func @f(%c: i1, %x: index) -> (index, index) {
  %r:2 = scf.if %c -> (index, index) { func.call @show(%x) : (index) -> () %a = arith.muli %x, %x : index scf.yield %a, %a : index, index } else { scf.yield %x, %x : index, index }
  %d = arith.subi %r#0, %r#1 : index
  return %r#0, %d : index, index }`, [][]int64{{0, 3}, {1, 3}}, "arith.subi"},
	{"if c {true} else {false} = c", `func.func @f(%c: i1) -> i1 {
  %r = scf.if %c -> (i1) { %t = arith.constant true scf.yield %t : i1 } else { %u = arith.constant false scf.yield %u : i1 }
  return %r : i1 }`, [][]int64{{0}, {1}}, "scf.if"},
	{"an if that only chooses is a select", `func.func @f(%c: i1, %x: index, %y: index) -> (index, index) {
  %r:2 = scf.if %c -> (index, index) { scf.yield %x, %y : index, index } else { scf.yield %y, %x : index, index }
  return %r#0, %r#1 : index, index }`, [][]int64{{0, 3, 4}, {1, 3, 4}}, "scf.if"},
	{"index_switch on a constant = its case", `func.func @f(%x: index) -> index {
  %c = arith.constant 5 : index
  %r = scf.index_switch %c -> index case 4 { scf.yield %x : index } case 5 { %a = arith.addi %x, %x : index scf.yield %a : index } default { scf.yield %c : index }
  return %r : index }`, [][]int64{{3}}, "scf.index_switch"},
	{"execute_region = its body", `func.func @f(%x: index) -> index {
  %r = scf.execute_region -> index { %a = arith.addi %x, %x : index scf.yield %a : index }
  return %r : index }`, [][]int64{{3}}, "scf.execute_region"},
	{"a loop that never runs gives its initial values", `func.func private @show(index)
func.func @f(%x: index) -> index {
  %a = arith.constant 5 : index
  %r = scf.for %i = %a to %a step %a iter_args(%k = %x) -> (index) { func.call @show(%i) : (index) -> () scf.yield %i : index }
  return %r : index }`, [][]int64{{3}}, "scf.for"},
	{"a loop that runs once = its body", `func.func private @show(index)
func.func @f(%x: index) -> index {
  %a = arith.constant 5 : index
  %b = arith.constant 10 : index
  %r = scf.for %i = %a to %b step %a iter_args(%k = %x) -> (index) { func.call @show(%i) : (index) -> () %s = arith.addi %i, %k : index scf.yield %s : index }
  return %r : index }`, [][]int64{{3}}, "scf.for"},
	{"a carried value that a loop does not change is its initial value", `func.func @f(%n: index, %x: index, %y: index) -> (index, index, index) {
  %a = arith.constant 0 : index
  %b = arith.constant 1 : index
  %r:3 = scf.for %i = %a to %n step %b iter_args(%k = %x, %l = %y, %m = %a) -> (index, index, index) { %s = arith.addi %m, %k : index scf.yield %k, %y, %s : index, index, index }
  return %r#0, %r#1, %r#2 : index, index, index }`, [][]int64{{0, 3, 4}, {3, 4, 5}}, ""},
	{"a parallel loop with a step that is not positive = a trap", `func.func private @show(index)
func.func @f(%c: i1, %n: index) -> index {
  %m = arith.constant -3 : index
  %s = arith.muli %m, %m : index
  %t = arith.subi %m, %s : index
  %r = scf.if %c -> index {
    %q = scf.parallel (%i) = (%m) to (%n) step (%t) init (%m) -> index {
      func.call @show(%i) : (index) -> ()
      scf.reduce(%i : index) { ^bb0(%a: index, %b: index): %u = arith.addi %a, %b : index scf.reduce.return %u : index } }
    scf.yield %q : index
  } else { scf.yield %n : index }
  return %r : index }`, [][]int64{{0, 3}}, "scf.parallel"},
	{"while false = its first region, once", `func.func private @show(index)
func.func @f(%x: index) -> index {
  %r = scf.while (%k = %x) : (index) -> index { func.call @show(%k) : (index) -> () %c = arith.constant false scf.condition(%c) %k : index } do { ^bb0(%k: index): func.call @show(%k) : (index) -> () scf.yield %k : index }
  return %r : index }`, [][]int64{{3}}, "scf.while"},
	{"a carried value that a while does not change is its initial value", `func.func @f(%n: index, %x: index) -> (index, index) {
  %b = arith.constant 1 : index
  %r:2 = scf.while (%k = %x, %i = %x) : (index, index) -> (index, index) { %c = arith.cmpi slt, %i, %n : index scf.condition(%c) %i, %k : index, index }
  do { ^bb0(%i: index, %k: index): %j = arith.addi %i, %k : index %l = arith.addi %j, %b : index scf.yield %k, %l : index, index }
  return %r#0, %r#1 : index, index }`, [][]int64{{0, 3}, {30, 4}}, ""},
	{"what a while passes on from outside needs no while", `func.func @f(%n: index, %x: index) -> (index, index) {
  %b = arith.constant 1 : index
  %r:2 = scf.while (%i = %b) : (index) -> (index, index) { %c = arith.cmpi slt, %i, %n : index scf.condition(%c) %i, %x : index, index }
  do { ^bb0(%i: index, %k: index): %j = arith.addi %i, %k : index scf.yield %j : index }
  return %r#0, %r#1 : index, index }`, [][]int64{{0, 3}, {30, 4}}, ""},
}

func TestFolds(t *testing.T) {
	for _, f := range foldTests {
		g := memtest.Fires(t, f.rule, f.src)
		if f.gone != "" && memtest.Count(g, f.gone) > 0 {
			t.Errorf("%s: %s is still there:\n%s", f.rule, f.gone, memtest.Text(g))
		}
		memtest.Same(t, f.src, f.args...)
	}
}

// Every rule of the dialect is in foldTests.
func TestFoldsAreTested(t *testing.T) {
	tested := map[string]bool{}
	for _, f := range foldTests {
		tested[f.rule] = true
	}
	for _, d := range memtest.Context().Dialects() {
		for _, f := range d.Folds {
			if d.Name == "scf" && !tested[f.Rule] {
				t.Errorf("rule %q has no test", f.Rule)
			}
		}
	}
}

var runTests = []struct {
	name, src string
	args      []int64
	want      string
}{
	{"for", `func.func @f(%l: index, %u: index, %s: index) -> index {
  %z = arith.constant 0 : index
  %r = scf.for %i = %l to %u step %s iter_args(%a = %z) -> (index) { %b = arith.addi %a, %i : index scf.yield %b : index }
  return %r : index }`, []int64{1, 10, 3}, "12 "},
	{"for below zero", `func.func @f(%l: index, %u: index, %s: index) -> index {
  %z = arith.constant 0 : index
  %r = scf.for %i = %l to %u step %s iter_args(%a = %z) -> (index) { %b = arith.addi %a, %i : index scf.yield %b : index }
  return %r : index }`, []int64{-3, 2, 2}, "-3 "},
	{"for with step 0", `func.func @f(%l: index, %u: index, %s: index) -> index {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %l) -> (index) { %b = arith.addi %a, %i : index scf.yield %b : index }
  return %r : index }`, []int64{0, 2, 0}, "trap: the step of a loop is 0, it must be positive"},
	{"while", `func.func @f(%n: index) -> (index, index) {
  %o = arith.constant 1 : index
  %r:2 = scf.while (%a = %o, %b = %o) : (index, index) -> (index, index) { %c = arith.cmpi slt, %a, %n : index scf.condition(%c) %a, %b : index, index }
  do { ^bb0(%a: index, %b: index): %s = arith.addi %a, %b : index scf.yield %b, %s : index, index }
  return %r#0, %r#1 : index, index }`, []int64{50}, "55 89 "},
	{"parallel", `func.func @f(%n: index) -> (index, index) {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %r:2 = scf.parallel (%i, %j) = (%z, %o) to (%n, %n) step (%o, %o) init (%z, %o) -> (index, index) {
    %p = arith.muli %i, %j : index
    scf.reduce(%p, %j : index, index) { ^bb0(%a: index, %b: index): %s = arith.addi %a, %b : index scf.reduce.return %s : index },
      { ^bb0(%a: index, %b: index): %s = arith.muli %a, %b : index scf.reduce.return %s : index }
  }
  return %r#0, %r#1 : index, index }`, []int64{3}, "9 8 "},
	{"forall", `func.func private @show(index)
func.func @f(%n: index) {
  scf.forall (%i, %j) = (1, 0) to (%n, 2) step (2, 1) { func.call @show(%i) : (index) -> () func.call @show(%j) : (index) -> () }
  return }`, []int64{4}, "1,0,1,1,3,0,3,1,"},
	{"switch", `func.func @f(%n: index) -> index {
  %r = scf.index_switch %n -> index case 2 { %a = arith.constant 20 : index scf.yield %a : index } case -5 { %a = arith.constant 50 : index scf.yield %a : index } default { scf.yield %n : index }
  return %r : index }`, []int64{-5}, "50 "},
}

func TestRun(t *testing.T) {
	for _, r := range runTests {
		if got := memtest.Same(t, r.src, r.args)[0]; got != r.want {
			t.Errorf("%s: got %q, want %q", r.name, got, r.want)
		}
	}
}

// A while whose second region writes what its first reads must read it again.
func TestWhileReadsWhatItsOtherRegionWrites(t *testing.T) {
	src := `func.func @f(%n: index, %m: index) -> index {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %a = memref.alloc() : memref<1xindex>
  memref.store %z, %a[%z] : memref<1xindex>
  scf.while : () -> () { %v = memref.load %a[%z] : memref<1xindex> %c = arith.cmpi slt, %v, %n : index scf.condition(%c) }
  do { %v = memref.load %a[%z] : memref<1xindex> %w = arith.addi %v, %o : index memref.store %w, %a[%z] : memref<1xindex> scf.yield }
  %r = memref.load %a[%z] : memref<1xindex>
  return %r : index }`
	if got := memtest.Same(t, src, []int64{5, 0})[0]; got != "5 " {
		t.Errorf("got %q", got)
	}
}

func TestPrune(t *testing.T) {
	src := `func.func private @show(index)
func.func @f(%n: index, %c: i1) -> index {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
  %r:3 = scf.for %i = %z to %n step %o iter_args(%a = %z, %b = %o, %d = %o) -> (index, index, index) {
    func.call @show(%b) : (index) -> ()
    %a2 = arith.addi %a, %i : index
    %b2 = arith.muli %b, %o : index
    %b3 = arith.addi %b2, %i : index
    %d2 = arith.addi %d, %a : index
    scf.yield %a2, %b3, %d2 : index, index, index
  }
  %w:2 = scf.while (%x = %z, %y = %o) : (index, index) -> (index, index) {
    %k = arith.cmpi slt, %x, %n : index
    func.call @show(%x) : (index) -> ()
    %s = arith.addi %x, %y : index
    scf.condition(%k) %x, %s : index, index
  } do { ^bb0(%x: index, %s: index): %p = arith.addi %x, %o : index scf.yield %p, %s : index, index }
  %e:2 = scf.index_switch %n -> index, index case 2 { func.call @show(%n) : (index) -> () %u = arith.addi %n, %n : index scf.yield %u, %o : index, index } default { scf.yield %n, %n : index, index }
  func.call @show(%e#1) : (index) -> ()
  %q:2 = scf.if %c -> (index, index) { func.call @show(%n) : (index) -> () %u = arith.addi %n, %n : index scf.yield %u, %o : index, index } else { scf.yield %n, %n : index, index }
  return %q#1 : index }`
	memtest.Same(t, src, []int64{3, 0}, []int64{4, 1})
	g := memtest.Prune(t, memtest.Parse(t, memtest.Context(), src, text.Options{}))
	g = memtest.Prune(t, g)
	s := memtest.Text(g)
	for _, want := range []string{"iter_args(%arg3 = %c1) -> (index)", "scf.while (%arg2 = %c0) : (index) -> index", "-> (index) {"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not in\n%s", want, s)
		}
	}
	for _, c := range scf.Dialect.Cleanups {
		if !slices.Contains(g.Ctx.FiredRules(), c.Rule) {
			t.Errorf("rule %q did not fire", c.Rule)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, e := range []struct{ src, want string }{
		{`func.func @f(%x: index, %y: i32) { scf.for %i = %x to %x step %y { } return }`, "'%y' is used as index, but its type is i32"},
		{`func.func @f(%x: index) { %r = scf.for %i = %x to %x step %x iter_args(%a = %x) -> (index) { %c = arith.constant 1 : i32 scf.yield %c : i32 } return }`, "what the region yields"},
		{`func.func @f(%x: i1) { %r = scf.if %x -> (i1) { scf.yield %x : i1 } return }`, "must have an else block if defining values"},
		{`func.func @f(%x: index) { scf.index_switch %x case 1 { } case 1 { } default { } return }`, "has duplicate case value: 1"},
		{`func.func @f(%x: index) { "scf.parallel"(%x) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>}> ({ "scf.reduce"() : () -> () }) : (index) -> () return }`, "do not add up"},
		{`func.func @f(%x: index) { "scf.while"(%x) ({ ^bb0(%a: index): scf.yield %a : index }, { ^bb0(%a: index): scf.yield %a : index }) : (index) -> index return }`, "to end with 'scf.condition'"},
		{`func.func @f(%x: index) { scf.forall (%i) = (0) to (%x) step (1, 2) { } return }`, "staticStep"},
		{`func.func @f(%x: index) { scf.parallel (%i) = (%x) to (%x, %x) step (%x) { } return }`, "expected 1 lower bounds"},
	} {
		memtest.Refused(t, e.src, e.want)
	}
}

// The condition of an if is known in its branches, and what follows from it:
// both sides of an and, neither side of an or, what equals a constant.
func TestConditionIsKnown(t *testing.T) {
	const show = "func.func private @show(index)\nfunc.func @f(%c: i1, %d: i1, %x: index, %y: index) {\n%k = arith.constant 7 : index\n%t = arith.constant true\n"
	for _, k := range []struct{ src, want string }{
		{`scf.if %c { scf.if %c { func.call @show(%x) : (index) -> () } else { func.call @show(%y) : (index) -> () } }
		  else { scf.if %c { func.call @show(%y) : (index) -> () } }`, "if{call}{}"},
		{`scf.if %c { scf.if %d { scf.if %c { func.call @show(%x) : (index) -> () } } } scf.if %c { func.call @show(%y) : (index) -> () }`, "if{if{call}{}}{} if{call}{}"},
		{`%e = arith.andi %c, %d : i1 scf.if %e { scf.if %d { func.call @show(%x) : (index) -> () } } else { scf.if %d { func.call @show(%y) : (index) -> () } }`, "if{call}{if{call}{}}"},
		{`%e = arith.ori %c, %d : i1 scf.if %e { scf.if %d { func.call @show(%x) : (index) -> () } } else { scf.if %d { func.call @show(%y) : (index) -> () } }`, "if{if{call}{}}{}"},
		{`%n = arith.xori %c, %t : i1 %e = arith.andi %n, %d : i1 scf.if %e { scf.if %c { func.call @show(%x) : (index) -> () } }`, ""},
		{`%e = arith.cmpi eq, %x, %k : index scf.if %e { %u = arith.cmpi slt, %x, %k : index scf.if %u { func.call @show(%x) : (index) -> () } }`, ""},
		{`%e = arith.cmpi ne, %x, %k : index scf.if %e { func.call @show(%x) : (index) -> () } else { %u = arith.cmpi slt, %x, %k : index scf.if %u { func.call @show(%x) : (index) -> () } }`, "if{call}{}"},
		{`%r = scf.if %c -> (i1) { scf.yield %c : i1 } else { scf.yield %d : i1 } scf.if %r { scf.if %c { func.call @show(%x) : (index) -> () } }`, "if{if{call}{}}{}"},
	} {
		src := show + k.src + "\nreturn }"
		var args [][]int64
		for i := range int64(8) {
			args = append(args, []int64{i & 1, i >> 1 & 1, 7 - i>>2, 5})
		}
		memtest.Same(t, src, args...)
		g := memtest.Parse(t, memtest.Context(), src, text.Options{})
		for _, h := range []*ir.Graph{g, memtest.Rebuild(t, g)} {
			if got := memtest.Shape(h, "f", "scf.if", "func.call"); got != k.want {
				t.Errorf("%s\ngives %q, wanted %q", k.src, got, k.want)
			}
		}
	}
}

// What feeds only results that nobody needs goes in one rebuild, through any number of loops and
// conditionals one after another; what one of them shows, stores or returns is made as before.
func TestPruneChains(t *testing.T) {
	var b strings.Builder
	b.WriteString(`func.func private @show(index)
func.func @f(%n: index, %c: i1) -> index {
  %z = arith.constant 0 : index
  %o = arith.constant 1 : index
`)
	a, d := "%o", "%o"
	const loops = 40
	for k := range loops {
		fmt.Fprintf(&b, `  %%r%d:2 = scf.for %%i = %%z to %%n step %%o iter_args(%%a = %s, %%d = %s) -> (index, index) {
    %%a2 = arith.addi %%a, %%i : index
    %%p = arith.muli %%d, %%d : index
    %%d2 = arith.addi %%p, %%a : index
    scf.yield %%a2, %%d2 : index, index
  }
  %%q%d = scf.if %%c -> (index) { func.call @show(%%r%d#0) : (index) -> () %%u = arith.muli %%r%d#1, %%n : index scf.yield %%u : index } else { scf.yield %%r%d#1 : index }
`, k, a, d, k, k, k, k)
		a, d = fmt.Sprintf("%%r%d#0", k), fmt.Sprintf("%%q%d", k)
	}
	src := b.String() + "  return " + a + " : index }"
	memtest.Same(t, src, []int64{3, 0}, []int64{4, 1}, []int64{0, 1})
	g := memtest.Prune(t, memtest.Parse(t, memtest.Context(), src, text.Options{}))
	if s := memtest.Text(g); strings.Contains(s, "muli") || strings.Count(s, "scf.for") != loops || strings.Count(s, "scf.if") != loops {
		t.Errorf("what nobody needs is left:\n%s", s)
	}
	if s := memtest.Text(memtest.Prune(t, memtest.Parse(t, memtest.Context(), b.String()+"  return "+d+" : index }", text.Options{}))); strings.Count(s, "muli") != 2*loops {
		t.Errorf("what is needed is gone:\n%s", s)
	}
}
