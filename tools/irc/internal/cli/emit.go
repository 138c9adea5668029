package cli

import (
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/console"
	"github.com/irc-lang/irc/tools/irc/internal/cli/internal/files"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// EmitKind is the form of -emit; nil for a command that has none.
func (l *commandLine) EmitKind() *emit.Kind { return emit.Find(l.Program.Emits, l.Str("emit")) }

// OrEmit adds the name of the first form of which something holds to a text, which is
// empty if there is none.
func (l *commandLine) OrEmit(format string, holds func(*emit.Kind) bool) string {
	if k := emit.First(l.Program.Emits, holds); k != nil {
		return fmt.Sprintf(format, k.Name)
	}
	return ""
}

// EmitFlags spells the forms of a program of which something holds: "-emit=dot and -emit=svg".
func EmitFlags(p *Program, and string, holds func(*emit.Kind) bool) string {
	return spelled(p.emitNames(holds), "-emit=", and)
}

func (p *Program) emitNames(holds func(*emit.Kind) bool) (out []string) {
	for _, k := range p.Emits {
		if holds(k) {
			out = append(out, k.Name)
		}
	}
	return out
}

// checkEmit refuses what the driver cannot write, before any work is done.
func (s *Session) checkEmit() error {
	k := s.EmitKind()
	if s.Flag("verbatim") && k.Compiles {
		return Usagef("leave -verbatim out", "-emit=%s compiles, which -verbatim forbids", k.Name)
	}
	if s.Flag("print-op-generic") && !k.Text {
		return Usagef("leave one of them out", "-print-op-generic writes MLIR's generic form, and -emit=%s another one", k.Name)
	}
	if s.Str("split-input-file") != "" && !k.Text {
		return Usagef("", "-split-input-file goes with %s, not %s", EmitFlags(s.Program, "or", func(k *emit.Kind) bool { return k.Text }), k.Name)
	}
	if k.Compiles {
		if err := s.checkTarget(k); err != nil {
			return err
		}
	}
	if k.Binary && s.outPath() == "" && console.IsTerminal(s.Stdout) {
		return Usagef("write it to a file with -o", "%s is nothing to read on a terminal", beforeComma(k.Doc))
	}
	return nil
}

// emit writes what a pipeline has made as -emit says.
func (s *Session) emit(w io.Writer, g *ir.Graph, src *diag.Source, p *pass.Pipeline) error {
	k := s.EmitKind()
	o := &emit.Output{Context: s.Context, Graph: g, Source: src, Name: s.read.name, Print: s.printOptions(src, s.Flag("print-op-generic")),
		Level: LevelOf(p), Unchecked: s.Flag("unchecked"), Held: s.Held(), Package: s.Str("package"), Omitted: func(name string, err error) { s.omitted(g.Ctx, src, name, err) }}
	if k.Compiles {
		var err error
		if o.Target, err = s.Target(); err != nil {
			return err
		}
	}
	o.OfModel = s.bugs != nil
	if s.bugs != nil {
		o.Statements = s.bugs.StatementGraph
		if s.extended {
			o.Extend = s.bugs.Extend
		}
		if s.Str("passes") == "" && k.Draw != nil {
			o.Model = s.bugs.Drawing()
		}
	}
	if path := s.outPath(); path != "" {
		o.Beside = s.header.beside(path)
	}
	err := k.Write(w, o)
	var usage *emit.UsageError
	if errors.As(err, &usage) {
		return Usagef(usage.Fix, "%s", usage.Msg)
	}
	return err
}

// omitted warns of a function that does not compile.
func (s *Session) omitted(ctx *ir.Context, src *diag.Source, name string, err error) {
	d := diagnose(ctx, src, err)
	d.Severity = diag.Warning
	fmt.Fprintln(s.Stderr, d.WithNote(diag.Span{}, "the others are compiled, and %q is left out", name))
}

// isInputError tells errors about the program from those about the command line
// and from bugs of ours.
func isInputError(err error) bool {
	var usage *usageError
	var crash *pass.CrashError
	var inv *ir.InvariantError
	var budget *budgetError
	var write *files.WriteError
	return !errors.As(err, &usage) && !errors.As(err, &write) && !errors.As(err, &crash) && !errors.As(err, &inv) && !errors.As(err, &budget)
}

// Load reads one source of any kind into a graph.
func (s *Session) Load(ctx *ir.Context, src *diag.Source, kind *Input) (*ir.Graph, diag.List) {
	defer s.read.forget()
	if kind.Model != nil {
		m, err := s.Model(ctx, src, kind)
		if err != nil {
			var list diag.List
			if errors.As(err, &list) {
				return nil, list
			}
			return nil, diag.List{diagnose(ctx, src, err)}
		}
		g, err := s.StartModel(m)
		if err == nil {
			err = s.ShowStages(src)
		}
		if err != nil {
			return nil, diag.List{diagnose(ctx, src, err)}
		}
		return g, m.Warnings()
	}
	return s.ReadGraph(ctx, src, kind)
}

// loadOne reads the input of a command that takes one program, shows what there
// is to say about it, and runs the passes of the command line on it.
func (s *Session) loadOne(src *diag.Source, kind *Input, p *pass.Pipeline, t *target.Target) (*ir.Graph, error) {
	m := s.Manager()
	m.Target = t
	ctx := s.watched(m)
	start := time.Now()
	g, list := s.Load(ctx, src, kind)
	m.Timing.Add("Parser", time.Since(start))
	m.Took("Parser")
	for _, d := range list {
		fmt.Fprintln(s.Stderr, d)
	}
	if list.Err() != nil {
		return nil, ErrSaid
	}
	m.Print, m.Line = s.Printer(src), Lines(src)
	n, err := m.Run(s.Context, g, p)
	if err != nil {
		s.KeepFailure(err)
		return nil, s.Placed(ctx, src, err)
	}
	s.Reports(m)
	return n, nil
}

// Placed gives an error about the input its place in the source.
func (s *Session) Placed(ctx *ir.Context, src *diag.Source, err error) error {
	if isInputError(err) {
		return diagnose(ctx, src, err)
	}
	return err
}
