package lms_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref/memtest"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes"
	"github.com/irc-lang/irc/tests/extend/lms"
)

// power multiplies b with itself n times, as a program that runs while the graph
// is built: squaring where n is even, if square is set.
func power(b *ir.Builder, x ir.Value, n int, square bool) ir.Value {
	switch {
	case n == 0:
		return b.Const(ir.F64, ir.FloatVal(1, ir.F64))
	case square && n%2 == 0:
		h := power(b, x, n/2, square)
		return b.Op(arith.Mulf, h, h)
	}
	return b.Op(arith.Mulf, x, power(b, x, n-1, square))
}

// Case 1.3, TestPower3: what the stage before leaves is what is shared and folded.
func TestPower(t *testing.T) {
	for _, k := range []struct {
		name   string
		square bool
		opts   []ir.Option
		ops    int // addf and mulf
		all    int // with the constant
	}{
		{"square and multiply", true, nil, 3, 3},
		{"plain recursion", false, nil, 4, 4},
		{"plain recursion without rules", false, []ir.Option{ir.Plain}, 5, 6},
	} {
		b := ir.NewBuilder(memtest.Context(lms.Dialect), k.opts...)
		x := b.Param(ir.F64)
		two := b.Op(arith.Addf, x, x)
		b.Must(ir.Call{Def: b.Ctx().Lookup("func.return"), Args: []ir.Value{power(b, two, 4, k.square)}})
		g := b.Finish()
		ops, all := 0, 0
		for v := range ir.NewSchedule(g, ir.ScheduleOptions{}).All() {
			switch {
			case g.Def(v) == arith.Addf, g.Def(v) == arith.Mulf:
				ops++
				all++
			case !g.Def(v).Has(ir.Terminator):
				all++
			}
		}
		if ops != k.ops || all != k.all {
			t.Errorf("%s: %d sums and products, %d ops in all, wanted %d and %d", k.name, ops, all, k.ops, k.all)
		}
	}
}

// outward is a set of rules of someone else's for ops of arith: constants leave
// products, as those for FFT do in LMS (1.8).
var outward = &ir.Dialect{Name: "outward", Folds: []ir.Fold{
	{Of: arith.Muli, Rule: "x * (y * c) = (x * y) * c", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		g := b.Graph()
		for i, a := range c.Args {
			if g.Def(a) == arith.Muli && g.Def(g.Args(a)[1]).Has(ir.ConstantLike) && !g.Def(c.Args[1-i]).Has(ir.ConstantLike) {
				return b.Op(arith.Muli, b.Op(arith.Muli, c.Args[1-i], g.Args(a)[0]), g.Args(a)[1])
			}
		}
		return 0
	}},
}}

// Case 1.8: no product is ever left on which a rule could still fire.
func TestNoRuleIsLeft(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	for range 300 {
		b := ir.NewBuilder(memtest.Context(lms.Dialect, outward))
		x, y := b.Param(ir.I64), b.Param(ir.I64)
		vals, nums := []ir.Value{x, y}, []uint64{3, 5} // what they are for x=3, y=5
		for range 2 + r.IntN(12) {
			if r.IntN(3) == 0 {
				n := uint64(r.IntN(4))
				vals, nums = append(vals, b.Const(ir.I64, ir.Val{Bits: n})), append(nums, n)
				continue
			}
			i, j := r.IntN(len(vals)), r.IntN(len(vals))
			vals, nums = append(vals, b.Op(arith.Muli, vals[i], vals[j])), append(nums, nums[i]*nums[j])
		}
		last := len(vals) - 1
		b.Must(ir.Call{Def: b.Ctx().Lookup("func.return"), Args: vals[last:]})
		g := b.Finish()
		s := ir.NewSchedule(g, ir.ScheduleOptions{})
		got := map[ir.Value]uint64{x: 3, y: 5}
		for v := range s.All() {
			if c, ok := g.Const(v); ok {
				got[v] = c.Bits
				continue
			}
			if g.Def(v) != arith.Muli {
				continue
			}
			args := g.Args(v)
			got[v] = got[args[0]] * got[args[1]]
			isConst := func(v ir.Value) bool { return g.Def(v).Has(ir.ConstantLike) }
			if isConst(args[0]) {
				t.Error("a constant stands on the left")
			}
			for _, a := range args {
				if g.Def(a) == arith.Muli && isConst(g.Args(a)[1]) {
					t.Error("a constant stands inside a product")
				}
			}
		}
		if got[vals[last]] != nums[last] {
			t.Errorf("gives %d, wanted %d", got[vals[last]], nums[last])
		}
		if again := ir.Rewrite(g.Ctx, s, nil, nil); ir.NewSchedule(again, ir.ScheduleOptions{}).Fingerprint() != s.Fingerprint() {
			t.Error("a rebuild changes it: some rule still fired")
		}
	}
}

