package schedule

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// Tile replaces a band by one of tiles and, inside, one of the points of each: tile t of a member of size s has its
// values from s t up to s (t + 1). Members of size 0, and those for which there is no size, have no tiles. The order is
// legal where the band is permutable (Irigoin and Triolet, "Supernode partitioning", 1988).
func (n *Node) Tile(sizes []int) (_ *Node, err error) {
	defer unwind.To(&err)
	b := n.Band()
	outer := BandData{Permutable: true}
	for i, m := range b.Members {
		if i >= len(sizes) || sizes[i] == 0 {
			continue
		}
		by := unwind.Must(presburger.ParseMap(fmt.Sprintf("{ [x] -> [t] : %d t <= x < %[1]d t + %[1]d }", sizes[i])))
		f := unwind.Must(by.Compose(m.Function))
		outer.Members = append(outer.Members, Member{Function: f, Coincident: m.Coincident})
	}
	if len(outer.Members) == 0 {
		return n, nil
	}
	return NewBand(outer, n), nil
}
