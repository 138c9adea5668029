package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/contract"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tools/irc/internal/emit"
	"github.com/urfave/cli/v2"
)

// kind says what values a flag takes.
type kind uint8

const (
	boolean kind = iota
	words
	list  // may be given several times
	whole // a whole number from 0
	bound // a whole number, or -1 for none
	maybe // words that may be left out with the "="
	size  // bytes, with K, M or G
	span  // a duration: 10s, 2m
	choice
)

// flagDef is one row of the table of flags.
type flagDef struct {
	name    string
	aliases []string
	kind    kind
	arg     string   // what stands for the value in help
	choices []string // of a choice; rows add theirs
	absent  []string // those of them that this version has not
	def     string   // default
	bare    string   // of a flag that may stand without "=": what it says then
	doc     string
	for_    string // the commands that take it, one letter each; see letters
}

// The letters of flagDef.for_.
const (
	onDriver  = "o"
	onRun     = "r"
	onDensity = "l"
	OnExplain = "e"
	onReduce  = "d"
	onLists   = "p" // passes, dialects
	OnDoctor  = "t" // doctor, version
	onHelp    = "h" // help, completion
	OnSets    = "s"
	OnCost    = "y" // complexity
	OnProve   = "v"
	onBisect  = "b"
	OnDraws   = "m" // summary
	OnSample  = "a"
	onAll     = "orledptshyvbma"
	onInput   = "orledyba" // whatever reads a program
	onPasses  = "oredyb"   // whatever runs -passes
	onModels  = "orlea"    // whatever may read a BUGS model
)

// asMLIR begins what is said of flags that command lines of mlir-opt have and that
// change nothing here.
const asMLIR = "read and left at that: "

// parts are the flags about what a program may be without.
var parts = map[string]func(*Program) bool{
	"tune": tunes, "tune-file": tunes,
	"time-kernels": func(p *Program) bool { return p.Clock != nil },
	"check-races":  checks("races"), "check-transfers": checks("transfers"), "check-kernels": checks("kernels"),
	"mcpu": lowers, "unchecked": lowers, "extern": lowers, "link": lowers, "package": lowers,
}

func tunes(p *Program) bool  { return p.Tuner != nil }
func lowers(p *Program) bool { return p.Lowering != nil }

func checks(name string) func(*Program) bool {
	return func(p *Program) bool {
		return slices.ContainsFunc(p.Checks, func(c *contract.Check) bool { return c.Name == name })
	}
}

// A flagTable has the flags of a Program.
type flagTable []flagDef

// flagTable is the table with what the rows of the program give to choose from.
func (p *Program) flagTable() flagTable {
	t := slices.DeleteFunc(slices.Clone(flags), func(f flagDef) bool {
		has, part := parts[f.name]
		return part && !has(p) || slices.Contains(ModelFlags, f.name) && !p.says(f.name)
	})
	for _, k := range p.Inputs {
		t.find("x").choose(k.Name, k.Missing != "")
		if f := t.find("dialect"); f != nil {
			for _, d := range k.Dialects {
				f.choose(d, false)
			}
		}
	}
	for _, k := range p.Engines {
		t.find("engine").choose(k.Name, false)
	}
	for _, k := range p.Emits {
		t.find("emit").choose(k.Name, false)
	}
	t.find("engine").def, t.find("emit").def, t.find("target").def = p.Engines[0].Name, p.Emits[0].Name, p.Targets[0].Name
	p.describe(t)
	return t
}

// describe completes what is said of the flags that choose a row.
func (p *Program) describe(t flagTable) {
	var engines, targets []string
	for _, k := range p.Engines {
		engines = append(engines, k.Doc+" ("+k.Name+")")
	}
	for _, x := range p.Targets {
		if x.Doc == "" {
			targets = append(targets, x.Name)
		} else {
			targets = append(targets, x.Name+" ("+x.Doc+")")
		}
	}
	fill := func(name string, args ...any) {
		if f := t.find(name); f != nil {
			f.doc = fmt.Sprintf(f.doc, args...)
		}
	}
	fill("engine", spelled(engines, "", "or"))
	fill("target", strings.Join(targets, ", "))
	fill("mcpu", p.gpu())
	emits := "what to write"
	for _, x := range []struct {
		holds     func(*emit.Kind) bool
		and, text string
	}{
		{func(k *emit.Kind) bool { return k.Kernels }, "and", "; %s write the kernels of the program"},
		{Draws, "or", "; of `explain -deps` %s"}, {Pages, "or", ", of `explain` with simplify-reductions or plan-buffers %s"},
	} {
		if names := p.emitNames(x.holds); names != nil {
			emits += fmt.Sprintf(x.text, spelled(names, "", x.and))
		}
	}
	fill("emit", emits)
}