var zeroRule = &ir.Dialect{Name: "zero", Folds: []ir.Fold{
	{Of: lms.Plus, Rule: "plus(zeros, b) = b", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if b.Graph().Def(c.Args[0]) == lms.Zeros {
			return c.Args[1]
		}
		return 0
	}},
}}

const worklist = `%z = lms.zeros %n %y1 = lms.zeros %n %a = lms.plus %z, %y1 %b = lms.plus %z, %a
  %j = arith.extui %c : i1 to i64 %r = lms.read %b[%j] %l = lms.len %b lms.print %r lms.print %l`

// Case 8.2, worklist1: before the phase whole arrays, whose rules have had their
// chance; after it loops, whose elements are shared, and lengths that are known.
func TestWorklist(t *testing.T) {
	for _, k := range []struct {
		name          string
		more          []*ir.Dialect
		before, after string
	}{
		{"as written", nil, "zeros plus plus extui read len print print", "arr{} arr{read addi} arr{read read addi} extui read print print"},
		{"with the rule for zeros", []*ir.Dialect{zeroRule}, "zeros extui read print print", "arr{} extui read print print"},
	} {
		c := memtest.Context(append([]*ir.Dialect{lms.Dialect}, k.more...)...)
		g := graph(t, c, worklist, "canonicalize")
		if got := tree(g); got != k.before {
			t.Errorf("%s: before the phase\n  %s\nwanted\n  %s", k.name, got, k.before)
		}
		low := lowered(t, g, "lower{to=lms.arrays fuse=false}")
		if got := tree(low); got != k.after {
			t.Errorf("%s: after the phase\n  %s\nwanted\n  %s\n%s", k.name, got, k.after, memtest.Text(low))
		}
		if s := memtest.Text(low); strings.Count(s, "lms.len") > 0 || !strings.Contains(s, "< %c100") {
			t.Errorf("%s: a length is not known:\n%s", k.name, s)
		}
		for _, in := range inputs() {
			if got, want := memtest.Outcome(t, low, "f", vals(in)...), memtest.Outcome(t, g, "f", vals(in)...); got != want {
				t.Errorf("%s: shows %q, wanted %q", k.name, got, want)
			}
		}
	}
}

