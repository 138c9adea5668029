package ir

import "slices"

// A Source is where a parameter of a region gets its value from: an operand of
// the op, or what one of its regions yields.
type Source struct {
	Yields bool // operand Index of the terminator of Region; else operand Index of the op
	Region int
	Index  int
}

// Speculate rebuilds a graph and its children optimistically. A loop is built
// as if it wrote nothing and each value it carries were the first one for good.
// Folds fire under that assumption, and what they take away has no effect. Then
// what the body really writes and yields is joined into the assumption, the body
// is thrown away and built again, until it does nothing but what was assumed.
// That is sound by induction over the iterations. Each resource takes one step, from unchanged to changed,
// and each carried value one, from constant to unknown. So it ends without a limit, and tries no values one
// by one. (Lerner, Grove and Chambers 2002; LMS, "Speculative Rewriting".)
//
// What was assumed of an inner loop is kept while a loop around it is built
// again: that assumes more then, never less. So the bodies are built as often as
// there are assumptions to give up, however deep they nest.
func Speculate(g *Graph) (n *Graph, rounds int) {
	if g.verbatim {
		return g, 0
	}
	m := &Mirror{s: ScheduleOf(g), g: g, spec: newSpeculation()}
	n = m.run(g.Ctx)
	return n, m.spec.rounds
}

// speculation is the state of a Mirror that speculates.
type speculation struct {
	rounds  int               // how often bodies of loops were built
	beliefs map[Value]*belief // by the old op
	old     map[Value]Value   // the old allocation of a new one
}

// belief is what is no longer assumed to stay as it was in the rounds of a loop.
type belief struct {
	written map[Resource]bool // of the new graph
	roots   map[Value]bool    // allocations of the old graph: each round makes them anew
	own     [][]bool          // parameters whose value is not known, by region
}

func newSpeculation() *speculation {
	return &speculation{beliefs: map[Value]*belief{}, old: map[Value]Value{}}
}

func (m *Mirror) belief(v Value, rs []Region) *belief {
	b := m.spec.beliefs[v]
	if b == nil {
		b = &belief{written: map[Resource]bool{}, roots: map[Value]bool{}}
		for _, r := range rs {
			b.own = append(b.own, make([]bool, len(m.g.regions[r].params)))
		}
		m.spec.beliefs[v] = b
	}
	return b
}

// assumed is what a belief says of the resources that there are now.
func (m *Mirror) assumed(b *belief) map[Resource]bool {
	out := make(map[Resource]bool, len(b.written)+len(b.roots))
	for r := range b.written {
		out[r] = true
	}
	for v := range b.roots {
		if w := m.m[v]; w != 0 {
			out[m.B.ResourceOf(w)] = true
		}
	}
	return out
}

func (m *Mirror) believe(b *belief, assumed map[Resource]bool) {
	for r := range assumed {
		if old := m.spec.old[m.B.g.memory[r].root]; old != 0 {
			b.roots[old] = true
		} else {
			b.written[r] = true
		}
	}
}

// speculate builds the regions of a loop until they do what was assumed of them.
func (m *Mirror) speculate(v Value, def *OpDef, args []Value, attr Attr) []Region {
	rs := m.g.Regions(v)
	bel := m.belief(v, rs)
	for {
		assumed := m.assumed(bel)
		out := make([]Region, 0, len(rs))
		known := make([][]Value, len(rs))
		for i, r := range rs {
			old := Block{m.g, r}
			out = append(out, m.regionWith(old, m.kind(old, def, attr, i), nil, assumed, func(p []Value) {
				m.spec.rounds++
				m.B.Enter(def, attr, args, i, p)
				known[i] = m.knownParams(def, args, out, i, p, bel)
				m.fill(old, known[i])
			}))
		}
		again := m.B.crossed(&Call{Def: def, Args: args, Attr: attr, Regions: out}, assumed)
		m.believe(bel, assumed)
		if !m.disproved(def, args, out, known, bel) && !again {
			return out
		}
		for _, r := range out {
			m.B.g.Garbage += len(m.B.g.regions[r].members)
		}
	}
}

// knownParams returns what stands for the parameters of region i: the one value
// that all their sources gave so far, or they themselves.
func (m *Mirror) knownParams(def *OpDef, args []Value, built []Region, i int, params []Value, bel *belief) []Value {
	if def.Feeds == nil {
		return params
	}
	out := slices.Clone(params)
	for j := range params {
		if j >= len(bel.own[i]) || bel.own[i][j] {
			continue
		}
		var v Value
		for _, s := range def.Feeds(len(args), i, j) {
			if s.Yields && s.Region >= len(built) {
				continue // this is what is assumed
			}
			w := m.source(s, args, built)
			if w == 0 || v != 0 && w != v || !m.B.open.holds(w) {
				v, bel.own[i][j] = 0, true
				break
			}
			v = w
		}
		if v != 0 && m.B.g.Type(v) == m.B.g.Type(params[j]) {
			out[j] = v
		} else {
			bel.own[i][j] = true
		}
	}
	return out
}

func (m *Mirror) source(s Source, args []Value, built []Region) Value {
	if s.Yields {
		args = m.B.g.Yields(built[s.Region])
	}
	if s.Index < 0 || s.Index >= len(args) {
		return 0
	}
	return args[s.Index]
}

// disproved gives up what the regions that were built do not keep to.
func (m *Mirror) disproved(def *OpDef, args []Value, built []Region, known [][]Value, bel *belief) (any bool) {
	for i := range built {
		params := m.B.g.regions[built[i]].params
		for j := range bel.own[i] {
			if bel.own[i][j] || known[i][j] == params[j] {
				continue
			}
			for _, s := range def.Feeds(len(args), i, j) {
				if m.source(s, args, built) != known[i][j] {
					bel.own[i][j], any = true, true
				}
			}
		}
	}
	return any
}
