package reduce

import (
	"errors"
	"strconv"

	"github.com/irc-lang/irc/ir"
)

type editKind uint8

const (
	drop     editKind = iota + 1 // leave it out; its results become values that are there, or constants
	constant                     // leave it out; its results become constants
	operand                      // leave it out; its result becomes operand n
	inline                       // put the body of region n in its place
	number                       // another value for a constant: x
	plain                        // without discardable attributes
)

// edit is what is done to one op.
type edit struct {
	kind editKind
	n    int
	x    float64
}

// errEdit says that an edit does not work out; the candidate is given up.
var errEdit = errors.New("the edit does not fit")

// rebuild makes a verbatim graph again with edits; ok is false if that gives no
// valid program.
func rebuild(g *ir.Graph, edits map[site]edit) (out *ir.Graph, ok bool) {
	defer func() { // a dialect may panic on what no reader would accept
		if recover() != nil {
			out, ok = nil, false
		}
	}()
	out, err := rebuildGraph(g, edits)
	return out, err == nil
}

// editor rebuilds one graph.
type editor struct {
	b     *ir.Builder
	g     *ir.Graph
	s     *ir.Schedule
	edits map[site]edit
	vals  map[ir.Value][]ir.Value // results of an old op, parameters; 0 is to be replaced when it is used
	fresh map[ir.Value]bool       // old ops whose results become constants
	there []ir.Value              // new values in scope, outermost first
}

func rebuildGraph(g *ir.Graph, edits map[site]edit) (*ir.Graph, error) {
	e := &editor{b: ir.NewBuilder(g.Ctx, ir.Verbatim), g: g, s: ir.NewSchedule(g, ir.ScheduleOptions{}),
		edits: edits, vals: map[ir.Value][]ir.Value{}, fresh: map[ir.Value]bool{}}
	if !g.HasBlock(ir.Root) {
		e.b.NoBlock()
	}
	for _, p := range g.Params(ir.Root) {
		v := e.b.Param(g.Type(p))
		e.vals[p] = []ir.Value{v}
		e.there = append(e.there, v)
	}
	if err := e.body(ir.Root, true); err != nil {
		return nil, err
	}
	return e.b.Finish(), nil
}

