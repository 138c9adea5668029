// Package code writes programs as code: LLVM IR, of programs and of kernels, and what LLVM makes of it.
package code

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/elf"
	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// The forms.
var (
	LLVM     = &emit.Kind{Name: "llvm", Doc: "LLVM IR", Compiles: true, Raw: true, Write: by(writeLLVM), Examples: []string{"irc -emit=llvm sum.mlir -o sum.ll"}}
	Assembly = &emit.Kind{Name: "asm", Doc: "assembly", Compiles: true, Write: by(writeAssembly)}
	Object   = &emit.Kind{Name: "obj", Doc: "an object file, and a C header beside it", Compiles: true, Binary: true, Library: true, Write: by(writeObject),
		HostOnly: "use -emit=ptx: the driver compiles that when it loads it"}
	Shared = &emit.Kind{Name: "so", Doc: "a shared object, of a model with BridgeStan's C functions", Examples: []string{"irc -emit=so -data rats-data.json rats.bug -o rats.so"}, Compiles: true, Binary: true, Library: true, Shared: true, Write: by(writeShared),
		HostOnly: "use -emit=ptx: the driver compiles that when it loads it"}
	PTX  = &emit.Kind{Name: "ptx", Doc: "the kernels of the program, as PTX", Compiles: true, Kernels: true, Write: by(writePTX)}
	NVVM = &emit.Kind{Name: "nvvm", Doc: "the kernels of the program, as LLVM IR", Compiles: true, Raw: true, Kernels: true, Write: by(writeLLVM)}
)

// output is what is written, and how.
type output struct {
	*emit.Output
	shared bool // what others load
}

func by(write func(io.Writer, output) error) func(io.Writer, *emit.Output) error {
	return func(w io.Writer, o *emit.Output) error { return write(w, output{Output: o}) }
}

// write writes what was made without an error.
func write(w io.Writer, text string, err error) error {
	if err == nil {
		_, err = io.WriteString(w, text)
	}
	return err
}

// writeLLVM writes LLVM IR, as LLVM is given it or makes of it; for a GPU that of the
// kernels.
func writeLLVM(w io.Writer, o output) error {
	if o.Target.Kind == target.GPU {
		m, err := nvvm.Emit(o.Graph, o.kernels())
		if err != nil {
			return kernelError(err)
		}
		return o.optimized(w, m.Text(), o.kernels().JIT())
	}
	m, err := o.module(false, false)
	if err != nil {
		return err
	}
	return o.optimized(w, m.Text(), o.native())
}

func writeAssembly(w io.Writer, o output) error {
	if o.Target.Kind == target.GPU {
		return writePTX(w, o)
	}
	m, err := o.module(true, false)
	if err != nil {
		return err
	}
	return o.compile(w, m.Text(), jit.Assembly)
}

// writeObject writes an object file, and the header that declares what it has.
func writeObject(w io.Writer, o output) error {
	m, err := o.module(true, o.isELF())
	if err != nil {
		return err
	}
	text, err := o.extended(m)
	if err != nil {
		return err
	}
	return o.object(w, m, text)
}

// extended is the text of a module with the functions that samplers ask for, if it is a model's library. What it has is
// declared in a header.
func (o output) extended(m *llvm.Module) (string, error) {
	text, header := m.Text(), m.Header
	if o.Extend != nil {
		if arch, _, _ := strings.Cut(o.Target.Triple, "-"); arch != "" && !strings.Contains(arch, "64") {
			return "", emit.Usagef("write the density alone: -emit=obj without -scale=unconstrained", "BridgeStan's functions are made for machines of 64 bits, and -target is of %s", arch)
		}
		more, declared, err := o.Extend(o.Graph, text)
		if err != nil {
			return "", err
		}
		text += more
		if header = func(string) string { return declared }; !o.shared {
			header = func(name string) string { return m.Header(name) + "\n" + declared }
		}
	}
	if o.Beside == nil {
		return text, nil
	}
	return text, o.Beside(".h", header)
}

