// Package contract has what all engines have in common: what a program asks of one, how it is started, and the
// interpreter, which every irc has and which is the reference: all engines give the same results, traps and output.
//
// What they make are programs of package run, whose arguments may be bound: then memory
// stays where the code has it, shared with native code and copied to a device when it
// is needed there. The contract of these stands in that package.
package contract

import (
	"context"
	"io"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
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
	// Close ends the engine and its programs; what is bound to them comes home.
	Close() error
}

// What engines make, and calls of it, are those of package run.
type (
	Program = run.Program
	Call    = run.Call
	Result  = run.Result
)

// Options of New. The zero value has checks, no limits, and the best code.
type Options struct {
	Unchecked bool           // llvm, cuda: without runtime checks
	Level     Level          // llvm, cuda: optimisation level
	Target    *target.Target // llvm, eval: what graphs are lowered for; nil is the host or the interpreter
	Fuel      int64          // eval, cuda: ops a call may run, kernels excepted; 0 for no limit
	MemLimit  int64          // bytes that may be allocated, on the host; 0 for no limit
	CountHeap bool           // llvm: count what Heap gives
	Times     bool           // llvm: take the time of loops, which Times gives
	Check     *Check         // eval: what a run is checked for
	Child     Process
	Externs   []string // functions outside of the program that it may call, besides those of libm

	// InGo are such functions for the interpreter: what they give of the values of their arguments.
	InGo map[string]func(*interp.Machine, []ir.Val) ([]ir.Val, error)

	// Entries are the functions that will be called; none stands for all public ones. Of
	// auto, that these have native code is enough.
	Entries []string

	// Once says that each function is called once at most: auto interprets what takes longer to compile.
	Once bool

	// Lower, if not nil, takes a program down to what the engine takes for a target, as
	// lowering.Compile does. Without it Prepare is given programs lowered for Target. The
	// interpreter takes them as they are; with a GPU it takes those lowered for that.
	Lower func(context.Context, *ir.Graph, *target.Target) (*ir.Graph, error)

	// Output, if not nil, gets what is printed as it is printed (llvm: soon after),
	// from one goroutine at a time, and calls return none of it.
	Output func(interp.Printed)
}

// A Process is how native code, or a driver, is held in. The zero value is usable.
type Process struct {
	Executable     string    // empty: this program, which serves as one (engine.ServeIfChild)
	Stdout, Stderr io.Writer // what native code writes there; nil drops it
	Memory         int64     // bytes that it may allocate; 0 is 4 GiB, negative no limit
	Prints         int64     // bytes of what one request prints; 0 is 64 MiB
	MustHold       bool      // fail unless the sandbox and the limits hold
	Link           []string  // shared libraries to load for Options.Externs
}
