package commands

import (
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/explain"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// explainProgram says where each op stands and why, and what became of the others; of a
// model, with neither passes nor -v, what statisticians want to know.
func explainProgram(s *session) error {
	src, kind, err := s.Input()
	if err != nil {
		return err
	}
	if s.Flag("deps") {
		if k := s.EmitKind(); k != s.Program.Emits[0] && k.Draw == nil {
			return s.noReport()
		}
		return s.dependences(src, kind)
	}
	p, err := s.Pipeline(src)
	if err != nil {
		return err
	}
	if s.Flag("loops") {
		if s.EmitKind() != s.Program.Emits[0] {
			return s.noReport()
		}
		return s.loops(src, kind, p)
	}
	for _, name := range []string{"target", "threads"} {
		if s.IsSet(name) {
			return cli.Usagef("add -loops, or leave it out", "-%s is about the bounds of loops, and they are explained with -loops", name)
		}
	}
	drawn := false
	p.Each(func(info *pass.Info, _ pass.Pass) { drawn = drawn || slices.Contains(drawing, info) })
	if k := s.EmitKind(); k != s.Program.Emits[0] && !(k.Pages && drawn) {
		return s.noReport()
	}
	return s.explainPasses(src, kind, p)
}

// explainPasses says what is known of a program, and what passes said of it.
func (s *session) explainPasses(src *diag.Source, kind *cli.Input, p *pass.Pipeline) error {
	s.DumpPipeline(p)
	ctx := s.NewContext()
	out := explain.New(ctx, src)
	g, list, err := s.explainable(ctx, out, src, kind)
	if err != nil {
		return err
	}
	for _, d := range list {
		fmt.Fprintln(s.Stderr, d)
	}
	if list.Err() != nil {
		return cli.ErrSaid
	}
	m := s.Manager()
	m.Print = s.Printer(src)
	m.Remark = out.Remark
	m.Line = cli.Lines(src)
	pictures := &pictures{}
	m.Show = pictures.add
	if m.Target, err = s.PassTarget(p); err != nil {
		return err
	}
	if g, err = m.Run(s.Context, g, p); err != nil {
		s.KeepFailure(err)
		return s.Placed(ctx, src, err)
	}
	if s.EmitKind() != s.Program.Emits[0] {
		return s.drawShown(src.Name, pictures)
	}
	out.Place(ir.Settle(g), len(p.Steps) > 0)
	out.Kernels = s.kernels(g)
	if s.Flag("json") {
		return s.WriteJSON(out)
	}
	if out.Model != nil && !s.Flag("v") && len(p.Steps) == 0 {
		return s.Write([]byte(out.Model.Text()))
	}
	return s.Write([]byte(out.Text()))
}

// noReport refuses a form in which nothing is explained.
func (s *session) noReport() error {
	return cli.Usagef("`irc -emit="+s.EmitKind().Name+"` writes the program itself", "`irc explain` writes a report; with -deps also %s, and with -passes=%s or %s %s",
		cli.EmitFlags(s.Program, "and", cli.Draws), drawing[0].Name, drawing[1].Name, cli.EmitFlags(s.Program, "and", cli.Pages))
}

// A Reporter is a model that says for people what it is and how it is computed.
type Reporter interface{ Report() *explain.Model }

// explainable reads the source and notes what is written in it.
func (s *session) explainable(ctx *ir.Context, out *explain.Report, src *diag.Source, kind *cli.Input) (*ir.Graph, diag.List, error) {
	if kind.Model != nil {
		m, err := s.Model(ctx, src, kind)
		if err != nil {
			return nil, nil, err
		}
		out.Order = m.Facts().Order
		if r, ok := m.(Reporter); ok {
			out.Model = r.Report()
		}
		if out.Model != nil && (s.Flag("v") || s.Flag("json") || s.Str("passes") != "") {
			if out.Model.Hoisted, err = s.hoisted(m.Graph(), out.Model); err != nil {
				return nil, nil, err
			}
		}
		g, err := s.StartModel(m)
		if err == nil {
			err = s.ShowStages(src)
		}
		return g, m.Warnings(), err
	}
	g, list := s.ReadGraph(ctx, src, kind)
	if g != nil && kind.Text {
		if raw, _ := s.AsWrittenText(s.NewContext(), src); raw != nil {
			out.Written(raw)
		}
	}
	return g, list, nil
}

// hoisted lowers the log density of a model for what it computes outside of loops.
func (s *session) hoisted(g *ir.Graph, model *explain.Model) ([]explain.Hoist, error) {
	p, err := s.Completed(&pass.Pipeline{}, target.Interp(), 0)
	if err != nil {
		return nil, err
	}
	m := s.Manager()
	m.Print = func(*ir.Graph, bool) string { return "" }
	if g, err = m.Run(s.Context, g, p); err != nil {
		return nil, err
	}
	return explain.Hoisted(g, model.Statements), nil
}
