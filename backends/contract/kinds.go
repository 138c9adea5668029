package contract

import (
	"context"
	"slices"

	"github.com/irc-lang/irc/ir/lists"
)

// A Kind is an engine before it is started.
type Kind struct {
	Name   string
	Doc    string // what runs a program
	Native bool   // makes code for Options.Target
	Start  func(context.Context, Options) (e Engine, why string, err error)

	Examples []string // command lines that help shows

	// Device says that only the kernels of a program run on it, of which a model has none.
	Device bool
}

// Eval is the interpreter.
var Eval = &Kind{Name: "eval", Doc: "the interpreter", Examples: []string{"irc run -entry=main -engine=eval sum.mlir -args=args.json"}, Start: func(_ context.Context, o Options) (Engine, string, error) {
	return &Interpreter{o: o}, "", nil
}}

// An UnavailableError says that an engine lacks what it needs here, and what to do.
type UnavailableError struct {
	Err error
	Fix string
}

func (e *UnavailableError) Error() string { return e.Err.Error() }
func (e *UnavailableError) Unwrap() error { return e.Err }

// A RefusedProcessor is an error of a compiler that may be about the processor that was asked for.
type RefusedProcessor interface {
	error
	NoProcessor() (why string, is bool)
}

// Find finds the engine of a name, or nil.
func Find(list []*Kind, name string) *Kind {
	if i := slices.IndexFunc(list, func(k *Kind) bool { return k.Name == name }); i >= 0 {
		return list[i]
	}
	return nil
}

// Names lists the names of engines.
func Names(list []*Kind) []string {
	return lists.Map(list, func(k *Kind) string { return k.Name })
}

// Prestart starts an engine with options while something else is done. Start of the
// kind that it returns, once, waits for it: options and context are those given here, and
// stop, which is to be called in the end, ends an engine that nobody took.
func (k *Kind) Prestart(ctx context.Context, o Options) (ahead *Kind, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var e Engine
	var why string
	var err error
	started := make(chan struct{})
	go func() {
		defer close(started)
		e, why, err = k.Start(ctx, o)
	}()
	out, taken := *k, false
	out.Start = func(context.Context, Options) (Engine, string, error) {
		taken = true
		<-started
		return e, why, err
	}
	return &out, func() {
		cancel()
		if <-started; !taken && err == nil {
			_ = e.Close() // it was stopped
		}
	}
}
