package ir

import (
	"fmt"
	"slices"
)

// An InvariantError says which invariant of the graph does not hold, and where.
type InvariantError struct {
	Invariant string
	Node      string
	Loc       Loc
	Detail    string
}

func (e *InvariantError) Error() string {
	return fmt.Sprintf("invariant %q does not hold at %s: %s", e.Invariant, e.Node, e.Detail)
}

// Verify checks the invariants of a graph and its children:
//
//   - topological order: every edge goes to a lower number;
//   - types: what Infer says of an op is what the node holds;
//   - scope: an operand's home and place are the user's or lie around them;
//   - order: a node stands after its hard edges, and before what is softly after it;
//   - terminators: a terminator is the last op of its region;
//   - regions: each live region belongs to one op.
func Verify(g *Graph) error {
	v := &verifier{g: g}
	if err := v.edges(); err != nil {
		return err
	}
	v.s = ScheduleOf(g)
	if err := v.region(Root); err != nil {
		return err
	}
	return v.soft()
}

// soft checks that what must come before a node if it is there at all does.
func (v *verifier) soft() error {
	g := v.g
	for n := Value(1); int(n) < len(g.nodes); n++ {
		if len(g.Soft(n)) == 0 || !v.s.Live(n) {
			continue
		}
		for _, e := range g.Soft(n) {
			if g.IsOp(e) && v.s.Live(e) && v.s.before(e, v.s.lca[e], n) != v.s.lca[e] {
				return v.fail(e, "order", "it may run after %s, which must come later", g.Name(n))
			}
		}
	}
	return nil
}

type verifier struct {
	g *Graph
	s *Schedule
	b *Builder // only to ask Infer
}

func (v *verifier) fail(n Value, invariant, format string, args ...any) error {
	e := &InvariantError{Invariant: invariant, Node: v.g.Name(n), Detail: fmt.Sprintf(format, args...)}
	if ls := v.g.LocsOf(n); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}

func (v *verifier) edges() error {
	g := v.g
	for n := Value(1); int(n) < len(g.nodes); n++ {
		rec := &g.nodes[n]
		for _, e := range g.edge(n, 0, g.end(n)-rec.off-uint32(rec.nreg)) {
			if e == 0 || e >= n && !g.verbatim { // graph regions refer forward
				return v.fail(n, "topological order", "has an edge to node %d, which is not lower", e)
			}
		}
		for i, a := range g.Args(n) {
			if h := g.nodes[a].home; !g.verbatim && !g.inside(rec.home, h) {
				return v.fail(n, "scope", "operand %d (%s) is not visible in its region", i, g.Name(a))
			}
		}
		for _, r := range g.Regions(n) {
			if int(r) >= len(g.regions) || !g.regions[r].closed {
				return v.fail(n, "regions", "owns region %d, which is not closed", r)
			}
		}
	}
	return nil
}

// inside reports that region r was built in region outer, or is it.
func (g *Graph) inside(r, outer Region) bool {
	for g.regions[r].depth > g.regions[outer].depth {
		r = g.regions[r].parent
	}
	return r == outer
}

func (v *verifier) region(r Region) error {
	g := v.g
	body := v.s.Body(r)
	for i, n := range body {
		if err := v.node(n, r); err != nil {
			return err
		}
		if g.Def(n).Has(Terminator) && i != len(body)-1 {
			return v.fail(n, "terminators", "a terminator is not the last op of its region")
		}
		for _, in := range g.Regions(n) {
			if g.regions[in].owner != n {
				return v.fail(n, "regions", "region %d belongs to node %d", in, g.regions[in].owner)
			}
			if err := v.region(in); err != nil {
				return err
			}
		}
		for _, c := range g.Children(n) {
			if err := Verify(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *verifier) node(n Value, r Region) error {
	g := v.g
	for i, a := range g.Args(n) {
		d := a
		if t, _, ok := g.Projection(a); ok {
			d = t
		}
		at := v.s.lca[d]
		if p, _, ok := g.Param(d); ok {
			at = p
		}
		if at == noRegion || !v.covers(at, r) && !v.copied(d, r) {
			return v.fail(n, "scope", "operand %d (%s) is not visible in its region", i, g.Name(a))
		}
	}
	for _, h := range g.Hard(n) {
		if g.IsOp(h) && !v.s.Live(h) {
			return v.fail(n, "order", "the effect it comes after (%s) is not scheduled", g.Name(h))
		}
		if g.IsOp(h) && !v.covers(v.s.lca[h], r) {
			return v.fail(n, "order", "it left the region of the effect it comes after (%s)", g.Name(h))
		}
	}
	return v.types(n)
}

func (v *verifier) copied(d Value, r Region) bool {
	for _, p := range v.s.extra[d] {
		if v.covers(p, r) {
			return true
		}
	}
	return false
}

// covers reports that a is r or a region around it.
func (v *verifier) covers(a, r Region) bool {
	for v.s.depth[r] > v.s.depth[a] {
		r = v.s.parent[r]
	}
	return a == r
}

func (v *verifier) types(n Value) error {
	g, def := v.g, v.g.Def(n)
	if def.Infer == nil && def.Kind == nil {
		return nil
	}
	if v.b == nil {
		v.b = &Builder{g: g, scopes: []scope{{region: Root}}}
	}
	c := &Call{Def: def, Args: g.Args(n), Attr: g.nodes[n].attr, Regions: g.Regions(n), Graphs: g.Children(n), Type: g.nodes[n].typ, b: v.b}
	if def.Kind != nil {
		if err := g.checkKinds(c); err != nil {
			return v.fail(n, "regions", "%v", err)
		}
		if def.Infer == nil {
			return nil
		}
	}
	t, as, err := inferAs(c)
	if err != nil {
		return v.fail(n, "types", "%v", err)
	}
	if as != def {
		return v.fail(n, "types", "it is text only, or is not, against what its operands say")
	}
	if t != g.nodes[n].typ {
		return v.fail(n, "types", "its type is not what its operands give")
	}
	return nil
}

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

// Tamper returns a copy of a graph in which operand i of node v is another node,
// whatever that breaks. No pass can do this; tests of the verifier need it.
func Tamper(g *Graph, v Value, i int, arg Value) *Graph {
	t := *g
	t.settled, t.kept = false, &kept{}
	t.edges = slices.Clone(g.edges)
	t.edges[g.nodes[v].off+uint32(i)] = uint32(arg)
	return &t
}
