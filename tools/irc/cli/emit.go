package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/draw"
	"github.com/irc-lang/irc/tools/irc/plate"
)

// checkEmit refuses what the driver cannot write, before any work is done.
func (s *session) checkEmit() error {
	emit := s.str("emit")
	if s.flag("verbatim") && compiled(emit) {
		return usagef("leave -verbatim out", "-emit=%s compiles, which -verbatim forbids", emit)
	}
	if s.flag("print-op-generic") && emit != "ir" && emit != "generic" {
		return usagef("leave one of them out", "-print-op-generic writes MLIR's generic form, and -emit=%s another one", emit)
	}
	if s.str("split-input-file") != "" && emit != "ir" && emit != "generic" {
		return usagef("", "-split-input-file goes with -emit=ir or -emit=generic, not %s", emit)
	}
	if compiled(emit) {
		if err := s.checkTarget(emit); err != nil {
			return err
		}
	}
	if emit == "obj" && (s.str("o") == "" || s.str("o") == "-") && isTerminal(s.stdout) {
		return usagef("write it to a file with -o", "an object file is nothing to read on a terminal")
	}
	return nil
}

// compiled reports an -emit of code.
func compiled(emit string) bool {
	return slices.Contains([]string{"llvm", "asm", "obj", "nvvm", "ptx"}, emit)
}

// emit writes what a pipeline has made as -emit says.
func (s *session) emit(w io.Writer, g *ir.Graph, src *diag.Source, p *pass.Pipeline) error {
	var data []byte
	var err error
	switch kind := s.str("emit"); {
	case kind == "dot" || kind == "svg":
		var text string
		text, err = s.draw(ir.Settle(g), src, kind == "svg")
		data = []byte(text)
	case s.forGPU(kind):
		data, err = s.emitKernels(g, kind, jitLevel(p))
	case compiled(kind):
		data, err = s.emitNative(g, src, kind, jitLevel(p))
	default:
		return s.printTo(w, ir.Settle(g), src, kind == "generic" || s.flag("print-op-generic"))
	}
	if err == nil {
		_, err = w.Write(data)
	}
	return err
}

// draw draws a graph: of a model on which no pass ran as statisticians do, with plates,
// and its statements if a pass left them as they are.
func (s *session) draw(g *ir.Graph, src *diag.Source, svg bool) (string, error) {
	if s.bugs != nil && s.str("passes") == "" {
		if svg {
			return plate.SVG(s.bugs.Drawing()), nil
		}
		return plate.DOT(s.bugs.Drawing()), nil
	}
	if svg {
		return draw.SVG(g, strings.TrimSuffix(filepath.Base(src.Name), filepath.Ext(src.Name)), src), nil
	}
	if s.bugs != nil {
		if text, err := s.bugs.StatementGraph(g); text != "" || err != nil {
			return text, err
		}
	}
	return draw.DOT(g, src), nil
}

// isInputError tells errors about the program from those about the command line
// and from bugs of ours.
func isInputError(err error) bool {
	var usage *usageError
	var crash *pass.CrashError
	var inv *ir.InvariantError
	var budget *budgetError
	var write *writeError
	return !errors.As(err, &usage) && !errors.As(err, &write) && !errors.As(err, &crash) && !errors.As(err, &inv) && !errors.As(err, &budget)
}

// load reads one source of any kind into a graph.
func (s *session) load(ctx *ir.Context, src *diag.Source, kind *Input) (*ir.Graph, diag.List) {
	if kind.Model != nil {
		m, err := s.model(ctx, src, kind)
		if err != nil {
			var list diag.List
			if errors.As(err, &list) {
				return nil, list
			}
			return nil, diag.List{diagnose(ctx, src, err)}
		}
		g, err := s.start(m)
		if err == nil {
			err = s.showStages(src)
		}
		if err != nil {
			return nil, diag.List{diagnose(ctx, src, err)}
		}
		return g, m.Warnings()
	}
	return s.readGraph(ctx, src, kind)
}

// loadOne reads the input of a command that takes one program, shows what there
// is to say about it, and runs the passes of the command line on it.
func (s *session) loadOne(src *diag.Source, kind *Input, p *pass.Pipeline, t *target.Target) (*ir.Graph, error) {
	m := s.manager()
	m.Target = t
	ctx := s.watched(m)
	start := time.Now()
	g, list := s.load(ctx, src, kind)
	m.Timing.Add("Parser", time.Since(start))
	m.Took("Parser")
	for _, d := range list {
		fmt.Fprintln(s.stderr, d)
	}
	if list.Err() != nil {
		return nil, errSaid
	}
	m.Print = s.printer(src)
	n, err := m.Run(s.ctx, g, p)
	if err != nil {
		s.keepFailure(err)
		return nil, s.placed(ctx, src, err)
	}
	s.reports(m)
	return n, nil
}

// placed gives an error about the input its place in the source.
func (s *session) placed(ctx *ir.Context, src *diag.Source, err error) error {
	if isInputError(err) {
		return diagnose(ctx, src, err)
	}
	return err
}
