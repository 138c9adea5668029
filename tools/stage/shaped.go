package stage

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/stage"
)

// Extents are those of a Tensor that a program is given, one for each dimension: an int where it is known when the function is staged, -1 where it is open, or
// a name, by which it is open too: in one call all extents of a name are equal.
type Extents []any

// A shaped is a staged function with the extents of what it is given.
type shaped struct {
	fn    any
	of    []Extents
	place string
}

// Shaped says the extents of the Tensors among the parameters of a staged function, one after the other as they stand there, in structs and arrays, too. Compile,
// Module, Directly and the rest take what it gives as they take the function. Those of results need not be said: they follow.
//
//	f := stage.Shaped(predict, stage.Extents{"n", 784}, stage.Extents{784, 10}, stage.Extents{10})
//	p, err := stage.Compile[func(x, w, b stage.Array[float32]) stage.Array[float32]](ctx, "predict", f)
func Shaped(fn any, of ...Extents) any {
	_, file, line, _ := runtime.Caller(1)
	return &shaped{fn, of, diag.FileLine(file, line)}
}

// extents are those of a Tensor among the parameters of a function.
type extents struct {
	shape []int64
	names []string // of those that are open, else ""; nil if none has one
	of    string   // the parameter, and which part of it
	place string   // where they are said, in the source of Go
}

// unwrap is the function that was given, and what Shaped says of it.
func unwrap(fn any) (v reflect.Value, list []extents, err error) {
	x, ok := fn.(*shaped)
	if !ok {
		x = &shaped{fn: fn}
	}
	v = reflect.ValueOf(x.fn)
	if err := checkFn(v); err != nil {
		return v, nil, err
	}
	if x.place == "" {
		x = &shaped{fn, nil, (&routine{fn: v}).place()}
	}
	names := tensorParams(v)
	if len(names) != len(x.of) {
		what := fmt.Sprintf("%d Extents are given for no Tensor", len(x.of))
		if len(names) > 0 {
			what = fmt.Sprintf("%d Extents are given for %d Tensors: %s", len(x.of), len(names), strings.Join(names, ", "))
		}
		return v, nil, &Error{File: x.place, What: what, Fix: "say those of each, as stage.Shaped(f, stage.Extents{\"n\", 784}, stage.Extents{784, 10})"}
	}
	for i, given := range x.of {
		e := extents{of: names[i], place: x.place}
		for d, n := range given {
			shape, name, ok := int64(-1), "", true
			switch n := n.(type) {
			case int:
				shape, ok = int64(n), n >= -1
			case string:
				name, ok = n, n != ""
			default:
				ok = false
			}
			if !ok {
				return v, nil, &Error{File: x.place, What: fmt.Sprintf("extent %d of %s is %#v", d, e.of, n), Fix: "give a number that is not negative, -1 for an open one, or a name for one"}
			}
			e.shape, e.names = append(e.shape, shape), append(e.names, name)
		}
		if count(e.shape) < 0 {
			return v, nil, &Error{File: x.place, What: fmt.Sprintf("%s has too many elements: %s", e.of, shapeText(e.shape)), Fix: "give it less than 2^48"}
		}
		list = append(list, e)
	}
	return v, list, nil
}

// tensorParams names the Tensors among the parameters of a function, and their parts.
func tensorParams(fn reflect.Value) (out []string) {
	t, names := fn.Type(), paramNames(fn)
	for i := 1; i < t.NumIn(); i++ {
		list, _ := partsOf(t.In(i))
		for _, p := range list {
			if p.form == asTensor {
				out = append(out, names[i]+p.name)
			}
		}
	}
	return out
}

// extentsIn are those of the Tensors in an argument of a function of the program.
func extentsIn(v reflect.Value) (out []extents) {
	parts(settable(v.Interface()), "", func(_ string, p reflect.Value) {
		if x, ok := p.Interface().(operand); ok {
			out = append(out, extents{shape: x.typ().Shape()})
		}
	})
	return out
}

func sameExtents(a, b []extents) bool {
	return slices.EqualFunc(a, b, func(x, y extents) bool { return slices.Equal(x.shape, y.shape) })
}

// fit checks the Arrays among arguments.
func fit(list []extents, in []reflect.Value) error {
	type place struct {
		n  int64
		of string
		d  int
	}
	named := map[string]place{}
	for _, v := range in {
		for _, x := range leaves(settable(v.Interface())) {
			if !isArray(x) {
				continue
			}
			e := list[0]
			list = list[1:]
			shape, bytes := x.Addr().Interface().(plainArray).read()
			wrong := func(format string, args ...any) error {
				return &Error{File: e.place, What: e.of + fmt.Sprintf(format, args...), Fix: "what it takes is said here: " + e.text()}
			}
			if len(shape) != len(e.shape) {
				return wrong(" has %d dimensions, %s, and %d are wanted", len(shape), shapeText(shape), len(e.shape))
			}
			for d, n := range shape {
				at, ok := named[e.names[d]]
				switch {
				case n < 0:
					return wrong(" has extent %d in dimension %d", n, d)
				case e.shape[d] >= 0 && n != e.shape[d]:
					return wrong(" has extent %d in dimension %d, and %d is wanted", n, d, e.shape[d])
				case ok && n != at.n:
					return wrong(" has extent %d in dimension %d, and %s is %d by dimension %d of %s", n, d, e.names[d], at.n, at.d, at.of)
				case !ok && e.names[d] != "":
					named[e.names[d]] = place{n, e.of, d}
				}
			}
			if k := int64(len(bytes) / (x.Addr().Interface().(plainArray).elem().width() / 8)); k != count(shape) {
				return wrong(" has %d elements, and its extents are %s", k, shapeText(shape))
			}
		}
	}
	return nil
}

