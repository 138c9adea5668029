package saturate

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// bodyOf is the graph of the first function of a text that has a body.
func bodyOf(t *testing.T, c *ir.Context, src string) *ir.Graph {
	t.Helper()
	m, list := text.Parse(c, diag.NewSource("t.mlir", src), text.Options{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var find func(g *ir.Graph) *ir.Graph
	find = func(g *ir.Graph) *ir.Graph {
		if g.IsLeaf() && len(ir.ScheduleOf(g).Body(ir.Root)) > 0 {
			return g
		}
		for v := range ir.ScheduleOf(g).All() {
			for _, child := range g.Children(v) {
				if f := find(child); f != nil {
					return f
				}
			}
		}
		return nil
	}
	g := find(m)
	if g == nil {
		t.Fatal("there is no function")
	}
	return g
}

// A rule that drops what may be poison is an arrow: the left side may become the right one, and never the other way. Of
// operands that are never poison the sides are one class.
func TestArrows(t *testing.T) {
	for _, c := range []struct {
		src   string
		equal bool
	}{
		{"func.func private @f(%x: i32, %y: i32) -> i32 { %a = arith.xori %x, %y : i32 %b = arith.xori %a, %y : i32 return %b : i32 }", false},
		{"func.func @f(%x: i32, %y: i32) -> i32 { %a = arith.xori %x, %y : i32 %b = arith.xori %a, %y : i32 return %b : i32 }", true},
		// A promise not to wrap is poison where it is broken, of any operands.
		{"func.func @f(%x: i32, %y: i32) -> i32 { %0 = arith.constant 0 : i32 %n = arith.subi %0, %y overflow<nsw> : i32 %b = arith.addi %x, %n : i32 return %b : i32 }", false},
		{"func.func private @f(%x: i32, %y: i32) -> i32 { %0 = arith.constant 0 : i32 %n = arith.subi %0, %y : i32 %b = arith.addi %x, %n : i32 return %b : i32 }", true},
		// Flags of floats let a number stand for another.
		{"func.func @f(%x: f64, %y: f64) -> f64 { %a = arith.addf %x, %y fastmath<reassoc,nsz> : f64 %b = arith.subf %a, %x fastmath<reassoc,nsz> : f64 return %b : f64 }", false},
	} {
		ctx := ir.NewContext(dialects.All...)
		g := bodyOf(t, ctx, c.src)
		p := &Saturate{Rules: []string{setFolds, setArith, setFloat}, Nodes: 100, Iterations: 3}
		x := newRegion(ir.ScheduleOf(g), ir.Root, p.Nodes)
		if x == nil {
			t.Fatalf("it folds: %s", c.src)
		}
		x.saturate(p.rules(ctx), p.Nodes, p.Iterations)
		at := x.find(x.originals[len(x.originals)-1].of)
		right := x.right(at)
		if right < 0 {
			t.Fatalf("the right side is not found:\n%s", c.src)
		}
		if (right == at) != c.equal {
			t.Errorf("in one class: %v\n%s", right == at, c.src)
		}
		if !c.equal && (!slices.Contains(x.reach(at), right) || slices.Contains(x.reach(right), at)) {
			t.Errorf("the arrows are wrong:\n%s", c.src)
		}
	}
}

// right is the class of the right side that a class reaches: a leaf, or a difference of leaves.
func (x *region) right(at class) class {
	isLeaf := func(c class) bool {
		return slices.ContainsFunc(x.classes[x.find(c)].nodes, func(n node) bool { return n.leaf != 0 })
	}
	for _, c := range x.reach(at) {
		if isLeaf(c) || slices.ContainsFunc(x.classes[c].nodes, func(n node) bool {
			return n.def == arith.Subi && isLeaf(n.args[0]) && isLeaf(n.args[1])
		}) {
			return c
		}
	}
	return -1
}

// Each law of floats holds of positive numbers, up to rounding: by what ops mean, without flags.
func TestFloatLaws(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, r := range rewritings(floatRules()) {
		for range 20 {
			var args [mostVars]float64
			for i := range args {
				args[i] = 0.5 + 2*rnd.Float64()
			}
			l, rt := evaluate(t, ctx, r, root(r), args), evaluate(t, ctx, r, r.Is.To, args)
			if math.Abs(l-rt) > 1e-9*math.Max(1, math.Abs(l)) {
				t.Fatalf("%s: %v gives %v and %v", r.Rule, args, l, rt)
			}
		}
		if !r.licensed {
			t.Errorf("%s asks for no flags", r.Rule)
		}
	}
}

// evaluate is what a term gives of some numbers: its constants fold.
func evaluate(t *testing.T, c *ir.Context, r *rewriting, term *ir.Term, args [mostVars]float64) float64 {
	b := ir.NewBuilder(c)
	var build func(*ir.Term) ir.Value
	build = func(x *ir.Term) ir.Value {
		switch {
		case x.Var > 0:
			return b.Const(ir.F64, ir.FloatVal(args[x.Var], ir.F64))
		case x.Def == nil && x.Args == nil:
			bits, _ := x.Is(ir.F64, 64, nil)
			return b.Splat(ir.F64, bits)
		}
		var in []ir.Value
		for _, a := range x.Args {
			in = append(in, build(a))
		}
		return b.Op(x.Def, in...)
	}
	v := build(term)
	n, ok := b.Graph().Number(v)
	if !ok {
		t.Fatalf("%s does not fold", r.Rule)
	}
	b.Op(funcs.Return, v)
	b.Finish()
	return ir.BitsToFloat(n, ir.F64)
}

// A region with more forms than the budget ends within it, and gives the same each time.
func TestBudget(t *testing.T) {
	ctx := ir.NewContext(dialects.All...)
	b := ir.NewBuilder(ctx)
	sum := b.Param(ir.I32)
	for range 30 {
		sum = b.Op(arith.Addi, b.Op(arith.Muli, sum, b.Param(ir.I32)), b.Param(ir.I32))
	}
	b.Op(funcs.Return, sum)
	g := b.Finish()
	for _, nodes := range []int{1, 100, 1000} {
		var first string
		for range 2 {
			p := &Saturate{Rules: []string{setArith, setAssocComm}, Nodes: nodes, Iterations: 100}
			x := newRegion(ir.ScheduleOf(g), ir.Root, 1000)
			rounds, spent := x.saturate(p.rules(ctx), nodes, p.Iterations)
			if most := nodes + len(x.originals)*2 + 8; x.nodes > most || !spent || rounds > 100 {
				t.Errorf("a budget of %d: %d terms in %d iterations", nodes, x.nodes, rounds)
			}
			n := p.graph(&pass.Context{Context: context.Background()}, g, p.rules(ctx), weightsOf(3))
			if s := text.String(n, text.PrintOptions{Generic: true}); first == "" {
				first = s
			} else if s != first {
				t.Error("the pass makes another program the second time")
			}
		}
	}
}

// Of two equal values the later one may need a load that comes behind the first: that is not made of it, however cheap.
func TestReady(t *testing.T) {
	g := bodyOf(t, ir.NewContext(dialects.All...), `func.func @f(%m: memref<i32>, %x: i32) -> (i32, i32) {
  %a = memref.load %m[] : memref<i32>
  %v = arith.muli %a, %x : i32
  memref.store %v, %m[] : memref<i32>
  call @g() : () -> ()
  %b = memref.load %m[] : memref<i32>
  %w = arith.addi %b, %x : i32
  return %v, %w : i32, i32
}
func.func private @g()`)
	x := newRegion(ir.ScheduleOf(g), ir.Root, 100)
	if len(x.originals) != 2 {
		t.Fatalf("%d ops", len(x.originals))
	}
	x.merge(x.originals[0].of, x.originals[1].of)
	x.rebuild()
	weigh := func(d *ir.OpDef) float64 { return map[*ir.OpDef]float64{arith.Muli: 9, arith.Addi: 1}[d] }
	if p, _, _ := x.extract(weigh, 1); p.best[x.find(x.originals[0].of)].node.def != arith.Muli {
		t.Error("the first value is made of a load behind it")
	}
}
