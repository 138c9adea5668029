package ir

import (
	"errors"
	"fmt"
	"slices"
)

// AttrParts is the table of a dialect with what attributes say of types that are handed
// on: parts lists what takes the place of a type, and the result are the attributes of
// the op by then (function types, attributes of arguments).
type AttrParts map[*OpDef]func(c *Context, attr Attr, parts func(Type) []Type) Attr

// Retype puts the parts of types that become others at a level in their place, wherever
// values are handed on: parameters and results of functions, calls, what loops and
// conditionals carry and give (trait Carries), and what works on each part (EachPart).
// Other ops keep the type: their operands are packed and their results unpacked, by
// what the type's dialect says (TypeLowering). A function that is only declared takes
// and gives the parts. The error is an *OpError.
func Retype(g *Graph, level string) (out *Graph, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			var op *OpError
			if !ok || !errors.As(e, &op) {
				panic(r)
			}
			err = op
		}
	}()
	m := &Mirror{s: ScheduleOf(g), g: g}
	m.retype = &retyping{level: level, attrs: AttrParts{}}
	for _, d := range g.Ctx.Dialects() {
		for def, f := range Table[AttrParts](d) {
			m.retype.attrs[def] = f
		}
	}
	return m.run(g.Ctx), nil
}

// Unlowered returns the *OpError of an op that takes or gives values of a type that
// becomes another one at a level, or nil if there is none.
func Unlowered(g *Graph, level string) error {
	c := g.Ctx
	var takes, gives, inner error // who takes such a value says more than who gives it
	wrong := func(err *error, v Value, what string, i int, t Type) {
		if _, changed := c.PartsOf(t, level); changed && *err == nil {
			name := "an array or function of a type"
			if c.Info(t).Kind == KindTensor {
				name = "a tensor,"
			} else if l := c.LoweringOf(t); l != nil {
				name = "of type !" + c.Info(t).Text + ","
			}
			*err = g.NodeOf(v).Errorf("%s #%d is %s which becomes its parts at level %s, and no rule lowers the op", what, i, name, level)
		}
	}
	for v := range ScheduleOf(g).All() {
		for i, a := range g.Args(v) {
			wrong(&takes, v, "operand", i, g.Type(a))
		}
		for i, t := range c.Results(g.Type(v)) {
			wrong(&gives, v, "result", i, t)
		}
		for _, k := range g.Children(v) {
			for i, p := range k.Params(Root) {
				wrong(&gives, v, "argument", i, k.Type(p)) // which no op may use
			}
			if inner == nil {
				inner = Unlowered(k, level)
			}
		}
	}
	for _, err := range []error{takes, gives, inner} {
		if err != nil {
			return err
		}
	}
	return nil
}

// retyping is the work of Retype on one graph.
type retyping struct {
	level   string
	attrs   AttrParts
	carries bool                // the op that the graph belongs to does
	at      Node                // the op that is made again
	parts   map[Value][][]Value // old op or parameter -> the parts of each of its results
}

// child is the work on a graph of an op.
func (r *retyping) child(def *OpDef) *retyping {
	if r == nil {
		return nil
	}
	return &retyping{level: r.level, attrs: r.attrs, carries: def.Has(Carries)}
}

func (r *retyping) of(c *Context, t Type) ([]Type, bool) { return c.PartsOf(t, r.level) }

// handsOn reports a region whose parameters and terminator hand values on.
func (m *Mirror) handsOn(old Region) bool {
	if m.retype == nil {
		return false
	}
	if old == Root {
		return m.retype.carries
	}
	return m.g.Def(m.g.regions[old].owner).Has(Carries)
}

// paramTypes lists the types of a region's parameters in the new graph.
func (m *Mirror) paramTypes(old Region) []Type {
	types := make([]Type, 0, 8)
	hands := m.handsOn(old)
	for _, p := range m.g.regions[old].params {
		if t := m.g.nodes[p].typ; hands {
			parts, _ := m.retype.of(m.B.Ctx(), t)
			types = append(types, parts...)
		} else {
			types = append(types, m.Type(t))
		}
	}
	return types
}

