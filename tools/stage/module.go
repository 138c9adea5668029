package stage

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"unsafe"

	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/stage"
)

// A module is a program under way: functions that were found, and those that are called and not yet found.
type module struct {
	ctx     context.Context
	c       *ir.Context
	b       *ir.Builder
	places  *ir.Places
	opts    stage.Options
	todo    []*routine
	known   map[string]*routine
	externs []*routine
	lines   map[lines]ir.Loc
	tensors map[string]tensorOp
	loads   bool  // memory is loaded as a tensor
	names   bool  // a function of the program is given one memory twice
	deep    int   // functions that are found one within the other, for what they give
	failed  error // of a function whose results had to be known where it is called
	Stats   stage.Stats
}

// routine is a function of the module.
type routine struct {
	name string
	fn   reflect.Value
	args []reflect.Value // statics of its parameters; invalid where it takes a staged value
	of   string          // the name that Func was given

	tensors []extents // of the Tensors among its parameters
	gives   []string  // extentsKey of those among its results, once known
	busy    bool      // it is being found
	assumed []string  // then gives of the first way to its end
	relied  bool      // a call of it by itself goes by that

	object unsafe.Pointer                   // fn, with what it captures
	others map[unsafe.Pointer]reflect.Value // which do the same
	found  *stage.Session                   // what it does, where that was asked

	extern bool          // it is not staged
	plain  reflect.Value // then the same of Go, or invalid
}

// An Error is what is wrong with a staged function.
type Error struct {
	File, Other string // file:line in the source of Go, or ""
	What, Fix   string // in a sentence, and what to do about it, or ""
}

func (e *Error) Error() string {
	s := e.What
	if e.File != "" {
		s = e.File + ": " + s
	}
	if e.Other != "" {
		s += " (see " + e.Other + ")"
	}
	if e.Fix != "" {
		s += "\n\t" + e.Fix
	}
	return s
}

// own are the packages whose frames are not the user's.
var own = []string{"github.com/irc-lang/irc/tools/stage", "reflect", "runtime"}

// explain gives an error of the engine its place.
func explain(s *stage.Session, err error) error {
	e, ok := err.(*stage.Error)
	if !ok {
		return err
	}
	at := func(stack int32) (f stage.Frame, name string) {
		for f := range s.Frames(stack, own...) {
			return f, diag.FileLine(f.File, f.Line)
		}
		return f, ""
	}
	here, file := at(e.Stack)
	there, other := at(e.Other)
	out := &Error{file, other, e.What, e.Fix}
	if e.Paths {
		if names := setUnder(here, there); names != "" {
			out.Fix = names + " set in the host under a condition of the program, or in its loop: make it a Static, or a variable of the program"
		}
	}
	if out.Other == out.File {
		out.Other = ""
	}
	return out
}

// Module is the program of a function func(*S, ...) of staged values, and of those that it calls: a func.func @name in a module.
// The error is an *Error where the function is wrong as Go has it, or else says which parameter or result no program has.
func Module(ctx context.Context, c *ir.Context, name string, fn any, o ...stage.Options) (*ir.Graph, stage.Stats, error) {
	var opts stage.Options
	if len(o) > 0 {
		opts = o[0]
	}
	m, g, err := moduleOf(ctx, c, name, fn, opts)
	return g, m.Stats, err
}

// moduleOf is Module, with what is known of it.
func moduleOf(ctx context.Context, c *ir.Context, name string, fn any, opts stage.Options) (*module, *ir.Graph, error) {
	m := &module{ctx: ctx, c: c, opts: opts, b: ir.NewBuilder(c), places: c.NewPlaces(), known: map[string]*routine{}, lines: map[lines]ir.Loc{}, tensors: map[string]tensorOp{}}
	v, tensors, err := unwrap(fn)
	if err != nil {
		return m, nil, err
	}
	f := &routine{name: name, fn: v, args: make([]reflect.Value, v.Type().NumIn()-1), tensors: tensors}
	for i := range f.args {
		if _, err := partsOf(v.Type().In(i + 1)); err != nil {
			return m, nil, fmt.Errorf("stage: parameter %d of @%s %w: a program takes Dyn, Slice, Tensor, and structs and arrays of them; what the host knows is captured", i+1, name, err)
		}
	}
	m.known[name], m.todo = f, []*routine{f}
	for len(m.todo) > 0 {
		f := m.todo[0]
		m.todo = m.todo[1:]
		if err := m.define(f); err != nil {
			return m, nil, err
		}
	}
	m.declare()
	b := ir.NewBuilder(c)
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{m.b.Finish()}})
	g := b.Finish()
	if m.names && m.loads {
		g = tensor.CopyPacks(g)
	}
	return m, g, nil
}

