package reduce

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

type editKind uint8

const (
	drop     editKind = iota + 1 // leave it out; its results become values that are there, or constants
	constant                     // leave it out; its results become constants
	same                         // leave it out; its result becomes the same constant, which is there already
	skip                         // leave it out; its results become its last operands
	operand                      // leave it out; its result becomes operand n
	inline                       // put the body of region n in its place
	unblock                      // region n has no block
	use                          // operand n becomes what is there longest
	plain                        // without discardable attributes
	set                          // attribute name is attr; 0 leaves it out
	cut                          // without what cut says
)

// edit is what is done to one op.
type edit struct {
	kind editKind
	n    int
	name string
	attr ir.Attr
	cut  *cutting
}

// errEdit says that an edit does not work out; the candidate is given up.
var errEdit = errors.New("the edit does not fit")

// rebuild makes a verbatim graph again with edits; ok is false if that gives no
// valid program.
func rebuild(g *ir.Graph, edits step) (out *ir.Graph, ok bool) {
	ok = survives(func() bool {
		var err error
		out, err = rebuildGraph(g, edits, nil)
		return err == nil
	})
	return out, ok
}

// editor rebuilds one graph.
type editor struct {
	b     *ir.Builder
	g     *ir.Graph
	s     *ir.Schedule
	edits step
	vals  map[ir.Value][]ir.Value // results of an old op, parameters; 0 is to be replaced when it is used
	fresh map[ir.Value]bool       // old ops whose results become constants
	scope
}

func rebuildGraph(g *ir.Graph, edits step, cutParams []int) (*ir.Graph, error) {
	e := &editor{b: ir.NewBuilder(g.Ctx, ir.Verbatim), g: g, s: ir.NewSchedule(g, ir.ScheduleOptions{}),
		edits: edits, vals: map[ir.Value][]ir.Value{}, fresh: map[ir.Value]bool{}, scope: newScope()}
	if !g.HasBlock(ir.Root) {
		e.b.NoBlock()
	}
	for i, p := range g.Params(ir.Root) {
		if slices.Contains(cutParams, i) {
			e.vals[p] = []ir.Value{0}
			continue
		}
		v := e.b.Param(g.Type(p))
		e.vals[p] = []ir.Value{v}
		e.enter(e.b.Graph(), v)
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
	case same:
		w := e.consts[literal{e.g.Type(v), e.g.Attr(v, "value")}]
		if w == 0 {
			return errEdit
		}
		e.vals[v] = []ir.Value{w}
		return nil
	case operand:
		return e.stand(v, e.g.Args(v)[ed.n:ed.n+1])
	case skip:
		args := e.g.Args(v)
		return e.stand(v, args[len(args)-e.g.Results(v):])
	case inline:
		return e.inline(v, e.g.Regions(v)[ed.n])
	}
	return e.copy(v, ed)
}

// stand gives the results of an op other values.
func (e *editor) stand(v ir.Value, others []ir.Value) error {
	for i, t := range e.g.Ctx.Results(e.g.Type(v)) {
		if e.g.Type(others[i]) != t {
			return errEdit
		}
	}
	var err error
	e.vals[v], err = e.all(others)
	return err
}

// copy makes an op as it is but for what an edit changes about it.
func (e *editor) copy(v ir.Value, ed edit) error {
	g := e.g
	k := ed.cut
	if k == nil {
		k = &cutting{}
	}
	call := ir.Call{Def: g.Def(v), Attr: e.attrs(v, ed, k), Type: g.Type(v)}
	if len(k.results) > 0 {
		call.Type = g.Ctx.Multi(without(g.Ctx.Results(call.Type), k.results)...)
	}
	var err error
	if call.Args, err = e.all(without(g.Args(v), k.args)); err != nil {
		return err
	}
	if ed.kind == use {
		if call.Args[ed.n], err = e.lesser(g.Args(v)[ed.n]); err != nil {
			return err
		}
	}
	for i, r := range g.Regions(v) {
		if slices.Contains(k.regions, i) {
			continue
		}
		nr, err := e.region(r, ed.kind == unblock && ed.n == i, k.paramsOf(i))
		if err != nil {
			return err
		}
		call.Regions = append(call.Regions, nr)
	}
	for i, c := range g.Children(v) {
		nc, err := rebuildGraph(c, e.edits, k.paramsOf(i))
		if err != nil {
			return err
		}
		call.Graphs = append(call.Graphs, nc)
	}
	w, err := e.b.Make(call)
	if err != nil {
		return err
	}
	e.define(v, w, k.results)
	return nil
}

