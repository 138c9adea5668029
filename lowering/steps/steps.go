// Package steps is the table of the lowering pipelines: which pass runs on the way to which kind of target, in which
// order, and why there.
package steps

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/target"
)

// A Kind is what kind of target a program is taken down to.
type Kind int

// The lowering pipelines, a bit each.
const (
	Processor    Kind = 1 << iota // a processor with irc's own vectors of functions
	Bare                          // a processor without a library of functions
	Unrounded                     // the same, and without instructions that round to integers
	Graphics                      // the kernels of a GPU
	Interpreted                   // the interpreter, for a program that runs often
	Once                          // the interpreter, for a program that runs once
	Compiler                      // C or Go, which another compiler takes on
	Freestanding                  // C without a library

	bare       = Bare | Unrounded
	processors = Processor | bare
	compilers  = Compiler | Freestanding
	hosts      = processors | Interpreted | compilers
	all        = hosts | Once
)

// Kinds names the columns of the table.
var Kinds = []struct {
	Kind
	Name string
}{
	{Processor, "processor"}, {Bare, "without `library`"}, {Unrounded, "nor roundings"}, {Compiler, "`-emit=c`, `-emit=go`"}, {Freestanding, "`-emit=c{freestanding=true}`"}, {Interpreted, "interpreter"}, {Once, "interpreter, one run"}, {Graphics, "GPU"},
}

// A Step is a row of the lowering pipeline: a pass, where on the ways to which targets it runs, and why there.
// It has either After or None, and tests/order holds both.
type Step struct {
	Pass  string // as -passes takes it
	On    Kind
	Why   string
	After string // a step above: before that, it would fail or leave a larger or slower program
	None  string // why it may stand before all steps above: they leave the same program then
}

// RunsFor says whether the step is on the way to a target.
func (s Step) RunsFor(t *target.Target) bool { return s.On&kindOf(t) != 0 }

