package ir

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/internal/extent"
)

// MaxBytes bounds what memory of a static type takes: LLVM counts its bits in 64.
const MaxBytes = extent.MaxBytes

// MaxElements is more than the memory of any machine holds: what a program makes that is larger fails when it runs.
const MaxElements = extent.MaxElements

// Product multiplies numbers that are not negative. ok is false if those that are not 0 have a
// product above the greatest int64, which n is then: an extent of 0 hides no others, since
// their products are strides.
func Product(ns ...int64) (n int64, ok bool) { return extent.Product(ns...) }

// Times is the product of two numbers; one that does not fit is the greatest or the least one
// of its type. Extents, strides, offsets and bytes are multiplied by it where the product is a cost or
// is compared with a limit, and by Product where it must be right.
func Times[T int | int64](a, b T) T { return extent.Times(a, b) }

// Sum adds two numbers; ok is false if the sum does not fit.
func Sum(a, b int64) (n int64, ok bool) { return extent.Sum(a, b) }

// Elements is how many elements an array of extents has, none of which is Dynamic: the
// greatest int64 if there are more.
func Elements[T int | int64](extents []T) T { return extent.Elements(extents) }

// tooLarge is a part of a type that takes more than MaxBytes, or 0: its extents and strides
// that are known are those of no memory. Of extents that are open it says nothing.
func (c *Context) tooLarge(t Type) Type {
	switch info := c.Info(t); info.Kind {
	case KindVector, KindTensor, KindMemRef:
		if !c.fits(info) {
			return t
		}
		return c.tooLarge(info.Elem)
	case KindMulti, KindTuple, KindFunction:
		for _, u := range info.Types {
			if u = c.tooLarge(u); u != 0 {
				return u
			}
		}
	}
	return 0
}

// Fits reports that no part of a type takes more than MaxBytes: the type runs, if it is no text
// for another reason.
func (c *Context) Fits(t Type) bool { return c.tooLarge(t) == 0 }

// fits reports that all elements of a type lie within MaxBytes.
func (c *Context) fits(info *TypeInfo) bool {
	size, ok := c.MemBytes(info.Elem)
	if !ok || size < 1 {
		size = 1
	}
	known := []int64{size}
	for _, d := range info.Shape {
		if d != Dynamic {
			known = append(known, d)
		}
	}
	n, ok := Product(known...)
	if !ok || n > MaxBytes {
		return false
	}
	if info.Layout == 0 || c.AttrInfo(info.Layout).Kind != AttrStrided {
		return true
	}
	layout := c.AttrInfo(info.Layout)
	low, high := int64(0), int64(0)
	reach := func(step int64) bool { // the terms are bounded, and so is what is added
		low, high = low+min(step, 0), high+max(step, 0)
		return -MaxBytes <= low && high <= MaxBytes
	}
	if layout.Int != Dynamic && !reach(max(min(Times(layout.Int, size), 2*MaxBytes), -2*MaxBytes)) {
		return false
	}
	for i, s := range layout.Shape {
		if s == Dynamic || i >= len(info.Shape) {
			continue
		}
		steps := int64(1)
		if d := info.Shape[i]; d != Dynamic {
			steps = max(d-1, 1) // a stride is a number of bytes, too
		}
		if !reach(max(min(Times(Times(s, size), steps), 2*MaxBytes), -2*MaxBytes)) {
			return false
		}
	}
	return true
}

// CheckType refuses an op v of g for a type that no engine runs: see CheckTypes. The error is
// an *OpError.
func CheckType(g *Graph, v Value, t Type) error {
	if w := g.Ctx.wide(t); w > 0 {
		return tooWide(g, v, w)
	}
	if part := g.Ctx.tooLarge(t); part != 0 {
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
