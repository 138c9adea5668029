package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/irc-lang/irc/ir/diag"
)

// help shows the help of irc or of a command.
func help(s *Session) error {
	if len(s.Files) == 0 {
		return writeHelp(s.Stdout, s.Program.driver(), s.Program)
	}
	c := s.Program.findCommand(s.Files[0])
	if c != nil && c.absent {
		return c.start(s)
	}
	if c == nil {
		near := diag.Nearest(s.Files[0], s.Program.commandNames())
		if near != "" {
			near = "did you mean `irc help " + near + "`?"
		}
		return Usagef(near, "there is no command %q", s.Files[0])
	}
	return writeHelp(s.Stdout, c, s.Program)
}

// writeHelp writes the help of a command; that of the driver is also the one of
// irc as a whole.
func writeHelp(out io.Writer, c *Command, prog *Program) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n%s\n", c.synopsis(), sentence(c.Usage))
	if c.Long != "" {
		fmt.Fprintf(&b, "%s\n", c.Long)
	}
	if c.Details != nil {
		fmt.Fprintf(&b, "%s\n", c.Details())
	}
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	if c.isDriver() {
		fmt.Fprint(w, "\nCommands:\n")
		for _, x := range prog.present() {
			fmt.Fprintf(w, "  irc %s\t%s\n", strings.TrimSpace(x.title()+x.Args), x.Usage)
		}
		w.Flush()
	}
	rows := c.flagRows(prog.flags)
	if len(rows) > 0 {
		fmt.Fprint(w, "\nOptions:\n")
	}
	for _, r := range rows {
		fmt.Fprintf(w, "  %s\t%s\n", r[0], r[1])
	}
	w.Flush()
	if examples := prog.examples(c); len(examples) > 0 {
		fmt.Fprintf(&b, "\nExamples:\n  %s\n", strings.Join(examples, "\n  "))
	}
	if c.isDriver() {
		b.WriteString("\nFlags take one dash or two and stand anywhere; -- ends them. `irc help COMMAND` says more.\n" +
			"Exit status: 0 done; 1 the input is wrong; 2 the command line is wrong; 3 a bug of irc (a reproducer is written);\n" +
			"128 and its number: ended by a signal. Nothing unfinished is left behind.\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func sentence(s string) string { return strings.ToUpper(s[:1]) + s[1:] + "." }

// flagRows lists the flags of a command in the order of their names.
func (c *Command) flagRows(table flagTable) (rows [][2]string) {
	for i := range table {
		f := &table[i]
		if !strings.Contains(f.for_, c.Letter) {
			continue
		}
		name := "-" + f.name
		switch {
		case f.bare != "":
			name += "[=" + f.arg + "]"
		case f.kind != boolean:
			name += "=" + f.arg
		}
		doc := f.doc
		if len(f.choices) > 0 {
			doc += ": " + f.choiceList()
		}
		if f.def != "" {
			doc += " (default " + f.def + ")"
		}
		if f.kind == list {
			doc += "; may be given several times"
		}
		if len(f.aliases) > 0 {
			doc += "; also -" + strings.Join(f.aliases, ", -")
		}
		rows = append(rows, [2]string{name, doc})
	}
	slices.SortFunc(rows, func(a, b [2]string) int { return strings.Compare(strings.ToLower(a[0]), strings.ToLower(b[0])) })
	return rows
}
