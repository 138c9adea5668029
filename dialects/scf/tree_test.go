package scf

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/ir"
)

// The tree is what its comment says, for every number of iterations.
func TestTree(t *testing.T) {
	for n := range 64*9 + 2 {
		var names []string
		join := func(x, y []ir.Val) ([]ir.Val, error) {
			names = append(names, "("+names[x[0].Bits]+" "+names[y[0].Bits]+")")
			return []ir.Val{{Bits: uint64(len(names) - 1)}}, nil
		}
		names = append(names, "init")
		tree := NewTree([]ir.Val{{}}, join)
		for i := range n {
			names = append(names, fmt.Sprint(i))
			if err := tree.Add([]ir.Val{{Bits: uint64(len(names) - 1)}}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := tree.Result()
		if err != nil {
			t.Fatal(err)
		}
		want := "init"
		if n > 0 {
			want = ofChunks(0, (n+ReduceChunk-1)/ReduceChunk, n)
		}
		if s := names[got[0].Bits]; s != want {
			t.Fatalf("%d iterations are combined as\n%s\nnot\n%s", n, s, want)
		}
	}
}

// ofChunks is how chunks from to to are combined, of n iterations.
func ofChunks(from, to, n int) string {
	if to-from == 1 {
		s, i := "init", from*ReduceChunk
		if from > 0 {
			s, i = fmt.Sprint(i), i+1
		}
		for ; i < min(to*ReduceChunk, n); i++ {
			s = fmt.Sprintf("(%s %d)", s, i)
		}
		return s
	}
	m := 1
	for 2*m < to-from {
		m *= 2
	}
	return "(" + ofChunks(from, from+m, n) + " " + ofChunks(from+m, to, n) + ")"
}
