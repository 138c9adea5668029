package iteration

import (
	"fmt"
	"slices"
	"testing"

	"github.com/irc-lang/irc/ir"
)

// The tree is what its comment says, for every number of iterations: of values that are combined from the first to the last, and in lanes.
func TestTree(t *testing.T) {
	for n := range 64*9 + 2 {
		var names []string
		join := func(_ int, x, y ir.Val) (ir.Val, error) {
			names = append(names, "("+names[x.Bits]+" "+names[y.Bits]+")")
			return ir.Val{Bits: uint64(len(names) - 1)}, nil
		}
		names = append(names, "init")
		tree := NewTree([]ir.Val{{}, {}}, []bool{false, true}, join)
		for i := range n {
			names = append(names, fmt.Sprint(i))
			y := ir.Val{Bits: uint64(len(names) - 1)}
			if err := tree.Add([]ir.Val{y, y}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := tree.Result()
		if err != nil {
			t.Fatal(err)
		}
		for k, chunk := range []func(values []string) string{inTurn, ofLanes} {
			want := "init"
			if n > 0 {
				want = ofChunks(0, (n+ReduceChunk-1)/ReduceChunk, n, chunk)
			}
			if s := names[got[k].Bits]; s != want {
				t.Fatalf("%d iterations are combined as\n%s\nnot\n%s", n, s, want)
			}
		}
	}
}

// ofChunks is how chunks from to to are combined, of n iterations.
func ofChunks(from, to, n int, chunk func(values []string) string) string {
	if to-from == 1 {
		var values []string
		for i := from * ReduceChunk; i < min(to*ReduceChunk, n); i++ {
			values = append(values, fmt.Sprint(i))
		}
		if from == 0 {
			values[0] = "(init 0)"
		}
		return chunk(values)
	}
	m := below(to - from)
	return "(" + ofChunks(from, from+m, n, chunk) + " " + ofChunks(from+m, to, n, chunk) + ")"
}

// below is the largest power of two below n.
func below(n int) int {
	m := 1
	for 2*m < n {
		m *= 2
	}
	return m
}

func inTurn(values []string) string {
	s := values[0]
	for _, v := range values[1:] {
		s = fmt.Sprintf("(%s %s)", s, v)
	}
	return s
}

func ofLanes(values []string) string {
	lanes := slices.Clone(values[:min(len(values), ReduceLanes)])
	for i, v := range values[len(lanes):] {
		lanes[i%ReduceLanes] = fmt.Sprintf("(%s %s)", lanes[i%ReduceLanes], v)
	}
	return inPairs(lanes)
}

func inPairs(values []string) string {
	if len(values) == 1 {
		return values[0]
	}
	w := below(len(values))
	half := slices.Clone(values[:w])
	for i, v := range values[w:] {
		half[i] = fmt.Sprintf("(%s %s)", half[i], v)
	}
	return inPairs(half)
}
