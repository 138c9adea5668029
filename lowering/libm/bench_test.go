package libm_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
)

const benchSize = 4096

// benched are functions on arguments between two numbers.
var benched = []struct {
	name   string
	lo, hi float64
}{{"exp", -20, 20}, {"log", 1e-3, 1e3}, {"sin", -20, 20}, {"tanh", -5, 5}}

func benchArgument(lo, hi float64, i int) float64 { return lo + (hi-lo)*float64(i)/benchSize }

// BenchmarkThroughput is the time for an element of a loop over 4096 f64 or f32: of
// the lowering at O3 for this machine, of calls of libm, and of clang's vector code
// with libmvec, where clang-19 is.
func BenchmarkThroughput(b *testing.B) {
	for _, f := range benched {
		for _, k := range formats {
			src := loop("f", "math."+f.name, 1, k.name)
			b.Run(f.name+"_"+k.name+"/lowered", func(b *testing.B) { throughput(b, lowered(b, src), k, f.lo, f.hi) })
			b.Run(f.name+"_"+k.name+"/libm", func(b *testing.B) { throughput(b, parse(b, src), k, f.lo, f.hi) })
			b.Run(f.name+"_"+k.name+"/libmvec", func(b *testing.B) { libmvec(b, f.name, k, f.lo, f.hi) })
		}
	}
}

func throughput(b *testing.B, g *ir.Graph, k format, lo, hi float64) {
	child, err := jit.Start(b.Context(), jit.ChildOptions{})
	if errors.Is(err, jit.ErrMissing) {
		b.Skipf("this benchmark needs libLLVM: %v", err)
	}
	if err != nil {
		b.Fatal(err)
	}
	defer child.Close()
	m, err := llvm.Emit(g, llvm.Options{Thunks: true, Unchecked: true})
	if err != nil {
		b.Fatal(err)
	}
	code, err := child.Compile(b.Context(), m.Text(), jit.Options{Level: jit.O3, Externs: m.Externs()})
	if err != nil {
		b.Fatal(err)
	}
	var slots []uint64
	size := k.prec / 24 * 4 // bytes
	for range 2 {
		buf, err := child.Alloc(b.Context(), benchSize*size)
		if err != nil {
			b.Fatal(err)
		}
		for i := range benchSize {
			x := ir.FloatToBits(benchArgument(lo, hi, i), k.t)
			if size == 4 {
				binary.NativeEndian.PutUint32(buf.Bytes()[4*i:], uint32(x))
			} else {
				binary.NativeEndian.PutUint64(buf.Bytes()[8*i:], x)
			}
		}
		slots = append(slots, buf.Addr(), benchSize, 1)
	}
	best := math.Inf(1)
	for b.Loop() {
		_, wall, err := code.CallMany(b.Context(), jit.Call{Symbol: m.Func("f").Thunk, Args: append(slots, benchSize)}, 200)
		if err != nil {
			b.Fatal(err)
		}
		best = min(best, float64(wall.Nanoseconds())/benchSize)
	}
	b.ReportMetric(best, "ns/elem")
}

const peer = `
#include <math.h>
#include <stdio.h>
#include <time.h>
static T x[4096], y[4096];
__attribute__((noinline)) void f(const T *restrict x, T *restrict y, int n) {
  for (int i = 0; i < n; i++) y[i] = FN(x[i]);
}
int main() {
  double best = 1e9;
  for (int i = 0; i < 4096; i++) x[i] = @A + (@B - @A) * i / 4096;
  for (int k = 0; k < 200; k++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (int r = 0; r < 50; r++) { f(x, y, 4096); __asm__ volatile("" ::: "memory"); }
    clock_gettime(CLOCK_MONOTONIC, &b);
    double t = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / 50 / 4096;
    if (t < best) best = t;
  }
  printf("%.4f\n", best);
}
`

func libmvec(b *testing.B, name string, k format, lo, hi float64) {
	clang, err := exec.LookPath("clang-19")
	if err != nil {
		b.Skip("this benchmark needs clang-19")
	}
	dir := b.TempDir()
	c, out := filepath.Join(dir, "peer.c"), filepath.Join(dir, "peer")
	typ := "double"
	if k.t == ir.F32 {
		typ, name = "float", name+"f"
	}
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	src := strings.NewReplacer("FN", name, "@A", "("+num(lo)+")", "@B", num(hi)).Replace(peer)
	src = "typedef " + typ + " T;\n" + src
	if err := os.WriteFile(c, []byte(src), 0o600); err != nil {
		b.Fatal(err)
	}
	if msg, err := exec.Command(clang, "-O3", "-march=native", "-ffast-math", "-fveclib=libmvec", c, "-o", out, "-lmvec", "-lm").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, msg)
	}
	best := math.Inf(1)
	for b.Loop() {
		text, err := exec.Command(out).Output()
		if err != nil {
			b.Fatal(err)
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64)
		if err != nil {
			b.Fatal(err)
		}
		best = min(best, x)
	}
	b.ReportMetric(best, "ns/elem")
}
