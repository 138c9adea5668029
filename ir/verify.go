package ir

import (
	"fmt"
	"slices"
	"strings"
)

// An InvariantError says which invariant of the graph does not hold, and where.
type InvariantError struct {
	invariant string
	node      string
	loc       Loc
	detail    string
}

func (e *InvariantError) Error() string {
	return fmt.Sprintf("invariant %q does not hold at %s: %s", e.invariant, e.node, e.detail)
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
	e := &InvariantError{invariant: invariant, node: v.g.Name(n), detail: fmt.Sprintf(format, args...)}
	if ls := v.g.LocsOf(n); len(ls) > 0 {
		e.loc = ls[0]
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
		v.b = readerOf(g)
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

// Tamper returns a copy of a graph in which operand i of node v is another node,
// whatever that breaks. No pass can do this; tests of the verifier need it.
func Tamper(g *Graph, v Value, i int, arg Value) *Graph {
	t := *g
	t.settled, t.kept = false, &kept{}
	t.edges = slices.Clone(g.edges)
	t.edges[g.nodes[v].off+uint32(i)] = uint32(arg)
	return &t
}

// CheckType refuses an op v of g for a type that no engine runs: see CheckTypes. The error is
// an *OpError.
func CheckType(g *Graph, v Value, t Type) error {
	if w := g.Ctx.types.wide(t); w > 0 {
		return tooWide(g, v, w)
	}
	if part := g.Ctx.types.tooLarge(t); part != 0 {
		return tooBig(g, v, part)
	}
	return nil
}

func tooBig(g *Graph, v Value, t Type) error {
	info := g.Ctx.Info(t)
	var extents []string
	for _, d := range info.Shape {
		if d == Dynamic {
			extents = append(extents, "?")
		} else {
			extents = append(extents, fmt.Sprint(d))
		}
	}
	what := map[TypeKind]string{KindVector: "a vector", KindTensor: "a tensor", KindMemRef: "a memref"}[info.Kind]
	e := &OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf("has %s of %s elements, which is too large: types of more than 2^60 bytes are read and printed, but do not run; "+
		"make the extents smaller, or leave them open (?)", what, strings.Join(extents, "x"))}
	if info.Layout != 0 {
		e.Msg = strings.Replace(e.Msg, "elements, which", "elements, with strides and an offset, which", 1)
	}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}

// CheckTypes refuses a function, an op v of g, that works on numbers of more than
// MaxWidth bits or on arrays of more than MaxBytes. All engines ask it before anything else,
// so that they say the same of the same op: the function for its arguments, else the first
// op of the body. So products of the static extents of what runs fit. The error is an *OpError.
func CheckTypes(g *Graph, v Value) error {
	body := g.Children(v)[0]
	for _, p := range body.Params(Root) {
		if err := CheckType(g, v, body.Type(p)); err != nil {
			return err
		}
	}
	seen, refused := map[Type]bool{}, false
	refuses := func(t Type) bool {
		bad, ok := seen[t]
		if !ok {
			bad = g.Ctx.types.wide(t) > 0 || g.Ctx.types.tooLarge(t) != 0
			seen[t], refused = bad, refused || bad
		}
		return bad
	}
	for i := range body.Len() {
		refuses(body.Type(Value(i)))
	}
	if !refused { // schedules cost more than looks
		return nil
	}
	var err error
	for v := range ScheduleOf(body).All() {
		for _, u := range append([]Value{v}, body.Args(v)...) {
			if t := body.Type(u); err == nil && refuses(t) {
				err = CheckType(body, v, t)
			}
		}
	}
	return err
}

func tooWide(g *Graph, v Value, width int) error {
	e := &OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf("has numbers of %d bits: those of more than %d bits are read and printed, but do not run; "+
		"use several narrower ones (arith.addui_extended, arith.mului_extended)", width, MaxWidth)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}
