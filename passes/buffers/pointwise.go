package buffers

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// element is an access to elements in a loop.
type element struct {
	ir.Access
	op ir.Value
}

// elements lists what a loop does with an allocation; false if that is more than to load and store single elements.
func (u *sharing) elements(v, loop ir.Value) (out []element, ok bool) {
	a := u.a
	for _, k := range a.alias[a.ledger.own[key{v, 0}]] {
		for _, w := range ir.Uses(a.body.g).Of(k.node) {
			if !slices.ContainsFunc(a.body.g.Args(w), func(x ir.Value) bool { return a.body.key(x) == k }) {
				continue
			}
			if top, in := a.body.top(w, a.body.s.Place(v)); !in || top != loop || u.asksShape(w) {
				continue
			}
			if view, ok := ir.As[ir.ViewLike](a.body.g.NodeOf(w)); ok && view.Whole {
				continue
			}
			x, ok := ir.As[ir.AccessLike](a.body.g.NodeOf(w))
			if !ok || len(x.Accesses) != 1 || !u.whole(k, v) {
				return nil, false
			}
			out = append(out, element{x.Accesses[0], w})
		}
	}
	return out, true
}

// pointwise reports loops in one another that read one allocation and write another at one place alone, which is another one in each
// round of all of them, and read there first: a round touches what no other round does.
func (u *sharing) pointwise(from, to, loop ir.Value) bool {
	reads, ok := u.elements(from, loop)
	if !ok || len(reads) == 0 {
		return false
	}
	writes, ok := u.elements(to, loop)
	if !ok || len(writes) == 0 {
		return false
	}
	at := reads[0].Indices
	body, indices := u.nest(reads[0].op, loop)
	// Every index around is one of the subscripts, so different rounds have different places.
	for _, i := range indices {
		if !slices.Contains(at, i) {
			return false
		}
	}
	order := map[ir.Value]int{}
	u.number(body, order)
	// first is the earliest write of a round: all reads come before it.
	first := len(order) + 1
	for _, w := range writes {
		if !w.Writes || w.Reads || !slices.Equal(w.Indices, at) || order[w.op] == 0 {
			return false
		}
		first = min(first, order[w.op])
	}
	for _, r := range reads {
		if r.Writes || !slices.Equal(r.Indices, at) || order[r.op] == 0 || order[r.op] >= first {
			return false
		}
	}
	return body != ir.Root
}

// nest is the body of the innermost loop around an op, and the indices of all loops from there up to one. It is the root
// if there is a loop of which that is not known.
func (u *sharing) nest(op, loop ir.Value) (body ir.Region, indices []ir.Value) {
	g := u.a.body.g
	for r := u.a.body.s.Place(op); ; {
		if r == ir.Root {
			return ir.Root, nil
		}
		owner := g.Owner(r)
		if l, ok := ir.As[ir.LoopLike](g.NodeOf(owner)); ok {
			if l.Body != r || len(l.Indices) == 0 || len(g.Regions(owner)) != 1 {
				return ir.Root, nil
			}
			if body == ir.Root {
				body = r
			}
			indices = append(indices, l.Indices...)
		} else if k := g.KindOf(r); k != ir.Once && k != ir.Branch {
			return ir.Root, nil
		}
		if owner == loop {
			return body, indices
		}
		r = u.a.body.s.Place(owner)
	}
}