// body makes the ops of a region in the one that is open.
func (e *editor) body(r ir.Region, term bool) error {
	for _, v := range e.s.Body(r) {
		if !term && v == e.g.Term(r) {
			continue
		}
		if err := e.op(v); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) op(v ir.Value) error {
	ed := e.edits[site{e.g, v}]
	switch ed.kind {
	case drop, constant:
		e.vals[v] = make([]ir.Value, max(e.g.Results(v), 1))
		e.fresh[v] = ed.kind == constant
		return nil
	case operand:
		w, err := e.of(e.g.Args(v)[ed.n])
		e.vals[v] = []ir.Value{w}
		return err
	case inline:
		return e.inline(v, e.g.Regions(v)[ed.n])
	case number:
		t := e.g.Type(v)
		w, err := e.constant(t, ed.x)
		e.vals[v] = []ir.Value{w}
		return err
	}
	return e.copy(v, ed.kind == plain)
}

// copy makes an op as it is.
func (e *editor) copy(v ir.Value, bare bool) error {
	g := e.g
	call := ir.Call{Def: g.Def(v), Attr: g.AttrsOf(v), Type: g.Type(v)}
	if bare && call.Attr != 0 {
		call.Attr = g.Ctx.Props(append([]ir.NamedAttr(nil), g.Ctx.AttrInfo(call.Attr).Dict...), nil)
	}
	var err error
	if call.Args, err = e.all(g.Args(v)); err != nil {
		return err
	}
	for _, r := range g.Regions(v) {
		nr, err := e.region(r)
		if err != nil {
			return err
		}
		call.Regions = append(call.Regions, nr)
	}
	for _, c := range g.Children(v) {
		nc, err := rebuildGraph(c, e.edits)
		if err != nil {
			return err
		}
		call.Graphs = append(call.Graphs, nc)
	}
	w, err := e.b.Make(call)
	if err != nil {
		return err
	}
	if g.Results(v) > 0 {
		e.vals[v] = e.b.Results(w)
		e.there = append(e.there, e.vals[v]...)
	}
	return nil
}

func (e *editor) region(r ir.Region) (ir.Region, error) {
	g := e.g
	mark := len(e.there)
	var types []ir.Type
	for _, p := range g.Params(r) {
		types = append(types, g.Type(p))
	}
	n := e.b.Open(g.KindOf(r), types...)
	if !g.HasBlock(r) {
		e.b.NoBlock()
	}
	for i, p := range e.b.Params(n) {
		e.vals[g.Params(r)[i]] = []ir.Value{p}
		e.there = append(e.there, p)
	}
	err := e.body(r, true)
	e.there = e.there[:mark]
	if err != nil {
		return 0, err
	}
	return e.b.Close(), nil
}

// inline makes the body of a region in the place of its op. Its parameters
// become operands of the op of the same type, in order; the op's results become
// the last operands of the terminator, where the types agree.
func (e *editor) inline(v ir.Value, r ir.Region) error {
	g := e.g
	args := append([]ir.Value(nil), g.Args(v)...)
	for _, p := range g.Params(r) {
		e.vals[p] = []ir.Value{0}
		for i, a := range args {
			if g.Type(a) == g.Type(p) {
				w, err := e.of(a)
				if err != nil {
					return err
				}
				e.vals[p] = []ir.Value{w}
				args = args[i+1:]
				break
			}
		}
	}
	if err := e.body(r, false); err != nil {
		return err
	}
	types, ys := g.Ctx.Results(g.Type(v)), g.Yields(r)
	out := make([]ir.Value, max(len(types), 1))
	for i, t := range types {
		if j := len(ys) - len(types) + i; j >= 0 && g.Type(ys[j]) == t {
			w, err := e.of(ys[j])
			if err != nil {
				return err
			}
			out[i] = w
		}
	}
	e.vals[v] = out
	return nil
}

func (e *editor) all(vs []ir.Value) ([]ir.Value, error) {
	out := make([]ir.Value, len(vs))
	for i, v := range vs {
		w, err := e.of(v)
		if err != nil {
			return nil, err
		}
		out[i] = w
	}
	return out, nil
}

// of returns the new value of an old one. One that was left out is found a
// substitute where it is used: the earliest value of its type in scope, or a
// constant.
func (e *editor) of(v ir.Value) (ir.Value, error) {
	n, i, _ := e.g.Projection(v)
	vals := e.vals[n]
	if i >= len(vals) {
		return 0, errEdit
	}
	if vals[i] != 0 {
		return vals[i], nil
	}
	t := e.g.Type(v)
	if !e.fresh[n] {
		for _, w := range e.there {
			if e.b.Graph().Type(w) == t {
				return w, nil
			}
		}
	}
	return e.constant(t, 0)
}

// constant returns a constant of type t, one that is there if possible.
func (e *editor) constant(t ir.Type, x float64) (ir.Value, error) {
	c := e.g.Ctx
	info := c.Info(t)
	var val ir.Val
	switch info.Kind {
	case ir.KindInteger, ir.KindIndex:
		val = ir.IntVal(int64(x), info.Width)
	case ir.KindFloat:
		val = ir.FloatVal(x, t)
	default:
		return 0, errEdit
	}
	a := c.AttrOf(val, t)
	if a == 0 {
		return 0, errEdit
	}
	for _, w := range e.there {
		g := e.b.Graph()
		if g.Def(w).Has(ir.ConstantLike) && g.Type(w) == t && g.Attr(w, "value") == a {
			return w, nil
		}
	}
	w := e.b.ConstAttr(t, a)
	e.there = append(e.there, w)
	return w, nil
}

func spell(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
