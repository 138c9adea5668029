package ir

import (
	"sync"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// maxFoldDepth bounds rules that ask for what other rules make: two that undo each other are the author's mistake, not a hang.
const maxFoldDepth = 500

// Folds reports that ops are normalised as they are built: a front may leave out what a rule would.
func (b *Builder) Folds() bool { return !b.plain && !b.g.verbatim }

// fold returns an equal node, or 0.
func (b *Builder) fold(c *Call) Value {
	if b.plain || c.Def.Traits&(ConstantLike|Opaque) != 0 {
		return 0
	}
	facts, constants := b.operands(c.Args)
	if constants && c.Def.Eval != nil && len(c.Args) > 0 && len(c.Regions) == 0 {
		if v := b.foldConstants(c); v != 0 {
			return v
		}
	}
	folds := b.g.Ctx.ops.foldsOf(c.Def)
	if len(folds) == 0 {
		return 0
	}
	if b.depth > maxFoldDepth {
		panic("ir: folds of " + c.Def.Name + " do not end")
	}
	b.depth++
	b.trial++
	v := b.firstFold(folds, facts, c)
	b.depth--
	if b.trial--; b.trial == 0 {
		b.attempted = b.attempted[:0]
	}
	return v
}

// operands finds what is to be known of operands before any rule is asked, and whether all are constants.
func (b *Builder) operands(args []Value) (facts Operands, constants bool) {
	all := uint16(flagConst)
	for i, a := range args {
		rec := &b.g.nodes[a]
		facts |= madeByOp(rec.op)
		if all &= rec.flags; rec.flags&flagConst != 0 {
			facts |= Constant
		}
		if i > 2 || i > 0 && (a == args[i-1] || a == args[0]) { // of more than three it is not looked for
			facts |= Same
		}
	}
	return facts, all != 0
}

// firstFold returns what the first rule that applies makes of an op, or 0.
func (b *Builder) firstFold(folds []Fold, facts Operands, c *Call) Value {
	for i := range folds {
		needed := folds[i].Needs&^facts == 0
		if !needed && !b.g.Ctx.AskAll {
			continue
		}
		made := len(b.attempted)
		v := folds[i].Do(b, c)
		if v == 0 {
			b.noteTried(made)
			continue
		}
		if !needed {
			panic("ir: rule \"" + folds[i].Rule + "\" of " + c.Def.Name + " applies although what it needs is not there")
		}
		if b.g.nodes[v].typ != c.Type {
			panic("ir: rule \"" + folds[i].Rule + "\" of " + c.Def.Name + " changes the type")
		}
		if b.missing != nil {
			return v // only asked
		}
		fired(b.g, folds[i].Rule, c.Loc, v)
		return v
	}
	return 0
}

func (b *Builder) foldConstants(c *Call) Value {
	vals := make([]Val, 0, len(c.Args))
	for i := range c.Args {
		v, ok := c.Const(i)
		if !ok {
			return 0
		}
		vals = append(vals, v)
	}
	out, err := c.Def.Eval(c, vals)
	if err != nil {
		return 0 // a trap stays where it is
	}
	a := b.Ctx().AttrOf(out, c.Type)
	if a == 0 || b.g.Ctx.constantOf(c.Type) == nil {
		return 0
	}
	v := b.ConstAttr(c.Type, a)
	Event{Kind: Folded, At: c.Loc, Value: v}.tell(b.g)
	return v
}

// A Cleanup is a normalising rule that needs to know who uses an op, which a fold cannot:
// what is built has no users yet. It runs where a graph is rebuilt to be cleaned up (the pass
// canonicalize and others), and asks the old graph: Node.Users, Node.UsedResults, Uses. It
// returns what stands for the op, or 0. Rule says in a line what it does.
type Cleanup struct {
	Of   *OpDef
	Rule string
	Do   func(m *Mirror, n Node) Value
}

// share finds an equal node that may stand for this one, or adds it.
//
// Some nodes are shared only with one that was built in the same region or one around it
// up to the barrier: those that may trap, that are built inside a barrier, or that need a
// region so deep that their home is not known exactly.
//
// Two others are one if they are equal, wherever they were built, in sibling regions too. Needs follow from
// operands, hard edges and regions, so both have one home. That is open, as the operands are in scope.
// Where the node runs is up to the Schedule.
func (b *Builder) share(rec record, args, hard, soft []Value, regions []Region) Value {
	h := b.hashNode(&rec, args, hard, regions)
	if rec.flags&flagPartial == 0 && b.barriers == 0 && rec.needs&deepest == 0 {
		return b.lookup(h, rec, args, hard, soft, regions)
	}
	for i := len(b.scopes) - 1; i >= 0; i-- {
		s := &b.scopes[i]
		if v := b.find(intern.Mix(h, uint64(s.region)+1), &rec, args, hard, regions, s.region); v != 0 {
			return b.shared(v, regions)
		}
		if s.kind == Barrier {
			break
		}
	}
	return b.insert(intern.Mix(h, uint64(b.top().region)+1), rec, args, hard, soft, regions)
}

func (b *Builder) lookup(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if v := b.find(h, &rec, args, hard, regions, noRegion); v != 0 {
		return b.shared(v, regions)
	}
	return b.insert(h, rec, args, hard, soft, regions)
}

// shared counts the regions that lost against those of an equal op.
func (b *Builder) shared(v Value, regions []Region) Value {
	for _, r := range regions {
		b.g.Garbage += len(b.g.regions[r].members)
	}
	return v
}

const noRegion = ^Region(0)

func (b *Builder) hashNode(rec *record, args, hard []Value, regions []Region) uint64 {
	h := intern.Mix(intern.HashSeed, uint64(rec.op)<<32|uint64(rec.typ))
	h = intern.Mix(h, uint64(rec.attr))
	if len(args) >= 2 && b.commutative(rec.op) {
		h = intern.Mix(h, uint64(min(args[0], args[1])))
		h = intern.Mix(h, uint64(max(args[0], args[1])))
		args = args[2:]
	}
	for _, a := range args {
		h = intern.Mix(h, uint64(a))
	}
	for _, a := range hard {
		h = intern.Mix(h, uint64(a)|1<<40)
	}
	for _, r := range regions {
		h = intern.Mix(h, b.g.regions[r].hash)
		free := uint64(0) // in any order
		for _, v := range b.g.regions[r].frees {
			free += intern.Mix(intern.HashSeed, uint64(v))
		}
		h = intern.Mix(h, free)
	}
	return h
}

func (b *Builder) commutative(op Op) bool {
	return op < firstUnknown && b.g.Ctx.Def(op).Traits&Commutative != 0
}

// find looks an equal node up; home is where it must live, or noRegion.
func (b *Builder) find(h uint64, rec *record, args, hard []Value, regions []Region, home Region) Value {
	mask, key := uint32(len(b.table)-1), uint32(h>>32)
	for i := key & mask; ; i = (i + 1) & mask {
		b.steps++
		s := b.table[i]
		if s.v == 0 {
			return 0
		}
		if s.hash == key && (home == noRegion || b.g.nodes[s.v].home == home) && b.equal(s.v, rec, args, hard, regions) {
			return s.v
		}
	}
}

// equal compares all that hashNode does, and whether the ops may be undefined. Soft edges do not count: they
// only order. Needs and home need not be compared (see share).
func (b *Builder) equal(v Value, rec *record, args, hard []Value, regions []Region) bool {
	g := b.g
	old := &g.nodes[v]
	if old.op != rec.op || old.typ != rec.typ || old.attr != rec.attr || (old.flags^rec.flags)&(flagPartial|flagTraps) != 0 ||
		int(old.nargs) != len(args) || int(old.nhard) != len(hard) || int(old.nreg) != len(regions) {
		return false
	}
	oldArgs := g.Args(v)
	if len(args) >= 2 && oldArgs[0] != args[0] && b.commutative(rec.op) {
		if oldArgs[0] != args[1] || oldArgs[1] != args[0] {
			return false
		}
		oldArgs, args = oldArgs[2:], args[2:]
	}
	for i, a := range oldArgs {
		if a != args[i] {
			return false
		}
	}
	for i, a := range g.Hard(v) {
		if a != hard[i] {
			return false
		}
	}
	oldRegions := g.Regions(v)
	if len(oldRegions) != len(regions) {
		return false
	}
	for i, r := range oldRegions {
		if !g.equalRegions(regions[i], r, renaming{}) {
			return false
		}
	}
	return true
}

func (b *Builder) insert(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if 8*b.used >= 5*len(b.table) {
		b.grow(2 * len(b.table))
	}
	v := b.add(rec, args, hard, soft, regions)
	b.place(slot{uint32(h >> 32), v})
	b.used++
	return v
}

func (b *Builder) place(s slot) {
	mask := uint32(len(b.table) - 1)
	i := s.hash & mask
	for b.table[i].v != 0 {
		i = (i + 1) & mask
	}
	b.table[i] = s
}

func (b *Builder) grow(size int) {
	old := b.table
	b.table = make([]slot, size)
	for _, s := range old {
		if s.v != 0 {
			b.place(s)
		}
	}
}

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
