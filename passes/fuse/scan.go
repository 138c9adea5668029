package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/ordering"
)

// A result is one of what a loop gives.
type result struct {
	loop ir.Value
	i    int
}

// A source is a generator of a loop of the region, whose emits are the rounds of what reads
// them; root, the rounds of the loop itself.
type source struct{ loop, gen int }

var root = source{-1, -1}

// sizeKey tells sizes apart: a value, or how much a conditional generator emits, for which
// there are as many values as it has results.
type sizeKey struct {
	v   ir.Value
	gen int
}

// A member is a loop of a region, a candidate.
type member struct {
	v     ir.Value
	pos   int // among the ops of the region
	index ir.Value
	gens  []loop.Generator
	first []int // of each generator its first result
	emits []ir.Value

	key    sizeKey
	from   source // whose emits are its rounds, if its size is their number
	lenDep int    // the place of the op that is that number, or -1
	lenToo bool   // the number is used in its body as well

	reads    map[int][]int    // by loop: the results that it reads at its own index only
	whole    map[int]obstacle // by loop: what it does otherwise with what that makes
	outside  []ir.Value       // other arrays that it reads at its index
	indexed  obstacle         // what it needs its index for, other than reads
	deps     []int            // places of the ops that it needs, or that come before it
	readsMem bool
	writes   bool
	away     bool // what it emits is taken in another region, or more than once
	effort   effort
}

// obstacle is an op that stands in the way, and how.
type obstacle struct {
	why why
	op  ir.Value
}

// conditional reports a generator that is not given one tuple in each round.
func (l *member) conditional(gen int) bool { return l.emits[gen] != 0 }

// emitting reports a loop that hands what it emits to a loop around.
func (l *member) emitting() bool {
	return slices.ContainsFunc(l.gens, func(g loop.Generator) bool { return g.Kind == loop.EmitKind })
}

// combines reports a loop that hands on values from round to round, and no more. (Whatever else it
// makes would grow in the rounds that another one emits, and is of a known size in its own.)
func (l *member) combines() bool {
	return !slices.ContainsFunc(l.gens, func(g loop.Generator) bool { return g.Kind != loop.ReduceKind })
}

// keeps reports a loop that keeps a table, or an array of which it does not know the size.
func (l *member) keeps() bool {
	for k, g := range l.gens {
		if g.Kind == loop.BucketKind || g.Kind != loop.ReduceKind && l.conditional(k) {
			return true
		}
	}
	return false
}

// generator finds which generator makes result i.
func (l *member) generator(i int) int {
	k := 0
	for k+1 < len(l.first) && l.first[k+1] <= i {
		k++
	}
	return k
}

// A region is what is known of a region's loops.
type region struct {
	s     *ir.Schedule
	g     *ir.Graph
	r     ir.Region
	body  []ir.Value
	deps  [][]int // of each op the places of those that come before it
	loops []*member
	at    map[ir.Value]int // loops by node
	byPos map[int]int      // and by place
}

// scan looks at a region; nil if there are no loops.
func scan(s *ir.Schedule, r ir.Region) *region {
	g := s.Graph()
	x := &region{s: s, g: g, r: r, body: s.Body(r), at: map[ir.Value]int{}, byPos: map[int]int{}}
	// All loops are numbered first: walk asks for each operand whether a loop of the region makes it.
	for pos, v := range x.body {
		if g.Def(v) == loop.For {
			x.at[v], x.byPos[pos] = len(x.loops), len(x.loops)
			x.loops = append(x.loops, x.newMember(v, pos))
		}
	}
	if len(x.loops) == 0 {
		return nil
	}
	o := ordering.New(s, r)
	x.order(o)
	for i, l := range x.loops {
		l.deps = x.deps[l.pos]
		x.size(o, l)
		x.walk(i, g.Regions(l.v))
		for _, a := range g.Args(l.v)[1:] {
			x.use(i, l.v, 1, a)
		}
		l.away = x.emitsAway(l)
	}
	return x
}

// newMember looks at a loop by itself.
func (x *region) newMember(v ir.Value, pos int) *member {
	g := x.g
	body := g.Regions(v)[0]
	l := &member{v: v, pos: pos, index: g.Params(body)[0], gens: loop.Generators(g.NodeOf(v)), from: root, lenDep: -1,
		reads: map[int][]int{}, whole: map[int]obstacle{}}
	n := 0
	for k, given := range loop.Split(g, l.gens, g.Yields(body)) {
		l.first = append(l.first, n)
		n += len(l.gens[k].Results(g.Ctx))
		e := ir.Value(0)
		if loop.EmitsIn(g, given) {
			e = given[0]
		}
		l.emits = append(l.emits, e)
	}
	for _, r := range g.Regions(v) {
		for _, e := range g.EffectsOf(r) {
			l.writes, l.readsMem = l.writes || e.Writes(), true
		}
	}
	l.effort.count(x, l)
	return l
}

