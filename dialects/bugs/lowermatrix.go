package bugs

import (
	gomath "math"

	"github.com/irc-lang/irc/ir"
)

// maxRows bounds matrices that are factored.
const maxRows = 4096

// matrixRows bounds the rows of the matrices of a bugs.multivariate by the shapes of
// the arrays that they are parts of; 0 if it has none. All extents are equal.
func matrixRows(g *ir.Graph, v ir.Value) int64 {
	c, args := g.Ctx, g.Args(v)
	ps, _ := operandParts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return arrayRank(c, g.Type(args[i])) })
	least, matrix := int64(gomath.MaxInt64), false
	for _, p := range ps {
		matrix = matrix || p.rank() > 1
		for d, ranged := range p.ranged {
			if ranged {
				least = min(least, c.Info(g.Type(p.array)).Shape[d])
			}
		}
	}
	if !matrix {
		return 0
	}
	return least
}