// checkFn refuses what is no function.
func checkFn(v reflect.Value) error {
	if !v.IsValid() || v.Kind() == reflect.Func && v.IsNil() {
		return errors.New("stage: there is no function: it is nil")
	}
	return checkFunc(v.Type())
}

// checkFunc refuses what is no type of a staged function.
func checkFunc(f reflect.Type) error {
	if f.Kind() != reflect.Func || f.NumIn() == 0 || f.In(0) != reflect.TypeFor[*S]() || f.IsVariadic() {
		return fmt.Errorf("stage: %s is no function that begins with a *stage.S", f)
	}
	for i := range f.NumIn() {
		t := f.In(i)
		if _, err := partsOf(t); err != nil && i > 0 && isStaged(t) {
			return fmt.Errorf("stage: parameter %d %w: what the host knows is a parameter of its own", i, err)
		}
	}
	for i := range f.NumOut() {
		list, err := partsOf(f.Out(i))
		if err != nil {
			return fmt.Errorf("stage: result %d %w: a program returns Dyn, Tensor, and structs and arrays of them", i+1, err)
		}
		for _, p := range list {
			if p.form == asMemory {
				return fmt.Errorf("stage: result %d is %s: a program fills a Slice that it is given", i+1, f.Out(i))
			}
		}
	}
	return nil
}

// define finds the program of a function and makes its ops.
func (m *module) define(f *routine) error {
	s, err := m.extract(f, m.opts)
	m.Stats.Runs += s.Stats.Runs
	m.Stats.Checks += s.Stats.Checks
	m.Stats.Restarts += s.Stats.Restarts
	m.Stats.Splits += s.Stats.Splits
	m.Stats.Branches += s.Stats.Branches
	m.Stats.Steps += s.Stats.Steps
	if err == nil {
		err = m.givesOf(f, s)
	}
	if err != nil {
		return m.explained(f, s, err)
	}
	return m.emit(f, s)
}

// explained is an error of a function, with its place.
func (m *module) explained(f *routine, s *stage.Session, err error) error {
	if m.failed != nil {
		return m.failed
	}
	err = explain(s, err)
	if e, ok := err.(*Error); ok && e.File == "" { // of what it returns
		e.File = f.place()
	}
	return err
}

// extract finds the program of a function.
func (m *module) extract(f *routine, o stage.Options) (*stage.Session, error) {
	t := f.fn.Type()
	f.busy = true
	defer func() { f.busy = false }()
	return stage.Extract(m.ctx, func(r *stage.Run) {
		x := &S{run: r, m: m}
		defer func() { x.over = true }()
		in := []reflect.Value{reflect.ValueOf(x)}
		n, tensors := 0, f.tensors
		for i, a := range f.args {
			if !a.IsValid() {
				a = x.made(t.In(i+1), func(k kind, of form) (_ stage.Value, shape []int64) {
					op := code{op: "param", to: k, imm: uint64(n)}
					switch of {
					case asMemory:
						op = code{op: "memory", k: k, imm: uint64(n)}
					case asTensor:
						shape, tensors = tensors[0].shape, tensors[1:]
						op.shape = extentsKey(shape)
					}
					n++
					return r.Emit(stage.Op{Code: op, Sub: n}), shape
				})
			}
			in = append(in, a)
		}
		r.Leave(x.results(f, f.fn.Call(in))...)
	}, o)
}

// results are the values that a function returns. Which it returns tells the ways to its end apart: of one all variables are read at
// one place.
func (s *S) results(f *routine, of []reflect.Value) (out []stage.Value) {
	var which []any
	gives := []string{}
	for _, v := range of {
		parts(settable(v.Interface()), "", func(_ string, p reflect.Value) {
			which = append(which, p.Interface().(dyn).which())
			if x, ok := p.Interface().(operand); ok {
				gives = append(gives, extentsKey(x.typ().Shape()))
			}
		})
	}
	if f.assumed == nil && !s.run.Dead() {
		f.assumed = gives
	}
	key := fmt.Sprint(which)
	s.run.AddStatic("what is returned", false, func() any { return key })
	for _, v := range of {
		out = s.values("a result", v, out)
	}
	return out
}

// place is where it is written, in the source of Go.
func (f *routine) place() string {
	pc := f.fn.Pointer()
	return diag.FileLine(runtime.FuncForPC(pc).FileLine(pc))
}

// lines are the calls under which nodes were made.
type lines struct {
	s     *stage.Session
	stack int32
}

// location is where a node was made, in the source of Go.
func (m *module) location(s *stage.Session, n *stage.Node) ir.Loc {
	at := lines{s, n.Stack}
	l, ok := m.lines[at]
	if !ok {
		for f := range s.Frames(n.Stack, own...) {
			l = m.places.At(filepath.ToSlash(f.File), uint32(f.Line), 1)
			break
		}
		m.lines[at] = l
	}
	return l
}
