package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/urfave/cli/v2"
)

// command is one row of the table of commands.
type command struct {
	name     string // as it is written; of the driver, as the library knows it
	letter   string // in flagDef.for_
	args     string
	usage    string
	long     string
	more     func() string // goes on with that; nil: nothing
	examples []string      // each runs in a test, in a folder with the files that it names
	files    [2]int        // least and most files; -1 is any number
	run      func(*session) error
	absent   bool // the contract has it and this irc has not: no help names it
}

// isDriver reports what runs when no command is named.
func (c *command) isDriver() bool { return c.letter == onDriver }

// title is the name as one writes it, with a space after it.
func (c *command) title() string {
	if c == nil || c.isDriver() {
		return ""
	}
	return c.name + " "
}

// commandTable lists the commands, the driver first.
func (p *Program) commandTable() []*command {
	return []*command{
		{name: "opt", letter: onDriver, args: "FILE|-", usage: "read, run -passes, write", files: [2]int{1, 1}, run: optimize,
			long:     "The optimizer driver, which is also what runs when no command is named.",
			examples: []string{"irc sum.mlir", "irc -passes=canonicalize,inline sum.mlir"}},
		{name: "run", letter: onRun, args: "FILE", usage: "compile and execute a program; simulate a BUGS model forward", files: [2]int{1, 1}, run: runProgram,
			long:     "Of a BUGS model it draws what the data leave open, in dependence order, and prints every node as JSON. Nodes with initial values (-inits) keep them, and the rest is drawn given those.",
			examples: []string{"irc run sum.mlir -args=args.json"}},
		{name: "logdensity", letter: onDensity, args: "MODEL", usage: "joint log density of a BUGS model at given points", files: [2]int{1, 1}, run: logDensity,
			absent: !slices.ContainsFunc(p.Inputs, func(k *Input) bool { return k.Model != nil })},
		{name: "explain", letter: onExplain, args: "FILE", usage: "where each op stands and why, what was shared, what each pass did", files: [2]int{1, 1}, run: explainProgram,
			examples: []string{"irc explain sum.mlir", "irc explain -passes=inline -json sum.mlir", "irc explain -deps sum.mlir", "irc explain -loops sum.mlir"}},
		{name: "sets", letter: onSets, args: "FILE|-", usage: "calculator for integer sets", files: [2]int{0, 1}, run: sets,
			more:     setsHelp,
			examples: []string{"irc sets sets.txt", "irc sets -json sets.txt", "irc sets -draw sets.txt >sets.svg"}},
		{name: "complexity", letter: onCost, args: "FILE", usage: "asymptotic cost of each statement", files: [2]int{1, 1}, run: complexity,
			long: "A line a statement of equations, or of a poly.system: its name, the leading terms of the number of its instances, in the parameters of the program, and its domain; then those of all together. " +
				"With -passes before and after them, with -D also the number of instances at these sizes.",
			examples: []string{"irc complexity prefix.eq", "irc complexity -json prefix.eq", "irc complexity -D N=1000 prefix.eq", "irc complexity -passes=poly-schedule prefix.eq"}},
		{name: "reduce", letter: onReduce, args: "FILE", usage: "shrink an input while the command of -check still fails", files: [2]int{1, 1}, run: reduceFile,
			examples: []string{"irc reduce -check='! grep -q muli {}' sum.mlir"}},
		{name: "passes", letter: onLists, usage: "the passes, with options, examples and reasons", files: [2]int{0, 1}, args: "[NAME]", run: listPasses,
			examples: []string{"irc passes", "irc passes inline", "irc passes -json"}},
		{name: "dialects", letter: onLists, args: "[NAME]", usage: "the dialects; of one, which ops parse, verify, run and compile", files: [2]int{0, 1}, run: listDialects,
			examples: []string{"irc dialects", "irc dialects arith", "irc dialects -json"}},
		{name: "doctor", letter: onDoctor, usage: "what was found on this machine and what it is needed for", run: doctor,
			examples: []string{"irc doctor", "irc doctor -json"}},
		{name: "version", letter: onDoctor, usage: "the version of irc", run: version, examples: []string{"irc version"}},
		{name: "completion", letter: onHelp, args: "SHELL", usage: "a completion script for bash, zsh or fish", files: [2]int{1, -1}, run: completion,
			long: "In ~/.bashrc, or in ~/.zshrc after compinit: source <(irc completion bash), <(irc completion zsh). Of fish: irc completion fish > ~/.config/fish/completions/irc.fish. " +
				"The scripts ask `irc completion SHELL -- WORD...` what may stand in place of the last word.",
			examples: []string{"irc completion bash", "irc completion bash -- run -engine="}},
		{name: "help", letter: onHelp, args: "[COMMAND]", usage: "this, or the help of a command", files: [2]int{0, 1}, run: help},
	}
}

