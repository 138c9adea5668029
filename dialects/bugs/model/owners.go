package model

import "github.com/irc-lang/irc/ir/lists"

// Origin is the statement, counted from 1, and the iteration that define an
// element; the zero value says that nothing does.
type Origin struct{ Stmt, Iter int32 }

// Owners says which statement defines each element of a variable, and in which of
// its iterations: by disjoint regions, each of which one statement defines, or,
// where left sides are not that simple, element by element.
type Owners struct {
	Parts []Part
	Dense []Origin
}

// A Part of a variable is defined by a statement whose left side is simple.
type Part struct {
	Region
	By *Statement
}

// MaxParts bounds the regions of one variable: finding an element looks at each.
const MaxParts = 24

func (o *Owners) None() bool { return o.Parts == nil && o.Dense == nil }

// at finds who defines an element.
func (o *Owners) at(dims []int, k int) Origin {
	if o.Dense != nil {
		return o.Dense[k]
	}
	if p, index := o.part(dims, k); p != nil {
		return Origin{int32(p.By.Index + 1), int32(p.By.iterationOf(index))}
	}
	return Origin{}
}

// Has reports that something defines an element.
func (o *Owners) Has(dims []int, k int) bool {
	if o.Dense != nil {
		return o.Dense[k].Stmt != 0
	}
	p, _ := o.part(dims, k)
	return p != nil
}

func (o *Owners) part(dims []int, k int) (*Part, []int32) {
	if len(o.Parts) == 0 {
		return nil, nil
	}
	var buf [8]int32
	index := buf[:]
	if len(dims) > len(buf) {
		index = make([]int32, len(dims))
	}
	index = IndicesOf(dims, k, index)
	for i := range o.Parts {
		if o.Parts[i].Has(index) {
			return &o.Parts[i], index
		}
	}
	return nil, nil
}

// Spread goes over to one entry an element.
func (o *Owners) Spread(v *Var) {
	if o.Dense != nil {
		return
	}
	parts := o.Parts
	o.Parts, o.Dense = nil, make([]Origin, v.Len())
	for _, p := range parts {
		by := int32(p.By.Index + 1)
		p.By.EachElement(func(i, k int) bool {
			o.Dense[k] = Origin{by, int32(i)}
			return true
		})
	}
}

// Free reports that no part has an element of a region.
func (o *Owners) Free(r Region) bool {
	return lists.All(o.Parts, func(p Part) bool { return p.And(r).Size() <= 0 })
}

// inside counts the elements of a region that parts define.
func (o *Owners) inside(r Region) int {
	n := 0
	for _, p := range o.Parts {
		n += p.And(r).Size()
	}
	return n
}
