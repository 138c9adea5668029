package scf

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

var folds = []ir.Fold{
	{Of: If, Rule: "if true {A} else {B} = A", Do: ifConstant},
	{Of: If, Rule: "if !c {A} else {B} = if c {B} else {A}", Do: ifNot},
	{Of: If, Rule: "what both branches of an if yield needs no if", Do: ifSame},
	{Of: If, Rule: "results of an if that both branches give the same are one", Do: ifTwice},
	{Of: If, Rule: "if c {true} else {false} = c", Do: ifTrueFalse},
	{Of: If, Rule: "an if that only chooses is a select", Do: ifSelect},
	{Of: IndexSwitch, Rule: "index_switch on a constant = its case", Do: switchConstant},
	{Of: ExecuteRegion, Rule: "execute_region = its body", Do: executeBody},
	{Of: For, Rule: "a loop that never runs gives its initial values", Do: forNever},
	{Of: For, Rule: "a loop that runs once = its body", Do: forOnce},
	{Of: For, Rule: "a carried value that a loop does not change is its initial value", Do: forInvariant},
	{Of: Parallel, Rule: "a parallel loop with a step that is not positive = a trap", Do: parallelUndefined},
	{Of: While, Rule: "while false = its first region, once", Do: whileNever},
	{Of: While, Rule: "a carried value that a while does not change is its initial value", Do: whileInvariant},
	{Of: While, Rule: "what a while passes on from outside needs no while", Do: whileOuter},
}

func ifConstant(b *ir.Builder, c *ir.Call) ir.Value {
	v, ok := c.Const(0)
	if !ok || v.Ref != nil {
		return 0
	}
	if v.Bool() {
		return b.Pack(b.Splice(c.Regions[0], nil)...)
	}
	return b.Pack(b.Splice(c.Regions[1], nil)...)
}

// ifNot turns a negated condition round.
func ifNot(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if g.Def(c.Args[0]) != arith.Xori || !g.HasBlock(c.Regions[1]) {
		return 0
	}
	x := g.Args(c.Args[0])
	for i := range x {
		if v, ok := g.Const(x[i]); ok && v.Ref == nil && v.Bool() {
			return b.Must(ir.Call{Def: If, Args: []ir.Value{x[1-i]}, Attr: c.Attr, Type: c.Type, Loc: c.Loc,
				Regions: []ir.Region{b.CopyRegion(c.Regions[1], nil), b.CopyRegion(c.Regions[0], nil)}})
		}
	}
	return 0
}

// ifSame drops the results that are one value in both branches.
func ifSame(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if c.Type == ir.Void {
		return 0
	}
	then, els := g.Yields(c.Regions[0]), g.Yields(c.Regions[1])
	var differ []int
	for i := range then {
		if then[i] != els[i] {
			differ = append(differ, i)
		}
	}
	if len(differ) == len(then) {
		return 0
	}
	out := slices.Clone(then)
	n := narrowIf(b, c, differ)
	for k, i := range differ {
		out[i] = b.Result(n, k)
	}
	return b.Pack(out...)
}

// ifTwice drops the results that are an earlier one in both branches.
func ifTwice(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if c.Type == ir.Void {
		return 0
	}
	then, els := g.Yields(c.Regions[0]), g.Yields(c.Regions[1])
	var keep []int
	at := make([]int, len(then)) // of each result, the place of the one that is kept for it
	for i := range then {
		at[i] = slices.IndexFunc(keep, func(k int) bool { return then[k] == then[i] && els[k] == els[i] })
		if at[i] < 0 {
			at[i] = len(keep)
			keep = append(keep, i)
		}
	}
	if len(keep) == len(then) {
		return 0
	}
	n := narrowIf(b, c, keep)
	out := make([]ir.Value, len(then))
	for i, k := range at {
		out[i] = b.Result(n, k)
	}
	return b.Pack(out...)
}

// narrowIf makes an if again with some of its results only.
func narrowIf(b *ir.Builder, c *ir.Call, keep []int) ir.Value {
	var rs []ir.Region
	for _, r := range c.Regions {
		rs = append(rs, b.CopyRegion(r, func(ys []ir.Value) { b.Op(Yield, pick(ys, keep)...) }))
	}
	return b.Must(ir.Call{Def: c.Def, Args: c.Args, Attr: c.Attr, Loc: c.Loc, Regions: rs})
}

func pick(vs []ir.Value, keep []int) []ir.Value {
	return lists.Map(keep, func(k int) ir.Value { return vs[k] })
}

// onlyYields reports a region that does nothing but yield values from outside.
func onlyYields(g *ir.Graph, r ir.Region) bool {
	return g.HasBlock(r) && len(g.Members(r)) == 1 && len(g.Params(r)) == 0
}

func ifTrueFalse(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if c.Type != ir.I1 || !onlyYields(g, c.Regions[0]) || !onlyYields(g, c.Regions[1]) {
		return 0
	}
	x, ok1 := g.Const(g.Yields(c.Regions[0])[0])
	y, ok2 := g.Const(g.Yields(c.Regions[1])[0])
	if ok1 && ok2 && x.Ref == nil && y.Ref == nil && x.Bool() && !y.Bool() {
		return c.Args[0]
	}
	return 0
}

// computed reports a value that is there in any case. A pure op is not: it is
// computed in the branch that needs it, and a select would need both.
func computed(g *ir.Graph, v ir.Value) bool {
	n, _, _ := g.Projection(v)
	_, _, param := g.Param(n)
	return param || g.IsPinned(n) || g.Def(n).Has(ir.ConstantLike)
}

func ifSelect(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	if b.Ctx().DialectOf(arith.Select) == nil || c.Type == ir.Void || !onlyYields(g, c.Regions[0]) || !onlyYields(g, c.Regions[1]) {
		return 0
	}
	x, y := g.Yields(c.Regions[0]), g.Yields(c.Regions[1])
	for i := range x {
		if !computed(g, x[i]) || !computed(g, y[i]) {
			return 0
		}
	}
	out := make([]ir.Value, len(x))
	for i := range x {
		v, err := b.Make(ir.Call{Def: arith.Select, Args: []ir.Value{c.Args[0], x[i], y[i]}, Loc: c.Loc})
		if err != nil {
			return 0
		}
		out[i] = v
	}
	return b.Pack(out...)
}

func switchConstant(b *ir.Builder, c *ir.Call) ir.Value {
	v, ok := c.Const(0)
	cases := b.Ctx().Ints(c.Get("cases"))
	if len(cases) == 0 {
		return b.Pack(b.Splice(c.Regions[0], nil)...)
	}
	if !ok || v.Ref != nil {
		return 0
	}
	i := slices.Index(cases, int64(v.Bits)) + 1
	return b.Pack(b.Splice(c.Regions[i], nil)...)
}

func executeBody(b *ir.Builder, c *ir.Call) ir.Value {
	return b.Pack(b.Splice(c.Regions[0], nil)...)
}
