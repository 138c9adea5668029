package stage

import (
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/irc-lang/irc/ir/lists"
)

// Directly is a staged function as a function of Go on plain values: it is run on them, and nothing is staged. What the Call of its
// Program computes is the same. Where the program stops it panics, or gives an error if the last result of F is one. Prophecies are not told.
func Directly[F any](fn any) (direct F, err error) {
	v, tensors, err := unwrap(fn)
	if err != nil {
		return direct, err
	}
	f := reflect.TypeFor[F]()
	if err := matches(f, v.Type()); err != nil {
		return direct, err
	}
	run := func(in []reflect.Value) (out []reflect.Value) {
		for i := range f.NumOut() {
			out = append(out, reflect.New(f.Out(i)).Elem())
		}
		if k := len(out) - 1; k >= 0 && f.Out(k) == reflect.TypeFor[error]() {
			defer func() {
				p := recover()
				if e, ok := p.(*Error); ok {
					out[k].Set(reflect.ValueOf(e))
				} else if p != nil {
					out[k].Set(reflect.ValueOf(fmt.Errorf("stage: the function stops: %v", p)))
				}
			}()
		}
		if err := fit(tensors, in); err != nil {
			panic(err)
		}
		s, list := Direct(), tensors
		own := lists.Map(in, func(x reflect.Value) []reflect.Value { return leaves(settable(x.Interface())) })
		apart(slices.Concat(own...))
		args := []reflect.Value{reflect.ValueOf(s)}
		for i, from := range own {
			args = append(args, s.onPlain(v.Type().In(i+1), from, &list))
		}
		for i, y := range v.Call(args) {
			to := leaves(out[i])
			parts(settable(y.Interface()), "", func(_ string, p reflect.Value) {
				p.Interface().(dyn).plain(to[0])
				to = to[1:]
			})
		}
		return out
	}
	return reflect.MakeFunc(f, run).Interface().(F), nil
}

// onPlain is a value for a direct run, of what its parts are on plain values, whose Tensors have the first extents of a list, which are taken off.
func (s *S) onPlain(t reflect.Type, from []reflect.Value, tensors *[]extents) reflect.Value {
	v := reflect.New(t).Elem()
	parts(v, "", func(_ string, p reflect.Value) {
		var shape []int64
		if _, ok := p.Interface().(operand); ok {
			shape, *tensors = (*tensors)[0].shape, (*tensors)[1:]
		}
		p.Set(reflect.ValueOf(p.Interface().(staged).on(s, from[0], shape)))
		from = from[1:]
	})
	return v
}

// leaves are the scalars, slices and Arrays of a value on plain values.
func leaves(v reflect.Value) (out []reflect.Value) {
	plainParts(v, func(x reflect.Value) { out = append(out, x) })
	return out
}

func (x Dyn[T]) on(s *S, v reflect.Value, _ []int64) any {
	n, _ := bits(v.Interface())
	return Dyn[T]{s: s, now: n}
}

func (x Slice[T]) on(s *S, v reflect.Value, _ []int64) any {
	return Slice[T]{s: s, data: unsafe.Slice((*T)(v.UnsafePointer()), v.Len())}
}
