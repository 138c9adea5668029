package pass

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass/mliropt"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A Pass is a struct value: its exported fields are its options, and Run makes
// a new graph of an old one. It may be run on several graphs, one after the other.
type Pass interface {
	// Run returns g where nothing changes. An error says what is wrong with the program; a panic is a bug of the pass.
	Run(ctx *Context, g *ir.Graph) (*ir.Graph, error)
}

// A Checker is a Pass that looks at its options before the pipeline runs. The
// error says what is wrong without naming the pass.
type Checker interface {
	// Check returns nil where the options go together.
	Check() error
}

// A contextChecker is a Pass with options that name what dialects have, such as a
// level. Pipeline.Check asks it before anything runs.
type contextChecker interface{ CheckIn(ctx *ir.Context) error }

// An open pass has further options besides its fields, known only when the dialects
// are: those of the rules that it runs. It keeps what it is given, and CheckIn reads it.
type open interface {
	contextChecker
	SetOption(name, value string)
	MoreOptions(f func(name, value string)) // those that were set, in order
}

// Scope says on what graphs a pass makes sense.
type Scope uint8

// The scopes.
const (
	Anywhere Scope = iota // a module or a function: it looks at one graph at a time
	Modules               // it looks at calls and symbols, so not inside func(...)
)

// Info is the row of a pass in a list of passes.
type Info struct {
	Name     string // as pipelines have it: small letters and dashes
	Doc      string // what it does; the first sentence stands in lists
	Why      string // why it stands where it does among the others
	Example  string // input on which it does something
	Pipeline string // for the example; "" stands for the name
	Scope    Scope  // on what graphs it makes sense; the zero value is Anywhere
	// Verbatim says that it may run where nothing folds: it changes no op.
	Verbatim bool
	// Model says that it works on a BUGS model with its data, as it is written; the
	// example is such a model.
	Model      bool
	Statistics []Statistic
	New        func() Pass // with its default options
	// End, in place of New, makes the row one of an end.
	End func() End
}

// An End is what takes the program over where a pipeline ends, as a compiler or an interpreter
// does: a pointer to a struct of options, as a pass is, but the command has the work done, not a manager.
type End interface {
	EndName() string // the name of its row
}

// Options lists the options of the pass or the end, with their defaults; none of a row that Check refuses.
func (p *Info) Options() []Option {
	if p.Check() != nil {
		return nil
	}
	return optionsFor(p.settings())
}

// Check says what is wrong with a row so that the pass cannot be made or given its options: an author's mistake.
func (p *Info) Check() error {
	switch {
	case p.New == nil && p.End == nil:
		return errors.New("its row has no New; write New: func() pass.Pass { return &YourPass{} }")
	case p.New != nil && p.End != nil:
		return errors.New("its row has a New and an End, of which one makes it")
	}
	made := p.settings()
	if made == nil {
		return errors.New("its New gives nil")
	}
	_, err := optionsOf(made)
	return err
}

// settings makes the struct whose fields are the options.
func (p *Info) settings() any {
	if p.End != nil {
		return p.End()
	}
	return p.New()
}

// A Statistic is something that a pass counts.
type Statistic struct {
	// Name is what Context.Count is called with; Doc says what is counted.
	Name, Doc string
}

// Context is what a pass sees of its run. Its context.Context ends when the
// time is up; a pass that may run long looks at it.
type Context struct {
	context.Context
	Out io.Writer // where a pass prints to (standard error of the command)

	target *target.Target // nil is the host
	counts *counts        // nil if nobody asked for statistics
	built  *built         // the same
	pass   string
	row    *Info  // nil where no manager runs the pass
	lost   string // a name under which it counted that the row does not list
	logf   func(format string, args ...any)
	show   func(any)
	line   func(at ir.Loc) int
}

// Where says for a remark or an error where an op is written: "line 7"; "no line" if it is not known.
func (c *Context) Where(g *ir.Graph, v ir.Value) string {
	for _, l := range g.LocsOf(v) {
		switch {
		case l&ir.LocAttr != 0:
			return g.Ctx.LocText(l)
		case c.line != nil:
			return fmt.Sprintf("line %d", c.line(l))
		}
	}
	return "no line"
}

// What is an op for people: "the scf.for at line 8", or "a scf.for" if that is not known.
func (c *Context) What(g *ir.Graph, v ir.Value) string {
	if at := c.Where(g, v); at != "no line" {
		return "the " + g.Def(v).Name + " at " + at
	}
	return "a " + g.Def(v).Name
}

// Line is the line of the source on which an op is written; 0 if it is not known.
func (c *Context) Line(g *ir.Graph, v ir.Value) int {
	for _, l := range g.LocsOf(v) {
		switch {
		case l&ir.LocAttr != 0: // as a reproducer has it: "f.mlir":2:3
			if at := lineOfPlace().FindStringSubmatch(g.Ctx.LocText(l)); at != nil {
				n, _ := strconv.Atoi(at[1])
				return n
			}
		case c.line != nil:
			return c.line(l)
		}
	}
	return 0
}

var lineOfPlace = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`":([0-9]{1,9}):[0-9]`) })

// Target is the machine that the program is compiled for. What decides by a number
// asks it.
func (c *Context) Target() *target.Target {
	if c.target == nil {
		return target.Host()
	}
	return c.target
}

// Count adds n to a statistic of the pass. It must be in the row of the pass.
func (c *Context) Count(name string, n int) {
	if c.row != nil && !c.row.lists(name) {
		c.lost = name
	}
	if c.counts != nil {
		c.counts.add(c.pass, name, n)
	}
}

// Reports says whether somebody sees what Count and Remark are told. What has to be
// worked out for them alone is left undone else: a schedule costs as much as a pass.
func (c *Context) Reports() bool { return c.counts != nil || c.logf != nil || c.show != nil }

// Remark tells people what was done and why; `irc explain` shows it.
func (c *Context) Remark(format string, args ...any) {
	if c.logf != nil {
		c.logf(format, args...)
	}
}

// Show is a remark as data, of which a tool may draw a picture.
func (c *Context) Show(x any) {
	if c.show != nil {
		c.show(x)
	}
}

// A List is a list of passes, in the order in which they usually run.
type List []*Info

// Find returns the pass of a name, its own or one of mlir-opt (package mliropt), or nil.
func (l List) Find(name string) *Info {
	for _, p := range l {
		if p.Name == name {
			return p
		}
	}
	if m := mliropt.Find(name); m.IsAlias() && m.Stands() != name {
		return l.Find(m.Stands())
	}
	return nil
}

// Names lists the names of the passes.
func (l List) Names() []string {
	var out []string
	for _, p := range l {
		out = append(append(out, p.Name), mliropt.AliasesOf(p.Name)...)
	}
	sort.Strings(out)
	return out
}

// Validate reports the first row that is not complete, or whose name another has: an author's mistake. The error names it.
func (l List) Validate() error {
	seen := map[string]bool{}
	for _, p := range l {
		switch {
		case p.Name == "" || p.Doc == "" || p.Why == "" || p.Example == "":
			return fmt.Errorf("pass %q lacks a name, doc, reason or example", p.Name)
		case seen[p.Name]:
			return fmt.Errorf("two passes are called %q", p.Name)
		}
		if err := p.Check(); err != nil {
			return fmt.Errorf("pass %q: %v", p.Name, err)
		}
		seen[p.Name] = true
	}
	return nil
}

// SymbolOf returns the name that an op defines in the module around it, or "": of a func.func that of the function. It reads the
// property sym_name of ops that have the trait ir.Symbol.
func SymbolOf(n ir.Node) string { return symbols.Of(n) }
