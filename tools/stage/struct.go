package stage

import (
	"fmt"
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

// Structs and arrays of Dyns, Slices and Tensors are values of the program as their parts are, however deep: they are given to functions and
// returned, and VarOf makes variables of them. In the program there are the parts alone, in order.

// parts calls f for each Dyn, Slice and Tensor of a value that can be set, with what it is called: "", ".lo.x", "[2]". It gives an error for
// one that has something else in it.
func parts(v reflect.Value, name string, f func(name string, part reflect.Value)) error {
	if isPart(v) {
		f(name, v)
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			x := v.Field(i)
			x = reflect.NewAt(x.Type(), x.Addr().UnsafePointer()).Elem() // of a field that is not exported, too
			if err := parts(x, name+"."+v.Type().Field(i).Name, f); err != nil {
				return err
			}
		}
		return nil
	case reflect.Array:
		for i := range v.Len() {
			if err := parts(v.Index(i), fmt.Sprintf("%s[%d]", name, i), f); err != nil {
				return err
			}
		}
		return nil
	}
	what := "is"
	if name != "" {
		what = fmt.Sprintf("has %s, which is", name)
	}
	if pointsToPart(v.Type()) {
		return fmt.Errorf("%s a pointer, %s, and a %s is given as it is", what, v.Type(), v.Type().Elem())
	}
	return fmt.Errorf("%s %s", what, v.Type())
}

// isPart reports a Dyn, a Slice or a Tensor. A pointer to one has its methods, too, and is none.
func isPart(v reflect.Value) bool {
	x, ok := v.Interface().(staged)
	return ok && reflect.TypeOf(x).Kind() != reflect.Pointer
}

// pointsToPart reports the type of a pointer, or of a pointer to one, to a Dyn, a Slice or a Tensor.
func pointsToPart(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		if t = t.Elem(); t.Kind() == reflect.Struct && t.Implements(reflect.TypeFor[staged]()) {
			return true
		}
	}
	return false
}

// A part is a Dyn, a Slice or a Tensor of a type.
type part struct {
	name string
	kind kind
	form form
}

// partsOf are those of a type that has no others, and at least one.
func partsOf(t reflect.Type) (out []part, err error) {
	err = parts(reflect.New(t).Elem(), "", func(name string, p reflect.Value) {
		k, f := p.Interface().(staged).kindIn()
		out = append(out, part{name, k, f})
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("is %s, in which there is nothing", t)
	}
	return out, err
}

// isStaged reports a type that has a Dyn, a Slice or a Tensor in it, or a pointer to one.
func isStaged(t reflect.Type) bool {
	if isPart(reflect.New(t).Elem()) || pointsToPart(t) {
		return true
	}
	switch t.Kind() {
	case reflect.Array:
		return isStaged(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if isStaged(t.Field(i).Type) {
				return true
			}
		}
	}
	return false
}

// made is a value of Go whose parts are what f gives, in order.
func (s *S) made(t reflect.Type, f func(k kind, f form) (stage.Value, []int64)) reflect.Value {
	v := reflect.New(t).Elem()
	parts(v, "", func(_ string, p reflect.Value) {
		z := p.Interface().(staged)
		x, shape := f(z.kindIn())
		p.Set(reflect.ValueOf(z.from(s, x, shape)))
	})
	return v
}

// values adds those of a value's parts to a list: of an argument, or a result.
func (s *S) values(what string, v reflect.Value, to []stage.Value) []stage.Value {
	parts(settable(v.Interface()), "", func(name string, p reflect.Value) {
		x := p.Interface().(staged)
		s.takes(what, x.session(what+name))
		to = append(to, x.valueIn(len(to)))
	})
	return to
}

// onDevice reports memory of the device in a value.
func onDevice(v reflect.Value) (is bool) {
	parts(settable(v.Interface()), "", func(_ string, p reflect.Value) {
		m, ok := p.Interface().(interface{ onDevice() bool })
		is = is || ok && m.onDevice()
	})
	return is
}

// settable is a copy of a value, whose parts can be set.
func settable(v any) reflect.Value {
	x := reflect.New(reflect.TypeOf(v)).Elem()
	x.Set(reflect.ValueOf(v))
	return x
}

// each makes a value of what f makes of the parts of x, which are Dyns.
func each[T any](s *S, what string, x T, f func(i int, name string, p dyn) any) T {
	v, i := settable(x), 0
	err := parts(v, "", func(name string, p reflect.Value) {
		d, ok := p.Interface().(dyn)
		if !ok {
			s.fail(what, "keep the Slice beside it: it is memory, whose elements change", "%s of %T is a Slice", name, x)
		}
		p.Set(reflect.ValueOf(f(i, name, d)))
		i++
	})
	if err != nil {
		s.fail(what, "put what the host knows beside it", "%T %v, and it must be made of Dyns", x, err)
	}
	return v.Interface().(T)
}

// VarOf is Var for a struct or an array of Dyns: each part is a variable, which holds what that of init is. s.While and the rest
// take its parts; Set and Get are for all of them.
func VarOf[T any](s *S, name string, init T) T {
	now := each(s, "VarOf", init, func(i int, name string, p dyn) any { return p.held(name, i) })
	return each(s, "VarOf", now, func(i int, part string, p dyn) any { return p.declare(s, name+part, i) })
}

// Set makes the variables that VarOf declared hold the parts of another value, all at once.
func Set[T any](s *S, to, x T) {
	var now []any
	each(s, "Set", x, func(i int, name string, p dyn) any {
		now = append(now, p.held(name, i))
		return p
	})
	each(s, "Set", to, func(i int, _ string, p dyn) any {
		p.assign(now[i], i)
		return p
	})
}

// Get are the values that the parts of x hold now.
func Get[T any](s *S, x T) T {
	return each(s, "Get", x, func(i int, name string, p dyn) any { return p.held(name, i) })
}

// Zero is a struct or an array whose Dyns are 0, or false.
func Zero[T any](s *S) T {
	var x T
	return each(s, "Zero", x, func(i int, _ string, p dyn) any { return p.zero(s, i) })
}

// A dyn is a Dyn of whatever type, as the i-th of several that one call takes.
type dyn interface {
	staged
	held(name string, i int) any
	zero(s *S, i int) any
	declare(s *S, name string, i int) any
	assign(v any, i int)
	which() [2]int32        // the variable or the value that it is
	plain(to reflect.Value) // of a direct run
}

func (x Dyn[T]) plain(to reflect.Value) { setValue(to, x.get()) }

func (x Dyn[T]) direct(s *S, bits uint64) any { return Dyn[T]{s: s, now: bits} }

func (x Dyn[T]) which() [2]int32 { return [2]int32{int32(x.mem), int32(x.v)} }

func (x Dyn[T]) held(name string, i int) any {
	s := x.session("part " + name)
	if s.run == nil {
		return Dyn[T]{s: s, now: x.get()}
	}
	return Dyn[T]{s: s, v: x.valueIn(i)}
}

func (x Dyn[T]) zero(s *S, i int) any {
	if s.run == nil {
		return Dyn[T]{s: s}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "const", to: kindOf[T]()}, Sub: i})}
}

