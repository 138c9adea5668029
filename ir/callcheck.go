package ir

// checkArgs refuses operands that are not in scope.
func (b *Builder) checkArgs(c *Call) error {
	g := b.g
	for i, a := range c.Args {
		if a == 0 || int(a) >= len(g.nodes) {
			return c.errorf("operand %d is no value of this graph", i)
		}
		h := g.nodes[a].home
		if h != Root {
			d := int(g.regions[h].depth)
			if d >= len(b.scopes) || b.scopes[d].region != h {
				return c.errorf("operand %d (%s) is used outside of the region that defines it", i, g.Name(a))
			}
		}
	}
	if len(c.Regions) > 1<<16-1 || len(c.Graphs) > 1<<16-1 {
		return c.errorf("has more than 65535 regions")
	}
	if t := b.term(); t != 0 {
		return c.errorf("stands after the terminator of its region, '%s'", g.Def(t).Name)
	}
	return nil
}

func (b *Builder) term() Value { return b.g.regions[b.top().region].term }

func (b *Builder) infer(c *Call) error {
	if c.Def.Kind != nil {
		if err := b.g.checkKinds(c); err != nil {
			return err
		}
	}
	if c.Def.Infer == nil {
		if c.Type == NoType {
			c.Type = Void
		}
		return nil
	}
	given := c.Type
	t, def, err := inferAs(c)
	c.Def = def
	if err != nil {
		if e, ok := err.(*OpError); ok {
			return e
		}
		return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: err.Error()}
	}
	if t == NoType && c.Def.Has(Terminator) {
		return &OpError{Op: c.Def.Name, Loc: c.Loc, Msg: "is defined wrongly: its Infer gives no type; for an op without results it returns ir.Void", Author: true}
	}
	if given != NoType && t != given {
		return c.errorf("result type does not follow from the operands")
	}
	c.Type = t
	return nil
}

// checkKinds refuses a region that was built as one of another kind than the op's attributes say.
func (g *Graph) checkKinds(c *Call) error {
	for i, r := range c.Regions {
		if is, want := g.regions[r].kind, c.Def.Kind(g.Ctx, c.Attr, i); is != want {
			return c.errorf("has region #%d of kind %q, and by its attributes the kind is %q: in text they must stand before the regions, in <{...}>", i, is, want)
		}
	}
	return nil
}