// says reports a flag that says something about a kind of input.
func (p *Program) says(flag string) bool {
	return slices.ContainsFunc(p.Inputs, func(k *Input) bool { return slices.Contains(k.flags(), flag) })
}

// choose adds a value of a choice; one that is absent is in the contract, and not in
// this version.
func (f *flagDef) choose(name string, absent bool) {
	f.choices = append(slices.Clip(f.choices), name)
	if absent {
		f.absent = append(slices.Clip(f.absent), name)
	}
}

var flags = flagTable{
	{name: "passes", aliases: []string{"pass-pipeline", "p"}, kind: words, arg: "PIPELINE", for_: onInput, doc: "passes to run: `a,b{opt=v},repeat(c,d),func(e)`; see `irc passes`. Whatever compiles or interprets goes on with the lowering pipeline to its target, unless the last is llvm or interpret"},
	{name: "rules", kind: list, arg: "FILE", for_: onInput, doc: "apply the rewrite rules of FILE before -passes: rewrite{rules=FILE}. Each is proven at 1 to 4 bits first"},
	{name: "unproven", kind: boolean, for_: onInput, doc: "take the rules of -rules without a proof"},
	{name: "print-op-generic", aliases: []string{"mlir-print-op-generic"}, kind: boolean, for_: onDriver, doc: "write MLIR's generic form, between passes too"},
	{name: "emit", kind: choice, arg: "KIND", for_: onDriver + OnExplain, doc: "%s"},
	{name: "o", kind: words, arg: "FILE", for_: onInput + OnProve, doc: "write to FILE, completely or not at all; with an object file its header, FILE.h, over none but one of irc's"},
	{name: "x", kind: choice, arg: "KIND", for_: onInput, doc: "kind of the input, instead of by its extension"},
	{name: "data", kind: list, arg: "FILE", for_: onModels, doc: "data of a model or of equations: .json, .R, .csv or BUGS list(...)"},
	{name: "inits", kind: list, arg: "FILE", for_: onModels, doc: "initial values of a model"},
	{name: "D", kind: list, arg: "NAME=VALUE", for_: onModels + OnCost, doc: "a parameter; of `complexity` with the number of instances at these values, of `explain -loops` and `run -time-kernels` a size"},
	{name: "shapes", kind: words, arg: "FILE", for_: onModels, doc: "sizes and names of the data of a model that is compiled without -data"},
	{name: "dialect", kind: choice, arg: "LANG", for_: onModels, doc: "variant of the modelling language; without it BUGS, or JAGS for a model that only JAGS reads"},
	{name: "strict", kind: boolean, for_: onModels, doc: "keep to what the BUGS document accepts"},
	{name: "target", kind: words, arg: "TARGET", for_: onDriver + onRun + onDensity + OnExplain + OnSample, doc: "machine to compile for: %s, or a .json file that describes one (docs/targets.md)"},
	{name: "mcpu", kind: words, arg: "CPU", for_: onDriver + onRun + onDensity + OnSample, doc: "processor to compile for, by LLVM's name, or host (the default); what runs here must be one that this machine is; of %s sm_80 (the default), sm_90 ..."},
	{name: "engine", kind: choice, arg: "ENGINE", for_: onRun + onDensity + OnSample, doc: "what runs it: %s"},
	{name: "verbatim", kind: boolean, for_: onDriver + OnExplain, doc: "no folding, sharing or reordering: read and print exactly"},

	{name: "print-before", aliases: []string{"mlir-print-ir-before"}, kind: list, arg: "PASS", for_: onInput, doc: "show the IR before PASS"},
	{name: "print-before-all", aliases: []string{"mlir-print-ir-before-all"}, kind: boolean, for_: onInput, doc: "show the IR before each pass"},
	{name: "print-after", aliases: []string{"mlir-print-ir-after"}, kind: list, arg: "PASS", for_: onInput, doc: "show the IR after PASS"},
	{name: "print-after-all", aliases: []string{"mlir-print-ir-after-all"}, kind: boolean, for_: onInput, doc: "show the IR after each pass"},
	{name: "print-after-change", aliases: []string{"mlir-print-ir-after-change"}, kind: boolean, for_: onInput, doc: "show what each pass changed, as a diff of each function that it changed"},
	{name: "print-after-failure", aliases: []string{"mlir-print-ir-after-failure"}, kind: boolean, for_: onInput, doc: "show what a pass was given that failed, and nothing after other passes"},
	{name: "opt-bisect-limit", kind: bound, arg: "N", for_: onModels, doc: "do the first N steps of -passes alone, and say of each step whether it was done: a step is a pass on a function; -1 does all"},
	{name: "verify-each", kind: boolean, def: "true", for_: onInput, doc: "check the IR after each pass"},
	{name: "time-passes", aliases: []string{"mlir-timing"}, kind: boolean, for_: onInput, doc: "show how long each pass took"},
	{name: "stats", aliases: []string{"mlir-pass-statistics"}, kind: boolean, for_: onInput, doc: "show what each pass counted: how many functions it changed, and which rules fired how often"},
	{name: "print-op-stats", kind: boolean, for_: onDriver, doc: "count the ops of the result, on standard error"},
	{name: "dump-pass-pipeline", kind: boolean, for_: onModels, doc: "show all that runs as a pipeline with all options: given to -passes, it makes the same"},
	{name: "reproduce", aliases: []string{"mlir-pass-pipeline-crash-reproducer"}, kind: words, arg: "FILE", for_: onInput, doc: "where a crash writes its reproducer, and then a pass that fails too"},
	{name: "generate-reproducer", aliases: []string{"mlir-generate-reproducer"}, kind: words, arg: "FILE", for_: onDriver, doc: "write a reproducer of this run, whatever comes of it"},
	{name: "run-reproducer", kind: boolean, for_: onDriver, doc: "run the pipeline that a reproducer holds"},

	{name: "split-input-file", kind: maybe, arg: "MARKER", bare: text.SplitMarker, for_: onDriver, doc: "treat the parts between lines of a marker, // ----- if none is given, as files of their own"},
	{name: "output-split-marker", kind: words, arg: "MARKER", def: text.SplitMarker, for_: onDriver, doc: "what to write between these parts"},
	{name: "verify-roundtrip", kind: boolean, for_: onDriver, doc: "check that what is read, and what comes of it, is the same when it is printed and read again, in both forms"},
	{name: "verify-diagnostics", kind: boolean, for_: onDriver, doc: "compare diagnostics with `expected-error {{...}}` comments"},
	{name: "allow-unregistered-dialect", kind: boolean, for_: onPasses, doc: "accept ops of dialects that irc does not know"},
	{name: "print-debuginfo", aliases: []string{"mlir-print-debuginfo"}, kind: boolean, for_: onDriver, doc: "print locations"},
	{name: "elide-elementsattrs-if-larger", aliases: []string{"mlir-elide-elementsattrs-if-larger"}, kind: whole, arg: "N", for_: onDriver, doc: "print dense_resource<__elided__> for dense attributes of more than N elements"},
	{name: "disable-threading", aliases: []string{"mlir-disable-threading"}, kind: boolean, for_: onInput, doc: "use one core"},
	{name: "show-dialects", kind: boolean, for_: onDriver, doc: "list the dialects and stop"},

	{name: "entry", kind: words, arg: "NAME", for_: onRun, def: "main", doc: "function to run"},
	{name: "args", kind: words, arg: "FILE", for_: onRun, doc: "JSON array of its arguments, or a table, .csv or .parquet, that is the one argument; `-` is standard input"},
	{name: "extern", kind: list, arg: "NAMES", for_: onRun, doc: "functions of the C library, or of -link, that the program may call, with commas; it may call libm's without"},
	{name: "link", kind: list, arg: "LIB", for_: onRun, doc: "a shared library with functions for -extern: a path, or a name that the dynamic linker finds"},
	{name: "points", kind: words, arg: "FILE", for_: onDensity + onRun, doc: "evaluate at each point, or simulate given it: a JSON array, or CSV with one draw a line; -inits completes them"},
	{name: "values", kind: words, arg: "NAMES", for_: onDensity, doc: "logical nodes whose values to show, with commas; of -points in columns behind each density"},
	{name: "gradient", kind: maybe, arg: "WHAT", bare: theResult, for_: onRun, doc: "show also the derivatives by each argument: of the one result of floats or the sum of its elements, of result N, or of the sum of the elements that argument N, argN, holds at the end; of equations of the sum of the output WHAT"},
	{name: "jacobian", kind: words, arg: "OUT/IN", for_: onRun, doc: "show also the sparse Jacobian of OUT by IN, as triplets: OUT is result N, or argN at the end, and IN is argN, a float or memory of floats; of equations they are an output and an input. OUT/ may be left out where there is one float, or output"},
	{name: "hessian", kind: words, arg: "OUT/IN", for_: onRun, doc: "show also the sparse Hessian by IN of OUT, or of the sum of its elements, as -jacobian does"},
	{name: "gradient", kind: boolean, for_: onDensity, doc: "show the derivatives of the density by each parameter, or by each element of the vector on the unconstrained scale; of -points in columns behind each density"},
	{name: "fill-inits", kind: choice, arg: "HOW", choices: []string{"prior"}, for_: onDensity + onRun + OnSample, doc: "what to do about unobserved nodes without initial values"},
	{name: "scale", kind: choice, arg: "SCALE", choices: []string{"constrained", "unconstrained"}, def: "constrained", for_: onDensity + onDriver, doc: "scale of the density: of the parameters, or a sampler's target"},

	{name: "deps", kind: boolean, for_: OnExplain, doc: "the table of dependences between statements: declaration, ordinary, requirement, trigger, fresh, initializer, parameter"},

	{name: "loops", kind: boolean, for_: OnExplain, doc: "of each loop whether it is parallel, what became of it, and how long the target needs for it at least, at the sizes of -D"},

	{name: "check", kind: words, arg: "CMD", for_: onReduce + onBisect, doc: "shell command that fails on an input worth keeping, or on what a wrong step makes; {} is its file, $TMPDIR a folder of its own"},
	{name: "check", kind: boolean, for_: onLists, doc: "tell what the authors of dialects and passes got wrong: formats, names, levels, options, examples; exit status 1 if that is an error"},
	{name: "width", kind: words, arg: "N|M-N", def: "1-8", for_: OnProve, doc: "widths of integers at which a rule is to hold"},
	{name: "time-kernels", kind: boolean, for_: onRun, doc: "take the time of the outermost loops in native code, and show it on standard error, with -D for sizes beside what it is at least"},
	{name: "tune", kind: span, arg: "D", for_: onRun, doc: "search for so long for the sizes, which -passes leaves open, of loop-tile, poly-tile, vectorize and unroll-and-jam with which the program is fastest on its arguments"},
	{name: "tune-file", kind: words, arg: "FILE", for_: onRun, doc: "keep in FILE what -tune finds; without -tune run with what is there for this program, these passes and this target"},
	{name: "threads", kind: whole, arg: "N", for_: onRun + onDriver + onReduce + OnExplain, doc: "cores that share the iterations of a parallel loop. What runs here gets at most the processors of the process, and all of them unasked; what is written is for as many as asked, and for 1 unasked, whatever the machine. Of reduce, how many checks run at once, at most 4 a processor; 0 is as many as the process may use"},
	{name: "write", kind: words, arg: "PATH", for_: onLists, doc: "write the generated documentation"},

	{name: "fuel", kind: whole, arg: "N", for_: onInput + OnSets, doc: "most ops to interpret; 0 is no limit"},
	{name: "mem-limit", kind: size, arg: "BYTES", for_: onInput + OnSets + OnProve + OnDraws, doc: "most memory to use; K, M and G are understood"},
	{name: "timeout", kind: span, arg: "D", for_: onInput + OnSets + OnProve + OnDraws, doc: "give up after this long: 10s, 2m"},
	{name: "package", kind: words, arg: "NAME", for_: onDriver, doc: "the package that a program in a language with packages is of; without it one named after the input"},
	{name: "unchecked", kind: boolean, for_: onRun + onDensity + onDriver + OnSample, doc: "compile without bounds checks"},
	{name: "check-races", kind: boolean, for_: onRun, doc: "stop where two iterations of a parallel loop access one element, of which one writes; the interpreter runs the program then"},
	{name: "check-transfers", kind: boolean, for_: onRun, doc: "stop where a kernel accesses what was not moved to memory space 1, the device's, or the host what was not moved back, and count what moves; the interpreter runs the program then"},
	{name: "check-kernels", kind: boolean, for_: onRun, doc: "stop where threads of a kernel race, or read shared memory that nothing has written, and count what the kernels ask of memory: sectors, wavefronts, bank conflicts; the interpreter runs the program then"},
	{name: "seed", kind: whole, arg: "N", def: "1", for_: onInput, doc: "seed of everything random"},
	{name: "chains", kind: whole, arg: "N", def: "4", for_: OnSample, doc: "chains to run, on as many cores as there are"},
	{name: "warmup", kind: whole, arg: "N", def: "1000", for_: OnSample, doc: "iterations of each chain that adapt it and are no draws"},
	{name: "draws", kind: whole, arg: "N", def: "1000", for_: OnSample, doc: "draws to keep of each chain"},
	{name: "thin", kind: whole, arg: "N", def: "1", for_: OnSample, doc: "keep each Nth iteration"},
	{name: "max-depth", kind: whole, arg: "N", def: "10", for_: OnSample, doc: "most doublings of a trajectory, which then has 2^N - 1 steps"},
	{name: "target-accept", kind: words, arg: "P", def: "0.8", for_: OnSample, doc: "acceptance that the step size aims at: 0.95 where transitions diverge"},
	{name: "monitor", kind: words, arg: "NAMES", for_: OnDraws, doc: "quantities to show, with commas: mu, theta for all its elements, theta[2], or a pattern, th*"},
	{name: "draw", kind: boolean, for_: OnSets, doc: "an SVG picture of the answers: the points of sets, and maps as arrows between them"},
	{name: "json", kind: boolean, for_: onRun + onDensity + OnExplain + onLists + OnDoctor + OnSets + OnCost + OnProve + OnDraws + OnSample, doc: "machine-readable output"},

	{name: "mlir-print-local-scope", kind: boolean, for_: onPasses, doc: asMLIR + "attributes, types and locations are printed where they are used"},
	{name: "mlir-pretty-debuginfo", kind: boolean, for_: onDriver, doc: asMLIR + "locations have one form, which reads back"},
	{name: "mlir-pass-pipeline-local-reproducer", kind: boolean, for_: onPasses, doc: asMLIR + "a reproducer holds the pass that failed alone"},
	{name: "mlir-print-stacktrace-on-diagnostic", kind: boolean, for_: onPasses, doc: asMLIR + "a bug of irc shows its stack with -v"},
	{name: "mlir-print-op-on-diagnostic", kind: boolean, for_: onPasses, doc: asMLIR + "diagnostics show the source line"},
	{name: "mlir-timing-display", kind: choice, arg: "FORM", choices: []string{"list", "tree"}, for_: onPasses, doc: asMLIR + "-time-passes has one form"},
	{name: "mlir-pass-statistics-display", kind: choice, arg: "FORM", choices: []string{"list", "pipeline"}, for_: onPasses, doc: asMLIR + "-stats has one form"},

	{name: "untrusted", kind: boolean, for_: onAll, doc: "the program, its data and arguments are somebody else's: what would let them reach more than memory and time is refused, there are limits, and LLVM runs in the sandbox (docs/security.md). IRC_UNTRUSTED=1 in the environment says the same, and no flag takes it back"},
	{name: "v", aliases: []string{"verbose"}, kind: boolean, for_: onAll, doc: "say what is done and with what"},
}

