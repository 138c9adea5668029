package layouts

import "github.com/irc-lang/irc/ir"

// Groups reads a reassociation: for each dimension of the smaller rank those of
// the larger one, in order and without gaps.
func Groups(c *ir.Context, a ir.Attr) ([][]int, int, bool) {
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrArray {
		return nil, 0, false
	}
	var out [][]int
	next := 0
	for _, x := range c.AttrInfo(a).List {
		if c.AttrInfo(x).Kind != ir.AttrArray {
			return nil, 0, false
		}
		var group []int
		for _, y := range c.AttrInfo(x).List {
			if n := c.AttrInfo(y); n.Kind != ir.AttrInt || n.Int != int64(next) {
				return nil, 0, false
			}
			group = append(group, next)
			next++
		}
		out = append(out, group)
	}
	return out, next, true
}
