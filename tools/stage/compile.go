package stage

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
)

// A Program is a compiled function; F is what it is on plain values: func(x float64, y []int32) (float64, error) or without
// the error, which is a panic then.
type Program[F any] struct {
	// Call runs it. Slices are the program's while it runs: nothing is copied where the engine works in this process.
	Call F
	// Stats count what staging did.
	Stats stage.Stats

	e    engine.Engine
	p    engine.Program
	g    *ir.Graph
	name string
	ctx  context.Context

	tensors []extents // of what F takes
}

// Compile stages a function and compiles its program: native code where there is libLLVM, else the interpreter.
func Compile[F any](ctx context.Context, name string, fn any) (*Program[F], error) {
	return CompileOn[F](ctx, engine.Auto, name, fn)
}

// CompileOn is Compile for an engine: engine.Eval, engine.LLVM or engine.Auto.
func CompileOn[F any](ctx context.Context, kind *engine.Kind, name string, fn any) (p *Program[F], err error) {
	p = &Program[F]{name: name, ctx: ctx}
	v, tensors, err := unwrap(fn)
	if err != nil {
		return nil, err
	}
	if err := matches(reflect.TypeFor[F](), v.Type()); err != nil {
		return nil, err
	}
	p.tensors = tensors
	m, g, err := moduleOf(ctx, ir.NewContext(dialects.All...), name, fn, stage.Options{})
	if err != nil {
		return nil, err
	}
	p.g, p.Stats = g, m.Stats
	o := engine.Options{InGo: m.inGo()}
	for _, f := range m.externs {
		o.Externs = append(o.Externs, f.name)
	}
	if p.e, _, err = kind.Start(ctx, o); err != nil {
		return nil, err
	}
	low, err := lowering.Compile(ctx, p.g, p.e.Target())
	if err == nil {
		var list []engine.Program
		if list, err = p.e.Prepare(ctx, low); err == nil {
			p.p = list[0]
		}
	}
	if err != nil {
		return nil, errors.Join(err, p.e.Close())
	}
	p.Call = reflect.MakeFunc(reflect.TypeFor[F](), p.call).Interface().(F)
	return p, nil
}

// matches checks that f is the type of a staged function on plain values.
func matches(f, t reflect.Type) error {
	n := 0
	if f.Kind() == reflect.Func {
		n = f.NumOut()
		if n > 0 && f.Out(n-1) == reflect.TypeFor[error]() {
			n--
		}
	}
	if f.Kind() != reflect.Func || f.NumIn() != t.NumIn()-1 || n != t.NumOut() {
		return fmt.Errorf("stage: %s is not what %s is on plain values", f, t)
	}
	for i := range f.NumIn() {
		if !isPlain(f.In(i), t.In(i+1)) {
			return fmt.Errorf("stage: parameter %d is %s, and the staged function has %s", i+1, f.In(i), t.In(i+1))
		}
	}
	for i := range n {
		if !isPlain(f.Out(i), t.Out(i)) {
			return fmt.Errorf("stage: result %d is %s, and the staged function has %s", i+1, f.Out(i), t.Out(i))
		}
	}
	return nil
}

// A Bound is a program with its arguments, whose slices stay where the code has them.
type Bound struct {
	b    *run.Binding
	ctx  context.Context
	name string
	home map[int][]byte // the slices, by argument
}

// Bind keeps arguments for many calls: those of Call. What the program writes to slices is seen in them after Close.
func (p *Program[F]) Bind(args ...any) (*Bound, error) {
	t := reflect.TypeFor[F]()
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = reflect.ValueOf(a)
		if len(args) != t.NumIn() || a == nil || in[i].Type() != t.In(i) {
			return nil, fmt.Errorf("stage: argument %d of Bind is %T: they are those of %s", i+1, a, t)
		}
	}
	if len(args) != t.NumIn() {
		return nil, fmt.Errorf("stage: Bind is given nothing: it takes the arguments of %s", t)
	}
	for i := range t.NumOut() {
		if slices.ContainsFunc(leaves(reflect.New(t.Out(i)).Elem()), isArray) {
			return nil, fmt.Errorf("stage: result %d is %s, and a Bound has the bits of numbers: use Call, or Store it in a Slice", i+1, t.Out(i))
		}
	}
	vals, err := p.args(in)
	if err != nil {
		return nil, err
	}
	home := map[int][]byte{}
	for i, v := range vals {
		if m, ok := v.Ref.(*interp.MemRef); ok {
			home[i] = m.Buf.Bytes()
		}
	}
	b, err := run.Bind(p.ctx, p.p, vals...)
	if err != nil {
		return nil, err
	}
	return &Bound{b, p.ctx, p.name, home}, nil
}

