package catalog

import (
	"fmt"
	"sort"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lower"
	"github.com/irc-lang/irc/ir/lower/plan"
	"github.com/irc-lang/irc/ir/text"
)

// An Op says what works for an op; it is computed from the tables that the
// layers themselves use.
type Op struct {
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
	Clean  []string `json:"cleanups"` // rules that see the users

	Undefined Undefined `json:"undefined"`
}

// A LowerOption is an option of the pass lower that a dialect's rules have.
type LowerOption struct {
	Level   string `json:"level"`
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Default any    `json:"default"`
}

// A Dialect is what -json shows of a dialect.
type Dialect struct {
	Name   string        `json:"name"`
	Doc    string        `json:"doc"`
	Lowers []string      `json:"lowers_to"`
	Choose []LowerOption `json:"lower_options"`
	Types  []Defined     `json:"types"` // and attributes
	Ops    []Op          `json:"ops"`
}

// DescribeDialect says what there is to say of a dialect; compiles tells an op that does, and nil that none does.
func DescribeDialect(d *ir.Dialect, compiles func(*ir.Dialect, *ir.OpDef) bool) Dialect {
	syntax, table := ir.Table[text.Syntax](d), ir.Table[interp.Table](d)
	out := Dialect{Name: d.Name, Doc: d.Doc, Lowers: list0(plan.LevelsOf(ir.Table[lower.Table](d))), Choose: lowerOptions(d), Types: definedOf(d), Ops: []Op{}}
	for _, op := range d.Ops {
		o := Op{Name: op.Name, Doc: op.Doc, Args: list0(op.Args), Attrs: list0(op.Attrs), Parse: "generic", Print: "generic",
			Verify: op.Infer != nil, LLVM: compiles != nil && compiles(d, op), Folds: []string{}, Clean: []string{},
			Undefined: undefinedOf(d, op)}
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
		for _, c := range d.Cleanups {
			if c.Of == op {
				o.Clean = append(o.Clean, c.Rule)
			}
		}
		out.Ops = append(out.Ops, o)
	}
	sort.Slice(out.Ops, func(i, j int) bool { return out.Ops[i].Name < out.Ops[j].Name })
	return out
}

func lowerOptions(d *ir.Dialect) []LowerOption {
	out := []LowerOption{}
	for _, l := range ir.Table[lower.Table](d) {
		for _, o := range l.Options {
			out = append(out, LowerOption{l.Level, o.Name, o.Doc, o.Default()})
		}
	}
	return out
}

func list0(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func tick(yes bool) string {
	if yes {
		return "yes"
	}
	return "-"
}

// Text is a dialect for people: what works of each op.
func (d Dialect) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\n", d.Name, d.Doc)
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintln(w, "op\tparse\tprint\tverify\tinterp\tllvm\t")
	for _, o := range d.Ops {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", o.Name, o.Parse, o.Print, tick(o.Verify), tick(o.Interp), tick(o.LLVM), o.Doc)
	}
	w.Flush()
	b.WriteString("\nEvery op is read and printed in the generic form; \"custom\" says that its own syntax works too.\n")
	for _, t := range d.Types {
		fmt.Fprintf(&b, "  %s  %s\n", strings.Join(append([]string{t.Form}, t.Params...), "  "), t.Doc)
	}
	if len(d.Lowers) > 0 {
		fmt.Fprintf(&b, "Lowers to: %s (irc -passes='lower{to=%s}').\n", strings.Join(d.Lowers, ", "), d.Lowers[0])
	}
	for _, o := range d.Choose {
		fmt.Fprintf(&b, "  lower{to=%s %s=%v}: %s\n", o.Level, o.Name, o.Default, o.Doc)
	}
	return b.String()
}

// Dialects is the list of some dialects, a line each.
func Dialects(all []Dialect) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
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
	w.Flush()
	return b.String()
}
