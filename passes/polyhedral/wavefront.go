package polyhedral

import (
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

// wavefront gives the first two members of a permutable band, none of which is coincident, an order by their sum, for
// each of which the second one is, as poly-codegen proves: what depends on something has no smaller value of either, so that
// if the sums are equal both values are (Lamport, "The parallel execution of DO loops", 1974). The others are inside.
func wavefront(n *schedule.Node) (*schedule.Node, error) {
	b := n.Band()
	if len(b.Members) < 2 || !b.Permutable || slices.ContainsFunc(b.Members, func(m schedule.Member) bool { return m.Coincident }) {
		return n, nil
	}
	add, err := presburger.ParseMap("{ [x, y] -> [x + y] }")
	if err != nil {
		return nil, err
	}
	both, err := b.Members[0].Function.FlatRangeProduct(b.Members[1].Function)
	if err == nil {
		both, err = add.Compose(both)
	}
	if err != nil {
		return nil, err
	}
	inner := b
	inner.Members = b.Members[1:]
	return schedule.NewBand(schedule.BandData{Members: []schedule.Member{{Function: both}}, Permutable: true}, schedule.NewBand(inner, n.Child(0))), nil
}
