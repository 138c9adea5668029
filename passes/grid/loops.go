package grid

import (
	"fmt"
	"slices"
	"sync"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/grid/kernel"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// LoopPass makes kernels of loops over collections.
type LoopPass struct {
	Blocks int `opt:"blocks" doc:"most blocks that share the rounds of a loop: threads go along in steps"`
}

// LoopInfo is the row of the pass.
var LoopInfo = &pass.Info{
	Name: "loop-to-device",
	Doc: "Makes kernels of data-parallel loops over arrays of numbers (loop.for), and launches them: of collect, reduce and scan, and of bucket by integer keys with reductions of groups; a round may emit nothing. Sums and products of floats, and what combines by a region, say reassoc. " +
		"Threads take neighbouring elements in vectors; warps combine by shuffles, blocks in shared memory, and one block what all have, in an order that the number of rounds alone decides; of groups, their keys do too. " +
		"Memory of the device is in space 1; arrays move there before the first kernel that reads them, and what kernels compute moves back if the host uses it. " +
		"A remark says of the other loops why they stay on the host.",
	Why: "After loops are fused, and before arrays become memory: an array does not change, so it moves once.",
	Example: `func.func @f(%x: !loop.array<f32>, %a: f32) -> f32 {
  %n = loop.len %x : !loop.array<f32>
  %s = loop.for %i < %n -> reduce(add reassoc : f32) {
    %v = loop.at %x[%i] : !loop.array<f32>
    %w = arith.mulf %v, %a : f32
    loop.yield %w : f32
  }
  return %s : f32
}
`,
	Scope: pass.Modules,
	Statistics: []pass.Statistic{
		{Name: "kernels", Doc: "kernels made"},
		{Name: "loops", Doc: "loops that kernels run"},
		{Name: "left", Doc: "loops that stay on the host"},
	},
	New: func() pass.Pass { return &LoopPass{Blocks: 1024} },
}

// Check refuses grids that no device has.
func (p *LoopPass) Check() error {
	if p.Blocks < 1 || p.Blocks > 65535 {
		return fmt.Errorf("blocks=%d is not between 1 and 65535", p.Blocks)
	}
	return nil
}

// A gridLoop is a loop that kernels run.
type gridLoop struct {
	n      ir.Node
	body   *body
	list   []loop.Generator
	given  [][]ir.Value // to each generator
	direct []ir.Value   // arrays of which every round reads the element of its number
	w      int          // neighbours that a thread takes at once
	round  string       // names of the kernels
	finish string
	more   map[int]loopKernels // by generator
	// how generators combine, and what buckets make of groups
	operators map[int]operator
	inner     map[int][]operator
}

// loopKernels are names of what comes after the rounds for a generator.
type loopKernels struct {
	scan    scanKernels
	keep    string // of what is filtered
	counted counted
	bucket  bucketKernels
}

// says is what they do, for people; behind the kind of the generator.
func (k loopKernels) says() (out []string) {
	say := func(format string, names ...any) { out = append(out, fmt.Sprintf(format, names...)) }
	if k.scan[0] != "" {
		say("goes on by tiles of %d with @%s, @%s and @%s", scanTile, k.scan[0], k.scan[1], k.scan[2])
	}
	if k.keep != "" {
		say("has its tuples counted by @%s, @%s, @%s and @%s, and moved to their places by @%s", k.counted.scan[0], k.counted.scan[1], k.counted.scan[2], k.counted.last, k.keep)
	}
	if b := k.bucket; b.groups != "" {
		say("finds groups by a table with @%s and @%s, and keys with @%s, which combines by atomics what these do", b.places, b.heads, b.groups)
		if s := b.sorted; s.ends != "" {
			say("sorts rounds by groups, a bit of their numbers at a time, with @%s, @%s and @%s, and combines what atomics do not by a scan, with @%s, @%s, @%s, @%s and @%s", s.numbers, s.bit, s.split, s.gather, s.scan[0], s.scan[1], s.scan[2], s.ends)
		}
	}
	return out
}

// isFiltered reports a generator that some rounds give nothing.
func (l *gridLoop) isFiltered(i int) bool { return loop.EmitsIn(l.n.Graph(), l.given[i]) }

// written are the types of what rounds write down for a generator, with flags last if some give nothing.
func (l *gridLoop) written(i int) (out []ir.Type) {
	if l.list[i].Kind == loop.ReduceKind {
		return nil
	}
	if out = l.list[i].Tuple(); l.isFiltered(i) {
		out = append(out, ir.Index)
	}
	return out
}

// loopMaker works on one scope of symbols.
type loopMaker struct {
	*maker
	loops  map[ir.Node]*gridLoop
	inside map[ir.Node]bool // ops that kernels run in their stead
	most   int64            // blocks
}

// Run works on every function.
func (p *LoopPass) Run(ctx *pass.Context, g *ir.Graph) (*ir.Graph, error) {
	m := &loopMaker{maker: newMaker(ctx), loops: map[ir.Node]*gridLoop{}, inside: map[ir.Node]bool{}, most: int64(p.Blocks)}
	m.functions(g, m.function)
	if len(m.loops) == 0 {
		return g, nil
	}
	var hosts sync.Map // by builder: several functions are rebuilt at once
	rules := ir.Rules{funcs.Func: m.define, loop.For: func(x *ir.Mirror, n ir.Node) ir.Value {
		l := m.loops[n]
		if l == nil {
			return 0
		}
		h, _ := hosts.LoadOrStore(x.B, &loopHost{newHost(m.maker), m.inside, m.most})
		return h.(*loopHost).launch(x, l)
	}}
	return ir.Rewrite(g.Ctx, ir.ScheduleOf(g), rules, nil), nil
}

// function finds the outermost loops of a function.
func (m *loopMaker) function(f ir.Node) {
	g := f.Children()[0]
	s := ir.ScheduleOf(g)
	var visit func(r ir.Region)
	visit = func(r ir.Region) {
		for _, v := range s.Body(r) {
			n := g.NodeOf(v)
			if n.Def() == loop.For {
				l, why := loopOf(s, n)
				if l == nil {
					m.ctx.Count("left", 1)
					m.ctx.Remark("in @%s %s stays on the host: it %s", symbols.Of(f), m.ctx.What(g, v), why)
					continue
				}
				m.take(f, s, l)
				continue
			}
			for _, in := range g.Regions(v) {
				visit(in)
			}
		}
	}
	visit(ir.Root)
}

// take makes the kernels of a loop.
func (m *loopMaker) take(f ir.Node, s *ir.Schedule, l *gridLoop) {
	c, name := f.Graph().Ctx, symbols.Of(f)
	m.loops[l.n] = l
	var within func(r ir.Region)
	within = func(r ir.Region) {
		for _, v := range s.Body(r) {
			m.inside[l.n.Graph().NodeOf(v)] = true
			for _, in := range l.n.Graph().Regions(v) {
				within(in)
			}
		}
	}
	within(l.n.Region(0).Old())
	add := func(what string, body *ir.Graph) string { return m.add(f, name+"_"+what, body, blockThreads, 2) }
	l.round = add("loop", l.kernel(c))
	if len(l.reduction().types) > 0 {
		l.finish = add("finish", l.finishKernel(c))
	}
	what := fmt.Sprintf("in @%s %s", name, m.ctx.What(l.n.Graph(), l.n.Old()))
	m.ctx.Count("loops", 1)
	m.ctx.Remark("%s is a launch of @%s: %d neighbours by a thread, %d threads a block, at most %d blocks", what, l.round, l.w, blockThreads, m.most)
	if l.finish != "" {
		m.ctx.Remark("%s: what blocks have of reductions, one block of @%s combines", what, l.finish)
	}
	for i, x := range l.list {
		l.more[i] = l.after(i, add)
		for _, s := range l.more[i].says() {
			m.ctx.Remark("%s: %s %s", what, x.Kind, s)
		}
	}
}

// after makes the kernels that come after the rounds for generator i.
func (l *gridLoop) after(i int, add func(what string, body *ir.Graph) string) (k loopKernels) {
	c, x, isFiltered := l.n.Graph().Ctx, l.list[i], l.isFiltered(i)
	if x.Kind == loop.ScanKind {
		k.scan = newScan(add, c, l.operators[i])
	}
	switch {
	case x.Kind == loop.ReduceKind:
	case x.Kind == loop.BucketKind:
		k.counted = newCounted(add, c)
		k.bucket = newBucketKernels(add, c, l.grouping(i))
	case isFiltered:
		k.counted = newCounted(add, c)
		k.keep = add("keep", keepKernel(c, x.Types))
	}
	return k
}

// loopOf looks at a loop; why kernels do not run it completes "stays on the host: it".
func loopOf(s *ir.Schedule, n ir.Node) (*gridLoop, string) {
	g := n.Graph()
	l := &gridLoop{n: n, list: loop.Generators(n), more: map[int]loopKernels{}, operators: map[int]operator{}, inner: map[int][]operator{}}
	l.given = loop.Split(g, l.list, g.Yields(n.Region(0).Old()))
	for i, x := range l.list {
		if why := canGenerate(g.Ctx, x); why != "" {
			return nil, why
		}
		if loop.EmitsIn(g, l.given[i]) && !loop.AtMostOne(g, l.given[i][0]) {
			return nil, "may emit more than one tuple in a round"
		}
	}
	b, why := bodyOf(s, n.Region(0), isReplaced)
	if why != "" {
		return nil, why
	}
	l.body = b
	if why := l.combine(s); why != "" {
		return nil, why
	}
	for _, v := range b.free {
		if elem, ok := loop.ElemOf(g.Ctx, g.Type(v)); !isScalar(g.Ctx, g.Type(v)) && (!ok || !isScalar(g.Ctx, elem)) {
			return nil, "uses a value from outside that is neither a number nor an array of numbers"
		}
	}
	l.directly(s)
	return l, ""
}

// canGenerate says what kernels have against a generator.
func canGenerate(c *ir.Context, x loop.Generator) string {
	switch x.Kind {
	case loop.CollectKind:
	case loop.BucketKind:
		return canGroup(c, x)
	case loop.ReduceKind, loop.ScanKind:
		if why := canCombine(c, x); why != "" {
			return why
		}
	default:
		return "has a generator that kernels do not have: " + x.Kind.String()
	}
	for _, t := range x.Types {
		if !isScalar(c, t) {
			return "makes other than numbers"
		}
	}
	return ""
}

// canCombine says what kernels have against the way in which a generator combines.
func canCombine(c *ir.Context, x loop.Generator) string {
	if x.IsRegional() && !x.Reassoc {
		return "combines by a region in order: reassoc says that this may be another one"
	}
	for _, t := range x.Types {
		if c.IsFloat(t) && !x.Reassoc && (x.By == loop.ByAdd || x.By == loop.ByMul) {
			return "sums up floats in order: reassoc allows another one"
		}
		if w := c.Info(t).Width; t != ir.Index && w != 32 && w != 64 {
			return "combines numbers that shuffles do not pass: those of 32 and 64 bits they do"
		}
	}
	return ""
}

// isReplaced reports ops on arrays that kernels have other ops for: elements, lengths, and reductions within a round.
func isReplaced(n ir.Node) bool {
	g := n.Graph()
	switch n.Def() {
	case loop.At:
		elem, ok := loop.ElemOf(g.Ctx, n.Arg(0).Type())
		return ok && !loop.IsString(g.Ctx, n.Arg(0).Type()) && isScalar(g.Ctx, elem)
	case loop.Len, loop.Emit, loop.None:
		return true
	case loop.For:
		list := loop.Generators(n)
		for i, x := range list {
			if x.Kind != loop.ReduceKind || x.IsRegional() || loop.EmitsIn(g, loop.Split(g, list, g.Yields(n.Region(0).Old()))[i]) {
				return false
			}
		}
		return true
	}
	return false
}

// directly finds the arrays that rounds read at their number, whatever happens in them, and how many neighbours are a vector of
// the widest elements of these and of what is collected.
func (l *gridLoop) directly(s *ir.Schedule) {
	g := l.n.Graph()
	i := l.n.Region(0).Params()[0].Old()
	widest := 1
	for _, v := range s.Body(l.n.Region(0).Old()) {
		n := g.NodeOf(v)
		if n.Def() != loop.At || n.Arg(1).Old() != i || !slices.Contains(l.body.free, n.Arg(0).Old()) {
			continue
		}
		if !slices.Contains(l.direct, n.Arg(0).Old()) {
			l.direct = append(l.direct, n.Arg(0).Old())
		}
		widest = max(widest, g.Ctx.ElemSize(n.Type()))
	}
	for i := range l.list {
		for _, t := range l.written(i) {
			widest = max(widest, g.Ctx.ElemSize(t))
		}
	}
	l.w = min(4, kernel.VectorBytes/widest)
	// Neighbours gain only where their elements are read as vectors.
	if len(l.direct) == 0 {
		l.w = 1
	}
}

// reduction is the operator of all reductions.
func (l *gridLoop) reduction() operator {
	var list []operator
	for i, x := range l.list {
		if x.Kind == loop.ReduceKind {
			list = append(list, l.operators[i])
		}
	}
	return together(list...)
}

// combine finds how generators combine.
func (l *gridLoop) combine(s *ir.Schedule) (why string) {
	regions, ids := 0, l.n.Args()[1:]
	of := func(x loop.Generator) (o operator) {
		if why != "" || !x.IsRegional() {
			return named(x)
		}
		regions++
		mine := ids[:len(x.Types)]
		ids = ids[len(mine):]
		o, why = regionalOf(s, x, l.n.Region(regions), mine)
		return o
	}
	for i, x := range l.list {
		switch x.Kind {
		case loop.ReduceKind, loop.ScanKind:
			l.operators[i] = of(x)
		case loop.BucketKind:
			for _, in := range x.Inner {
				l.inner[i] = append(l.inner[i], of(in))
			}
		}
	}
	return why
}

// regionalOf is the operator of a generator that combines by a region.
func regionalOf(s *ir.Schedule, x loop.Generator, r ir.Block, identities []ir.Node) (o operator, why string) {
	var ids []ir.Value
	for _, n := range identities {
		if _, ok := s.Graph().Const(n.Old()); !ok {
			return o, "combines by a region, and begins with what is no constant"
		}
		ids = append(ids, n.Old())
	}
	b, why := bodyOf(s, r, nil)
	switch {
	case why != "":
		return o, why
	case len(b.free) > 0:
		return o, "combines by a region that uses values from outside"
	}
	o = regional(x, b, ids)
	// try is a kernel that nobody runs: folding shows whether identities combine to themselves.
	try := newBuilder(s.Graph().Ctx) // identities stand between any tuples
	own := o.identity(try)
	for k, v := range o.combine(try, own, own) {
		if _, ok := try.Graph().Const(v); ok && v != own[k] {
			return o, "combines by a region, and begins with what is no identity of it: with itself it gives something else"
		}
	}
	return o, ""
}
