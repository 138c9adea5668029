package ir

// Calls gives the nodes of a finished graph as the calls that made them, for
// whoever asks Infer or Eval outside of a build.
type Calls struct{ b *Builder }

// CallsOf returns the calls of a finished graph. Nothing can be built through them.
func CallsOf(g *Graph) Calls {
	return Calls{&Builder{g: g, scopes: []scope{{region: Root}}}}
}

// Of returns a node as a call.
func (w Calls) Of(v Value) *Call {
	g := w.b.g
	c := &Call{Def: g.Def(v), Args: g.Args(v), Attr: g.nodes[v].attr, Regions: g.Regions(v), Graphs: g.Children(v), Type: g.nodes[v].typ, b: w.b}
	if ls := g.LocsOf(v); len(ls) > 0 {
		c.Loc = ls[0]
	}
	return c
}