// driver is what runs when no command is named.
func (p *Program) driver() *command { return p.commands[0] }

func (p *Program) findCommand(name string) *command {
	for _, c := range p.commands[1:] {
		if c.name == name {
			return c
		}
	}
	return nil
}

// present are the commands that work, without the driver.
func (p *Program) present() (out []*command) {
	for _, c := range p.commands[1:] {
		if !c.absent {
			out = append(out, c)
		}
	}
	return out
}

func (p *Program) commandNames() (out []string) {
	for _, c := range p.present() {
		out = append(out, c.name)
	}
	return out
}

// Examples lists the command lines that the help texts show.
func (p *Program) Examples() (out []string) {
	p = p.complete()
	for _, c := range append([]*command{p.driver()}, p.present()...) {
		out = append(out, p.examples(c)...)
	}
	return out
}

// examples are those of a command, of which the rows have some.
func (p *Program) examples(c *command) []string {
	var rows []string
	for _, k := range p.Emits {
		rows = append(rows, k.Examples...)
	}
	for _, k := range p.Engines {
		rows = append(rows, k.Examples...)
	}
	for _, k := range p.Inputs {
		rows = append(rows, k.Examples...)
	}
	out := slices.Clone(c.examples)
	for _, line := range rows {
		of := p.findCommand(strings.Fields(line)[1])
		if of == nil {
			of = p.driver()
		}
		if of == c {
			out = append(out, line)
		}
	}
	return out
}

// start runs the command, if this irc has it.
func (c *command) start(s *session) error {
	if c.absent {
		return usagef("`irc -help` lists the commands that work", "`irc %s` is not in this version of irc", c.name)
	}
	return c.run(s)
}

// checkFiles looks at the number of arguments that are no flags.
func (c *command) checkFiles(prog *Program, files []string) error {
	if n := c.files[1]; n >= 0 && len(files) > n {
		stray := files[n]
		if c.isDriver() && len(files) == 2 {
			if near := diag.Nearest(files[0], prog.commandNames()); near != "" && !exists(files[0]) {
				return usagef("did you mean `irc "+near+"`?", "unknown command %q", files[0])
			}
		}
		return usagef(c.synopsis(), "stray argument %q", stray)
	}
	if len(files) < c.files[0] {
		return usagef(c.synopsis()+"; `-` is standard input, `irc -help` says more", "no %s is given", strings.TrimSuffix(c.args, "|-"))
	}
	if c.isDriver() && len(files) == 1 && files[0] != "-" && !exists(files[0]) {
		if near := diag.Nearest(files[0], prog.commandNames()); near != "" {
			return usagef("did you mean the command `irc "+near+"`?", "no file or command is called %q", files[0])
		}
	}
	return nil
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }

func (c *command) synopsis() string {
	return strings.TrimSpace(fmt.Sprintf("usage: irc %s[options] %s", c.title(), c.args))
}

// app makes the flag library's application of one command; action gets the
// library's context. The library is told of the flags that are given alone: it goes
// through all that it knows for each.
func app(s *session, line *parsed, action func(*cli.Context) error) *cli.App {
	c := line.cmd
	return &cli.App{Name: "irc", Writer: s.stdout, ErrWriter: s.stderr, HideVersion: true, HideHelp: true,
		DisableSliceFlagSeparator: true, ExitErrHandler: func(*cli.Context, error) {},
		Commands: []*cli.Command{{Name: c.name, Usage: c.usage, HideHelp: true, Flags: line.libraryFlags(), Action: action}}}
}

func (p *parsed) libraryFlags() []cli.Flag {
	var out []cli.Flag
	var rows []*flagDef
	for _, f := range p.flags {
		if !slices.Contains(rows, f.def) {
			rows = append(rows, f.def)
			out = append(out, f.def.libraryFlag())
		}
	}
	return out
}
