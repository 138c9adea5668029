// Package engine runs programs: on the interpreter (eval), as native code that
// libLLVM makes, in a child process (llvm), or on the interpreter with the kernels
// on a GPU (cuda). All give the same results, traps and output; the interpreter is
// the reference.
//
// A program that uses the llvm or the cuda engine must call ServeIfChild first in
// main (and in TestMain).
package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/target"
)

// Engine makes programs of graphs.
type Engine interface {
	// Name is "eval", "llvm" or "cuda": of auto, what it takes where it can.
	Name() string
	// Target is what graphs are to be lowered for (lowering.Compile) before Prepare.
	Target() *target.Target
	// Prepare makes each graph, a parsed file or a module, ready to run. It is
	// all or nothing.
	Prepare(ctx context.Context, graphs ...*ir.Graph) ([]Program, error)
	// Close ends the engine and its programs.
	Close() error
}

// Program is a module that is ready to run. Its globals live from call to call.
// It is for one goroutine.
type Program interface {
	// Call runs a function. Memrefs among the arguments (*interp.MemRef) are
	// changed in place. What was printed is returned also when the call fails.
	// A trap of the program is an *interp.Failure.
	Call(ctx context.Context, name string, args []ir.Val) ([]ir.Val, []interp.Printed, error)
	// Batch runs calls in order, each whatever became of those before.
	Batch(ctx context.Context, calls []Call) ([]Result, error)
	// Signature returns the types of a function.
	Signature(name string) (in, out []ir.Type, err error)
	// Engine is what runs it, "eval", "llvm" or "cuda"; why says for what reason,
	// where auto chose, and of cuda on what device.
	Engine() (name, why string)
	Close() error
}

// Call asks for one run of a function.
type Call struct {
	Name string
	Args []ir.Val
}

// Result is what one Call of a batch gave.
type Result struct {
	Values  []ir.Val
	Printed []interp.Printed
	Err     error
}

// Options of New. The zero value has checks, no limits, and the best code.
type Options struct {
	Unchecked bool           // llvm, cuda: without runtime checks
	Level     jit.Level      // llvm: optimisation level
	Target    *target.Target // llvm: what to compile for; nil is the host
	Fuel      int64          // eval, cuda: ops a call may run, kernels excepted; 0 for no limit
	MemLimit  int64          // bytes that may be allocated, on the host; 0 for no limit
	CountHeap bool           // llvm: count what Heap gives
	Child     jit.ChildOptions
	Externs   []string // functions outside of the program that it may call, besides those of libm

	// Output, if not nil, gets what is printed as it is printed (llvm: soon after),
	// from one goroutine at a time, and calls return none of it.
	Output func(interp.Printed)

	// Compile, if not nil, makes the PTX of cuda in place of nvvm.Compile: a machine
	// with a GPU may have no libLLVM.
	Compile func(*ir.Graph, nvvm.Options) (*nvvm.PTX, error)
}

// Kinds lists the names that New knows.
var Kinds = []string{"auto", "eval", "llvm", "cuda"}

// New starts an engine: "eval", "llvm", "cuda", or "auto" (""), which takes llvm
// where libLLVM is there and can compile the program, else eval; it never takes
// cuda. why says which auto takes, and for what reason; Program.Engine says it of a
// program. Without a device the error of cuda matches cuda.ErrMissing.
func New(ctx context.Context, kind string, o Options) (e Engine, why string, err error) {
	switch kind {
	case "eval":
		return &evalEngine{o: o}, "", nil
	case "llvm":
		l, err := startLLVM(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l, "", nil
	case "cuda":
		c, err := startCUDA(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return c, c.about(), nil
	case "auto", "":
		l, err := startLLVM(ctx, o)
		if errors.Is(err, jit.ErrMissing) {
			return &autoEngine{eval: &evalEngine{o: o}, missing: err.Error()}, "eval: " + err.Error(), nil
		}
		if err != nil {
			return nil, "", err
		}
		return &autoEngine{eval: &evalEngine{o: o}, llvm: l}, "llvm " + l.version, nil
	}
	return nil, "", fmt.Errorf("engine %q is unknown; there are %s", kind, strings.Join(Kinds, ", "))
}

// autoEngine chooses for each program.
type autoEngine struct {
	eval    *evalEngine
	llvm    *llvmEngine // nil without libLLVM
	missing string      // why it is
}

// Target is that of native code where there is libLLVM.
func (e *autoEngine) Target() *target.Target {
	if e.llvm != nil {
		return e.llvm.Target()
	}
	return e.eval.Target()
}

func (e *autoEngine) Name() string {
	if e.llvm == nil {
		return "eval"
	}
	return "llvm"
}

func (e *autoEngine) Prepare(ctx context.Context, graphs ...*ir.Graph) ([]Program, error) {
	if e.llvm == nil {
		ps, err := e.eval.Prepare(ctx, graphs...)
		return chosen(ps, e.missing), err
	}
	ps, err := e.llvm.Prepare(ctx, graphs...)
	if err == nil {
		err = leftOut(ps)
	}
	if err == nil {
		return chosen(ps, "libLLVM "+e.llvm.version), nil
	}
	var op *ir.OpError // what may not be called may not be interpreted either: no ExternalError
	if !errors.As(err, &op) {
		return nil, err
	}
	if len(graphs) == 1 {
		ps, err := e.eval.Prepare(ctx, graphs...)
		return chosen(ps, "not compiled: "+op.Error()), err
	}
	var out []Program
	for _, g := range graphs { // each on its own: some can be compiled
		p, err := e.Prepare(ctx, g)
		if err != nil {
			return nil, err
		}
		out = append(out, p...)
	}
	return out, nil
}

// leftOut is why a program has no native code for one of its public functions, which
// share their memory with the others.
func leftOut(ps []Program) error {
	for _, p := range ps {
		for _, l := range p.(*llvmProgram).m.Left {
			return l.Err
		}
	}
	return nil
}

func (e *autoEngine) Close() error {
	if e.llvm == nil {
		return nil
	}
	return e.llvm.Close()
}

// chosenProgram knows why its engine runs it.
type chosenProgram struct {
	Program
	why string
}

func (p chosenProgram) Engine() (name, why string) {
	name, _ = p.Program.Engine()
	return name, p.why
}

func chosen(ps []Program, why string) []Program {
	for i, p := range ps {
		ps[i] = chosenProgram{p, why}
	}
	return ps
}
