package loops

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
)

// UpliftWhile makes a for of a while that counts.
type UpliftWhile struct{}

// UpliftInfo is the row of the pass.
var UpliftInfo = &pass.Info{
	Name: "uplift-while",
	Doc: "Makes an scf.for of an scf.while that counts up by 1 in each iteration a number that it carries. The loop runs as long as that is less, with its sign, than one that " +
		"the loop does not change. What else it carries is iteration arguments.",
	Why: "After mem2reg and licm, which show what a loop carries and take the bound out of it; before all passes that know scf.for alone: staged functions, C and blocks of MLIR come in with whiles.",
	Example: `func.func @f(%x: memref<?xf64>, %n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %c = arith.constant 1.0 : f64
  %r = scf.while (%i = %zero) : (i64) -> i64 {
    %go = arith.cmpi slt, %i, %n : i64
    scf.condition(%go) %i : i64
  } do {
  ^bb0(%i: i64):
    %k = arith.index_cast %i : i64 to index
    memref.store %c, %x[%k] : memref<?xf64>
    %next = arith.addi %i, %one : i64
    scf.yield %next : i64
  }
  return
}
`,
	Statistics: []pass.Statistic{{Name: "loops", Doc: "loops that count"}},
	New:        func() pass.Pass { return &UpliftWhile{} },
}

// Run rewrites the loops of every function.
func (*UpliftWhile) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	found := map[ir.Node]*counter{}
	for n := range g.All() {
		if n.Def() == scf.While {
			if c, ok := counts(ir.ScheduleOf(n.Graph()), n); ok {
				found[n] = &c
			}
		}
	}
	if len(found) == 0 {
		return g, nil
	}
	ctx.Count("loops", len(found))
	return basic.Rebuild(g, ir.Rules{scf.While: func(m *ir.Mirror, n ir.Node) ir.Value {
		if c := found[n]; c != nil {
			return c.uplift(m, n)
		}
		return 0
	}}), nil
}

// counter is what is known of a while that counts.
type counter struct {
	carried int      // which of what it carries is the number
	upper   ir.Value // that it stays less than
	from    []int    // of what it passes: which of what it carries
}

// counts finds the number that a while counts: its first region compares it and does nothing else.
func counts(s *ir.Schedule, n ir.Node) (c counter, ok bool) {
	g, before, after := n.Graph(), n.Region(0).Old(), n.Region(1).Old()
	cond := g.Yields(before)
	for _, v := range s.Body(before) {
		if v != cond[0] && g.Def(v) != scf.Condition {
			return c, false
		}
	}
	param := func(v ir.Value, of ir.Region) int {
		if r, i, ok := g.Param(v); ok && r == of {
			return i
		}
		return -1
	}
	if len(g.Effs(before)) > 0 || g.Def(cond[0]) != arith.Cmpi {
		return c, false
	}
	args := g.Args(cond[0])
	if t := g.Type(args[0]); t != ir.Index && !narrow(g.Ctx, t) {
		return c, false
	}
	// i < n and n > i are one test; the number comes first in args.
	switch arith.PredicateOfI(g.Ctx, g.AttrsOf(cond[0])) {
	case arith.SLT:
		c.upper = args[1]
	case arith.SGT:
		args, c.upper = []ir.Value{args[1], args[0]}, args[0]
	default:
		return c, false
	}
	if c.carried = param(args[0], before); c.carried < 0 || inside(g, c.upper, before) {
		return c, false
	}
	pass := -1 // which of what the first region passes is the number
	for i, v := range cond[1:] {
		k := param(v, before)
		if k < 0 {
			return c, false
		}
		if k == c.carried {
			pass = i
		}
		c.from = append(c.from, k)
	}
	// The second region has to add 1 to the number, as the first one passed it.
	next := g.Yields(after)[c.carried]
	if g.Def(next) != arith.Addi || pass < 0 {
		return c, false
	}
	sum := g.Args(next)
	one, isConst := g.Const(sum[1])
	at := param(sum[0], after)
	return c, isConst && one.Bits == 1 && at >= 0 && c.from[at] == c.carried
}

// narrow reports an integer that an index holds, with its sign.
func narrow(c *ir.Context, t ir.Type) bool {
	i := c.Info(t)
	return i.Kind == ir.KindInteger && i.Width > 1 && i.Width <= 64
}

// inside reports that a value depends on the parameters of a region, or of one in it.
func inside(g *ir.Graph, v ir.Value, r ir.Region) bool {
	for h := g.Home(v); h != ir.Root; h = g.Parent(h) {
		if h == r {
			return true
		}
	}
	return false
}

// uplift makes the for.
func (c *counter) uplift(m *ir.Mirror, n ir.Node) ir.Value {
	inits, t := m.All(n.Args()), n.Arg(c.carried).Type()
	cast := func(v ir.Value, to ir.Type) ir.Value {
		if t == ir.Index {
			return v
		}
		return arith.Cast(m.B, arith.IndexCast, v, to)
	}
	first, upper := inits[c.carried], m.Of(n.Graph().NodeOf(c.upper))
	types := []ir.Type{ir.Index}
	args := []ir.Value{cast(first, ir.Index), cast(upper, ir.Index), m.B.Index(1)}
	for k, v := range inits {
		if k != c.carried {
			args, types = append(args, v), append(types, m.B.Graph().Type(v))
		}
	}
	// whole puts the number where it is carried.
	whole := func(at ir.Value, rest []ir.Value) []ir.Value {
		out := append([]ir.Value{}, rest[:c.carried]...)
		return append(append(out, at), rest[c.carried:]...)
	}
	passed := func(carried []ir.Value) (out []ir.Value) {
		return lists.Map(c.from, func(k int) ir.Value { return carried[k] })
	}
	r := m.RegionAs(n.Region(1), ir.Loop, types, func(params []ir.Value) {
		m.B.Enter(scf.For, 0, args, 0, params)
		next := m.Body(n.Region(1), passed(whole(cast(params[0], t), params[1:]))...)
		m.Op(scf.Yield, append(append([]ir.Value{}, next[:c.carried]...), next[c.carried+1:]...)...)
	})
	results := m.B.Results(m.B.Must(ir.Call{Def: scf.For, Args: args, Regions: []ir.Region{r}}))
	// A while ends with the bound, which steps of 1 hit, or with the first number if it does not run.
	last := arith.Choose(m.B, arith.CmpI(m.B, arith.SLT, first, upper), upper, first)
	return m.B.Pack(passed(whole(last, results))...)
}
