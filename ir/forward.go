package ir

// Forward makes a stand-in for a value that is defined later, in a graph region
// that is kept verbatim; its type may be told later, too. Define says what it
// stands for: when the graph is finished its uses are uses of that.
func (b *Builder) Forward(t Type) Value {
	if !b.g.verbatim {
		panic("ir: a forward reference in a graph that is not verbatim")
	}
	return b.add(record{op: opLater.id, typ: t, home: b.top().region}, nil, nil, nil, nil)
}

// IsForward reports a stand-in whose value is not yet known.
func (g *Graph) IsForward(v Value) bool { return g.nodes[v].op == opLater.id }

// SetForwardType tells the type of a forward reference.
func (b *Builder) SetForwardType(v Value, t Type) { b.g.nodes[v].typ = t }

// DefineForward says what a forward reference stands for.
func (b *Builder) DefineForward(v, is Value) {
	if b.later == nil {
		b.later = map[Value]Value{}
	}
	b.later[v] = is
}

// patch makes the uses of forward references uses of what they stand for.
func (b *Builder) patch() {
	if len(b.later) == 0 {
		return
	}
	g := b.g
	for v := range g.nodes {
		args := g.Args(Value(v))
		for i, a := range args {
			if is, ok := b.later[a]; ok {
				args[i] = is
			}
		}
	}
}

// forward returns what stands for an operand of a verbatim graph that has no new
// value yet; finish says what it became.
func (m *Mirror) forward(a Value) Value {
	if v, ok := m.later[a]; ok {
		return v
	}
	if m.later == nil {
		m.later = map[Value]Value{}
	}
	v := m.B.Forward(m.Type(m.g.nodes[a].typ))
	m.later[a] = v
	return v
}

// known reports that an old node has a new value.
func (m *Mirror) known(a Value) bool {
	n, _, _ := m.g.Projection(a)
	return m.m[n] != 0
}

// defineForwards ends a verbatim rebuild.
func (m *Mirror) defineForwards() {
	for a, v := range m.later {
		m.B.DefineForward(v, m.Of(Node{m.g, a}))
	}
}
