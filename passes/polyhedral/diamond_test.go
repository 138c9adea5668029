package polyhedral_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

var (
	stencils    = flag.Int("stencils", 16, "how many random stencils are tiled")
	stencilSeed = flag.Uint64("stencilseed", 0, "the first of them")
)

// stencil is a random program of rounds in which one to three statements compute an array each of neighbours in the others,
// and perhaps of what they had, in one or two dimensions; with its arguments.
func stencil(seed uint64) (src, args string) {
	r := rand.New(rand.NewPCG(seed, 77))
	dims, statements := 1+r.IntN(2), 1+r.IntN(3)
	shape := strings.Repeat("?x", dims) + "i32"
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	line("func.func @f(%%steps: index, %%n: index, %%A0: memref<%[1]s> {llvm.noalias}, %%A1: memref<%[1]s> {llvm.noalias}, %%A2: memref<%[1]s> {llvm.noalias}) -> (memref<%[1]s>, memref<%[1]s>, memref<%[1]s>) {", shape)
	line("  affine.for %%t = 0 to %%steps {")
	if r.IntN(4) == 0 { // at the rim
		line("    %%z = arith.constant 3 : i32")
		line("    affine.store %%z, %%A0[%s] : memref<%s>", strings.Join([]string{"0", "1"}[:dims], ", "), shape)
	}
	reach := 1
	if r.IntN(5) == 0 {
		reach = 2
	}
	at := func(own bool) string {
		var out []string
		for _, i := range []string{"%i", "%j"}[:dims] {
			if d := r.IntN(2*reach+1) - reach; !own && d != 0 {
				i = fmt.Sprintf("%s + %d", i, d)
			}
			out = append(out, i)
		}
		return strings.Join(out, ", ")
	}
	for s := range statements {
		for d := range dims {
			line("    affine.for %%%c = %d to affine_map<()[s0] -> (s0 - %d)>()[%%n] {", 'i'+d, 2, 2+r.IntN(2))
		}
		line("      %%x0 = affine.load %%A%d[%s] : memref<%s>", (s+1)%3, at(false), shape)
		reads := 1 + r.IntN(3)
		for k := range reads {
			a := (s + 1 + r.IntN(2)) % 3
			own := r.IntN(4) == 0
			if own {
				a = s
			}
			line("      %%y%d = affine.load %%A%d[%s] : memref<%s>", k, a, at(own), shape)
			line("      %%x%d = arith.%s %%x%d, %%y%d : i32", k+1, []string{"addi", "subi", "muli", "xori"}[r.IntN(4)], k, k)
		}
		line("      affine.store %%x%d, %%A%d[%s] : memref<%s>", reads, s, at(true), shape)
		line("    %s", strings.Repeat("} ", dims))
	}
	line("  }\n  return %%A0, %%A1, %%A2 : memref<%[1]s>, memref<%[1]s>, memref<%[1]s>\n}", shape)
	n := 4 + r.IntN(22)
	array := func() string {
		value := func(int) int { return r.IntN(19) - 9 }
		if dims == 1 {
			return built.RowOf(n, value)
		}
		return built.Matrix(n, n, func(_, j int) int { return value(j) })
	}
	return w.String(), fmt.Sprintf("[%d, %d, %s, %s, %s]", r.IntN(12), n, array(), array(), array())
}

// Stencils compute the same in diamonds and other tiles, on one core and on two, without races.
func TestRandomStencils(t *testing.T) {
	diamonds, apart := 0, 0
	options := []string{"{sizes=4,4,3}", "{sizes=6,4 full-tiles=true}", "{shape=skewed sizes=3,5,4 full-tiles=true}", "", "{shape=diamond sizes=1,7,9}", "{full-tiles=true sizes=4,3,3}", "{full-tiles=true sizes=2,4,2}"}
	for i := range *stencils {
		seed := *stencilSeed + uint64(i)
		src, args := stencil(seed)
		g := parse(t, src)
		want := built.After(t, g, "f", args)
		up := built.Through(t, g, "raise-affine,poly-schedule{alg=pluto}")
		machine := built.Tiny(16, 1+i%2)
		in := built.ThroughFor(t, machine, up, "poly-tile"+options[seed%uint64(len(options))])
		if strings.Contains(shown(in), " - i1)/") || strings.Contains(shown(in), " - i1 + ") {
			diamonds++
		}
		if strings.Contains(shown(in), "isolate[[") && strings.Contains(options[seed%uint64(len(options))], "full") {
			apart++
		}
		loops := built.ThroughFor(t, machine, in, "poly-codegen{parallel=true}")
		built.GivesOnCores(t, loops, args, want, "seed %d, in tiles\n%s", seed, src)
	}
	if diamonds < *stencils/5 {
		t.Errorf("%d of %d are in diamonds", diamonds, *stencils)
	}
	if apart < *stencils/8 {
		t.Errorf("%d of %d have full tiles apart", apart, *stencils)
	}
	t.Logf("%d of %d are in diamonds, %d have full tiles apart", diamonds, *stencils, apart)
}

// Diamonds are found where some function of time less place grows along all dependences, and what is in a tile needs no
// floors in its innermost loop, on two cores, either.
func TestDiamonds(t *testing.T) {
	for _, c := range []struct{ what, reads, passes, want string }{
		{"neighbours of the round before", "%i - 1", "", "(floor((2i0 + i1)/1024))"},
		{"far ones", "%i - 2", "", "(floor((4i0 - i1)/1024))"},
		{"skewed, if it is asked for", "%i - 1", "{shape=skewed sizes=8,8}", "(floor((i0)/8))"},
	} {
		src := strings.ReplaceAll(`func.func @f(%steps: index, %n: index, %a: memref<?xf64> {llvm.noalias}, %b: memref<?xf64> {llvm.noalias}) {
  affine.for %t = 0 to %steps {
    affine.for %i = 2 to affine_map<()[s0] -> (s0 - 2)>()[%n] {
      %0 = affine.load %a[INDEX] : memref<?xf64>
      %1 = affine.load %a[%i + 1] : memref<?xf64>
      %2 = arith.addf %0, %1 : f64
      affine.store %2, %b[%i] : memref<?xf64>
    }
    affine.for %i = 2 to affine_map<()[s0] -> (s0 - 2)>()[%n] {
      %3 = affine.load %b[INDEX] : memref<?xf64>
      %4 = affine.load %b[%i + 1] : memref<?xf64>
      %5 = arith.addf %3, %4 : f64
      affine.store %5, %a[%i] : memref<?xf64>
    }
  }
  return
}`, "INDEX", c.reads)
		tiled := built.ThroughFor(t, built.Tiny(16, 1), parse(t, src), built.Tiles+c.passes)
		if got := shown(tiled); !strings.Contains(got, c.want) {
			t.Errorf("%s: no %s in\n%s", c.what, c.want, got)
		}
		loops := built.ThroughFor(t, built.Tiny(16, 2), parse(t, src), built.Tiles+c.passes+",poly-codegen{parallel=true},canonicalize")
		got := shown(loops)
		if strings.Count(got, "scf.parallel") != 1 {
			t.Errorf("%s: cores share nothing:\n%s", c.what, got)
		}
		for _, inner := range strings.Split(got, "scf.for %arg6")[1:] {
			body, _, _ := strings.Cut(inner, "memref.store")
			if strings.Contains(body, "floordivsi") || strings.Contains(body, "scf.if") {
				t.Errorf("%s: the innermost loop looks for its tile:\n%s", c.what, body)
			}
		}
	}
}
