package differentiate

import (
	"cmp"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/special/opcost"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/digraph"
)

// keep decides how each value that the way back needs is had again, region by region from the innermost: then all is known that
// regions within need of one.
//
// What cannot be done again has to be recorded, or something that is computed of it. So the values of the region between these and those
// needed are a graph, and recorded is what separates the two in the fewest bytes. Of several such cuts the one next to what is
// needed leaves least to do again.
//
// Where a record is short, what is expensive has a price (see price). It is paid for what is done again: a way from a source of that
// capacity to the value, which the same cut goes through (as in project selection: Kleinberg and Tardos 2005, 7.11).
func (p *plan) keep() {
	regions := p.allRegions()
	for i := len(regions) - 1; i >= 0; i-- {
		if len(p.needs[regions[i]]) > 0 {
			p.keepIn(regions[i])
		}
	}
}

// keepIn decides for a region.
func (p *plan) keepIn(r ir.Region) {
	recorded := p.cut(r)
	p.hand[r] = map[ref]way{}
	var have func(x ref)
	have = func(x ref) {
		if home := p.regionOfRef(x); home != r {
			p.want(x)
			return
		}
		if p.hand[r][x] != 0 {
			return
		}
		var args []ir.Value
		switch p.hand[r][x] = p.wayTo(x, recorded); p.hand[r][x] {
		case again:
			args = operandsOf(p, x.op)
		case stored:
			args = p.rereadOf(x).indices
		}
		for _, v := range args {
			have(refOf(p.g, v))
		}
	}
	for _, x := range sorted(p, p.needs[r]) {
		have(x)
	}
}

// wayTo is how a value is had: recorded if it is in the cut.
func (p *plan) wayTo(x ref, cut map[ref]bool) way {
	switch {
	case p.isIndex(x):
		return index
	case p.isRead(x), cut[x] && p.rereadOf(x) != nil:
		return stored
	case cut[x]:
		p.atRounds(p.regionOfRef(x))
		return recorded
	default:
		return again
	}
}

// isRead reports a value that is not done again, and need not be recorded.
func (p *plan) isRead(x ref) bool {
	_, _, isParam := p.g.Param(x.op)
	return !isParam && !p.isRepeatable(x.op) && p.rereadOf(x) != nil
}

// isIndex reports the index of a loop over an interval.
func (p *plan) isIndex(x ref) bool {
	home, _, ok := p.g.Param(x.op)
	return ok && p.loops[home] != nil && slices.Contains(p.loops[home].Indices, x.op)
}

// cut is what of a region is recorded.
func (p *plan) cut(r ir.Region) map[ref]bool {
	var all []ref
	var succs [][]int
	var capacity []int64
	var sources, sinks []int
	number := map[ref]int{}
	varies := shortLoops(p, r)
	var visit func(x ref) int
	visit = func(x ref) int {
		if i, ok := number[x]; ok {
			return i
		}
		i := len(all)
		number[x] = i
		all, succs, capacity = append(all, x), append(succs, nil), append(capacity, p.bytes(x))
		if p.isIndex(x) || p.isRead(x) {
			return i
		}
		if p.rereadOf(x) != nil {
			capacity[i] = 0
		}
		if _, _, ok := p.g.Param(x.op); ok || !p.isRepeatable(x.op) {
			sources = append(sources, i)
			return i
		}
		for _, v := range operandsOf(p, x.op) {
			if y := refOf(p.g, v); p.regionOfRef(y) == r {
				k := visit(y)
				succs[k] = append(succs[k], i)
			}
		}
		if price := price(p.g, x, p.bytes(x)); price > 0 && varies != nil && varies(x) {
			sources = append(sources, len(all))
			all, succs, capacity = append(all, ref{}), append(succs, []int{i}), append(capacity, price)
		}
		return i
	}
	for _, x := range sorted(p, p.needs[r]) {
		sinks = append(sinks, visit(x))
	}
	out := map[ref]bool{}
	if len(sources) == 0 {
		return out
	}
	least, ok := digraph.MinVertexCut(succs, capacity, sources, sinks)
	if !ok {
		i := slices.IndexFunc(sources, func(i int) bool { return capacity[i] == digraph.Endless })
		p.fail(all[sources[i]].op, "is needed in the order backwards, and a value of its type cannot be recorded")
	}
	for _, i := range least {
		if all[i] != (ref{}) {
			out[all[i]] = true
		}
	}
	return out
}

// mostShort is how many numbers a short record has at most: such memory stays in the caches from when it is written until it is read.
const mostShort = 4096

// accessBytes is how much of a record takes the time of an addition to write and to read: a number of 8 bytes takes that of two.
const accessBytes = 4

// price is what it takes to do an op again, as the bytes of a record that take as long. Only functions of math and special have one: reductions
// and maps of other ops record nothing, whatever they compute.
func price(g *ir.Graph, x ref, bytes int64) int64 {
	if cost := opcost.Of(g.Def(x.op)); cost >= opcost.Function {
		return min(accessBytes*int64(cost)*max(bytes/8, 1), digraph.Endless-1)
	}
	return 0
}