// emitsAway reports a loop whose rounds are made elsewhere, or again: where what it emits is
// taken, unless the region itself takes it, once.
func (x *region) emitsAway(l *member) bool {
	if !l.emitting() {
		return false
	}
	uses := map[int]int{}
	for _, u := range x.g.NodeOf(l.v).Users() {
		for _, a := range x.g.Args(u.Old()) {
			n, i, _ := x.g.Projection(a)
			if n != l.v || !loop.IsEmit(x.g.Ctx, x.g.Type(a)) {
				continue
			}
			// Whoever takes an emit runs the rounds: two users would run them twice.
			if uses[i]++; uses[i] > 1 || !slices.Contains(x.body, u.Old()) {
				return true
			}
		}
	}
	return false
}

// order lists by place what comes before each op.
func (x *region) order(o *ordering.Order) {
	at := make(map[ir.Value]int, len(x.body))
	for i, v := range x.body {
		at[v] = i
	}
	x.deps = make([][]int, len(x.body))
	for i, v := range x.body {
		for w := range o.Needs(v) {
			x.deps[i] = append(x.deps[i], at[w])
		}
		for w := range o.After(v) {
			if !o.Needs(v)[w] {
				x.deps[i] = append(x.deps[i], at[w])
			}
		}
	}
}

// size finds out over what a loop runs.
func (x *region) size(o *ordering.Order, l *member) {
	g := x.g
	size := g.Args(l.v)[0]
	l.key = sizeKey{size, -1}
	if g.Def(size) != loop.Len {
		return
	}
	n, i, _ := g.Projection(g.Args(size)[0])
	j, ok := x.at[n]
	if !ok || x.loops[j].gens[x.loops[j].generator(i)].Kind != loop.CollectKind {
		return
	}
	p := x.loops[j]
	k := p.generator(i)
	l.key, l.from = sizeKey{n, k}, source{j, k}
	if t := o.Top(size); t != 0 {
		for _, d := range l.deps {
			if x.body[d] == t {
				l.lenDep = d
			}
		}
	}
}

// walk looks at all ops in regions of loop i.
func (x *region) walk(i int, rs []ir.Region) {
	for _, r := range rs {
		for _, v := range x.s.Body(r) {
			x.loops[i].effort.ops++
			for k, a := range x.g.Args(v) {
				x.use(i, v, k, a)
			}
			x.walk(i, x.g.Regions(v))
		}
	}
}

// use notes what loop i does with operand k of an op in it.
func (x *region) use(i int, op ir.Value, k int, a ir.Value) {
	l, g := x.loops[i], x.g
	read := g.Def(op) == loop.At && g.Args(op)[1] == l.index
	if a == l.index {
		switch array, _, _ := g.Projection(g.Args(op)[0]); {
		case !read || k != 1:
			l.blame(&l.indexed, usesIndex, op)
		default:
			if _, ok := x.at[array]; !ok {
				addTo(&l.outside, g.Args(op)[0])
				l.blame(&l.indexed, readsOther, op)
			}
		}
	}
	if a == g.Args(l.v)[0] {
		l.lenToo = true
	}
	n, res, _ := g.Projection(a)
	j, ok := x.at[n]
	if !ok || j == i {
		return
	}
	o := l.whole[j]
	switch p := x.loops[j]; {
	case !read:
		w := usesWhole
		switch {
		case g.Def(op) == loop.At:
			w = otherIndex
		case g.Def(op) == loop.Len:
			w = usesLength
		case p.gens[p.generator(res)].Kind == loop.ReduceKind:
			w = usesResult
		}
		l.blame(&o, w, op)
	case p.gens[p.generator(res)].Kind != loop.CollectKind:
		l.blame(&o, notYet, op)
		l.blame(&l.indexed, readsOther, op)
	default:
		results := l.reads[j]
		addTo(&results, res)
		l.reads[j] = results
		return
	}
	l.whole[j] = o
}

// addTo puts a value in a list that it is not in yet.
func addTo[T comparable](list *[]T, x T) {
	if !slices.Contains(*list, x) {
		*list = append(*list, x)
	}
}

// blame notes the first op that stands in the way.
func (l *member) blame(o *obstacle, w why, op ir.Value) {
	if o.why == 0 {
		*o = obstacle{w, op}
	}
}
