package cli

import (
	"fmt"
	"slices"
	"strings"
)

// trust says what becomes of something with -untrusted.
type trust string

const (
	allowed trust = "allowed"
	refused trust = "refused"
	limited trust = "limited"
)

// A trusted is a row of what a command line may say, and of what may stand in the files that it names.
type trusted struct {
	kind, name string // of kind flag a name of flags, of command one of commands, and so on
	untrusted  trust
	why        string
	unasked    string // of a flag with a bound: its value when it is not given
	most       string // and the largest
}

// Kinds of rows.
const (
	ofCommand  = "command"
	ofFlag     = "flag"
	ofInput    = "kind of input"
	ofForm     = "form of -emit"
	ofEngine   = "engine"
	ofArgument = "argument"
	ofPass     = "option of a pass"
	ofMachine  = "target"
)

// driverName is what the driver is called in the table.
const driverName = "(none)"

// trustTable has a row for each command, flag, kind of input, form, engine and target, for each form that an argument may
// have, and for each option of a pass that names a file. Who adds one of them decides about it here: a test fails else.
var trustTable = slices.Concat(
	rowsOf(ofCommand, allowed, "", driverName, "run", "logdensity", "sample", "explain", "sets", "complexity", "prove"),
	rowsOf(ofCommand, allowed, "reads no program", "summary", "passes", "dialects", "doctor", "version", "completion", "help"),
	rowsOf(ofCommand, refused, "runs a command of the shell again and again", "reduce", "bisect"),

	rowsOf(ofInput, allowed, "", "ir", "bugs", "eq"),
	rowsOf(ofForm, allowed, "", "ir", "generic", "c", "c{freestanding=true}", "go", "dot", "svg"),
	rowsOf(ofForm, limited, "LLVM runs in the sandbox", "llvm", "asm", "obj", "ptx", "nvvm"),
	rowsOf(ofForm, refused, "a linker is in no sandbox", "so"),
	rowsOf(ofEngine, allowed, "", "auto", "eval"),
	[]trusted{{ofEngine, "llvm", limited, "runs only where the sandbox and the limits hold", "", ""},
		{ofEngine, "cuda", refused, "the driver of a GPU is in no sandbox", "", ""},
		{ofMachine, "host", allowed, "", "", ""},
		{ofMachine, "nvptx64", limited, "where -emit writes kernels", "", ""},
		{ofMachine, "interpreter", refused, "the target is fixed", "", ""},
		{ofMachine, "FILE.json", refused, "the target is fixed", "", ""}},

	rowsOf(ofArgument, allowed, "", "JSON array", "FILE.csv of -args", "FILE.parquet of -args", "- (standard input)"),
	[]trusted{{ofArgument, `{"file": ...}`, refused, "what stands in arguments names no file", "", ""},
		{ofPass, "poly-schedule from", refused, "a pipeline names no file", "", ""}, {ofPass, "rewrite rules", refused, "a pipeline names no file", "", ""},
		{ofPass, "saturate files", refused, "a pipeline names no file", "", ""}},

	rowsOf(ofFlag, refused, "code that the sandbox does not hold, or does not check", "extern", "link", "unchecked"),
	rowsOf(ofFlag, refused, "the target is fixed", "target", "mcpu"),
	rowsOf(ofFlag, refused, "passes stand on the command line", "run-reproducer", "tune-file"),
	rowsOf(ofFlag, refused, "a command of the shell", "check"),
	rowsOf(ofFlag, refused, "is for the developers of irc", "write"),
	[]trusted{{ofFlag, "timeout", limited, "the clock", "10s", "60s"},
		{ofFlag, "mem-limit", limited, "of irc, and of each process that it starts", "1G", "4G"},
		{ofFlag, "threads", limited, "the processors of the process, of what runs here", "", ""},
		{ofFlag, "passes", limited, "no option names a file", "", ""},
		{ofFlag, "args", limited, "what stands in the file names no other", "", ""},
		{ofFlag, "emit", limited, "LLVM runs in the sandbox", "", ""},
		{ofFlag, "engine", limited, "see engines", "", ""},
		{ofFlag, "untrusted", limited, "can be given, and not be taken back", "", ""}},
	rowsOf(ofFlag, allowed, "a file that you name", "o", "rules", "data", "inits", "shapes", "points", "reproduce", "generate-reproducer"),
	rowsOf(ofFlag, allowed, "", "fuel", "print-op-generic", "x", "D", "dialect", "strict", "verbatim", "print-before", "print-before-all", "print-after", "print-after-all",
		"print-after-change", "print-after-failure", "opt-bisect-limit", "unproven", "verify-each", "time-passes", "stats", "print-op-stats", "dump-pass-pipeline", "split-input-file",
		"output-split-marker", "verify-roundtrip", "verify-diagnostics", "allow-unregistered-dialect", "print-debuginfo", "elide-elementsattrs-if-larger",
		"disable-threading", "show-dialects", "entry", "values", "gradient", "jacobian", "hessian", "fill-inits", "scale", "deps", "loops", "time-kernels", "tune", "package", "check-races",
		"check-transfers", "check-kernels", "seed", "draw", "monitor", "chains", "warmup", "draws", "thin", "max-depth", "target-accept", "width", "json", "mlir-print-local-scope", "mlir-pretty-debuginfo", "mlir-pass-pipeline-local-reproducer",
		"mlir-print-stacktrace-on-diagnostic", "mlir-print-op-on-diagnostic", "mlir-timing-display", "mlir-pass-statistics-display", "v"),
)

