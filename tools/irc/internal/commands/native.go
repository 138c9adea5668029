package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// thisMachine are words of -mcpu for the processor that irc runs on.
var thisMachine = []string{"host", "native"}

// Processor makes a target one for the processor that -mcpu names. LLVM would take one
// that it does not know for the oldest that there is.
func Processor(s *cli.Session, t *target.Target, cpu string) error {
	if t.Kind == target.GPU {
		if err := nvvm.CheckArch(cpu); err != nil {
			return cli.Usagef("", "-mcpu: %v", err)
		}
		t.CPU = cpu
		return nil
	}
	if slices.Contains(thisMachine, cpu) {
		return nil
	}
	if k := s.Engine(); k != nil && !k.Native {
		return cli.Usagef("leave it out", "-mcpu is about native code, and -engine=%s makes none", k.Name)
	}
	names, err := jit.Processors(s.Context, "")
	if err != nil {
		return s.Stopped(err)
	}
	if !slices.Contains(names, cpu) {
		fix := fmt.Sprintf("leave -mcpu out, or name one of LLVM's %d, such as %s", len(names), strings.Join(names[len(names)-3:], ", "))
		if near := diag.Nearest(cpu, names); near != "" {
			fix = fmt.Sprintf("did you mean '%s'?", near)
		}
		return cli.Usagef(fix, "-mcpu: '%s' is no processor that LLVM knows for this machine", cpu)
	}
	lib, err := jit.Find() // it has said that it knows the processor
	if err != nil {
		return err
	}
	t.CPU = cpu
	t.Vector, err = lib.VectorBytes(jit.Options{Triple: t.Triple, CPU: cpu, Features: strings.Join(t.Features, ",")})
	return err
}
