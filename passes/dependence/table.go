package dependence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// Row is a statement, or the dummy of a clique, as JSON has it.
type Row struct {
	ID          string            `json:"id"`
	Text        string            `json:"text"`
	Line        int               `json:"line,omitempty"`
	Classes     map[string]string `json:"classes"` // by variable
	Declaration []string          `json:"declaration"`
	Ordinary    []string          `json:"ordinary"`
	Requirement []string          `json:"requirement"`
	Trigger     []string          `json:"trigger"`
	Fresh       []string          `json:"fresh"`
	Initializer []string          `json:"initializer"`
	Parameter   []string          `json:"parameter"`
	Offsets     map[string]string `json:"offsets,omitempty"` // by what it depends on
	Output      bool              `json:"output"`
	Uniform     bool              `json:"uniform"`
	Dummy       bool              `json:"dummy"`
}

// on is the list of a kind.
func (r *Row) on(k Kind) *[]string {
	return []*[]string{&r.Declaration, &r.Ordinary, &r.Requirement, &r.Trigger, &r.Fresh, &r.Initializer, &r.Parameter}[k]
}

// Rows lists the statements, then the dummies.
func (r *Result) Rows() []Row {
	out := []Row{}
	for _, i := range r.Infos {
		row := Row{ID: i.ID, Text: i.Text, Classes: map[string]string{}, Output: i.IsOutput, Uniform: i.IsUniform}
		if src := i.At.Source; src != nil {
			row.Line, _ = src.Position(i.At.Start)
		}
		for v, c := range i.Classes {
			row.Classes[v.Name] = c.String()
		}
		for _, k := range Kinds() {
			*row.on(k) = i.On(k)
		}
		for _, d := range i.Dependences {
			if d.Offsets != nil {
				if row.Offsets == nil {
					row.Offsets = map[string]string{}
				}
				row.Offsets[d.Label()] = spellOffsets(d.Offsets)
			}
		}
		out = append(out, row)
	}
	for _, k := range r.Cliques {
		row := Row{ID: k.ID, Text: k.Text, Classes: map[string]string{}, Uniform: k.Uniform, Dummy: true}
		for _, kind := range Kinds() {
			*row.on(kind) = []string{}
		}
		for _, s := range k.Members {
			row.Ordinary = append(row.Ordinary, s.ID)
		}
		out = append(out, row)
	}
	return out
}

// spellOffsets writes a vector with the names of its loops: "(i: -1, j: 0)".
func spellOffsets(os []Offset) string {
	parts := lists.Map(os, func(o Offset) string { return o.Loop.Name + ": " + o.String() })
	return "(" + strings.Join(parts, ", ") + ")"
}

// Table is the result for people: a line a statement, dummies last.
func (r *Result) Table() string {
	head := []string{"", "statement", "class", "declaration", "ordinary", "requirement", "trigger", "fresh", "initializer", "parameter", ""}
	cells := [][]string{head}
	for _, row := range r.Rows() {
		line := []string{row.ID, row.Text, row.class()}
		if row.Dummy {
			line[1], line[2] = `"`+row.Text+`"`, "dummy"
		}
		for _, k := range Kinds() {
			var names []string
			for _, n := range *row.on(k) {
				if off, ok := row.Offsets[n]; ok && k == Ordinary {
					n += off
				}
				names = append(names, n)
			}
			line = append(line, strings.Join(names, " "))
		}
		var flags []string
		for name, set := range map[string]bool{"output": row.Output, "uniform": row.Uniform} {
			if set {
				flags = append(flags, name)
			}
		}
		slices.Sort(flags)
		cells = append(cells, append(line, strings.Join(flags, " ")))
	}
	return align(cells)
}

// class is the class, with the variables where there are several.
func (r *Row) class() string {
	var names []string
	same := ""
	for v, c := range r.Classes {
		names = append(names, v+": "+c)
		if same == "" || same == c {
			same = c
		} else {
			same = "-"
		}
	}
	switch {
	case len(names) == 0:
		return "update"
	case same != "-":
		return same
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// align writes cells in columns; those without any entry below the head are left out.
func align(cells [][]string) string {
	width := make([]int, len(cells[0]))
	for i, line := range cells {
		for k, c := range line {
			if i > 0 && c != "" && width[k] == 0 {
				width[k] = len([]rune(cells[0][k]))
			}
			if i > 0 {
				width[k] = max(width[k], len([]rune(c)))
			}
		}
	}
	var b strings.Builder
	for _, line := range cells {
		var text strings.Builder
		for k, c := range line {
			if width[k] > 0 {
				fmt.Fprintf(&text, "  %-*s", width[k], c)
			}
		}
		b.WriteString(strings.TrimRight(text.String(), " ") + "\n")
	}
	return b.String()
}
