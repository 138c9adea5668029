package sparse

import "slices"

// A set of columns does not change; nil is the empty one.
type set struct {
	of    []int32 // ascending
	grown bool    // what is behind its last element in memory belongs to a greater set
}

// only is the set of one column.
func only(column int) *set { return &set{of: []int32{int32(column)}} }

// size is the number of columns.
func (a *set) size() int {
	if a == nil {
		return 0
	}
	return len(a.of)
}

// union of two sets. It is one of them where that has all of the other.
func union(a, b *set) *set {
	if a.size() < b.size() {
		a, b = b, a
	}
	if b.size() == 0 || a == b {
		return a
	}
	n, also := slices.BinarySearch(b.of, a.of[len(a.of)-1])
	if also {
		n++
	}
	inside, behind := b.of[:n], b.of[n:] // by the last element of a
	switch {
	case !a.hasAll(inside):
	case len(behind) == 0:
		return a
	default:
		return a.followedBy(behind)
	}
	out := make([]int32, 0, len(a.of)+len(b.of))
	x, y := a.of, b.of
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			out, x = append(out, x[0]), x[1:]
		case x[0] > y[0]:
			out, y = append(out, y[0]), y[1:]
		default:
			out, x, y = append(out, x[0]), x[1:], y[1:]
		}
	}
	return &set{of: append(append(out, x...), y...)}
}

// followedBy is the union with columns that are all greater. The first who asks has them behind what is there, so that a
// sum over n columns costs n.
func (a *set) followedBy(b []int32) *set {
	old := a.of
	if a.grown {
		old = slices.Clip(old)
	}
	a.grown = true
	return &set{of: append(old, b...)}
}

// hasAll reports that a set has all of some ascending columns.
func (a *set) hasAll(columns []int32) bool {
	rest := a.of
	for _, x := range columns {
		i, ok := slices.BinarySearch(rest, x)
		if !ok {
			return false
		}
		rest = rest[i+1:]
	}
	return true
}
