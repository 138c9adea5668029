package polybench

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

// How far a float may be off, relatively. The interpreter does what C does, but for divisions
// that fastmath makes products; LLVM may take sums in another order, too, and contract products.
const interpreted, compiled = 1e-14, 1e-12

// tiles are passes by which the loops get another order, and tiles.
const tiles = "raise-affine,poly-schedule{alg=pluto},poly-tile"

// loopPasses change loops and keep what they do in an iteration.
var loopPasses = []string{
	"repeat(loop-distribute),loop-interchange,loop-tile{sizes=4,3},loop-peel",
	"repeat(loop-fuse),loop-tile{sizes=3,2,4},unroll-and-jam{factor=3}",
	"loop-skew,loop-interchange{order=1,0},loop-reverse,strip-mine{size=3}",
	"unroll-and-jam{factor=2},loop-collapse",
}

// Each kernel computes what its peer does, on the interpreter as it stands and as native code, and
// in another order: as native code, too. Where make soak does not look at all, each has two of the loop passes, and
// one of three has tiles.
func TestKernels(t *testing.T) {
	eval := built.Start(t, engine.Eval)
	defer eval.Close()
	ran := 0
	defer func() { t.Logf("%d forms", ran) }()
	for n, k := range All() {
		t.Run(k.Name, func(t *testing.T) {
			want := runPeer(t, k)
			src, err := os.ReadFile("../../" + k.File())
			if err != nil {
				t.Fatal(err)
			}
			t.Run("eval", func(t *testing.T) { agree(t, k, string(src), "", eval, want, interpreted) })
			for i, passes := range loopPasses {
				if (n+i)%2 != 0 && !built.Soaking() {
					continue
				}
				ran++
				t.Run(fmt.Sprint("loops-", i), func(t *testing.T) { agree(t, k, string(src), passes, eval, want, compiled) })
			}
			t.Run("llvm", func(t *testing.T) {
				e := built.Start(t, engine.LLVM)
				defer e.Close()
				t.Run("as it stands", func(t *testing.T) { agree(t, k, string(src), "", e, want, compiled) })
				if ran += 2; n%3 == 0 || built.Soaking() {
					t.Run("tiles", func(t *testing.T) { agree(t, k, string(src), tiles, e, want, compiled) })
				}
			})
		})
	}
}

// A state is the elements of arrays, by name.
type state map[string][]float64

// runPeer compiles a kernel in C with small sizes and gives the arrays after init and after
// kernel; the second state has what check gives, too.
func runPeer(t *testing.T, k *Kernel) (out [2]state) {
	t.Helper()
	src, err := os.ReadFile("../../" + k.Peer())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, data := range map[string]string{"peer.c": k.Resized(string(src), k.Small), "main.c": k.Dump("peer.c")} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	exe := filepath.Join(dir, "peer")
	compiler(t, "-w", "-O1", "-ffp-contract=off", "-Itestdata", "-o", exe, filepath.Join(dir, "main.c"), "-lm")
	lines, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	out = [2]state{{}, {}}
	n := 0
	for line := range bytes.Lines(lines) {
		words := strings.Fields(string(line))
		elems := make([]float64, len(words)-1)
		for i, w := range words[1:] {
			if elems[i], err = strconv.ParseFloat(w, 64); err != nil {
				t.Fatal(err)
			}
		}
		out[n/len(k.Arrays)&1|n/len(k.Arrays)>>1][words[0]] = elems
		n++
	}
	return out
}

// compiler runs a C compiler; without one the test is skipped.
func compiler(t *testing.T, args ...string) {
	t.Helper()
	for _, cc := range []string{"clang-19", "cc", "gcc", "clang"} {
		if _, err := exec.LookPath(cc); err != nil {
			continue
		}
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", cc, err, out)
		}
		return
	}
	t.Skip("loops beside C: needs a C compiler")
}

// agree runs a kernel step by step on an engine and compares the arrays after each.
func agree(t *testing.T, k *Kernel, src, passes string, e engine.Engine, want [2]state, round float64) {
	g := built.Parse(t, src, text.Options{})
	if passes != "" {
		g = built.Through(t, g, passes)
		left := text.String(g, text.PrintOptions{})
		if calls := strings.Count(src, "to %repetitions"); passes == tiles && strings.Count(left, "affine.for") != calls {
			t.Errorf("of the loops all but %d that call a function should be raised:\n%s", calls, left)
		}
	}
	p, err := built.Prepare(t.Context(), e, g)
	if err != nil {
		t.Fatal(err)
	}
	arrays, rounds, err := k.Arguments(g.Ctx, k.Small)
	if err != nil {
		t.Fatal(err)
	}
	call(t, p, "init", arrays...)
	k.compare(t, "init", arrays, want[0], round)
	call(t, p, "kernel", slices.Concat(arrays, rounds)...)
	k.compare(t, "kernel", arrays, want[1], round)
	sum := call(t, p, "check", arrays...)[0].F64()
	near(t, "check", []float64{sum}, want[1]["check"], round)
	var sizes []ir.Val
	for _, n := range k.Small {
		sizes = append(sizes, ir.IntVal(int64(n), 64))
	}
	near(t, "main", []float64{call(t, p, "main", sizes...)[0].F64()}, want[1]["check"], round)
}

func call(t *testing.T, p run.Program, name string, args ...ir.Val) []ir.Val {
	t.Helper()
	out, _, err := p.Call(t.Context(), name, args)
	if err != nil {
		t.Fatalf("@%s: %v", name, err)
	}
	return out
}

// compare compares arrays; integers bit for bit.
func (k *Kernel) compare(t *testing.T, after string, arrays []ir.Val, want state, round float64) {
	t.Helper()
	for i, a := range k.Arrays {
		b := arrays[i].Ref.(*interp.MemRef).Buf
		got, within := make([]float64, b.Len()), round
		for j := range got {
			if a.Ints {
				got[j], within = float64(b.Load(j).Int(32)), 0
			} else {
				got[j] = b.Load(j).F64()
			}
		}
		near(t, a.Name+" after @"+after, got, want[a.Name], within)
	}
}

func near(t *testing.T, what string, got, want []float64, round float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d elements, in C %d", what, len(got), len(want))
	}
	for j, x := range want {
		if !(math.Abs(got[j]-x) <= round*math.Max(1, math.Abs(x))) {
			t.Fatalf("element %d of %s is %v, in C %v", j, what, got[j], x)
		}
	}
}

// The C says the sizes that the benchmark takes, for each parameter that we have.
func TestSizes(t *testing.T) {
	for _, k := range All() {
		src, err := os.ReadFile("../../" + k.Peer())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := k.Sizes(string(src)); err != nil {
			t.Error(err)
		}
	}
	if _, err := Kernels[0].Sizes("enum{NI=3,NJ=4};"); err == nil {
		t.Error("a size is missing, and nobody says so")
	}
	if got := Kernels[3].Resized("enum{N=1200,M=1000}; x", []int{7, 8}); got != "enum{N=7,M=8}; x" {
		t.Error(got)
	}
}
