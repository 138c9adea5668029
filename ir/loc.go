package ir

import "github.com/irc-lang/irc/ir/internal/intern"

// Loc is where a node comes from: an offset into the source text plus one, or,
// with LocAttr set, a location that the text says, which the context holds
// (LocText); 0 is unknown.
type Loc = intern.Loc

// LocAttr marks a Loc that the context holds: an AttrLoc, or a place in a file.
const LocAttr = intern.LocAttr

// Places notes places in files, for one goroutine.
type Places = intern.PlaceWriter

// NewPlaces returns a Places.
func (c *Context) NewPlaces() *Places { return c.places.NewWriter() }

// AppendLoc appends the text inside loc(...) of a location that the context holds.
func (c *Context) AppendLoc(b []byte, l Loc) []byte {
	if l&intern.LocPlace != intern.LocPlace {
		return append(b, c.AttrInfo(Attr(l&^LocAttr)).Str...)
	}
	return c.places.Append(b, l)
}

// LocText is AppendLoc as a string.
func (c *Context) LocText(l Loc) string { return string(c.AppendLoc(nil, l)) }

// sameLoc reports that two locations are the same place.
func (c *Context) sameLoc(l, m Loc) bool {
	switch {
	case l == m:
		return true
	case l&m&LocAttr == 0:
		return false
	case l&m&intern.LocPlace == intern.LocPlace:
		return c.places.Same(l, m)
	}
	return c.LocText(l) == c.LocText(m)
}

// maxLocs bounds the places kept for a node that several ops were shared into.
const maxLocs = 8

// manyLoc is one of several places of a node. Those of one are a chain, in the order in which they came.
type manyLoc struct {
	loc  Loc
	next uint32 // in manyLocs; 0 for none
}

// loc is the first place that a node comes from, or 0.
func (g *Graph) loc(v Value) Loc {
	l := g.locs[v]
	if l.IsMany() {
		l = g.manyLocs[l&^intern.LocMany].loc
	}
	return l
}

// LocsOf lists the places that a node comes from, the first one first.
func (g *Graph) LocsOf(v Value) []Loc {
	if int(v) >= len(g.locs) || g.locs[v] == 0 {
		return nil
	}
	l := g.locs[v]
	if !l.IsMany() {
		return []Loc{l}
	}
	var out []Loc
	for i := uint32(l &^ intern.LocMany); ; {
		m := g.manyLocs[i]
		if out = append(out, m.loc); m.next == 0 {
			return out
		}
		i = m.next
	}
}

// JoinLocs records that a node comes from other ops too, such as a loop that several became.
func (b *Builder) JoinLocs(v Value, locs []Loc) {
	for _, l := range locs {
		b.g.addLoc(v, l)
	}
}

// addLoc records that an op at l was shared into node v.
func (g *Graph) addLoc(v Value, l Loc) {
	switch old := g.locs[v]; {
	case l == 0 || old == l:
	case old == 0:
		g.locs[v] = l
	default:
		g.joinLoc(v, l)
	}
}

// joinLoc adds a place to those that node v has, unless it is one of them.
func (g *Graph) joinLoc(v Value, l Loc) {
	first := g.locs[v]
	if !first.IsMany() {
		if g.Ctx.sameLoc(first, l) {
			return
		}
		n := uint32(len(g.manyLocs))
		g.manyLocs = append(g.manyLocs, manyLoc{first, n + 1}, manyLoc{l, 0})
		g.locs[v] = intern.LocMany | Loc(n)
		return
	}
	i := uint32(first &^ intern.LocMany)
	for n := 1; ; n++ {
		m := g.manyLocs[i]
		if g.Ctx.sameLoc(m.loc, l) || n == maxLocs {
			return
		}
		if m.next == 0 {
			break
		}
		i = m.next
	}
	g.manyLocs[i].next = uint32(len(g.manyLocs))
	g.manyLocs = append(g.manyLocs, manyLoc{l, 0})
}