func rowsOf(kind string, untrusted trust, why string, names ...string) (out []trusted) {
	for _, name := range names {
		out = append(out, trusted{kind: kind, name: name, untrusted: untrusted, why: why})
	}
	return out
}

// trustIn is the row of something; nil of what has none.
func trustIn(kind, name string) *trusted {
	for i := range trustTable {
		if t := &trustTable[i]; t.kind == kind && t.name == name {
			return t
		}
	}
	return nil
}

// UntrustedTable is the table as docs/security.md has it: a row for each kind, answer and reason.
func UntrustedTable() string {
	var b strings.Builder
	b.WriteString("| | with `-untrusted` | which | why |\n|---|---|---|---|\n")
	for i := 0; i < len(trustTable); {
		first, names := trustTable[i], []string{}
		for ; i < len(trustTable) && trustTable[i].sameRow(first); i++ {
			name := trustTable[i].name
			if first.kind == ofFlag {
				name = "-" + name
			}
			names = append(names, "`"+name+"`")
		}
		why := first.why
		if first.most != "" {
			why += fmt.Sprintf(": %s unasked, at most %s", first.unasked, first.most)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", first.kind, first.untrusted, strings.Join(names, " "), why)
	}
	return b.String()
}

func (t trusted) sameRow(o trusted) bool { o.name = t.name; return t == o }

// Undecided lists what the program has and the table has not, and rows of the table that are about nothing.
func Undecided(p *Program) (out []string) {
	p = p.complete()
	there := map[[2]string]bool{}
	for _, c := range p.commands {
		name := c.Name
		if c.isDriver() {
			name = driverName
		}
		there[[2]string{ofCommand, name}] = true
	}
	for _, f := range p.flags {
		there[[2]string{ofFlag, f.name}] = true
	}
	for _, k := range p.Inputs {
		there[[2]string{ofInput, k.Name}] = true
	}
	for _, k := range p.Emits {
		there[[2]string{ofForm, k.Name}] = true
	}
	for _, k := range p.Engines {
		there[[2]string{ofEngine, k.Name}] = true
	}
	for _, t := range p.Targets {
		there[[2]string{ofMachine, t.Name}] = true
	}
	there[[2]string{ofMachine, "FILE.json"}] = true
	for _, form := range argumentForms {
		there[[2]string{ofArgument, form}] = true
	}
	for _, info := range p.Passes {
		for _, o := range info.Options() {
			if o.File {
				there[[2]string{ofPass, info.Name + " " + o.Name}] = true
			}
		}
	}
	for what := range there {
		if trustIn(what[0], what[1]) == nil {
			out = append(out, what[0]+" "+what[1]+" has no row")
		}
	}
	for _, t := range trustTable {
		if !there[[2]string{t.kind, t.name}] {
			out = append(out, "there is no "+t.kind+" "+t.name)
		}
	}
	slices.Sort(out)
	return out
}
