package fuse

import (
	"slices"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/hash"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/loops/lanes"
)

// model is what fusion saves, in operations on floats for each run of the region: accesses to
// memory, and the control of loops that share some or are alike, less what no longer runs in
// vectors.
type model struct {
	*region
	costs  *target.Costs
	lanes  lanes.Cost // of an operation, in vectors
	uses   map[result]*uses
	trips  map[sizeKey]float64
	shared map[ir.Value]int // loops that read an array from elsewhere at their index
}

// uses are those of a result.
type uses struct {
	readers []int // loops of the region that read it at their own index, low to high
	other   bool  // something else uses it
}

// newModel counts once who uses each result, and how many loops read each array from elsewhere.
func newModel(x *region, t *target.Target) *model {
	m := &model{region: x, costs: &t.Costs, lanes: lanes.ByLLVM(t), uses: map[result]*uses{}, trips: map[sizeKey]float64{}, shared: map[ir.Value]int{}}
	index := map[ir.Value]int{}
	for i, l := range x.loops {
		index[l.index] = i
		for _, a := range l.outside {
			m.shared[a]++
		}
	}
	for _, l := range x.loops {
		for _, u := range x.g.NodeOf(l.v).Users() {
			m.user(l, u.Old(), index)
		}
	}
	for _, u := range m.uses {
		slices.Sort(u.readers)
	}
	return m
}

// user notes how an op uses results of a loop. That asks for their length is no use: it is
// known without them.
func (m *model) user(l *member, u ir.Value, index map[ir.Value]int) {
	for k, a := range m.g.Args(u) {
		n, i, _ := m.g.Projection(a)
		if n != l.v || m.g.Def(u) == loop.Len {
			continue
		}
		x := m.uses[result{n, i}]
		if x == nil {
			x = &uses{}
			m.uses[result{n, i}] = x
		}
		j, reads := -1, false
		if m.g.Def(u) == loop.At && k == 0 {
			j, reads = index[m.g.Args(u)[1]]
		}
		switch {
		case !reads:
			x.other = true
		case !slices.Contains(x.readers, j):
			x.readers = append(x.readers, j)
		}
	}
}

// rounds guesses how often the body of a loop runs.
func (m *model) rounds(k sizeKey) float64 {
	n, ok := m.trips[k]
	if ok {
		return n
	}
	n = m.costs.Trips
	if k.gen >= 0 {
		p := m.loops[m.at[k.v]]
		// A conditional generator emits as often as a branch runs.
		n = m.rounds(p.key) * m.costs.Branch
	} else if v, ok := m.g.Const(k.v); ok && v.Ref == nil {
		n = float64(v.Bits)
	}
	m.trips[k] = n
	return n
}

// access is what it costs to load or store a value of a type.
func (m *model) access(t ir.Type) float64 {
	if w := m.g.Ctx.Info(t).Width; w > 0 {
		return m.costs.Stream * float64(w) / 64
	}
	return 4 * m.costs.Stream
}

// gain is what is saved if loop l, which was not in it, runs in cluster k. Of loops taken in
// order these add up: an array is gone when the last of its readers joins.
func (m *model) gain(p *plan, l, k int) float64 {
	x, c := m.loops[l], p.clusters[k]
	rounds := m.rounds(x.key)
	sum := 0.0
	for j, results := range x.reads {
		if p.of[j] != k {
			continue
		}
		for _, r := range results {
			sum += rounds * m.read(p, l, j, r, k)
		}
	}
	for _, a := range x.outside {
		if slices.ContainsFunc(c.members, func(j int) bool { return slices.Contains(m.loops[j].outside, a) }) {
			sum += rounds * m.elem(a)
		}
	}
	if sum > 0 || x.key == c.key && m.alike(l, c) || x.key != c.key && x.combines() {
		sum += 1 + rounds // its control
	}
	return sum - m.scalar(l, k, p) - rounds*m.missed(x, c)
}

// missed is what each round of loop x costs in a cluster because its groups are asked for when they
// are needed: by itself it asks for those of rounds ahead, and so it does among rounds that
// emit one tuple at most. (A table that a key of hash.DenseBits may name stays in a cache.)
func (m *model) missed(x *member, c *cluster) float64 {
	if x.key == c.key || x.key.gen < 0 {
		return 0
	}
	from := m.loops[m.at[x.key.v]]
	if e := from.emits[x.key.gen]; e == 0 || loop.AtMostOne(m.g, e) {
		return 0
	}
	sum := 0.0
	for _, gen := range x.gens {
		bits := 0
		for _, t := range loop.Leaves(m.g.Ctx, gen.Types...) {
			if w := m.g.Ctx.Info(t).Width; w > 0 && w < 64 {
				bits += w
			} else {
				bits += 64
			}
		}
		if gen.Kind == loop.BucketKind && bits > hash.DenseBits {
			sum += m.costs.Miss
		}
	}
	return sum
}

// alike reports that a loop and those of a cluster, over the same size, are worth one loop
// though none reads what another one does: LLVM runs all of them in vectors, or none, or what it
// runs in vectors has little to do; and they only hand on values from round to round. What a loop
// keeps besides, a table or an array that grows, is better alone at hand.
func (m *model) alike(l int, c *cluster) bool {
	x := m.loops[l]
	for _, j := range c.members {
		y := m.loops[j]
		if x.keeps() || y.keeps() || x.effort.vector && !y.effort.vector && !x.little() || y.effort.vector && !x.effort.vector && !y.little() {
			return false
		}
	}
	return true
}

// little reports a loop that reads nothing and makes each number by one operation.
func (l *member) little() bool { return len(l.reads) == 0 && len(l.outside) == 0 && l.effort.work <= 1 }

// elem is what it costs to access an element of an array.
func (m *model) elem(array ir.Value) float64 {
	t, _ := loop.ElemOf(m.g.Ctx, m.g.Type(array))
	return m.access(t)
}

// read is what each round of loop l saves that reads result r of loop j in cluster k.
func (m *model) read(p *plan, l, j, r, k int) float64 {
	cost, u := m.made(j, r), m.uses[result{m.loops[j].v, r}]
	if u.other {
		return cost
	}
	// While another reader is outside of the cluster or undecided, the array is made: only the load is saved.
	// With the last one the store goes too.
	for _, reader := range u.readers {
		if reader > l || reader != l && p.of[reader] != k {
			return cost
		}
	}
	return 2 * cost
}

// made is what it costs to access an element of result r, which loop j collects.
func (m *model) made(j, r int) float64 {
	x := m.loops[j]
	k := x.generator(r)
	return m.access(x.gens[k].Types[r-x.first[k]])
}

// most is what loop l saves at most, wherever it runs.
func (m *model) most(l int) float64 {
	x := m.loops[l]
	rounds := m.rounds(x.key)
	sum := 1 + rounds
	for j, results := range x.reads {
		for _, r := range results {
			cost := m.made(j, r)
			// Only the last reader in order can save the store: the bound stays close.
			if u := m.uses[result{m.loops[j].v, r}]; !u.other && u.readers[len(u.readers)-1] == l {
				cost *= 2
			}
			sum += rounds * cost
		}
	}
	for _, a := range x.outside {
		if m.shared[a] > 1 {
			sum += rounds * m.elem(a)
		}
	}
	return sum
}