// All are all lowering pipelines: each is the steps that are on it, in this order.
var All = []Step{
	{"lower{to=nvptx}", Graphics, "The ops of a device become those of its machine.", "", "It is the first."},
	{"simplify-tensors", all, "Tensor ops are rewritten while they are ops on whole tensors.", "", "It is the first on its ways."},
	{"lower{to=affine}", all, "Tensors become memory, and their ops affine loops.", "", "Its own rebuild applies the same rules on tensors."},
	{"outline-equal-loops", processors, "Equal loops become one function before each is tiled on its own.", "lower{to=affine}", ""},
	{"tile-contractions", processors, "Sums of products become tiles, as long as they are whole nests.", "lower{to=affine}", ""},
	{"poly-schedule", all, "Equations get an order.", "", "Equations come from the input alone."},
	{"poly-contract", all, "Arrays that the order makes short lived get less memory.", "poly-schedule", ""},
	{"poly-codegen", all &^ processors, "The ordered equations become loops.", "poly-schedule", ""},
	{"poly-codegen{parallel=true}", processors, "The same; loops without dependences are parallel.", "poly-schedule", ""},
	{"fuse", hosts, "Data-parallel loops become one another's, before they are loops over memory.", "", "Data-parallel loops come from the input alone."},
	{"licm", hosts, "What a data-parallel loop does not change leaves it.", "", "Data-parallel loops come from the input alone, and fuse keeps what leaves them."},
	{"lower{to=scf}", hosts, "To structured loops.", "fuse", ""},
	{"lower{to=scf careful=true}", Once, "To structured loops. A density has one form, for numbers of any size, with its branches.", "poly-codegen", ""},
	{"mem2reg", processors, "Sums in memory become values, which loop-interchange can move.", "", "No example has a sum that is in memory when loops are interchanged."},
	{"loop-interchange{sums=true}", processors, "Sums are added up in the order of memory.", "poly-codegen{parallel=true}", ""},
	{"unroll{inner=true}", processors, "Short loops in long ones disappear, so that the long ones become vectors.", "lower{to=scf}", ""},
	{"sroa", hosts, "Small memory becomes one variable per element.", "lower{to=scf}", ""},
	{"mem2reg", hosts, "Variables in memory become values.", "sroa", ""},
	{"licm", hosts, "What structured loops do not change leaves them.", "", "The licm above moves the same out of loops that are affine."},
	{"split-sums", hosts, "Sums are split by what their terms depend on.", "loop-interchange{sums=true}", ""},
	{"factor-sums", hosts, "Factors leave sums over data.", "split-sums", ""},
	{"specialize-data", hosts, "What is the same in every call is computed once, ahead of the calls.", "factor-sums", ""},
	{"version-powers", processors, "Powers of what a loop does not change become exponentials in a version of it.", "lower{to=scf}", ""},
	{"unroll{short=true}", processors, "Loops of very few rounds that run once become straight-line code.", "lower{to=scf}", ""},
	{"parallelize", processors, "Independent iterations are shared by the cores, on one core too: a sum is the same on any number of them.", "split-sums", ""},
	{"vectorize{beyond-llvm=true}", processors, "Loops that LLVM leaves alone become vectors.", "parallelize", ""},
	{"reuse-buffers", hosts, "Memory that has ended serves what comes next.", "lower{to=scf}", ""},
	{"promote-buffers-to-stack", processors, "Small memory moves to the stack.", "reuse-buffers", ""},
	{"plan-buffers", processors, "Buffers of known size share one allocation.", "promote-buffers-to-stack", ""},
	{"free-buffers", hosts, "Memory is given back where it ends; after all that moves its uses.", "promote-buffers-to-stack", ""},
	{"tabulate{limit=%d}", processors, "Functions of few integers become tables, of at most what the innermost cache holds.", "lower{to=scf}", ""},
	{"superword", Processor, "Equal functions side by side become one on a vector, for the forms of the next step.", "unroll{short=true}", ""},
	{"lower-math{quick=true loops=true}", Processor, "Functions become vectors and arithmetic where that is faster than the library.", "tabulate{limit=%d}", ""},
	{"lower-math", bare | Freestanding | Graphics, "Functions with formulas of their own become these.", "tabulate{limit=%d}", ""},
	{"lower{to=math}", bare | Graphics | compilers, "Special functions become those of a C library.", "lower-math", ""},
	{"lower-math", Bare | Freestanding | Graphics, "What these are made of becomes formulas too.", "tabulate{limit=%d}", ""},
	{"lower-math{roundings=true}", Unrounded, "The same, and roundings become arithmetic.", "tabulate{limit=%d}", ""},
	{"lower{to=llvm}", processors, "To what the LLVM emitter takes.", "lower-math{quick=true loops=true}", ""},
	{"version-bounds", processors, "Loops get a version without checks, now that all accesses are there.", "reuse-buffers", ""},
	{"loop-hints", processors, "LLVM is told how to unroll and widen the loops that are left.", "lower-math{quick=true loops=true}", ""},
}

// kindOf is the way to a target.
func kindOf(t *target.Target) Kind {
	switch {
	case t.Once:
		return Once
	case t.Kind == target.Interpreter:
		return Interpreted
	case t.Kind == target.Compiler && t.Library == "":
		return Freestanding
	case t.Kind == target.Compiler:
		return Compiler
	case t.Kind == target.GPU:
		return Graphics
	case t.Library == "" && !rounds(t):
		return Unrounded
	case t.Library == "":
		return Bare
	}
	return Processor
}

// rounds reports that the machine has instructions that round floats to integers: those that have none call a library.
func rounds(t *target.Target) bool {
	arch, _, _ := strings.Cut(t.Triple, "-")
	has := func(features ...string) bool {
		return slices.ContainsFunc(t.Features, func(f string) bool { return slices.Contains(features, f) })
	}
	switch {
	case strings.HasPrefix(arch, "arm64"):
		return true
	case strings.HasPrefix(arch, "arm"), strings.HasPrefix(arch, "thumb"):
		return has("+fp-armv8", "+fp-armv8sp", "+fp-armv8d16", "+fp-armv8d16sp")
	case arch == "x86_64", len(arch) == 4 && arch[0] == 'i' && strings.HasSuffix(arch, "86"):
		return has("+sse4.1", "+sse4.2", "+avx", "+avx2")
	}
	return true
}
