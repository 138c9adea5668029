package space

import (
	"sort"

	"github.com/irc-lang/irc/dialects/bugs/model"
)

// places are the coordinates of a variable, in the order of its elements: a bit for each
// element, and none if all have one.
type places struct {
	v      *model.Var
	first  int        // coordinates of variables before
	has    model.Mask // the elements with a coordinate
	before []int32    // of each block, the coordinates of the variable before it; nil if all elements have one
}

// block is how many elements are counted together.
const block = 512

// count numbers the coordinates, which are complete.
func (p *places) count(first int) {
	p.first = first
	if p.has.All() {
		return
	}
	p.before = make([]int32, 0, p.has.Len/block+1)
	n := 0
	for k := 0; k < p.has.Len; k += block {
		p.before = append(p.before, int32(n))
		n += p.has.Between(k, min(k+block, p.has.Len))
	}
}

// of is the coordinate of an element, counted from 1, or 0.
func (p *places) of(k int) int {
	switch {
	case p.before == nil:
		return p.first + k + 1
	case !p.has.Has(k):
		return 0
	}
	from := k / block
	return p.first + int(p.before[from]) + p.has.Between(from*block, k) + 1
}

// element is that of the coordinate before which n others of the variable are.
func (p *places) element(n int) int {
	if p.before == nil {
		return n
	}
	from := sort.Search(len(p.before), func(i int) bool { return int(p.before[i]) > n }) - 1
	return p.has.Nth(from*block, n-int(p.before[from]))
}

// Place is the coordinate of an element, counted from 1, or 0 if it has none.
func (u *Unconstrained) Place(v *model.Var, k int) int {
	if p := u.places[v.ID]; p != nil {
		return p.of(k)
	}
	return 0
}

// Has reports a variable that has coordinates.
func (u *Unconstrained) Has(v *model.Var) bool { return u.places[v.ID] != nil }

// Contiguous is the coordinate of the first element, counted from 0, of a variable whose
// elements are coordinates one after the other; ok is false for others.
func (u *Unconstrained) Contiguous(v *model.Var) (first int, ok bool) {
	p := u.places[v.ID]
	if p == nil || p.before != nil {
		return 0, false
	}
	return p.first, v.Len() > 0
}

// number gives each coordinate its place: by variable, and row by row within one.
func (u *Unconstrained) number() {
	for _, v := range u.Model.Vars {
		if p := u.places[v.ID]; p != nil {
			p.count(u.len)
			u.len += p.has.Count
			u.order = append(u.order, p)
		}
	}
}

// Len is the number of coordinates.
func (u *Unconstrained) Len() int { return u.len }

// At is coordinate i, from 0.
func (u *Unconstrained) At(i int) Coord {
	p := u.order[sort.Search(len(u.order), func(k int) bool { return u.order[k].first > i })-1]
	k := p.element(i - p.first)
	return Coord{p.v, k, u.Plans[p.v.DrawnBy(k).Stmt-1].Kind}
}
