package llvm

import (
	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/backends/llvm/internal/kernels"
	"github.com/irc-lang/irc/backends/llvm/internal/memory"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/unwind"
)

// Text emits a graph and returns LLVM's textual IR.
func Text(g *ir.Graph, opts Options) (string, error) {
	m, err := Emit(g, opts)
	if err != nil {
		return "", err
	}
	return m.Text(), nil
}

// Emit translates the functions of a graph: a parsed file, or the body of a
// module. Errors are *ir.OpError: they name the op that has no translation, and
// say what to do.
func Emit(g *ir.Graph, opts Options) (m *Module, err error) {
	if e, failed := unwind.Catch[*ir.OpError](func() { m = translate(g, opts) }); failed {
		return nil, e
	}
	return m, nil
}

func translate(g *ir.Graph, opts Options) *Module {
	if opts.Target == nil {
		opts.Target = target.Host()
	}
	g = builtin.Functions(g)
	e := &emit.Emitter{Module: &emit.Module{IR: llir.NewModule(), Ctx: g.Ctx, Checked: opts.Checked, Alone: opts.CheckedAlone}, Opts: opts, G: g, C: g.Ctx, Ops: emitters(),
		Callee: map[string]*emit.Callee{}, Runtime: map[string]*llir.Func{}, Globals: map[string]*emit.GlobalVar{}, Structs: map[string]*types.StructType{}}
	e.IR.SourceFilename, e.IR.TargetTriple = opts.Name, opts.Target.Triple
	if opts.Target.Kind == target.GPU {
		kernels.Kernels(e)
	} else {
		module(e)
	}
	return e.Module
}

func module(e *emit.Emitter) {
	s := ir.ScheduleOf(e.G)
	var fs []ir.Value
	for _, v := range s.Body(ir.Root) {
		switch def := e.G.Def(v); {
		case def == funcs.Func:
			fs = append(fs, v)
		case def == memref.Global && !e.C.Wide(e.C.AttrInfo(e.G.Attr(v, "type")).Type): // or no function has it
			e.Global(v)
		case def == builtin.Module:
			emit.FailAt(e.G, v, "is inside another module: LLVM has one level of symbols; move its functions out")
		case def.Has(ir.Terminator), def == device.Kernel, def == memref.Global: // kernels are not for the host
		default:
			emit.FailAt(e.G, v, "stands outside of a function: LLVM compiles functions and globals only; move it into a func.func")
		}
	}
	var callees []*emit.Callee
	if e.Opts.Times {
		e.Timed = []emit.Timed{{}}
	}
	for _, v := range e.Offered(fs) {
		callees = append(callees, e.Declare(v))
	}
	for _, c := range callees {
		e.Define(c)
	}
	for _, c := range callees {
		c.StayCalled()
	}
	if e.Opts.Thunks {
		for _, c := range callees {
			e.Thunk(c)
		}
	}
	if e.Opts.Checked {
		e.FinishChecked(callees)
	}
	e.FinishTraps()
	e.FinishSharing()
	if e.Opts.Times {
		e.TimesThunk()
	}
	if e.Opts.CountHeap {
		memory.AddHeapThunk(e)
	}
	e.LegalWidth()
}

// Header returns C declarations of the public functions of a graph, as Emit
// without Thunks makes them. guard is the name of the include guard, such as M_H.
func Header(g *ir.Graph, guard string) (string, error) {
	m, err := Emit(g, Options{Unchecked: true})
	if err != nil {
		return "", err
	}
	return m.Header(guard), nil
}