// Case 8.4, worklist3: the length of what a condition gives is a choice of lengths, of nested conditions and sums, too.
func TestWorklistOfConditional(t *testing.T) {
	const one = `%k5 = arith.constant 5 : i64 %l1 = arith.cmpi sgt, %x, %k0 : i64
  %z = scf.if %l1 -> (!lms.arr) { %z1 = lms.zeros %n scf.yield %z1 : !lms.arr } else { INNER }
  %y1 = lms.zeros %n %a = lms.plus %z, %y1 %len = lms.len %a %lz = lms.len %z lms.print %len lms.print %lz`
	for _, inner := range []string{
		"%z2 = lms.zeros %k5 scf.yield %z2 : !lms.arr",
		"%z2 = lms.zeros %k5 %z3 = lms.plus %z2, %z2 scf.yield %z3 : !lms.arr",
		"%mm = lms.newmut %k3 lms.write %mm[%k0], %n %j = arith.extui %c : i1 to i64 %q = lms.read %mm[%j] %z2 = lms.zeros %q scf.yield %z2 : !lms.arr",
		"lms.print %x %z2 = scf.if %c -> (!lms.arr) { %mm = lms.newmut %k3 lms.write %mm[%k0], %n %j = arith.extui %c : i1 to i64 %q = lms.read %mm[%j] %z3 = lms.zeros %q scf.yield %z3 : !lms.arr } else { %z4 = lms.zeros %n scf.yield %z4 : !lms.arr } %p = lms.plus %z2, %z2 scf.yield %p : !lms.arr",
		"%z2 = scf.if %c -> (!lms.arr) { %z3 = lms.zeros %k5 scf.yield %z3 : !lms.arr } else { %z4 = lms.zeros %n scf.yield %z4 : !lms.arr } scf.yield %z2 : !lms.arr",
	} {
		g := graph(t, memtest.Context(lms.Dialect), strings.Replace(one, "INNER", inner, 1), "canonicalize")
		low := lowered(t, lowered(t, g, "lower{to=lms.vectors}"), "lower{to=lms.arrays}")
		if s := memtest.Text(low); strings.Contains(s, "lms.len") {
			t.Errorf("a length is not known:\n%s", s)
		}
		for _, in := range inputs() {
			if got, want := memtest.Outcome(t, low, "f", vals(in)...), memtest.Outcome(t, g, "f", vals(in)...); got != want {
				t.Errorf("%s: shows %q, wanted %q", inner, got, want)
			}
		}
	}
}

// Case 8.2 with a mutable operand: it is read when it is added, not when the
// phase runs.
func TestLoweringReadsInPlace(t *testing.T) {
	g := graph(t, memtest.Context(lms.Dialect), `%a = lms.newmut %k3 lms.write %a[%k0], %x %b = lms.plus %a, %a lms.write %a[%k0], %y %j = arith.extui %c : i1 to i64 %r = lms.read %b[%j] lms.print %r
  %s = lms.read %a[%j] lms.print %s`, "canonicalize")
	low := lowered(t, g, "lower{to=lms.arrays}")
	if got, want := tree(low), "newmut write arr{read addi} write extui read print read print"; got != want {
		t.Errorf("got\n  %s\nwanted\n  %s", got, want)
	}
	if got := memtest.Outcome(t, low, "f", vals([]int64{4, 9, 0, 0})...); got != "8\n9\n" {
		t.Errorf("shows %q", got)
	}
}

// Every pass keeps what every case shows.
func TestCasesThroughEveryPass(t *testing.T) {
	for _, k := range append(append(append(append([]testCase{}, cases...), loopCases...), branchCases...), aliasCases...) {
		c := memtest.Context(lms.Dialect, poly.Dialect)
		written := memtest.Parse(t, c, head+k.src+"\n  return }", text.Options{Verbatim: true})
		var wants []string
		for _, in := range inputs() {
			wants = append(wants, memtest.Outcome(t, written, "f", vals(in)...))
		}
		for _, info := range passes.All() {
			if slices.Contains([]string{"print-op-stats", "rewrite", "differentiate"}, info.Name) { // which has no rules of its own, and which wants floats
				continue
			}
			g := graph(t, c, k.src, info.Name)
			for i, in := range inputs() {
				if got, want := memtest.Outcome(t, g, "f", vals(in)...), wants[i]; got != want && !strings.Contains(want, "trap") {
					t.Errorf("%s: %s: @f%v shows %q, wanted %q\n%s", k.id, info.Name, in, got, want, memtest.Text(g))
				}
			}
		}
	}
}
