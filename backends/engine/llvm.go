package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

// llvmEngine runs native code in a child process. When that dies, of what a program
// did or for another reason, the next call starts another one and compiles again.
// Memory that is kept is in what all children share.
type llvmEngine struct {
	o      Options
	how    jit.ChildOptions
	ctx    context.Context // that New was given: children live as long
	child  *jit.Child
	born   int // children so far
	closed bool
	shared *jit.Shared
	kept   map[*interp.Memory]*keptMemory
	blobs  map[string]*jit.Buffer // large constants, by their symbol, for all programs

	running *llvmProgram // whose calls the child runs

	version string
}

func startLLVM(ctx context.Context, o Options) (*llvmEngine, error) {
	if o.MemLimit > 0 {
		o.Child.Memory = o.MemLimit
	}
	e := &llvmEngine{o: o, ctx: ctx, kept: map[*interp.Memory]*keptMemory{}, blobs: map[string]*jit.Buffer{}}
	e.how = child(o.Child)
	e.how.Threads = e.Target().Cores
	if o.Output != nil {
		e.how.Printed = func(records []jit.Printed) { e.running.stream(records) }
	}
	var err error
	if e.shared, err = jit.NewShared(); err != nil {
		return nil, err
	}
	e.how.Shared = e.shared
	if err := e.start(); err != nil {
		e.shared.Close()
		return nil, err
	}
	return e, nil
}

func child(p contract.Process) jit.ChildOptions {
	return jit.ChildOptions{Executable: p.Executable, Stdout: p.Stdout, Stderr: p.Stderr, Memory: p.Memory, Prints: p.Prints, MustHold: p.MustHold, Link: p.Link}
}

// Compiler is LLVM in a process that is held in.
func Compiler(ctx context.Context, p contract.Process) jit.Compiler {
	return jit.InChild{Context: ctx, Options: child(p)}
}

func (e *llvmEngine) start() error {
	c, err := jit.Start(e.ctx, e.how)
	if err != nil {
		return err
	}
	e.child, e.version = c, c.Info().Version
	e.born++
	return nil
}

// Holding says what holds the child in.
func (e *llvmEngine) Holding() (contract.Holding, bool) {
	if e.child == nil {
		return contract.Holding{}, false
	}
	state := e.child.Info().Sandbox
	return contract.Holding{Filter: state.Filter, Text: state.String()}, true
}

// Holding is that of native code, if there is some.
func (e *autoEngine) Holding() (contract.Holding, bool) {
	if e.llvm == nil {
		return contract.Holding{}, false
	}
	return e.llvm.Holding()
}

func (*llvmEngine) Name() string { return "llvm" }

func (e *llvmEngine) Target() *target.Target {
	if e.o.Target == nil {
		return target.Host()
	}
	return e.o.Target
}

func (e *llvmEngine) Close() error {
	for m := range e.kept {
		e.home(m)
	}
	c := e.child
	e.child, e.closed = nil, true
	var err error
	if c != nil {
		err = c.Close()
	}
	if e.shared != nil {
		e.shared.Close()
		e.shared = nil
	}
	return err
}

