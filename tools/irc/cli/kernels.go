package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
)

// checkArch looks at -mcpu.
func checkArch(cpu string) error {
	if cpu == "" {
		return nil
	}
	if err := nvvm.CheckArch(cpu); err != nil {
		return usagef("", "-mcpu: %v", err)
	}
	return nil
}

// knownArch refuses an architecture that is newer than libLLVM, which would compile
// for the oldest that there is and name this one.
func (s *session) knownArch(t *target.Target) error {
	arch := t.CPU
	if arch == nvvm.GPU("").CPU {
		return nil
	}
	names, err := jit.Processors(s.ctx, t.Triple)
	if errors.Is(err, jit.ErrMissing) {
		return nil // nothing is compiled: that error is to come
	}
	if err != nil {
		return s.stopped(err)
	}
	if slices.Contains(names, arch) {
		return nil
	}
	portable := func(name string) bool { return nvvm.CheckArch(name) == nil && !strings.HasSuffix(name, "a") }
	names = slices.DeleteFunc(names, func(name string) bool { return !portable(name) })
	fix := "set IRC_LIBLLVM to the path of a newer libLLVM.so"
	if len(names) > 0 {
		fix = fmt.Sprintf("what is compiled for %s runs on all later GPUs, too; or %s", names[len(names)-1], fix)
	}
	return usagef(fix, "-mcpu: '%s' is no architecture that this LLVM knows", arch)
}

// emitKernels writes the kernels of a program as NVVM IR or PTX.
func (s *session) emitKernels(g *ir.Graph, kind string, level jit.Level) ([]byte, error) {
	t, err := s.target()
	if err != nil {
		return nil, err
	}
	o := nvvm.Options{Target: t, Level: level, Unchecked: s.flag("unchecked"), Name: s.readName}
	if kind == "nvvm" || kind == "llvm" {
		m, err := nvvm.Emit(g, o)
		if err != nil {
			return nil, kernelError(err)
		}
		return optimized(m.Text(), o.JIT())
	}
	if err := s.knownArch(t); err != nil {
		return nil, err
	}
	p, err := nvvm.Compile(g, o)
	if err != nil {
		return nil, kernelError(err)
	}
	return []byte(p.Text), nil
}

func kernelError(err error) error {
	if errors.Is(err, nvvm.ErrNoKernels) {
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("-passes=outline-kernels makes kernels of data-parallel loops")
	}
	return err
}
