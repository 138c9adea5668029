package cli

import (
	"cmp"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
)

// A Target is a machine that has a name.
type Target struct {
	Name, Doc string // Doc may be ""
	Kernels   bool   // what kernels are compiled for unasked
	Get       func() *target.Target
}

// Target is the machine to compile for: that of -target, a name or a file, with the
// processor of -mcpu; what writes kernels compiles for a GPU whatever -target says.
func (s *Session) Target() (*target.Target, error) {
	name := s.targetName()
	if k := s.EmitKind(); k != nil && k.Structured != nil && name == s.Program.Targets[0].Name {
		return k.Structured(), nil
	}
	if k := s.EmitKind(); k != nil && k.Kernels && name == s.Program.Targets[0].Name {
		name = s.Program.gpu()
	}
	t, err := s.describedTarget(name)
	if err != nil {
		return nil, err
	}
	out := *t
	if t.Kind == target.CPU {
		out.Cores = s.coresOf(t)
	}
	if cpu := s.Str("mcpu"); cpu != "" && (t.Kind == target.CPU || t.Kind == target.GPU) {
		if s.Program.Lowering == nil {
			return nil, Usagef("leave it out", "-mcpu is about native code, and this irc makes none")
		}
		if err := s.Program.Lowering.Processor(s, &out, cpu); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// targetName is that of -target, or of a command without that flag what the others have without it.
func (l *commandLine) targetName() string { return cmp.Or(l.Str("target"), l.Program.Targets[0].Name) }

// coresOf is how many share the iterations of a parallel loop. What runs here gets at most the processors of this process:
// more threads than those make nothing faster, and their number may be another's word. What is written is for any
// machine: as many as are asked for, by -threads or by the file of a target, else one, so that it is the same everywhere.
func (s *Session) coresOf(t *target.Target) int {
	asked, _ := strconv.Atoi(s.Str("threads"))
	host := s.targetName() == s.Program.Targets[0].Name
	n := t.Cores
	switch {
	case s.cores.one():
		return 1
	case asked > 0:
		n = asked
	case s.IsSet("threads"):
		n = processors()
	case host && !s.runs():
		return 1
	}
	if most := processors(); s.runs() && n > most {
		s.Sayf("%d cores are asked for, and this process has %d", n, most)
		n = most
	}
	return n
}

// runs reports a command that runs the program here.
func (l *commandLine) runs() bool { return strings.Contains(onRun+onDensity+OnSample, l.cmd.Letter) }

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
func (s *Session) describedTarget(name string) (*target.Target, error) {
	if filepath.Ext(name) == ".json" {
		text, err := s.Read(name)
		if err != nil {
			return nil, err
		}
		return target.Read(name, []byte(text))
	}
	var names []string
	for _, t := range s.Program.Targets {
		if t.Name == name {
			return t.Get(), nil
		}
		names = append(names, t.Name)
	}
	fix := "there are " + spelled(names, "", "and") + "; or name a .json file that describes a machine"
	if near := diag.Nearest(name, names); near != "" {
		fix = "did you mean '" + near + "'?"
	}
	return nil, Usagef(fix, "-target: there is no target '%s'", name)
}

// checkTarget refuses a target for which an -emit writes nothing.
func (s *Session) checkTarget(k *emit.Kind) error {
	t, err := s.Target()
	if err != nil {
		return err
	}
	switch {
	case t.Kind == target.Interpreter:
		return Usagef("leave -target out, or name a machine"+s.orEngine("; `irc run -engine=%s` interprets", interprets), "-emit=%s compiles, and nothing is compiled for -target=%s", k.Name, s.Str("target"))
	case k.Structured != nil && t.Kind != target.Compiler:
		return Usagef("leave -target out", "-emit=%s is for any machine, and -target=%s is one", k.Name, s.Str("target"))
	case k.Kernels && t.Kind != target.GPU:
		return Usagef("leave -target out", "-emit=%s writes kernels, and -target=%s is no GPU", k.Name, s.Str("target"))
	case k.HostOnly != "" && t.Kind == target.GPU:
		return Usagef(k.HostOnly, "-emit=%s makes no object of kernels", k.Name)
	}
	return nil
}

// PassTarget is what the passes of a pipeline compile for when nothing is compiled after them: this machine, unless the
// command line names another. Without passes nobody asks, and looking at the machine takes a while.
func (s *Session) PassTarget(p *pass.Pipeline) (*target.Target, error) {
	if len(p.Steps) == 0 && !s.IsSet("target") && !s.IsSet("mcpu") {
		return nil, nil
	}
	return s.Target()
}
