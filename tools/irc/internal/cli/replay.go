package cli

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/passes/pass/diff"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/replay"
)

// verifiesEach says whether the IR is checked after each pass: as the command line
// says, else as the reproducer does that is run.
func (r *reproducer) verifiesEach() bool {
	if r.replay != nil && !r.line.IsSet("verify-each") {
		return r.replay.VerifyEach
	}
	return r.line.Flag("verify-each")
}

// A cores is how many of them this process uses.
type cores struct{ restore func() } // nil: all

func (c *cores) one() bool { return c.restore != nil }

// useOne makes irc run on one core, until all is called.
func (c *cores) useOne() {
	if c.restore == nil {
		n := runtime.GOMAXPROCS(1)
		c.restore = func() { runtime.GOMAXPROCS(n) }
	}
}

func (c *cores) all() {
	if c.restore != nil {
		c.restore()
	}
}

// writeReproducer writes what -generate-reproducer asks for.
func (r *reproducer) writeReproducer(g *ir.Graph, p *pass.Pipeline) error {
	path := r.line.Str("generate-reproducer")
	if path == "" {
		return nil
	}
	body, err := r.printReproducer(g, p.String())
	if err != nil {
		return err
	}
	return files.WriteFile(&r.to.unfinished, path, []byte(replay.Write("", body, r.replayOf(p.String()))))
}

// choosesLine finds an option of a pass that chooses loops by their lines.
var choosesLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bline=\{?[0-9]`) })

// printReproducer is what a pipeline is to be run on again. Where that chooses loops by their lines ops have their places in the text that was
// read, for here they stand on other lines.
func (r *reproducer) printReproducer(g *ir.Graph, pipeline string) (string, error) {
	o := r.line.printOptions(nil, true)
	if choosesLine().MatchString(pipeline) {
		o.DebugInfo, o.Source = true, diag.NewSource(r.from.read.name, r.from.read.text)
	}
	var b strings.Builder
	err := text.Print(&b, g, o)
	return b.String(), err
}

// Printer prints a graph between passes.
func (s *Session) Printer(src *diag.Source) func(g *ir.Graph, generic bool) string {
	return func(g *ir.Graph, generic bool) string {
		t, err := s.PrintIR(g, src, generic || s.Flag("print-op-generic"))
		if err != nil {
			return err.Error()
		}
		return t
	}
}

// roundTrip checks, with -verify-roundtrip, that a graph is the same when it is
// printed and read again, in both forms; what names it. A difference is a bug of irc.
func (s *Session) roundTrip(g *ir.Graph, what string) error {
	if !s.Flag("verify-roundtrip") {
		return nil
	}
	g = ir.Settle(g)
	want := text.String(g, text.PrintOptions{Generic: true})
	for _, generic := range []bool{false, true} {
		form := map[bool]string{false: "pretty form", true: "generic form"}[generic]
		src := diag.NewSource("<"+form+" of "+what+">", text.String(g, text.PrintOptions{Generic: generic}))
		again, list := text.Parse(s.NewContext(), src, text.Options{Verbatim: s.Flag("verbatim"), AllowUnregistered: true})
		if list.Err() != nil {
			return &panicError{what: fmt.Sprintf("the %s of %s does not read: %v", form, what, list.Err())}
		}
		if !s.Flag("verbatim") {
			again = ir.Settle(again)
		}
		if got := text.String(again, text.PrintOptions{Generic: true}); got != want {
			return &panicError{what: fmt.Sprintf("the %s of %s reads as something else:\n%s", form, what, diff.Lines(want, got))}
		}
	}
	return nil
}