func (k *cutting) paramsOf(i int) []int {
	if i < len(k.params) {
		return k.params[i]
	}
	return nil
}

// attrs is what an op carries after an edit.
func (e *editor) attrs(v ir.Value, ed edit, k *cutting) ir.Attr {
	c, attrs := e.g.Ctx, e.g.AttrsOf(v)
	switch {
	case attrs == 0:
		return 0
	case ed.kind == plain:
		return c.Props(slices.Clone(c.AttrInfo(attrs).Dict), nil)
	case ed.kind == set && ed.attr == 0:
		return unset(c, attrs, ed.name)
	case ed.kind == set:
		info := c.AttrInfo(attrs)
		if slices.ContainsFunc(info.Dict, func(x ir.NamedAttr) bool { return x.Name == ed.name }) {
			return c.With(attrs, ed.name, ed.attr)
		}
		return c.WithDiscardable(attrs, ed.name, ed.attr)
	}
	return k.attrsOf(c, attrs, len(e.g.Regions(v)))
}

// define gives the results of an old op those of the new one, but for some.
func (e *editor) define(v, w ir.Value, gone []int) {
	if e.g.Results(v) == 0 {
		return
	}
	var made []ir.Value
	if e.b.Graph().Results(w) > 0 {
		made = e.b.Results(w)
	}
	e.vals[v] = nil
	for i := range e.g.Results(v) {
		if slices.Contains(gone, i) {
			e.vals[v] = append(e.vals[v], 0)
			continue
		}
		e.vals[v] = append(e.vals[v], made[0])
		e.enter(e.b.Graph(), made[0])
		made = made[1:]
	}
}

func (e *editor) region(r ir.Region, bare bool, cutParams []int) (ir.Region, error) {
	g := e.g
	mark := e.mark()
	var types []ir.Type
	if !bare {
		types = append(types, lists.Map(without(g.Params(r), cutParams), g.Type)...)
	}
	n := e.b.Open(g.KindOf(r), types...)
	if bare || !g.HasBlock(r) {
		e.b.NoBlock()
		return e.b.Close(), nil
	}
	made := e.b.Params(n)
	for i, p := range g.Params(r) {
		if slices.Contains(cutParams, i) {
			e.vals[p] = []ir.Value{0}
			continue
		}
		e.vals[p] = []ir.Value{made[0]}
		e.enter(e.b.Graph(), made[0])
		made = made[1:]
	}
	err := e.body(r, true)
	e.leave(mark)
	if err != nil {
		return 0, err
	}
	return e.b.Close(), nil
}

// inline makes the body of a region in the place of its op. The op's results become
// the last operands of the terminator, where the types agree.
func (e *editor) inline(v ir.Value, r ir.Region) error {
	g := e.g
	if err := e.bind(g.Params(r), g.Args(v)); err != nil {
		return err
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

// bind gives parameters operands of the op as values: the last ones those at the
// same place from the end, as what loops carry, those before in order by type.
func (e *editor) bind(params, args []ir.Value) error {
	g := e.g
	for len(params) > 0 && len(args) > 0 {
		p, a := params[len(params)-1], args[len(args)-1]
		if g.Type(p) != g.Type(a) || len(params) == 1 && len(args) > 1 {
			break
		}
		w, err := e.of(a)
		if err != nil {
			return err
		}
		e.vals[p] = []ir.Value{w}
		params, args = params[:len(params)-1], args[:len(args)-1]
	}
	for _, p := range params {
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
	return nil
}
