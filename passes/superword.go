package passes

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/loops/lanes"
	"github.com/irc-lang/irc/passes/pass"
)

// Superword packs functions of straight-line code into vectors.
type Superword struct {
	Width int `opt:"width" doc:"most lanes; 0 is what a register of the target has"`
}

var superwordInfo = &pass.Info{
	Name: "superword",
	Doc: "Packs several exp or log of numbers in straight-line code into one function of a vector (superword level parallelism, Larsen and Amarasinghe 2000, of functions alone). None of them needs another. Three and more are packed if their arguments are there at once, four and more whatever these wait for: " +
		"the arguments of later ones are computed with those of the first, as far as nothing that is written between them matters. log1p, x log y and x log1p y are logarithms, too; beside others log1p x is log u + (x - (u - 1))/u, where u is 1 + x rounded, which is within 2 ulp of it. " +
		"Functions in a branch behind whose alternative calls a function are taken for straight-line code, and those of other branches fill lanes that are left. Loops stay, as these become vectors otherwise; the outer ones over rows that loop-hints has taken one by one do not. What else is in branches stays too. So do functions that are long without their loops (costs.max_straight): as vectors they take the compiler more time than they save.",
	Why: "After tabulate and unroll, which make straight-line code; before lower-math, which makes arithmetic of functions of vectors and leaves those of numbers to a library.",
	Example: `func.func @f(%a: f64, %b: f64, %c: f64) -> f64 {
  %x = math.log %a : f64
  %y = math.log %b : f64
  %z = math.log %c : f64
  %d = arith.mulf %x, %y : f64
  %e = arith.mulf %d, %z : f64
  return %e : f64
}
`,
	Pipeline:   "superword{width=4}",
	Statistics: []pass.Statistic{{Name: "packed", Doc: "functions that became lanes"}},
	New:        func() pass.Pass { return &Superword{} },
}

// Check refuses widths that are none of a register.
func (p *Superword) Check() error {
	if p.Width < 0 || p.Width > maxLanes || p.Width&(p.Width-1) != 0 {
		return fmt.Errorf("width=%d is no power of 2 up to %d", p.Width, maxLanes)
	}
	return nil
}

const (
	maxLanes = 64 // of numbers of 64 bits: eight of the widest registers there are
	// packWindow is how many ops further a function looks for others: straight-line code may be long.
	packWindow = 512
	// nearSteps is how many ops an argument may be away: all lanes wait for the last one.
	nearSteps = 4
)

// A packable is how a function becomes a lane of a vector.
type packable struct {
	of    *ir.OpDef // of the vector
	arg   int       // the operand that it is of
	plus  bool      // and 1
	times bool      // the first operand is a factor of it
}

// packables are the functions of which a vector may take less time than numbers; see lanes.Pack.
var packables = map[*ir.OpDef]packable{
	math.Exp:        {of: math.Exp},
	math.Log:        {of: math.Log},
	math.Log1p:      {of: math.Log, plus: true},
	special.Xlogy:   {of: math.Log, arg: 1, times: true},
	special.Xlog1py: {of: math.Log, arg: 1, plus: true, times: true},
}

// Run rewrites the straight-line code of every function.
func (p *Superword) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	lanes := p.Width
	if lanes == 0 {
		lanes = min(ctx.Target().Lanes(8), maxLanes)
	}
	found := map[*ir.Graph]*packing{}
	count := 0
	for g := range g.Nested() {
		if straightOps.Of(g) <= ctx.Target().Costs.MaxStraight {
			found[g] = find(g, lanes, ctx.Target().Costs)
			count += len(found[g].in)
		}
	}
	if ctx.Count("packed", count); count == 0 {
		return g, nil
	}
	rules := ir.Rules{}
	for def := range packables {
		rules[def] = func(m *ir.Mirror, n ir.Node) ir.Value { return found[n.Graph()].lane(m, n.Old()) }
	}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// packing finds what of a graph becomes vectors.
type packing struct {
	s       *ir.Schedule
	g       *ir.Graph
	effects func(v ir.Value) []ir.Effect
	lanes   int
	costs   target.Costs
	body    []ir.Value       // of the region that is looked through, with the branches in it
	how     []frequency      // of each op of it
	pos     map[ir.Value]int // in it
	leads   map[ir.Value]*pack
	in      map[ir.Value]*pack
}

