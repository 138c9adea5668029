package ir

import "sync"

// pool is what a Builder works with. The next one takes it over, so that a
// thousand small functions do not each grow their own, and a finished graph is
// as large as it needs to be.
type pool struct {
	nodes   []record
	edges   []uint32
	locs    []Loc
	many    []manyLoc
	regions []region
	table   []slot
	marks   []uint32
	local   []uint32
	epoch   uint32
	scopes  []scope
	calls   []*Call
}

// slot is an entry of the table of shared nodes: open addressing, by hash.
type slot struct {
	hash uint32
	v    Value // 0: empty
}

// Larger ones are not kept, so that small graphs need not clear a large table and
// large graphs are not copied.
const (
	maxRoomNodes = 1 << 14
	maxRoomSlots = 1 << 12
)

var pools = sync.Pool{New: func() any { return &pool{table: make([]slot, 512)} }}

// moveIn takes room for a new graph.
func (b *Builder) moveIn() {
	r := pools.Get().(*pool)
	b.g.nodes, b.g.locs = append(r.nodes[:0], record{}), append(r.locs[:0], 0)
	b.g.edges, b.g.regions, b.g.manyLocs = r.edges[:0], r.regions[:0], r.many[:0]
	b.table, b.marks, b.local, b.epoch = r.table, r.marks, r.local, r.epoch
	b.scopes, b.callsFree = r.scopes[:0], r.calls
	b.pool = r
}

// moveOut leaves the room to others; the graph keeps what is in it.
func (b *Builder) moveOut() {
	g, r := b.g, b.pool
	if len(g.nodes) > maxRoomNodes || len(b.table) > maxRoomSlots {
		g.nodes, g.edges, g.locs, g.regions = trimmed(g.nodes), trimmed(g.edges), trimmed(g.locs), trimmed(g.regions)
		g.manyLocs = trimmed(g.manyLocs)
		*r = pool{table: make([]slot, 512), epoch: 0}
	} else {
		*r = pool{nodes: g.nodes, edges: g.edges, locs: g.locs, many: g.manyLocs, regions: g.regions, table: b.table, marks: b.marks, local: b.local, epoch: b.epoch}
		g.nodes, g.edges, g.locs, g.regions = exactly(g.nodes), exactly(g.edges), exactly(g.locs), exactly(g.regions)
		g.manyLocs = exactly(g.manyLocs)
		clear(r.regions) // they hold slices
		clear(r.table)
	}
	for _, c := range b.callsFree {
		*c = Call{}
	}
	r.scopes, r.calls = b.scopes[:0], b.callsFree
	b.pool, b.table, b.marks, b.local, b.scopes, b.callsFree = nil, nil, nil, nil, nil, nil
	pools.Put(r)
}

// exactly copies a slice without room to grow.
func exactly[T any](s []T) []T {
	out := make([]T, len(s))
	copy(out, s)
	return out
}

// trimmed is s, copied if much of its room is not used.
func trimmed[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/8 {
		return exactly(s)
	}
	return s
}
