package cli

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/explain"
)

// explainProgram says where each op stands and why, and what became of the others; of a
// model, with neither passes nor -v, what statisticians want to know.
func explainProgram(s *session) error {
	src, kind, err := s.input()
	if err != nil {
		return err
	}
	if s.flag("deps") {
		if k := s.emitKind(); k != s.prog.Emits[0] && k.Draw == nil {
			return s.noReport()
		}
		return s.dependences(src, kind)
	}
	p, err := s.pipeline(src)
	if err != nil {
		return err
	}
	if s.flag("loops") {
		if s.emitKind() != s.prog.Emits[0] {
			return s.noReport()
		}
		return s.loops(src, kind, p)
	}
	for _, name := range []string{"target", "threads"} {
		if s.given(name) {
			return usagef("add -loops, or leave it out", "-%s is about the bounds of loops, and they are explained with -loops", name)
		}
	}
	drawn := false
	p.Each(func(info *pass.Info, _ pass.Pass) { drawn = drawn || slices.Contains(drawing, info) })
	if k := s.emitKind(); k != s.prog.Emits[0] && !(k.Pages && drawn) {
		return s.noReport()
	}
	return s.explainPasses(src, kind, p)
}

// explainPasses says what is known of a program, and what passes said of it.
func (s *session) explainPasses(src *diag.Source, kind *Input, p *pass.Pipeline) error {
	s.dumpPipeline(p)
	ctx := s.newContext()
	out := explain.New(ctx, src)
	g, list, err := s.explainable(ctx, out, src, kind)
	if err != nil {
		return err
	}
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return errSaid
	}
	m := s.manager()
	m.Print = s.printer(src)
	m.Remark = out.Remark
	m.Line = lines(src)
	pictures := &pictures{}
	m.Show = pictures.add
	if m.Target, err = s.passTarget(p); err != nil {
		return err
	}
	if g, err = m.Run(s.ctx, g, p); err != nil {
		s.keepFailure(err)
		return s.placed(ctx, src, err)
	}
	if s.emitKind() != s.prog.Emits[0] {
		return s.drawShown(src.Name, pictures)
	}
	out.Place(ir.Settle(g), len(p.Steps) > 0)
	out.Kernels = s.kernels(g)
	if s.flag("json") {
		return s.writeJSON(out)
	}
	if out.Model != nil && !s.flag("v") && len(p.Steps) == 0 {
		return s.write([]byte(out.Model.Text()))
	}
	return s.write([]byte(out.Text()))
}

// lines tells the line of a place in a source.
func lines(src *diag.Source) func(at ir.Loc) int {
	return func(at ir.Loc) int {
		line, _ := src.Position(int(at) - 1)
		return line
	}
}

// noReport refuses a form in which nothing is explained.
func (s *session) noReport() error {
	return usagef("`irc -emit="+s.emitKind().Name+"` writes the program itself", "`irc explain` writes a report; with -deps also %s, and with -passes=%s or %s %s",
		s.prog.emitFlags("and", draws), drawing[0].Name, drawing[1].Name, s.prog.emitFlags("and", pages))
}

// explainable reads the source and notes what is written in it.
func (s *session) explainable(ctx *ir.Context, out *explain.Report, src *diag.Source, kind *Input) (*ir.Graph, diag.List, error) {
	if kind.Model != nil {
		m, err := s.model(ctx, src, kind)
		if err != nil {
			return nil, nil, err
		}
		out.Order = m.Facts().Order
		out.Model = m.Report()
		if s.flag("v") || s.flag("json") || s.str("passes") != "" {
			if out.Model.Hoisted, err = s.hoisted(m.Graph(), out.Model); err != nil {
				return nil, nil, err
			}
		}
		g, err := s.start(m)
		if err == nil {
			err = s.showStages(src)
		}
		return g, m.Warnings(), err
	}
	g, list := s.readGraph(ctx, src, kind)
	if g != nil && kind.Text {
		if raw, _ := s.asWrittenText(s.newContext(), src); raw != nil {
			out.Written(raw)
		}
	}
	return g, list, nil
}

// hoisted lowers the log density of a model for what it computes outside of loops.
func (s *session) hoisted(g *ir.Graph, model *explain.Model) ([]explain.Hoist, error) {
	p, err := s.completed(&pass.Pipeline{}, target.Interp(), 0)
	if err != nil {
		return nil, err
	}
	m := s.manager()
	m.Print = func(*ir.Graph, bool) string { return "" }
	if g, err = m.Run(s.ctx, g, p); err != nil {
		return nil, err
	}
	return explain.Hoisted(g, model.Statements), nil
}
