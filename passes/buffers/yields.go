package buffers

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

// What is handed on without its owner, by several, and what is no memory.
const (
	borrowed = -1 - iota
	compared
	none
)

// handed is what an op or a region hands on as one value: the memory of an owner that it
// has moved (from >= 0), and with that what there is to give back, or what others own. Where
// a run decides whose memory it is (compared), the claims are tried one after the other.
type handed struct {
	from   int
	flag   flag
	free   *ir.OpDef
	of     []int // owners that go on owning
	at     int   // the place in the list of what is handed on
	value  ir.Value
	claims []claim
	with   []int // earlier values of the same list that may own the memory instead
}

// A claim is an owner that moves into what is handed on, if that is its memory.
type claim struct {
	of      int
	certain bool // it is, if it is no earlier value's
}

// hands finds out what region r gives on as each operand that it ends with. An owner moves
// if the operand certainly is its memory and no other is. If several operands may be, or
// an operand that of several, who it is is found out as the program runs, by addresses. What
// was moved into the region goes back to where it was instead: there it is asked again.
func (a *analysis) hands(r ir.Region, ys []ir.Value) []handed {
	out, own := make([]handed, len(ys)), make([][]int, len(ys))
	wanted := map[int]int{} // how many operands may be the memory of an owner
	for i, y := range ys {
		out[i] = handed{from: none, flag: no, at: i, value: y}
		if !a.body.isMemory(y) {
			continue
		}
		out[i].from = borrowed
		a.hideStart(y)
		for _, o := range a.of(y) {
			switch {
			case !a.owns(r, o):
				out[i].of = append(out[i].of, o)
			case !a.gone[use{r, o}]:
				own[i] = append(own[i], o)
				wanted[o]++
			}
		}
		a.touch(out[i].of)
	}
	// Operands claim in order. Once a certain claim has settled an owner, later operands have none on it.
	taken := map[int][]int{} // by owner: the operands that claim it
	settled := map[int]bool{}
	for i := range ys {
		for _, o := range own[i] {
			x := &a.ledger.owners[o]
			certain := len(own[i]) == 1 && a.body.base(ys[i]) == x.at
			if !certain && !a.body.comparable(ys[i]) {
				a.ledger.keep("a part of it is handed on that does not say where it begins", o)
			}
			if alone := certain && wanted[o] == 1; !alone && x.home != r {
				a.ledger.try(o, a.body.g.Owner(r), false)
			}
			out[i].with = append(out[i].with, taken[o]...)
			if a.gone[use{r, o}] = true; settled[o] || x.kept != "" || x.flag&yes == 0 {
				continue
			}
			out[i].claims = append(out[i].claims, claim{o, certain})
			a.claimed(&out[i], o, certain && len(taken[o]) == 0)
			taken[o], settled[o] = append(taken[o], i), certain
		}
	}
	a.plan.ends[a.body.g.Term(r)] = out
	for _, o := range a.in[r] {
		if len(taken[o]) > 0 && !settled[o] {
			a.plan.rest[a.body.g.Term(r)] = append(a.plan.rest[a.body.g.Term(r)], o)
		}
	}
	return out
}

// claimed notes that a value handed on may own what owner o does: all of it in every run
// if that is certain.
func (a *analysis) claimed(h *handed, o int, certain bool) {
	x := &a.ledger.owners[o]
	switch {
	case certain:
		h.from, h.flag = o, x.flag
	default:
		h.from, h.flag = compared, either
	}
	if h.free == nil {
		h.free = x.free
	}
	if x.free != nil && h.free != x.free {
		a.ledger.keep("what frees it depends on the run", o)
	}
}

// hideStart keeps the owners of memory that is handed on without where it begins: nobody can
// tell by the address whose it is.
func (a *analysis) hideStart(y ir.Value) {
	if a.body.startsElsewhere(y) {
		a.ledger.keep("a part of it is handed on that does not say where it begins", a.of(y)...)
	}
}

// startsElsewhere reports memory of which native code does not know where it begins: a
// memref.view of bytes, and what crosses the border of a function with an offset.
func (b *body) startsElsewhere(v ir.Value) bool {
	for {
		n, _, _ := b.g.Projection(v)
		view, ok := ir.As[ir.ViewLike](b.g.NodeOf(n))
		switch {
		case b.g.Def(n) == memref.View:
			return true
		case ok:
			v = view.Source
		default:
			_, isCall := ir.As[ir.CallLike](b.g.NodeOf(n))
			return isCall && !b.freeable(v)
		}
	}
}

// comparable reports memory whose address says whose it is.
func (b *body) comparable(v ir.Value) bool {
	_, offset, ok := layouts.Layout(b.g.Ctx, b.g.Type(v))
	return ok && offset != ir.Dynamic
}

// freeable reports memory that can be given back by somebody who is handed a value: by where
// it begins it is freed.
func (b *body) freeable(v ir.Value) bool {
	_, offset, ok := layouts.Layout(b.g.Ctx, b.g.Type(v))
	return ok && offset == 0
}

// returned: what a function gives back is the caller's.
func (a *analysis) returned() {
	ys := a.body.g.Yields(ir.Root)
	for _, y := range ys {
		if a.body.isMemory(y) && !a.body.freeable(y) {
			a.ledger.keep("it may be returned, with an offset", slices.DeleteFunc(slices.Clone(a.of(y)), func(o int) bool { return a.ledger.owners[o].arg })...)
		}
	}
	a.gives = a.hands(ir.Root, ys)
	a.end(ir.Root)
}
