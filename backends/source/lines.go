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

// Code are the statements of a function as they are written, and the names of its variables, each of which is new. It knows
// expressions, not nodes: what is to be written several times gets a variable.
type Code struct {
	m      *Module
	syntax *Syntax
	lines  []line
	depth  int            // of braces
	names  map[string]int // how often a name was given
	nest   int            // of loops
}

// Line writes a line.
func (c *Code) Line(format string, args ...any) { c.add(line{text: fmt.Sprintf(format, args...)}) }

func (c *Code) add(l line) {
	indent := strings.Repeat("\t", c.depth)
	if l.text = indent + l.text; l.alone != "" {
		l.alone = indent + l.alone
	}
	c.lines = append(c.lines, l)
}

// Let declares a variable with a value that does nothing but compute.
func (c *Code) Let(v Field, x Expr) { c.add(line{text: c.m.Lang.Let(v, x), declares: v.Name}) }

// LetCall declares a variable with what a call gives, which takes place in any case.
func (c *Code) LetCall(v Field, x Expr) {
	c.add(line{text: c.m.Lang.Let(v, x), declares: v.Name, alone: x.Text + c.syntax.End})
}

// Var declares a variable without a value, or an array of n.
func (c *Code) Var(v Field, n int) { c.add(line{text: c.m.Lang.Var(v, n), declares: v.Name}) }

// compound are the operators that an assignment can have.
var compound = map[string]bool{"+": true, "-": true, "*": true, "/": true, "%": true, "&": true, "|": true, "^": true, "<<": true, ">>": true}

// Assign writes a value to a variable, or to an element.
func (c *Code) Assign(to string, x Expr) {
	text := fmt.Sprintf("%s = %s%s", to, x.Text, c.syntax.End)
	if x.left == to && compound[x.op] {
		text = fmt.Sprintf("%s %s= %s%s", to, x.op, x.right, c.syntax.End)
	}
	c.add(line{text: text, assigns: to})
}

// Text is what was printed.
func (c *Code) Text() string {
	var b strings.Builder
	for _, l := range c.lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// DropUnused takes out the variables that nobody reads. Those that are written to alone get the statement
// that a format makes of their names, which says that this is meant: such a statement may be all of a branch.
func (c *Code) DropUnused(meant string) {
	uses, assigned := map[string]int{}, map[string]int{}
	for _, l := range c.lines {
		words(l.text, func(w string) { uses[w]++ })
		if l.assigns != "" {
			assigned[l.assigns]++
		}
	}
	var kept []line // from the last to the first: a variable is declared before it is read
	for i := len(c.lines) - 1; i >= 0; i-- {
		switch l := c.lines[i]; {
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
	c.lines = kept
}

// words calls do with each identifier of a line.
func words(text string, do func(string)) {
	for _, w := range strings.FieldsFunc(text, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		do(w)
	}
}

// Block is what stands in braces, after a line that opens it.
func (c *Code) Block(do func()) {
	c.depth++
	do()
	c.depth--
}

// Variable is a new name.
func (c *Code) Variable(base string) string {
	for {
		c.names[base]++
		n := fmt.Sprintf("%s%d", base, c.names[base])
		if !c.m.Taken[n] {
			return n
		}
	}
}

func (c *Code) loopName() string {
	base := "i"
	if c.nest < len(loopNames) {
		if base = loopNames[c.nest]; !c.m.Taken[base] {
			return base
		}
	}
	return c.Variable(base)
}

// Hoisted is an expression of a type as one that may be written several times.
func (c *Code) Hoisted(x Expr, typ, base string) Expr {
	if x.Simple() {
		return x
	}
	n := c.Variable(base)
	c.Let(Field{typ, n}, x)
	return Name(n)
}

// Place is an expression of a place in memory as one that has no operator, a variable if need be.
func (c *Code) Place(x Expr) Expr { return c.Hoisted(x, c.syntax.Places, "n") }

// declareOnly writes the declarations of variables without values.
func (c *Code) declareOnly(fields [][]Field) {
	for _, fs := range fields {
		for _, x := range fs {
			c.Var(x, 0)
		}
	}
}

// guarded is a statement under a condition.
func (c *Code) guarded(cond Expr, statement string) {
	g := c.syntax.Guard
	c.Line(g[0], cond.Text)
	c.Block(func() { c.Line("%s", statement) })
	for _, line := range g[1:] {
		c.Line("%s", line)
	}
}
