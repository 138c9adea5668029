package ir

// Loc is where a node comes from: an offset into the source text plus one, or,
// with LocAttr set, an AttrLoc of the context; 0 is unknown.
type Loc uint32

// LocAttr marks a Loc that holds the number of a location attribute.
const LocAttr Loc = 1 << 31

// maxLocs bounds the places kept for a node that several ops were shared into.
const maxLocs = 8

// LocsOf lists the places that a node comes from, the first one first.
func (g *Graph) LocsOf(v Value) []Loc {
	if int(v) >= len(g.locs) || g.locs[v] == 0 {
		return nil
	}
	return append([]Loc{g.locs[v]}, g.moreLocs[v]...)
}

// addLoc records that an op at l was shared into node v.
func (g *Graph) addLoc(v Value, l Loc) {
	if l == 0 || g.locs[v] == l {
		return
	}
	if g.locs[v] == 0 {
		g.locs[v] = l
		return
	}
	more := g.moreLocs[v]
	if len(more) >= maxLocs-1 {
		return
	}
	for _, m := range more {
		if m == l {
			return
		}
	}
	if g.moreLocs == nil {
		g.moreLocs = map[Value][]Loc{}
	}
	g.moreLocs[v] = append(more, l)
}
