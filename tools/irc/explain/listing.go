package explain

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// maxSourceWidth is up to how many columns a listing shows of a source line.
const maxSourceWidth = 64

// Text is the report for people.
func (e *Report) Text() string {
	var b strings.Builder
	if e.Model != nil {
		b.WriteString(e.Model.Text() + e.Model.Compiled() + "\n")
	}
	if e.Model == nil && e.located() {
		e.listing(&b)
	} else {
		e.schedule(&b)
	}
	if len(e.Remarks) > 0 {
		b.WriteString("passes\n")
		for _, r := range e.Remarks {
			fmt.Fprintf(&b, "  %s: %s\n", r.Pass, strings.ReplaceAll(r.Text, "\n", "\n  "))
		}
	}
	if e.Kernels != nil {
		b.WriteString(e.Kernels.Text())
	}
	return b.String()
}

// located reports that an op comes from a line of the source.
func (e *Report) located() bool {
	return len(e.Removed) > 0 || slices.ContainsFunc(e.Functions, func(f Graph) bool {
		return slices.ContainsFunc(f.Ops, func(o Op) bool { return o.Line > 0 })
	})
}

// listing shows the source line by line, with what became of the ops of each; at
// the end those that come from none.
func (e *Report) listing(b *strings.Builder) {
	notes := map[int][]note{}
	var rest []Graph
	for _, f := range e.Functions {
		none := Graph{Name: f.Name, isWritten: f.isWritten}
		for _, o := range f.Ops {
			if o.Line > 0 {
				notes[o.Line] = append(notes[o.Line], note{o, f.Name})
			} else {
				none.Ops = append(none.Ops, o)
			}
		}
		if len(none.Ops) > 0 {
			rest = append(rest, none)
		}
	}
	for _, o := range e.Removed {
		notes[o.Line] = append(notes[o.Line], note{Op: o})
	}
	all := strings.Split(strings.TrimRight(e.src.Text, "\n"), "\n")
	width := 0
	for i, l := range all {
		all[i] = clipped(l)
		if len(notes[i+1]) > 0 {
			width = max(width, len([]rune(all[i])))
		}
	}
	for i, l := range all {
		why := reasons(notes[i+1])
		row := fmt.Sprintf("%4d  %-*s", i+1, width, l)
		for _, w := range why {
			fmt.Fprintf(b, "%s  | %s\n", row, w)
			row = strings.Repeat(" ", 6+width)
		}
		if len(why) == 0 {
			b.WriteString(strings.TrimRight(row, " ") + "\n")
		}
	}
	for _, f := range rest {
		if n := len(f.Ops); !f.isWritten && n > maxMade {
			fmt.Fprintf(b, "made @%s, with %d ops that come from no line: %s\n", f.Name, n, kindsOf(f.Ops))
			continue
		}
		fmt.Fprintf(b, "made in @%s\n", f.Name)
		for _, o := range f.Ops {
			fmt.Fprintf(b, "      %-*s  | %s\n", width, strings.Repeat("  ", o.Depth)+o.Op, o.Why)
		}
	}
}

func clipped(line string) string {
	line = strings.TrimRight(strings.ReplaceAll(line, "\t", "  "), " \r")
	if r := []rune(line); len(r) > maxSourceWidth {
		return string(r[:maxSourceWidth-1]) + "…"
	}
	return line
}

// A note is an op of a line, and the function in which it stands, if it does.
type note struct {
	Op
	function string
}

const (
	maxBecame = 3 // ops of other names of which a listing says where each stands
	maxMade   = 8 // ops of a function that passes made, of which it does
)

// reasons lists what there is to say of the ops of a line, in the order in which
// they stand in it; equal ones are counted, and what has become of one op is if it is much.
func reasons(ops []note) (out []string) {
	slices.SortStableFunc(ops, func(a, b note) int { return a.Column - b.Column })
	type place struct {
		column   int
		function string
	}
	several, became := false, map[place][]Op{}
	for _, o := range ops {
		several = several || o.Column != ops[0].Column
		if at := (place{o.Column, o.function}); o.became {
			became[at] = append(became[at], o.Op)
		}
	}
	count := map[string]int{}
	for _, o := range ops {
		why := o.Why
		if why == endsRegion {
			continue
		}
		at := place{o.Column, o.function}
		switch list := became[at]; {
		case o.became && len(list) > maxBecame:
			why = fmt.Sprintf("became %d ops in @%s: %s", len(list), o.function, kindsOf(list))
			if count[why] > 0 {
				continue
			}
		case several:
			why = o.Op.Op + ": " + why
		}
		if count[why]++; count[why] == 1 {
			out = append(out, why)
		}
	}
	for i, why := range out {
		if n := count[why]; n > 1 {
			out[i] = fmt.Sprintf("%s (%d of them)", why, n)
		}
	}
	return out
}

// kindsOf counts ops by name, the most frequent first.
func kindsOf(ops []Op) string {
	count := map[string]int{}
	for _, o := range ops {
		if o.Why != endsRegion && o.Why != "constant" {
			count[o.Op]++
		}
	}
	names := slices.SortedFunc(maps.Keys(count), func(a, b string) int { return cmp.Or(count[b]-count[a], strings.Compare(a, b)) })
	var out []string
	for i, name := range names {
		if i == 4 && len(names) > 5 {
			out = append(out, "...")
			break
		}
		out = append(out, fmt.Sprintf("%d %s", count[name], name))
	}
	return strings.Join(out, ", ")
}

// schedule shows the ops function by function as they stand, where the source is
// no IR.
func (e *Report) schedule(b *strings.Builder) {
	for _, f := range e.Functions {
		fmt.Fprintf(b, "@%s\n", f.Name)
		for _, o := range f.Ops {
			place := "-"
			if o.Line > 0 {
				place = fmt.Sprintf("%d:%d", o.Line, o.Column)
			}
			fmt.Fprintf(b, "  %7s  %s%-*s  %s\n", place, strings.Repeat("  ", o.Depth), max(1, 28-2*o.Depth), o.Op, o.Why)
		}
	}
}
