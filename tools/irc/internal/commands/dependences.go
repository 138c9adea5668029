package commands

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// dependences writes the table of `irc explain -deps`. A program is read as it is
// written, unless passes are to run first; a model as its statements are ordered.
func (s *session) dependences(src *diag.Source, kind *cli.Input) error {
	g, err := s.dependenceInput(src, kind)
	if err != nil {
		return err
	}
	if systems := systemsOf(g); len(systems) > 0 {
		return s.systemDependences(src.Name, systems)
	}
	list, err := dependence.AnalyzeAll(g, explain.SourceNames(src))
	if err != nil {
		return err
	}
	if s.Flag("json") {
		return s.WriteJSON(explain.Table(list))
	}
	if k := s.EmitKind(); k.Draw != nil {
		return s.Write([]byte(k.Draw(explain.DrawDependences(src.Name, list))))
	}
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "@%s\n%s", r.Program.Name, r.Table())
		for _, d := range r.Problems {
			fmt.Fprintln(s.Stderr, d)
		}
	}
	return s.Write([]byte(b.String()))
}

// dependenceInput is the graph to analyse.
func (s *session) dependenceInput(src *diag.Source, kind *cli.Input) (*ir.Graph, error) {
	ctx := s.NewContext()
	p, err := s.Pipeline(src)
	if err != nil {
		return nil, err
	}
	var g *ir.Graph
	var list diag.List
	if kind.Text && len(p.Steps) == 0 {
		g, list = s.AsWrittenText(ctx, src)
	} else {
		g, list = s.Load(ctx, src, kind)
	}
	for _, d := range list {
		fmt.Fprintln(s.Stderr, d)
	}
	if list.Err() != nil {
		return nil, cli.ErrSaid
	}
	m := s.Manager()
	m.Print = func(g *ir.Graph, generic bool) string { t, _ := s.PrintIR(g, src, generic); return t }
	if g, err = m.Run(s.Context, g, p); err != nil {
		return nil, s.Placed(ctx, src, err)
	}
	return g, nil
}
