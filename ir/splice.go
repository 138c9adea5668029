package ir

// Splice makes the body of a closed region again in the region that is open,
// with values for its parameters, and returns the operands of its terminator.
// Folds use it to put a body in the place of its op.
func (b *Builder) Splice(r Region, args []Value) []Value {
	c := copier{b: b, m: map[Value]Value{}}
	for i, p := range b.g.regions[r].params {
		c.m[p] = args[i]
	}
	c.members(r, false)
	return c.all(b.g.Yields(r))
}

// CopyRegion makes a closed region again as a region of a new op in the region
// that is open; term makes its terminator, nil stands for the old one.
func (b *Builder) CopyRegion(r Region, term func(yields []Value)) Region {
	c := copier{b: b, m: map[Value]Value{}}
	return c.region(r, nil, term, nil)
}

type copier struct {
	b     *Builder
	m     map[Value]Value
	loops bool // build loops as if they wrote only what the old ones did (see Mirror)
}

func (c *copier) of(v Value) Value {
	if w, ok := c.m[v]; ok {
		return w
	}
	return v
}

func (c *copier) all(vs []Value) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = c.of(v)
	}
	return out
}

// regions copies the regions of an op, as Mirror.regions does.
func (c *copier) regions(def *OpDef, args []Value, attr Attr, old []Region) []Region {
	var assumed map[Resource]bool
	if c.loops {
		assumed = c.assumptions(old)
	}
	for {
		out := make([]Region, 0, len(old))
		for i, r := range old {
			out = append(out, c.region(r, func(p []Value) { c.b.Enter(def, args, i, p) }, nil, assumed))
		}
		if assumed == nil || !c.b.crossed(&Call{Def: def, Args: args, Attr: attr, Regions: out}, assumed) {
			return out
		}
	}
}

// assumptions lists what old regions write.
func (c *copier) assumptions(old []Region) map[Resource]bool {
	g, out := c.b.g, map[Resource]bool{}
	for _, r := range old {
		for _, e := range g.regions[r].effects {
			if root := g.memory[e.On].root; e.Kind == Write && root != 0 {
				out[c.b.ResourceOf(c.of(root))] = true
			} else if e.Kind == Write {
				out[e.On] = true
			}
		}
	}
	return out
}

func (c *copier) region(r Region, enter func(params []Value), term func([]Value), assumed map[Resource]bool) Region {
	b, g := c.b, c.b.g
	var types []Type
	for _, p := range g.regions[r].params {
		types = append(types, g.nodes[p].typ)
	}
	for {
		n := b.Open(g.regions[r].kind, types...)
		s := b.top()
		s.optimist, s.assumed = s.kind == Loop && assumed != nil, assumed
		if !g.regions[r].hasBlock {
			b.NoBlock()
		}
		for i, p := range g.regions[r].params {
			c.m[p] = g.regions[n].params[i]
		}
		if enter != nil {
			enter(b.Params(n))
		}
		c.members(r, term == nil)
		if term != nil {
			term(c.all(g.Yields(r)))
		}
		conflict := b.top().conflict
		if len(conflict) == 0 {
			return b.Close()
		}
		for _, x := range conflict {
			assumed[x] = true
		}
		b.drop()
	}
}

// members makes the live nodes of a region again, in order.
func (c *copier) members(r Region, term bool) {
	b, g := c.b, c.b.g
	b.recordFloats(r)
	for _, v := range g.regions[r].members {
		op := g.nodes[v].op
		switch {
		case op == opProj.id:
			n, i, _ := g.Projection(v)
			c.m[v] = b.Result(c.of(n), i)
		case op == opPack.id:
			c.m[v] = b.Pack(c.all(g.Args(v))...)
		case op <= opPack.id, v == g.regions[r].term && !term:
		default:
			c.m[v] = c.node(v)
		}
	}
}

func (c *copier) node(v Value) Value {
	b, g := c.b, c.b.g
	call := Call{Def: g.Def(v), Args: c.all(g.Args(v)), Attr: g.nodes[v].attr, Type: g.nodes[v].typ, Graphs: g.Children(v)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		call.Loc = ls[0]
	}
	if rs := g.Regions(v); len(rs) > 0 {
		call.Regions = c.regions(call.Def, call.Args, call.Attr, rs)
	}
	n := b.Must(call)
	for _, l := range g.moreLocs[v] {
		g.addLoc(n, l)
	}
	if d := g.delayed[v]; d != nil && g.same(n, &call) {
		b.keepDelayed(n, d)
	}
	return n
}
