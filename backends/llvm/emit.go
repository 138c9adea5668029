package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"

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
	if e, failed := unwind.Catch[*ir.OpError](func() { m = emit(g, opts) }); failed {
		return nil, e
	}
	return m, nil
}

func emit(g *ir.Graph, opts Options) *Module {
	if opts.Target == nil {
		opts.Target = target.Host()
	}
	g = builtin.Functions(g)
	e := &emitter{Module: &Module{IR: llir.NewModule(), ctx: g.Ctx, checked: opts.Checked, alone: opts.CheckedAlone}, opts: opts, g: g, c: g.Ctx, ops: emitters(),
		callee: map[string]*callee{}, runtime: map[string]*llir.Func{}, globals: map[string]*globalVar{}, structs: map[string]*types.StructType{}}
	e.IR.SourceFilename, e.IR.TargetTriple = opts.Name, opts.Target.Triple
	if opts.Target.Kind == target.GPU {
		e.kernels()
	} else {
		e.module()
	}
	return e.Module
}

func (e *emitter) module() {
	s := ir.ScheduleOf(e.g)
	var fs []ir.Value
	for _, v := range s.Body(ir.Root) {
		switch def := e.g.Def(v); {
		case def == funcs.Func:
			fs = append(fs, v)
		case def == memref.Global && !e.c.Wide(e.c.AttrInfo(e.g.Attr(v, "type")).Type): // or no function has it
			e.global(v)
		case def == builtin.Module:
			failAt(e.g, v, "is inside another module: LLVM has one level of symbols; move its functions out")
		case def.Has(ir.Terminator), def == device.Kernel, def == memref.Global: // kernels are not for the host
		default:
			failAt(e.g, v, "stands outside of a function: LLVM compiles functions and globals only; move it into a func.func")
		}
	}
	var callees []*callee
	if e.opts.Times {
		e.Timed = []Timed{{}}
	}
	for _, v := range e.leaveOut(fs) {
		callees = append(callees, e.declare(v))
	}
	for _, c := range callees {
		e.define(c)
	}
	for _, c := range callees {
		c.stayCalled()
	}
	if e.opts.Thunks {
		for _, c := range callees {
			e.thunk(c)
		}
	}
	if e.opts.Checked {
		e.finishChecked(callees)
	}
	e.finishTraps()
	e.finishSharing()
	if e.opts.Times {
		e.timesThunk()
	}
	if e.opts.CountHeap {
		e.heapThunk()
	}
	e.legalWidth()
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
