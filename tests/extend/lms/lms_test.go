package lms_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/extend/lms"
)

func TestRoundTrip(t *testing.T) {
	memtest.FixedPoint(t, memtest.Context(lms.Dialect), "testdata/lms.mlir")
}

const head = `func.func @f(%x: i64, %y: i64, %c: i1, %d: i1) {
  %k0 = arith.constant 0 : i64
  %k1 = arith.constant 1 : i64
  %k2 = arith.constant 2 : i64
  %k3 = arith.constant 3 : i64
  %k7 = arith.constant 7 : i64
  %k10 = arith.constant 10 : i64
  %n = arith.constant 100 : i64
  %m = arith.constant 50 : i64
`

// A case is a program of the collection of cases with the tree that it must
// become: names of ops in order, braces for regions.
type testCase struct {
	id, src  string
	want     string
	pipeline string   // "" stands for canonicalize
	runs     []string // how often ops run: "x y c d: op n, op n"
}

var cases = []testCase{
	{"1.1 CSE", `%a = lms.p "p1"(%x : i64) : i64 %b = lms.p "p1"(%x : i64) : i64
  %r = lms.p "p2"(%a, %b : i64, i64) : i64 lms.print %r`, "p1 p2 print", "", []string{"0 0 0 0: p1 1, p2 1, print 1"}},
	{"1.2 TestTransform1", `%z = lms.zeros %n %z2 = lms.zeros %n %a = lms.plus %z, %z2 %b = lms.plus %z, %a
  %r = lms.read %b[%k3] lms.print %r`, "zeros plus plus read print", "", []string{"0 0 0 0: zeros 1, plus 2"}},
	{"1.5 allocations are not shared", `%a = lms.newmut %k3 %b = lms.newmut %k3 lms.write %a[%k0], %x lms.write %b[%x], %y
  %r = lms.read %a[%x] %s = lms.read %b[%k2] lms.print %r lms.print %s`, "newmut newmut write write read read print print", "", []string{"0 0 0 0: newmut 2, write 2"}},
	{"1.6 reads and writes in order", `%v1 = lms.newmut %n %v2 = lms.newmut %n
  %a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  %r = lms.read %a[%k10] lms.write %v1[%k10], %k10 lms.write %v2[%k10], %m %s = lms.read %a[%k10]
  %t = arith.subi %s, %r : i64 lms.print %t`, "newmut newmut select read write write read subi print", "", []string{"0 0 1 0: read 2, write 2, subi 1"}},
	{"2.1 dead code", `%a = lms.p "p1" : i64 %b = lms.p "p2"(%a : i64) : i64 %r = lms.p "p3" : i64 lms.print %r`, "p3 print", "", []string{"0 0 0 0: p1 0, p2 0, p3 1"}},
	{"2.2 if_dead_pure", `%e = arith.cmpi eq, %x, %k0 : i64
  %r = scf.if %e -> (i64) { %s = arith.addi %k1, %x : i64 scf.yield %s : i64 } else { scf.yield %k3 : i64 }
  lms.print %k7`, "print", "", []string{"0 0 0 0: if 0, addi 0, print 1"}},
	{"2.3 if_dead_effect_value", `%r = scf.if %c -> (i64) { lms.print %k1 scf.yield %k3 : i64 } else { lms.print %k2 %s = arith.addi %x, %k7 : i64 scf.yield %s : i64 }
  lms.print %k7`, "if{print}{print} print", "", []string{"0 0 1 0: if 1, addi 0, print 2"}},
	{"2.5 variable_w", `%v = lms.var %k1 : i64 lms.set %v, %k3 : i64 lms.set %v, %k7 : i64 %r = lms.get %v : i64 lms.print %r`, "print", "", []string{"0 0 0 0: var 0, set 0, get 0, print 1"}},
	{"3.1 hot fringe out of the loop", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  %r = scf.for %i = %z to %e step %o iter_args(%acc = %k0) -> (i64) { %q = arith.index_cast %i : index to i64 %p0 = lms.p "p0"(%q : i64) : i1
    %v = scf.if %p0 -> (i64) { %w = scf.if %c -> (i64) { %p1 = lms.p "p1" : i64 scf.yield %p1 : i64 } else { scf.yield %k0 : i64 } scf.yield %w : i64 } else { scf.yield %k1 : i64 }
    %s = arith.addi %acc, %v : i64 scf.yield %s : i64 }
  lms.print %r`, "if{p1}{} for{index_cast p0 if{}{} addi} print", "", []string{"0 0 1 0: p1 1, p0 5", "0 0 0 0: p1 0, p0 5"}},
	{"3.2 inner condition forced inside", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.for %i = %z to %e step %o { %q = arith.index_cast %i : index to i64
    scf.if %c { %p0 = lms.p "p0"(%q : i64) : i1 scf.if %p0 { %p1 = lms.p "p1" : i64 lms.print %p1 } } }`, "p1 for{if{index_cast p0 if{print}{}}{}}", "", []string{"0 0 1 0: p1 1, p0 5", "0 0 0 0: p1 1, p0 0"}},
	{"3.3 loop in a conditional", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.if %c { scf.for %i = %z to %e step %o { %p1 = lms.p "p1" : i64 lms.print %p1 } }`, "if{p1 for{print}}{}", "", []string{"0 0 1 0: p1 1, print 5", "0 0 0 0: p1 0, print 0"}},
	{"3.4 a copy for each cold branch", `%z = lms.p "p1" : i64 scf.if %c { lms.print %z } scf.if %d { lms.print %z }`, "if{p1 print}{} if{p1 print}{}", "", []string{"0 0 0 0: p1 0", "0 0 1 0: p1 1", "0 0 0 1: p1 1", "0 0 1 1: p1 2"}},
	{"3.5 cm1", `%f = lms.fun(%a: i64) { %g = lms.fun(%b: i64) { lms.print %k7 %p = lms.p "p1"(%k1, %k3 : i64, i64) : i64 %s = arith.addi %b, %p : i64 lms.yield %s }
    %r = lms.app %g(%a : i64) lms.yield %r }
  %r = lms.app %f(%x : i64) lms.print %r`, "p1 fun{print addi} fun{app} app print", "", []string{"0 0 0 0: p1 1, print 2, fun 2, app 2"}},
	{"3.8 cm4", `%g = lms.fun(%b: i64) { scf.if %c { %s = arith.addi %b, %k1 : i64 lms.print %s } lms.yield %b }
  %r = lms.app %g(%x : i64) lms.print %r`, "fun{if{addi print}{}} app print", "", []string{"0 0 1 0: addi 1, print 2", "0 0 0 0: addi 0, print 1"}},
	{"3.12 cm00", `%f = lms.fun(%b: i64) { %r = scf.if %c -> (i64) { %p = lms.p "p1" : i64 scf.yield %p : i64 } else { %p = lms.p "p2" : i64 scf.yield %p : i64 } lms.yield %r }
  %r = lms.app %f(%k2 : i64) lms.print %r`, "if{p1}{p2} fun{} app print", "", []string{"0 0 1 0: p1 1, p2 0", "0 0 0 0: p1 0, p2 1"}},
	{"3.14 TestTransform2", `%a = lms.zeros %n %b = lms.zeros %m %s = lms.plus %a, %b
  scf.if %c { %l = lms.len %s lms.print %l } else { %l = lms.len %s lms.print %l }`, "if{zeros zeros plus len print}{zeros zeros plus len print}", "", []string{"0 0 1 0: zeros 2, plus 1, len 1, print 1"}},
	{"3.16 no trap before its guard", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.index_cast %y : i64 to index
  scf.for %i = %z to %e step %o { %g = arith.cmpi ne, %x, %k0 : i64 scf.if %g { %q = arith.divsi %n, %x : i64 lms.print %q } }`, "index_cast cmpi for{if{divsi print}{}}", "", []string{"0 3 0 0: divsi 0", "2 0 0 0: divsi 0", "2 3 0 0: divsi 3"}},
	{"4.2 mut1b", `%v1 = lms.newmut %n %v2 = lms.newmut %n
  %a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  %b = lms.mutcopy %a lms.write %b[%k10], %k10 %r = lms.read %b[%k7] lms.print %r`, "newmut newmut select mutcopy write read print", "", []string{"0 0 0 0: mutcopy 1, write 1, read 1"}},
	{"4.8 mut7", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %y : i64 scf.condition(%l) }
  do { %g = lms.get %v : i64 %s = arith.addi %g, %k1 : i64 lms.set %v, %s : i64 scf.yield }
  %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %y : i64
  scf.if %l { lms.set %v, %k7 : i64 }
  %r = lms.get %v : i64 lms.print %r`, "var while{get cmpi}{get addi set} get cmpi if{set}{} get print", "", []string{"0 3 0 0: set 3, addi 3, get 9, print 1"}},
	{"5.1 the last value", `%v = lms.var %k7 : i64 lms.set %v, %k3 : i64 %r = lms.get %v : i64 lms.print %r`, "print", "", []string{"0 0 0 0: var 0, set 0, print 1"}},
	{"5.2 the condition is known inside", `scf.if %c { scf.if %c { lms.print %k1 } else { lms.print %k2 } } else { lms.print %k3 }`, "if{print}{print}", "", []string{"0 0 1 0: if 1, print 1"}},
	{"5.3 s1", `%v = lms.var %k7 : i64 %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k3 : i64
  scf.if %l { %h = lms.get %v : i64 lms.print %h } else { lms.print %k0 }
  %r = lms.get %v : i64 lms.print %r`, "print print", "", []string{"0 0 0 0: var 0, if 0, print 2"}},
	{"5.4 s1b", `%v = lms.var %k7 : i64 %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k3 : i64
  scf.if %l { lms.set %v, %k2 : i64 } else { lms.print %k0 }
  %r = lms.get %v : i64 lms.print %r`, "print", "", []string{"0 0 0 0: var 0, if 0, print 1"}},
	{"5.8 s4", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k10 : i64 scf.condition(%l) } do { lms.print %k1 scf.yield }
  lms.print %k2`, "print", "", []string{"0 0 0 0: while 0, print 1"}},
	{"5.10 s6", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %k3 : i64 scf.condition(%l) }
  do { %w = lms.var %k0 : i64
    scf.while : () -> () { %h = lms.get %w : i64 %l = arith.cmpi slt, %h, %k3 : i64 scf.condition(%l) }
    do { %g = lms.get %v : i64 %h = lms.get %w : i64 lms.print %g lms.print %h %s = arith.addi %h, %k1 : i64 lms.set %w, %s : i64 scf.yield }
    %g = lms.get %v : i64 %s = arith.addi %g, %k1 : i64 lms.set %v, %s : i64 scf.yield }`,
		"var while{get cmpi}{var get while{get cmpi}{get print print addi set} addi set}", "", []string{"0 0 0 0: print 18, var 4"}},
}

// graph builds a case and runs a pipeline on it.
func graph(t *testing.T, c *ir.Context, src, pipeline string) *ir.Graph {
	t.Helper()
	g := ir.Settle(memtest.Parse(t, c, head+src+"\n  return }", text.Options{}))
	p, err := pass.Parse(pipeline, passes.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := (&pass.Manager{VerifyEach: true}).Run(context.Background(), g, p)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// tree prints the schedule of @f with copies: names of ops, opaque ops by their
// own, braces for regions; constants and terminators are left out.
func tree(g *ir.Graph) string {
	var body func(s *ir.Schedule, r ir.Region) string
	body = func(s *ir.Schedule, r ir.Region) string {
		g := s.Graph()
		var out []string
		for _, v := range s.Body(r) {
			def := g.Def(v)
			if def.Has(ir.ConstantLike) || def.Has(ir.Terminator) {
				continue
			}
			name := opName(g, v)
			for _, in := range g.Regions(v) {
				name += "{" + body(s, in) + "}"
			}
			out = append(out, name)
		}
		return strings.Join(out, " ")
	}
	for {
		s := ir.NewSchedule(g, ir.ScheduleOptions{Copies: true})
		first := s.Body(ir.Root)[0]
		if kids := g.Children(first); len(kids) == 1 {
			g = kids[0]
			continue
		}
		return body(s, ir.Root)
	}
}

// inputs are the arguments that every case runs with: x, y, c, d.
func inputs() (out [][]int64) {
	for _, a := range [][]int64{{0, 0}, {2, 3}, {1, 9}} {
		for f := range int64(4) {
			out = append(out, append(slices.Clone(a), f&1, f>>1))
		}
	}
	return out
}

// Each case is judged by what it shows (V), by the ops that are left and where
// they stand (S, P), and by how often they run (D).
func TestCases(t *testing.T) {
	for _, k := range slices.Concat(cases, loopCases, branchCases, aliasCases) {
		t.Run(k.id, func(t *testing.T) {
			pipeline := k.pipeline
			if pipeline == "" {
				pipeline = "canonicalize"
			}
			c := memtest.Context(lms.Dialect)
			g := graph(t, c, k.src, pipeline)
			if got := tree(g); got != k.want {
				t.Errorf("got\n  %s\nwanted\n  %s\n%s", got, k.want, memtest.Text(g))
			}
			if again := graph(t, c, k.src, pipeline+","+pipeline); memtest.Text(again) != memtest.Text(g) {
				t.Errorf("%s twice gives\n%s\nonce\n%s", pipeline, memtest.Text(again), memtest.Text(g))
			}
			if back := ir.Settle(memtest.Parse(t, c, memtest.Text(g), text.Options{})); memtest.Text(back) != memtest.Text(ir.Settle(g)) {
				t.Errorf("printed and read again:\n%s\nwanted\n%s", memtest.Text(back), memtest.Text(g))
			}
			written := memtest.Parse(t, c, head+k.src+"\n  return }", text.Options{Verbatim: true})
			for _, in := range inputs() {
				args := vals(in)
				if got, want := memtest.Outcome(t, g, "f", args...), memtest.Outcome(t, written, "f", args...); got != want && !strings.Contains(want, "trap") {
					t.Errorf("@f%v shows %q, wanted %q", in, got, want)
				}
			}
			memtest.SameIn(t, memtest.Context(lms.Dialect), head+k.src+"\n  return }", inputs()...)
			for _, run := range k.runs {
				checkRun(t, g, run)
			}
		})
	}
}

func vals(in []int64) (out []ir.Val) {
	for _, n := range in {
		out = append(out, ir.Val{Bits: uint64(n)})
	}
	return out
}

// checkRun runs a program and compares how often ops ran: "2 3 1 0: p1 0, print 3".
func checkRun(t *testing.T, g *ir.Graph, run string) {
	t.Helper()
	count := map[string]int{}
	m, err := interp.New(g, interp.Options{Fuel: 1 << 20, Hook: func(o *interp.Op) { count[opName(o.G, o.V)]++ }})
	if err != nil {
		t.Fatal(err)
	}
	args, want, _ := strings.Cut(run, ": ")
	var in [4]int64
	if _, err := fmt.Sscan(args, &in[0], &in[1], &in[2], &in[3]); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Call("f", vals(in[:])); err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Split(want, ", ") {
		var name string
		var n int
		if _, err := fmt.Sscan(w, &name, &n); err != nil {
			t.Fatal(err)
		}
		if count[name] != n {
			t.Errorf("@f(%s): %s ran %d times, wanted %d; all: %v", args, name, count[name], n, count)
		}
	}
}

func opName(g *ir.Graph, v ir.Value) string {
	if g.Def(v) == lms.P {
		return g.Ctx.AttrInfo(g.Attr(v, "name")).Str
	}
	_, name, _ := strings.Cut(g.Def(v).Name, ".")
	return name
}

func TestFoldsFire(t *testing.T) {
	c := memtest.Context(lms.Dialect)
	for _, k := range slices.Concat(cases, aliasCases) {
		graph(t, c, k.src, "canonicalize")
	}
	graph(t, c, `%v = lms.var %k0 : i64 lms.set %v, %x : i64 lms.set %v, %x : i64 %a = lms.newmut %n lms.write %a[%k1], %x %l = lms.len %a %r = lms.read %a[%k1]
  %s = lms.get %v : i64 lms.print %l lms.print %r lms.print %s
  %e = lms.lit %x, %y : i64, i64 %e1 = lms.read %e[%k1] lms.print %e1 %b = lms.arr %i < %n { lms.yield %i } %e2 = lms.read %b[%k7] lms.print %e2
  %es = lms.lit %e, %b : !lms.arr, !lms.arr %e3 = lms.at %es[%k0] %e4 = lms.read %e3[%k0] lms.print %e4
  %w = lms.mutcopy %es lms.write %w[%x], %b %e5 = lms.at %w[%x] %e6 = lms.read %e5[%k0] lms.print %e6
  %if = scf.if %c -> (!lms.arr) { %z1 = lms.zeros %n scf.yield %z1 : !lms.arr } else { %z2 = lms.zeros %k1 scf.yield %z2 : !lms.arr } %len = lms.len %if lms.print %len`, "canonicalize")
	for _, f := range lms.Dialect.Folds {
		if !slices.Contains(c.FiredRules(), f.Rule) {
			t.Errorf("rule %q never fires", f.Rule)
		}
	}
}
