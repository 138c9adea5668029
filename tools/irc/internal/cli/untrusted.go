package cli

import (
	"os"
	"slices"
	"strings"
	"time"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
)

// untrustedEnv is the environment variable that says -untrusted to every irc that sees it.
const untrustedEnv = "IRC_UNTRUSTED"

// distrust notes that the program is somebody else's and holds the command line against the table. What is given may
// only make limits smaller, and no flag takes back what the environment, or another flag, has said.
func (l *commandLine) distrust(p *parsed) error {
	env := os.Getenv(untrustedEnv)
	l.untrusted = env != "" && env != "0"
	for _, f := range p.flags {
		if f.def.name != "untrusted" {
			continue
		}
		if f.value != "true" && l.untrusted {
			return Usagef("leave it out", "-untrusted=%s: what was said once is not taken back (-untrusted, or %s in the environment)", f.value, untrustedEnv)
		}
		l.untrusted = l.untrusted || f.value == "true"
	}
	if !l.untrusted {
		return nil
	}
	name := p.cmd.Name
	if p.cmd.isDriver() {
		name = driverName
	}
	if err := refusal(ofCommand, name, "`irc "+name+"`"); err != nil {
		return err
	}
	for _, f := range p.flags {
		if err := f.trusted(); err != nil {
			return err
		}
	}
	p.limit(l.Program.flags)
	return nil
}

// refusal is an error about something that the table refuses, or has not.
func refusal(kind, name, what string) error {
	t := trustIn(kind, name)
	if t == nil {
		return Usagef("", "%s is refused with -untrusted: nobody has said what it may do", what)
	}
	if t.untrusted == refused {
		return Usagef("", "%s is refused with -untrusted: %s", what, t.why)
	}
	return nil
}

// trusted checks a flag, and its value if that is a row.
func (f setFlag) trusted() error {
	if f.def.kind == boolean && f.def.for_ == onLists {
		return nil // it reads no program; of another command a flag of its name may be refused
	}
	what := "flag -" + f.name
	if err := refusal(ofFlag, f.def.name, what); err != nil {
		return err
	}
	kinds := map[string]string{"emit": ofForm, "engine": ofEngine, "x": ofInput}
	if kind := kinds[f.def.name]; kind != "" {
		return refusal(kind, f.value, "-"+f.name+"="+f.value)
	}
	t := trustIn(ofFlag, f.def.name)
	if t.most != "" && f.def.exceeds(f.value, t.most) {
		return Usagef("write -"+f.name+"="+t.most+", or less", "-%s=%s is more than -untrusted allows, which is %s", f.name, f.value, t.most)
	}
	return nil
}

// exceeds reports that a value is no limit, or a larger one than the most.
func (f *flagDef) exceeds(value, most string) bool {
	switch f.kind {
	case span:
		d, _ := time.ParseDuration(value)
		m, _ := time.ParseDuration(most)
		return d <= 0 || d > m
	case size:
		n, _ := BytesOf(value)
		m, _ := BytesOf(most)
		return n <= 0 || n > m
	}
	return true
}

// limit gives the flags with a bound that the command takes, and that are not given, their value.
func (p *parsed) limit(table flagTable) {
	for i := range trustTable {
		t := &trustTable[i]
		if t.kind != ofFlag || t.unasked == "" {
			continue
		}
		def := table.find(t.name)
		if def == nil || !strings.Contains(def.for_, p.cmd.Letter) || p.has(def) {
			continue
		}
		p.flags = append(p.flags, setFlag{def, t.unasked, t.name})
	}
}

func (p *parsed) has(def *flagDef) bool {
	return slices.ContainsFunc(p.flags, func(f setFlag) bool { return f.def.name == def.name })
}

// parsePasses reads a pipeline, which names no file if the program is somebody else's.
func (l *commandLine) parsePasses(spec string) (*pass.Pipeline, error) {
	if l.untrusted {
		return pass.ParseWithoutFiles(spec, l.Program.Passes)
	}
	return pass.Parse(spec, l.Program.Passes)
}

// mayName refuses a file that arguments name.
func (l *commandLine) mayName(path string) error {
	if !l.untrusted {
		return nil
	}
	return diag.Errorf(diag.Span{}, "arguments: {\"file\": %q} is refused with -untrusted: %s", path, trustIn(ofArgument, `{"file": ...}`).why).
		WithFix("write its values; or name the file on the command line, if it is the one argument")
}

// Held is what LLVM compiles in for -emit: a child in the sandbox, or nil for this process.
func (l *commandLine) Held() *contract.Process {
	if !l.untrusted {
		return nil
	}
	child := l.Process()
	return &child
}

// Process is how the process of native code is held in.
func (l *commandLine) Process() contract.Process {
	o := contract.Process{MustHold: l.untrusted}
	if n, _ := BytesOf(l.Str("mem-limit")); n > 0 {
		o.Memory = n
	}
	return o
}

// keepsReproducers reports that a crash writes one unasked: not into the folder of who runs what somebody else wrote.
func (l *commandLine) keepsReproducers() bool { return !l.untrusted || l.Str("reproduce") != "" }
