package schedule

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// FromMap is the tree of a flat map, which relates each instance to one time; all times
// have as many dimensions. A dimension that is constant for each statement becomes a
// sequence where the constants differ; the others become members of bands.
func FromMap(m presburger.Map) (_ *Node, err error) {
	defer unwind.To(&err)
	if !unwind.Must(m.IsSingleValued()) {
		return nil, errors.New("schedule: a map to times gives an instance more than one time")
	}
	var parts []timed
	length := -1
	for _, p := range m.Maps() {
		f := unwind.Must(p.AsPwMultiAff())
		if length >= 0 && f.Len() != length {
			return nil, fmt.Errorf("schedule: times of %d and of %d dimensions", length, f.Len())
		}
		length = f.Len()
		domain := p.Domain()
		f = unwind.Must(f.Gist(domain))
		parts = append(parts, timed{domain, f})
	}
	child := ordered(parts, 0, length)
	return NewDomain(m.Domain(), child), nil
}

// timed is a statement's instances and their times.
type timed struct {
	domain presburger.Set
	time   presburger.PwMultiAff
}

// ordered is the tree of dimensions from d on.
func ordered(parts []timed, d, length int) *Node {
	var b BandData
	for ; d < length; d++ {
		if groups := byConstant(parts, d); groups != nil {
			if len(groups) == 1 {
				continue
			}
			child := sequenceOf(groups, d, length)
			return bandOver(b, child)
		}
		var f presburger.Map
		for _, p := range parts {
			m := unwind.Must(p.time.At(d).AsMap())
			f = f.Union(m)
		}
		b.Members = append(b.Members, Member{Function: f})
	}
	return bandOver(b, leaf)
}

func bandOver(b BandData, child *Node) *Node {
	if len(b.Members) == 0 {
		return child
	}
	return NewBand(b, child)
}

func sequenceOf(groups [][]timed, d, length int) *Node {
	var filters []*Node
	for _, g := range groups {
		child := ordered(g, d+1, length)
		var s presburger.Set
		for _, p := range g {
			s = s.Union(p.domain.Universe())
		}
		filters = append(filters, NewFilter(s, child))
	}
	return NewSequence(filters...)
}

// byConstant groups statements by dimension d of their times, in its order, or is nil
// where it is not constant for one.
func byConstant(parts []timed, d int) (groups [][]timed) {
	values := make([]presburger.Int, len(parts))
	order := make([]int, len(parts))
	for i, p := range parts {
		order[i] = i
		first := true
		for _, a := range p.time.At(d).Pieces() {
			c := a.Constant()
			if !a.IsCst() || !c.IsInt() || !first && values[i].Cmp(c.Num) != 0 {
				return nil
			}
			values[i], first = c.Num, false
		}
	}
	slices.SortStableFunc(order, func(i, j int) int { return values[i].Cmp(values[j]) })
	for k, i := range order {
		if k == 0 || values[i].Cmp(values[order[k-1]]) != 0 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], parts[i])
	}
	return groups
}
