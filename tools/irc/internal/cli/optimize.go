package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/basic"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/expect"
	"github.com/irc-lang/irc/tools/irc/internal/replay"
)

// optimize is the driver: read, run the pipeline, write.
func optimize(s *Session) error {
	src, kind, err := s.Input()
	if err != nil {
		return err
	}
	if err := s.checkEmit(); err != nil {
		return err
	}
	p, err := s.Pipeline(src)
	if err != nil {
		return err
	}
	whole, to, err := s.driverRoute(p)
	if err != nil {
		return err
	}
	s.DumpPipeline(whole)
	parts := []*diag.Source{src}
	if mark := s.Str("split-input-file"); mark != "" {
		parts = text.Split(src, mark)
	}
	out := &output{to: &s.writer, path: s.outPath()}
	defer out.drop()
	var failed error
	m := s.Manager()
	m.Target = to
	for i, part := range parts {
		ctx := s.watched(m)
		if i > 0 {
			io.WriteString(out, s.Str("output-split-marker")+"\n")
		}
		found := s.chunk(ctx, m, whole, part, kind, out)
		if failed = s.settle(found, part, failed); failed != nil && stops(failed) {
			return failed
		}
	}
	s.Reports(m)
	if failed != nil {
		return failed
	}
	return out.commit()
}

// stops reports an error that ends the run although other parts are left: it is
// not about the input.
func stops(err error) bool { return err != ErrSaid }

// problems are what is wrong with one part of the input: diagnostics, or
// something else that ends the run.
type problems struct {
	list  diag.List
	other error
}

// settle shows the diagnostics of a part, or compares them with what the part
// expects, and returns the failure so far.
func (s *Session) settle(p problems, src *diag.Source, failed error) error {
	if p.other != nil {
		return p.other
	}
	if s.Flag("verify-diagnostics") {
		if p.list = expect.Read(src).Compare(p.list); p.list.Err() == nil {
			return failed
		}
	}
	for _, d := range p.list {
		fmt.Fprintln(s.Stderr, d)
	}
	if p.list.Err() != nil {
		failed = ErrSaid
	}
	return failed
}

// chunk reads, transforms and prints one part of the input.
func (s *Session) chunk(ctx *ir.Context, m *pass.Manager, p *pass.Pipeline, src *diag.Source, kind *Input, out io.Writer) problems {
	start := time.Now()
	g, list := s.Load(ctx, src, kind)
	m.Timing.Add("Parser", time.Since(start))
	m.Took("Parser")
	if g == nil {
		return problems{list: list}
	}
	m.Print, m.Line = s.Printer(src), Lines(src)
	if err := s.crash.writeReproducer(g, p); err != nil {
		return problems{other: err}
	}
	if err := s.roundTrip(g, "what is read"); err != nil {
		return problems{other: err}
	}
	if s.EmitKind().Compiles {
		var refused []basic.Refused
		g, refused = basic.RefuseTextOnly(g)
		for _, r := range refused {
			s.omitted(ctx, src, r.Name, r.Err)
		}
	}
	g, err := m.Run(s.Context, g, p)
	if err != nil {
		s.KeepFailure(err)
		return s.sort(ctx, src, list, err)
	}
	start = time.Now()
	if err := s.roundTrip(g, "the result"); err != nil {
		return problems{other: err}
	}
	err = s.emit(out, g, src, p)
	m.Timing.Add("Output", time.Since(start))
	m.Took("Output")
	if err != nil {
		return s.sort(ctx, src, list, err)
	}
	return problems{list: list}
}

// sort tells an error about the input from all others.
func (s *Session) sort(ctx *ir.Context, src *diag.Source, list diag.List, err error) problems {
	if isInputError(err) {
		return problems{list: append(list, diagnose(ctx, src, err))}
	}
	return problems{other: err}
}

// Manager makes the pass manager that the flags ask for.
func (s *Session) Manager() *pass.Manager {
	m := &pass.Manager{Out: s.Stderr, VerifyEach: s.crash.verifiesEach(), Count: s.Flag("stats"), Verbatim: s.Flag("verbatim"),
		PrintBefore: s.strs("print-before"), PrintAfter: s.strs("print-after"), PrintAfterChange: s.Flag("print-after-change"),
		PrintAfterFailure: s.Flag("print-after-failure"), Bisect: s.bisect}
	if s.Flag("print-before-all") {
		m.PrintBefore = append(slices.Clone(m.PrintBefore), "*")
	}
	if s.Flag("print-after-all") {
		m.PrintAfter = append(slices.Clone(m.PrintAfter), "*")
	}
	return m
}

