// Command bench measures irc beside its peers in one run and says whether the
// targets are met. See docs/bench.md.
//
//	go run ./tests/bench [-quick] [-row=NAME] [-o FILE]
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tests/bench/report"
	irc "github.com/irc-lang/irc/tools/irc/product"
)

// bench is one run.
type bench struct {
	ctx   context.Context
	quick bool
	dir   string // scratch
	irc   string // our binary, built for this run
	opt   string // mlir-opt, or ""
	clang string
	shape string            // for profiles
	cache map[string]string // generated files
	ptx   bundle            // kernels that are compiled already

	islSource string // a copy of isl's source, or ""
	passes    string // of the row polybench
	kernel    string // of the rows polybench, sdr and reductions: this one alone
	verbose   bool   // a row for each case
	table     report.Table
}

// A group makes one or several rows.
type group struct {
	name, doc string
	run       func(b *bench) error
}

var groups = []group{
	{"module", "read, normalise, print 1M ops in 4,000 functions, one core", (*bench).module},
	{"parallel", "the same on all cores", (*bench).parallel},
	{"function", "one function of 100k ops", (*bench).function},
	{"constants", "1M distinct constants and locations", (*bench).constants},
	{"opaque", "one opaque op after 100k loads", (*bench).opaque},
	{"scaling", "time per op from 10k to 1M ops, by shape of program", (*bench).scaling},
	{"startup", "a file of 10 ops, whole process", (*bench).startup},
	{"heap", "heap bytes a node", (*bench).heap},
	{"rebuild", "rebuild by the identity, and schedule, in nodes a second", (*bench).rebuild},
	{"device", "kernels on a GPU beside what the card can do; skipped without one", (*bench).device},
	{"sets", "operations on integer sets, each alone, beside isl", (*bench).sets},
	{"pip", "parametric integer programs of isl's source (-isl-source)", (*bench).pip},
	{"depend", "dependence tests, and the flow inputs of isl's source (-isl-source)", (*bench).depend},
	{"codegen", "schedules and code of the inputs of isl's source (-isl-source)", (*bench).codegen},
	{"bugs-compile", "compile time and memory of BUGS models by the number of observations, beside JAGS", (*bench).bugsCompile},
	{"rats", "Rats: compile time, and one density interpreted", (*bench).rats},
	{"bound", "calls on data that are bound to a program, on the native engine", (*bench).bound},
	{"points", "many points of a mixed model through irc logdensity, beside numpy and the function alone", (*bench).points},
	{"loops", "queries, pipelines and group-bys over columns in memory, beside C and DuckDB", (*bench).loops},
	{"fusion", "100 random programs of loops over 10^6 elements, fused beside unfused", (*bench).fusion},
	{"sdr", "the equations of examples/eq as native code beside the same in C (-kernel)", (*bench).sdr},
	{"reductions", "the same with their reductions simplified, at the sizes of the paper (-kernel)", (*bench).reductions},
	{"tensor", "products of matrices as ten.einsum beside OpenBLAS (Debian: libopenblas0-pthread), small and large, on one core and on all", (*bench).tensor},
	{"conv2d", "ten layers of ResNet-50 and MobileNet as ten.conv beside oneDNN (Debian: libdnnl-dev), on one core (-kernel: those whose names have this)", (*bench).conv2d},
	{"depthwise", "ten depthwise layers of MobileNetV2 and EfficientNet as ten.conv beside oneDNN (Debian: libdnnl-dev), on one core (-kernel: those whose names have this)", (*bench).depthwise},
	{"epilogue", "products of matrices and convolutions with a bias and a rectifier beside OpenBLAS with a loop in C and oneDNN with post-ops, on one core (-kernel)", (*bench).epilogue},
	{"bytes", "products of matrices of bytes, as sums and scaled to bytes again, beside loops in C and oneDNN, on one core (-kernel)", (*bench).bytes},
	{"networks", "30 random networks of tensors as ten.einsum beside numpy along the best path, with OpenBLAS (Debian: python3-numpy, libopenblas0-pthread), on one core", (*bench).networks},
	{"matmul", "products of matrices as affine loops beside OpenBLAS (Debian: libopenblas0-pthread), on one core and on all", (*bench).matmul},
	{"polybench", "16 kernels of PolyBench as affine loops beside the same in C (-passes, -kernel)", (*bench).polybench},
	{"kernels2", "these kernels on two cores, beside C on one and Polly with OpenMP on two (Debian: libgomp1)", (*bench).polybenchShared},
	{"stencils", "five stencils beyond the caches beside the same in C and Polly, on one core and on two (-passes, -kernel)", (*bench).stencils},
	{"plain", "nine small loops beside the same in C, on one core (-passes, -kernel)", (*bench).plain},
	{"sass", "machine code of products on a GPU beside nvrtc's of CUDA source; skipped without ptxas, nvdisasm and libnvrtc (make deps-ptx)", (*bench).sass},
	{"transfers", "bytes that the programs of the paper on prophecy variables move to a device and back", (*bench).transferred},
	{"staging", "executions of staged Go functions, and the time of an op", (*bench).staging},
	{"attention", "softmax, layer norm, a chain with gelu, attention of 8 heads beside C with libmvec and oneDNN (Debian: libdnnl-dev), on one core (-kernel)", (*bench).attention},
	{"conv", "a convolution and a relu, fused by a prophecy, beside two loops and the fused loop in C, on one core", (*bench).convolutions},
	{"regex", "regular expressions as staged functions on 100 MB of lines, beside Go's regexp and PCRE2 (Debian: libpcre2-dev)", (*bench).regexes},
	{"cores", "gemm, nussinov, Mandelbrot, equations and queries whose loops became parallel, on two cores beside one (-kernel)", (*bench).cores},
	{"cores-tiles", "the kernels of PolyBench in tiles, on two cores beside one (-passes, -kernel)", (*bench).coresTiles},
	{"cores-c", "loops in C on two threads beside one: what two cores of the machine allow (-kernel)", (*bench).coresInC},
	{"bounds", "these kernels beside what they take at least on this machine, by irc explain -loops: no time is below its bound (-kernel)", (*bench).bounds},
	{"poly-compile", "these kernels and the programs of equations, from text to machine code (-passes)", (*bench).polyCompile},
	{"bugs-statements", "irc logdensity on BUGS models of 10k statements written out, by their shape (-kernel): time and its growth", (*bench).bugsStatements},
	{"bugs-density", "irc logdensity on large BUGS models: time and memory", (*bench).bugsDensity},
	{"densities", "one log density of 8 BUGS models beside the same written in C", (*bench).densities},
	{"densities-more", "the same of 12 others: mixed models, time series, multivariate ones, mixtures", (*bench).moreDensities},
	{"gradients", "the gradients of these 20 densities beside the densities themselves (-kernel)", (*bench).gradients},
	{"gradients-c", "the gradients of six of them beside the same written in C (-kernel)", (*bench).gradientsInC},
	{"gradient-compile", "these densities, and models of 3k statements written out, from text to machine code with a gradient beside without (-kernel)", (*bench).gradientCompile},
	{"stan", "the gradients of ten of the densities beside Stan's own (Debian: r-cran-rstan), compiled by g++ in bin/stan (-kernel)", (*bench).stan},
	{"training", "the gradients of a training step of two layers, and of a block of a transformer, in f32, beside PyTorch (Debian: python3-torch), on one core and on two (-passes, -kernel)", (*bench).training},
	{"adbench", "derivatives of ADBench's problems beside C by hand, ADOL-C (Debian: libadolc-dev) and PyTorch (Debian: python3-torch), on one core (-kernel)", (*bench).adbench},
	{"adjoints", "adjoints of affine loops, and of the equations in examples/eq, beside the functions themselves, on one core (-kernel)", (*bench).adjoints},
	{"iid", "one log density of a thousand and of a million data with the same parameters", (*bench).iid},
}

