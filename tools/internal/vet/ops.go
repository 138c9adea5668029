package vet

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
)

// opChecks look at one op of a dialect.
var opChecks = []check{
	{"The name of an op is that of its dialect, a dot, and a name of its own.", (*finder).prefix},
	{"Operands and attributes have names, each its own.", (*finder).parts},
	{"An op has an Infer.", (*finder).infer},
	{"Traits and hooks do not contradict each other.", (*finder).traits},
	{"Infer answers whatever operands a text may hold, and gives a type.", (*finder).answers},
}

func (f *finder) prefix() {
	if _, is := own(f.d, f.op.Name); is {
		return
	}
	last := f.op.Name[strings.LastIndexByte(f.op.Name, '.')+1:]
	if last == "" {
		last = "NAME"
	}
	f.wrong(f.hook(f.op), "its name does not begin with %q: no text could name it", f.d.Name+".").WithFix("call it %q", f.d.Name+"."+last)
}

func (f *finder) parts() {
	names := map[string]string{}
	before := len(f.found)
	see := func(what, name string) {
		switch {
		case len(f.found) > before: // the others are mostly alike
		case name == "" || strings.ContainsAny(name, " \t%$#@!:,`.\""):
			f.wrong(f.hook(f.op), "%s %q has no name that a format or an attribute can have", what, name).WithFix("name it by one word; an operand may end in ... or ?")
		case names[name] != "":
			f.wrong(f.hook(f.op), "%s %q has the name of an %s", what, name, names[name]).WithFix("give each a name of its own")
		}
		names[name] = what
	}
	for _, a := range f.op.Args {
		see("operand", strings.TrimSuffix(strings.TrimSuffix(a, "..."), "?"))
	}
	for _, a := range f.op.Attrs {
		see("attribute", a)
	}
}

func (f *finder) infer() {
	if f.op.Infer == nil {
		f.wrong(f.hook(f.op), "it has no Infer: any operands and any type are taken for right").WithFix("check in Infer what the op takes, and return the type of its result, or ir.Void")
	}
}

// A conflict is two things that an op cannot be at once.
type conflict struct {
	has       func(op *ir.OpDef) bool
	what, fix string
}

func trait(t ir.Trait) func(*ir.OpDef) bool { return func(op *ir.OpDef) bool { return op.Has(t) } }

func both(x, y func(*ir.OpDef) bool) func(*ir.OpDef) bool {
	return func(op *ir.OpDef) bool { return x(op) && y(op) }
}

func evals(op *ir.OpDef) bool { return op.Eval != nil }

func regions(op *ir.OpDef) bool { return len(op.Bodies) > 0 }

// takes reports an op that may have so many operands.
func takes(op *ir.OpDef, n int) bool {
	return len(op.Args) >= n || slices.ContainsFunc(op.Args, func(a string) bool { return strings.HasSuffix(a, "...") })
}

func attribute(op *ir.OpDef, name string) bool { return slices.Contains(op.Attrs, name) }

