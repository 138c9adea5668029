package cli

import (
	"fmt"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// passJSON and the others are what -json prints.
type passJSON struct {
	Name       string       `json:"name"`
	Aliases    []string     `json:"aliases,omitempty"`
	Doc        string       `json:"doc"`
	Why        string       `json:"why"`
	Options    []optionJSON `json:"options"`
	Elsewhere  []string     `json:"elsewhere,omitempty"`
	Statistics []statJSON   `json:"statistics"`
	Pipeline   string       `json:"pipeline"`
	Example    string       `json:"example"`
}

type optionJSON struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Doc     string `json:"doc"`
}

type statJSON struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

func describe(p *pass.Info) passJSON {
	out := passJSON{Name: p.Name, Aliases: p.Aliases, Doc: p.Doc, Why: p.Why, Options: []optionJSON{}, Elsewhere: p.Elsewhere, Statistics: []statJSON{}, Pipeline: p.Pipeline, Example: p.Example}
	if out.Pipeline == "" {
		out.Pipeline = p.Name
	}
	for _, o := range pass.Options(p.New()) {
		out.Options = append(out.Options, optionJSON{o.Name, o.Type, o.Default, o.Doc})
	}
	for _, st := range p.Statistics {
		out.Statistics = append(out.Statistics, statJSON{st.Name, st.Doc})
	}
	return out
}

// elsewhere names the options of mlir-opt's pass that are read here and forgotten.
func (p passJSON) elsewhere() string {
	if len(p.Elsewhere) == 0 {
		return ""
	}
	return "Read for command lines of mlir-opt, and without meaning here: " + strings.Join(p.Elsewhere, ", ") + "."
}

// listPasses shows the passes, or one of them.
func listPasses(s *session) error {
	if path := s.str("write"); path != "" {
		return writeFile(&s.unfinished, path, []byte(passesPage(s.prog.Passes)))
	}
	list := s.prog.Passes
	if len(s.files) == 1 {
		p := list.Find(s.files[0])
		if p == nil {
			near := diag.Nearest(s.files[0], list.Names())
			if near != "" {
				near = "did you mean `irc passes " + near + "`?"
			}
			return usagef(near, "there is no pass %q", s.files[0])
		}
		list = pass.List{p}
	}
	if s.flag("json") {
		out := make([]passJSON, len(list))
		for i, p := range list {
			out[i] = describe(p)
		}
		return s.writeJSON(out)
	}
	if len(s.files) == 1 {
		_, err := fmt.Fprint(s.stdout, passText(describe(list[0])))
		return err
	}
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	for _, p := range list {
		first, _, _ := strings.Cut(p.Doc, ". ")
		fmt.Fprintf(w, "%s\t%s\n", p.Name, strings.TrimSuffix(first, ".")+".")
	}
	return w.Flush()
}

