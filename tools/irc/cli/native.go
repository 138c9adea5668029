package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// emitNative writes LLVM IR, as LLVM is given it or makes of it, assembly or an object
// file.
func (s *session) emitNative(g *ir.Graph, src *diag.Source, kind string, level jit.Level) ([]byte, error) {
	to, err := s.target()
	if err != nil {
		return nil, err
	}
	m, err := llvm.Emit(g, llvm.Options{Unchecked: s.flag("unchecked"), Name: s.readName, Target: to})
	if err != nil {
		return nil, err
	}
	for _, l := range m.Left {
		d := diagnose(g.Ctx, src, l.Err)
		d.Severity = diag.Warning
		fmt.Fprintln(s.stderr, d.WithNote(diag.Span{}, "the others are compiled, and %q is left out", l.Name))
	}
	t, o := m.Text(), jit.Options{Level: level, Triple: to.Triple, CPU: to.CPU, Features: strings.Join(to.Features, ",")}
	if kind == "llvm" {
		return optimized(t, o)
	}
	lib, err := jit.Find()
	if err != nil {
		return nil, err
	}
	what := jit.Assembly
	if kind == "obj" {
		what = jit.Object
		if path := s.str("o"); path != "" && path != "-" {
			if filepath.Ext(path) == ".h" {
				return nil, usagef("name it .o", "-o '%s' is where the header of the object file goes", path)
			}
			s.beside = strings.TrimSuffix(path, filepath.Ext(path)) + ".h"
			s.besideText = m.Header(filepath.Base(s.beside))
		}
	}
	return lib.Emit(t, what, o)
}

// optimized is a module as LLVM makes it at a level, of which 0 leaves it alone.
func optimized(text string, o jit.Options) ([]byte, error) {
	if o.Level == jit.O0 {
		return []byte(text), nil
	}
	lib, err := jit.Find()
	if err != nil {
		return nil, err
	}
	text, err = lib.Optimize(text, o)
	return []byte(text), err
}

// processor is the one to compile for, "" for this machine's. LLVM would take one
// that it does not know for the oldest that there is.
func (s *session) processor() (string, error) {
	cpu := s.str("mcpu")
	if cpu == "" || cpu == "native" || cpu == "host" {
		return "", nil
	}
	if k := s.engine(); k != nil && !k.Native {
		return "", usagef("leave it out", "-mcpu is about native code, and -engine=%s makes none", k.Name)
	}
	names, err := jit.Processors(s.ctx, "")
	if err != nil {
		return "", s.stopped(err)
	}
	if slices.Contains(names, cpu) {
		return cpu, nil
	}
	fix := fmt.Sprintf("leave -mcpu out, or name one of LLVM's %d, such as %s", len(names), strings.Join(names[len(names)-3:], ", "))
	if near := diag.Nearest(cpu, names); near != "" {
		fix = fmt.Sprintf("did you mean '%s'?", near)
	}
	return "", usagef(fix, "-mcpu: '%s' is no processor that LLVM knows for this machine", cpu)
}

// lacking makes an error of the command line of LLVM's refusal of a processor.
func (s *session) lacking(err error) error {
	var c *jit.CompileError
	if errors.As(err, &c) && c.Phase == "target" && s.str("mcpu") != "" {
		return usagef("leave -mcpu out; or write an object file for that machine, with -emit=obj", "-mcpu: %s", c.Message)
	}
	return err
}
