package stagetest

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

// A Program is a staged function, compiled for each engine that is there; F is its type on plain values, as stage.Compile has it.
type Program[F any] struct {
	*stage.Program[F] // by engine.Auto
	// Relative is by how much floats may differ, relative to what they should be: 0, unless it is set. NaN is NaN.
	Relative float64
	// Distinct says that slices among the arguments are never one memory. Else Same calls the program twice where there are several: a
	// second time with slices of one type that are one memory, or overlap.
	Distinct bool

	t       testing.TB
	fn      any
	engines []*stage.Program[F]
	shared  int // calls with shared memory, which differ in how it is shared
}

// Compile compiles a staged function for the interpreter and, where there is libLLVM, as native code. It is closed with the test.
func Compile[F any](t testing.TB, fn any) *Program[F] {
	t.Helper()
	p := &Program[F]{t: t, fn: fn}
	for _, kind := range []*engine.Kind{engine.Eval, engine.Auto} {
		c, err := stage.CompileOn[F](context.Background(), kind, "main", fn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
		p.Program = c
		p.engines = append(p.engines, c)
	}
	return p
}

// Same calls the program on each engine and the function directly. It fails the test if an engine gives other
// results, writes something else to slices, or does not stop where the function stops. It returns the results
// of the direct run; none if it stops. What it is given is not changed. A function that asks prophecies has
// no direct run: use Like.
func (p *Program[F]) Same(args ...any) []any {
	p.t.Helper()
	direct, err := stage.Directly[F](p.fn)
	if err != nil {
		p.t.Fatal(err)
	}
	right := p.like(direct, args, noShare)
	if !p.Distinct && share(args, 0) {
		p.like(direct, args, p.shared)
		p.shared++
	}
	return right
}

// Like is Same for a function of Go that says what is right.
func (p *Program[F]) Like(want F, args ...any) []any {
	p.t.Helper()
	return p.like(want, args, noShare)
}

// like is Like, with slices shared in some way.
func (p *Program[F]) like(want F, args []any, how int) []any {
	p.t.Helper()
	right := p.call(want, args, how)
	for _, c := range p.engines {
		got := p.call(c.Call, args, how)
		if why := p.differ(got, right); why != "" {
			p.t.Errorf("%s, called with %v%s: %s\n%s", c.Engine(), args, shareText(how), why, c.Text())
		}
	}
	return right.results
}

// Same compiles a staged function, and compares what it does with arguments: Program.Same.
func Same[F any](t testing.TB, fn any, args ...any) []any {
	t.Helper()
	return Compile[F](t, fn).Same(args...)
}

// An outcome is what came of a call.
type outcome struct {
	results, args []any
	stops         error
}

// call calls a function with copies of arguments, whose slices are shared in some way.
func (p *Program[F]) call(f F, args []any, how int) (out outcome) {
	p.t.Helper()
	t := reflect.TypeFor[F]()
	if len(args) != t.NumIn() {
		p.t.Fatalf("stagetest: %d arguments for %s", len(args), t)
	}
	var in []reflect.Value
	for i, a := range args {
		if reflect.TypeOf(a) != t.In(i) {
			p.t.Fatalf("stagetest: argument %d is %T, and %s takes %s", i+1, a, t, t.In(i))
		}
		in = append(in, clone(reflect.ValueOf(a)))
	}
	if how != noShare {
		shareIn(in, how)
	}
	for _, x := range in {
		out.args = append(out.args, x.Interface())
	}
	defer func() {
		if r := recover(); r != nil {
			out.results, out.stops = nil, fmt.Errorf("%v", r)
		}
	}()
	for _, r := range reflect.ValueOf(f).Call(in) {
		if r.Type() != reflect.TypeFor[error]() {
			out.results = append(out.results, r.Interface())
		} else if err, ok := r.Interface().(error); ok {
			return outcome{args: out.args, stops: err}
		}
	}
	return out
}

// clone copies a value with its slices.
func clone(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			reflect.Copy(out, v)
		}
	case reflect.Struct, reflect.Array:
		each(out, func(x reflect.Value, _ string) { x.Set(clone(x)) })
	}
	return out
}

// each calls f for the parts of a struct, an array or a slice that can be set.
func each(v reflect.Value, f func(x reflect.Value, name string)) {
	if v.Kind() != reflect.Struct {
		for i := range v.Len() {
			f(v.Index(i), fmt.Sprintf("[%d]", i))
		}
		return
	}
	for i := range v.NumField() {
		x := v.Field(i)
		f(reflect.NewAt(x.Type(), x.Addr().UnsafePointer()).Elem(), "."+v.Type().Field(i).Name)
	}
}

// differ says how an outcome is not what it should be. What a call that stops has written is not compared.
func (p *Program[F]) differ(got, want outcome) string {
	if got.stops != nil || want.stops != nil {
		if (got.stops == nil) != (want.stops == nil) {
			return fmt.Sprintf("stops: %v; want %v", got.stops, want.stops)
		}
		return ""
	}
	for i := range want.results {
		if why := p.unlike(fmt.Sprintf("result %d", i+1), got.results[i], want.results[i]); why != "" {
			return why
		}
	}
	for i := range want.args {
		if why := p.unlike(fmt.Sprintf("argument %d", i+1), got.args[i], want.args[i]); why != "" {
			return why
		}
	}
	return ""
}

// unlike says where two values of a type differ.
func (p *Program[F]) unlike(name string, got, want any) (why string) {
	x, y := reflect.New(reflect.TypeOf(got)).Elem(), reflect.New(reflect.TypeOf(want)).Elem()
	x.Set(reflect.ValueOf(got))
	y.Set(reflect.ValueOf(want))
	switch x.Kind() {
	case reflect.Struct, reflect.Array, reflect.Slice:
		if x.Kind() == reflect.Slice && x.Len() != y.Len() {
			return fmt.Sprintf("%s has %d elements, want %d", name, x.Len(), y.Len())
		}
		var parts []any
		each(x, func(x reflect.Value, _ string) { parts = append(parts, x.Interface()) })
		n := 0
		each(y, func(y reflect.Value, part string) {
			if why == "" {
				why = p.unlike(name+part, parts[n], y.Interface())
			}
			n++
		})
		return why
	case reflect.Float32, reflect.Float64:
		a, b := x.Float(), y.Float()
		if a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b || math.Abs(a-b) <= p.Relative*math.Abs(b) {
			return ""
		}
	default:
		if x.Equal(y) {
			return ""
		}
	}
	return fmt.Sprintf("%s is %v, want %v", name, got, want)
}
