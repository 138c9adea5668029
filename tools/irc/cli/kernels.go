package cli

import (
	"errors"

	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// gpuKind reports output that holds the kernels of a program.
func gpuKind(emit, target string) bool {
	return emit == "nvvm" || emit == "ptx" || target == "nvptx64" && (emit == "llvm" || emit == "asm" || emit == "obj")
}

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

// emitKernels writes the kernels of a program as NVVM IR or PTX.
func (s *session) emitKernels(g *ir.Graph, kind string) ([]byte, error) {
	o := nvvm.Options{Arch: s.str("mcpu"), Unchecked: s.flag("unchecked"), Name: s.readName}
	if kind == "nvvm" || kind == "llvm" {
		m, err := nvvm.Emit(g, o)
		if err != nil {
			return nil, kernelError(err)
		}
		return []byte(m.Text()), nil
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
