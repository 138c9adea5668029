package ir

import "fmt"

// MaxWidth is how many bits a number has at most in what runs. Types of wider ones
// are text: they are read, checked and printed.
const MaxWidth = 64

// Wide reports a type of numbers of more than MaxWidth bits.
func (c *Context) Wide(t Type) bool { return c.wide(t) > 0 }

// wide is the width of the numbers that a type consists of, or 0 if none has more
// than MaxWidth.
func (c *Context) wide(t Type) int {
	switch info := c.Info(t); info.Kind {
	case KindInteger, KindFloat:
		if info.Width > MaxWidth {
			return info.Width
		}
	case KindComplex, KindVector, KindTensor, KindMemRef:
		return c.wide(info.Elem)
	case KindMulti, KindTuple, KindFunction:
		for _, u := range info.Types {
			if w := c.wide(u); w > 0 {
				return w
			}
		}
	}
	return 0
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
			bad = g.Ctx.wide(t) > 0 || g.Ctx.tooLarge(t) != 0
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
