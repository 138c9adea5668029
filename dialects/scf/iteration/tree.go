package iteration

import (
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// ReduceChunk is how many iterations of a parallel loop are reduced together.
//
// What a reduction gives must not depend on how many cores run it. So the order in which values are combined
// is fixed, and such that parts of it are independent. Iterations are numbered in the order of their indices,
// the last of which changes fastest, and cut into chunks of ReduceChunk consecutive ones; the last may be
// shorter. The initial value is combined with the first value. A chunk is combined from its first value to
// its last; but vectors compute sums and products of floats (scf.InLanes). Value i goes to lane i mod
// ReduceLanes, and each lane is combined from its first value to its last. Let n lanes have values, and w be
// the largest power of two below n. Then the lanes from the w-th on are combined with those from the first
// on, one with one. That leaves w lanes, and so on until there is one. Chunks are combined as a tree: those
// of a loop with n of them are the first m with the rest, each combined in the same way; m is the largest
// power of two below n. (Pairwise summation; its error grows with the logarithm of the number of chunks:
// Higham 1993, The accuracy of floating point summation.)
//
// The number is a compromise: a loop of fewer iterations has no parallelism, and each chunk ends with a step of the
// tree, which costs as much as some iterations.
const (
	ReduceChunk = 64
	ReduceLanes = 16 // as many as one or two vector registers have
)

// Tree combines the values of iterations, which are given one after the other.
type Tree struct {
	// combine makes a new value k of each of two, of which the first is of earlier iterations.
	combine func(k int, x, y ir.Val) (ir.Val, error)
	// lanes says which values of a chunk are combined in lanes.
	lanes []bool

	acc    []ir.Val   // of the chunk so far, nil if it has nothing
	values [][]ir.Val // of the chunk so far, but for the first, of what is combined in lanes
	n      int        // iterations in it
	chunks uint64     // that are complete
	parts  [][]ir.Val // of complete chunks: a tree for each bit of their number that is set
}

// NewTree begins with the initial values.
func NewTree(init []ir.Val, lanes []bool, combine func(k int, x, y ir.Val) (ir.Val, error)) *Tree {
	return &Tree{combine: combine, lanes: lanes, acc: slices.Clone(init), values: make([][]ir.Val, len(init))}
}

// Add takes the values of the next iteration.
func (t *Tree) Add(ys []ir.Val) error {
	t.n++
	if t.acc == nil {
		t.acc = slices.Clone(ys)
	} else {
		for k, y := range ys {
			if t.lanes[k] && t.n > 1 {
				t.values[k] = append(t.values[k], y)
				continue
			}
			x, err := t.combine(k, t.acc[k], y)
			if err != nil {
				return err
			}
			t.acc[k] = x
		}
	}
	if t.n == ReduceChunk {
		return t.closeChunk()
	}
	return nil
}

// joinLanes combines what waits for it.
func (t *Tree) joinLanes() error {
	for k, rest := range t.values {
		all := append([]ir.Val{t.acc[k]}, rest...)
		into := func(i, j int) (err error) {
			all[i], err = t.combine(k, all[i], all[j])
			return err
		}
		for i := ReduceLanes; i < len(all); i++ {
			if err := into(i%ReduceLanes, i); err != nil {
				return err
			}
		}
		for n := min(len(all), ReduceLanes); n > 1; {
			w := 1 << (bits.Len(uint(n-1)) - 1)
			for i := w; i < n; i++ {
				if err := into(i-w, i); err != nil {
					return err
				}
			}
			n = w
		}
		t.acc[k], t.values[k] = all[0], rest[:0]
	}
	return nil
}

// closeChunk puts a complete chunk into the tree: it is the number of chunks that is counted up in
// binary, with a combination for each carry.
func (t *Tree) closeChunk() error {
	if err := t.joinLanes(); err != nil {
		return err
	}
	for m := t.chunks; m&1 != 0; m >>= 1 {
		if err := t.join(); err != nil {
			return err
		}
	}
	t.parts = append(t.parts, t.acc)
	t.chunks++
	t.acc, t.n = nil, 0
	return nil
}

// join combines the last part with what is being built.
func (t *Tree) join() error {
	last := t.parts[len(t.parts)-1]
	for k := range last {
		x, err := t.combine(k, last[k], t.acc[k])
		if err != nil {
			return err
		}
		t.acc[k] = x
	}
	t.parts = t.parts[:len(t.parts)-1]
	return nil
}

// Result combines the rest.
func (t *Tree) Result() ([]ir.Val, error) {
	if t.acc == nil {
		last := len(t.parts) - 1
		t.acc, t.parts = t.parts[last], t.parts[:last]
	} else if err := t.joinLanes(); err != nil {
		return nil, err
	}
	for len(t.parts) > 0 {
		if err := t.join(); err != nil {
			return nil, err
		}
	}
	return t.acc, nil
}
