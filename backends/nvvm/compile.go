package nvvm

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
)

// Triple is the target of kernels.
const Triple = "nvptx64-nvidia-cuda"

// DefaultArch is the architecture that is compiled for unless Options says
// otherwise; what is compiled for it runs on all later ones.
const DefaultArch = "sm_80"

// Options of Emit and Compile. The zero value has checks and is for DefaultArch.
type Options struct {
	Arch      string // "sm_80", "sm_90" ...
	Unchecked bool   // without runtime checks: what would trap is undefined then
	Name      string // of the source, for the module
}

var archRE = regexp.MustCompile(`^sm_([7-9]\d|1\d\d)[af]?$`)

// CheckArch refuses names that are no architecture, and those before sm_70, whose
// threads cannot end before their block's barriers.
func CheckArch(arch string) error {
	if !archRE.MatchString(arch) {
		return fmt.Errorf("%q is no architecture that kernels can be compiled for: sm_70 or later, such as sm_80 or sm_90", arch)
	}
	return nil
}

// ErrNoKernels says that a program has nothing to compile.
var ErrNoKernels = errors.New("there is no device.kernel, and nothing else is compiled for GPUs")

// Lower takes a program down to what kernels may have. A GPU has no library of
// mathematical functions, so they become arithmetic.
func Lower(ctx context.Context, g *ir.Graph, arch string) (*ir.Graph, error) {
	t, err := target.Named("nvptx64", arch)
	if err != nil {
		return nil, err
	}
	return lowering.Compile(ctx, g, t)
}

// Emit lowers the kernels of a graph, a parsed file or the body of a module, and the
// functions that they call, and translates them to LLVM IR. Its Text is accepted by
// LLVM 16 and newer. Errors are ErrNoKernels and *ir.OpErrors.
func Emit(g *ir.Graph, o Options) (*llvm.Module, error) {
	g, err := Lower(context.Background(), g, o.Arch)
	if err != nil {
		return nil, err
	}
	m, err := llvm.Emit(g, llvm.Options{GPU: true, Unchecked: o.Unchecked, Name: o.Name, Triple: Triple})
	if err != nil {
		return nil, err
	}
	if len(m.Kernels) == 0 {
		return nil, ErrNoKernels
	}
	return m, nil
}

// Compile makes PTX of the kernels of a graph, through libLLVM; without that the
// error matches jit.ErrMissing.
func Compile(g *ir.Graph, o Options) (*PTX, error) {
	if o.Arch == "" {
		o.Arch = DefaultArch
	}
	if err := CheckArch(o.Arch); err != nil {
		return nil, err
	}
	m, err := Emit(g, o)
	if err != nil {
		return nil, err
	}
	out := &PTX{Arch: o.Arch, Traps: m.Traps}
	for _, k := range m.Kernels {
		ps, err := Params(g.Ctx, k.In)
		if err != nil {
			return nil, fmt.Errorf("kernel @%s: %w", k.Name, err)
		}
		out.Kernels = append(out.Kernels, Kernel{Name: k.Name, Entry: k.Entry, In: k.In, Params: ps, Shared: k.Shared})
	}
	lib, err := jit.Find()
	if err != nil {
		return nil, err
	}
	text, err := lib.Emit(m.Text(), jit.Assembly, jit.Options{CPU: o.Arch})
	if err != nil {
		return nil, err
	}
	out.Text = string(text)
	return out, nil
}