// object writes the object file of a module's text.
func (o output) object(w io.Writer, m *llvm.Module, text string) error {
	if len(m.Blobs) == 0 {
		return o.compile(w, text, jit.Object)
	}
	lib, err := jit.Find()
	if err != nil {
		return err
	}
	data, err := lib.Emit(text, jit.Object, o.native())
	if err != nil {
		return err
	}
	constants := lists.Map(m.Blobs, func(b llvm.Blob) elf.Constant { return elf.Constant(b) })
	return elf.Append(w, data, constants)
}

// isELF reports a target whose object files get large constants behind LLVM's back.
func (o output) isELF() bool {
	for _, other := range []string{"apple", "darwin", "macos", "ios", "windows", "win32", "mingw", "wasm", "coff", "macho", "aix", "big"} {
		if strings.Contains(o.Target.Triple, other) {
			return false
		}
	}
	return true
}

// module is the program as an LLVM module, with the twins of an object if it is to be one, and large constants
// in its text or beside it; what is left out of it is told.
func (o output) module(object, blobs bool) (*llvm.Module, error) {
	m, err := llvm.Emit(o.Graph, llvm.Options{Blobs: blobs, Unchecked: o.Unchecked, Name: o.Name, Target: o.Target, Cores: o.Target.Cores > 1,
		Checked: object, CheckedAlone: object && o.OfModel})
	if err != nil {
		return nil, err
	}
	for _, l := range m.Omitted {
		o.Omitted(l.Name, l.Err)
	}
	return m, nil
}

func (o output) native() jit.Options {
	return jit.Options{Level: o.Level, Triple: o.Target.Triple, CPU: o.Target.CPU, Features: strings.Join(o.Target.Features, ",")}
}

func (o output) compile(w io.Writer, text string, what jit.Kind) error {
	lib, err := o.compiler()
	if err != nil {
		return err
	}
	data, err := lib.Emit(text, what, o.native())
	return write(w, string(data), err)
}

// optimized writes a module as LLVM makes it at a level, of which 0 leaves it alone.
func (o output) optimized(w io.Writer, text string, j jit.Options) error {
	if j.Level == jit.O0 {
		return write(w, text, nil)
	}
	lib, err := o.compiler()
	if err != nil {
		return err
	}
	text, err = lib.Optimize(text, j)
	return write(w, text, err)
}

// compiler is what LLVM runs in.
func (o output) compiler() (jit.Compiler, error) {
	if o.Held != nil {
		return engine.Compiler(o.Context, *o.Held), nil
	}
	return jit.Find()
}

func (o output) kernels() nvvm.Options {
	return nvvm.Options{Compiler: o.held(), Target: o.Target, Level: o.Level, Unchecked: o.Unchecked, Name: o.Name}
}

// held is compiler for those who take nil for this process.
func (o output) held() jit.Compiler {
	if o.Held == nil {
		return nil
	}
	c, _ := o.compiler()
	return c
}

func writePTX(w io.Writer, o output) error {
	if err := o.knownArch(); err != nil {
		return err
	}
	p, err := nvvm.Compile(o.Graph, o.kernels())
	if err != nil {
		return kernelError(err)
	}
	return write(w, p.Text, nil)
}

// knownArch refuses an architecture that is newer than libLLVM, which would compile
// for the oldest that there is and name this one.
func (o output) knownArch() error {
	arch := o.Target.CPU
	if arch == nvvm.GPU("").CPU {
		return nil
	}
	names, err := jit.Processors(o.Context, o.Target.Triple)
	if errors.Is(err, jit.ErrMissing) {
		return nil // nothing is compiled: that error is to come
	}
	if err != nil {
		return err
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
	return emit.Usagef(fix, "-mcpu: '%s' is no architecture that this LLVM knows", arch)
}

func kernelError(err error) error {
	if errors.Is(err, nvvm.ErrNoKernels) {
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("-passes=outline-kernels makes kernels of data-parallel loops")
	}
	return err
}
