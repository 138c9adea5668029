package saturate

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/prove"
)

// bothWays are ops that are made often, since rules are of them.
var bothWays = []*ir.OpDef{arith.Addi, arith.Subi, arith.Muli, arith.Andi, arith.Ori, arith.Xori, arith.Addi, arith.Muli, arith.Subi,
	arith.Maxsi, arith.Minsi, arith.Minui, arith.Maxui, arith.Shli, arith.Shrui, arith.Shrsi}

// random makes a function of three integers of w bits, which may be poison: small terms in which the same operands come
// again, with flags, choices and poison among them. Of some rules it has both sides, the left one with flags of its own, so
// that who takes one for the other is found out.
func random(c *ir.Context, rnd *rand.Rand, w int, rules []*rewriting) *ir.Graph {
	b := ir.NewBuilder(c)
	t := c.Int(w)
	nums := []ir.Value{b.Param(t), b.Param(t), b.Param(t)}
	for _, n := range []int64{0, 1, -1, 2} {
		nums = append(nums, b.Const(t, ir.IntVal(n, w)))
	}
	if rnd.IntN(3) == 0 {
		nums = append(nums, ub.Of(b, t))
	}
	var conds []ir.Value
	one := func() ir.Value { return nums[rnd.IntN(len(nums))] }
	var out []ir.Value
	for range 3 + rnd.IntN(7) {
		switch k := rnd.IntN(14); {
		case k >= 10:
			r := rules[rnd.IntN(len(rules))]
			s := &side{Builder: b, of: r.Of, t: t, props: []ir.Attr{predicateOf(c, root(r))}, c: []uint64{2, 2, 2, 2}}
			for v := range s.vars {
				if s.vars[v] = one(); conditional(r, v) {
					s.vars[v] = b.OpAttr(arith.Cmpi, arith.PredicateI(c, arith.ULT), one(), one())
				}
			}
			right := s.term(r.Is.To)
			s.flags = rnd
			left := s.term(root(r))
			for _, v := range []ir.Value{left, right} {
				if v != 0 {
					out = append(out, v)
				}
				if v != 0 && b.Graph().Type(v) == t {
					nums = append(nums, v)
				}
			}
		case k == 0:
			p := arith.CmpIPredicate(rnd.IntN(10))
			conds = append(conds, b.OpAttr(arith.Cmpi, arith.PredicateI(c, p), one(), one()))
		case k == 1 && len(conds) > 0:
			nums = append(nums, b.Op(arith.Select, conds[rnd.IntN(len(conds))], one(), one()))
		default:
			d := bothWays[rnd.IntN(len(bothWays))]
			attr := ir.Attr(0)
			if len(d.Attrs) > 0 {
				attr = arith.OverflowProps(c, arith.Overflow(max(0, rnd.IntN(7)-3)))
			}
			nums = append(nums, b.OpAttr(d, attr, one(), one()))
		}
	}
	b.Op(funcs.Return, append(out, nums[len(nums)-1], nums[len(nums)-2])...)
	return b.Finish()
}

// weightsOf makes any member of a class the cheapest, now and then.
func weightsOf(seed uint64) func(*ir.OpDef) float64 {
	of := map[*ir.OpDef]float64{}
	rnd := rand.New(rand.NewPCG(seed, 7))
	return func(d *ir.OpDef) float64 {
		if of[d] == 0 {
			of[d] = 1 + float64(rnd.IntN(20))
		}
		return of[d]
	}
}

// What the pass makes refines what there was, on all numbers of three bits with poison among them, whatever ops cost: so any
// form that a class holds is taken now and then.
func TestSaturateIsProven(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	p := &Saturate{Rules: []string{setFolds, setArith, setAssocComm}, Nodes: 300, Iterations: 4}
	rules, changed := p.rules(ctx), 0
	laws := append(rewritings(arithRules()), rewritings(assocRules())...)
	for seed := range uint64(1000) {
		g := random(ctx, rand.New(rand.NewPCG(seed, 3)), 1+int(seed%3), laws)
		n := p.graph(&pass.Context{Context: context.Background()}, g, rules, weightsOf(seed))
		if n == g {
			continue
		}
		changed++
		a, err := prove.Refines(context.Background(), prove.Question{Src: prove.Function{Body: g}, Tgt: prove.Function{Body: n}})
		if err != nil {
			t.Fatal(err)
		}
		if a.Counter != nil {
			t.Fatalf("seed %d: %v\n%s=>\n%s", seed, a.Counter, text.String(g, text.PrintOptions{}), text.String(n, text.PrintOptions{}))
		}
	}
	t.Logf("%d functions changed", changed)
	if changed < 300 {
		t.Errorf("only %d functions changed", changed)
	}
}

// A side builds the term of a rule as a function.
type side struct {
	*ir.Builder
	of    *ir.OpDef
	t     ir.Type
	props []ir.Attr
	vars  [mostVars]ir.Value
	c     []uint64
	flags *rand.Rand // what ops that may wrap promise; nil: nothing
}

