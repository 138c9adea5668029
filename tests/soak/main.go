// Command soak runs the random tests, of which make test runs few programs, in the numbers that find what is
// rare. It prints for each what its table of runs wants to know: the revision, the first seed, how many
// cases, and what the test says of them.
//
//	go run ./tests/soak -list
//	go run ./tests/soak -row=programs,native -n=300000 -seed=42
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is a test that takes a number of cases and a first seed, or one that looks at all there is where it soaks.
type row struct {
	name, pkg, run string
	count, seed    string // flags of the test
	n              int    // cases of a plain soak
	more           []string
	log            string // the table of its runs
	doc            string
}

const (
	random   = "tests/random/testdata/runs.md"
	modeled  = "tests/models/testdata/runs.md"
	fused    = "tests/fusion/testdata/runs.md"
	sets     = "dialects/poly/presburger/testdata/runs.md"
	reduced  = "passes/polyhedral/reductions/testdata/runs.md"
	raised   = "passes/polyhedral/raise/testdata/runs.md"
	shared   = "tests/cores/testdata/runs.md"
	staged   = "tools/stage/testdata/runs.md"
	tiled    = "passes/polyhedral/testdata/runs.md"
	tensored = "tests/tensors/testdata/runs.md"
	emitted  = "tests/emitted/testdata/runs.md"
)

