package cli

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/tools/irc/draw"
	"github.com/irc-lang/irc/tools/irc/emit"
	"github.com/irc-lang/irc/tools/irc/explain"
)

// draws reports a form that is a picture.
func draws(k *emit.Kind) bool { return k.Draw != nil }

// dependences writes the table of `irc explain -deps`. A program is read as it is
// written, unless passes are to run first; a model as its statements are ordered.
func (s *session) dependences(src *diag.Source, kind *Input) error {
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
	if s.flag("json") {
		return s.writeJSON(explain.Table(list))
	}
	if k := s.emitKind(); k.Draw != nil {
		return s.write([]byte(k.Draw(draw.Dependences(src.Name, list))))
	}
	var b strings.Builder
	for _, r := range list {
		fmt.Fprintf(&b, "@%s\n%s", r.Program.Name, r.Table())
		for _, d := range r.Problems {
			fmt.Fprintln(s.stderr, d)
		}
	}
	return s.write([]byte(b.String()))
}

// dependenceInput is the graph to analyse.
func (s *session) dependenceInput(src *diag.Source, kind *Input) (*ir.Graph, error) {
	ctx := s.newContext()
	p, err := s.pipeline(src)
	if err != nil {
		return nil, err
	}
	var g *ir.Graph
	var list diag.List
	if kind.Text && len(p.Steps) == 0 {
		g, list = s.asWrittenText(ctx, src)
	} else {
		g, list = s.load(ctx, src, kind)
	}
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return nil, errSaid
	}
	m := s.manager()
	m.Print = func(g *ir.Graph, generic bool) string { t, _ := s.printIR(g, src, generic); return t }
	if g, err = m.Run(s.ctx, g, p); err != nil {
		return nil, s.placed(ctx, src, err)
	}
	return g, nil
}
