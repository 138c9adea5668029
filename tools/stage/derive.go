package stage

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/lowering/derived"
)

// Grad stages a function that gives one float, and compiles its gradient. F takes what the function takes, and for each Slice
// and Tensor of floats among that another slice or Array. These are of the same length or extents, and the derivatives by the
// elements are added to theirs. F gives what the function gives, and then the derivative by each float that it takes.
//
//	loss := func(s *stage.S, x stage.Dyn[float64], w stage.Slice[float64]) stage.Dyn[float64] { ... }
//	g, err := stage.Grad[func(x float64, w, dw []float64) (loss, dx float64)](ctx, engine.Auto, "loss", loss)
//
// Of a Slice that the function writes, the other slice holds before the call how the float changes with what is there at the
// end, as a rule 0. The errors are those of CompileOn, and an *Error where an op has no derivative.
func Grad[F any](ctx context.Context, kind *engine.Kind, name string, fn any) (*Program[F], error) {
	return compile[F](ctx, kind, name, fn, &derivation{})
}

// Jvp stages a function and compiles its derivative in one direction. F takes what the function takes, and then how each float,
// Slice and Tensor of floats among that changes. It gives what the function gives, and then how each float among that changes.
// A Slice that the function writes has at the end how its elements change in the slice that belongs to it.
func Jvp[F any](ctx context.Context, kind *engine.Kind, name string, fn any) (*Program[F], error) {
	return compile[F](ctx, kind, name, fn, &derivation{forward: true})
}

// A derivation is what a Program of derivatives has that others have not.
type derivation struct {
	forward bool
	takes   []part // of what the function takes
	moving  []int  // of takes those to which a part belongs that comes behind them
	seed    kind   // in reverse that of the float that is derived
}

// shape says what comes behind the parameters and results of a staged function.
func (d *derivation) shape(t reflect.Type) (in, out []reflect.Type, err error) {
	for i := 1; i < t.NumIn(); i++ {
		list, _ := partsOf(t.In(i))
		for _, p := range list {
			switch isFloat := p.kind.float(); {
			case isFloat && (d.forward || p.form != asNumber):
				in, d.moving = append(in, p.plain()), append(d.moving, len(d.takes))
			case isFloat:
				out = append(out, p.plain())
			}
			d.takes = append(d.takes, p)
		}
	}
	floats := 0
	for i := range t.NumOut() {
		list, _ := partsOf(t.Out(i))
		for _, p := range list {
			if p.kind.float() && p.form == asTensor {
				return nil, nil, errors.New("stage: the function gives a Tensor, whose derivatives have no place: Store it in a Slice that the function is given")
			}
			if !p.kind.float() || p.form != asNumber {
				continue
			}
			floats, d.seed = floats+1, p.kind
			if d.forward {
				out = append(out, p.plain())
			}
		}
	}
	if !d.forward && floats != 1 {
		return nil, nil, fmt.Errorf("stage: the function gives %d floats, and Grad is of one: give their sum, or whatever is to be derived; Jvp takes any number", floats)
	}
	return in, out, nil
}

// matches checks that f is the type of the derivatives on plain values, of a staged function.
func (d *derivation) matches(f, t reflect.Type) error {
	in, out, err := d.shape(t)
	if err != nil || f.Kind() != reflect.Func {
		return errors.Join(err, matches(f, t))
	}
	var takes, gives []reflect.Type
	for i := range f.NumIn() {
		takes = append(takes, f.In(i))
	}
	for i := range f.NumOut() {
		if i < f.NumOut()-1 || f.Out(i) != reflect.TypeFor[error]() {
			gives = append(gives, f.Out(i))
		}
	}
	n, m := t.NumIn()-1, t.NumOut()
	if len(takes) < n || !slices.Equal(takes[n:], in) || len(gives) < m || !slices.Equal(gives[m:], out) {
		return fmt.Errorf("stage: %s is not what the derivatives of %s are on plain values: behind the parameters come %s, behind the results %s", f, t, listed(in), listed(out))
	}
	return matches(reflect.FuncOf(takes[:n], gives[:m], false), t)
}

// listed are types in a sentence.
func listed(types []reflect.Type) string {
	if len(types) == 0 {
		return "none"
	}
	var out []string
	for _, t := range types {
		out = append(out, t.String())
	}
	return strings.Join(out, ", ")
}

// plain is the type of a part of floats on plain values.
func (p part) plain() reflect.Type {
	if p.kind == f32 {
		return plainOf[float32](p.form)
	}
	return plainOf[float64](p.form)
}

func plainOf[T Element](f form) reflect.Type {
	switch f {
	case asMemory:
		return reflect.TypeFor[[]T]()
	case asTensor:
		return reflect.TypeFor[Array[T]]()
	}
	return reflect.TypeFor[T]()
}

// extents adds to those of the Tensors that the function takes those of the Arrays that belong to them.
func (d *derivation) extents(list []extents) []extents {
	number := map[int]int{} // of a part among the Tensors
	for i, p := range d.takes {
		if p.form == asTensor {
			number[i] = len(number)
		}
	}
	for _, k := range d.moving {
		if i, ok := number[k]; ok {
			e := list[i]
			e.of = "what belongs to " + e.of
			list = append(list, e)
		}
	}
	return list
}

// make makes the derivatives, and gives their name.
func (d *derivation) make(ctx context.Context, g *ir.Graph, name string) (*ir.Graph, string, error) {
	out, x, err := derived.Make(ctx, g, name, d.forward)
	var op *ir.OpError
	switch {
	case errors.As(err, &op):
		return nil, "", &Error{File: placeIn(g.Ctx, op.Loc), What: op.Error()}
	case err != nil:
		return nil, "", err
	}
	return out, x.Name, nil
}

// placeIn is file:line in the source of Go, or "".
func placeIn(c *ir.Context, l ir.Loc) string {
	file, rest, ok := strings.Cut(strings.TrimPrefix(c.LocText(l), `"`), `":`)
	line, _, _ := strings.Cut(rest, ":")
	if n, err := strconv.Atoi(line); ok && err == nil {
		return diag.FileLine(file, n)
	}
	return ""
}

// check refuses arguments of which derivatives are wrong. What belongs to memory is as long. It shares memory with nothing if
// it is written, and nor do slices of the function.
func (d *derivation) check(list []reflect.Value) error {
	var of []span
	for _, x := range list {
		s, _ := spanOf(x)
		of = append(of, s)
	}
	for i, k := range d.moving {
		if n := len(d.takes) + i; len(of[k].data) != len(of[n].data) {
			return fmt.Errorf("stage: slice %d is longer or shorter than what belongs to it, slice %d: %d and %d bytes", k+1, n+1, len(of[k].data), len(of[n].data))
		}
	}
	for i, x := range of {
		for k, y := range of[:i] {
			written := x.array == nil && y.array == nil || !d.forward && i >= len(d.takes)
			if written && len(x.data) > 0 && len(y.data) > 0 && x.start() < y.end() && y.start() < x.end() {
				return fmt.Errorf("stage: arguments %d and %d share memory, of which there are no derivatives: give a copy of one", k+1, i+1)
			}
		}
	}
	return nil
}

// seeded puts the adjoint of the result, which is 1, behind what the function takes.
func (d *derivation) seeded(list []reflect.Value) []reflect.Value {
	if d.forward {
		return list
	}
	seed := settable(1.0)
	if d.seed == f32 {
		seed = settable(float32(1))
	}
	return slices.Insert(list, len(d.takes), seed)
}