var rows = []row{
	{name: "programs", pkg: "./tests/random", run: "TestMillions$", count: "millions", seed: "seed", n: 2_000_000, log: random,
		doc: "small programs: as written, built, after a few passes"},
	{name: "native", pkg: "./tests/random", run: "TestMillions$", count: "millions", seed: "seed", n: 300_000, more: []string{"-compiled"}, log: random,
		doc: "the same, and as native code before and after the passes"},
	{name: "passes", pkg: "./tests/random", run: "TestInterpreterAndPasses$", count: "programs", seed: "seed", n: 50_000, log: random,
		doc: "larger programs, after every pass and printed and read again"},
	{name: "llvm", pkg: "./tests/random", run: "TestLLVM$", count: "programs", seed: "seed", n: 50_000, log: random,
		doc: "larger programs as native code"},
	{name: "vectors", pkg: "./tests/random", run: "TestVectors(LLVM)?$", count: "programs", seed: "seed", n: 500_000, log: random,
		doc: "programs of vectors: a fifth after passes and lowered, a tenth as native code"},
	{name: "c", pkg: "./tests/emitted", run: "TestRandomC$", count: "programs", seed: "seed", n: 5_000,
		doc: "programs printed as C, compiled with traps for what C leaves undefined, and run"},
	{name: "in-c", pkg: "./tests/emitted", run: "TestInC$", doc: "all programs of the repository printed as C, of which make test takes a third"},
	{name: "go", pkg: "./tests/emitted", run: "TestRandomGo$", count: "goprograms", seed: "seed", n: 20_000, log: emitted,
		doc: "programs printed as Go, checked by go vet, and run: the same to the bit"},
	{name: "cost", pkg: "./tests/random", run: "TestCostIsLinear$", more: []string{"-cost-ops=4000"},
		doc: "programs of 4,000 ops and of eight times as many, of which make test has a fourth: what each part of a compilation takes"},
	{name: "owners", pkg: "./tests/random", run: "TestOwners", count: "owned", seed: "seed", n: 20_000,
		doc: "memory that free-buffers gives back, in the interpreter and as native code"},
	{name: "sizes", pkg: "./tests/random", run: "TestSizes$", count: "sized", seed: "seed", n: 5_000, log: random,
		doc: "allocations and views of extents near 2^31, 2^32, 2^61 and 2^63: in the interpreter and as native code, on 20 arguments each"},
	{name: "loops", pkg: "./tests/fusion", run: "TestPrograms$", count: "programs", seed: "seed", n: 100_000, log: fused,
		doc: "programs of data-parallel loops: as written, built, fused"},
	{name: "loops-native", pkg: "./tests/fusion", run: "TestNative$", count: "programs", seed: "seed", n: 2_000, more: []string{"-native=1"}, log: fused,
		doc: "the same as native code, fused or not"},
	{name: "tensors", pkg: "./tests/tensors", run: "TestPrograms$", count: "programs", seed: "seed", n: 50_000, more: []string{"-native=8"}, log: tensored,
		doc: "random programs of tensors: what the ops mean, lowered, and one of eight as native code"},
	{name: "finished", pkg: "./tests/tensors", run: "TestFinished$", count: "finished", seed: "seed", n: 1_000, log: tensored,
		doc: "random products and convolutions of floats, halves and bytes with maps behind them: what the ops mean, lowered, and as native code"},
	{name: "bytes", pkg: "./tests/tensors", run: "TestBytes$", count: "bytes", seed: "seed", n: 1_000, log: tensored,
		doc: "random products of integers of 8 and 16 bits, beside loops over all indices"},
	{name: "convolutions", pkg: "./tests/tensors", run: "TestConvolutions$",
		doc: "convolutions of all kinds, of which make test compiles half"},
	{name: "strips", pkg: "./tests/tensors", run: "TestStrips$", count: "strips", seed: "seed", n: 1_000, log: tensored,
		doc: "random convolutions in vectors of columns, for three widths of vectors, and as native code"},
	{name: "attention", pkg: "./tests/tensors", run: "TestAttention$", count: "attentions", seed: "seed", n: 500, log: tensored,
		doc: "random attentions, in blocks of scores, and one of twenty with several of them"},
	{name: "onnx", pkg: "./tests/tensors/onnx", run: "TestSameAsONNX$", count: "cases", seed: "seed", n: 10_000, log: tensored,
		doc: "ops of tensors beside those of ONNX Runtime (make deps-onnx), on random shapes and attributes"},
	{name: "kernels", pkg: "./passes/grid", run: "TestRandomKernels$", count: "kernels", seed: "seed", n: 2_000, more: []string{"-extent=128"}, log: tensored,
		doc: "random programs that become kernels, with extents up to 128: on the simulated device, checked for races, and what moves"},
	{name: "kernels-loops", pkg: "./passes/grid", run: "TestRandomLoops$", count: "loops", seed: "seed", n: 2_000, log: tensored,
		doc: "random loops whose generators become kernels: on the simulated device, checked for races, and what moves"},
	{name: "transfers", pkg: "./passes/placement", run: "TestRandomTransfers$", count: "programs", seed: "seed", n: 10_000, log: tensored,
		doc: "random programs with kernels among loops and branches of the host, of which what moves is compared with the least"},
	{name: "staging", pkg: "./tools/stage", run: "TestRandom$", count: "programs", seed: "from", n: 50_000, log: staged,
		doc: "random staged functions: what they write, in the interpreter, and the same directly on values"},
	{name: "staged-tensors", pkg: "./tools/stage", run: "TestRandomTensors$", count: "tensorprograms", seed: "from", n: 5_000, log: staged,
		doc: "random staged functions of tensors with open extents: in the interpreter, beside loops of Go, and one of 75 directly and as native code"},
	{name: "staged-einsums", pkg: "./examples/stage/einsum", run: "TestRandom$", count: "programs", seed: "seed", n: 10_000, log: staged,
		doc: "random staged products of tensors under conditions: what they give, and what moves"},
	{name: "bound", pkg: "./backends/engine", run: "TestRandomPrograms$", count: "programs", seed: "seed", n: 5_000, log: random,
		doc: "programs as native code and interpreted, called and bound"},
	{name: "lanes", pkg: "./passes/loops", run: "TestRandomLanes$", count: "loops", seed: "loopseed", n: 100_000,
		doc: "loops with masks, sums, counts and places that are read: as written, in vectors, a part of them as native code"},
	{name: "loop-passes", pkg: "./passes/loops", run: "TestRandom(Loops|Sums)$", count: "loops", seed: "loopseed", n: 100_000,
		doc: "nests of loops: interchanged, tiled, fused and so on, a tenth for each, and as many with sums"},
	{name: "cores", pkg: "./tests/cores", run: "TestRandom$", count: "programs", seed: "seed", n: 200_000, log: shared,
		doc: "programs with parallel loops: in the interpreter, which checks for races, and as native code on one core and on two"},
	{name: "collections", pkg: "./tests/cores", run: "TestLoops$", count: "loops", seed: "seed", n: 50_000, log: shared,
		doc: "programs with filters, scans, reductions and groups: in the interpreter, as native code on one core to seven, and what is made of them checked for races"},
	{name: "models", pkg: "./tests/models", run: "TestMillions$", count: "models", seed: "seed", n: 1_000_000, log: modeled,
		doc: "BUGS models: reference, lowered, naive"},
	{name: "models-examples", pkg: "./tests/models", run: "TestExamplesAgainstNaive$", log: modeled,
		doc: "all examples of BUGS as native code beside the naive evaluation, of which make test takes a fourth"},
	{name: "models-native", pkg: "./tests/models", run: "TestRandomNative$", count: "native", seed: "seed", n: 2_000, log: modeled,
		doc: "BUGS models as native code"},
	{name: "models-unconstrained", pkg: "./tests/models", run: "TestRandomUnconstrained$", count: "unconstrained", seed: "seed", n: 50_000, log: modeled,
		doc: "BUGS models on the unconstrained scale: reference and lowered"},
	{name: "models-scale", pkg: "./tests/models", run: "TestUnconstrainedScale$", log: modeled,
		doc: "all models at their reference points on the unconstrained scale, of which make test compiles a third"},
	{name: "expressions", pkg: "./lowering/density", run: "TestFunctions$", count: "expressions", seed: "extremeseed", n: 2_000, log: modeled,
		doc: "every function of BUGS at random points: reference and lowered"},
	{name: "extremes", pkg: "./lowering/density", run: "TestNoNaN$", count: "extremes", seed: "extremeseed", n: 20_000, log: modeled,
		doc: "densities at parameters and points near the ends of what floats are: numbers, and the same in Go and lowered"},
	{name: "models-drawn", pkg: "./tests/models", run: "TestRandomSimulation$", count: "simulated", seed: "seed", n: 100_000, log: modeled,
		doc: "BUGS models whose nodes are drawn: the draws have a density, and a seed gives the same ones again"},
	{name: "draws-native", pkg: "./dialects/prob", run: "TestNativeDraws$",
		doc: "what all laws draw in native code, of which make test takes a third"},
	{name: "tails", pkg: "./dialects/prob", run: "TestTailsAgainstIntegration$", count: "tails", seed: "tailseed", n: 2_000,
		doc: "distribution functions of all laws beside integrals of densities"},
	{name: "top", pkg: "./tools/loop", run: "TestTop$",
		doc: "the first rows of sorted tables in each way to ask for them, of which make test compiles a part"},
	{name: "boxes", pkg: "./dialects/poly/presburger", run: "TestBrute$", count: "brute", seed: "islseed", n: 100_000, log: sets,
		doc: "operations on bounded integer sets beside the enumeration of their points"},
	{name: "polytopes", pkg: "./dialects/poly/presburger", run: "TestCardPolytopes$", count: "polytopes", seed: "islseed", n: 50_000, log: sets,
		doc: "counts of parametric polytopes beside the enumeration of their points"},
	{name: "conformance", pkg: "./tests/conformance", run: "TestFiguresHold$", more: []string{"-whole"},
		doc: "MLIR's own tests (make deps-mlir) beside mlir-opt, of which make test takes a fourth"},
	{name: "built", pkg: "./ir", run: "TestAsBuilt$", count: "settle-programs", seed: "settle-seed", n: 200_000,
		doc: "programs as built, of which rebuilding changes nothing where the core says so"},
	{name: "derivatives", pkg: "./tests/derivatives", run: "TestRandom$", count: "programs", seed: "seed", n: 200_000,
		doc: "programs differentiated in reverse, forward and twice, beside differences of 256 bits"},
	{name: "derivatives-native", pkg: "./tests/derivatives", run: "TestNative$",
		doc: "2,000 of them on all floats in native code, of which make test takes 80"},
	{name: "derivatives-vectors", pkg: "./tests/derivatives", run: "TestVectors$|TestVectorized$", count: "vectors", seed: "seed", n: 50_000,
		doc: "programs of vectors, and loops that become vectors, differentiated in both modes, beside differences"},
	{name: "torch", pkg: "./tests/derivatives/torch", run: "TestLive$", count: "networks", seed: "seed", n: 10_000,
		doc: "gradients of networks beside those of PyTorch (Debian: python3-torch)"},
	{name: "folds", pkg: "./passes/prove", run: "TestFoldsAreProven$", more: []string{"-foldwidth=8"},
		doc: "the folds of integer ops proven on 8 bits, of which make test takes 4: all constants, flags and predicates"},
	{name: "sets", pkg: "./dialects/poly/presburger", run: "TestOracle$", count: "isl", seed: "islseed", n: 500_000, log: sets,
		doc: "operations on integer sets beside isl"},
	{name: "nests", pkg: "./dialects/poly/depend", run: "TestFlowByExecution$", count: "nests", seed: "seed", n: 5_000,
		doc: "dependences of loop nests against executing them"},
	{name: "raise", pkg: "./passes/polyhedral/raise", run: "TestRandomNests$", count: "nests", seed: "nestseed", n: 100_000, log: raised,
		doc: "affine loops: raised, with another order, and as loops again"},
	{name: "expanded", pkg: "./passes/polyhedral/expand", run: "TestRandomNests$", count: "nests", seed: "nestseed", n: 20_000, log: tiled,
		doc: "affine loops as equations of values that are written once"},
	{name: "polybench", pkg: "./tests/polybench", run: "TestKernels$",
		doc: "the kernels of PolyBench beside C in all orders, of which make test takes a part"},
	{name: "sdr", pkg: "./tests/sdr", run: "TestBenchmarks$", log: reduced,
		doc: "the benchmarks of simplified reductions beside C in all forms and schedules, of which make test takes a part"},
	{name: "systems", pkg: "./passes/polyhedral", run: "TestRandom(Equations|Schedules|Keyed)$", count: "systems", seed: "systemseed", n: 20_000, log: tiled,
		doc: "equations by demand and in schedules, of algorithms and of users, and with computed indices"},
	{name: "tiles", pkg: "./passes/polyhedral", run: "TestRandomTiles$", count: "nests", seed: "nestseed", n: 50_000, log: tiled,
		doc: "affine loops in Pluto's order, in tiles"},
	{name: "stencils", pkg: "./passes/polyhedral", run: "TestRandomStencils$", count: "stencils", seed: "stencilseed", n: 50_000, log: tiled,
		doc: "stencils in diamonds and other tiles, on one core and on two, checked for races"},
	{name: "contractions", pkg: "./passes/contraction", run: "TestRandomContractions$", count: "contractions", seed: "contractionseed", n: 50_000, log: tiled,
		doc: "sums of products in blocks and registers, checked for races"},
	{name: "epilogues", pkg: "./passes/contraction", run: "TestRandom(Epilogues|ContractionsNative)$", count: "contractions", seed: "contractionseed", n: 5_000, log: tiled,
		doc: "what is done to tiles when their sums are complete, and sums of products as native code"},
	{name: "updates", pkg: "./passes/polyhedral", run: "TestRandomOwnUpdates$", count: "updates", seed: "updateseed", n: 50_000, log: tiled,
		doc: "matrices that update themselves, in tiles with contractions, checked for races"},
	{name: "schedules", pkg: "./dialects/poly/scheduler", run: "TestRandom$", count: "problems", seed: "problemseed", n: 100_000,
		doc: "schedules of random problems: legal by the checker, and by trying pairs"},
	{name: "graphs", pkg: "./ir/cfg", run: "TestRandomGraphsDoTheSameAsTrees$", count: "graphs", seed: "seed", n: 100_000,
		doc: "control-flow graphs, and the ifs and loops made of them"},
	{name: "mlir", pkg: "./tests/mlir", run: "TestRandomSameAsMLIR$", count: "programs", seed: "seed", n: 20_000,
		doc: "programs as they are written, interpreted, and as MLIR compiles them"},
	{name: "mlir-examples", pkg: "./tests/mlir", run: "TestExamples$",
		doc: "what the comments of all examples say to run, as users run it"},
	{name: "long", pkg: "./tests/hostile", run: "Test(OneLine|Many)$", more: []string{"-megabytes=10", "-parts=1000000"},
		doc: "files of 10 MB on one line, of which make test has 4, and of a million parts, of which it has 400,000"},
	{name: "blocks", pkg: "./tests/mlir", run: "TestBlocksSameAsMLIR$", count: "graphs", seed: "seed", n: 20_000,
		doc: "functions of several blocks, as MLIR compiles them and as they are read"},
	{name: "reductions", pkg: "./passes/polyhedral/reductions", run: "TestRandom$", count: "programs", seed: "programseed", n: 100_000, log: reduced,
		doc: "equations with reductions: simplified, counted, and as loops"},
	{name: "directions", pkg: "./passes/polyhedral/reductions", run: "TestModesAgree$", count: "modes", seed: "programseed", n: 10_000, log: reduced,
		doc: "equations whose operators have an inverse: directions chosen one after the other and all together"},
}