func passText(p passJSON) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s", p.Name)
	if len(p.Aliases) > 0 {
		fmt.Fprintf(&b, " (also %s)", strings.Join(p.Aliases, ", "))
	}
	fmt.Fprintf(&b, "\n\n%s\n\nWhere: %s\n", p.Doc, p.Why)
	if len(p.Options) > 0 {
		b.WriteString("\nOptions:\n")
		for _, o := range p.Options {
			fmt.Fprintf(&b, "  %s=%s  %s (default %s)\n", o.Name, strings.ToUpper(o.Type), o.Doc, o.Default)
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
	fmt.Fprintf(&b, "\nExample: irc -passes='%s' on\n\n  %s\n", p.Pipeline, strings.ReplaceAll(strings.TrimSpace(p.Example), "\n", "\n  "))
	return b.String()
}

// passesPage is docs/passes.md.
func passesPage(list pass.List) string {
	var b strings.Builder
	b.WriteString("# Passes\n\nWritten by `irc passes -write docs/passes.md` (`make docs`); a test fails when it is stale.\n\n" +
		"A pipeline is `a,b{opt=v opt2=w},repeat(c,d),func(e)`: passes with options, a part that is repeated until nothing changes,\n" +
		"and a part that runs on each function. The passes stand here in the order in which they usually run.\n")
	for _, info := range list {
		p := describe(info)
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n*Where:* %s\n", p.Name, p.Doc, p.Why)
		if len(p.Options) > 0 {
			b.WriteString("\n| option | type | default | meaning |\n|---|---|---|---|\n")
			for _, o := range p.Options {
				fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s |\n", o.Name, o.Type, o.Default, strings.ReplaceAll(o.Doc, "|", "\\|"))
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
		fmt.Fprintf(&b, "\n`irc -passes='%s'` on\n\n```%s\n%s```\n", p.Pipeline, language, p.Example)
	}
	return b.String()
}

// opJSON says what works for an op; it is computed from the tables that the
// layers themselves use.
type opJSON struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	Args   []string `json:"args"`
	Attrs  []string `json:"attrs"`
	Parse  string   `json:"parse"` // "custom" or "generic"
	Print  string   `json:"print"`
	Verify bool     `json:"verify"`
	Interp bool     `json:"interp"`
	LLVM   bool     `json:"llvm"`
	Folds  []string `json:"folds"`
}

type dialectJSON struct {
	Name   string   `json:"name"`
	Doc    string   `json:"doc"`
	Lowers []string `json:"lowers_to"`
	Ops    []opJSON `json:"ops"`
}

func describeDialect(d *ir.Dialect) dialectJSON {
	syntax, table := ir.Table[text.Syntax](d), ir.Table[interp.Table](d)
	out := dialectJSON{Name: d.Name, Doc: d.Doc, Lowers: []string{}, Ops: []opJSON{}}
	for level := range ir.Table[ir.Lowerings](d) {
		out.Lowers = append(out.Lowers, level)
	}
	sort.Strings(out.Lowers)
	for _, op := range d.Ops {
		o := opJSON{Name: op.Name, Doc: op.Doc, Args: list0(op.Args), Attrs: list0(op.Attrs), Parse: "generic", Print: "generic",
			Verify: op.Infer != nil, LLVM: compiles(op), Folds: []string{}}
		if form, ok := syntax[op]; ok {
			if form.Format != "" || form.Parse != nil {
				o.Parse = "custom"
			}
			if form.Format != "" || form.Print != nil {
				o.Print = "custom"
			}
		}
		o.Interp = !op.Has(ir.TextOnly) && (op.Eval != nil || table[op] != nil || op.Has(ir.Terminator) || op.Has(ir.ConstantLike) || op.Has(ir.Isolated))
		for _, f := range d.Folds {
			if f.Of == op {
				o.Folds = append(o.Folds, f.Rule)
			}
		}
		out.Ops = append(out.Ops, o)
	}
	sort.Slice(out.Ops, func(i, j int) bool { return out.Ops[i].Name < out.Ops[j].Name })
	return out
}

func list0(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// listDialects shows the dialects, or the ops of one.
func listDialects(s *session) error {
	if path := s.str("write"); path != "" {
		return s.writeReadmes(path)
	}
	list := s.prog.Dialects
	if len(s.files) == 1 {
		var names []string
		list = nil
		for _, d := range s.prog.Dialects {
			names = append(names, d.Name)
			if d.Name == s.files[0] {
				list = []*ir.Dialect{d}
			}
		}
		if list == nil {
			near := diag.Nearest(s.files[0], names)
			if near != "" {
				near = "did you mean `irc dialects " + near + "`?"
			} else {
				near = "there are " + strings.Join(names, ", ")
			}
			return usagef(near, "there is no dialect %q", s.files[0])
		}
	}
	all := make([]dialectJSON, len(list))
	for i, d := range list {
		all[i] = describeDialect(d)
	}
	if s.flag("json") {
		return s.writeJSON(all)
	}
	if len(s.files) == 1 {
		_, err := fmt.Fprint(s.stdout, dialectText(all[0]))
		return err
	}
	w := tabwriter.NewWriter(s.stdout, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "dialect\tops\tcustom syntax\tverify\tinterp\tllvm\t")
	for _, d := range all {
		var n [4]int
		for _, o := range d.Ops {
			for i, yes := range []bool{o.Parse == "custom", o.Verify, o.Interp, o.LLVM} {
				if yes {
					n[i]++
				}
			}
		}
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%s\n", d.Name, len(d.Ops), n[0], n[1], n[2], n[3], d.Doc)
	}
	return w.Flush()
}

func tick(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}

func dialectText(d dialectJSON) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", d.Name, d.Doc)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "op\tparse\tprint\tverify\tinterp\tllvm\t")
	for _, o := range d.Ops {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.Name, o.Parse, o.Print, tick(o.Verify), tick(o.Interp), tick(o.LLVM), o.Doc)
	}
	w.Flush()
	b.WriteString("\nEvery op is read and printed in the generic form; \"custom\" says that its own syntax works too.\n")
	if len(d.Lowers) > 0 {
		fmt.Fprintf(&b, "Lowers to: %s (irc -passes='lower{to=%s}').\n", strings.Join(d.Lowers, ", "), d.Lowers[0])
	}
	return b.String()
}
