package polybench

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/ends"
)

// PeerFlags are the flags that the C is compiled with, by name: it may do to floats what fastmath allows ours. Polly is
// LLVM's polyhedral optimizer.
var PeerFlags = map[string][]string{
	"clang":      {"-ffast-math"},
	"Polly":      {"-ffast-math", "-mllvm", "-polly", "-mllvm", "-polly-vectorizer=stripmine"},
	"Polly, 512": {"-mprefer-vector-width=512", "-mllvm", "-polly", "-mllvm", "-polly-vectorizer=stripmine"},
}

// SharedPeerFlags are those by which Polly shares loops among cores, with GCC's library for OpenMP (Debian: libgomp1).
var SharedPeerFlags = map[string][]string{
	"Polly, shared":      append([]string{"-mllvm", "-polly-parallel", gomp}, PeerFlags["Polly"]...),
	"Polly, 512, shared": append([]string{"-mllvm", "-polly-parallel", gomp}, PeerFlags["Polly, 512"]...),
}

const gomp = "-Wl,--no-as-needed,-l:libgomp.so.1"

// A Peer is a kernel in C that was compiled, in one of the PeerFlags or SharedPeerFlags, with the sizes that it says.
type Peer struct {
	Flags string
	exe   string
	Sizes []int
}

// Build compiles the kernel in C, in a way and in a folder, with some sizes or, for none, those that it says; root is that of
// the repository.
func (k *Kernel) Build(ctx context.Context, clang, way, root, dir string, sizes ...int) (*Peer, error) {
	src, err := os.ReadFile(filepath.Join(root, k.Peer()))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(root, k.Peer())
	if len(sizes) > 0 {
		text := k.Resized(string(src), sizes)
		if file = filepath.Join(dir, k.Name+".c"); os.WriteFile(file, []byte(text), 0o600) != nil {
			return nil, fmt.Errorf("%s cannot be written", file)
		}
	} else if sizes, err = k.Sizes(string(src)); err != nil {
		return nil, err
	}
	p := &Peer{way, filepath.Join(dir, k.Name+strings.ReplaceAll(way, ", ", "")), sizes}
	args := append(slices.Concat([]string{"-O3", "-march=native", "-w", "-I", filepath.Join(root, filepath.Dir(k.Peer()))}, PeerFlags[way], SharedPeerFlags[way]), file, "-o", p.exe, "-lm")
	if text, err := exec.CommandContext(ctx, clang, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w: %s", clang, err, text)
	}
	return p, nil
}

// Run runs the kernel once and gives the seconds that it took, without init and check, and
// the sum that check gives.
func (p *Peer) Run(ctx context.Context) (seconds, sum float64, err error) {
	out, err := exec.CommandContext(ctx, p.exe, "1").Output()
	if err != nil {
		return 0, 0, err
	}
	words := strings.Fields(string(out))
	if len(words) != 2 {
		return 0, 0, fmt.Errorf("%s says %q", p.exe, out)
	}
	if seconds, err = strconv.ParseFloat(words[0], 64); err == nil {
		sum, err = strconv.ParseFloat(words[1], 64)
	}
	return seconds, sum, err
}

// Code is a kernel of ours that was compiled, with arrays bound to it.
type Code struct {
	*run.Binding
	ctx context.Context
}

// Through is a target whose lowering pipeline begins with passes, if there are any.
func Through(t *target.Target, passes string) *target.Target {
	out := *t
	if passes != "" {
		out.Pipeline = passes + "," + lowering.Pipeline(t, ends.MostOptimised)
	}
	return &out
}

// Bind binds arrays of the sizes given, and the rounds of @kernel, to our program of the kernel.
func (k *Kernel) Bind(ctx context.Context, p run.Program, sizes []int) (*Code, error) {
	arrays, rounds, err := k.Arguments(ir.NewContext(dialects.All...), sizes)
	if err != nil {
		return nil, err
	}
	b, err := run.Bind(ctx, p, append(arrays, rounds...)...)
	return &Code{b, ctx}, err
}

// Run runs @init, @kernel and @check and gives the seconds of @kernel and the sum of @check.
func (c *Code) Run() (seconds, sum float64, err error) { return Time(c.ctx, c.Binding) }

// Time does so with what is bound.
func Time(ctx context.Context, b *run.Binding) (seconds, sum float64, err error) {
	out, err := b.Batch(ctx, []run.BoundCall{{Name: "init"}, {Name: "kernel"}, {Name: "check"}})
	if err != nil {
		return 0, 0, err
	}
	for _, r := range out {
		if r.Err != nil {
			return 0, 0, r.Err
		}
	}
	return out[1].Wall.Seconds(), out[2].Values[0].F64(), nil
}

// Same reports whether two sums are the same but for the order of operations.
func Same(x, y float64) bool { return math.Abs(x-y) <= 1e-9*math.Max(1, math.Abs(x)) }
