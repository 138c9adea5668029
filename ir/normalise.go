package ir

import (
	"sync"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// maxFoldDepth bounds rules that ask for what other rules make: two that undo each other are the author's mistake, not a hang.
const maxFoldDepth = 500

// Folds reports that ops are normalised as they are built: a front may leave out what a rule would.
func (b *Builder) Folds() bool { return !b.fold.plain && !b.g.verbatim }

// folding asks the rules of ops, and what they mean on constants. Ops that a rule makes before it gives up are
// unneeded; a replay of the graph may not make them.
type folding struct {
	g         *Graph
	b         *Builder // which rules build by
	plain     bool     // no folds: rebuild exactly what is given
	depth     int      // of nested folds
	asked     *Call    // the innermost op that rules are asked of
	trial     int      // rules and Enter under way
	attempted []Value  // what they made
	matched   [1]Attr  // what a pattern asks of
}

// begin starts a trial, and returns how many ops were made before it.
func (f *folding) begin() (made int) {
	f.trial++
	return len(f.attempted)
}

// end ends a trial; after the outermost one nothing is undecided.
func (f *folding) end() {
	if f.trial--; f.trial == 0 {
		f.attempted = f.attempted[:0]
	}
}

// made notes an op, if a trial is under way.
func (f *folding) made(v Value) {
	if f.trial > 0 {
		f.attempted = append(f.attempted, v)
	}
}

// unneeded notes what was made since there were n, without need.
func (f *folding) unneeded(n int) {
	if len(f.attempted) == n {
		return
	}
	f.g.notes.early = append(f.g.notes.early, f.attempted[n:]...)
	f.attempted = f.attempted[:n]
}

// of returns a node equal to an op, or 0.
func (f *folding) of(c *Call) Value {
	if f.plain || c.Def.Traits&(ConstantLike|Opaque) != 0 {
		return 0
	}
	facts, constants := f.operands(c.Args)
	if constants && c.Def.Eval != nil && len(c.Args) > 0 && len(c.Regions) == 0 {
		if v := f.constants(c); v != 0 {
			return v
		}
	}
	folds := f.g.Ctx.ops.foldsOf(c.Def)
	if len(folds) == 0 {
		return 0
	}
	if f.depth > maxFoldDepth {
		f.endless(c)
	}
	c.under, f.asked = f.asked, c
	f.depth++
	f.begin()
	v := f.firstFold(folds, facts, c)
	f.end()
	f.depth--
	f.asked = c.under
	return v
}

// operands finds what is to be known of operands before any rule is asked, and whether all are constants.
func (f *folding) operands(args []Value) (facts Operands, constants bool) {
	all := uint16(flagConst)
	for i, a := range args {
		rec := &f.g.nodes[a]
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
func (f *folding) firstFold(folds []Fold, facts Operands, c *Call) Value {
	for i := range folds {
		needed := folds[i].Needs&^facts == 0
		if !needed && !f.g.Ctx.AskAll && !(f.g.Ctx.CheckHooks && f.g.Ctx.ops.theirs(c.Def)) {
			continue
		}
		made := len(f.attempted)
		c.fold = &folds[i]
		v := folds[i].Apply(f.b, c)
		if v == 0 {
			f.unneeded(made)
			continue
		}
		f.checkFold(c, v, needed)
		c.fold = nil
		if f.b.over.missing != nil {
			return v // only asked
		}
		fired(f.g, folds[i].Rule, c.Loc, v)
		return v
	}
	c.fold = nil
	return 0
}

func (f *folding) constants(c *Call) Value {
	vals := make([]Val, 0, len(c.Args))
	for i := range c.Args {
		v, ok := c.Const(i)
		if !ok {
			return 0
		}
		vals = append(vals, v)
	}
	out, err := c.Def.Eval(c, vals)
	if f.g.Ctx.ops.theirs(c.Def) {
		f.checkEval(c, vals, out, err)
	}
	if err != nil {
		return 0 // a trap stays where it is
	}
	a := f.g.Ctx.AttrOf(out, c.Type)
	if a == 0 || f.g.Ctx.constantOf(c.Type) == nil {
		return 0
	}
	v := f.b.ConstAttr(c.Type, a)
	Event{Kind: Folded, At: c.Loc, Value: v}.tell(f.g)
	return v
}

// A Cleanup is a normalising rule that needs to know who uses an op, which a fold cannot:
// what is built has no users yet. It runs where a graph is rebuilt to be cleaned up (the pass
// canonicalize and others), and asks the old graph: Node.Users, Node.UsedResults, Uses. It
// returns what stands for the op, or 0. Rule says in a line what it does.
type Cleanup struct {
	Of   *OpDef                        // the op that it is for
	Rule string                        // as "x + 0 = x"
	Do   func(m *Mirror, n Node) Value // called from one goroutine for each graph, from several for several graphs
}

// sharing is the table of the nodes that may stand for others, by a hash of all that makes them equal: open
// addressing, and never more than 5/8 full.
type sharing struct {
	g     *Graph
	open  *openRegions
	table []slot
	used  int
	local []uint32 // number within its region, while that is hashed
	steps int      // of looking nodes up
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
func (t *sharing) share(rec record, args, hard, soft []Value, regions []Region) Value {
	h := t.hashNode(&rec, args, hard, regions)
	if rec.flags&flagPartial == 0 && t.open.barriers == 0 && rec.needs&deepest == 0 {
		return t.lookup(h, rec, args, hard, soft, regions)
	}
	for i := len(t.open.scopes) - 1; i >= 0; i-- {
		s := &t.open.scopes[i]
		if v := t.find(intern.Mix(h, uint64(s.region)+1), &rec, args, hard, regions, s.region); v != 0 {
			return t.lost(v, regions)
		}
		if s.kind == Barrier {
			break
		}
	}
	return t.insert(intern.Mix(h, uint64(t.open.top().region)+1), rec, args, hard, soft, regions)
}

func (t *sharing) lookup(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if v := t.find(h, &rec, args, hard, regions, noRegion); v != 0 {
		return t.lost(v, regions)
	}
	return t.insert(h, rec, args, hard, soft, regions)
}

// lost counts the regions that lost against those of an equal op.
func (t *sharing) lost(v Value, regions []Region) Value {
	for _, r := range regions {
		t.g.garbage += len(t.g.regions[r].members)
	}
	return v
}

const noRegion = ^Region(0)

func (t *sharing) hashNode(rec *record, args, hard []Value, regions []Region) uint64 {
	h := intern.Mix(intern.HashSeed, uint64(rec.op)<<32|uint64(rec.typ))
	h = intern.Mix(h, uint64(rec.attr))
	if len(args) >= 2 && t.commutative(rec.op) {
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
		h = intern.Mix(h, t.g.regions[r].digest.hash)
		free := uint64(0) // in any order
		for _, v := range t.g.regions[r].outside.frees {
			free += intern.Mix(intern.HashSeed, uint64(v))
		}
		h = intern.Mix(h, free)
	}
	return h
}

// digestOf hashes a closed region so that regions equal up to the names of
// their parameters hash alike. Values of outer regions that may themselves be
// renamed count with their op and type only.
func (t *sharing) digestOf(r Region) digest {
	g := t.g
	reg := &g.regions[r]
	d := digest{hash: intern.Mix(intern.HashSeed, uint64(reg.kind))}
	if len(t.local) < len(g.nodes) {
		t.local = append(t.local, make([]uint32, len(g.nodes)+len(g.nodes)/2-len(t.local))...)
	}
	for i, v := range reg.members {
		t.local[v] = uint32(i)
		rec := &g.nodes[v]
		d.node(rec)
		for _, e := range g.edge(v, 0, rec.nargs+rec.nhard) {
			switch n := &g.nodes[e]; {
			case n.home == r:
				d.edge(uint64(t.local[e]) | 1<<40)
			case n.home == Root:
				d.edge(uint64(e) | 1<<41)
			default:
				d.edge(uint64(n.op)<<32 | uint64(n.typ))
			}
		}
		for _, in := range g.Regions(v) {
			d.region(g.regions[in].digest)
		}
	}
	return d
}

func (t *sharing) commutative(op Op) bool {
	return op < firstUnknown && t.g.Ctx.def(op).Traits&Commutative != 0
}

// find looks an equal node up; home is where it must live, or noRegion.
func (t *sharing) find(h uint64, rec *record, args, hard []Value, regions []Region, home Region) Value {
	mask, key := uint32(len(t.table)-1), uint32(h>>32)
	for i := key & mask; ; i = (i + 1) & mask {
		t.steps++
		s := t.table[i]
		if s.v == 0 {
			return 0
		}
		if s.hash == key && (home == noRegion || t.g.nodes[s.v].home == home) && t.equal(s.v, rec, args, hard, regions) {
			return s.v
		}
	}
}

// equal compares all that hashNode does, and whether the ops may be undefined. Soft edges do not count: they
// only order. Needs and home need not be compared (see share).
func (t *sharing) equal(v Value, rec *record, args, hard []Value, regions []Region) bool {
	g := t.g
	old := &g.nodes[v]
	if old.op != rec.op || old.typ != rec.typ || old.attr != rec.attr || (old.flags^rec.flags)&(flagPartial|flagTraps) != 0 ||
		int(old.nargs) != len(args) || int(old.nhard) != len(hard) || int(old.nreg) != len(regions) {
		return false
	}
	oldArgs := g.Args(v)
	if len(args) >= 2 && oldArgs[0] != args[0] && t.commutative(rec.op) {
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

// renaming maps nodes of one region to those of another that may be equal.
type renaming map[Value]Value

// equalRegions reports that two closed regions are equal up to the names of
// their parameters.
func (g *Graph) equalRegions(x, y Region, m renaming) bool {
	rx, ry := &g.regions[x], &g.regions[y]
	if rx.digest.hash != ry.digest.hash || rx.kind != ry.kind || rx.hasBlock != ry.hasBlock ||
		len(rx.members) != len(ry.members) || len(rx.params) != len(ry.params) {
		return false
	}
	for i, v := range rx.members {
		w := ry.members[i]
		m[v] = w
		if !g.equalNodes(v, w, m) {
			return false
		}
	}
	return true
}

func (g *Graph) equalNodes(v, w Value, m renaming) bool {
	a, b := &g.nodes[v], &g.nodes[w]
	if a.op != b.op || a.typ != b.typ || a.attr != b.attr || a.nargs != b.nargs ||
		a.nhard != b.nhard || a.nreg != b.nreg || (a.flags^b.flags)&flagsOfOp != 0 {
		return false
	}
	ve, we := g.edge(v, 0, a.nargs+a.nhard), g.edge(w, 0, b.nargs+b.nhard)
	for i := range ve {
		x := ve[i]
		if y, ok := m[x]; ok {
			x = y
		}
		if x != we[i] {
			return false
		}
	}
	vr, wr := g.Regions(v), g.Regions(w)
	for i := range vr {
		if !g.equalRegions(vr[i], wr[i], m) {
			return false
		}
	}
	vc, wc := g.Children(v), g.Children(w)
	for i := range vc {
		if vc[i] != wc[i] {
			return false
		}
	}
	return true
}

func (t *sharing) insert(h uint64, rec record, args, hard, soft []Value, regions []Region) Value {
	if 8*t.used >= 5*len(t.table) {
		t.grow(2 * len(t.table))
	}
	v := t.open.add(rec, args, hard, soft, regions)
	t.place(slot{uint32(h >> 32), v})
	t.used++
	return v
}

func (t *sharing) place(s slot) {
	mask := uint32(len(t.table) - 1)
	i := s.hash & mask
	for t.table[i].v != 0 {
		i = (i + 1) & mask
	}
	t.table[i] = s
}

func (t *sharing) grow(size int) {
	old := t.table
	t.table = make([]slot, size)
	for _, s := range old {
		if s.v != 0 {
			t.place(s)
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

// call takes a call, which goes back to calls once its op is made.
func (p *pool) call() (c *Call) {
	n := len(p.calls)
	if n == 0 {
		return new(Call)
	}
	c, p.calls = p.calls[n-1], p.calls[:n-1]
	return c
}

// moveIn lends the room to a Builder of a new graph.
func (p *pool) moveIn(b *Builder) {
	g := b.g
	g.nodes, g.locs = append(p.nodes[:0], record{}), append(p.locs[:0], 0)
	g.edges, g.regions, g.manyLocs = p.edges[:0], p.regions[:0], p.many[:0]
	b.shared.table, b.shared.local = p.table, p.local
	b.live.marks, b.live.epoch = p.marks, p.epoch
	b.open.scopes = p.scopes[:0]
}

// moveOut takes the room back for others; the graph keeps what is in it.
func (p *pool) moveOut(b *Builder) {
	g, calls := b.g, p.calls
	if len(g.nodes) > maxRoomNodes || len(b.shared.table) > maxRoomSlots {
		g.nodes, g.edges, g.locs, g.regions = trimmed(g.nodes), trimmed(g.edges), trimmed(g.locs), trimmed(g.regions)
		g.manyLocs = trimmed(g.manyLocs)
		*p = pool{table: make([]slot, 512), epoch: 0}
	} else {
		*p = pool{nodes: g.nodes, edges: g.edges, locs: g.locs, many: g.manyLocs, regions: g.regions, table: b.shared.table, marks: b.live.marks, local: b.shared.local, epoch: b.live.epoch}
		g.nodes, g.edges, g.locs, g.regions = exactly(g.nodes), exactly(g.edges), exactly(g.locs), exactly(g.regions)
		g.manyLocs = exactly(g.manyLocs)
		clear(p.regions) // they hold slices
		clear(p.table)
	}
	for _, c := range calls {
		*c = Call{}
	}
	p.scopes, p.calls = b.open.scopes[:0], calls
	b.shared.table, b.shared.local, b.live.marks, b.open.scopes = nil, nil, nil, nil
	pools.Put(p)
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
