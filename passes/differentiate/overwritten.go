package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/depend"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/raise"
)

// A read may be done again on the way back where its element has not been written since: memory as a whole may have been. In a
// nest of loops the dependences say so, exactly where bounds and subscripts are affine (to-be-recorded analysis, by elements: Hascoet,
// Naumann and Pascual 2005).

// The most accesses of a nest that are compared, and the work that this may take.
const (
	mostAccesses   = 100
	workOfElements = 2_000_000
)

// elements are the accesses of a nest of loops, to be compared.
type elements struct {
	*raise.Accesses
	tester *depend.Tester
	of     []*depend.Access // made when they are asked for
}

// reread says from where the way back reads a value.
type reread struct {
	memory  ir.Value // of the function's own region
	indices []ir.Value
	initial bool // from a copy of what the memory held before the nest
}

// rereadOf is from where a value can be read that would be recorded: from memory that it was stored to, and that still holds it there. Or,
// of a value that was read before anything in its nest wrote to the element, from a copy of the memory, if this
// is smaller than a record of each round. It is nil if there is no such memory.
func (p *plan) rereadOf(x ref) *reread {
	if r, ok := p.rereads[x]; ok || p.isStacked {
		return r
	}
	r := rereader{p}.find(x)
	if r != nil && (p.regionOfRef(ref{op: r.memory}) != ir.Root || slices.ContainsFunc(r.indices, func(i ir.Value) bool { return !p.isAhead(refOf(p.g, i)) })) {
		r = nil
	}
	p.rereads[x] = r
	return r
}

// rereader finds memory from which values can be read.
type rereader struct{ *plan }

func (p rereader) find(x ref) *reread {
	if _, _, isParam := p.g.Param(x.op); isParam || x.i > 0 {
		return nil
	}
	home := p.regionOf(x.op)
	single := func(v ir.Value) (a ir.Access, ok bool) {
		a, ok = p.single(v)
		return a, ok && a.Memory == p.whole(a.Memory)
	}
	if a, ok := single(x.op); ok && a.Reads && len(a.Indices) < len(p.loopsAround(home)) && p.isInitial(x.op, p.rootOf(a.Memory)) {
		return &reread{a.Memory, a.Indices, true}
	}
	for _, v := range p.uses.Of(x.op) {
		if a, ok := single(v); ok && a.Writes && a.Stored == x.op && p.regionOf(v) == home && !p.isOverwritten(v, p.rootOf(a.Memory)) {
			return &reread{a.Memory, a.Indices, false}
		}
	}
	return nil
}

// isOverwritten reports a read or a write, in a nest that writes to the same memory, of an element that may be written after
// it. Writes behind the nest are to any element.
func (p rereader) isOverwritten(v ir.Value, memory ref) bool {
	if p.isWrittenFrom(memory, p.home[v]+1) {
		return true
	}
	return p.isWritten(v, memory, (*elements).mayFollow)
}

// isInitial reports a read of what the element held before its nest.
func (p rereader) isInitial(v ir.Value, memory ref) bool {
	return !p.isWritten(v, memory, (*elements).mayPrecede)
}

// isWritten asks of all writes to a memory in the nest of an access to it.
func (p rereader) isWritten(v ir.Value, memory ref, may func(x *elements, access, write int) bool) bool {
	home := p.home[v]
	x := p.elementsAt(home)
	if x == nil || p.isWrittenFrom(ref{}, home) {
		return true
	}
	for i, a := range x.List {
		if a.Op != v {
			continue
		}
		for k, b := range x.List {
			if b.Writes && p.rootOf(b.Memory) == memory && may(x, i, k) {
				return true
			}
		}
		return false
	}
	return true
}

// elementsAt are the accesses of a nest of the function's own region, or nil if they are not known.
func (p *plan) elementsAt(home int) *elements {
	if x, ok := p.nests[home]; ok {
		return x
	}
	p.nests[home] = nil
	v := p.s.Body(ir.Root)[home]
	if _, ok := ir.As[ir.LoopLike](p.g.NodeOf(v)); !ok {
		return nil
	}
	acc, err := raise.ReadAccesses(p.s, []ir.Value{v})
	if err != nil || len(acc.List) > mostAccesses {
		return nil
	}
	x := &elements{Accesses: acc, tester: depend.NewTester(acc.Params...), of: make([]*depend.Access, len(acc.List))}
	x.tester.Total = presburger.NewBudget(workOfElements)
	_ = x.tester.Assume(acc.Known) // more than one conjunction says nothing
	p.nests[home] = x
	return x
}

// mayFollow reports that a write may be after an access, of the same element.
func (x *elements) mayFollow(access, write int) bool { return x.inOrder(access, write) }

// mayPrecede reports that one may be before it.
func (x *elements) mayPrecede(access, write int) bool { return x.inOrder(write, access) }

// inOrder reports two accesses that may be of one element, in this order.
func (x *elements) inOrder(first, second int) bool {
	d, ok := x.compare(first, second)
	// Within an iteration the one that stands behind comes after.
	return !ok || d.Forward(x.List[first].Time < x.List[second].Time).Exists()
}

// mayBeCarried reports two that may be of one element in different rounds of a loop around both.
func (x *elements) mayBeCarried(first, second, level int) bool {
	d, ok := x.compare(first, second)
	return !ok || d.Carries(level)
}

// compare finds in which iterations two are of one element; ok is false where that is not known.
func (x *elements) compare(first, second int) (d depend.Dependence, ok bool) {
	a, b := x.List[first], x.List[second]
	if a.Memory != b.Memory || a.Whole || b.Whole {
		return d, false
	}
	common := 0
	for common < min(len(a.Loops), len(b.Loops)) && a.Loops[common] == b.Loops[common] {
		common++
	}
	from, to := x.access(first), x.access(second)
	if from == nil || to == nil {
		return d, false
	}
	d, err := x.tester.Test(from, to, common)
	return d, err == nil
}

// access prepares an access for the tester, or is nil where that is too much.
func (x *elements) access(i int) *depend.Access {
	if x.of[i] == nil {
		x.of[i], _ = x.tester.Access(x.List[i].Domain, x.List[i].Element)
	}
	return x.of[i]
}
