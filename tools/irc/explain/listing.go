package explain

import (
	"fmt"
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
	notes := map[int][]Op{}
	var rest []Graph
	for _, f := range e.Functions {
		none := Graph{Name: f.Name}
		for _, o := range f.Ops {
			if o.Line > 0 {
				notes[o.Line] = append(notes[o.Line], o)
			} else {
				none.Ops = append(none.Ops, o)
			}
		}
		if len(none.Ops) > 0 {
			rest = append(rest, none)
		}
	}
	for _, o := range e.Removed {
		notes[o.Line] = append(notes[o.Line], o)
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

// reasons lists what there is to say of the ops of a line, in the order in which
// they stand in it; equal ones are counted.
func reasons(ops []Op) (out []string) {
	slices.SortStableFunc(ops, func(a, b Op) int { return a.Column - b.Column })
	several := false
	for _, o := range ops {
		several = several || o.Column != ops[0].Column
	}
	count := map[string]int{}
	for _, o := range ops {
		why := o.Why
		if why == endsRegion {
			continue
		}
		if several {
			why = o.Op + ": " + why
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
