package commands

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering/derived"
	"github.com/irc-lang/irc/passes/differentiate"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// Derive adds the gradient of a function to a program, which it takes down to loops. These are for no target: the vectors of
// one have no derivatives.
func Derive(s *cli.Session, g *ir.Graph, src *diag.Source, entry string) (*cli.Derived, error) {
	if x := differentiate.InterfaceOf(g, entry, false); x != nil {
		return nil, diag.Errorf(diag.Span{}, "the program has @%s, which is the name of what -gradient runs", x.Name).WithFix("rename it; or run it, with -entry=%s and without -gradient", x.Name)
	}
	p, err := pass.Parse(derived.Pipeline(entry, false), s.Program.Passes)
	if err != nil {
		return nil, err
	}
	if g, err = s.Lowered(g, src, p, target.Interp()); err != nil {
		return nil, err
	}
	x := differentiate.InterfaceOf(g, entry, false)
	return &cli.Derived{Graph: g, Entry: x.Name, In: x.In, Out: x.Out, Seeds: x.Seeds, Shadows: x.Moving, Adjoints: x.Gives}, nil
}