// cleanParts says of the parts of a parameter that is never poison which are not, either: of an
// argument of a public function all, else the wholes among them, for what is in one may be.
func (m *Mirror) cleanParts(p Value, old Region, parts []Value) {
	if m.g.MayBePoison(p) {
		return
	}
	for _, x := range parts {
		if old == Root || m.B.Ctx().types.holds(m.B.g.Type(x)) {
			m.B.SetClean(x)
		}
	}
}

// bind makes new values those of the parameters of an old region.
func (m *Mirror) bind(old Region, params []Value) {
	hands := m.handsOn(old)
	for _, p := range m.g.regions[old].params {
		n := 1
		if hands {
			if parts, changed := m.retype.of(m.B.Ctx(), m.g.nodes[p].typ); changed {
				n = len(parts)
				m.retype.set(p, [][]Value{slices.Clone(params[:n])})
				m.cleanParts(p, old, params[:n])
				params = params[n:]
				continue
			}
		}
		m.m[p] = params[0]
		if !m.g.MayBePoison(p) {
			m.B.SetClean(params[0])
		}
		params = params[n:]
	}
}

func (r *retyping) set(old Value, parts [][]Value) {
	if r.parts == nil {
		r.parts = map[Value][][]Value{}
	}
	r.parts[old] = parts
}

// own says of all that took the place of a parameter that its memory is its own.
func (m *Mirror) own(param Value) {
	if m.retype != nil && m.retype.parts[param] != nil {
		for _, p := range m.retype.parts[param][0] {
			m.B.Own(p)
		}
		return
	}
	m.B.Own(m.m[param])
}

// retyped rebuilds an op whose operands or results become others; ok is false for one
// that is copied.
func (m *Mirror) retyped(n Node) (v Value, ok bool) {
	r, c, def := m.retype, m.B.Ctx(), n.Def()
	changed := r.attrs[def] != nil
	for _, a := range n.g.Args(n.v) {
		_, ch := r.of(c, n.g.Type(a))
		changed = changed || ch
	}
	for _, t := range c.Results(n.Type()) {
		_, ch := r.of(c, t)
		changed = changed || ch
	}
	switch {
	case !changed:
		return 0, false
	case def.Has(Carries) && (!def.Has(Terminator) || m.handsOn(n.g.Home(n.v))):
		return m.handOn(n), true
	case def.Has(EachPart):
		return m.eachPart(n), true
	}
	return 0, false
}

// handOn makes an op again with lists of operands and results that have the parts in them.
func (m *Mirror) handOn(n Node) Value {
	g, v, c := n.g, n.v, m.B.Ctx()
	call := Call{Def: n.Def(), Attr: n.Attrs(), Loc: g.loc(v)}
	var sizes []int64 // how many operands take the place of each
	for _, a := range g.Args(v) {
		ps := m.partsOf(a)
		call.Args, sizes = append(call.Args, ps...), append(sizes, int64(len(ps)))
	}
	if seg := c.Get(call.Attr, "operandSegmentSizes"); seg != 0 {
		call.Attr = c.With(call.Attr, "operandSegmentSizes", regroup(c, seg, sizes))
	}
	if f := m.retype.attrs[call.Def]; f != nil {
		call.Attr = f(c, call.Attr, func(t Type) []Type { ps, _ := m.retype.of(c, t); return ps })
	}
	var types []Type
	for _, t := range c.Results(n.Type()) {
		ps, _ := m.retype.of(c, t)
		types = append(types, ps...)
	}
	call.Type = c.Multi(types...)
	call.Regions = m.regions(v, call.Def, call.Args, call.Attr)
	for _, k := range g.Children(v) {
		call.Graphs = append(call.Graphs, m.children[k])
	}
	w := m.B.Must(call)
	if d := g.delayed[v]; d != nil && m.B.g.Def(w) == call.Def {
		m.B.delay(w, d)
	}
	return m.give(n, m.B.Results(w), w)
}

// regroup is operandSegmentSizes by how many operands took the place of each.
func regroup(c *Context, seg Attr, sizes []int64) Attr {
	var out []int64
	for _, k := range c.Ints(seg) {
		sum := int64(0)
		for _, s := range sizes[:min(int(k), len(sizes))] {
			sum += s
		}
		out, sizes = append(out, sum), sizes[min(int(k), len(sizes)):]
	}
	return c.DenseArray(c.AttrInfo(seg).Type, out...)
}