var conflicts = []conflict{
	{func(op *ir.OpDef) bool { return op.Has(ir.Commutative) && !takes(op, 2) }, "it is Commutative, and has no two operands to exchange", "leave the trait out, or name its operands in Args"},
	{func(op *ir.OpDef) bool { return op.Has(ir.ReturnLike) && !op.Has(ir.Terminator) }, "it is ReturnLike, and no Terminator", "add ir.Terminator"},
	{func(op *ir.OpDef) bool { return op.Has(ir.ConstantLike) && !attribute(op, "value") }, "it is ConstantLike, and has no attribute \"value\"", "add \"value\" to Attrs"},
	{func(op *ir.OpDef) bool { return op.Has(ir.ConstantLike) && len(op.Args) > 0 }, "it is ConstantLike, and has operands", "leave out one of them"},
	{both(trait(ir.ConstantLike), evals), "it is ConstantLike, and has an Eval: its value is its attribute", "leave Eval out"},
	{func(op *ir.OpDef) bool { return op.Has(ir.Symbol) && !attribute(op, "sym_name") }, "it is a Symbol, and has no attribute \"sym_name\"", "add \"sym_name\" to Attrs"},
	{func(op *ir.OpDef) bool { return op.Has(ir.View) && !takes(op, 1) }, "it is a View, and has no operand to be one of", "name the memory first in Args"},
	{both(trait(ir.View), trait(ir.Unique)), "it is a View and Unique: its memory is its operand's, and its own", "leave out one of them"},
	{both(trait(ir.Unique), evals), "it is Unique, and has an Eval: what is computed of constants is shared", "leave out one of them"},
	{both(trait(ir.Terminator), evals), "it is a Terminator, and has an Eval, which nobody asks", "leave Eval out"},
	{both(trait(ir.TextOnly), evals), "it is TextOnly, and has an Eval", "leave out one of them"},
	{both(regions, evals), "it has regions, and an Eval, which cannot run them", "run it by a row of interp.Table"},
	{func(op *ir.OpDef) bool { return op.Has(ir.Clean) && op.Poisons != nil }, "it is Clean, and has a Poisons, which says when it is not", "leave out one of them"},
	{func(op *ir.OpDef) bool { return op.Traps != nil && !op.Has(ir.Partial) }, "it has a Traps, and is not Partial: the Traps is not asked", "add ir.Partial"},
	{func(op *ir.OpDef) bool { return op.Overwrites != nil && op.Effects == nil }, "it has an Overwrites, and no Effects: it writes nothing", "say in Effects what it writes"},
	{func(op *ir.OpDef) bool { return op.Has(ir.SingleRegion) && len(op.Bodies) > 1 }, "it is SingleRegion, and has several Bodies", "leave out the trait"},
	{func(op *ir.OpDef) bool { return op.Kind != nil && len(op.Bodies) > 0 }, "it has a Kind and Bodies, which say the same of its regions", "leave Bodies out"},
	{both(trait(ir.Carries), trait(ir.EachPart)), "it is Carries and EachPart: it hands values on, and works on their parts", "leave out one of them"},
}

func (f *finder) traits() {
	for _, c := range conflicts {
		if c.has(f.op) {
			f.wrong(f.hook(f.op), "%s", c.what).WithFix("%s", c.fix)
		}
	}
	if f.op.Eval != nil && ir.Table[interp.Table](f.d)[f.op] != nil {
		f.wrong(f.op.Eval, "it has an Eval and a row of interp.Table, which is not asked").WithFix("leave out one of them")
	}
}

// structural reports an op that is structure, or text: nobody computes it by itself.
func structural(op *ir.OpDef) bool {
	const any = ir.TextOnly | ir.Terminator | ir.ConstantLike | ir.Isolated | ir.Symbol
	return op.Traits&any != 0
}

// interpreted looks for ops that no interpreter runs.
func (f *finder) interpreted() {
	table := ir.Table[interp.Table](f.d)
	f.warnOf(func(op *ir.OpDef) bool { return op.Eval == nil && table[op] == nil && !structural(op) },
		"nothing interprets %s: there is neither an Eval nor a row of interp.Table",
		"give it an Eval, which also folds constants and is what the lowering is compared with; an op with regions or effects has a row of interp.Table, and one that ends a region the trait Terminator")
}

// compiled looks for ops that no target is given.
func (f *finder) compiled() {
	if f.Compiles == nil {
		return
	}
	elsewhere := ir.Table[lower.Elsewhere](f.d)
	if elsewhere == nil {
		elsewhere = func(*ir.OpDef) string { return "" }
	}
	f.warnOf(func(op *ir.OpDef) bool {
		handled := structural(op) || f.known.lowered[op] || op.Has(ir.EachPart) || op.Has(ir.Carries) || elsewhere(op) != ""
		return !handled && !f.Compiles(f.d, op) && !f.joins()[op]
	}, "nothing compiles %s: no rule lowers it, and no target takes it",
		"give lower.Table a rule for it, or say in lower.Elsewhere what takes it away; until then programs with it are interpreted")
}

// warnOf warns once of all ops of the dialect of which something holds.
func (f *finder) warnOf(holds func(op *ir.OpDef) bool, format, fix string) {
	var names []string
	var first *ir.OpDef
	for _, op := range f.d.Ops {
		if op == nil || !holds(op) {
			continue
		}
		if first == nil {
			first = op
		}
		if names = append(names, op.Name); len(names) > diag.MaxNames {
			names[diag.MaxNames] = "and others"
			break
		}
	}
	if first != nil {
		f.warn(f.hook(first), format, strings.Join(names, ", ")).WithFix("%s", fix)
	}
}