// conditional reports an operand of a rule that is a condition.
func conditional(r *rewriting, v int) bool {
	yes, _ := isCond(r.Is.From, r.Of, v)
	return yes
}

// isCond finds an operand, and whether it is a condition.
func isCond(t *ir.Term, of *ir.OpDef, v int) (yes, found bool) {
	def := t.Def
	if def == nil {
		def = of
	}
	for i, a := range t.Args {
		if a.Var == v {
			return def == arith.Select && i == 0, true
		}
		if yes, found = isCond(a, of, v); found {
			return yes, true
		}
	}
	return false, false
}

func (s *side) term(t *ir.Term) ir.Value {
	if t.Var > 0 {
		return s.vars[t.Var]
	}
	if t.Def == nil && t.Args == nil {
		w := s.Ctx().Info(s.t).Width
		if t.Var < 0 {
			return s.Const(s.t, ir.IntVal(int64(s.c[-t.Var-1]), w))
		}
		bits, ok := t.Is(s.t, w, s.c)
		if !ok {
			return 0
		}
		return s.Const(s.t, ir.IntVal(int64(bits), w))
	}
	def := t.Def
	if def == nil {
		def = s.of
	}
	var args []ir.Value
	for _, a := range t.Args {
		v := s.term(a)
		if v == 0 {
			return 0
		}
		args = append(args, v)
	}
	attr := ir.Attr(0)
	if def == arith.Cmpi {
		attr = s.props[0]
	} else if s.flags != nil && slices.Contains(def.Attrs, "overflowFlags") {
		attr = arith.OverflowProps(s.Ctx(), arith.Overflow(s.flags.IntN(4)))
	}
	return s.Must(ir.Call{Def: def, Attr: attr, Args: args})
}

// function is a side of a rule at a width, or nil if it has no numbers there.
func function(c *ir.Context, r *rewriting, t *ir.Term, w int, props []ir.Attr, constants []uint64) *ir.Graph {
	s := &side{Builder: ir.NewBuilder(c, ir.Verbatim), of: r.Of, t: c.Int(w), props: props, c: constants}
	var left [mostVars]bool
	vars(r.Is.From, &left)
	for v := range left {
		if left[v] && conditional(r, v) {
			s.vars[v] = s.Param(ir.I1)
		} else if left[v] {
			s.vars[v] = s.Param(s.t)
		}
	}
	v := s.term(t)
	if v == 0 {
		return nil
	}
	s.Op(funcs.Return, v)
	return s.Finish()
}

// root is the left side as an op.
func root(r *rewriting) *ir.Term {
	t := *r.Is.From
	t.Def = r.Of
	return &t
}

// predicateOf finds the predicate of the comparison on the left, by asking.
func predicateOf(c *ir.Context, t *ir.Term) (attr ir.Attr) {
	if t.Props != nil {
		for p := arith.EQ; p <= arith.UGE; p++ {
			if a := arith.PredicateI(c, p); t.Props(c, []ir.Attr{a}) != 0 {
				return a
			}
		}
	}
	for _, a := range t.Args {
		if x := predicateOf(c, a); x != 0 {
			return x
		}
	}
	return 0
}

// Each law of integers holds on all numbers of one to four bits, and so does each that is turned round.
func TestLawsAreProven(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	proven, turned := 0, 0
	list := append(rewritings(arithRules()), rewritings(assocRules())...)
	for _, d := range dialects.All {
		for _, r := range rewritings(d.Folds) {
			if strings.HasSuffix(r.Rule, "turned round") {
				list = append(list, r)
			}
		}
	}
	for _, r := range list {
		cases := 0
		props := []ir.Attr{predicateOf(ctx, root(r))}
		for w := 1; w <= 4; w++ {
			numbers := uint64(1)
			if hasConstant(r.Is.From) {
				numbers = 1 << w
			}
			for n := range numbers {
				c := []uint64{n, 0, 0, 0}
				if r.Is.Where != nil {
					if yes, ok := r.Is.Where.Is(ctx.Int(w), w, c); !ok || yes == 0 {
						continue
					}
				}
				src, tgt := function(ctx, r, root(r), w, props, c), function(ctx, r, r.Is.To, w, props, c)
				if src == nil || tgt == nil {
					continue
				}
				a, err := prove.Refines(context.Background(), prove.Question{Src: prove.Function{Body: src}, Tgt: prove.Function{Body: tgt}})
				if err != nil {
					t.Fatalf("%s: %v", r.Rule, err)
				}
				if a.Counter != nil {
					t.Fatalf("%s is wrong in %d bits: %v", r.Rule, w, a.Counter)
				}
				cases++
			}
		}
		if cases == 0 {
			t.Errorf("%s holds for no number", r.Rule)
		}
		proven++
		if strings.HasSuffix(r.Rule, "turned round") {
			turned++
		}
	}
	t.Logf("%d rules, %d of them turned round", proven, turned)
	if turned < 20 {
		t.Errorf("only %d rules are turned round", turned)
	}
}

func hasConstant(t *ir.Term) bool {
	yes := t.Var < 0
	for _, a := range t.Args {
		yes = yes || hasConstant(a)
	}
	return yes
}
