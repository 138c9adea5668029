package vet

import (
	"context"
	"errors"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// passChecks look at the row of a pass.
var passChecks = []check{
	{"A pass has a name of its own, which a pipeline can hold.", (*finder).passName},
	{"A row makes its pass, and options of it are exported fields of types that a pipeline can write.", (*finder).row},
	{"A row says what the pass does, why and on what.", (*finder).words},
	{"The example of a pass is read, the pass runs on it and changes it, and counts what its row lists.", (*finder).example},
}

func (f *finder) passName() {
	if !named(f.pass) {
		f.wrong(made(f.pass), "a pipeline cannot hold the name %q", f.pass.Name).WithFix("name it in-small-letters")
	}
	for _, row := range f.Passes {
		if row == f.pass {
			return
		}
		if row.Name == f.pass.Name {
			f.twoPasses()
			return
		}
	}
}

// named reports a name that a pipeline can hold.
func named(row *pass.Info) bool {
	return row.Name != "" && !strings.ContainsAny(row.Name, " \t,(){}='\"")
}

// twoPasses tells a name that a pass before has.
func (f *finder) twoPasses() {
	f.wrong(made(f.pass), "another pass has this name, and runs in its place").WithFix("name it otherwise, with a prefix of your own; the other one: %s", f.Passes.Find(f.pass.Name).Doc)
}

// made is the function that makes a pass or an end.
func made(row *pass.Info) any {
	if row.New != nil {
		return row.New
	}
	return row.End
}

func (f *finder) row() {
	if err := f.pass.Check(); err != nil {
		f.wrong(made(f.pass), "%v", err)
		return
	}
	seen := map[string]bool{}
	for _, s := range f.pass.Statistics {
		if s.Name == "" || seen[s.Name] {
			f.wrong(made(f.pass), "two Statistics are called %q, or have no name", s.Name).WithFix("give each a name: Context.Count is called with it")
		}
		seen[s.Name] = true
	}
	for _, o := range f.pass.Options() {
		if o.Doc == "" {
			f.warn(made(f.pass), "the option %s has no doc", o.Name).WithFix("say in a tag doc:\"...\" of the field what it does")
		}
	}
}

func (f *finder) words() {
	var none []string
	for _, x := range []struct{ name, text string }{{"Doc", f.pass.Doc}, {"Why", f.pass.Why}, {"Example", f.pass.Example}} {
		if x.text == "" {
			none = append(none, x.name)
		}
	}
	if len(none) > 0 {
		f.warn(made(f.pass), "the row has no %s", strings.Join(none, " and no ")).WithFix("`irc passes` and tests show them; an Example is a program on which it does something")
	}
}

// example reads and runs the example of the row.
func (f *finder) example() {
	if f.known.ctx == nil || f.pass.Example == "" || f.pass.Model || !named(f.pass) || f.pass.End != nil || f.pass.Check() != nil {
		return
	}
	f.runExample(ir.NewContext(f.Dialects...))
}

func (f *finder) runExample(c *ir.Context) {
	src := diag.NewSource("example of "+f.pass.Name, f.pass.Example)
	g, list := text.Parse(c, src, text.Options{})
	if len(list) > 0 {
		d := *list[0]
		d.Message = "its Example is not read: " + d.Message
		f.note(&d)
		return
	}
	line := f.pass.Pipeline
	if line == "" {
		line = f.pass.Name
	}
	p, err := pass.Parse(line, f.Passes)
	if err != nil {
		f.wrong(made(f.pass), "its Example does not run by %q: %s", line, said(err)).WithFix("say in Pipeline how the pass is called")
		return
	}
	before, says := text.String(g, text.PrintOptions{Generic: true}), false
	m := &pass.Manager{VerifyEach: true, Out: heard{&says}, Show: func(any) { says = true }}
	after, err := m.Run(context.Background(), g, p)
	var crash *pass.CrashError
	switch {
	case err == nil:
		if !says && !f.pass.Verbatim && text.String(after, text.PrintOptions{Generic: true}) == before {
			f.warn(made(f.pass), "it leaves its Example as it is").WithFix("give one that it changes; folds run on it first, and `irc` on it alone shows what they leave. " +
				"A pass that changes no program says so by Verbatim")
		}
	case errors.As(err, &crash) && !crash.Refused:
		f.wrong(made(f.pass), "on its Example it fails: %s", crash.Reason)
	default:
		f.wrong(made(f.pass), "it refuses its Example: %s", said(err))
	}
}

// heard notes that something is written.
type heard struct{ at *bool }

func (h heard) Write(p []byte) (int, error) {
	*h.at = *h.at || len(p) > 0
	return len(p), nil
}

// said is what an error says, without its place.
func said(err error) string {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d.Message
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}
