package irctest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/unwind"
)

// A probe is an operand of an op in a program, which is made poison to see what the op's interp.Func does about it.
type probe struct {
	g       *ir.Graph
	v       ir.Value
	def     *ir.OpDef
	operand int
}

// probesOf are the operands of an op that may be poison: numbers and memory, no constants, and none that the op says does no harm.
func probesOf(o *interp.Op) (out []probe) {
	if o.Def.Has(ir.Terminator) || o.Def.Has(ir.Freezes) || ir.Implements[ir.CallLike](o.G.Ctx, o.Def) {
		return nil
	}
	for k, a := range o.G.Args(o.V) {
		info := o.G.Ctx.Info(o.G.Type(a))
		_, isConst := o.G.Const(a)
		switch info.Kind {
		case ir.KindInteger, ir.KindIndex, ir.KindFloat, ir.KindMemRef:
			if !isConst && !(o.Def.Harmless != nil && o.Def.Harmless(o.Call, k)) {
				out = append(out, probe{o.G, o.V, o.Def, k})
			}
		}
	}
	return out
}

// errProbed ends the run of a probe.
var errProbed = errors.New("irctest: an operand was made poison")

// ignoresPoison looks for an op that goes on as if an operand that is poison were a number: each op of a run once, in runs
// of their own, for what the op does then is no part of the program.
func ignoresPoison(g *ir.Graph, entry string, in input, probes []probe) (found *fault) {
	for _, p := range probes {
		done := false
		wrap := func(def *ir.OpDef, f interp.Func) interp.Func {
			return func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
				if done || o.G != p.g || o.V != p.v {
					return f(m, o, args, out)
				}
				done = true
				if why := p.ignored(m, o, f, args); why != "" {
					found = &fault{kind: o.Def.Name + " is not as it is defined", what: why}
				}
				return errProbed
			}
		}
		call(g, entry, in, interp.Options{Wrap: wrap}) //nolint:errcheck // it is errProbed, or the program's own
		if found != nil {
			return found
		}
	}
	return nil
}

// ignored runs an op with an operand that is poison, and says what it does wrong; "" if nothing.
func (p probe) ignored(m *interp.Machine, o *interp.Op, f interp.Func, args []ir.Val) string {
	which := fmt.Sprintf("operand %d", p.operand)
	if p.operand < len(o.Def.Args) {
		which += " (" + o.Def.Args[p.operand] + ")"
	}
	const read = "read it with interp.Bool, interp.Index or interp.AsMemRef, which trap"
	poisoned, out := slices.Clone(args), make([]ir.Val, o.G.Results(o.V))
	poisoned[p.operand] = ir.Val{Ref: ir.Poison}
	var err error
	thrown, panicked := unwind.Catch[any](func() { err = f(m, o, poisoned, out) })
	switch {
	case panicked:
		return fmt.Sprintf("its interp.Func panics where %s is poison (%v): %s", which, thrown, read)
	case err != nil:
		return ""
	}
	types := o.G.Ctx.Results(o.G.Type(o.V))
	for i, v := range out {
		if v.IsPoison() || slices.Contains(show(o.G.Ctx, v, types[i]), "poison") || !isNumber(o.G.Ctx, types[i]) {
			return "" // what is no number may hold poison
		}
	}
	switch strict := o.Def.Has(ir.Partial) || len(o.Regions) > 0; {
	case strict:
		return fmt.Sprintf("%s is poison, and its interp.Func goes on: an op that is Partial or has regions traps then. For a condition, bound or index %s; "+
			"of what is only stored or carried the op says that it is Harmless", which, read)
	case len(out) > 0:
		return fmt.Sprintf("%s is poison, and its interp.Func gives %v: it is to give ir.Val{Ref: ir.Poison}, or the op has the trait Freezes", which,
			show(o.G.Ctx, out[0], types[0]))
	}
	return "" // what it prints or hands on
}

// isNumber reports the type of a number, or of a vector of them.
func isNumber(c *ir.Context, t ir.Type) bool {
	switch c.Info(t).Kind {
	case ir.KindInteger, ir.KindIndex, ir.KindFloat, ir.KindVector:
		return true
	}
	return false
}
