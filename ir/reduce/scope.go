package reduce

import "github.com/irc-lang/irc/ir"

// scope is what new values there are where an op is made, outermost first.
type scope struct {
	byType map[ir.Type][]ir.Value
	consts map[literal]ir.Value
	log    []entry // in order, so that a region can be left
}

type literal struct {
	t ir.Type
	a ir.Attr
}

type entry struct {
	t ir.Type
	a ir.Attr // of a constant that was the first of its value
}

func newScope() scope {
	return scope{byType: map[ir.Type][]ir.Value{}, consts: map[literal]ir.Value{}}
}

func (s *scope) mark() int { return len(s.log) }

func (s *scope) enter(g *ir.Graph, v ir.Value) {
	t := g.Type(v)
	x := entry{t: t}
	if g.IsOp(v) && g.Def(v).Has(ir.ConstantLike) {
		if a := g.Attr(v, "value"); a != 0 && s.consts[literal{t, a}] == 0 {
			x.a = a
			s.consts[literal{t, a}] = v
		}
	}
	s.byType[t] = append(s.byType[t], v)
	s.log = append(s.log, x)
}

func (s *scope) leave(mark int) {
	for _, x := range s.log[mark:] {
		list := s.byType[x.t]
		s.byType[x.t] = list[:len(list)-1]
		if x.a != 0 {
			delete(s.consts, literal(x))
		}
	}
	s.log = s.log[:mark]
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
	if list := e.byType[t]; len(list) > 0 && !e.fresh[n] {
		return list[0], nil
	}
	return e.zero(t)
}

// lesser returns the value of v's type that is there longest, if it depends on less.
func (e *editor) lesser(v ir.Value) (ir.Value, error) {
	list := e.byType[e.g.Type(v)]
	if len(list) == 0 || rank(e.b.Graph(), list[0]) >= rank(e.g, v) {
		return 0, errEdit
	}
	return list[0], nil
}

// zero returns the constant 0 of a type, one that is there if possible, or poison
// where a type has no constants.
func (e *editor) zero(t ir.Type) (ir.Value, error) {
	c := e.g.Ctx
	info := c.Info(t)
	var val ir.Val
	switch info.Kind {
	case ir.KindInteger, ir.KindIndex:
		val = ir.IntVal(0, info.Width)
	case ir.KindFloat:
		val = ir.FloatVal(0, t)
	default:
		poison := c.Lookup("ub.poison")
		if poison == nil {
			return 0, errEdit
		}
		return e.b.Make(ir.Call{Def: poison, Type: t})
	}
	a := c.AttrOf(val, t)
	if a == 0 {
		return 0, errEdit
	}
	if w := e.consts[literal{t, a}]; w != 0 {
		return w, nil
	}
	w := e.b.ConstAttr(t, a)
	e.enter(e.b.Graph(), w)
	return w, nil
}