// Run calls the program: the bits of its results, and how long its code took.
func (b *Bound) Run() (results []uint64, took time.Duration, err error) {
	out, err := b.b.Batch(b.ctx, []run.BoundCall{{Name: b.name}})
	if err != nil {
		return nil, 0, err
	}
	for _, v := range out[0].Values {
		results = append(results, v.Bits)
	}
	return results, out[0].Wall, out[0].Err
}

// Repeat calls the program n times, one call right after the other: how long the code of each took.
func (b *Bound) Repeat(n int) ([]time.Duration, error) {
	calls := make([]run.BoundCall, n)
	for i := range calls {
		calls[i].Name = b.name
	}
	out, err := b.b.Batch(b.ctx, calls)
	took := make([]time.Duration, len(out))
	for i, r := range out {
		took[i], err = r.Wall, errors.Join(err, r.Err)
	}
	return took, err
}

// Close gives the slices back, with what the program wrote.
func (b *Bound) Close() error {
	err := b.b.Close(b.ctx)
	for i, data := range b.home {
		copy(data, b.b.Arg(i).Ref.(*interp.MemRef).Buf.Bytes())
	}
	return err
}

// call runs the program on values of Go.
func (p *Program[F]) call(in []reflect.Value) []reflect.Value {
	t := reflect.TypeFor[F]()
	vals, err := p.args(in)
	if err == nil {
		vals, _, err = p.p.Call(p.ctx, p.name, vals)
		err = placed(p.g.Ctx, err)
	}
	out := make([]reflect.Value, t.NumOut())
	for i := range out {
		out[i] = reflect.New(t.Out(i)).Elem()
		switch {
		case t.Out(i) == reflect.TypeFor[error]() && i == len(out)-1:
			if err != nil {
				out[i].Set(reflect.ValueOf(err))
			}
		case err == nil:
			plainParts(out[i], func(x reflect.Value) {
				if a, ok := x.Addr().Interface().(plainArray); ok {
					a.write(contents(vals[0].Ref.(*interp.MemRef), a.elem().width()/8))
				} else {
					setValue(x, vals[0].Bits)
				}
				vals = vals[1:]
			})
		}
	}
	if k := len(out) - 1; err != nil && (k < 0 || t.Out(k) != reflect.TypeFor[error]()) {
		panic(err)
	}
	return out
}

// placed is the error of a run with the line of Go whose op has stopped it, where that is known.
func placed(c *ir.Context, err error) error {
	var f *interp.Failure
	if !errors.As(err, &f) {
		return err
	}
	for _, l := range f.Locs {
		if l&ir.LocAttr == 0 {
			continue
		}
		file, rest, _ := strings.Cut(strings.TrimPrefix(c.LocText(l), `"`), `":`)
		line, _, _ := strings.Cut(rest, ":")
		if n, e := strconv.Atoi(line); e == nil {
			return fmt.Errorf("%s: %w", place(file, n), err)
		}
	}
	return err
}

// args are values of Go as those of the program.
func (p *Program[F]) args(in []reflect.Value) (args []ir.Val, err error) {
	if err := fit(p.tensors, in); err != nil {
		return nil, err
	}
	for _, x := range in {
		plainParts(settable(x.Interface()), func(x reflect.Value) {
			switch {
			case isArray(x):
				args = append(args, elements(p.g.Ctx, x.Addr().Interface().(plainArray)))
				return
			case x.Kind() == reflect.Slice:
				args = append(args, memory(p.g.Ctx, x))
				return
			}
			n, k := bits(x.Interface())
			if k.signed() {
				n = uint64(k.number(n))
			}
			args = append(args, ir.Val{Bits: k.wrap(n)})
		})
	}
	return args, nil
}

// memory is that of a slice.
func memory(c *ir.Context, x reflect.Value) ir.Val {
	k, n := kinds[x.Type().Elem().Kind()], x.Len()
	var data []byte
	if n > 0 {
		data = unsafe.Slice((*byte)(x.UnsafePointer()), n*int(x.Type().Elem().Size()))
	}
	return (&interp.MemRef{Buf: interp.Over(c, k.typ(c), data), Sizes: []int64{int64(n)}, Strides: []int64{1}}).Val()
}

// Text is the program as MLIR writes it.
func (p *Program[F]) Text() string { return text.String(p.g, text.PrintOptions{}) }

// Engine is what runs it, "llvm" or "eval".
func (p *Program[F]) Engine() string {
	name, _ := p.p.Engine()
	return name
}

// Close ends the program.
func (p *Program[F]) Close() error { return errors.Join(p.p.Close(), p.e.Close()) }
