package contraction_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

// finished is a random program of sums and of loops after them that replace each element of the result by what they make of it and of
// others, mostly of its place, or write that to other memory, of any floats; and its arguments.
func finished(seed uint64) (src, args string) {
	for src, args = sums(seed); strings.Contains(src, "affine_map") && seed%4 > 0; src, args = sums(seed) {
		seed += 1_000_004 // most have all their sums over one range
	}
	r := rand.New(rand.NewPCG(seed, 43))
	one := func(list ...string) string { return list[r.IntN(len(list))] }
	elem := "f64"
	if strings.Contains(src, "f32") {
		elem = "f32"
	}
	var n, m, p int
	if _, err := fmt.Sscanf(args, "[%d, %d, %d,", &n, &m, &p); err != nil {
		panic(err)
	}
	t, row := "memref<?x?x"+elem+">", "memref<?x"+elem+">"
	var w strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&w, format+"\n", args...) }
	first, last := one("0", "0", "0", "0", "1"), one("%m", "%m", "%m", "%m", "affine_map<()[s0] -> (s0 - 1)>()[%m]")
	line("  affine.for %%i = %s to %%n { affine.for %%j = 0 to %s {", first, last)
	line("    %%x0 = affine.load %%C[%s] : %s", one("%i, %j", "%i, %j", "%i, %j", "%i, %j", "%i, 0", "0, %j"), t)
	value := "%x0"
	for k := range 1 + r.IntN(4) {
		y := fmt.Sprintf("%%y%d", k)
		switch r.IntN(7) {
		case 0:
			line("    %s = affine.load %%D[%%i, %%j] : %s", y, t)
		case 1:
			line("    %s = affine.load %%D[%%i, 0] : %s", y, t)
		case 2:
			line("    %s = affine.load %%E[%%j] : %s", y, row)
		case 3:
			line("    %s = affine.load %%E[0] : %s", y, row)
		case 4:
			line("    %s = affine.load %%A[%s] : %s", y, "0, 0", t)
		case 5:
			line("    %s_of = math.absf %s : %s", y, value, elem)
			line("    %s = arith.minimumf %s_of, %%two : %s", y, y, elem)
		default:
			y = value
		}
		line("    %%x%d = arith.%s %s, %s : %s", k+1, one("addf", "subf", "maximumf", "minimumf"), value, y, elem)
		value = fmt.Sprintf("%%x%d", k+1)
	}
	other, to := one(elem, "f64", "f32", "f16"), "%C"
	if r.IntN(3) == 0 {
		to = "%F"
		switch width := map[string]int{"f64": 64, "f32": 32, "f16": 16}; {
		case width[other] < width[elem]:
			line("    %%z = arith.truncf %s : %s to %s", value, elem, other)
			value = "%z"
		case width[other] > width[elem]:
			line("    %%z = arith.extf %s : %s to %s", value, elem, other)
			value = "%z"
		}
	} else {
		other = elem
	}
	line("    affine.store %s, %s[%s] : memref<?x?x%s>", value, to, one("%i, %j", "%i, %j", "%i, %j", "%i, %j", "%n - %i - 1, %j"), other)
	line("  } }")
	src = strings.Replace(src, "  return %C", w.String()+"  return %C", 1)
	if r.IntN(2) == 0 { // the sums begin with zeros, so that they are stored only if they are read
		src = strings.Replace(src, "  affine.for %i", "  %nothing = arith.constant 0.0 : "+elem+"\n  affine.for %i = 0 to %n { affine.for %j = 0 to %m { affine.store %nothing, %C[%i, %j] : "+t+" } }\n  affine.for %i", 1)
	}
	src = strings.Replace(src, "%C: "+t+" {llvm.noalias})", fmt.Sprintf("%%C: %s {llvm.noalias}, %%D: %s {llvm.noalias}, %%E: %s {llvm.noalias}, %%F: memref<?x?x%s> {llvm.noalias})", t, t, row, other), 1)
	small := func(int) int { return r.IntN(9) - 4 }
	all := built.Matrix(n, m, func(_, j int) int { return small(j) })
	return src, strings.TrimSuffix(args, "]") + ", " + all + ", " + built.RowOf(m, small) + ", " + all + "]"
}

// What is done to tiles when their sums are complete is what loops after them do, in parts of any size and on any cores.
func TestRandomEpilogues(t *testing.T) {
	fused, most := 0, 2**contractions // few of them have what goes wrong
	for i := range most {
		seed := *contractionSeed + uint64(i)
		src, args := finished(seed)
		g := parse(t, src)
		want := built.After(t, g, "f", args)
		loops := built.TilesFor(t, built.Tiny(8<<(i%4), 1+i%3), g)
		if isFinished(shown(loops), "arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf") {
			fused++
		}
		if got := built.AfterWith(t, loops, "f", args, built.NoRaces()); unsigned(got) != unsigned(want) {
			t.Errorf("seed %d: in tiles it gives\n%s\nand not\n%s\n%s", seed, got, want, src)
		}
	}
	if fused < most/10 {
		t.Errorf("%d of %d were done to tiles", fused, most)
	}
	t.Logf("%d of %d were done to tiles", fused, most)
}

// unsigned forgets the sign of zeros, which of a sum depends on what it begins with.
func unsigned(s string) string { return strings.ReplaceAll(s, "-0.0", "0") }

// isFinished reports vectors of what an epilogue does: the sums of products here are made of ops with other flags.
func isFinished(text string, ops ...string) bool {
	for line := range strings.Lines(text) {
		for _, op := range ops {
			if strings.Contains(line, "= "+op+" ") && strings.Contains(line, ": vector<") && !strings.Contains(line, "fastmath") {
				return true
			}
		}
	}
	return false
}