// pack is a vector, at the place of its first function; made are its lanes once it is built.
type pack struct {
	ops  []ir.Value
	pos  map[ir.Value]int // of the ops of its region
	at   int
	made []ir.Value
}

// find reads the straight-line code of a graph, from its root region on.
func find(g *ir.Graph, lanes int, costs target.Costs) *packing {
	x := &packing{s: ir.ScheduleOf(g), g: g, effects: g.Effects(), lanes: lanes, costs: costs, leads: map[ir.Value]*pack{}, in: map[ir.Value]*pack{}}
	x.region(ir.Root)
	return x
}

// region looks through straight-line code, and that in loops over rows, which become no vectors themselves.
func (x *packing) region(r ir.Region) {
	x.body, x.how, x.pos = nil, nil, map[ir.Value]int{}
	// Functions whose arguments come soon are packed first, since no lane waits long for another. The
	// others form vectors of more lanes only (see lanes.Pack).
	x.collect(r, always)
	for i, v := range x.body {
		if x.in[v] == nil && x.how[i] == always && x.isNear(v) {
			x.group(v, i, x.isNear, false)
		}
	}
	for i, v := range x.body {
		if x.in[v] == nil && x.how[i] == always && x.isPackable(v) {
			x.group(v, i, x.isPackable, true)
		}
	}
	for _, v := range x.s.Body(r) {
		if x.g.Def(v) == scf.For && apart(x.s, v, x.costs) {
			x.region(x.g.Regions(v)[0])
		}
	}
}

// frequency is whether an op runs.
type frequency uint8

const (
	always  frequency = iota
	usually           // in a branch whose alternative calls a function (Ball and Larus 1993: such a branch is not taken)
	maybe             // in another branch
)

// collect numbers the ops of a region, those of a branch behind it.
func (x *packing) collect(r ir.Region, how frequency) {
	for _, v := range x.s.Body(r) {
		x.pos[v] = len(x.body)
		x.body, x.how = append(x.body, v), append(x.how, how)
		if x.g.Def(v) != scf.If {
			continue
		}
		branches := x.g.Regions(v)
		for i, in := range branches {
			if usual := !x.calls(in) && len(branches) == 2 && x.calls(branches[1-i]); usual {
				x.collect(in, max(how, usually))
			} else {
				x.collect(in, maybe)
			}
		}
	}
}

// calls reports a region with a call directly in it.
func (x *packing) calls(r ir.Region) bool {
	return slices.ContainsFunc(x.s.Body(r), func(v ir.Value) bool { return x.g.Def(v) == funcs.Call })
}

// isPackable reports a function of the table packables, of a number of 64 bits.
func (x *packing) isPackable(v ir.Value) bool {
	return packables[x.g.Def(v)].of != nil && x.g.Type(v) == ir.F64
}

// argument is what a function is of.
func (x *packing) argument(v ir.Value) ir.Value { return x.g.Args(v)[packables[x.g.Def(v)].arg] }

// group finds the functions behind one that can be computed with it. What does not fill a
// vector fills a part of it, which is a power of 2. The arguments of late ones are not there soon: pivots, of which
// each needs the one before, say. Functions that may not run get what is left of that part.
func (x *packing) group(first ir.Value, at int, fits func(ir.Value) bool, late bool) {
	p, known := &pack{ops: []ir.Value{first}, pos: x.pos, at: at}, map[ir.Value]bool{}
	take := func(from, to frequency, most int) {
		for i := at + 1; i < min(len(x.body), at+1+packWindow) && len(p.ops) < most; i++ {
			if v := x.body[i]; from <= x.how[i] && x.how[i] <= to && x.in[v] == nil && fits(v) && x.together(first, v) && x.available(x.argument(v), at, known) {
				p.ops = append(p.ops, v)
			}
		}
	}
	if take(always, usually, x.lanes); !lanes.Pack(len(p.ops), late).Pays() {
		return
	}
	take(maybe, maybe, lanesOf(len(p.ops)))
	x.leads[first] = p
	for _, v := range p.ops {
		x.in[v] = p
	}
}