// give makes new values the parts of the results of an old op. What has no results
// is w itself.
func (m *Mirror) give(n Node, all []Value, w Value) Value {
	results := m.B.Ctx().Results(n.Type())
	if len(results) == 0 {
		return w
	}
	parts := make([][]Value, len(results))
	for i, t := range results {
		ps, _ := m.retype.of(m.B.Ctx(), t)
		parts[i], all = all[:len(ps):len(ps)], all[len(ps):]
	}
	m.retype.set(n.v, parts)
	return 0
}

// eachPart makes an op once for each part of the operands and results that become others.
func (m *Mirror) eachPart(n Node) Value {
	g, c := n.g, m.B.Ctx()
	args := make([][]Value, len(g.Args(n.v)))
	count := -1
	agree := func(k int) {
		if count >= 0 && k != count {
			panic(n.Errorf("has values of %d and of %d parts", count, k))
		}
		count = k
	}
	for i, a := range g.Args(n.v) {
		args[i] = m.partsOf(a)
		if _, changed := m.retype.of(c, g.Type(a)); changed {
			agree(len(args[i]))
		}
	}
	results := c.Results(n.Type())
	for _, t := range results {
		if ps, changed := m.retype.of(c, t); changed {
			agree(len(ps))
		}
	}
	parts := make([][]Value, len(results))
	var last Value
	for j := range count {
		call := Call{Def: n.Def(), Attr: n.Attrs(), Loc: g.loc(n.v)}
		for i, a := range g.Args(n.v) {
			if _, changed := m.retype.of(c, g.Type(a)); changed {
				call.Args = append(call.Args, args[i][j])
			} else {
				call.Args = append(call.Args, args[i][0])
			}
		}
		types := make([]Type, len(results))
		for i, t := range results {
			if ps, changed := m.retype.of(c, t); changed {
				types[i] = ps[j]
			} else {
				types[i] = t
			}
		}
		call.Type = c.Multi(types...)
		last = m.B.Must(call)
		for i, t := range results {
			if _, changed := m.retype.of(c, t); changed || j == 0 {
				parts[i] = append(parts[i], m.B.Result(last, i))
			}
		}
	}
	for i, t := range results {
		if _, changed := m.retype.of(c, t); !changed && count == 0 {
			panic(n.Errorf("asks for result #%d of a value without parts", i))
		}
	}
	if len(results) == 0 {
		return last
	}
	m.retype.set(n.v, parts)
	return 0
}

// partsOf lists what takes the place of an old value; one that stays is alone.
func (m *Mirror) partsOf(a Value) []Value {
	t, i, _ := m.g.Projection(a)
	if ps := m.retype.parts[t]; ps != nil {
		return ps[i]
	}
	v := m.Of(Node{m.g, a})
	if _, changed := m.retype.of(m.B.Ctx(), m.g.Type(a)); !changed {
		return []Value{v}
	}
	return m.unpack(v, Node{m.g, t})
}

// whole is the new value of an old one that has parts; 0 if it has none.
func (m *Mirror) whole(a Value) Value {
	t, i, _ := m.g.Projection(a)
	ps := m.retype.parts[t]
	if ps == nil {
		return 0
	}
	if _, changed := m.retype.of(m.B.Ctx(), m.g.Type(a)); !changed {
		return ps[i][0]
	}
	v, _ := m.pack(m.g.Type(a), ps[i], Node{m.g, t})
	return v
}

// unpack takes a value apart, and its parts if they become others too.
func (m *Mirror) unpack(v Value, from Node) (out []Value) {
	c := m.B.Ctx()
	l := c.LoweringOf(m.B.g.Type(v))
	if l == nil || l.level != m.retype.level {
		panic(m.retype.notByParts(from, "gives"))
	}
	parts := l.Unpack(m.B, v)
	l.checkUnpacked(m.B.g, m.B.g.Type(v), parts)
	for _, p := range parts {
		if _, changed := m.retype.of(c, m.B.g.Type(p)); changed {
			out = append(out, m.unpack(p, from)...)
		} else {
			out = append(out, p)
		}
	}
	return out
}

