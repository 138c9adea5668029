package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/urfave/cli/v2"
)

// A Command is one row of the table of commands.
type Command struct {
	Name     string // as it is written; of the driver, as the library knows it
	Letter   string // of the flags that it takes, as flagDef.for_ has it; see the letters
	Args     string
	Usage    string
	Long     string
	Details  func() string // goes on with that; nil: nothing
	Examples []string      // each runs in a test, in a folder with the files that it names
	Files    [2]int        // least and most files; -1 is any number
	Run      func(*Session) error
	absent   bool // the contract has it and this irc has not: no help names it
}

// isDriver reports what runs when no command is named.
func (c *Command) isDriver() bool { return c.Letter == onDriver }

// title is the name as one writes it, with a space after it.
func (c *Command) title() string {
	if c == nil || c.isDriver() {
		return ""
	}
	return c.Name + " "
}

// commandTable lists the commands, the driver first: those that every irc has, and those of the program.
func (p *Program) commandTable() []*Command {
	first := []*Command{
		{Name: "opt", Letter: onDriver, Args: "FILE|-", Usage: "read, run -passes, write", Files: [2]int{1, 1}, Run: optimize,
			Long:     "The optimizer driver, which is also what runs when no command is named.",
			Examples: []string{"irc sum.mlir", "irc -passes=canonicalize sum.mlir"}},
		{Name: "run", Letter: onRun, Args: "FILE", Usage: "compile and execute a program; simulate a BUGS model forward", Files: [2]int{1, 1}, Run: runProgram,
			Long:     "Of a BUGS model it draws what the data leave open, in dependence order, and prints every node as JSON. Nodes with initial values (-inits) keep them, and the rest is drawn given those.",
			Examples: []string{"irc run sum.mlir -args=args.json", "irc run -gradient rosenbrock.mlir -args=point.json", "irc run -jacobian=arg1/arg0 stencil.mlir -args=stencil.json"}},
		{Name: "logdensity", Letter: onDensity, Args: "MODEL", Usage: "joint log density of a BUGS model at given points", Files: [2]int{1, 1}, Run: logDensity,
			absent: !slices.ContainsFunc(p.Inputs, func(k *Input) bool { return k.Model != nil })},
	}
	return slices.Concat(first, p.Commands, []*Command{
		{Name: "reduce", Letter: onReduce, Args: "FILE", Usage: "shrink an input while the command of -check still fails", Files: [2]int{1, 1}, Run: reduceFile,
			Examples: []string{"irc reduce -check='! grep -q muli {}' sum.mlir"}},
		{Name: "bisect", Letter: onBisect, Args: "FILE", Usage: "find the pass, and the function, with which -passes go wrong", Files: [2]int{1, 1}, Run: bisectFile,
			Long: "A step is a pass on a function; `irc -opt-bisect-limit=N` does the first N. What they make is given to the command of -check, which fails (exit status not 0) where it is wrong. " +
				"It must fail after all steps and not before the first. Without -check a step is looked for that fails itself.",
			Examples: []string{"irc bisect -passes=canonicalize,inline,unroll -check='grep -q call {}' sum.mlir"}},
		{Name: "passes", Letter: onLists, Usage: "the passes, with options, examples and reasons", Files: [2]int{0, 1}, Args: "[NAME]", Run: listPasses, Details: vettedPasses,
			Examples: []string{"irc passes", "irc passes canonicalize", "irc passes -json", "irc passes -check"}},
		{Name: "dialects", Letter: onLists, Args: "[NAME]", Usage: "the dialects; of one, which ops parse, verify, run and compile", Files: [2]int{0, 1}, Run: listDialects, Details: vettedDialects,
			Examples: []string{"irc dialects", "irc dialects arith", "irc dialects -json", "irc dialects -check"}},
		{Name: "version", Letter: OnDoctor, Usage: "the version of irc", Run: version, Examples: []string{"irc version"}},
		{Name: "completion", Letter: onHelp, Args: "SHELL", Usage: "a completion script for bash, zsh or fish", Files: [2]int{1, -1}, Run: completion,
			Long: "In ~/.bashrc, or in ~/.zshrc after compinit: source <(irc completion bash), <(irc completion zsh). Of fish: irc completion fish > ~/.config/fish/completions/irc.fish. " +
				"The scripts ask `irc completion SHELL -- WORD...` what may stand in place of the last word.",
			Examples: []string{"irc completion bash", "irc completion bash -- run -engine="}},
		{Name: "help", Letter: onHelp, Args: "[COMMAND]", Usage: "this, or the help of a command", Files: [2]int{0, 1}, Run: help},
	})
}

// driver is what runs when no command is named.
func (p *Program) driver() *Command { return p.commands[0] }

func (p *Program) findCommand(name string) *Command {
	for _, c := range p.commands[1:] {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// present are the commands that work, without the driver.
func (p *Program) present() []*Command {
	return lists.Filter(p.commands[1:], func(c *Command) bool { return !c.absent })
}

func (p *Program) commandNames() []string {
	return lists.Map(p.present(), func(c *Command) string { return c.Name })
}

// Examples lists the command lines that the help texts show.
func (p *Program) Examples() (out []string) {
	p = p.complete()
	for _, c := range append([]*Command{p.driver()}, p.present()...) {
		out = append(out, p.examples(c)...)
	}
	return out
}

// examples are those of a command, of which the rows have some.
func (p *Program) examples(c *Command) []string {
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
	out := slices.Clone(c.Examples)
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
func (c *Command) start(s *Session) error {
	if c.absent {
		return Usagef("`irc -help` lists the commands that work", "`irc %s` is not in this version of irc", c.Name)
	}
	return c.Run(s)
}

// checkFiles looks at the number of arguments that are no flags.
func (c *Command) checkFiles(prog *Program, files []string) error {
	if n := c.Files[1]; n >= 0 && len(files) > n {
		stray := files[n]
		if c.isDriver() && len(files) == 2 {
			if near := diag.Nearest(files[0], prog.commandNames()); near != "" && !Exists(files[0]) {
				return Usagef("did you mean `irc "+near+"`?", "unknown command %q", files[0])
			}
		}
		return Usagef(c.synopsis(), "stray argument %q", stray)
	}
	if len(files) < c.Files[0] {
		return Usagef(c.synopsis()+"; `-` is standard input, `irc -help` says more", "no %s is given", strings.TrimSuffix(c.Args, "|-"))
	}
	if c.isDriver() && len(files) == 1 && files[0] != "-" && !Exists(files[0]) {
		if near := diag.Nearest(files[0], prog.commandNames()); near != "" {
			return Usagef("did you mean the command `irc "+near+"`?", "no file or command is called %q", files[0])
		}
	}
	return nil
}

// Exists reports a file or folder.
func Exists(path string) bool { _, err := os.Stat(path); return err == nil }

func (c *Command) synopsis() string {
	return strings.TrimSpace(fmt.Sprintf("usage: irc %s[options] %s", c.title(), c.Args))
}

// app makes the flag library's application of one command; action gets the
// library's context. The library is told of the flags that are given alone: it goes
// through all that it knows for each.
func app(s *Session, line *parsed, action func(*cli.Context) error) *cli.App {
	c := line.cmd
	return &cli.App{Name: "irc", Writer: s.Stdout, ErrWriter: s.Stderr, HideVersion: true, HideHelp: true,
		DisableSliceFlagSeparator: true, ExitErrHandler: func(*cli.Context, error) {},
		Commands: []*cli.Command{{Name: c.Name, Usage: c.Usage, HideHelp: true, Flags: line.libraryFlags(), Action: action}}}
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
