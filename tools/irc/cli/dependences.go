package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/tools/irc/plate"
)

// dependences writes the table of `irc explain -deps`. A program is read as it is
// written, unless passes are to run first; a model as its statements are ordered.
func (s *session) dependences(src *diag.Source, kind string) error {
	g, err := s.dependenceInput(src, kind)
	if err != nil {
		return err
	}
	list, err := dependence.AnalyzeAll(g, sourceNames(src))
	if err != nil {
		return err
	}
	if s.flag("json") {
		return s.writeJSON(dependenceJSON(list))
	}
	switch s.str("emit") {
	case "dot":
		return s.write([]byte(plate.DOT(dependenceGraph(src.Name, list))))
	case "svg":
		return s.write([]byte(plate.SVG(dependenceGraph(src.Name, list))))
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
func (s *session) dependenceInput(src *diag.Source, kind string) (*ir.Graph, error) {
	ctx := s.newContext()
	p, err := s.pipeline(src)
	if err != nil {
		return nil, err
	}
	var g *ir.Graph
	var list diag.List
	if kind != kindBUGS && len(p.Steps) == 0 {
		g, list = text.Parse(ctx, src, text.Options{Verbatim: true, AllowUnregistered: s.flag("allow-unregistered-dialect")})
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

type dependencesOf struct {
	Function   string           `json:"function"`
	Statements []dependence.Row `json:"statements"` // dummies last
	Problems   []problemJSON    `json:"problems"`
}

type problemJSON struct {
	Severity string `json:"severity"`
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text"`
	Fix      string `json:"fix,omitempty"`
}

func dependenceJSON(list []*dependence.Result) []dependencesOf {
	out := []dependencesOf{}
	for _, r := range list {
		d := dependencesOf{Function: r.Program.Name, Statements: r.Rows(), Problems: []problemJSON{}}
		for _, p := range r.Problems {
			x := problemJSON{Severity: p.Severity.String(), Text: p.Message, Fix: p.Fix}
			if src := p.Span.Source; src != nil {
				x.Line, _ = src.Position(p.Span.Start)
			}
			d.Problems = append(d.Problems, x)
		}
		out = append(out, d)
	}
	return out
}

var (
	ssaName  = regexp.MustCompile(`%([A-Za-z_$.][\w$.-]*)`)
	argName  = regexp.MustCompile(`%([\w$.-]+)\s*:`)
	bugsLoop = regexp.MustCompile(`^for\s*\(\s*([A-Za-z][\w.]*)\s+in\b`)
)

// sourceNames calls values as the source does.
func sourceNames(src *diag.Source) dependence.Options {
	p := &program{src: src}
	return dependence.Options{Source: src,
		Name: func(g *ir.Graph, v ir.Value) string {
			if r, i, ok := g.Param(v); ok && r != ir.Root {
				return indexName(g, src, g.Owner(r), i)
			}
			if at, ok := offset(g, v); ok {
				if m := ssaName.FindStringSubmatch(p.result(at)); m != nil {
					return m[1]
				}
			}
			return ""
		},
		Params: func(g *ir.Graph, op ir.Value) (out []string) {
			at, ok := offset(g, op)
			if !ok {
				return nil
			}
			head, _, _ := strings.Cut(src.Text[at:], "{\n")
			for _, m := range argName.FindAllStringSubmatch(head, -1) {
				out = append(out, m[1])
			}
			return out
		}}
}

// indexName is how the source calls index i of a loop.
func indexName(g *ir.Graph, src *diag.Source, loop ir.Value, i int) string {
	at, ok := offset(g, loop)
	if !ok {
		return ""
	}
	line, _, _ := strings.Cut(src.Text[at:], "\n")
	if m := bugsLoop.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := ssaName.FindAllStringSubmatch(line, i+1); len(m) > i {
		return m[i][1]
	}
	return ""
}
