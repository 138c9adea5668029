package emit

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
)

// Options of Emit. The zero value emits a plain module with runtime checks, whose
// functions C can call.
type Options struct {
	// Unchecked leaves out the runtime checks: what would trap is undefined then,
	// but for cf.assert, which stays.
	Unchecked bool
	// Thunks adds an entry for each public function that the jit can call, makes
	// everything else internal, and lets traps return to the thunk.
	Thunks bool
	// Checked gives each public function a twin NAME_checked, which returns the code of a
	// trap instead of aborting, and CheckedAlone makes it the only entry (see checked.go).
	Checked, CheckedAlone bool
	// Cores lets the cores of the machine share the iterations of parallel loops: they go to
	// irc_parallel_for, which the jit's runtime has; without thunks the module has a weak one.
	Cores bool
	// Blobs leaves large constants out of the text: Module.Blobs has them.
	Blobs bool
	// CountHeap makes the module count its allocations and frees; the function
	// HeapThunk gives both.
	CountHeap bool
	// Times makes the module take the time of its outermost loops, and of what its thunks call; the function
	// TimesThunk gives both.
	Times bool
	// Places marks loops with where they are written, which Widths reads in what LLVM makes of the module.
	Places bool
	// Dispatchers is from how many on the edges of a function are threaded (see thread.go); 0 is the usual number.
	Dispatchers int
	// Target is the machine, whose triple is written into the module; nil is the host. For
	// a GPU the device.kernels of a graph and what they reach are translated, for NVIDIA's,
	// in place of functions (see kernels).
	Target *target.Target
	// Name is the module's source_filename.
	Name string
}

// Module is what Emit makes.
type Module struct {
	IR    *llir.Module
	Funcs []*Func // those that can be called from outside, in order
	// Traps says what the codes of thunks mean: code n is Traps[n-1].
	Traps []Trap
	// Prints says what print records refer to (see memory/print.go).
	Prints []Print
	// Timed are the loops whose time is taken, after all calls of thunks together.
	Timed []Timed
	// Blobs are the large constants that the text only declares.
	Blobs []Blob
	// Omitted is what the module does not offer though it is public.
	Omitted []Omitted
	// Kernels are those of a GPU, in order.
	Kernels []KernelInfo

	Ctx  *ir.Context
	half bool // f16 is computed with on the host

	Checked, Alone bool // as Options.Checked and CheckedAlone
}

// A Trap is one place where a program may stop.
type Trap struct {
	Func   string // its symbol
	Op     string
	Loc    ir.Loc
	Reason string
}

func (t Trap) String() string { return fmt.Sprintf("@%s: %s: %s", t.Func, t.Op, t.Reason) }

// Func is a function that can be called from outside.
type Func struct {
	Name        string
	In, Out     []ir.Type
	New         []bool // results that are new memory, which the caller frees
	Doc         string // of its attribute func.doc: lines
	Thunk       string // symbol of its thunk, or ""
	NoThunk     string // why there is none although Options.Thunks asks for them
	Declaration bool
}

// WhyLeft says why a public function is left out; nil if it is not.
func (m *Module) WhyLeft(name string) error {
	for _, l := range m.Omitted {
		if l.Name == name {
			return l.Err
		}
	}
	return nil
}

// Func finds a function by name, or returns nil.
func (m *Module) Func(name string) *Func {
	for _, f := range m.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Text returns the module as LLVM's textual IR.
func (m *Module) Text() string {
	text := render(m.IR) + m.annotations()
	if m.half {
		text += lit.HalfRuntime
	}
	if m.Checked {
		text += trapText
		if len(m.Traps) > 0 {
			text += "@llvm.used = appending global [1 x ptr] [ptr @" + trapTableName + "], section \"llvm.metadata\"\n"
		}
	}
	return text
}

// Externs are the functions that the module calls and does not define, but for
// intrinsics of LLVM's and the functions of irc's runtime.
func (m *Module) Externs() []string {
	var out []string
	for _, f := range m.IR.Funcs {
		if name := f.Name(); len(f.Blocks) == 0 && !strings.HasPrefix(name, "llvm.") && !strings.HasPrefix(name, "irc_") {
			out = append(out, name)
		}
	}
	return out
}

// Emitter is the translation of one module.
type Emitter struct {
	*Module
	Opts    Options
	G       *ir.Graph
	C       *ir.Context
	Callee  map[string]*Callee
	Runtime map[string]*llir.Func // functions of libc, intrinsics, our own helpers
	Globals map[string]*GlobalVar
	Structs map[string]*types.StructType // of many results, by how they are written
	trap    *llir.Func                   // void (i32), does not return
	stops   []*stop
	taken   []*llir.Func // functions that are values
	texts   map[string]*lit.Lit
	Counts  *lit.Lit                // of the heap, with Options.CountHeap
	Ops     map[*ir.OpDef]func(*Fn) // how ops are translated
	sharing int                     // loops that cores may share so far
	shared  bool                    // there is one
	orders  map[*Callee]*order      // of functions that such loops call
	Gpu     *Gpu                    // for a GPU
	hinted  int64                   // bits of the widest vectors that loops are to become
}

// Schedule orders the ops of a function for the target.
func (e *Emitter) Schedule(g *ir.Graph) *ir.Schedule {
	opts := e.Opts.Target.Schedule()
	opts.Copies = true
	return ir.NewSchedule(g, opts)
}

// FailAt gives the translation up.
func FailAt(g *ir.Graph, v ir.Value, format string, args ...any) {
	panic(opError(g, v, format, args...))
}

// render prints a module. Functions print in parallel, since llir's printing is the
// slowest part of emission.
func render(m *llir.Module) string {
	funcs := m.Funcs
	m.Funcs = nil
	parts := make([]string, len(funcs))
	ir.Parallel(len(funcs), func(i int) { parts[i] = funcs[i].LLString() })
	var b strings.Builder
	meta, named := m.MetadataDefs, m.NamedMetadataDefs
	m.MetadataDefs, m.NamedMetadataDefs = nil, nil
	b.WriteString(m.String())
	m.Funcs, m.MetadataDefs, m.NamedMetadataDefs = funcs, meta, named
	for _, p := range parts {
		b.WriteString("\n")
		b.WriteString(p)
		b.WriteString("\n")
	}
	if len(meta) > 0 {
		b.WriteString("\n")
	}
	for _, d := range meta {
		fmt.Fprintf(&b, "%s = %s\n", d.Ident(), d.LLString())
	}
	return b.String()
}

// A Print is an op that prints.
type Print struct {
	G     *ir.Graph
	V     ir.Value
	Types []ir.Type // of its operands
}

// Printing are the ops that print their operands.
var Printing = map[*ir.OpDef]bool{special.Print: true, vector.Print: true}
