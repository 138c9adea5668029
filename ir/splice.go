package ir

// Splice makes the body of a closed region again in the region that is open,
// with values for its parameters, and returns the operands of its terminator.
// Folds use it to put a body in the place of its op.
func (b *Builder) Splice(r Region, args []Value) []Value {
	c := copier{b, map[Value]Value{}}
	for i, p := range b.g.regions[r].params {
		c.m[p] = args[i]
	}
	c.members(r, false)
	return c.all(b.g.Yields(r))
}

// CopyRegion makes a closed region again as a region of a new op in the region
// that is open; term makes its terminator, nil stands for the old one.
func (b *Builder) CopyRegion(r Region, term func(yields []Value)) Region {
	c := copier{b, map[Value]Value{}}
	return c.region(r, nil, term)
}

type copier struct {
	b *Builder
	m map[Value]Value
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

// resource is what a resource is in the copy: an allocation that is copied has one of its own.
// A loop in it that is copied as if it wrote the old one would be built twice, and the loops
// in that four times.
func (c *copier) resource(r Resource) Resource {
	if w, ok := c.m[c.b.g.memory[r].root]; ok {
		return c.b.ResourceOf(w)
	}
	return r
}

func (c *copier) region(r Region, enter func(params []Value), term func([]Value)) Region {
	g := c.b.g
	var types []Type
	for _, p := range g.regions[r].params {
		types = append(types, g.nodes[p].typ)
	}
	body := func(params []Value) {
		if !g.regions[r].hasBlock {
			c.b.NoBlock()
		}
		for i, p := range g.regions[r].params {
			c.m[p] = params[i]
		}
		if enter != nil {
			enter(params)
		}
		c.members(r, term == nil)
		if term != nil {
			term(c.all(g.Yields(r)))
		}
	}
	if o := g.regions[r].owner; o != 0 && g.Def(o).Has(SingleRegion) {
		return c.b.regionLike(r, types, c.resource, body)
	}
	return c.b.Region(g.regions[r].kind, types, body)
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
	for i, r := range g.Regions(v) {
		enter := func(p []Value) { b.Enter(call.Def, call.Attr, call.Args, i, p) }
		call.Regions = append(call.Regions, c.region(r, enter, nil))
	}
	n := b.Must(call)
	if d := g.delayed[v]; d != nil && g.same(n, &call) {
		b.keepDelayed(n, d)
	}
	return n
}
