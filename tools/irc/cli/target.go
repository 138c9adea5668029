package cli

import (
	"cmp"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/nvvm"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
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
	name := s.targetName()
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
	if t.Kind == target.CPU {
		out.Cores = s.cores(t)
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

// targetName is that of -target, or of a command without that flag what the others have without it.
func (s *session) targetName() string { return cmp.Or(s.str("target"), s.prog.Targets[0].Name) }

// cores is how many share the iterations of a parallel loop. What runs here gets at most the processors of this process:
// more threads than those make nothing faster, and their number may be another's word. What is written is for any
// machine: as many as are asked for, by -threads or by the file of a target, else one, so that it is the same everywhere.
func (s *session) cores(t *target.Target) int {
	asked, _ := strconv.Atoi(s.str("threads"))
	host := s.targetName() == s.prog.Targets[0].Name
	n := t.Cores
	switch {
	case s.oneCore != nil:
		return 1
	case asked > 0:
		n = asked
	case s.given("threads"):
		n = processors()
	case host && !s.runs():
		return 1
	}
	if most := processors(); s.runs() && n > most {
		s.sayf("%d cores are asked for, and this process has %d", n, most)
		n = most
	}
	return n
}

// runs reports a command that runs the program here.
func (s *session) runs() bool { return s.cmd.letter == onRun || s.cmd.letter == onDensity }

// processors are those that this process may use.
func processors() int { return min(runtime.NumCPU(), runtime.GOMAXPROCS(0)) }

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

// passTarget is what the passes of a pipeline compile for when nothing is compiled after them: this machine, unless the
// command line names another. Without passes nobody asks, and looking at the machine takes a while.
func (s *session) passTarget(p *pass.Pipeline) (*target.Target, error) {
	if len(p.Steps) == 0 && !s.given("target") && !s.given("mcpu") {
		return nil, nil
	}
	return s.target()
}
