package model

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// String says what is read of which statement, and the distances: "x of 1: positive (+)".
func (d *Dependence) String() string {
	var vectors []string
	for _, v := range d.Vectors {
		if len(v) > 0 {
			vectors = append(vectors, " "+VectorText(v))
		}
	}
	return fmt.Sprintf("%s of %d: %s%s", d.Var.Name, d.From.Index+1, d.Distances(), strings.Join(vectors, ""))
}

// A Dependence says that a statement reads what a statement defines.
type Dependence struct {
	From, To *Statement // From defines, To reads
	Var      *Var
	// Vectors are the signs of the distances, sink minus source, over the loops that
	// the two may share, outermost first; each once. Where they share none it is one
	// empty vector.
	Vectors [][]int8
}

// SharedLoops is how many outer loops of two statements may be one.
func SharedLoops(s, t *Statement) int {
	n := 0
	for n < len(s.LoopKeys) && n < len(t.LoopKeys) && s.LoopKeys[n] == t.LoopKeys[n] {
		n++
	}
	return n
}

// Distance is the class of the distances between two statements.
type Distance uint8

// The distances. Those of statements without a common loop are Apart.
const (
	Zero     Distance = 1 << iota // of one iteration
	Positive                      // from an earlier iteration
	Negative                      // from a later one
	Apart                         // without a common loop, so not to be compared
)

// Distances is the set of classes of a dependence: the first sign of a vector that
// is not 0 tells.
func (d *Dependence) Distances() Distance {
	out := Distance(0)
	for _, v := range d.Vectors {
		i := slices.IndexFunc(v, func(x int8) bool { return x != 0 })
		switch {
		case len(v) == 0:
			out |= Apart
		case i < 0:
			out |= Zero
		case v[i] > 0:
			out |= Positive
		default:
			out |= Negative
		}
	}
	return out
}

func (d Distance) String() string {
	var out []string
	for i, name := range []string{"zero", "positive", "negative", "unknown"} {
		if d&(1<<i) != 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// VectorText writes a sign vector as (0, +, -).
func VectorText(v []int8) string {
	parts := lists.Map(v, func(x int8) string { return [...]string{"-", "0", "+"}[x+1] })
	return "(" + strings.Join(parts, ", ") + ")"
}

func Sign(n int32) int8 {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}