func (x Dyn[T]) declare(s *S, name string, i int) any {
	d := Dyn[T]{s: s}
	if s.run == nil {
		n := x.get()
		d.cell = &n
	} else {
		d.mem = s.run.Declare(code{op: "var", to: kindOf[T](), name: name}, code{op: "set"}, x.valueIn(i), i)
	}
	if s.own != nil {
		s.own[d.variable()] = true
	}
	return d
}

func (x Dyn[T]) assign(v any, i int) {
	s := x.session("Set")
	if x.mem == 0 && x.cell == nil {
		s.fail("Set", "declare it with stage.Var, or all of a struct with stage.VarOf", "this is a value, not a variable")
		return
	}
	if s.own != nil && !s.own[x.variable()] {
		s.fail("Set", "write to memory of the device, which stage.Copy moves back", "a kernel sets a variable of the host")
	}
	y := v.(Dyn[T])
	if s.run == nil {
		*x.cell = y.get()
		return
	}
	s.run.Emit(stage.Op{Kind: stage.Write, Var: x.mem, Code: code{op: "set"}, Args: []stage.Value{y.valueIn(i)}, Sub: i})
}

// isPlain reports that a type is what a staged one is on plain values: structs have the same fields, arrays as many elements.
func isPlain(plain, staged reflect.Type) bool {
	if z, ok := zeroOf(staged); ok {
		switch k, f := z.kindIn(); f {
		case asMemory:
			return plain.Kind() == reflect.Slice && kinds[plain.Elem().Kind()] == k
		case asTensor:
			a, ok := reflect.New(plain).Interface().(plainArray)
			return ok && a.elem() == k
		default:
			return kinds[plain.Kind()] == k
		}
	}
	switch {
	case plain.Kind() != staged.Kind():
		return false
	case plain.Kind() == reflect.Array:
		return plain.Len() == staged.Len() && isPlain(plain.Elem(), staged.Elem())
	case plain.Kind() != reflect.Struct || plain.NumField() != staged.NumField():
		return false
	}
	for i := range plain.NumField() {
		a, b := plain.Field(i), staged.Field(i)
		if a.Name != b.Name || !isPlain(a.Type, b.Type) {
			return false
		}
	}
	return true
}

// plainParts calls f for each scalar, slice and Array of a value on plain values.
func plainParts(v reflect.Value, f func(reflect.Value)) {
	if _, ok := v.Addr().Interface().(plainArray); ok {
		f(v)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			x := v.Field(i)
			plainParts(reflect.NewAt(x.Type(), x.Addr().UnsafePointer()).Elem(), f)
		}
	case reflect.Array:
		for i := range v.Len() {
			plainParts(v.Index(i), f)
		}
	default:
		f(v)
	}
}

// zeroOf is the zero value of a Dyn, a Slice or a Tensor.
func zeroOf(t reflect.Type) (staged, bool) {
	if v := reflect.Zero(t); isPart(v) {
		return v.Interface().(staged), true
	}
	return nil, false
}