// find finds a row by name or alias.
func (t flagTable) find(name string) *flagDef {
	for i := range t {
		if f := &t[i]; f.name == name || slices.Contains(f.aliases, name) {
			return f
		}
	}
	return nil
}

// findFor finds a row by name or alias: that of a command, where several have the name.
func (t flagTable) findFor(c *Command, name string) *flagDef {
	for i := range t {
		if f := &t[i]; c != nil && strings.Contains(f.for_, c.Letter) && (f.name == name || slices.Contains(f.aliases, name)) {
			return f
		}
	}
	return t.find(name)
}

// libraryFlag is the row as the flag library wants it. Lists are kept whole. What
// is given to the library has flags by their names alone (see permute).
func (f *flagDef) libraryFlag() cli.Flag {
	switch f.kind {
	case boolean:
		return named{&cli.BoolFlag{Name: f.name, Usage: f.doc, Value: f.def == "true"}, []string{f.name}}
	case list:
		return &cli.StringSliceFlag{Name: f.name, Usage: f.doc}
	}
	return named{&cli.StringFlag{Name: f.name, Usage: f.doc, Value: f.def}, []string{f.name}}
}

// named is a flag of the library that does not make its names anew, by a regular
// expression, each time that one flag is looked for among all.
type named struct {
	cli.Flag
	names []string
}

func (n named) Names() []string { return n.names }

// Draws reports a form that is a picture.
func Draws(k *emit.Kind) bool { return k.Draw != nil }

// Pages reports a form that is a page of SVG.
func Pages(k *emit.Kind) bool { return k.Pages }
