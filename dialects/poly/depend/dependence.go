package depend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// A Dependence tells of pairs of instances of two statements by their common loops.
type Dependence struct {
	Loops int
	// Vectors lists the direction vectors, of one sign a loop, that some pair has, for
	// some values of the parameters; none means that there is no pair.
	Vectors []Vector
	// Distances has the distance of each loop, where it is the same for all pairs; it
	// is not told where coefficients take more than 31 bits.
	Distances []Distance
}

// Exists reports that there is a pair.
func (d Dependence) Exists() bool { return len(d.Vectors) > 0 }

// Direction joins all vectors: for each loop the set of signs that occur.
func (d Dependence) Direction() Vector {
	out := NewVector(make([]Sign, d.Loops)...)
	for _, v := range d.Vectors {
		out = out.join(v)
	}
	return out
}

// Forward keeps the pairs whose first instance is executed before the second in loops that run upward. If
// textual, the first statement is before the second in the body of the common loops.
func (d Dependence) Forward(textual bool) Dependence {
	return d.filter(func(v Vector) bool { return v.IsForward() || textual && v.Level() == d.Loops })
}

// Reverse exchanges the sides of all pairs.
func (d Dependence) Reverse() Dependence {
	out := d.filter(func(Vector) bool { return true })
	for i, v := range out.Vectors {
		out.Vectors[i] = v.Reverse()
	}
	slices.SortFunc(out.Vectors, Vector.compare)
	for l := range out.Distances {
		out.Distances[l] = out.Distances[l].negated()
	}
	return out
}

func (d Dependence) filter(keep func(Vector) bool) Dependence {
	out := Dependence{Loops: d.Loops, Distances: slices.Clone(d.Distances)}
	for _, v := range d.Vectors {
		if keep(v) {
			out.Vectors = append(out.Vectors, v)
		}
	}
	if len(out.Vectors) == 0 {
		out.Distances = nil
	}
	return out
}

// Carries reports that some pair differs in loop l first; l = Loops asks for pairs of
// one iteration of all of them.
func (d Dependence) Carries(l int) bool {
	return slices.ContainsFunc(d.Vectors, func(v Vector) bool { return v.Level() == l })
}

// Levels lists the loops that carry the dependence, and Loops if it is in one
// iteration of all of them, too.
func (d Dependence) Levels() (out []int) {
	for l := range d.Loops + 1 {
		if d.Carries(l) {
			out = append(out, l)
		}
	}
	return out
}

// Parallel reports that no pair stands in the way of running the iterations of loop l
// at once, the loops around it being sequential.
func (d Dependence) Parallel(l int) bool { return !d.Carries(l) }

// String writes the distance of each loop that has one and the sign of others, then
// the vectors if they say more: (1, *) of (+, -) (+, 0).
func (d Dependence) String() string {
	if !d.Exists() {
		return "none"
	}
	sum := d.Direction()
	parts := make([]string, d.Loops)
	for l := range parts {
		if parts[l] = sum.At(l).String(); l < len(d.Distances) && d.Distances[l].Known {
			parts[l] = d.Distances[l].String()
		}
	}
	text := "(" + strings.Join(parts, ", ") + ")"
	product := 1
	for l := range d.Loops {
		product *= len(d.signs(l))
	}
	if product == len(d.Vectors) {
		return text
	}
	all := lists.Map(d.Vectors, func(v Vector) string { return v.String() })
	return fmt.Sprintf("%s of %s", text, strings.Join(all, " "))
}

// signs lists the signs of a loop.
func (d Dependence) signs(l int) (out []Sign) {
	sum := d.Direction().At(l)
	for _, s := range [...]Sign{Negative, Zero, Positive} {
		if sum&s != 0 {
			out = append(out, s)
		}
	}
	return out
}
