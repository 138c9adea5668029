package cli

import (
	"path/filepath"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/tools/irc/emit"
)

// A Target is a machine that has a name.
type Target struct {
	Name, Doc string // Doc may be ""
	Kernels   bool   // what kernels are compiled for unasked
	Get       func() *target.Target
}

// target is the machine to compile for: that of -target, a name or a file, with the
// processor of -mcpu; what writes kernels compiles for a GPU whatever -target says.
func (s *session) target() (*target.Target, error) {
	name := s.str("target")
	if k := s.emitKind(); k != nil && k.Structured != nil && name == s.prog.Targets[0].Name {
		return k.Structured(), nil
	}
	if k := s.emitKind(); k != nil && k.Kernels && name == s.prog.Targets[0].Name {
		name = s.prog.gpu()
	}
	t, err := s.describedTarget(name)
	if err != nil {
		return nil, err
	}
	out := *t
	if n, _ := strconv.Atoi(s.str("threads")); n > 0 && t.Kind == target.CPU {
		out.Cores = n
	}
	if s.oneCore != nil {
		out.Cores = 1
	}
	switch t.Kind {
	case target.GPU:
		if err := checkArch(s.str("mcpu")); err != nil {
			return nil, err
		}
		if cpu := s.str("mcpu"); cpu != "" {
			out.CPU = cpu
		}
	case target.CPU:
		cpu, err := s.processor()
		if err != nil {
			return nil, err
		}
		if cpu == "" {
			break
		}
		lib, err := jit.Find() // it has said that it knows the processor
		if err != nil {
			return nil, err
		}
		out.CPU = cpu
		if out.Vector, err = lib.VectorBytes(jit.Options{Triple: out.Triple, CPU: cpu, Features: strings.Join(out.Features, ",")}); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// gpu is the target of kernels.
func (p *Program) gpu() string {
	for _, t := range p.Targets {
		if t.Kernels {
			return t.Name
		}
	}
	return p.Targets[0].Name
}

// describedTarget is the target of a name, or that of a JSON file.
func (s *session) describedTarget(name string) (*target.Target, error) {
	if filepath.Ext(name) == ".json" {
		text, err := s.read(name)
		if err != nil {
			return nil, err
		}
		return target.Read(name, []byte(text))
	}
	var names []string
	for _, t := range s.prog.Targets {
		if t.Name == name {
			return t.Get(), nil
		}
		names = append(names, t.Name)
	}
	fix := "there are " + spelled(names, "", "and") + "; or name a .json file that describes a machine"
	if near := diag.Nearest(name, names); near != "" {
		fix = "did you mean '" + near + "'?"
	}
	return nil, usagef(fix, "-target: there is no target '%s'", name)
}

// checkTarget refuses a target for which an -emit writes nothing.
func (s *session) checkTarget(k *emit.Kind) error {
	t, err := s.target()
	if err != nil {
		return err
	}
	switch {
	case t.Kind == target.Interpreter:
		return usagef("leave -target out, or name a machine"+s.orEngine("; `irc run -engine=%s` interprets", interprets), "-emit=%s compiles, and nothing is compiled for -target=%s", k.Name, s.str("target"))
	case k.Structured != nil && t.Kind != target.Compiler:
		return usagef("leave -target out", "-emit=%s is for any machine, and -target=%s is one", k.Name, s.str("target"))
	case k.Kernels && t.Kind != target.GPU:
		return usagef("leave -target out", "-emit=%s writes kernels, and -target=%s is no GPU", k.Name, s.str("target"))
	case k.HostOnly != "" && t.Kind == target.GPU:
		return usagef(k.HostOnly, "-emit=%s makes no object of kernels", k.Name)
	}
	return nil
}

// checkArch looks at the -mcpu of a GPU.
func checkArch(cpu string) error {
	if cpu == "" {
		return nil
	}
	if err := nvvm.CheckArch(cpu); err != nil {
		return usagef("", "-mcpu: %v", err)
	}
	return nil
}

// passTarget is what passes compile for: nil, which is the host, unless the command line
// names another machine.
func (s *session) passTarget() (*target.Target, error) {
	if s.given("target") || s.given("mcpu") {
		return s.target()
	}
	return nil, nil
}
