package commands

import (
	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/derived"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Derive adds the gradient of a function to a program, which it takes down to loops unless it is of tensors or equations.
func Derive(s *cli.Session, g *ir.Graph, src *diag.Source, entry string) (*cli.Derived, error) {
	if x := differentiate.InterfaceOf(g, entry, false); x != nil {
		return nil, diag.Errorf(diag.Span{}, "the program has @%s, which is the name of what -gradient runs", x.Name).WithFix("rename it; or run it, with -entry=%s and without -gradient", x.Name)
	}
	out, err := withGradient(s, g, src, entry)
	if err != nil {
		return nil, err
	}
	x := differentiate.InterfaceOf(out, entry, false)
	inMemory := func(t ir.Type) ir.Type {
		if tensor.Takes(out.Ctx, t) {
			return tensor.MemoryOf(out.Ctx, t)
		}
		return t
	}
	return &cli.Derived{Graph: out, Entry: x.Name, In: lists.Map(x.In, inMemory), Out: lists.Map(x.Out, inMemory), Seeds: x.Seeds, Shadows: x.Moving, Adjoints: x.Gives}, nil
}

// withGradient is the program with the gradient. That of equations is equations, unless a pass has given them an order.
func withGradient(s *cli.Session, g *ir.Graph, src *diag.Source, entry string) (*ir.Graph, error) {
	if len(systemsOf(g)) > 0 {
		if out, err := through(s, g, src, derived.Equations(entry)); err == nil {
			return out, nil
		}
	}
	var err error
	for _, text := range derived.Pipelines(g, entry, false) {
		var out *ir.Graph
		if out, err = through(s, g, src, text); err == nil {
			return out, nil
		}
	}
	return nil, err
}

// through runs a pipeline for no target: the vectors of one have no derivatives.
func through(s *cli.Session, g *ir.Graph, src *diag.Source, text string) (*ir.Graph, error) {
	p, err := pass.Parse(text, s.Program.Passes)
	if err != nil {
		return nil, err
	}
	return s.Lowered(g, src, p, target.Interp())
}
