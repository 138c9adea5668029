package explain

import (
	"regexp"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/dependence"
)

// Dependences are the dependences of a function, as -json shows them.
type Dependences struct {
	Function   string           `json:"function"`
	Statements []dependence.Row `json:"statements"` // dummies last
	Problems   []Problem        `json:"problems"`
}

// A Problem is what the analysis warns of.
type Problem struct {
	Severity string `json:"severity"`
	Line     int    `json:"line,omitempty"`
	Text     string `json:"text"`
	Fix      string `json:"fix,omitempty"`
}

// Table is the analysis of each function for -json.
func Table(list []*dependence.Result) []Dependences {
	out := []Dependences{}
	for _, r := range list {
		d := Dependences{Function: r.Program.Name, Statements: r.Rows(), Problems: []Problem{}}
		for _, p := range r.Problems {
			x := Problem{Severity: p.Severity.String(), Text: p.Message, Fix: p.Fix}
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
	ssaName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%([A-Za-z_$.][\w$.-]*)`) })
	argName  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%([\w$.-]+)\s*:`) })
	bugsLoop = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^for\s*\(\s*([A-Za-z][\w.]*)\s+in\b`) })
)

// SourceNames calls values as the source does.
func SourceNames(src *diag.Source) dependence.Options {
	p := &program{src: src}
	return dependence.Options{Source: src,
		Name: func(g *ir.Graph, v ir.Value) string {
			if r, i, ok := g.Param(v); ok && r != ir.Root {
				return indexName(g, src, g.Owner(r), i)
			}
			if at, ok := offset(g, v); ok {
				if m := ssaName().FindStringSubmatch(p.result(at)); m != nil {
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
			for _, m := range argName().FindAllStringSubmatch(head, -1) {
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
	if m := bugsLoop().FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := ssaName().FindAllStringSubmatch(line, i+1); len(m) > i {
		return m[i][1]
	}
	return ""
}
