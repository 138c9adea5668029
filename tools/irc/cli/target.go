package cli

import (
	"path/filepath"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
)

// target is the machine to compile for: that of -target, a name or a file, with the
// processor of -mcpu; what writes kernels compiles for a GPU whatever -target says.
func (s *session) target() (*target.Target, error) {
	name := s.str("target")
	if emit := s.str("emit"); name == "host" && (emit == "nvvm" || emit == "ptx") {
		name = gpu
	}
	t, err := s.describedTarget(name)
	if err != nil {
		return nil, err
	}
	out := *t
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
		if cpu != "" {
			out.CPU = cpu
		}
	}
	return &out, nil
}

// gpu is the target of kernels.
const gpu = "nvptx64"

// describedTarget is the target of a name, or that of a JSON file.
func (s *session) describedTarget(name string) (*target.Target, error) {
	if filepath.Ext(name) == ".json" {
		text, err := s.read(name)
		if err != nil {
			return nil, err
		}
		return target.Read(name, []byte(text))
	}
	if t, err := target.Named(name, ""); err == nil {
		return t, nil
	}
	near := diag.Nearest(name, target.Names())
	if near != "" {
		near = "did you mean '" + near + "'?"
	} else {
		near = "there are host, nvptx64 and interpreter; or name a .json file that describes a machine"
	}
	return nil, usagef(near, "-target: there is no target '%s'", name)
}

// forGPU reports output that holds the kernels of a program.
func (s *session) forGPU(emit string) bool {
	switch emit {
	case "nvvm", "ptx":
		return true
	case "llvm", "asm", "obj":
		t, err := s.describedTarget(s.str("target"))
		return err == nil && t.Kind == target.GPU
	}
	return false
}

// checkTarget refuses a target for which an -emit writes nothing.
func (s *session) checkTarget(emit string) error {
	t, err := s.target()
	if err != nil {
		return err
	}
	switch kernels := emit == "nvvm" || emit == "ptx"; {
	case t.Kind == target.Interpreter:
		return usagef("leave -target out, or name a machine; `irc run -engine=eval` interprets", "-emit=%s compiles, and nothing is compiled for -target=%s", emit, s.str("target"))
	case kernels && t.Kind != target.GPU:
		return usagef("leave -target out", "-emit=%s writes kernels, and -target=%s is no GPU", emit, s.str("target"))
	case emit == "obj" && t.Kind == target.GPU:
		return usagef("use -emit=ptx: the driver compiles that when it loads it", "-emit=obj makes no object of kernels")
	}
	return nil
}

// passTarget is what passes compile for: nil, which is the host, unless the command line
// names another machine.
func (s *session) passTarget() (*target.Target, error) {
	if s.lib.IsSet("target") || s.lib.IsSet("mcpu") {
		return s.target()
	}
	return nil, nil
}
