package nvvm

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// Options of Emit and Compile. The zero value has checks and is for nvptx64, whose code
// runs on all later GPUs.
type Options struct {
	Target    *target.Target // a GPU; nil is nvptx64
	Level     jit.Level
	Compiler  jit.Compiler // nil is that of this process
	Unchecked bool         // without runtime checks: what would trap is undefined then
	Name      string       // of the source, for the module
}

// GPU is nvptx64, for an architecture such as sm_90 if cpu is not "".
func GPU(cpu string) *target.Target {
	t, err := target.Named("nvptx64", cpu)
	if err != nil {
		panic(err) // it is a row of the table
	}
	return t
}

// compiler is what LLVM runs in.
func (o Options) compiler() (jit.Compiler, error) {
	if o.Compiler != nil {
		return o.Compiler, nil
	}
	return jit.Find()
}

// JIT is how code for the target is made.
func (o Options) JIT() jit.Options {
	t := o.target()
	return jit.Options{Level: o.Level, Triple: t.Triple, CPU: t.CPU, Features: strings.Join(t.Features, ",")}
}

func (o Options) target() *target.Target {
	if o.Target == nil {
		return GPU("")
	}
	return o.Target
}

var archRE = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^sm_([7-9]\d|1\d\d)[af]?$`) })

// CheckArch refuses names that are no architecture, and those before sm_70, whose
// threads cannot end before their block's barriers.
func CheckArch(arch string) error {
	if !archRE().MatchString(arch) {
		return fmt.Errorf("%q is no architecture that kernels can be compiled for: sm_70 or later, such as sm_80 or sm_90", arch)
	}
	return nil
}

// ErrNoKernels says that a program has nothing to compile.
var ErrNoKernels = errors.New("there is no device.kernel, and nothing else is compiled for GPUs")

// Emit translates the kernels of a graph, and the functions that they call, to LLVM IR. The graph is a parsed
// file, or the body of a module, lowered for a GPU (lowering.Compile). Its Text is accepted by LLVM 16 and
// newer. Errors are ErrNoKernels and *ir.OpErrors.
func Emit(g *ir.Graph, o Options) (*llvm.Module, error) {
	m, err := llvm.Emit(g, llvm.Options{Target: o.target(), Unchecked: o.Unchecked, Name: o.Name})
	if err != nil {
		return nil, err
	}
	if len(m.Kernels) == 0 {
		return nil, ErrNoKernels
	}
	return m, nil
}

// Compile makes PTX of the kernels of a graph that is lowered for a GPU, through libLLVM;
// without that the error matches jit.ErrMissing.
func Compile(g *ir.Graph, o Options) (*PTX, error) {
	t := o.target()
	if err := CheckArch(t.CPU); err != nil {
		return nil, err
	}
	m, err := Emit(g, o)
	if err != nil {
		return nil, err
	}
	out := &PTX{Arch: t.CPU, Traps: m.Traps}
	for _, k := range m.Kernels {
		ps, err := Params(g.Ctx, k.In)
		if err != nil {
			return nil, fmt.Errorf("kernel @%s: %w", k.Name, err)
		}
		out.Kernels = append(out.Kernels, Kernel{Name: k.Name, Entry: k.Entry, In: k.In, Params: ps, Shared: k.Shared})
	}
	lib, err := o.compiler()
	if err != nil {
		return nil, err
	}
	text, err := lib.Emit(m.Text(), jit.Assembly, o.JIT())
	if err != nil {
		return nil, err
	}
	out.Text = string(text)
	return out, nil
}
