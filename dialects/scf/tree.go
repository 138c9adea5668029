package scf

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

// ReduceChunk is how many iterations of a parallel loop are reduced from the first to the last.
//
// What a reduction gives must not depend on how many cores run it, so the order in which values are
// combined is fixed, and such that parts of it are independent. Iterations are numbered in the order of their
// indices, the last of which changes fastest, and cut into chunks of ReduceChunk consecutive ones; the last may be
// shorter. A chunk is combined from its first value to its last, the first chunk from the initial value on. Chunks
// are combined as a tree: those of a loop with n of them are the first m, where m is the largest power of
// two below n, with the rest, each combined in the same way. (Pairwise summation; its error grows with the logarithm of
// the number of chunks: Higham 1993, The accuracy of floating point summation.)
//
// The number is a compromise: a loop of fewer iterations has no parallelism, and each chunk ends with a step of the
// tree, which costs as much as some iterations.
const ReduceChunk = 64

// Tree combines the values of iterations, which are given one after the other.
type Tree struct {
	// Combine makes a new value of each of two, of which the first is of earlier iterations.
	Combine func(x, y []ir.Val) ([]ir.Val, error)

	acc    []ir.Val   // of the chunk so far, nil if it has nothing
	n      int        // iterations in it
	chunks uint64     // that are complete
	parts  [][]ir.Val // of complete chunks: a tree for each bit of their number that is set
}

// NewTree begins with the initial values.
func NewTree(init []ir.Val, combine func(x, y []ir.Val) ([]ir.Val, error)) *Tree {
	return &Tree{Combine: combine, acc: slices.Clone(init)}
}

// Add takes the values of the next iteration.
func (t *Tree) Add(ys []ir.Val) error {
	t.n++
	if t.acc == nil {
		t.acc = slices.Clone(ys)
	} else {
		out, err := t.Combine(t.acc, ys)
		if err != nil {
			return err
		}
		copy(t.acc, out)
	}
	if t.n == ReduceChunk {
		return t.closeChunk()
	}
	return nil
}

// closeChunk puts a complete chunk into the tree: it is the number of chunks that is counted up in
// binary, with a combination for each carry.
func (t *Tree) closeChunk() error {
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
	out, err := t.Combine(last, t.acc)
	copy(t.acc, out)
	t.parts = t.parts[:len(t.parts)-1]
	return err
}

// Result combines the rest.
func (t *Tree) Result() ([]ir.Val, error) {
	if t.acc == nil {
		last := len(t.parts) - 1
		t.acc, t.parts = t.parts[last], t.parts[:last]
	}
	for len(t.parts) > 0 {
		if err := t.join(); err != nil {
			return nil, err
		}
	}
	return t.acc, nil
}