// together reports functions that one vector can compute.
func (x *packing) together(v, w ir.Value) bool {
	return packables[x.g.Def(v)].of == packables[x.g.Def(w)].of && x.flags(v) == x.flags(w)
}

// flags are the fast-math flags of an op. A vector has one set of them, so its lanes have to agree.
func (x *packing) flags(v ir.Value) arith.FastMath { return arith.FastMathOf(x.g.Ctx, x.g.AttrsOf(v)) }

// lanesOf is the least power of 2 that is not less.
func lanesOf(n int) int { return 1 << bits.Len(uint(n-1)) }

// isNear reports a function of a value that is there soon.
func (x *packing) isNear(v ir.Value) bool {
	return x.isPackable(v) && x.isSoon(x.argument(v), nearSteps)
}

// isSoon reports a value that is read or given, or made of such values by a few cheap ops.
func (x *packing) isSoon(v ir.Value, steps int) bool {
	g := x.g
	if _, _, isParam := g.Param(v); isParam {
		return true
	}
	_, _, isPart := g.Projection(v)
	switch {
	case isPart || steps == 0 || len(g.Regions(v)) > 0 || g.Def(v) == arith.Divf || x.isPackable(v):
		return false
	case g.Def(v) == memref.Load:
		return true
	}
	return !slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return !x.isSoon(a, steps-1) })
}

// available reports a value that is there at a place of the body, or can be made there of what
// is: by pure ops, and reads of what nothing in between writes, but no function that could be in
// a vector itself. known is what this said before of the place.
func (x *packing) available(v ir.Value, at int, known map[ir.Value]bool) bool {
	yes, ok := known[v]
	if !ok {
		yes = x.isEarly(v, at, known)
		known[v] = yes
	}
	return yes
}

// isEarly works out what available remembers. The op at the place itself is never available: what needs it
// cannot be computed with it.
func (x *packing) isEarly(v ir.Value, at int, known map[ir.Value]bool) bool {
	g := x.g
	if n, _, ok := g.Projection(v); ok {
		i, here := x.pos[n]
		return !here || i < at
	}
	i, here := x.pos[v]
	switch {
	case !here || i < at:
		return true
	case i == at || len(g.Regions(v)) > 0 || g.IsPartial(v) || g.IsPinned(v) || x.isPackable(v) || !g.IsPure(v) && !x.readsSame(v, at, i):
		return false
	}
	return !slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return !x.available(a, at, known) })
}

// readsSame reports an op that only reads, and nothing between two places of the body writes
// what.
func (x *packing) readsSame(v ir.Value, from, to int) bool {
	reads := x.effects(v)
	for _, e := range reads {
		if e.Kind != ir.Read {
			return false
		}
	}
	for _, w := range x.body[from:to] {
		for _, e := range x.effects(w) {
			if e.Writes() && slices.ContainsFunc(reads, func(r ir.Effect) bool { return x.g.MayAlias(r.On, e.On) }) {
				return false
			}
		}
	}
	return true
}

// lane is what replaces a function; 0 if it stays.
func (x *packing) lane(m *ir.Mirror, v ir.Value) ir.Value {
	if x == nil || x.in[v] == nil {
		return 0
	}
	p := x.in[v]
	if x.leads[v] == p {
		x.build(m, p)
	}
	if p.made == nil {
		return 0
	}
	y := p.made[slices.Index(p.ops, v)]
	if !packables[x.g.Def(v)].times {
		return y
	}
	// x log y is 0 where x is 0 and y is a number, even if the logarithm is infinite.
	b, zero := m.B, arith.ConstF64(m.B, 0)
	by, of := m.Of(x.g.NodeOf(x.g.Args(v)[0])), m.Of(x.g.NodeOf(x.g.Args(v)[1]))
	none := b.Op(arith.Andi, arith.CmpF(b, arith.OEQ, by, zero), arith.CmpF(b, arith.ORD, of, of))
	return arith.Choose(b, none, zero, arith.MulF(b, by, y))
}

