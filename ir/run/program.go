package run

import (
	"context"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

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

	Keeper
}

// A Keeper holds memory where the code of programs has it, for Bind.
type Keeper interface {
	// Keep makes calls copy nothing of a memory until as many calls of Drop.
	Keep(ctx context.Context, m *interp.Memory) error
	Drop(ctx context.Context, m *interp.Memory) error
	// Fetch makes what programs have written to kept memory seen here.
	Fetch(ctx context.Context, m *interp.Memory) error
	// Wrote tells that kept memory was written to here.
	Wrote(m *interp.Memory)
	// Copied is what was copied so far.
	Copied() Copied
}

// Copied counts the bytes of memory that went to where a program's code has it and
// came back, of arguments, results and what was bound.
type Copied struct{ To, Back int64 }

// Since is what was copied after an earlier count.
func (c Copied) Since(before Copied) Copied { return Copied{c.To - before.To, c.Back - before.Back} }

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
	Wall    time.Duration // of the llvm engine: of the code alone, without what goes to it and comes back
}

// InTurn is Batch by one call after the other.
func InTurn(ctx context.Context, p Program, calls []Call) ([]Result, error) {
	out := make([]Result, len(calls))
	for i, c := range calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out[i].Values, out[i].Printed, out[i].Err = p.Call(ctx, c.Name, c.Args)
	}
	return out, nil
}