// text is how a message writes them: (n, 784).
func (e extents) text() string {
	list := make([]string, len(e.shape))
	for d, n := range e.shape {
		if list[d] = e.names[d]; list[d] == "" {
			list[d] = strings.ReplaceAll(fmt.Sprint(n), "-1", "any")
		}
	}
	return e.of + " (" + strings.Join(list, ", ") + ")"
}

// agree stops the program unless extents of one name are equal.
func (e *emitter) agree(f *routine) {
	type place struct {
		n  ir.Value
		of string
		d  int
	}
	named, list := map[string]place{}, f.tensors
	for _, p := range e.params {
		if e.m.c.Info(e.b.Graph().Type(p)).Kind != ir.KindTensor {
			continue
		}
		for d, name := range list[0].names {
			if name == "" {
				continue
			}
			n, of := e.dim(p, int64(d)), list[0].of
			if at, ok := named[name]; ok {
				e.assert(arith.CmpI(e.b, arith.EQ, at.n, n), fmt.Sprintf("%s in dimension %d has another extent %s than %s in dimension %d", of, d, name, at.of, at.d))
			} else {
				named[name] = place{n, of, d}
			}
		}
		list = list[1:]
	}
}

// givesOf notes the extents of the Tensors that a function gives, the same on each way to its end.
func (m *module) givesOf(f *routine, s *stage.Session) error {
	list := resultParts(f.fn.Type())
	var first []stage.Value
	for _, end := range s.Ends() {
		args := s.Nodes[end].Args
		if first == nil {
			first = args
		}
		for i, p := range list {
			if p.form != asTensor {
				continue
			}
			a, b := s.Nodes[args[i]].Code.(code).shape, s.Nodes[first[i]].Code.(code).shape
			if a != b {
				return &stage.Error{Stack: s.Nodes[args[i]].Stack, Other: s.Nodes[first[i]].Stack,
					What: fmt.Sprintf("a tensor of %s is returned, and on another way one of %s", shapeText(extentsOf(a)), shapeText(extentsOf(b))),
					Fix:  "return tensors of the same extents: by a Dyn[int], as Dim gives, Reshape makes an extent open"}
			}
		}
	}
	gives := []string{}
	for i, p := range list {
		if p.form == asTensor && first != nil {
			gives = append(gives, s.Nodes[first[i]].Code.(code).shape)
		}
	}
	if was := f.gives; was != nil && !slices.Equal(was, gives) || f.relied && !slices.Equal(f.assumed, gives) {
		return &stage.Error{Stack: -1, Other: -1, What: "the extents of what " + f.name + " gives depend on what is staged after a call of it", Fix: "give a Slice to the function, and Store the tensor there"}
	}
	f.gives = gives
	return nil
}

// resultParts are those of all results of a function.
func resultParts(t reflect.Type) (out []part) {
	for i := range t.NumOut() {
		list, _ := partsOf(t.Out(i))
		out = append(out, list...)
	}
	return out
}

// maxDeep bounds the functions that are found one within the other.
const maxDeep = 500

// resultsOf are the extents of the Tensors that a function gives which is called; it is found for that, if it was not.
func (s *S) resultsOf(g *routine) []string {
	is := func(p part) bool { return p.form == asTensor }
	switch {
	case g.extern || !slices.ContainsFunc(resultParts(g.fn.Type()), is):
		return nil
	case g.gives != nil:
		return g.gives
	case g.busy && g.assumed != nil:
		g.relied = true
		return g.assumed
	case g.busy:
		s.fail("Func", "ask first for the case that ends the recursion, with true for that, and return there", "what %s gives is not known yet where it calls itself", g.of)
		return nil
	}
	if s.m.deep++; s.m.deep > maxDeep {
		s.fail("Func", "bound the extents of what it is called with, or leave them open: Reshape by a Dyn[int] does", "%d calls of functions for whose results the next one has to be found are under way: %s calls itself with other extents each time, and does not come to an end", maxDeep, g.of)
	}
	defer func() { s.m.deep-- }()
	o := s.m.opts
	o.Checks = -1
	found, err := s.m.extract(g, o)
	if err == nil {
		err = s.m.givesOf(g, found)
	}
	if err != nil {
		s.m.failed = s.m.explained(g, found, err)
		s.fail("Func", "see there", "%v", s.m.failed)
	}
	g.found = found
	return g.gives
}
