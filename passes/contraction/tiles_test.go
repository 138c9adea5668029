package contraction_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

var (
	contractions    = flag.Int("contractions", 30, "how many random sums of products are tiled")
	contractionSeed = flag.Uint64("contractionseed", 0, "the first of them")
)

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return built.Parse(t, src, text.Options{})
}

func shown(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// sums is a random program that adds products to a matrix, of integers, so that the order of the sums changes
// nothing, and its arguments.
func sums(seed uint64) (src, args string) {
	r := rand.New(rand.NewPCG(seed, 41))
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	elem := one("f64", "f32")
	n, m, p := r.IntN(40), r.IntN(40), r.IntN(90)
	square := r.IntN(5) == 0 // in place: all sizes are one
	if square {
		m, p = n, n
	}
	flags := one("fast", "fast", "reassoc,contract", "reassoc")
	j := [2]string{"0", "%m"}
	k := [2]string{"0", "%p"}
	inner := one("jk", "kj")
	switch r.IntN(5) {
	case 0:
		j[1] = "min affine_map<(d0)[s0] -> (s0, d0 + 1)>(%i)[%m]"
	case 1:
		j[0] = "affine_map<(d0) -> (d0)>(%i)"
	case 2:
		j = [2]string{"max affine_map<(d0) -> (0, d0 - 5)>(%i)", "min affine_map<(d0)[s0] -> (s0, d0 + 6)>(%i)[%m]"}
	}
	switch r.IntN(5) {
	case 0:
		k[1] = "min affine_map<(d0)[s0] -> (s0, d0)>(%i)[%p]"
	case 1:
		k[0] = "affine_map<(d0) -> (d0 + 1)>(%i)"
	case 2:
		k = [2]string{"max affine_map<(d0) -> (0, d0 * 2 - 7)>(%i)", "min affine_map<(d0)[s0] -> (s0, d0 + 9)>(%i)[%p]"}
	}
	if square {
		k = [][2]string{{"0", "%p"}, {"affine_map<(d0) -> (d0 + 1)>(%i)", "%p"}, {"0", "affine_map<(d0) -> (d0)>(%i)"}}[r.IntN(3)]
		if k[0] == "0" { // each row needs those before it: the numbers grow
			n = min(n, 6)
			m, p = n, n
		}
	}
	aAt, bAt, cAt := one("%i, %k", "%k, %i"), one("%k, %j", "%j, %k"), "%i, %j"
	aShape, bShape := [2]int{n, p}, [2]int{p, m}
	if aAt == "%k, %i" {
		aShape = [2]int{p, n}
	}
	if bAt == "%j, %k" {
		bShape = [2]int{m, p}
	}
	b := "%B"
	if square {
		b = "%C"
	}
	t := "memref<?x?x" + elem + ">"
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	factor, factorType := "negf %e : "+elem, t // of columns, which one in two reads as it is
	if seed%4 == 1 && !square {
		factor, factorType = "extf %e : bf16 to "+elem, "memref<?x?xbf16>"
	}
	line("func.func @f(%%n: index, %%m: index, %%p: index, %%A: %[1]s {llvm.noalias}, %%B: %[2]s {llvm.noalias}, %%C: %[1]s {llvm.noalias}) -> %[1]s {", t, factorType)
	line("  %%two = arith.constant 2.0 : %s", elem)
	order := map[string][]string{"jk": {"j", "k"}, "kj": {"k", "j"}}[inner]
	line("  affine.for %%i = 0 to %%n {")
	for _, x := range order {
		bounds := map[string][2]string{"j": j, "k": k}[x]
		line("  affine.for %%%s = %s to %s {", x, bounds[0], bounds[1])
	}
	line("    %%a = affine.load %%A[%s] : %s", aAt, t)
	if seed%2 == 1 {
		line("    %%e = affine.load %s[%s] : %s", b, bAt, factorType)
		line("    %%b = arith.%s", factor)
	} else {
		line("    %%b = affine.load %s[%s] : %s", b, bAt, t)
	}
	line("    %%c = affine.load %%C[%s] : %s", cAt, t)
	line("    %%s = arith.mulf %%a, %%two fastmath<%s> : %s", flags, elem)
	line("    %%q = arith.mulf %s, %%b fastmath<%s> : %s", one("%s", "%a"), flags, elem)
	value := "%q"
	switch r.IntN(4) {
	case 0:
		line("    %%u = arith.mulf %%b, %%a fastmath<%s> : %s", flags, elem)
		line("    %%v = arith.%s %%q, %%u fastmath<%s> : %s", one("addf", "subf"), flags, elem)
		value = "%v"
	case 1:
		line("    %%v = arith.negf %%q : %s", elem)
		value = "%v"
	}
	line("    %%d = arith.addf %%c, %s fastmath<%s> : %s", value, flags, elem)
	line("    affine.store %%d, %%C[%s] : %s", cAt, t)
	line("  } } }")
	line("  return %%C : %s", t)
	line("}")
	small := func(_, _ int) int { return r.IntN(7) - 3 }
	if n == 0 || m == 0 || p == 0 {
		return sums(seed + 1_000_003) // JSON has no rows of nothing
	}
	return w.String(), fmt.Sprintf("[%d, %d, %d, %s, %s, %s]", n, m, p, built.Matrix(aShape[0], aShape[1], small), built.Matrix(bShape[0], bShape[1], small), built.Matrix(n, m, small))
}

// Sums of products compute the same in blocks and registers.
func TestRandomContractions(t *testing.T) {
	tiled := 0
	for i := range *contractions {
		seed := *contractionSeed + uint64(i)
		src, args := sums(seed)
		g := parse(t, src)
		want := built.After(t, g, "f", args)
		loops := built.TilesFor(t, built.Tiny(8<<(i%4), 1+i%3), g)
		if strings.Contains(shown(loops), "vector.broadcast") {
			tiled++
		}
		built.GivesOnCores(t, loops, args, want, "seed %d, in tiles\n%s", seed, src)
	}
	if tiled < *contractions/2 {
		t.Errorf("%d of %d were tiled", tiled, *contractions)
	}
	t.Logf("%d of %d were tiled", tiled, *contractions)
}

// Of the last columns of a product that is not packed, the last vector has what there is of them.
func TestLastColumns(t *testing.T) {
	const n, k = 5, 6
	at := func(i, j int) int { return (i*7+j*3)%5 - 2 }
	g := built.Parse(t, `func.func @f(%n: index, %m: index, %p: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}) -> memref<?x?xf64> {
  affine.for %i = 0 to %n { affine.for %j = 0 to %m { affine.for %k = 0 to %p {
    %x = affine.load %a[%i, %k] : memref<?x?xf64>
    %y = affine.load %b[%k, %j] : memref<?x?xf64>
    %z = affine.load %c[%i, %j] : memref<?x?xf64>
    %q = arith.mulf %x, %y fastmath<reassoc> : f64
    %s = arith.addf %z, %q fastmath<reassoc> : f64
    affine.store %s, %c[%i, %j] : memref<?x?xf64>
  } } }
  return %c : memref<?x?xf64>
}`, text.Options{})
	for _, bytes := range []int{16, 32} {
		loops := built.TilesFor(t, built.Tiny(bytes, 1), g)
		for m := 1; m < 2*bytes/8+3; m++ {
			args := fmt.Sprintf("[%d, %d, %d, %s, %s, %s]", n, m, k, built.Matrix(n, k, at), built.Matrix(k, m, at), built.Matrix(n, m, at))
			built.Gives(t, loops, "f", args, built.After(t, g, "f", args), "%d columns, vectors of %d bytes", m, bytes)
		}
	}
}

// What is no contraction stays what it is.
func TestNoContractions(t *testing.T) {
	const program = `func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}) {
  affine.for %i = 0 to %n { affine.for %j = 0 to %n { affine.for %k = 0 to %n {
    %x = affine.load %a[INDEX_A] : memref<?x?xf64>
    %y = affine.load %b[INDEX_B] : memref<?x?xf64>
    %z = affine.load %c[INDEX_C] : memref<?x?xf64>
    %p = arith.OP %x, %y : f64
    %s = arith.addf %z, %p fastmath<FLAGS> : f64
    affine.store %s, %c[INDEX_C] : memref<?x?xf64>
  } } }
  return
}`
	for _, c := range []struct {
		what, a, b, c, op, flags string
		is                       bool
	}{
		{"a product of matrices", "%i, %k", "%k, %j", "%i, %j", "mulf", "reassoc", true},
		{"of the transposed ones", "%k, %i", "%j, %k", "%i, %j", "mulf", "reassoc", true},
		{"into the transposed one", "%i, %k", "%k, %j", "%j, %i", "mulf", "reassoc", true},
		{"the order of the sum is not free", "%i, %k", "%k, %j", "%i, %j", "mulf", "contract", false},
		{"a sum of sums", "%i, %k", "%k, %j", "%i, %j", "addf", "reassoc", false},
		{"a factor depends on i and j", "%i, %j", "%k, %j", "%i, %j", "mulf", "reassoc", false},
		{"an index of two coordinates", "%i + %k, %k", "%k, %j", "%i, %j", "mulf", "reassoc", false},
		{"one row", "%k, %k", "%k, %j", "%j, %j", "mulf", "reassoc", false},
	} {
		src := strings.NewReplacer("INDEX_A", c.a, "INDEX_B", c.b, "INDEX_C", c.c, "OP", c.op, "FLAGS", c.flags).Replace(program)
		tiled := built.Through(t, parse(t, src), built.Tiles)
		if got := strings.Contains(shown(tiled), "mark: 'contraction'"); got != c.is {
			t.Errorf("%s: a contraction: %v", c.what, got)
		}
	}
}

// Elements that do not stand side by side are no rows of vectors: neither those of a diagonal nor those of memory
// with gaps.
func TestContractionsOfVectors(t *testing.T) {
	for _, c := range [][2]string{
		{"memref<?x?x?xf64>", "%i, %j, %j"},
		{"memref<?x?xf64, strided<[?, 2], offset: ?>>", "%i, %j"},
	} {
		src := strings.NewReplacer("TYPE", c[0], "INDEX", c[1]).Replace(`func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %c: TYPE {llvm.noalias}) {
  affine.for %i = 0 to %n { affine.for %j = 0 to %n { affine.for %k = 0 to %n {
    %x = affine.load %a[%i, %k] : memref<?x?xf64>
    %y = affine.load %a[%k, %j] : memref<?x?xf64>
    %z = affine.load %c[INDEX] : TYPE
    %p = arith.mulf %x, %y : f64
    %s = arith.addf %z, %p fastmath<reassoc> : f64
    affine.store %s, %c[INDEX] : TYPE
  } } }
  return
}`)
		loops := built.Through(t, parse(t, src), built.Tiles+",poly-codegen")
		if strings.Contains(shown(loops), "vector.") {
			t.Errorf("%s at %s is updated by vectors", c[0], c[1])
		}
	}
}

// So they do as native code, for the machine that the tests run on.
func TestRandomContractionsNative(t *testing.T) {
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	call := func(g *ir.Graph, args string) string {
		p, err := built.Prepare(t.Context(), e, g)
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := built.Call(t.Context(), p, g, "f", args)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	t.Logf("%d as native code", *contractions/6)
	for i := range *contractions / 6 {
		src, args := sums(*contractionSeed + uint64(i))
		g := parse(t, src)
		want := call(g, args)
		if got := call(built.Through(t, g, built.Tiles), args); got != want {
			t.Errorf("seed %d: in tiles it gives\n%s\nand not\n%s\n%s", i, got, want, src)
		}
	}
}
