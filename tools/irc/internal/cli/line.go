package cli

import (
	"strings"

	"github.com/urfave/cli/v2"
)

// A commandLine is what the command line says, and the environment where that may say it too. Nothing of it changes
// once the command runs, and a flag that is not there has the value that the command gives it.
type commandLine struct {
	Program *Program
	Files   []string // arguments that are no flags

	cmd       *Command
	lib       *cli.Context
	untrusted bool // the program is somebody else's
}

// IsSet reports a flag that is on the command line.
func (l *commandLine) IsSet(name string) bool { return l.lib != nil && l.lib.IsSet(name) }

// Flag reads a boolean flag.
func (l *commandLine) Flag(name string) bool {
	if l.IsSet(name) {
		return l.lib.Bool(name)
	}
	return l.byDefault(name) == "true"
}

// Str reads a flag with a value.
func (l *commandLine) Str(name string) string {
	if l.IsSet(name) {
		return l.lib.String(name)
	}
	return l.byDefault(name)
}

// byDefault is what a flag of the command says when it is not given.
func (l *commandLine) byDefault(name string) string {
	if l.cmd == nil {
		return ""
	}
	if f := l.Program.flags.findFor(l.cmd, name); f != nil && strings.Contains(f.for_, l.cmd.Letter) {
		return f.def
	}
	return ""
}

// strs reads a flag that may be given several times.
func (l *commandLine) strs(name string) []string {
	if l.lib == nil {
		return nil
	}
	return l.lib.StringSlice(name)
}
