package input

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// maxShaped bounds the elements of an array of which the shape alone is given.
const maxShaped = 1 << 28

// ParseShapes reads the sizes and the names of data whose values are not there yet: a
// JSON object in which a number is that number, a size mostly, and a list of numbers
// is the dimensions of an array; an empty list is that of a single number.
//
//	{"N": 30, "Y": [30, 5], "xbar": []}
//
// The arrays have Shape set and no Values; none of their elements is missing.
func ParseShapes(src *diag.Source) (*Data, diag.List) {
	read, list := ParseData(src, JSON)
	if list.Err() != nil {
		return nil, list
	}
	out := NewData()
	for _, name := range read.Names {
		a, at := read.Get(name), read.Span(name)
		if len(a.Dims) == 0 {
			if a.Missing != nil {
				list = append(list, diag.Errorf(at, "the shape of %s is null", name).WithFix("write the dimensions, [] for a single number"))
			}
			out.Set(name, at, a)
			continue
		}
		dims := make([]int, len(a.Values))
		for i, x := range a.Values {
			if len(a.Dims) > 1 || x != math.Trunc(x) || x < 0 || x > maxShaped {
				list = append(list, diag.Errorf(at, "the shape of %s is no list of dimensions", name).WithFix("write whole numbers, as in \"%s\": [30, 5]", syntax.Clip(name)))
				break
			}
			dims[i] = int(x)
		}
		if ir.Elements(dims) > maxShaped || len(dims) > maxDims {
			list = append(list, diag.Errorf(at, "%s would have more than %d elements", name, maxShaped))
		}
		if len(dims) == 0 {
			dims = nil
		}
		out.Set(name, at, &Array{Dims: dims, Shape: true})
	}
	return out, list
}
