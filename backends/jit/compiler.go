package jit

import "context"

// A Compiler makes optimised IR, assembly and object files of IR text: a Library in this process, or one InChild.
type Compiler interface {
	Optimize(ll string, o Options) (string, error)
	Emit(ll string, kind Kind, o Options) ([]byte, error)
}

// InChild is a Compiler that starts a child for each text: LLVM reads what the program decides on in the sandbox.
type InChild struct {
	Context context.Context
	Options ChildOptions
}

// Optimize is Library.Optimize.
func (c InChild) Optimize(ll string, o Options) (string, error) {
	const text = -1
	data, err := c.ask(ll, text, o)
	return string(data), err
}

// Emit is Library.Emit.
func (c InChild) Emit(ll string, kind Kind, o Options) ([]byte, error) {
	return c.ask(ll, int64(kind), o)
}

func (c InChild) ask(ll string, kind int64, o Options) ([]byte, error) {
	child, err := Start(c.Context, c.Options)
	if err != nil {
		return nil, err
	}
	defer child.Close() // it has done its work
	return child.emit(c.Context, ll, kind, o)
}
