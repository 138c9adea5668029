package lowering

import (
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// in is a route with the levels of dialects that say where on it they stand
// (lower.Order). Of several before one level, those of higher dialects come first:
// they may lower to what the lower ones have.
func (r Route) in(ctx *ir.Context, routes []Route) (Route, error) {
	r.Levels = slices.Clone(r.Levels)
	before := map[string]bool{} // levels that something is to come before, and nobody has
	for more := true; more; {
		more = false
		for _, d := range slices.Backward(ctx.Dialects()) {
			order := ir.Table[lower.Order](d)
			for _, level := range slices.Sorted(maps.Keys(order)) {
				at := slices.Index(r.Levels, order[level])
				before[order[level]] = true
				if at >= 0 && !slices.Contains(r.Levels, level) {
					r.Levels = slices.Insert(r.Levels, at, level)
					more = true
				}
			}
		}
	}
	for _, level := range lower.Levels(ctx) {
		delete(before, level)
	}
	for _, x := range routes {
		for _, level := range x.Levels {
			delete(before, level)
		}
	}
	for _, level := range slices.Sorted(maps.Keys(before)) {
		return r, fmt.Errorf("a dialect has a level that comes before level %q, which there is not", level)
	}
	return r, nil
}
