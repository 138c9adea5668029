package sampler

import (
	"context"
	"math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/lowering/density"
	"github.com/irc-lang/irc/passes/pass/symbols"
	"github.com/irc-lang/irc/tools/stage"
)

// The names of functions: of the step of a chain, and of what it calls.
const (
	StepSymbol    = "iterate"
	targetSymbol  = "target"
	uniformSymbol = "uniform"
	normalSymbol  = "normal"
)

// Step is the program of the step of a chain, @iterate, which calls @target: it is declared, and Link defines it.
func Step(ctx context.Context, c *ir.Context) (*ir.Graph, error) {
	random := func(name string) Random {
		return stage.Extern[func(s *stage.S, seed, stream, counter stage.Dyn[int64]) stage.Dyn[float64]](name, nil)
	}
	target := stage.Extern[func(s *stage.S) stage.Dyn[float64]](targetSymbol, nil)
	g, _, err := stage.Module(ctx, c, StepSymbol, Iterate(Sources{target, random(uniformSymbol), random(normalSymbol)}))
	if err != nil {
		return nil, err
	}
	b := ir.NewBuilder(c)
	for _, f := range functions(g) {
		if symbols.Of(f) == StepSymbol || symbols.Of(f) == targetSymbol {
			keep(b, f)
		}
	}
	draws(b, uniformSymbol, draw.Counter[ir.Value, ir.Value, ir.Value].Uniform)
	draws(b, normalSymbol, draw.Counter[ir.Value, ir.Value, ir.Value].Normal)
	return module(b), nil
}

// functions are those of a module.
func functions(g *ir.Graph) (out []ir.Node) {
	for n := range g.All() {
		if n.Def() == funcs.Func {
			out = append(out, n)
		}
	}
	return out
}

// keep makes a function again.
func keep(b *ir.Builder, f ir.Node) {
	b.Must(ir.Call{Def: funcs.Func, Attr: f.Attrs(), Graphs: f.Graph().Children(f.Old())})
}

func module(functions *ir.Builder) *ir.Graph {
	b := ir.NewBuilder(functions.Ctx())
	b.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{functions.Finish()}})
	return b.Finish()
}

// draws is a function of seed, stream and counter.
func draws(b *ir.Builder, name string, number func(c draw.Counter[ir.Value, ir.Value, ir.Value], at ir.Value) ir.Value) {
	funcs.Define(b, name, []ir.Type{ir.I64, ir.I64, ir.I64}, []ir.Type{ir.F64}, func(b *ir.Builder, args []ir.Value) []ir.Value {
		return []ir.Value{number(draw.CounterOps(kit.ArrayOps{Ops: kit.Ops{B: b}}, args[0], args[1], args[2]), b.Index(0))}
	})
}

// Link makes one program of a model's functions and a step. Behind its own arguments the step takes those of the gradient that Passed lists.
func Link(c *ir.Context, model, step *ir.Graph, gradient *density.Routine) *ir.Graph {
	b := ir.NewBuilder(c)
	l := &linker{gradient: gradient}
	for _, f := range functions(model) {
		keep(b, f)
		if symbols.Of(f) == gradient.Name {
			l.in, l.out, _ = symbols.Signature(f)
		}
	}
	for _, i := range Passed(gradient) {
		l.passed = append(l.passed, l.in[i])
	}
	for _, f := range functions(step) {
		switch symbols.Of(f) {
		case targetSymbol:
		case StepSymbol:
			l.step(b, f)
		default:
			keep(b, f)
		}
	}
	return module(b)
}

// Passed are the arguments of a gradient that a chain hands on: all but the vector, its shadow, and the adjoint of the density.
func Passed(gradient *density.Routine) (out []int) {
	for i := range gradient.Args {
		if a := &gradient.Args[i]; !a.IsVector() && !a.IsSlope() && !a.IsSeed() {
			out = append(out, i)
		}
	}
	return out
}

// A linker knows the function that gives the gradient.
type linker struct {
	gradient        *density.Routine
	in, out, passed []ir.Type
}

// step makes the step with further arguments, and calls of the gradient in the place of the target.
func (l *linker) step(b *ir.Builder, f ir.Node) {
	own, _, _ := symbols.Signature(f)
	body := f.Graph().Children(f.Old())[0]
	funcs.Define(b, StepSymbol, append(slices.Clone(own), l.passed...), nil, func(b *ir.Builder, args []ir.Value) []ir.Value {
		rules := ir.Rules{funcs.Call: func(m *ir.Mirror, n ir.Node) ir.Value {
			if symbols.Callee(n) != targetSymbol {
				return 0
			}
			return l.target(m.B, args[0], args[1], args[len(own):])
		}}
		ir.Insert(b, ir.ScheduleOf(body), ir.Root, nil, rules, args[:len(own)]...)
		return nil
	})
}

// target calls the gradient: the log density, -Inf where the model has no meaning.
func (l *linker) target(b *ir.Builder, position, slope ir.Value, passed []ir.Value) ir.Value {
	list := make([]ir.Value, len(l.in))
	for k, i := range Passed(l.gradient) {
		list[i] = passed[k]
	}
	for i := range l.gradient.Args {
		switch a := &l.gradient.Args[i]; {
		case a.IsVector():
			list[i] = arith.Cast(b, memref.Cast, position, l.in[i])
		case a.IsSlope():
			list[i] = arith.Cast(b, memref.Cast, slope, l.in[i])
			clearMemory(b, list[i])
		case a.IsSeed():
			list[i] = arith.ConstF64(b, 1)
		case a.Shadow:
			clearMemory(b, list[i])
		}
	}
	results := b.Results(funcs.CallTo(b, l.gradient.Name, l.out, list...))
	fine := arith.CmpI(b, arith.EQ, results[1], arith.ConstInt(b, ir.I32, ops.StatusOK))
	return arith.Choose(b, fine, results[0], arith.ConstF64(b, math.Inf(-1)))
}

// clearMemory writes 0 to all elements.
func clearMemory(b *ir.Builder, memory ir.Value) {
	shape := b.Ctx().Info(b.Graph().Type(memory)).Shape
	var nest func(at []ir.Value)
	nest = func(at []ir.Value) {
		if len(at) == len(shape) {
			b.Op(memref.Store, append([]ir.Value{arith.ConstFloat(b, ir.F64, 0), memory}, at...)...)
			return
		}
		scf.BuildFor(b, b.Index(0), b.Index(shape[len(at)]), b.Index(1), nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
			nest(append(at[:len(at):len(at)], iv))
			return nil
		})
	}
	nest(nil)
}
