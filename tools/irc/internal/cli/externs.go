package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// checkExterns refuses calls out of the program, whatever engine is to run it, so
// that one does not pass where another is the default. The interpreter has none.
func (j *job) checkExterns() error {
	declared := contract.Externals(j.g)
	for _, names := range j.s.strs("extern") {
		for _, name := range strings.Split(names, ",") {
			name = strings.TrimPrefix(strings.TrimSpace(name), "@")
			if !slices.Contains(declared, name) {
				fix := "declare it in the program, with func.func private @" + name + "(...)"
				if near := diag.Nearest(name, declared); near != "" {
					fix = "did you mean '" + near + "'?"
				}
				return Usagef(fix, "-extern: the program declares no function '%s'", name)
			}
			j.externs = append(j.externs, name)
		}
	}
	if err := contract.CheckExternals(j.g, j.externs); err != nil {
		return diagnose(j.g.Ctx, j.src, err)
	}
	return nil
}

// libraries are those of -link. A file that is there needs no folder before its name.
func (l *commandLine) libraries() []string {
	var out []string
	for _, lib := range l.strs("link") {
		if Exists(lib) {
			if path, err := filepath.Abs(lib); err == nil {
				lib = path
			}
		}
		out = append(out, lib)
	}
	return out
}

// diagnoseExternal shows a refused call, and where the function is declared.
func diagnoseExternal(ctx *ir.Context, src *diag.Source, e *contract.ExternalError) *diag.Diagnostic {
	d := diagnose(ctx, src, &e.Call)
	if e.Decl != 0 && e.Decl&ir.LocAttr == 0 {
		off := int(e.Decl) - 1
		d = d.WithNote(src.Span(off, off+len(wordAt(src.Text, off))), "@%s is declared here", e.Name)
	}
	return d.WithFix("%s", e.Fix)
}

// tellSandbox says what holds native code in; that nothing does is said unasked.
func (s *Session) tellSandbox(k *contract.Kind, e contract.Engine, p contract.Program) {
	if k.Device {
		s.Sayf("sandbox: none: the GPU's driver opens devices")
	}
	state, ok := contract.HoldingOf(e)
	switch {
	case !ok || contract.Uncompiled(p) != nil:
	case !state.Filter:
		fmt.Fprintf(s.Stderr, "irc: warning: native code runs without a sandbox here: %s%s\n", state.Text, s.orEngine("; -engine=%s runs none", interprets))
	default:
		s.Sayf("sandbox: %s", state.Text)
	}
}