// build makes a vector; lanes without a function have one of 1.
func (x *packing) build(m *ir.Mirror, p *pack) {
	made := map[ir.Value]ir.Value{}
	lanes := lanesOf(len(p.ops))
	args, plus := make([]float64, lanes), 0
	var of []ir.Value
	for i, v := range p.ops {
		of = append(of, x.make(m, p, x.argument(v), made))
		if packables[x.g.Def(v)].plus {
			args[i] = 1
			plus++
		}
	}
	for len(of) < lanes {
		of = append(of, arith.ConstF64(m.B, 1))
	}
	whole := m.B.Must(ir.Call{Def: vector.FromElements, Args: of, Type: m.B.Ctx().Vector([]int64{int64(lanes)}, ir.F64)})
	def, flags := packables[x.g.Def(p.ops[0])].of, x.flags(p.ops[0])
	var y ir.Value
	switch plus {
	case 0:
		y = arith.Float(m.B, def, flags, whole)
	case len(p.ops):
		y = arith.Float(m.B, math.Log1p, flags, whole)
	default:
		y = logsPlus(m.B, whole, args, flags)
	}
	for i := range p.ops {
		p.made = append(p.made, vector.BuildLane(m.B, y, int64(i)))
	}
}

// logsPlus is log(x + one), where one has lanes 0 and 1: that of u, x + one rounded, and what this lost, by u. Of 1 the
// logarithm is what one and u leave of x: 0, or as log1p x is x where 1 + x has no bit of it.
func logsPlus(b *ir.Builder, x ir.Value, one []float64, flags arith.FastMath) ir.Value {
	rest := lists.Map(one, func(c float64) float64 { return 1 - c })
	add, t := vectorOf(b, one), b.Graph().Type(x)
	u := arith.AddF(b, x, add)
	lost := arith.DivF(b, arith.SubF(b, x, arith.SubF(b, u, add)), u)
	lost = arith.Choose(b, arith.CmpF(b, arith.ORD, lost, lost), lost, b.Splat(t, 0)) // of 0 and infinity
	isOne := arith.CmpF(b, arith.OEQ, u, b.Splat(t, ir.FloatToBits(1, ir.F64)))
	return arith.Choose(b, isOne, arith.SubF(b, x, vectorOf(b, rest)), arith.AddF(b, arith.Float(b, math.Log, flags, u), lost))
}

// vectorOf makes a vector of constants, one for each lane.
func vectorOf(b *ir.Builder, xs []float64) ir.Value {
	vs := lists.Map(xs, func(x float64) ir.Value { return arith.ConstF64(b, x) })
	return b.Must(ir.Call{Def: vector.FromElements, Args: vs, Type: b.Ctx().Vector([]int64{int64(len(xs))}, ir.F64)})
}

// make makes a value here that may come later.
func (x *packing) make(m *ir.Mirror, p *pack, v ir.Value, made map[ir.Value]ir.Value) ir.Value {
	if y, ok := made[v]; ok {
		return y
	}
	if c, ok := x.g.Const(v); ok {
		return m.B.Const(x.g.Type(v), c)
	}
	if i, here := p.pos[v]; !here || i < p.at {
		return m.Of(x.g.NodeOf(v))
	}
	// The op is pure, or nothing in between writes what it reads (see available): it gives the same value
	// here.
	call := ir.Call{Def: x.g.Def(v), Attr: x.g.AttrsOf(v), Type: x.g.Type(v)}
	for _, a := range x.g.Args(v) {
		call.Args = append(call.Args, x.make(m, p, a, made))
	}
	made[v] = m.B.Must(call)
	return made[v]
}

// straightOps counts the ops of a graph that stand in no loop, nor in what is called: each call of
// the graph runs them once at most. Constants are none.
var straightOps = ir.NewAnalysis("straight ops", func(g *ir.Graph) (n int) {
	s := ir.ScheduleOf(g)
	var count func(r ir.Region)
	count = func(r ir.Region) {
		for _, v := range s.Body(r) {
			if !g.Def(v).Has(ir.ConstantLike) {
				n++
			}
			for _, in := range g.Regions(v) {
				if k := g.KindOf(in); k != ir.Loop && k != ir.Lambda {
					count(in)
				}
			}
		}
	}
	count(ir.Root)
	return n
})
