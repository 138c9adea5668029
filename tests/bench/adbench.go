package main

import (
	"cmp"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tests/polybench"
)

//go:embed adbench/*.mlir
var adPrograms embed.FS

// An adProblem is one of ADBench: Srajer, Kukelova and Fitzgibbon 2018.
type adProblem struct {
	name   string
	passes string // that make the function measured
	of     string // which is this
	sizes  [][]int
	most   int // sizes up to this one are for ADOL-C, too: its tape of larger ones takes gigabytes
	args   func(sizes []int) adArguments
}

// adArguments are what a problem is given: memory, scalars, what is found, and other memory, in this order.
type adArguments struct {
	in     []data // peers read their numbers
	rest   []ir.Val
	out    [][]int64 // shapes; zero before
	others []data
	elem   ir.Type         // of what is found: f64 unless it says so
	calls  []run.BoundCall // functions and which arguments each takes; without them there is one, of all
}

// adPeers are ways to have the same derivatives, and the share of their time that ours may take.
var adPeers = []struct {
	name, suffix string
	most         float64
	target       string
}{
	{"C by hand", ".c", 1.1, "<= 1.1 in the mean"},
	{"ADOL-C", "_adolc.cpp", 0.2, "<= 1/5"},
	{"PyTorch", "_torch.py", 0.5, "<= 1/2"},
}

// adTurns is how often all sides run in turn.
const adTurns = 3

// adbench measures derivatives beside those by hand in C, ADOL-C's and PyTorch's.
func (b *bench) adbench() error {
	e, err := b.oneCore()
	if err != nil {
		return err
	}
	defer e.Close()
	ratios := map[string][]float64{}
	for i := range adProblems {
		p := &adProblems[i]
		if !b.wants(p.name) {
			continue
		}
		peers, err := b.adBuild(p)
		if err != nil {
			return err
		}
		for k, sizes := range p.sizes {
			if err := b.adRow(e, p, peers, sizes, k < p.most, ratios); err != nil {
				return fmt.Errorf("%s %v: %w", p.name, sizes, err)
			}
		}
	}
	for _, peer := range adPeers {
		if r := ratios[peer.name]; len(r) > 0 {
			mean := stat.GeometricMean(r, nil)
			b.table.Absolute("adbench", fmt.Sprintf("%d problems, ours by %s, geometric mean", len(r), peer.name), "", mean, mean <= peer.most, fmt.Sprintf("<= %g", peer.most))
		}
	}
	return b.ctx.Err()
}

// An adPeer is a command, or why there is none.
type adPeer struct {
	command []string
	missing error
}

// adBuild compiles the peers of a problem.
func (b *bench) adBuild(p *adProblem) ([]adPeer, error) {
	root, err := repository()
	if err != nil {
		return nil, err
	}
	var out []adPeer
	for _, peer := range adPeers {
		source := filepath.Join(root, "tests/bench/adbench", p.name+peer.suffix)
		exe := filepath.Join(b.dir, "ad-"+p.name+peer.suffix+".exe")
		var build *exec.Cmd
		switch filepath.Ext(source) {
		case ".c":
			if b.clang == "" {
				out = append(out, adPeer{missing: errors.New("needs clang-19")})
				continue
			}
			build = exec.CommandContext(b.ctx, b.clang, "-O3", "-march=native", "-ffast-math", "-fveclib=libmvec", "-o", exe, source, "-lmvec", "-lm")
		case ".cpp":
			build = exec.CommandContext(b.ctx, "g++", "-O3", "-march=native", "-w", "-o", exe, source, "-ladolc")
		default:
			out = append(out, adPeer{command: []string{"/usr/bin/python3", source}})
			continue
		}
		if text, err := build.CombinedOutput(); err != nil {
			out = append(out, adPeer{missing: fmt.Errorf("%w: %s", err, lastError(string(text)))})
			continue
		}
		out = append(out, adPeer{command: []string{exe}})
	}
	return out, nil
}

// adRow measures a problem of some sizes: a row beside each peer.
func (b *bench) adRow(e engine.Engine, p *adProblem, peers []adPeer, sizes []int, tape bool, ratios map[string][]float64) error {
	source, err := adPrograms.ReadFile("adbench/" + p.name + ".mlir")
	if err != nil {
		return err
	}
	file := filepath.Join(b.dir, p.name+".mlir")
	if err := os.WriteFile(file, source, 0o600); err != nil {
		return err
	}
	program, _, err := b.compilePoly(e, file, p.passes)
	if err != nil {
		return err
	}
	args := p.args(sizes)
	input := filepath.Join(b.dir, "ad-in")
	if err := os.WriteFile(input, args.bytes(), 0o600); err != nil {
		return err
	}
	ours, theirs, errs := math.Inf(1), make([]float64, len(peers)), make([]error, len(peers))
	for range max(1, b.size(adTurns)) {
		seconds, want, err := b.adRun(program, p.of, args)
		if err != nil {
			return err
		}
		ours = min(ours, seconds)
		for i, peer := range peers {
			switch {
			case errs[i] != nil:
				continue
			case peer.missing != nil:
				errs[i] = peer.missing
				continue
			case adPeers[i].name == "ADOL-C" && !tape:
				errs[i] = errors.New("its tape takes gigabytes: not run")
				continue
			}
			s, got, err := b.adSaid(peer.command, 1, sizes, input)
			if err == nil {
				err = adCompare(want, got, 1e-9)
			}
			if errs[i] = err; theirs[i] == 0 || s < theirs[i] {
				theirs[i] = s
			}
		}
	}
	for i, peer := range adPeers {
		r := report.Row{Group: "adbench", What: fmt.Sprintf("%s %s, beside %s", p.name, strings.Trim(fmt.Sprint(sizes), "[]"), peer.name), Unit: "us", Ours: ours * 1e6, Target: peer.target}
		if errs[i] != nil {
			r.Note = firstLine(errs[i].Error())
		} else {
			r.Peer, r.Ratio = theirs[i]*1e6, ours/theirs[i]
			met := r.Ratio <= peer.most
			r.Met = &met
			ratios[peer.name] = append(ratios[peer.name], r.Ratio)
		}
		b.table.Add(r)
	}
	return nil
}