// shortLoops reports, of a region whose records are short whatever the arguments are, which values are others in each round of all the loops
// around it. One that is the same in all rounds of a loop leaves it, and a record of it would not. It is nil of other regions.
func shortLoops(p *plan, r ir.Region) (varies func(x ref) bool) {
	if p.uncounted(r) != nil {
		return nil
	}
	around, n := p.loopsAround(r), int64(1)
	for _, l := range around {
		rounds, ok := constantRounds(p.g, l)
		if n = ir.Times(n, rounds); !ok || n > mostShort {
			return nil
		}
	}
	return func(x ref) bool {
		if len(around) == 0 {
			return true
		}
		met, bodies := map[ir.Value]bool{}, map[ir.Region]bool{}
		var visit func(v ir.Value)
		visit = func(v ir.Value) {
			if v = refOf(p.g, v).op; met[v] {
				return
			}
			met[v] = true
			if home, _, ok := p.g.Param(v); ok {
				bodies[home] = true
			}
			for _, a := range p.g.Args(v) {
				visit(a)
			}
		}
		visit(x.op)
		return !slices.ContainsFunc(around, func(l *loop) bool { return !bodies[l.Body] })
	}
}

// constantRounds is how often a loop runs, if its bounds are constants.
func constantRounds(g *ir.Graph, l *loop) (rounds int64, ok bool) {
	var at [3]int64
	for i, x := range []ir.Bound{l.Lower[0], l.Upper[0], l.Step[0]} {
		if at[i] = x.Const; x.Value == 0 {
			continue
		}
		c, ok := g.Const(x.Value)
		if !ok || c.Ref != nil {
			return 0, false
		}
		at[i] = int64(c.Bits)
	}
	if at[2] < 1 || at[1]-at[0] > mostShort*at[2] {
		return 0, false
	}
	return max(0, (at[1]-at[0]+at[2]-1)/at[2]), true
}

// bytes is how long the record of a value is, for each round.
func (p *plan) bytes(x ref) int64 {
	t := x.typeOf(p.g)
	info := p.g.Ctx.Info(t)
	switch info.Kind {
	case ir.KindFloat, ir.KindInteger:
		return int64(p.g.Ctx.ElemSize(t))
	case ir.KindIndex:
		return 8
	case ir.KindVector, ir.KindTensor:
		if info.Kind == ir.KindTensor && !isSized(p.g.Ctx, t) {
			return digraph.Endless
		}
		n, _ := ir.Product(int64(p.g.Ctx.ElemSize(info.Elem)), ir.Elements(info.Shape))
		return min(n, digraph.Endless-1)
	default:
		return digraph.Endless
	}
}

// atRounds is about a region in which something is recorded, in the place of the number of the round. A loop around it that
// has no such number before it runs must be apart.
func (p *plan) atRounds(r ir.Region) {
	if l := p.uncounted(r); l != nil && !p.isStacked && p.more == nil {
		p.more = func() { p.isApart[l.n.Old()] = true }
	}
}

// inOrder lists what is had again in a region.
func (p *plan) inOrder(r ir.Region) []ref { return sorted(p, p.hand[r]) }

// sorted lists values of a region: parameters first, and then in the order of its ops.
func sorted[T any](p *plan, of map[ref]T) []ref {
	at := func(x ref) int {
		if i, ok := p.order[x.op]; ok {
			return i
		}
		return -1
	}
	return slices.SortedFunc(maps.Keys(of), func(x, y ref) int {
		return cmp.Or(at(x)-at(y), int(x.op)-int(y.op), x.i-y.i)
	})
}

// isRepeatable reports an op that gives the same again: one without effects, or a read of memory that nothing writes from
// there on.
func (p *plan) isRepeatable(v ir.Value) bool {
	_, isAccess := p.accesses(p.g.NodeOf(v))
	if _, isNew := ir.As[ir.Allocation](p.g.NodeOf(v)); isNew || p.isStacked && isAccess {
		return !p.isStacked // its contents are those of a snapshot
	}
	if p.isSteady && (stacker{p}).isDecision(v) {
		return false
	}
	if p.callee(p.g.NodeOf(v)) != nil || len(p.g.Regions(v)) > 0 && !p.isMapped(p.g.NodeOf(v)) || p.g.Def(v).Has(ir.Unique) || p.g.Results(v) != 1 {
		return false
	}
	if isLong(p, v) {
		return false
	}
	if access, ok := ir.As[ir.AccessLike](p.g.NodeOf(v)); ok && len(access.Accesses) == 1 && !access.Accesses[0].Writes {
		root := p.rootOf(access.Accesses[0].Memory)
		return p.regionOfRef(root) == ir.Root && (!p.isWrittenFrom(root, p.home[v]) || !rereader{p}.isOverwritten(v, root))
	}
	return !p.g.HasEffect(v)
}

// isLong reports an op on tensors that is not element by element, as a product is: it takes longer than to record what it gives.
func isLong(p *plan, v ir.Value) bool {
	isTensor := func(x ir.Value) bool { return p.g.Ctx.Info(p.g.Type(x)).Kind == ir.KindTensor }
	return isTensor(v) && !p.g.Def(v).Has(ir.Elementwise) && !p.isMapped(p.g.NodeOf(v)) && slices.ContainsFunc(p.g.Args(v), isTensor)
}

// operandsOf are what an op is done again with: of one with a region what that uses from outside, too.
func operandsOf(p *plan, v ir.Value) []ir.Value {
	if p.isMapped(p.g.NodeOf(v)) {
		return slices.Concat(p.g.Args(v), p.free(v, false))
	}
	return p.g.Args(v)
}

// isWrittenFrom reports memory that is written at a place of the function's own region, or behind it.
func (p *plan) isWrittenFrom(memory ref, home int) bool {
	for _, m := range []ref{memory, {}} {
		if last, ok := p.writes[m]; ok && last >= home {
			return true
		}
	}
	return false
}