var (
	only  = flag.String("row", "", "comma-separated rows; all if empty")
	cases = flag.Int("n", 0, "cases of each row; 0: its own number")
	seed  = flag.Uint64("seed", uint64(time.Now().Unix()), "the first seed")
	list  = flag.Bool("list", false, "say what there is, and run nothing")
)

func main() {
	flag.Parse()
	bad := false
	for _, r := range chosen(*only) {
		if *cases > 0 && r.count != "" {
			r.n = *cases
		}
		if *list {
			fmt.Printf("%-14s %9d  %s\n", r.name, r.n, r.doc)
			continue
		}
		line, ok := r.soak()
		bad = bad || !ok
		fmt.Println(line)
	}
	if bad {
		os.Exit(1)
	}
}

// chosen returns the rows of a list of names, all of them for none.
func chosen(names string) (out []row) {
	if names == "" {
		return rows
	}
	for name := range strings.SplitSeq(names, ",") {
		at := slices.IndexFunc(rows, func(r row) bool { return r.name == name })
		if at < 0 {
			fmt.Fprintf(os.Stderr, "soak: no row is called %q; -list shows them\n", name)
			os.Exit(2)
		}
		out = append(out, rows[at])
	}
	return out
}

// soak runs the row and returns what its table of runs wants to know, and whether
// all was well.
func (r row) soak() (string, bool) {
	fmt.Printf("== %s: %d from seed %d: %s\n", r.name, r.n, *seed, r.doc)
	args := []string{"test", r.pkg, "-count=1", "-timeout=24h", "-v", "-run", r.run}
	if r.count != "" {
		args = append(args, "-"+r.count+"="+strconv.Itoa(r.n), "-"+r.seed+"="+strconv.FormatUint(*seed, 10))
	}
	cmd := exec.Command("go", append(args, r.more...)...)
	cmd.Env = append(os.Environ(), "IRC_TEST_LEVEL=3")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return "soak: " + err.Error(), false
	}
	start, said := time.Now(), follow(out)
	err = cmd.Wait()
	if said == "" {
		said = "the test said nothing"
		err = errors.Join(err, errors.New(said))
	}
	line := fmt.Sprintf("| %s | %d | %d | %s, %s: %s |", revision(), *seed, r.n, r.name, time.Since(start).Round(time.Second), said)
	if r.log != "" {
		line += " (for " + r.log + ")"
	}
	return line, err == nil
}

// logged is a line that a test logs, or says of its failure.
var logged = regexp.MustCompile(`^\s+\w+_test\.go:\d+: (.*)`)

// follow passes on what the test prints, and returns the first lines that it logs:
// a sum, failures, or why it is skipped.
func follow(out io.Reader) string {
	var said []string
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<26)
	for in.Scan() {
		fmt.Println(in.Text())
		if m := logged.FindStringSubmatch(in.Text()); m != nil && len(said) < 3 {
			said = append(said, m[1])
		}
	}
	return strings.Join(said, "; ")
}

// revision names the commit, with a plus where files differ from it.
func revision() string {
	out, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return "-"
	}
	rev := strings.TrimSpace(string(out))
	if exec.Command("git", "diff", "--quiet", "HEAD").Run() != nil {
		rev += "+"
	}
	return rev
}
