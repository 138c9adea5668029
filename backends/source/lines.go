package source

import (
	"fmt"
	"slices"
	"strings"
)

// A line is one of a function, and what is known of it.
type line struct {
	text     string
	declares string // a variable
	assigns  string // one that is written to as a whole
	alone    string // what stays of a declaration that nobody needs, "" for nothing
}

// Line writes a line.
func (f *Function) Line(format string, args ...any) { f.add(line{text: fmt.Sprintf(format, args...)}) }

func (f *Function) add(l line) {
	indent := strings.Repeat("\t", f.depth)
	if l.text = indent + l.text; l.alone != "" {
		l.alone = indent + l.alone
	}
	f.lines = append(f.lines, l)
}

// Let declares a variable with a value that does nothing but compute.
func (f *Function) Let(v Field, x Expr) { f.add(line{text: f.Lang.Let(v, x), declares: v.Name}) }

// LetCall declares a variable with what a call gives, which takes place in any case.
func (f *Function) LetCall(v Field, x Expr) {
	f.add(line{text: f.Lang.Let(v, x), declares: v.Name, alone: x.Text + f.syntax.End})
}

// Var declares a variable without a value, or an array of n.
func (f *Function) Var(v Field, n int) { f.add(line{text: f.Lang.Var(v, n), declares: v.Name}) }

// compound are the operators that an assignment can have.
var compound = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true, "<<": true, ">>": true}

// Assign writes a value to a variable, or to an element.
func (f *Function) Assign(to string, x Expr) {
	text := fmt.Sprintf("%s = %s%s", to, x.Text, f.syntax.End)
	if x.left == to && compound[x.op] {
		text = fmt.Sprintf("%s %s= %s%s", to, x.op, x.right, f.syntax.End)
	}
	f.add(line{text: text, assigns: to})
}

// Text is what was printed.
func (f *Function) Text() string {
	var b strings.Builder
	for _, l := range f.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// DropUnused takes out the variables that nobody reads. Those that are written to alone get the statement
// that a format makes of their names, which says that this is meant: such a statement may be all of a branch.
func (f *Function) DropUnused(meant string) {
	uses, assigned := map[string]int{}, map[string]int{}
	for _, l := range f.lines {
		words(l.text, func(w string) { uses[w]++ })
		if l.assigns != "" {
			assigned[l.assigns]++
		}
	}
	var kept []line // from the last to the first: a variable is declared before it is read
	for i := len(f.lines) - 1; i >= 0; i-- {
		switch l := f.lines[i]; {
		case l.declares == "" || uses[l.declares] > 1+assigned[l.declares]:
			kept = append(kept, l)
		case uses[l.declares] > 1:
			indent := l.text[:len(l.text)-len(strings.TrimLeft(l.text, "\t"))]
			kept = append(kept, line{text: indent + fmt.Sprintf(meant, l.declares)}, l)
		case l.alone != "":
			kept = append(kept, line{text: l.alone})
		default:
			words(l.text, func(w string) { uses[w]-- })
		}
	}
	slices.Reverse(kept)
	f.lines = kept
}

// words calls do with each identifier of a line.
func words(text string, do func(string)) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		do(w)
	}
}
