package lowering

import (
	"fmt"
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
)

// in is a route with the levels of dialects that say where on it they stand
// (lower.Order). Of several before one level, those of higher dialects come first:
// they may lower to what the lower ones have.
func (r Route) in(ctx *ir.Context, routes []Route) (Route, error) {
	r.Levels = withOrders(r.Levels, ctx.Dialects())
	before := map[string]bool{} // levels that something is to come before, and nobody has
	for _, d := range ctx.Dialects() {
		for _, level := range ir.Table[lower.Order](d) {
			before[level] = true
		}
	}
	for _, level := range plan.Levels(ctx) {
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

// withOrders are the levels of a route with those that dialects put before them.
func withOrders(levels []string, dialects []*ir.Dialect) []string {
	levels = slices.Clone(levels)
	for more := true; more; {
		more = false
		for _, d := range slices.Backward(dialects) {
			order := ir.Table[lower.Order](d)
			for _, level := range slices.Sorted(maps.Keys(order)) {
				if at := slices.Index(levels, order[level]); at >= 0 && !slices.Contains(levels, level) {
					levels = slices.Insert(levels, at, level)
					more = true
				}
			}
		}
	}
	return levels
}

// Levels lists the levels that the routes of the pass take in where there are these dialects: rules for others never run,
// unless a pipeline names their level.
func (p *routePass) Levels(dialects []*ir.Dialect) []string { return levelsOf(p.routes, dialects) }

func levelsOf(routes []Route, dialects []*ir.Dialect) (out []string) {
	for _, r := range routes {
		out = append(out, withOrders(r.Levels, dialects)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