func main() {
	engine.ServeIfChild()
	switch {
	case os.Getenv(measureEnv) != "":
		measureChild()
		return
	case os.Getenv(heapEnv) != "":
		heapChild()
		return
	case os.Getenv(bugsEnv) != "":
		bugsChild()
		return
	}
	quick := flag.Bool("quick", false, "a tenth of the sizes")
	row := flag.String("row", "", "only these groups of rows, comma separated: "+strings.Join(groupNames(), ", "))
	out := flag.String("o", "", "write the table as JSON to this file too")
	compiled := flag.String("bundle", "", "kernels for the row device: read from this file, or compiled and written to it if it is not there")
	profile := flag.String("cpuprofile", "", "instead of measuring, run irc on a program in this process and write a CPU profile to this file, and of modules one of what lives to FILE.heap")
	program := flag.String("shape", "", "the program for -cpuprofile: a shape of the row scaling or of bugs-statements; without it the module of the first row")
	source := flag.String("isl-source", "", "a copy of isl's source, whose test inputs the rows pip, depend and codegen read")
	each := flag.Bool("v", false, "a row too for each case of pip and of fusion, and for those of sets with a ratio over 3")
	passes := flag.String("passes", "", "for the rows polybench and plain: passes before the lowering pipeline, several lists with a semicolon between them")
	kernel := flag.String("kernel", "", "for the rows polybench, plain, cores, sdr, reductions and densities: only these kernels, programs or models, comma separated; for matmul: products whose sizes have this")
	flag.Usage = usage
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := &bench{ctx: ctx, quick: *quick, cache: map[string]string{}}
	b.shape, b.islSource, b.verbose, b.passes, b.kernel = *program, *source, *each, *passes, *kernel
	b.ptx.file = *compiled
	err := b.main(*row, *out, *profile)
	if b.dir != "" {
		os.RemoveAll(b.dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: go run ./tests/bench [-quick] [-row=NAME,...] [-o FILE] [-cpuprofile FILE [-shape NAME]]")
	for _, g := range groups {
		fmt.Fprintf(os.Stderr, "  %-10s %s\n", g.name, g.doc)
	}
	flag.PrintDefaults()
}

// wants reports a kernel or program that is measured.
func (b *bench) wants(name string) bool {
	return b.kernel == "" || slices.Contains(strings.Split(b.kernel, ","), name)
}

func groupNames() (out []string) {
	for _, g := range groups {
		out = append(out, g.name)
	}
	return out
}

func (b *bench) main(row, out, profile string) error {
	want := map[string]bool{}
	for _, name := range strings.Split(row, ",") {
		if name == "" {
			continue
		}
		if !strings.Contains(","+strings.Join(groupNames(), ",")+",", ","+name+",") {
			return fmt.Errorf("there is no row %q; there are %s", name, strings.Join(groupNames(), ", "))
		}
		want[name] = true
	}
	dir, err := os.MkdirTemp("", "ircbench")
	if err != nil {
		return err
	}
	b.dir = dir
	if profile != "" {
		return b.profile(profile)
	}
	alone := func(name string) bool { // without a process of irc
		return slices.Contains([]string{"device", "sass", "transfers", "sets", "pip", "depend", "loops", "fusion", "sdr", "reductions", "tensor", "conv2d", "depthwise", "epilogue", "bytes", "networks", "matmul"}, name)
	}
	b.opt, _ = exec.LookPath("mlir-opt-19")
	b.clang, _ = exec.LookPath("clang-19")
	if len(want) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(want)), func(name string) bool { return !alone(name) }) {
		if err := b.setUp(); err != nil {
			return err
		}
	}
	fmt.Printf("irc beside its peers: %s, %d CPUs, %s, sizes %s\n\n", cpuName(), runtime.NumCPU(), runtime.Version(), map[bool]string{false: "full", true: "a tenth"}[b.quick])
	b.table.Head()
	for _, g := range groups {
		if len(want) > 0 && !want[g.name] || b.ctx.Err() != nil {
			continue
		}
		if err := g.run(b); err != nil {
			b.table.Add(report.Row{Group: g.name, What: g.doc, Note: "not measured: " + firstLine(err.Error())})
		}
	}
	b.table.Foot()
	if out == "" {
		return b.ctx.Err()
	}
	var data bytes.Buffer
	e := json.NewEncoder(&data)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(report.Report{CPU: cpuName(), CPUs: runtime.NumCPU(), Go: runtime.Version(), Quick: b.quick, Peers: b.peers(), Rows: b.table.Rows})
	if err != nil {
		return err
	}
	return os.WriteFile(out, data.Bytes(), 0o644)
}

