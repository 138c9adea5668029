package stage

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/dialects/tensor"
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

	tensors []extents   // of what F takes
	derived *derivation // nil of the function itself

	loads  bool           // it has tensors of what memory holds
	copies engine.Program // then it with copies of that memory, or nil
	lock   sync.Mutex     // of copies
}

// Compile stages a function and compiles its program: native code where there is libLLVM, else the interpreter. The error says
// where F is not what the function is on plain values, what cannot be staged (an *Error has its place), or what cannot be compiled.
func Compile[F any](ctx context.Context, name string, fn any) (*Program[F], error) {
	return CompileOn[F](ctx, engine.Auto, name, fn)
}

// CompileOn is Compile for an engine: engine.Eval, engine.LLVM or engine.Auto. It is an error, too, where the engine is not there.
func CompileOn[F any](ctx context.Context, kind *engine.Kind, name string, fn any) (p *Program[F], err error) {
	return compile[F](ctx, kind, name, fn, nil)
}

// compile is CompileOn, of a function or of its derivatives.
func compile[F any](ctx context.Context, kind *engine.Kind, name string, fn any, d *derivation) (p *Program[F], err error) {
	p = &Program[F]{name: name, ctx: ctx, derived: d}
	v, tensors, err := unwrap(fn)
	if err != nil {
		return nil, err
	}
	fits := matches
	if d != nil {
		fits = d.matches
	}
	if err := fits(reflect.TypeFor[F](), v.Type()); err != nil {
		return nil, err
	}
	p.tensors = tensors
	m, g, err := moduleOf(ctx, ir.NewContext(dialects.All...), name, fn, stage.Options{})
	if err != nil {
		return nil, err
	}
	if d != nil {
		p.tensors = d.extents(tensors)
		if g, p.name, err = d.make(ctx, g, name); err != nil {
			return nil, err
		}
	}
	p.g, p.Stats, p.loads = g, m.Stats, m.loads
	o := engine.Options{InGo: m.inGo()}
	for _, f := range m.externs {
		o.Externs = append(o.Externs, f.name)
	}
	if p.e, _, err = kind.Start(ctx, o); err != nil {
		return nil, err
	}
	if p.p, err = p.prepare(p.g); err != nil {
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
	c    *ir.Context
}

// Bind keeps arguments for many calls: those of Call. What the program writes to slices is seen in them after Close.
// It is an error if they are not of the types of F, or share memory in a way that the program cannot have, or if F gives arrays.
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
	to, vals, err := p.args(in)
	if err != nil {
		return nil, err
	}
	home := map[int][]byte{}
	for i, v := range vals {
		if m, ok := v.Ref.(*interp.MemRef); ok {
			home[i] = m.Buf.Bytes()
		}
	}
	b, err := run.Bind(p.ctx, to, vals...)
	if err != nil {
		return nil, err
	}
	return &Bound{b, p.ctx, p.name, home, p.g.Ctx}, nil
}

// Run calls the program: the bits of its results, and how long its code took. The error is the trap of the program, with its place, or
// says why the engine stopped.
func (b *Bound) Run() (results []uint64, took time.Duration, err error) {
	out, err := b.b.Batch(b.ctx, []run.BoundCall{{Name: b.name}})
	if err != nil {
		return nil, 0, err
	}
	for _, v := range out[0].Values {
		results = append(results, v.Bits)
	}
	return results, out[0].Wall, interp.WithPlace(b.c, out[0].Err)
}

// Repeat calls the program n times, one call right after the other: how long the code of each took. The error joins
// those of the calls.
func (b *Bound) Repeat(n int) ([]time.Duration, error) {
	calls := make([]run.BoundCall, n)
	for i := range calls {
		calls[i].Name = b.name
	}
	out, err := b.b.Batch(b.ctx, calls)
	took := make([]time.Duration, len(out))
	for i, r := range out {
		took[i], err = r.Wall, errors.Join(err, interp.WithPlace(b.c, r.Err))
	}
	return took, err
}

// Close gives the slices back, with what the program wrote, also where it returns an error of the engine. It is called once.
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
	to, vals, err := p.args(in)
	if err == nil {
		vals, _, err = to.Call(p.ctx, p.name, vals)
		err = interp.WithPlace(p.g.Ctx, err)
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

// args are values of Go as those of a program, and that program: another one where slices share memory.
func (p *Program[F]) args(in []reflect.Value) (to engine.Program, args []ir.Val, err error) {
	if err := fit(p.tensors, in); err != nil {
		return nil, nil, err
	}
	var list []reflect.Value
	for _, x := range in {
		list = append(list, leaves(settable(x.Interface()))...)
	}
	if p.derived != nil {
		if err := p.derived.check(list); err != nil {
			return nil, nil, err
		}
		list = p.derived.seeded(list)
	}
	apart(list)
	c, spans := p.g.Ctx, []span{}
	for i, x := range list {
		if s, ok := spanOf(x); ok {
			s.arg, args = i, append(args, ir.Val{})
			if spans = append(spans, s); s.array != nil {
				args[i] = elements(c, s.array)
			} else {
				args[i] = vector(interp.Over(c, s.elem.typ(c), s.data), x.Len())
			}
			continue
		}
		n, k := bits(x.Interface())
		if k.signed() {
			n = uint64(k.number(n))
		}
		args = append(args, ir.Val{Bits: k.wrap(n)})
	}
	groups := overlapping(spans)
	for _, g := range groups {
		if err := share(c, g, args); err != nil {
			return nil, nil, err
		}
	}
	to, err = p.program(len(groups) > 0)
	return to, args, err
}

// program is the compiled program; where slices share memory, what was loaded as a tensor may change under another name, and has a copy.
func (p *Program[F]) program(shared bool) (engine.Program, error) {
	if !shared || !p.loads {
		return p.p, nil
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.copies == nil {
		var err error
		if p.copies, err = p.prepare(tensor.CopyPacks(p.g)); err != nil {
			return nil, err
		}
	}
	return p.copies, nil
}

// prepare takes a graph to code.
func (p *Program[F]) prepare(g *ir.Graph) (engine.Program, error) {
	low, err := lowering.Compile(p.ctx, g, p.e.Target())
	if err != nil {
		return nil, err
	}
	list, err := p.e.Prepare(p.ctx, low)
	if err != nil {
		return nil, err
	}
	return list[0], nil
}

// Text is the program as MLIR writes it.
func (p *Program[F]) Text() string { return text.String(p.g, text.PrintOptions{}) }

// Engine is what runs it, "llvm" or "eval".
func (p *Program[F]) Engine() string {
	name, _ := p.p.Engine()
	return name
}

// Close ends the program, whose Call is not called any more, and frees its engine. It is called once; the error is the engine's.
func (p *Program[F]) Close() error {
	err := p.p.Close()
	if p.copies != nil {
		err = errors.Join(err, p.copies.Close())
	}
	return errors.Join(err, p.e.Close())
}
