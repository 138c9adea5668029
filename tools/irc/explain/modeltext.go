package explain

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// Text is the report of a model for statisticians: what there is, and in which order it is
// computed.
func (r *Model) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s, %s\n", r.Name, count(r.Parameters, "parameter"), count(r.Observed, "observation"))
	r.roles(&b)
	b.WriteString("\norder of the statements\n")
	for i, st := range r.Order {
		fmt.Fprintf(&b, "  %3d  %s\n", i+1, st)
	}
	if len(r.Decisions) > 0 {
		b.WriteString("\nwhy\n")
	}
	for _, d := range r.Decisions {
		wrapped(&b, fmt.Sprintf("  %-8s  ", d.Change), d.Text, " ")
	}
	return b.String()
}

// Compiled is what a compiler sees of it: the distances between iterations, and what the
// compiled density computes less often than it is written.
func (r *Model) Compiled() string {
	var b strings.Builder
	r.loops(&b)
	r.unrelated(&b)
	r.hoists(&b)
	return b.String()
}

// roles are a line for each role, with the variables and their extents.
func (r *Model) roles(b *strings.Builder) {
	b.WriteString("\nroles\n")
	for _, role := range r.Roles {
		names := lists.Map(role.Variables, func(v Variable) string { return v.text() })
		wrapped(b, fmt.Sprintf("  %-21s  ", role.Role), strings.Join(names, ", "), ", ")
	}
}

func (v *Variable) text() string {
	out := v.Name
	if len(v.Dims) > 0 {
		dims := lists.Map(v.Dims, func(n int) string { return fmt.Sprint(n) })
		out += "[" + strings.Join(dims, ",") + "]"
	}
	if v.Elements < v.Of {
		out += fmt.Sprintf(" (%d of %d)", v.Elements, v.Of)
	}
	return out
}

// textWidth is where lists are broken.
const textWidth = 100

// wrapped writes words behind a head, below each other where they are too long. They
// are separated by sep, the last letter of which is a space.
func wrapped(b *strings.Builder, head, words, sep string) {
	b.WriteString(head)
	at, indent := len([]rune(head)), len([]rune(head))
	for i, w := range strings.Split(words, sep) {
		if i > 0 {
			b.WriteString(strings.TrimSuffix(sep, " "))
			if at+len([]rune(w)) > textWidth {
				b.WriteString("\n" + strings.Repeat(" ", indent))
				at = indent
			} else {
				b.WriteString(" ")
			}
		}
		b.WriteString(w)
		at += len([]rune(w)) + len(sep)
	}
	b.WriteString("\n")
}

// loops shows the dependences in each loop.
func (r *Model) loops(b *strings.Builder) {
	if len(r.Loops) > 0 {
		b.WriteString("\nloops and the distances in them (reader minus writer)\n")
	}
	for _, l := range r.Loops {
		fmt.Fprintf(b, "  line %d: for %s: %s\n", l.Line, l.Loop, l.Carries)
		width := 0
		for _, d := range l.Dependences {
			width = max(width, len([]rune(d.text())))
		}
		for _, d := range l.Dependences {
			fmt.Fprintf(b, "      %-*s  %-8s  %s\n", width, d.text(), d.Distance, strings.Join(d.Vectors, " "))
		}
	}
}

func (d *Dependence) text() string {
	return fmt.Sprintf("%s (line %d) reads %s (line %d)", d.Reader, d.ReaderLine, d.Writer, d.WriterLine)
}

// unrelated lists, by reader, what statements read of others with which they share
// no loop.
func (r *Model) unrelated(b *strings.Builder) {
	if len(r.Unrelated) == 0 {
		return
	}
	b.WriteString("\nwithout a common loop (the distance is unknown)\n")
	for i := 0; i < len(r.Unrelated); {
		d := r.Unrelated[i]
		var names []string
		for ; i < len(r.Unrelated) && r.Unrelated[i].ReaderLine == d.ReaderLine && r.Unrelated[i].Reader == d.Reader; i++ {
			names = append(names, fmt.Sprintf("%s (line %d)", r.Unrelated[i].Writer, r.Unrelated[i].WriterLine))
		}
		wrapped(b, fmt.Sprintf("  %s (line %d) reads ", d.Reader, d.ReaderLine), strings.Join(names, ", "), ", ")
	}
}

// hoists shows which functions and quotients are computed less often than their
// statement runs; how much else there is depends on the lowering and is in the JSON.
func (r *Model) hoists(b *strings.Builder) {
	last, head := 0, "\nhoisted out of loops in the compiled density\n"
	for _, h := range r.Hoisted {
		if len(h.What) == 0 {
			continue
		}
		b.WriteString(head)
		head = ""
		if h.Line != last {
			fmt.Fprintf(b, "  line %d: %s\n", h.Line, clipped(h.Text))
			last = h.Line
		}
		wrapped(b, "      "+h.When+": ", strings.Join(h.What, ", "), ", ")
	}
}

func count(n int, what string) string {
	if n == 1 {
		return fmt.Sprint(n, " ", what)
	}
	return fmt.Sprint(n, " ", what, "s")
}
