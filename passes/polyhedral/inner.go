package polyhedral

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// innerTile is the size of tiles in which contractions are taken out: a multiple of the rows and columns of tiles in
// registers, and so large that a row that is packed is used often.
const innerTile = 112

// An inner contraction is the part of a statement that is one in each tile of a band, which is known by its first member.
type inner struct {
	band presburger.Map
	st   *poly.Stmt
	far  presburger.Set // of its instances
	rest presburger.Set // and all others in the tiles
}

// contract makes tiles of the first two members of a permutable band that are, for a statement that updates what it and
// others read, the row and the column of the element: what updates an element in a tile by elements of other tiles comes
// first, in any order, as these are done, and is a contraction. The rest has the order that it had. So the triangular
// factorizations of linear algebra and dynamic programs over intervals spend most of their time in products of matrices
// (Gustavson, "Recursion leads to automatic variable blocking", 1997; Cherng and Ladner, "Cache efficient simple dynamic
// programming", 2005). It is nil where there is no such statement.
func (x *tiler) contract(w *systems.Ordering, n *schedule.Node, outer []schedule.Member) *schedule.Node {
	b := n.Band()
	if !b.Permutable || len(b.Members) < 2 {
		return nil
	}
	sizes := []int{innerTile, innerTile}
	if len(x.sizes) > 0 {
		if len(x.sizes) < 2 || x.sizes[0] == 0 || x.sizes[1] == 0 {
			return nil
		}
		sizes = x.sizes[:2]
	}
	for _, part := range b.Members[0].Function.Maps() {
		in, _ := part.Tuples()
		st := w.Whole.Statement(in.Name())
		if st == nil {
			continue
		}
		if rows, ok := coefficients(b.Members[:2], st); !ok || !contraction.IsOfTiles(st, rows) {
			continue
		}
		tiles := unwind.Must(n.Tile(sizes))
		c := farOf(w, st, tiles, outer)
		if c == nil {
			return nil
		}
		x.bands = append(x.bands, sizes)
		x.tiles = append(x.tiles, c.band)
		x.inner = append(x.inner, c)
		x.contractions = append(x.contractions, st.Name)
		return tiles
	}
	return nil
}

// farOf finds the instances of a statement that nothing in their tile has to come before, and that are a contraction; nil if
// there are none. That they may come first in their tile is proven for tiles of any numbers.
func farOf(w *systems.Ordering, st *poly.Stmt, tiles *schedule.Node, outer []schedule.Member) *inner {
	around := append(outer[:len(outer):len(outer)], tiles.Band().Members...)
	into := unwind.Must(w.Order.IntersectRange(st.Domain))
	pairs := inOneRound(into, w.Domain, around)
	near := unwind.Must(pairs.Range().Intersect(st.Domain))
	near = unwind.Must(near.Coalesce())
	far := unwind.Must(st.Domain.Subtract(near))
	far = unwind.Must(far.Coalesce())
	far = contractionIn(&w.Whole, st, far, around)
	if len(far.Basics()) == 0 {
		return nil
	}
	all := unwind.Must(contraction.InTile(w.Domain, around))
	first := unwind.Must(contraction.InTile(far, around))
	into = unwind.Must(into.IntersectDomain(all))
	into = unwind.Must(into.IntersectRange(first.TileBounds()))
	if !unwind.Must(into.IsEmpty()) {
		return nil
	}
	rest := unwind.Must(st.Domain.Subtract(far))
	rest = unwind.Must(rest.Coalesce())
	for _, s := range w.Domain.Sets() {
		if s.Tuple().Name() != st.Name {
			rest = rest.Union(s)
		}
	}
	return &inner{tiles.Band().Members[0].Function, st, far, rest}
}

// farFirst gives the tiles of inner contractions their order.
func (x *tiler) farFirst(n *schedule.Node) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	if n.Kind() != schedule.Band {
		return n, nil
	}
	for _, c := range x.inner {
		if n.Band().Members[0].Function != c.band {
			continue
		}
		band := coordinatesBand(c.st)
		return schedule.NewBand(n.Band(), schedule.NewSequence(
			schedule.NewFilter(c.far, schedule.NewMark(contraction.Mark, band)), schedule.NewFilter(c.rest, n.Child(0)))), nil
	}
	return n, nil
}

// contractionIn is a part of some instances that is a contraction for each value of the members around; the zero Set if
// there is none.
func contractionIn(sys *poly.System, st *poly.Stmt, set presburger.Set, around []schedule.Member) presburger.Set {
	for _, b := range set.Basics() {
		part := presburger.SetOf(b)
		if c := unwind.Must(contraction.Inner(sys, st, part, around)); c != nil {
			return part
		}
	}
	return presburger.Set{}
}

// coordinatesBand has the coordinates of a statement in their order.
func coordinatesBand(st *poly.Stmt) *schedule.Node {
	var b schedule.BandData
	for d := range st.Domain.Tuple().Len() {
		f := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ %s[x0, x1, x2] -> [x%d] }", st.Name, d)))
		b.Members = append(b.Members, schedule.Member{Function: f, Coincident: true})
	}
	b.Permutable = true
	return schedule.NewBand(b, nil)
}

// inOneRound are the pairs of a relation that some loops execute in one round.
func inOneRound(pairs presburger.Map, domain presburger.Set, loops []schedule.Member) presburger.Map {
	for _, l := range loops {
		f := unwind.Must(l.Function.IntersectDomain(domain))
		same := unwind.Must(f.Inverse().Compose(f))
		pairs = unwind.Must(pairs.Intersect(same))
	}
	return pairs
}