// Sums that something else reads are there, if an epilogue writes what it makes of them to other memory.
func TestSumsThatAreRead(t *testing.T) {
	const program = `func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}, %d: memref<?x?xf32> {llvm.noalias}) {
  %zero = arith.constant 0.0 : f64
  affine.for %i = 0 to %n { affine.for %j = 0 to %n { affine.store %zero, %c[%i, %j] : memref<?x?xf64> } }
  affine.for %i = 0 to %n { affine.for %j = 0 to %n { affine.for %k = 0 to %n {
    %x = affine.load %a[%i, %k] : memref<?x?xf64>
    %y = affine.load %b[%k, %j] : memref<?x?xf64>
    %z = affine.load %c[%i, %j] : memref<?x?xf64>
    %p = arith.mulf %x, %y fastmath<reassoc> : f64
    %s = arith.addf %z, %p fastmath<reassoc> : f64
    affine.store %s, %c[%i, %j] : memref<?x?xf64>
  } } }
  affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    %x = affine.load %c[%i, %j] : memref<?x?xf64>
    %y = arith.truncf %x : f64 to f32
    affine.store %y, %d[%i, %j] : memref<?x?xf32>
  } }
  return
}`
	for n := 1; n < 30; n += 4 {
		all := built.Matrix(n, n, func(i, j int) int { return (i*7+j*5)%11 - 4 })
		args := fmt.Sprintf("[%d, %s, %s, %s, %s]", n, all, all, all, all)
		g := parse(t, program)
		loops := built.TilesFor(t, built.Tiny(16, 1), g)
		if !isFinished(shown(loops), "arith.truncf") {
			t.Error("the sums are rounded in loops of their own")
		}
		built.Gives(t, loops, "f", args, built.After(t, g, "f", args), "%d rows", n)
	}
}

// An epilogue is done to tiles where it has the elements of the result, once each, and vectors of what it reads.
func TestEpilogues(t *testing.T) {
	const program = `func.func @f(%n: index, %a: memref<?x?xf64> {llvm.noalias}, %b: memref<?x?xf64> {llvm.noalias}, %c: memref<?x?xf64> {llvm.noalias}, %d: memref<?x?xf64> {llvm.noalias}, %e: memref<?x?xf32> {llvm.noalias}) {
  affine.for %i = 0 to %n { affine.for %j = 0 to %n { affine.for %k = 0 to K {
    %x = affine.load %a[%i, %k] : memref<?x?xf64>
    %y = affine.load %b[%k, %j] : memref<?x?xf64>
    %z = affine.load %c[%i, %j] : memref<?x?xf64>
    %p = arith.mulf %x, %y fastmath<reassoc> : f64
    %s = arith.addf %z, %p fastmath<reassoc> : f64
    affine.store %s, %c[%i, %j] : memref<?x?xf64>
  } } }
  affine.for %i = FIRST to %n { affine.for %j = 0 to %n {
    %x = affine.load %c[OWN] : memref<?x?xf64>
    %y = affine.load OTHER : memref<?x?xf64>
    %z = BODY
    affine.store %z, STORE
  } }
  return
}`
	for _, c := range []struct {
		what   string
		change []string
		is     bool
	}{
		{"a residual", nil, true},
		{"one of a row", []string{"OTHER", "%d[0, %j]"}, true},
		{"one of a column", []string{"OTHER", "%d[%i, 0]"}, true},
		{"a function", []string{"BODY", "math.exp %x : f64"}, true},
		{"elements of a column do not stand side by side", []string{"OTHER", "%d[%j, %i]"}, false},
		{"another element of the result", []string{"OTHER", "%c[%i, 0]"}, false},
		{"the element of another place", []string{"OWN", "%i, 0"}, false},
		{"not all elements", []string{"FIRST", "1"}, false},
		{"into other memory", []string{"STORE", "%e[%i, %j] : memref<?x?xf32>", "BODY", "arith.truncf %x : f64 to f32"}, true},
		{"into other memory, by columns", []string{"STORE", "%e[%j, %i] : memref<?x?xf32>", "BODY", "arith.truncf %x : f64 to f32"}, false},
		{"into one row of other memory", []string{"STORE", "%e[0, %j] : memref<?x?xf32>", "BODY", "arith.truncf %x : f64 to f32"}, false},
		{"into memory that it reads", []string{"STORE", "%d[%i, %j] : memref<?x?xf64>"}, false},
		{"into memory that the sums are of", []string{"STORE", "%b[%i, %j] : memref<?x?xf64>"}, false},
		{"rows that are not summed up to the same place", []string{"K", "affine_map<(d0) -> (d0)>(%i)"}, false},
		{"what may trap", []string{"BODY", "func.call @g(%x, %y) : (f64, f64) -> f64"}, false},
	} {
		pairs := append(c.change, "OTHER", "%d[%i, %j]", "OWN", "%i, %j", "BODY", "arith.addf %x, %y : f64", "STORE", "%c[%i, %j] : memref<?x?xf64>", "FIRST", "0", "K", "%n")
		src := "func.func private @g(f64, f64) -> f64\n" + strings.NewReplacer(pairs...).Replace(program)
		loops := built.TilesFor(t, built.Tiny(16, 1), parse(t, src))
		got := isFinished(shown(loops), "arith.addf", "arith.truncf", "math.exp")
		if got != c.is {
			t.Errorf("%s: done to tiles: %v", c.what, got)
		}
	}
}
