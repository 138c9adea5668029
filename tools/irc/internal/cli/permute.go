package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/pass/mliropt"
)

// A usageError is a mistake on the command line: exit status 2.
type usageError struct{ msg, help string }

func (e *usageError) Error() string {
	if e.help == "" {
		return e.msg
	}
	return e.msg + "\nhelp: " + e.help
}

// Usagef makes a mistake on the command line, with what to do about it.
func Usagef(help, format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...), help}
}

// parsed is a command line in order.
type parsed struct {
	cmd   *Command
	flags []setFlag
	files []string
}

// argv is what the flag library gets.
func (p *parsed) argv() []string {
	out := []string{"irc", p.cmd.Name}
	for _, f := range p.flags {
		out = append(out, "--"+f.def.name+"="+f.value)
	}
	return append(append(out, "--"), p.files...)
}

// setFlag is a flag as it was written.
type setFlag struct {
	def         *flagDef
	value, name string
}

// permute sorts arguments into command, flags and files. The first argument
// that is no flag names the command if there is one of that name; after `--`
// all are files.
func permute(args []string, prog *Program) (*parsed, error) {
	p := &parsed{}
	of := prog.helpFor(args) // the command that the flags are of, which may stand behind them
	var single []string      // passes that are written as flags
	var flags []setFlag
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			p.files = append(p.files, args[i+1:]...)
			i = len(args)
			continue
		case a == "-" || !strings.HasPrefix(a, "-"):
			if c := prog.findCommand(a); c != nil && p.cmd == nil && len(p.files) == 0 {
				p.cmd = c
			} else {
				p.files = append(p.files, a)
			}
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(a[1:], "-"), "=")
		if p := prog.aboutItself(name, args); p != nil {
			return p, nil
		}
		def := prog.flags.findFor(of, name)
		if def == nil && strings.HasPrefix(name, "D") && hasValue { // -DN=100
			def, value = prog.flags.find("D"), name[1:]+"="+value
		}
		switch {
		case def == nil && prog.Passes.Find(name) == nil && !mliropt.IsNothing(name):
			return nil, unknownFlag(a, name, prog)
		case def == nil:
			single = append(single, spelt(name, value))
			continue
		case hasValue:
		case def.bare != "":
			value = def.bare
		case def.kind == boolean:
			value = "true"
		case i+1 == len(args) || prog.isFlag(args[i+1]):
			return nil, Usagef("write -"+def.name+"="+def.arg, "flag -%s has no value", name)
		default:
			i++
			value = args[i]
		}
		flags = append(flags, setFlag{def, value, name})
	}
	if p.cmd == nil {
		p.cmd = prog.driver()
	}
	flags, err := joined(flags, single, prog.flags)
	if err != nil {
		return nil, err
	}
	return p, p.take(flags)
}

// isFlag reports an argument that is a flag of this irc, and no value of the one before it.
func (prog *Program) isFlag(arg string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-"), "=")
	return strings.HasPrefix(arg, "-") && prog.flags.find(name) != nil
}

// aboutItself is what -help and -version ask for; nil of other flags.
func (prog *Program) aboutItself(name string, args []string) *parsed {
	switch name {
	case "h", "help":
		p := &parsed{cmd: prog.findCommand("help")}
		if c := prog.helpFor(args); c != nil {
			p.files = []string{c.Name}
		}
		return p
	case "version":
		return &parsed{cmd: prog.findCommand("version")}
	}
	return nil
}

// joined makes one -passes of the passes that are written as flags.
func joined(flags []setFlag, single []string, table flagTable) ([]setFlag, error) {
	if len(single) == 0 {
		return flags, nil
	}
	if slices.ContainsFunc(flags, func(g setFlag) bool { return g.def.name == "passes" }) {
		return nil, Usagef("write all of them in one -passes=a,b or each as a flag, -a -b", "-passes and single passes do not go together")
	}
	return append(flags, setFlag{table.find("passes"), strings.Join(single, ","), single[0]}), nil
}