// watched makes a context whose ops m counts, if -stats asks for that.
func (s *Session) watched(m *pass.Manager) *ir.Context {
	ctx := s.NewContext()
	ctx.CheckHooks = m.VerifyEach
	if s.Flag("stats") {
		ctx.Watch = m.Watch
	}
	return ctx
}

// Pipeline reads -passes, or the pipeline that a reproducer holds.
func (s *Session) Pipeline(src *diag.Source) (*pass.Pipeline, error) {
	spec := s.Str("passes")
	if s.Flag("run-reproducer") {
		_, r, ok := replay.Cut(src.Text)
		if !ok {
			return nil, fmt.Errorf("'%s' is no reproducer: it has no {-# external_resources: {mlir_reproducer: {pipeline: ...}} #-} block", src.Name)
		}
		if !s.IsSet("passes") {
			spec = r.Pipeline
		}
		s.crash.replay = &r
		if r.DisableThreading {
			s.cores.useOne()
		}
	}
	for _, name := range slices.Concat(s.strs("print-before"), s.strs("print-after")) {
		if s.Program.Passes.Find(name) == nil {
			near := diag.Nearest(name, s.Program.Passes.Names())
			if near != "" {
				near = "did you mean " + near + "?"
			}
			return nil, Usagef(near, "there is no pass %q to print before or after", name)
		}
	}
	p, err := s.parsePipeline(spec)
	if err == nil && s.IsSet("rules") {
		p, err = s.withRules(p)
	}
	if err == nil && p.End() != nil && s.cmd.Letter == OnExplain {
		return nil, Usagef("leave that out", "the pipeline ends in what takes a program over, and `irc explain` explains what passes do")
	}
	if err == nil && s.Flag("print-op-stats") {
		var count *pass.Pipeline
		count, err = s.parsePipeline("print-op-stats")
		p = p.Then(count)
	}
	if err == nil && s.IsSet("opt-bisect-limit") {
		n, _ := strconv.Atoi(s.Str("opt-bisect-limit"))
		s.bisect = p.Bisect(n)
	}
	return p, err
}

// withRules puts the pass before a pipeline that applies the rules of -rules. The command line names these files, and so
// they may be read whoever wrote the program.
func (s *Session) withRules(p *pass.Pipeline) (*pass.Pipeline, error) {
	if s.Program.Passes.Find("rewrite") == nil {
		return nil, Usagef("", "this irc has no pass rewrite, which -rules asks for")
	}
	var names []string
	for _, f := range s.strs("rules") {
		if strings.Contains(f, `"`) {
			return nil, Usagef("rename it", "the name of a file of rules has a quote in it: %s", f)
		}
		names = append(names, `"`+f+`"`)
	}
	first, err := pass.Parse(fmt.Sprintf("rewrite{rules={%s} unproven=%t}", strings.Join(names, ","), s.Flag("unproven")), s.Program.Passes)
	if err != nil {
		return nil, err
	}
	return first.Then(p), nil
}

func (s *Session) parsePipeline(spec string) (*pass.Pipeline, error) {
	p, err := s.parsePasses(spec)
	if err != nil {
		return nil, &usageError{msg: err.Error()}
	}
	if err := p.Check(s.Program.Dialects); err != nil {
		return nil, &usageError{msg: err.Error()}
	}
	p.Each(func(info *pass.Info, _ pass.Pass) { s.asWritten = s.asWritten || info.Model })
	if s.Flag("verbatim") {
		if err := pass.CheckVerbatim(p); err != nil {
			return nil, &usageError{msg: err.Error()}
		}
	}
	return p, nil
}

// Reports shows what was counted and timed.
func (s *Session) Reports(m *pass.Manager) {
	if s.Flag("stats") {
		m.WriteStats(s.Stderr, s.Program.Passes)
	}
	if s.Flag("time-passes") {
		m.Timing.Write(s.Stderr)
	}
}

func (s *Session) showDialects() error {
	names := lists.Map(s.Program.Dialects, func(d *ir.Dialect) string { return d.Name })
	slices.Sort(names)
	_, err := fmt.Fprintf(s.Stdout, "Available Dialects: %s\n", strings.Join(names, ","))
	return err
}
