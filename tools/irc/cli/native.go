package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/emit"
)

// processor is the one to compile for, "" for this machine's. LLVM would take one
// that it does not know for the oldest that there is.
func (s *session) processor() (string, error) {
	cpu := s.str("mcpu")
	if cpu == "" || slices.Contains(thisMachine, cpu) {
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
		return usagef("leave -mcpu out"+s.orEmit("; or write an object file for that machine, with -emit=%s", func(k *emit.Kind) bool { return k.Binary }), "-mcpu: %s", c.Message)
	}
	return err
}
