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
	Level     jit.Level      // llvm, cuda: optimisation level
	Target    *target.Target // llvm, eval: what graphs are lowered for; nil is the host or the interpreter
	Fuel      int64          // eval, cuda: ops a call may run, kernels excepted; 0 for no limit
	MemLimit  int64          // bytes that may be allocated, on the host; 0 for no limit
	CountHeap bool           // llvm: count what Heap gives
	Child     jit.ChildOptions
	Externs   []string // functions outside of the program that it may call, besides those of libm

	// Entries are the functions that will be called; none stands for all public ones. Of
	// auto, that these have native code is enough.
	Entries []string

	// Lower, if not nil, takes a program down to what the engine takes for a target, as
	// lowering.Compile does. Without it Prepare is given programs lowered for Target. The
	// interpreter takes them as they are; with a GPU it takes those lowered for that.
	Lower func(context.Context, *ir.Graph, *target.Target) (*ir.Graph, error)

	// Output, if not nil, gets what is printed as it is printed (llvm: soon after),
	// from one goroutine at a time, and calls return none of it.
	Output func(interp.Printed)

	// Compile, if not nil, makes the PTX of cuda in place of nvvm.Compile: a machine
	// with a GPU may have no libLLVM.
	Compile func(*ir.Graph, nvvm.Options) (*nvvm.PTX, error)
}
