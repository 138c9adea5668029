package catalog

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

// A Pass is what -json shows of a pass.
type Pass struct {
	Name       string      `json:"name"`
	Aliases    []string    `json:"aliases,omitempty"`
	Doc        string      `json:"doc"`
	Why        string      `json:"why"`
	Options    []Option    `json:"options"`
	Elsewhere  []string    `json:"elsewhere,omitempty"`
	Statistics []Statistic `json:"statistics"`
	Pipeline   string      `json:"pipeline"`
	Example    string      `json:"example"`
	Last       bool        `json:"last,omitempty"` // it ends a pipeline, and runs the program or compiles it
}

// command is what runs the example.
func (p Pass) command() string {
	if p.Last {
		return "irc run"
	}
	return "irc"
}

// An Option is one of a pass.
type Option struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
	Usage   string `json:"-"`
}

// A Statistic is what a pass counts.
type Statistic struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// DescribePass says what there is to say of a pass.
func DescribePass(p *pass.Info) Pass {
	out := Pass{Name: p.Name, Aliases: mliropt.AliasesOf(p.Name), Doc: p.Doc, Why: p.Why, Options: []Option{}, Elsewhere: mliropt.Ignored(p.Name), Statistics: []Statistic{}, Pipeline: p.Pipeline, Example: p.Example, Last: p.End != nil}
	if out.Pipeline == "" {
		out.Pipeline = p.Name
	}
	for _, o := range p.Options() {
		out.Options = append(out.Options, Option{o.Name, o.Type, o.Default, o.Doc, o.Usage()})
	}
	for _, st := range p.Statistics {
		out.Statistics = append(out.Statistics, Statistic{st.Name, st.Doc})
	}
	return out
}

// elsewhere names the options of mlir-opt's pass that are read here and forgotten.
func (p Pass) elsewhere() string {
	if len(p.Elsewhere) == 0 {
		return ""
	}
	return "Read for command lines of mlir-opt, and without meaning here: " + strings.Join(p.Elsewhere, ", ") + "."
}

// Text is a pass for people.
func (p Pass) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", p.Name)
	if len(p.Aliases) > 0 {
		fmt.Fprintf(&b, " (also %s)", strings.Join(p.Aliases, ", "))
	}
	fmt.Fprintf(&b, "\n\n%s\n\nWhere: %s\n", p.Doc, p.Why)
	if len(p.Options) > 0 {
		b.WriteString("\nOptions:\n")
		for _, o := range p.Options {
			fmt.Fprintf(&b, "  %s  %s (default %s)\n", o.Usage, o.Doc, o.Default)
		}
	}
	if e := p.elsewhere(); e != "" {
		b.WriteString("\n" + e + "\n")
	}
	if len(p.Statistics) > 0 {
		b.WriteString("\nStatistics:\n")
		for _, st := range p.Statistics {
			fmt.Fprintf(&b, "  %s  %s\n", st.Name, st.Doc)
		}
	}
	fmt.Fprintf(&b, "\nExample: %s -passes='%s' on\n\n  %s\n", p.command(), p.Pipeline, strings.ReplaceAll(strings.TrimSpace(p.Example), "\n", "\n  "))
	return b.String()
}

// Page is docs/passes.md, with what is to be said of the lowering pipelines.
func Page(list pass.List, ways string) string {
	var b strings.Builder
	b.WriteString("# Passes\n\nFor people who write pipelines. `irc passes -write docs/passes.md` writes this page (`make docs`); a test fails when it is stale.\n\n" +
		"    irc -passes=canonicalize,licm examples/mlir/redundant.mlir\n\n" +
		"A pipeline is `a,b{opt=v opt2=w},repeat(c,d),func(e)`: passes with options, a part that is repeated until nothing changes,\n" +
		"and a part that runs on each function. The passes stand here in the order in which they usually run.\n")
	for _, info := range list {
		p := DescribePass(info)
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n*Where:* %s\n", p.Name, p.Doc, p.Why)
		if len(p.Options) > 0 {
			b.WriteString("\n| option | type | default | meaning |\n|---|---|---|---|\n")
			for _, o := range p.Options {
				fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s |\n", o.Name, cell(o.Type), o.Default, cell(o.Doc))
			}
		}
		if e := p.elsewhere(); e != "" {
			b.WriteString("\n" + e + "\n")
		}
		if len(p.Statistics) > 0 {
			b.WriteString("\n| statistic | meaning |\n|---|---|\n")
			for _, st := range p.Statistics {
				fmt.Fprintf(&b, "| `%s` | %s |\n", st.Name, st.Doc)
			}
		}
		language := "mlir"
		if info.Model {
			language = "bugs"
		}
		fmt.Fprintf(&b, "\n`%s -passes='%s'` on\n\n```%s\n%s```\n", p.command(), p.Pipeline, language, p.Example)
	}
	b.WriteString(ways + mlirOpt())
	return b.String()
}

// mlirOpt is what the passes of mlir-opt are here.
func mlirOpt() string {
	var b strings.Builder
	b.WriteString("\n## Passes of mlir-opt\n\nFor people who know the names of mlir-opt 19. An alias is read, with the options named; so is a pass of which nothing is left to do.\n" +
		"Of the others irc says what stands here, as the table does.\n\n| mlir-opt's | options | is here |\n|---|---|---|\n")
	for _, p := range mliropt.All {
		here := string(p.Is) + " " + code(p.Here)
		if p.Is == mliropt.Nothing {
			here = string(p.Is)
		}
		if p.Note != "" {
			here += ": " + p.Note
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, options(p), cell(here))
	}
	return b.String()
}

// options are those of a pass of mlir-opt, and what they stand for.
func options(p mliropt.Pass) string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(p.Options)) {
		switch to := p.Options[name]; to {
		case name:
			out = append(out, "`"+name+"`")
		case "":
			out = append(out, "`"+name+"` (ignored)")
		default:
			out = append(out, "`"+name+"` is `"+to+"`")
		}
	}
	return strings.Join(out, ", ")
}

// code puts a pipeline between backquotes, unless some of it is.
func code(s string) string {
	if s == "" || strings.Contains(s, "`") {
		return s
	}
	return "`" + s + "`"
}

// Passes is the list of some passes, a line each.
func Passes(list pass.List) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	for _, p := range list {
		first, _, _ := strings.Cut(p.Doc, ". ")
		fmt.Fprintf(w, "%s\t%s\n", p.Name, strings.TrimSuffix(first, ".")+".")
	}
	w.Flush()
	return b.String()
}