// spelt is a pass that is written as a flag, -name="opt=v opt2=w", as -passes has it.
func spelt(name, options string) string {
	if options == "" {
		return name
	}
	return name + "{" + options + "}"
}

// take checks the flags.
func (p *parsed) take(flags []setFlag) error {
	for _, f := range flags {
		if !strings.Contains(f.def.for_, p.cmd.Letter) {
			return Usagef("`irc "+p.cmd.title()+"-help` lists its flags", "flag -%s is not one of `irc %s`", f.name, strings.TrimSpace(p.cmd.title()))
		}
		if err := f.def.check(f.value); err != nil {
			return err
		}
	}
	p.flags = flags
	return nil
}

// helpFor finds the command that flags are of, before or after it.
func (p *Program) helpFor(args []string) *Command {
	for _, a := range args {
		if c := p.findCommand(a); c != nil {
			return c
		}
	}
	return nil
}

func unknownFlag(arg, name string, prog *Program) error {
	if advice := mliropt.Advice(name); advice != "" {
		return Usagef(advice, "unknown flag %s", arg)
	}
	names := append([]string{"help", "version"}, prog.Passes.Names()...)
	for _, f := range prog.flags {
		names = append(append(names, f.name), f.aliases...)
	}
	slices.Sort(names)
	if near := diag.Nearest(name, names); near != "" {
		return Usagef("did you mean -"+near+"?", "unknown flag %s", arg)
	}
	for _, n := range names {
		if strings.HasSuffix(n, "-"+name) {
			return Usagef("did you mean -"+n+"?", "unknown flag %s", arg)
		}
	}
	return Usagef("`irc -help` lists the flags; passes are written -passes=a,b", "unknown flag %s", arg)
}

// check looks at the value of a flag.
func (f *flagDef) check(value string) error {
	wants := ""
	switch f.kind {
	case boolean:
		if _, err := strconv.ParseBool(value); err != nil {
			wants = "true or false"
		}
	case whole:
		if _, err := strconv.ParseInt(value, 10, 63); err != nil || strings.HasPrefix(value, "-") {
			wants = "a whole number from 0"
		}
	case bound:
		if n, err := strconv.Atoi(value); err != nil || n < -1 {
			wants = "a whole number from 0, or -1"
		}
	case size:
		if _, err := BytesOf(value); err != nil {
			wants = "a number of bytes such as 500M or 2G"
		}
	case span:
		if d, err := time.ParseDuration(value); err != nil || d < 0 {
			wants = "a duration such as 10s or 2m"
		}
	case choice:
		return f.checkChoice(value)
	case words:
		if value == "" && f.name != "passes" && f.name != "output-split-marker" {
			wants = "a " + f.arg
		}
	}
	if wants != "" {
		return Usagef("", "flag -%s wants %s, not %q", f.name, wants, value)
	}
	return nil
}

func (f *flagDef) checkChoice(value string) error {
	if slices.Contains(f.absent, value) {
		return Usagef("what there is: "+f.choiceList(), "-%s=%s is not in this version of irc", f.name, value)
	}
	if slices.Contains(f.choices, value) {
		return nil
	}
	if near := diag.Nearest(value, f.choices); near != "" {
		return Usagef(fmt.Sprintf("did you mean -%s=%s?", f.name, near), "-%s has no value %q", f.name, value)
	}
	return Usagef("it is one of "+f.choiceList(), "-%s has no value %q", f.name, value)
}

func (f *flagDef) choiceList() string {
	out := lists.Filter(f.choices, func(c string) bool { return !slices.Contains(f.absent, c) })
	return strings.Join(out, ", ")
}

// BytesOf reads a size: a number with an optional K, M or G (of 1024).
func BytesOf(s string) (int64, error) {
	shift := 0
	if n := len(s); n > 0 {
		if i := strings.IndexByte("KMG", s[n-1]&^0x20); i >= 0 {
			s, shift = s[:n-1], 10*(i+1)
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return 0, fmt.Errorf("bad size %q", s)
	}
	return n << shift, nil
}
