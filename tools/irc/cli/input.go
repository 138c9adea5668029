package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unsafe"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
)

// Kinds of input.
const (
	kindIR        = "ir"
	kindBUGS      = "bugs"
	kindEquations = "eq"
)

var kindOf = map[string]string{
	".mlir": kindIR, ".ir": kindIR, ".bug": kindBUGS, ".bugs": kindBUGS, ".eq": kindEquations,
	".stan": kindBUGS, // whose reader says what that is
}

// read reads a file; - is standard input.
func (s *session) read(path string) (string, error) {
	var data []byte
	var err error
	if path == "-" {
		data, err = io.ReadAll(s.stdin)
	} else {
		data, err = os.ReadFile(path)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = s.cannotOpen(path, pe.Err)
	}
	return unsafe.String(unsafe.SliceData(data), len(data)), err // nobody else has data
}

// cannotOpen says why a file is not read, in mlir-opt's words.
func (s *session) cannotOpen(path string, why error) error {
	d := diag.Errorf(diag.Span{}, "cannot open input file '%s': %v", path, why)
	if !errors.Is(why, fs.ErrNotExist) {
		return d
	}
	var beside []string
	if list, err := os.ReadDir(filepath.Dir(path)); err == nil {
		for _, e := range list {
			beside = append(beside, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	switch near := diag.Nearest(filepath.Clean(path), beside); {
	case near != "":
		return d.WithFix("did you mean '%s'?", near)
	case s.cmd == driver:
		return d.WithFix("irc [options] FILE reads a program; `irc -help` lists the commands")
	}
	return d
}

// input reads the program of the command line.
func (s *session) input() (src *diag.Source, kind string, err error) {
	path := s.files[0]
	if kind, err = s.inputKind(path); err != nil {
		return nil, "", err
	}
	t, err := s.read(path)
	if err != nil {
		return nil, "", err
	}
	if path == "-" {
		path = "<stdin>"
	}
	s.readName, s.readText = path, t
	return diag.NewSource(path, t), kind, nil
}

func (s *session) inputKind(path string) (string, error) {
	kind := s.str("x")
	if kind == "" && path == "-" {
		kind = kindIR
	}
	if kind == "" {
		ext := strings.ToLower(filepath.Ext(path))
		if kind = kindOf[ext]; kind == "" {
			if _, err := os.Stat(path); err != nil {
				return "", s.cannotOpen(path, errors.Unwrap(err))
			}
			return "", usagef("name it .mlir, .ir, .bug or .bugs, or say -x=ir or -x=bugs", "what kind of input is %q?", path)
		}
	}
	if kind == kindEquations {
		return "", usagef("", "equations (.eq) are not in this version of irc")
	}
	return kind, s.fits(kind)
}

// fits refuses flags that say nothing about this kind of input, which would be
// forgotten without a word.
func (s *session) fits(kind string) error {
	names, about := []string{"data", "inits", "D", "shapes", "dialect", "strict", "fill-inits"}, "a BUGS model"
	if kind == kindBUGS {
		names, about = []string{"entry", "args", "verbatim", "split-input-file", "verify-diagnostics"}, "text IR"
	}
	for _, name := range names {
		if s.lib.IsSet(name) {
			return usagef("-x=KIND says what the input is, if its extension does not", "flag -%s is for %s, and '%s' is none", name, about, s.files[0])
		}
	}
	return nil
}

// parseIR reads text IR into a graph that is known to be right and settled: what
// is printed of it reads as what prints the same.
func (s *session) parseIR(ctx *ir.Context, src *diag.Source) (*ir.Graph, diag.List) {
	// A function that refers to no other is settled while it is at hand. What is wrong
	// with references is told of the program as written.
	alone := pass.Alone(ctx)
	each := func(g *ir.Graph) *ir.Graph {
		if alone(g) {
			return ir.Settle(g)
		}
		return g
	}
	g, list := text.Parse(ctx, src, text.Options{Verbatim: s.flag("verbatim"), AllowUnregistered: s.flag("allow-unregistered-dialect"), Each: each})
	if g == nil || list.Err() != nil {
		return nil, list
	}
	if err := pass.CheckSymbols(g); err != nil {
		return nil, append(list, diagnose(ctx, src, err))
	}
	return ir.Settle(g), list
}

// newContext makes a context of the program's dialects.
func (s *session) newContext() *ir.Context { return ir.NewContext(s.prog.Dialects...) }

// diagnose finds the place in the source of an error of the IR.
func diagnose(ctx *ir.Context, src *diag.Source, err error) *diag.Diagnostic {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	var ext *engine.ExternalError
	if errors.As(err, &ext) {
		return diagnoseExternal(ctx, src, ext)
	}
	var op *ir.OpError
	if !errors.As(err, &op) || op.Loc == 0 {
		return diag.Errorf(diag.Span{}, "%v", err)
	}
	msg := err.Error()
	if op.Loc&ir.LocAttr != 0 {
		return diag.Errorf(diag.Span{}, "%s", msg).WithNote(diag.Span{}, "at loc(%s)", ctx.LocText(op.Loc))
	}
	off := int(op.Loc) - 1
	return diag.Errorf(src.Span(off, off+len(wordAt(src.Text, off))), "%s", msg)
}

// wordAt is the op's name at an offset, for the length of the caret's line.
func wordAt(s string, off int) string {
	end := off
	for end < len(s) && !strings.ContainsRune(" \t\r\n(){}<>[]:,", rune(s[end])) {
		end++
	}
	return s[min(off, len(s)):end]
}
