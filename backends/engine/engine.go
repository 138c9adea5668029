// Package engine has the engines that need more than the interpreter: native code
// that libLLVM makes, in a child process (llvm), and the interpreter with the kernels
// on a GPU (cuda). What all have in common, and the interpreter, stand in package contract.
//
// A program that uses the llvm or the cuda engine must call ServeIfChild first in
// main (and in TestMain).
package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/cuda"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/dialects/device/simt"
	"github.com/irc-lang/irc/dialects/device/transfers"
	"github.com/irc-lang/irc/ir"
)

// What engines are and make.
type (
	Engine           = contract.Engine
	Kind             = contract.Kind
	Options          = contract.Options
	UnavailableError = contract.UnavailableError
	ExternalError    = contract.ExternalError

	Program = contract.Program
	Call    = contract.Call
	Result  = contract.Result
)

// The engines of this repository.
var (
	Auto = &Kind{Name: "auto", Doc: "native code where there is libLLVM and it can be compiled, else the interpreter", Native: true, Start: startAuto}
	Eval = contract.Eval
	LLVM = &Kind{Name: "llvm", Doc: "native code", Native: true, Start: func(ctx context.Context, o Options) (Engine, string, error) {
		e, err := startLLVM(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return e, "", nil
	}}
	CUDA = CUDAWith(nvvm.Compile)
)

// All lists them, the one that runs unasked first.
var All = []*Kind{Auto, Eval, LLVM, CUDA}

// Checks are what the interpreter can look for in a run: races of parallel loops; accesses of host or
// device to memory of the other; races of the threads of a kernel, of which it counts what they ask of memory.
var Checks = []*contract.Check{
	contract.Races,
	{Name: "transfers", New: func() contract.Checker { return transfers.New() }},
	{Name: "kernels", New: func() contract.Checker { return simt.New() }},
}

// CUDAWith is CUDA with another compiler of kernels: a machine with a GPU may have no libLLVM.
func CUDAWith(compile func(*ir.Graph, nvvm.Options) (*nvvm.PTX, error)) *Kind {
	return &Kind{Name: "cuda", Doc: "the interpreter, with kernels on a GPU", Device: true, Start: func(ctx context.Context, o Options) (Engine, string, error) {
		e, err := startCUDA(ctx, o)
		if errors.Is(err, cuda.ErrMissing) {
			err = &UnavailableError{Err: err, Fix: "-engine=eval runs kernels without a device"}
		}
		if err != nil {
			return nil, "", err
		}
		e.compile = compile
		return e, e.about(), nil
	}}
}

// New starts one of All by its name. why says which auto takes, and for what reason;
// Program.Engine says it of a program. Without a device the error of cuda matches
// cuda.ErrMissing.
func New(ctx context.Context, kind string, o Options) (e Engine, why string, err error) {
	k := contract.Find(All, kind)
	if k == nil {
		return nil, "", fmt.Errorf("engine %q is unknown; there are %s", kind, strings.Join(contract.Names(All), ", "))
	}
	return k.Start(ctx, o)
}
