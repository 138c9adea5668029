package cli

import (
	"errors"

	"github.com/irc-lang/irc/ir"
)

// cannotCompile says that a program has no native code, though the interpreter
// may run it.
type cannotCompile struct{ err error }

func (e *cannotCompile) Error() string { return e.err.Error() }
func (e *cannotCompile) Unwrap() error { return e.err }

// compiles reports an op that the LLVM backend translates.
func compiles(d *ir.OpDef) bool { return false }

// emitNative writes LLVM IR, assembly or an object file.
func (s *session) emitNative(g *ir.Graph, kind string) ([]byte, error) {
	return nil, errors.New("TEMP")
}

// native compiles the program and calls its function in a child process.
func (j *job) native() ([]ir.Val, error) {
	return nil, &cannotCompile{errors.New("TEMP")}
}
