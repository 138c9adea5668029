package lms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/lms"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
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
// become: names of ops in order, braces for regions. Programs run as written and
// as built with all arguments, and must show the same.
type testCase struct {
	id, src string
	want    string
}

var cases = []testCase{
	{"1.1 CSE", `%a = lms.p "p1"(%x : i64) : i64 %b = lms.p "p1"(%x : i64) : i64
  %r = lms.p "p2"(%a, %b : i64, i64) : i64 lms.print %r`, "p1 p2 print"},
	{"1.2 TestTransform1", `%z = lms.zeros %n %z2 = lms.zeros %n %a = lms.plus %z, %z2 %b = lms.plus %z, %a
  %r = lms.read %b[%k3] lms.print %r`, "zeros plus plus read print"},
	{"1.5 allocations are not shared", `%a = lms.newmut %k3 %b = lms.newmut %k3 lms.write %a[%k0], %x lms.write %b[%x], %y
  %r = lms.read %a[%x] %s = lms.read %b[%k2] lms.print %r lms.print %s`, "newmut newmut write write read read print print"},
	{"1.6 reads and writes in order", `%v1 = lms.newmut %n %v2 = lms.newmut %n
  %a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  %r = lms.read %a[%k10] lms.write %v1[%k10], %k10 lms.write %v2[%k10], %m %s = lms.read %a[%k10]
  %t = arith.subi %s, %r : i64 lms.print %t`, "newmut newmut select read write write read subi print"},
	{"2.1 dead code", `%a = lms.p "p1" : i64 %b = lms.p "p2"(%a : i64) : i64 %r = lms.p "p3" : i64 lms.print %r`, "p3 print"},
	{"2.2 if_dead_pure", `%e = arith.cmpi eq, %x, %k0 : i64
  %r = scf.if %e -> (i64) { %s = arith.addi %k1, %x : i64 scf.yield %s : i64 } else { scf.yield %k3 : i64 }
  lms.print %k7`, "print"},
	{"2.3 if_dead_effect_value", `%r = scf.if %c -> (i64) { lms.print %k1 scf.yield %k3 : i64 } else { lms.print %k2 %s = arith.addi %x, %k7 : i64 scf.yield %s : i64 }
  lms.print %k7`, "if{print}{print} print"},
	{"2.5 variable_w", `%v = lms.var %k1 : i64 lms.set %v, %k3 : i64 lms.set %v, %k7 : i64 %r = lms.get %v : i64 lms.print %r`, "print"},
	{"3.1 hot fringe out of the loop", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  %r = scf.for %i = %z to %e step %o iter_args(%acc = %k0) -> (i64) { %q = arith.index_cast %i : index to i64 %p0 = lms.p "p0"(%q : i64) : i1
    %v = scf.if %p0 -> (i64) { %w = scf.if %c -> (i64) { %p1 = lms.p "p1" : i64 scf.yield %p1 : i64 } else { scf.yield %k0 : i64 } scf.yield %w : i64 } else { scf.yield %k1 : i64 }
    %s = arith.addi %acc, %v : i64 scf.yield %s : i64 }
  lms.print %r`, "if{p1}{} for{index_cast p0 if{}{} addi} print"},
	{"3.2 inner condition forced inside", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.for %i = %z to %e step %o { %q = arith.index_cast %i : index to i64
    scf.if %c { %p0 = lms.p "p0"(%q : i64) : i1 scf.if %p0 { %p1 = lms.p "p1" : i64 lms.print %p1 } } }`, "p1 for{if{index_cast p0 if{print}{}}{}}"},
	{"3.3 loop in a conditional", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.constant 5 : index
  scf.if %c { scf.for %i = %z to %e step %o { %p1 = lms.p "p1" : i64 lms.print %p1 } }`, "if{p1 for{print}}{}"},
	{"3.4 a copy for each cold branch", `%z = lms.p "p1" : i64 scf.if %c { lms.print %z } scf.if %d { lms.print %z }`, "if{p1 print}{} if{p1 print}{}"},
	{"3.5 cm1", `%f = lms.fun(%a: i64) { %g = lms.fun(%b: i64) { lms.print %k7 %p = lms.p "p1"(%k1, %k3 : i64, i64) : i64 %s = arith.addi %b, %p : i64 lms.yield %s }
    %r = lms.app %g(%a : i64) lms.yield %r }
  %r = lms.app %f(%x : i64) lms.print %r`, "p1 fun{print addi} fun{app} app print"},
	{"3.8 cm4", `%g = lms.fun(%b: i64) { scf.if %c { %s = arith.addi %b, %k1 : i64 lms.print %s } lms.yield %b }
  %r = lms.app %g(%x : i64) lms.print %r`, "fun{if{addi print}{}} app print"},
	{"3.12 cm00", `%f = lms.fun(%b: i64) { %r = scf.if %c -> (i64) { %p = lms.p "p1" : i64 scf.yield %p : i64 } else { %p = lms.p "p2" : i64 scf.yield %p : i64 } lms.yield %r }
  %r = lms.app %f(%k2 : i64) lms.print %r`, "if{p1}{p2} fun{} app print"},
	{"3.14 TestTransform2", `%a = lms.zeros %n %b = lms.zeros %m %s = lms.plus %a, %b
  scf.if %c { %l = lms.len %s lms.print %l } else { %l = lms.len %s lms.print %l }`, "if{zeros zeros plus len print}{zeros zeros plus len print}"},
	{"3.16 no trap before its guard", `%z = arith.constant 0 : index %o = arith.constant 1 : index %e = arith.index_cast %y : i64 to index
  scf.for %i = %z to %e step %o { %g = arith.cmpi ne, %x, %k0 : i64 scf.if %g { %q = arith.divsi %n, %x : i64 lms.print %q } }`, "index_cast cmpi for{if{divsi print}{}}"},
	{"4.2 mut1b", `%v1 = lms.newmut %n %v2 = lms.newmut %n
  %a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  %b = lms.mutcopy %a lms.write %b[%k10], %k10 %r = lms.read %b[%k7] lms.print %r`, "newmut newmut select mutcopy write read print"},
	{"4.8 mut7", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %y : i64 scf.condition(%l) }
  do { %g = lms.get %v : i64 %s = arith.addi %g, %k1 : i64 lms.set %v, %s : i64 scf.yield }
  %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %y : i64
  scf.if %l { lms.set %v, %k7 : i64 }
  %r = lms.get %v : i64 lms.print %r`, "var while{get cmpi}{get addi set} get cmpi if{set}{} get print"},
	{"5.1 the last value", `%v = lms.var %k7 : i64 lms.set %v, %k3 : i64 %r = lms.get %v : i64 lms.print %r`, "print"},
	{"5.2 the condition is known inside", `scf.if %c { scf.if %c { lms.print %k1 } else { lms.print %k2 } } else { lms.print %k3 }`, "if{print}{print}"},
	{"5.3 s1", `%v = lms.var %k7 : i64 %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k3 : i64
  scf.if %l { %h = lms.get %v : i64 lms.print %h } else { lms.print %k0 }
  %r = lms.get %v : i64 lms.print %r`, "print print"},
	{"5.4 s1b", `%v = lms.var %k7 : i64 %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k3 : i64
  scf.if %l { lms.set %v, %k2 : i64 } else { lms.print %k0 }
  %r = lms.get %v : i64 lms.print %r`, "print"},
	// Still there: the variable that is set in the loop and never read.
	{"5.7 s3", `%v = lms.var %k7 : i64 %w = lms.var %k0 : i64 %u = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %w : i64 %l = arith.cmpi slt, %g, %k10 : i64 scf.condition(%l) }
  do { %a = lms.get %v : i64 lms.print %a %b = lms.get %w : i64 lms.print %b lms.set %u, %k2 : i64 %s = arith.addi %b, %k1 : i64 lms.set %w, %s : i64
    %e = lms.get %u : i64 lms.print %e scf.yield }
  %a = lms.get %v : i64 lms.print %a %b = lms.get %w : i64 lms.print %b`,
		"var var while{get cmpi}{print get print set addi set print} print get print"},
	{"5.8 s4", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi sgt, %g, %k10 : i64 scf.condition(%l) } do { lms.print %k1 scf.yield }
  lms.print %k2`, "print"},
	{"5.10 s6", `%v = lms.var %k0 : i64
  scf.while : () -> () { %g = lms.get %v : i64 %l = arith.cmpi slt, %g, %k3 : i64 scf.condition(%l) }
  do { %w = lms.var %k0 : i64
    scf.while : () -> () { %h = lms.get %w : i64 %l = arith.cmpi slt, %h, %k3 : i64 scf.condition(%l) }
    do { %g = lms.get %v : i64 %h = lms.get %w : i64 lms.print %g lms.print %h %s = arith.addi %h, %k1 : i64 lms.set %w, %s : i64 scf.yield }
    %g = lms.get %v : i64 %s = arith.addi %g, %k1 : i64 lms.set %v, %s : i64 scf.yield }`,
		"var while{get cmpi}{var get while{get cmpi}{get print print addi set} addi set}"},
}

// graph builds a case and rebuilds it until nothing changes.
func graph(t *testing.T, c *ir.Context, src string) *ir.Graph {
	g := memtest.Parse(t, c, head+src+"\n  return }", text.Options{})
	for range 5 {
		before := ir.NewSchedule(g, ir.ScheduleOptions{}).Fingerprint()
		if g = memtest.Rebuild(t, memtest.Prune(t, g)); ir.NewSchedule(g, ir.ScheduleOptions{}).Fingerprint() == before {
			return g
		}
	}
	t.Errorf("no fixed point: %s", memtest.Text(g))
	return g
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
			_, name, _ := strings.Cut(def.Name, ".")
			if def == lms.P {
				name = g.Ctx.AttrInfo(g.Attr(v, "name")).Str
			}
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

func TestCases(t *testing.T) {
	for _, k := range cases {
		c := memtest.Context(lms.Dialect)
		if got := tree(graph(t, c, k.src)); got != k.want {
			t.Errorf("%s: got\n  %s\nwanted\n  %s", k.id, got, k.want)
		}
		var args [][]int64
		for _, a := range [][]int64{{0, 0}, {2, 3}, {1, 9}} {
			for f := range int64(4) {
				args = append(args, append(slices.Clone(a), f&1, f>>1))
			}
		}
		memtest.SameIn(t, memtest.Context(lms.Dialect), head+k.src+"\n  return }", args...)
	}
}

// The cases that must be refused.
func TestRefused(t *testing.T) {
	for _, k := range []testCase{
		{"4.1 mut1", `%v1 = lms.newmut %n %v2 = lms.newmut %n
  %a = scf.if %c -> (!lms.arr) { scf.yield %v1 : !lms.arr } else { scf.yield %v2 : !lms.arr }
  lms.write %a[%k10], %k10`, "write to what is no unique allocation"},
		{"4.4 mut3", `%z = lms.zeros %n %v = lms.var %z : !lms.arr %b = lms.newmut %n lms.write %b[%k0], %x lms.set %v, %b : !lms.arr`, "illegal sharing"},
	} {
		_, errs := text.Parse(memtest.Context(lms.Dialect), diag.NewSource("x", head+k.src+"\n  return }"), text.Options{})
		if err := errs.Err(); err == nil || !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s: got %v, wanted %q", k.id, err, k.want)
		}
	}
}

func TestFoldsFire(t *testing.T) {
	c := memtest.Context(lms.Dialect)
	for _, k := range cases {
		graph(t, c, k.src)
	}
	graph(t, c, `%v = lms.var %k0 : i64 lms.set %v, %x : i64 lms.set %v, %x : i64 %a = lms.newmut %n lms.write %a[%k1], %x %l = lms.len %a %r = lms.read %a[%k1]
  %s = lms.get %v : i64 lms.print %l lms.print %r lms.print %s`)
	for _, f := range lms.Dialect.Folds {
		if !slices.Contains(c.FiredRules(), f.Rule) {
			t.Errorf("rule %q never fires", f.Rule)
		}
	}
}