func (e *llvmEngine) Prepare(ctx context.Context, graphs ...*ir.Graph) ([]Program, error) {
	progs := make([]*llvmProgram, len(graphs))
	errs := make([]error, len(graphs))
	ir.Parallel(len(graphs), func(i int) {
		if errs[i] = contract.CheckExternals(graphs[i], e.o.Externs); errs[i] != nil {
			return
		}
		g, err := lowered(ctx, &e.o, graphs[i], e.Target())
		if err != nil {
			errs[i] = err
			return
		}
		m, err := llvm.Emit(g, llvm.Options{Target: e.Target(), Thunks: true, Blobs: true, Unchecked: e.o.Unchecked, CountHeap: e.o.CountHeap, Times: e.o.Times, Cores: e.Target().Cores > 1})
		if err == nil {
			progs[i], errs[i] = &llvmProgram{e: e, m: m, text: m.Text(), ctx: g.Ctx}, nil
		}
		errs[i] = err
	})
	out := make([]Program, len(graphs))
	for i, p := range progs {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if err := p.ready(ctx); err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// lowered is a graph as the engine takes it.
func lowered(ctx context.Context, o *Options, g *ir.Graph, t *target.Target) (*ir.Graph, error) {
	if o.Lower == nil {
		return g, nil
	}
	return o.Lower(ctx, g, t)
}

// llvmProgram is a compiled module.
type llvmProgram struct {
	e    *llvmEngine
	m    *llvm.Module
	text string
	ctx  *ir.Context
	code *jit.Module
	born int // the child that code is in

	pending   []jit.Printed // what a call has printed and stream has not shown
	streamErr error

	copied run.Copied

	shower *interp.Machine // that print.go lends to printing ops
	shown  []interp.Printed
}

// Text returns the LLVM IR of a program of the llvm engine, and false for others.
func Text(p Program) (string, bool) {
	if c, ok := p.(chosenProgram); ok {
		p = c.Program
	}
	l, ok := p.(*llvmProgram)
	if !ok {
		return "", false
	}
	return l.text, true
}

// alive starts a child if there is none.
func (e *llvmEngine) alive() error {
	if e.child != nil && e.child.Ended() {
		e.child.Close() // it is dead already
		e.child = nil
	}
	switch {
	case e.child != nil:
		return nil
	case e.closed:
		return errors.New("engine: closed")
	}
	return e.start()
}

// ready compiles the program unless the child that lives has it.
func (p *llvmProgram) ready(ctx context.Context) error {
	if err := p.e.alive(); err != nil {
		return err
	}
	if p.code != nil && p.born == p.e.born {
		return nil
	}
	symbols, err := p.e.addresses(ctx, p.m.Blobs)
	if err != nil {
		p.e.died(err)
		return err
	}
	to := p.e.Target()
	code, err := p.e.child.Compile(ctx, p.text, jit.Options{Level: p.e.o.Level, CPU: to.CPU, Features: strings.Join(to.Features, ","), Externs: p.m.Externs(), Symbols: symbols})
	if err != nil {
		p.e.died(err)
		return err
	}
	p.code, p.born = code, p.e.born
	return nil
}

// addresses puts large constants into memory that the child sees, once, and tells where each is for it.
func (e *llvmEngine) addresses(ctx context.Context, blobs []llvm.Blob) (map[string]uintptr, error) {
	out := map[string]uintptr{}
	for _, b := range blobs {
		buf := e.blobs[b.Symbol]
		if buf == nil {
			var err error
			if buf, err = e.child.Alloc(ctx, len(b.Data)); err != nil {
				return nil, err
			}
			copy(buf.Bytes(), b.Data)
			e.blobs[b.Symbol] = buf
		}
		out[b.Symbol] = uintptr(buf.Addr())
	}
	return out, nil
}

// died gives the child up if an error says that it is no more.
func (e *llvmEngine) died(err error) {
	var f *jit.Fault
	if errors.As(err, &f) && e.child != nil {
		e.child.Close() // it is dead already
		e.child = nil
	}
}

func (p *llvmProgram) Signature(name string) (in, out []ir.Type, err error) {
	f, err := p.find(name)
	if err != nil {
		return nil, nil, err
	}
	return f.In, f.Out, nil
}

func (p *llvmProgram) find(name string) (*llvm.Func, error) {
	f := p.m.Func(name)
	left := p.m.WhyLeft(name)
	switch {
	case left != nil:
		return nil, left
	case f == nil:
		return nil, fmt.Errorf("there is no public function @%s", name)
	case f.Declaration:
		return nil, fmt.Errorf("function @%s is only declared", name)
	case f.Thunk == "":
		return nil, fmt.Errorf("function @%s cannot be called from outside: %s", name, f.NoThunk)
	}
	return f, nil
}

func (p *llvmProgram) Call(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error) {
	out, err := p.Batch(ctx, []Call{{Name: name, Args: args}})
	if err != nil {
		var printed []interp.Printed
		if len(out) > 0 { // it was stopped
			printed = out[0].Printed
		}
		return nil, printed, err
	}
	return out[0].Values, out[0].Printed, out[0].Err
}

// Batch runs as many calls as it can in one request to the child.
func (p *llvmProgram) Batch(ctx context.Context, calls []Call) ([]Result, error) {
	out := make([]Result, len(calls))
	for at := 0; at < len(calls); {
		n, err := p.some(ctx, calls[at:], out[at:])
		var f *jit.Fault
		if errors.As(err, &f) && f.Unreceived && f.Err == nil { // the child had died before
			n, err = p.some(ctx, calls[at:], out[at:])
		}
		if err != nil {
			return out, err
		}
		at += n
	}
	return out, nil
}

// some runs the first of the calls in one request: up to one that returns memory, which
// is read before another call changes it, or up to one that the child dies of. done is
// how many have a result.
func (p *llvmProgram) some(ctx context.Context, calls []Call, out []Result) (done int, err error) {
	if err := p.ready(ctx); err != nil {
		return 0, err
	}
	mem := newMemory(ctx, p)
	defer mem.free()
	var todo []jit.Call
	var index []int
	for returns := false; done < len(calls) && !returns; done++ {
		call, f, err := p.request(mem, calls[done])
		var dead *jit.Fault
		switch {
		case errors.As(err, &dead):
			p.e.died(err)
			return 0, err
		case err != nil:
			out[done].Err = err
			continue
		}
		todo, index = append(todo, call), append(index, done)
		returns = p.returnsMemory(f)
	}
	p.e.running, p.pending, p.streamErr = p, nil, nil
	results, err := p.code.Batch(ctx, todo)
	var f *jit.Fault
	fault := errors.As(err, &f) && f.Call >= 0 && f.Call < len(index)
	if err == nil || fault {
		mem.back()
	}
	for k, r := range results {
		out[index[k]] = p.result(mem, calls[index[k]], r)
	}
	p.e.died(err)
	if !fault {
		return done, err
	}
	at := index[f.Call]
	out[at].Printed, _, _ = p.printed(f.Printed) // of what a fault cut short, what makes sense
	if f.Err != nil {                            // its time is up, and that of the others
		return at, err
	}
	out[at].Err = p.fault(calls[at].Name, f)
	return at + 1, nil
}

// request makes a call ready for the child.
func (p *llvmProgram) request(mem *memory, c Call) (jit.Call, *llvm.Func, error) {
	f, err := p.find(c.Name)
	if err != nil {
		return jit.Call{}, nil, err
	}
	slots, err := mem.slots(f.In, c.Args)
	if err != nil {
		return jit.Call{}, nil, fmt.Errorf("@%s: %w", c.Name, err)
	}
	n, _ := llvm.SlotsOf(p.ctx, f.Out)
	return jit.Call{Symbol: f.Thunk, Args: slots, Results: n}, f, nil
}

func (p *llvmProgram) returnsMemory(f *llvm.Func) bool {
	return slices.ContainsFunc(f.Out, func(t ir.Type) bool { return p.ctx.Info(t).Kind == ir.KindMemRef })
}

// fault is the end of a program by the operating system: a trap that no check
// foresaw.
func (p *llvmProgram) fault(name string, f *jit.Fault) error {
	return &interp.Failure{Err: &ir.Trap{Reason: f.Detail}, Function: name}
}

func (p *llvmProgram) result(mem *memory, c Call, r jit.Result) Result {
	out := Result{Wall: r.Wall}
	out.Printed, _, out.Err = p.printed(r.Printed)
	if out.Err == nil {
		out.Err = p.streamErr
	}
	if r.Dropped > 0 && out.Err == nil {
		out.Err = fmt.Errorf("@%s prints too much for native code, which keeps what it prints until it ends: %d records are lost; the interpreter (-engine=eval) prints at once", c.Name, r.Dropped)
	}
	if out.Err != nil {
		return out
	}
	if r.Status != 0 {
		out.Err = p.trap(r.Status)
		return out
	}
	out.Values, out.Err = mem.values(p.m.Func(c.Name), r.Results)
	return out
}

// trap is the failure that a thunk's code stands for.
func (p *llvmProgram) trap(code int32) error {
	if code < 1 || int(code) > len(p.m.Traps) {
		return fmt.Errorf("compiled code ended with the unknown trap code %d", code)
	}
	t := p.m.Traps[code-1]
	return &interp.Failure{Err: &ir.Trap{Reason: t.Reason}, Op: t.Op, Locs: []ir.Loc{t.Loc}, Function: t.Func}
}

func (*llvmProgram) Engine() (name, why string) { return "llvm", "" }

func (p *llvmProgram) Close() error {
	if p.code == nil || p.born != p.e.born || p.e.child == nil {
		return nil
	}
	code := p.code
	p.code = nil
	return code.Close()
}