// pack puts a value of type t together from the first parts, and returns the others.
func (m *Mirror) pack(t Type, parts []Value, from Node) (v Value, rest []Value) {
	c := m.B.Ctx()
	if _, changed := m.retype.of(c, t); !changed {
		return parts[0], parts[1:]
	}
	l := c.LoweringOf(t)
	if l == nil || l.level != m.retype.level {
		if m.retype.at.g != nil {
			from = m.retype.at
		}
		panic(m.retype.notByParts(from, "takes"))
	}
	var own []Value
	for _, p := range l.Parts(c, t) {
		v, parts = m.pack(p, parts, from)
		own = append(own, v)
	}
	v = l.Pack(m.B, t, own)
	if m.B.g.Type(v) != t {
		l.wrong(c, t, l.Pack, "Pack gives a value of another type")
	}
	return v, parts
}

// notByParts is the error of an op that is neither lowered by then nor works on each part of what it gives or takes.
func (r *retyping) notByParts(n Node, does string) error {
	return n.Errorf("%s an array or function of values that become their parts at level %s, and is not known to work on each part: "+
		"it is to be lowered at a level before, or has the trait EachPart or Carries", does, r.level)
}

// lowerings say what types become. A type becomes something at one level, and only one table says so. It
// changes only while dialects are registered.
type lowerings struct {
	of      map[*Shape]*TypeLowering
	tensors *TensorLowering
}

// register adds what the types of a dialect become.
func (l *lowerings) register(d *Dialect) {
	if t := Table[*TensorLowering](d); t != nil {
		if l.tensors != nil {
			panic("ir: dialect " + d.Name + " lowers tensors, which another one does")
		}
		lowering := *t
		lowering.TypeLowering.level = t.Level
		l.tensors = &lowering
	}
	for level, types := range Table[TypeLowerings](d) {
		for def, t := range types {
			s := def.Shape()
			switch {
			case t.Parts == nil || t.Unpack == nil || t.Pack == nil:
				panic(fmt.Sprintf("ir: the lowering of type !%s to %s has no Parts, Unpack or Pack", s.Name, level))
			case l.of[s] != nil:
				panic(fmt.Sprintf("ir: type !%s is lowered to %s and to %s", s.Name, l.of[s].level, level))
			}
			t.level = level
			l.of[s] = &t
		}
	}
}

func (l *lowerings) find(c *Context, t Type) *TypeLowering {
	if t < numFixedTypes || len(l.of) == 0 && l.tensors == nil {
		return nil
	}
	info := c.Info(t)
	switch {
	case info.Def != nil:
		return l.of[info.Def]
	case info.Kind == KindTensor && l.tensors != nil && l.tensors.Takes(c, t):
		return &l.tensors.TypeLowering
	}
	return nil
}

func (l *lowerings) levels() (out []string) {
	for _, t := range l.of {
		out = append(out, t.level)
	}
	if l.tensors != nil {
		out = append(out, l.tensors.Level)
	}
	return out
}

func (l *lowerings) parts(c *Context, t Type, level string) (parts []Type, changed bool) {
	if t < numFixedTypes {
		return []Type{t}, false
	}
	if x := l.find(c, t); x != nil && x.level == level {
		for _, p := range x.Parts(c, t) {
			inner, _ := l.parts(c, p, level)
			parts = append(parts, inner...)
		}
		return parts, true
	}
	switch info := c.Info(t); info.Kind {
	case KindFunction:
		in, changedIn := l.partsOfAll(c, info.Types[:info.NumIn], level)
		out, changedOut := l.partsOfAll(c, info.Types[info.NumIn:], level)
		if changedIn || changedOut {
			return []Type{c.Func(in, out)}, true
		}
	case KindMemRef, KindVector, KindTensor:
		elems, changed := l.parts(c, info.Elem, level)
		if !changed {
			break
		}
		for _, e := range elems {
			part := *info
			part.Elem = e
			parts = append(parts, c.Type(part))
		}
		return parts, true
	}
	return []Type{t}, false
}

func (l *lowerings) partsOfAll(c *Context, ts []Type, level string) (out []Type, changed bool) {
	for _, t := range ts {
		parts, ch := l.parts(c, t, level)
		out, changed = append(out, parts...), changed || ch
	}
	return out, changed
}