// bytes are the numbers that peers read.
func (a *adArguments) bytes() (out []byte) {
	for _, d := range a.in {
		for i := range int(elementsOf(d.dims)) {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(d.at(i)))
		}
	}
	return out
}

// values are arguments to bind.
func (a *adArguments) values() (all, out []ir.Val) {
	c := ir.NewContext(dialects.All...)
	for _, d := range a.in {
		all = append(all, filled(c, d))
	}
	all = append(all, a.rest...)
	for _, shape := range a.out {
		out = append(out, polybench.Zeros(c, cmp.Or(a.elem, ir.F64), shape))
	}
	all = append(all, out...)
	for _, d := range a.others {
		all = append(all, filled(c, d))
	}
	return all, out
}

// adSeconds is about what a measurement takes.
const adSeconds = 0.3

// adRun runs our function once for its results, and then as often as fills a turn: the least time of a call.
func (b *bench) adRun(p run.Program, name string, a adArguments) (seconds float64, found []float64, err error) {
	args, out := a.values()
	bound, err := run.Bind(b.ctx, p, args...)
	if err != nil {
		return 0, nil, err
	}
	calls := a.calls
	if calls == nil {
		calls = []run.BoundCall{{Name: name}}
	}
	first, err := b.adBatch(bound, calls, len(calls))
	if err2 := bound.Close(b.ctx); err != nil || err2 != nil {
		return 0, nil, errors.Join(err, err2)
	}
	for _, o := range out {
		buf := o.Ref.(*interp.MemRef).Buf
		for i := range buf.Len() {
			found = append(found, buf.Load(i).Float(buf.Elem))
		}
	}
	if bound, err = run.Bind(b.ctx, p, args...); err != nil {
		return 0, nil, err
	}
	defer bound.Close(b.ctx)
	seconds, err = b.adBatch(bound, slices.Repeat(calls, min(max(3, int(adSeconds/first)), 10_000)), len(calls))
	return seconds, found, err
}

// adBatch runs calls, of which every few belong together, and gives the least seconds of such a group.
func (b *bench) adBatch(bound *run.Binding, calls []run.BoundCall, few int) (seconds float64, err error) {
	results, err := bound.Batch(b.ctx, calls)
	if err != nil {
		return 0, err
	}
	seconds = math.Inf(1)
	for group := range slices.Chunk(results, few) {
		sum := 0.0
		for _, r := range group {
			if r.Err != nil {
				return 0, r.Err
			}
			sum += r.Wall.Seconds()
		}
		seconds = min(seconds, sum)
	}
	return seconds, nil
}

// adSaid runs a peer, which prints its seconds and writes what it found.
func (b *bench) adSaid(command []string, cores int, sizes []int, input string) (seconds float64, found []float64, err error) {
	output := filepath.Join(b.dir, "ad-out")
	args := slices.Clone(command[1:])
	for _, n := range sizes {
		args = append(args, strconv.Itoa(n))
	}
	cmd := exec.CommandContext(b.ctx, command[0], append(args, input, output, fmt.Sprint(adSeconds))...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", cores), fmt.Sprintf("OPENBLAS_NUM_THREADS=%d", cores))
	var errs strings.Builder
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if err != nil {
		return 0, nil, fmt.Errorf("%w: %s", err, errs.String()[max(0, errs.Len()-200):])
	}
	if _, err := fmt.Sscan(string(text), &seconds); err != nil {
		return 0, nil, fmt.Errorf("it says %q", text)
	}
	bytes, err := os.ReadFile(output)
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		found = append(found, math.Float64frombits(binary.LittleEndian.Uint64(bytes)))
	}
	return seconds, found, err
}

// adCompare compares derivatives, to rounding of the largest.
func adCompare(want, got []float64, near float64) error {
	if len(want) != len(got) {
		return fmt.Errorf("ours has %d numbers, and this %d", len(want), len(got))
	}
	most := 0.0
	for _, x := range want {
		most = max(most, math.Abs(x))
	}
	for i, x := range want {
		if !(math.Abs(x-got[i]) <= near*max(math.Abs(x), 1e-3*most)) {
			return fmt.Errorf("number %d is %v, ours %v", i, got[i], x)
		}
	}
	return nil
}