// setUp builds irc.
func (b *bench) setUp() error {
	root, err := repository()
	if err != nil {
		return err
	}
	b.irc = filepath.Join(b.dir, "irc")
	cmd := exec.CommandContext(b.ctx, "go", "build", "-pgo", "tools/irc/irc.pgo", "-tags", "urfave_cli_no_docs", "-o", b.irc, "github.com/irc-lang/irc/tools/irc") // as in the Makefile
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("irc does not build: %w\n%s", err, text)
	}
	return nil
}

// peers says what the figures are compared with.
func (b *bench) peers() map[string]string {
	out := map[string]string{}
	if v := islVersion(); v != "" {
		out["isl"] = v
	}
	for _, path := range []string{b.opt, b.clang} {
		if path == "" {
			continue
		}
		text, err := exec.CommandContext(b.ctx, path, "--version").Output()
		for line := range strings.Lines(string(text)) {
			if err == nil && strings.Contains(line, "version") {
				out[filepath.Base(path)] = strings.TrimSpace(line)
				break
			}
		}
	}
	return out
}

// size is n, or a tenth of it.
func (b *bench) size(n int) int {
	if b.quick {
		return n / 10
	}
	return n
}

// profile runs irc on one program in this process, and keeps its graph for the
// profile of the heap.
func (b *bench) profile(path string) error {
	args, err := b.profiled()
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	runtime.GOMAXPROCS(1)
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	all := irc.All()
	status := all.Main(args, os.Stdin, os.Stdout, os.Stderr)
	pprof.StopCPUProfile()
	if status != 0 {
		return fmt.Errorf("irc ends with status %d", status)
	}
	if args[0] == "logdensity" {
		return nil
	}
	g, err := parseFile(args[len(args)-1])
	if err != nil {
		return err
	}
	defer runtime.KeepAlive(g)
	return writeHeap(path + ".heap")
}

// profiled are the arguments of irc that are profiled; that of a program stands last.
func (b *bench) profiled() ([]string, error) {
	for _, s := range statementShapes {
		if s.name == b.shape {
			program, data, err := b.statementFiles(s, b.size(10_000))
			return statementArgs(program, data, "auto"), err
		}
	}
	src, _, err := b.moduleFile(b.size(1_000_000))
	if b.shape != "" {
		src, err = b.shapeFile(b.shape, b.size(1_000_000))
	}
	return []string{"-emit=generic", "-allow-unregistered-dialect", "-o", filepath.Join(b.dir, "out.mlir"), src}, err
}

// writeHeap writes a profile of what lives.
func writeHeap(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	runtime.GC()
	return pprof.WriteHeapProfile(f)
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

// cpuName is the model of the processor.
func cpuName() string {
	data, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(data)) {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.TrimSpace(v)
		}
	}
	return runtime.GOARCH
}
