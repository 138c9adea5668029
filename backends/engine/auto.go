package engine

import (
	"context"
	"errors"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// autoEngine chooses for each program: native code where libLLVM is there and the
// program can be compiled and does not run only once for less than that takes, else the interpreter. It never takes a GPU. Nobody else
// chooses.
type autoEngine struct {
	eval    *contract.Interpreter
	o       Options
	llvm    *llvmEngine // nil without libLLVM
	missing string      // why it is
}

func startAuto(ctx context.Context, o Options) (Engine, string, error) {
	l, err := startLLVM(ctx, o)
	if errors.Is(err, jit.ErrMissing) {
		return &autoEngine{eval: contract.NewInterpreter(o), o: o, missing: err.Error()}, "eval: " + err.Error(), nil
	}
	if err != nil {
		return nil, "", err
	}
	return &autoEngine{eval: contract.NewInterpreter(o), o: o, llvm: l}, "llvm " + l.version, nil
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
		return chosen(ps, e.missing, nil), err
	}
	if e.o.Once {
		if why := interpretedOnce(graphs); why != "" {
			ps, err := e.eval.Prepare(ctx, graphs...)
			return chosen(ps, why, nil), err
		}
	}
	ps, err := e.llvm.Prepare(ctx, graphs...)
	var op *ir.OpError // what may not be called may not be interpreted either: no ExternalError
	if err != nil && !errors.As(err, &op) {
		return nil, err
	}
	if err == nil {
		err = e.omitted(ps)
	}
	if err == nil {
		return chosen(ps, "libLLVM "+e.llvm.version, nil), nil
	}
	if len(graphs) == 1 {
		ps, eval := e.eval.Prepare(ctx, graphs...)
		return chosen(ps, "not compiled: "+err.Error(), err), eval
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

// omitted is why a program has no native code for a function that will be called: all
// functions share their memory, so that one runs where the others do.
func (e *autoEngine) omitted(ps []Program) error {
	for _, p := range ps {
		for _, name := range e.o.Entries {
			if _, _, err := p.Signature(name); err != nil {
				return err
			}
		}
		for _, l := range p.(*llvmProgram).m.Omitted {
			if e.o.Entries == nil {
				return l.Err
			}
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
	why     string
	refused error // why it has no native code, if that is not for want of libLLVM
}

func (p chosenProgram) Engine() (name, why string) {
	name, _ = p.Program.Engine()
	return name, p.why
}

func chosen(ps []Program, why string, refused error) []Program {
	for i, p := range ps {
		ps[i] = chosenProgram{p, why, refused}
	}
	return ps
}

// Refused is why auto interprets a program although there is libLLVM; nil if it does not.
func (p chosenProgram) Refused() error { return p.refused }

// Stats are those of the program that was chosen.
func (p chosenProgram) Stats() string { return contract.StatsOf(p.Program) }

// Uncompiled is contract.Uncompiled.
func Uncompiled(p Program) error { return contract.Uncompiled(p) }
