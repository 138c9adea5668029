package emit

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/c"
	"github.com/irc-lang/irc/backends/elf"
	"github.com/irc-lang/irc/backends/golang"
	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
)

// writeLLVM writes LLVM IR, as LLVM is given it or makes of it; for a GPU that of the
// kernels.
func writeLLVM(w io.Writer, o *Output) error {
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

func writeAssembly(w io.Writer, o *Output) error {
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
func writeObject(w io.Writer, o *Output) error {
	m, err := o.module(true, o.isELF())
	if err != nil {
		return err
	}
	if o.Beside != nil {
		if err := o.Beside(".h", m.Header); err != nil {
			return err
		}
	}
	if len(m.Blobs) == 0 {
		return o.compile(w, m.Text(), jit.Object)
	}
	lib, err := jit.Find()
	if err != nil {
		return err
	}
	data, err := lib.Emit(m.Text(), jit.Object, o.native())
	if err != nil {
		return err
	}
	var constants []elf.Constant
	for _, b := range m.Blobs {
		constants = append(constants, elf.Constant(b))
	}
	return elf.Append(w, data, constants)
}

// isELF reports a target whose object files get large constants behind LLVM's back.
func (o *Output) isELF() bool {
	for _, other := range []string{"apple", "darwin", "macos", "ios", "windows", "win32", "mingw", "wasm", "coff", "macho", "aix", "big"} {
		if strings.Contains(o.Target.Triple, other) {
			return false
		}
	}
	return true
}

// writeC writes structured programs as C, and beside it their large constants.
func writeC(w io.Writer, o *Output) error {
	return o.withData(w, func(d *source.Data) (string, error) {
		return c.Emit(o.Graph, c.Options{Unchecked: o.Unchecked, Freestanding: o.Target.Library == "", Name: o.Name, Data: d})
	})
}

// writeGo writes structured programs as Go, and beside it their large constants.
func writeGo(w io.Writer, o *Output) error {
	if o.Package != "" && !golang.IsPackage(o.Package) {
		return usagef("a package is named by one identifier", "-package: %q is no name of a package", o.Package)
	}
	return o.withData(w, func(d *source.Data) (string, error) {
		return golang.Emit(o.Graph, golang.Options{Unchecked: o.Unchecked, Name: o.Name, Package: o.Package, Data: d})
	})
}

// withData writes a program, and if that goes to a file its large constants beside it.
func (o *Output) withData(w io.Writer, emit func(*source.Data) (string, error)) error {
	if o.Beside == nil {
		text, err := emit(nil)
		return write(w, text, err)
	}
	text, err := "", error(nil)
	beside := o.Beside(".bin", func(name string) string {
		d := &source.Data{Name: name}
		text, err = emit(d)
		return d.String()
	})
	if beside != nil {
		return beside
	}
	return write(w, text, err)
}

// module is the program as an LLVM module, with the twins of an object if it is to be one, and large constants
// in its text or beside it; what is left out of it is told.
func (o *Output) module(object, blobs bool) (*llvm.Module, error) {
	m, err := llvm.Emit(o.Graph, llvm.Options{Blobs: blobs, Unchecked: o.Unchecked, Name: o.Name, Target: o.Target, Cores: o.Target.Cores > 1,
		Checked: object, CheckedAlone: object && o.OfModel})
	if err != nil {
		return nil, err
	}
	for _, l := range m.Left {
		o.LeftOut(l.Name, l.Err)
	}
	return m, nil
}

func (o *Output) native() jit.Options {
	return jit.Options{Level: o.Level, Triple: o.Target.Triple, CPU: o.Target.CPU, Features: strings.Join(o.Target.Features, ",")}
}

func (o *Output) compile(w io.Writer, text string, what jit.Kind) error {
	lib, err := o.compiler()
	if err != nil {
		return err
	}
	data, err := lib.Emit(text, what, o.native())
	return write(w, string(data), err)
}

// optimized writes a module as LLVM makes it at a level, of which 0 leaves it alone.
func (o *Output) optimized(w io.Writer, text string, j jit.Options) error {
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
func (o *Output) compiler() (jit.Compiler, error) {
	if o.Compiler != nil {
		return o.Compiler, nil
	}
	return jit.Find()
}

func (o *Output) kernels() nvvm.Options {
	return nvvm.Options{Compiler: o.Compiler, Target: o.Target, Level: o.Level, Unchecked: o.Unchecked, Name: o.Name}
}

func writePTX(w io.Writer, o *Output) error {
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
func (o *Output) knownArch() error {
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
	return usagef(fix, "-mcpu: '%s' is no architecture that this LLVM knows", arch)
}

func kernelError(err error) error {
	if errors.Is(err, nvvm.ErrNoKernels) {
		return diag.Errorf(diag.Span{}, "%v", err).WithFix("-passes=outline-kernels makes kernels of data-parallel loops")
	}
	return err
}
