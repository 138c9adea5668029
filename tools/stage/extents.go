package stage

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/stage"
)

// sizes are extents of a tensor as Load, Full and Reshape are given them.
type sizes struct {
	shape []int64    // -1 for those that are open
	open  []Dyn[int] // those
}

func (s *S) sizes(what string, given []any) (out sizes) {
	out.shape = make([]int64, len(given))
	for i, n := range given {
		switch n := n.(type) {
		case int:
			if out.shape[i] = int64(n); n < 0 {
				s.fail(what, "give each dimension 0 or more elements", "an extent of %d", n)
			}
		case Dyn[int]:
			s.takes(what, n.session("an extent"))
			out.shape[i] = -1
			out.open = append(out.open, n)
		default:
			s.fail(what, "give an int or a Dyn[int], to which stage.To converts", "an extent is %v of type %T", n, n)
		}
	}
	if count(out.shape) < 0 {
		s.fail(what, "give it less than 2^48", "a tensor of %s has too many elements", shapeText(out.shape))
	}
	return out
}

// values are the ops that give open extents, the first one numbered sub of its call.
func (z sizes) values(sub int) []stage.Value {
	out := make([]stage.Value, len(z.open))
	for i, n := range z.open {
		out[i] = n.valueIn(sub + i)
	}
	return out
}

// now are the extents of a direct run.
func (z sizes) now() []int64 {
	out, open := slices.Clone(z.shape), z.open
	for i, n := range out {
		if n >= 0 {
			continue
		}
		if out[i], open = int64(open[0].get()), open[1:]; out[i] < 0 {
			panic(fmt.Sprintf("an extent of %d", out[i]))
		}
	}
	if count(out) < 0 {
		panic(fmt.Sprintf("a tensor of %s has too many elements", shapeText(out)))
	}
	return out
}

// count is how many elements there are, but for open extents, and -1 if they are too many.
func count(shape []int64) int64 {
	n := int64(1)
	for _, k := range shape {
		if k > 0 && n > 1<<48/k {
			return -1
		}
		if k >= 0 {
			n = ir.Times(n, k)
		}
	}
	return n
}

// openIn is how many extents are open.
func openIn(shape []int64) (n int) {
	for _, k := range shape {
		if k < 0 {
			n++
		}
	}
	return n
}

// shapeText is how messages write extents: 2x3, and ?x3 where one is open.
func shapeText(shape []int64) string {
	if len(shape) == 0 {
		return "no dimension"
	}
	text := strings.Trim(strings.ReplaceAll(fmt.Sprint(shape), " ", "x"), "[]")
	return strings.ReplaceAll(text, "-1", "?")
}

// extentsKey tells the extents of tensors apart; what is no tensor has "".
func extentsKey(shape []int64) string { return fmt.Sprint(shape) }

// extentsOf is what extentsKey was given.
func extentsOf(key string) (out []int64) {
	for _, n := range strings.Fields(strings.Trim(key, "[]")) {
		k, _ := strconv.ParseInt(n, 10, 64)
		out = append(out, k)
	}
	return out
}

// tensor is the type of tensors in the program.
func (m *module) tensor(k kind, shape []int64) ir.Type {
	shape = slices.Clone(shape)
	for i, n := range shape {
		if n < 0 {
			shape[i] = ir.Dynamic
		}
	}
	return m.c.Tensor(shape, k.typ(m.c))
}
