package polyhedral_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tests/built"
)

var (
	nests    = flag.Int("nests", 120, "how many random loop nests are tiled")
	nestSeed = flag.Uint64("nestseed", 0, "the first of them")
)

// Random loop nests compute the same in tiles.
func TestRandomTiles(t *testing.T) {
	tiled := 0
	sizes := []string{"{sizes=3,2,4}", "{sizes=0,3}", "{sizes=5}", "", "{sizes=2,3,2 full-tiles=true}", "{sizes=3,3 full-tiles=true}"}
	built.EachNest(t, *nests, *nestSeed, func(p *built.RandomNest) bool {
		up := built.Through(t, p.Graph, "raise-affine,poly-schedule{alg=pluto budget=2000000}")
		in := built.Through(t, up, "poly-tile"+sizes[p.Seed%uint64(len(sizes))])
		if shown(in) == shown(up) {
			return false
		}
		tiled++
		p.Same(t, built.ThroughFor(t, built.Tiny(16, 1), in, "poly-codegen"), "in tiles")
		return true
	})
	if tiled < *nests/30 {
		t.Errorf("%d of %d got tiles", tiled, *nests)
	}
	t.Logf("%d of %d got tiles", tiled, *nests)
}

// skewed is a program whose schedule says, wrongly, that its loops may be exchanged.
const skewed = `func.func @f(%n: index, %a: memref<?x?xf64>) {
  poly.system (%n = "N") context "[N] -> { : N >= 0 }" schedule [
      "domain: '[N] -> { S[i, j] : 1 <= i < N and 0 <= j < N - 1 }'",
      "child:",
      "  schedule: '[{ S[i, j] -> [i] }, { S[i, j] -> [j] }]'",
      "  permutable: 1"] {
    %A = poly.bind %a as inout "A" in "[N] -> { A[i, j] : 0 <= i < N and 0 <= j < N }" : memref<?x?xf64>
    poly.statement "S" over "[N] -> { S[i, j] : 1 <= i < N and 0 <= j < N - 1 }" set %A at "{ S[i, j] -> A[i, j] }" reading %A at "{ S[i, j] -> A[i - 1, j + 1] }" do (%i: index, %j: index, %x: f64) {
      poly.yield %x : f64
    }
  }
  return
}`

func TestTilesThatAreWrong(t *testing.T) {
	for _, c := range [][2]string{
		{"poly-tile{sizes=2,2}", "is against the order of the tiles: S[3, 1] depends on S[2, 2] but is executed before it, where N = 4"},
		{"poly-tile{sizes=-2}", "sizes has -2; the size of a tile is 1 to 1048576, and 0 for none"},
		{"poly-tile{sizes=2,9000000000}", "sizes has 9000000000;"},
	} {
		if got := built.Fails(t, parse(t, skewed), c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("%s: %s, want %s", c[0], got, c[1])
		}
	}
}

// Rounds of loops that may not be exchanged are not taken together, though those of the inner one need one another.
func TestNoJam(t *testing.T) {
	for permutable, jams := range []bool{false, true} {
		src := strings.NewReplacer("permutable: 1", fmt.Sprint("permutable: ", permutable),
			`reading %A at "{ S[i, j] -> A[i - 1, j + 1] }" do (%i: index, %j: index, %x: f64)`,
			`reading %A at "{ S[i, j] -> A[i - 1, j + 1] }", %A at "{ S[i, j] -> A[i, j - 1] }" do (%i: index, %j: index, %x: f64, %y: f64)`,
			"1 <= i < N and 0 <= j < N - 1", "1 <= i < N and 1 <= j < N - 1").Replace(skewed)
		if jams { // where no row needs a later column of the row above, they may
			src = strings.ReplaceAll(src, "A[i - 1, j + 1]", "A[i - 1, j]")
		}
		tiled := built.Through(t, parse(t, src), "poly-tile{sizes=0}")
		if got := strings.Contains(shown(tiled), "unroll[0]"); got != jams {
			t.Errorf("permutable: %d: several rounds together: %v, want %v", permutable, got, jams)
		}
	}
}

// Rounds of a loop are taken together where those of the loop inside need one another, and may be: where the band is
// permutable.
func TestJam(t *testing.T) {
	for _, c := range []struct {
		what, index string
		jams        bool
	}{
		{"neighbours on all sides", "%i - 1, %j + 1", true},
		{"one row waits for another", "%i - 1, %j - 1", true},
		{"rounds of j need none of j", "%i - 1, %j", false},
	} {
		src := strings.ReplaceAll(`func.func @f(%steps: index, %n: index, %m: index, %a: memref<?x?xi32> {llvm.noalias}) -> memref<?x?xi32> {
  affine.for %t = 0 to %steps { affine.for %i = 1 to %n { affine.for %j = 1 to %m {
    %0 = affine.load %a[%i, %j - 1] : memref<?x?xi32>
    %1 = affine.load %a[INDEX] : memref<?x?xi32>
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %2, %0 : i32
    affine.store %3, %a[%i, %j] : memref<?x?xi32>
  } } }
  return %a : memref<?x?xi32>
}`, "INDEX", c.index)
		if !c.jams {
			src = strings.ReplaceAll(src, "%i, %j - 1", "%i - 1, %j")
		}
		g := parse(t, src)
		for _, sizes := range []string{"{sizes=0}", "{sizes=2,3,4}"} {
			tiled := built.Through(t, g, built.Tiles+sizes)
			if got := strings.Contains(shown(tiled), "unroll[0]"); got != c.jams {
				t.Errorf("%s, %s: several rounds together: %v, want %v", c.what, sizes, got, c.jams)
			}
			loops := built.Through(t, tiled, "poly-codegen")
			for n := 1; n < 15; n += 3 {
				var rows []string
				for i := range 16 {
					rows = append(rows, fmt.Sprintf("[%d,1,2,%d,3,-1,4,%d,2,-5,1,%d,1,2,3,%d]", i, i%3, -i, i%7-3, i))
				}
				args := fmt.Sprintf("[3, %d, %d, [%s]]", n, 15-n/2, strings.Join(rows, ","))
				built.Gives(t, loops, "f", args, built.After(t, g, "f", args), "%s, %s, of %d", c.what, sizes, n)
			}
		}
	}
}

// Loops whose rounds need one another through one round alone are cut there.
func TestSplitLoops(t *testing.T) {
	for _, c := range []struct {
		at    string
		split bool
	}{
		{"%k", true}, // round j = k
		{"symbol(%n) - 1 - %k", true},
		{"%k floordiv 2", false},       // a round, but by a floor
		{"symbol(%n) - 1 - %j", false}, // each needs another one
		{"3", true},
	} {
		src := strings.ReplaceAll(`func.func @f(%n: index, %a: memref<?x?xi32> {llvm.noalias}) -> memref<?x?xi32> {
  affine.for %k = 0 to %n { affine.for %i = 0 to %n { affine.for %j = 0 to %n {
    %0 = affine.load %a[%i, %j] : memref<?x?xi32>
    %1 = affine.load %a[%i, AT] : memref<?x?xi32>
    %2 = affine.load %a[%k, %j] : memref<?x?xi32>
    %3 = arith.addi %1, %2 : i32
    %4 = arith.minsi %0, %3 : i32
    affine.store %4, %a[%i, %j] : memref<?x?xi32>
  } } }
  return %a : memref<?x?xi32>
}`, "AT", c.at)
		g := parse(t, src)
		tiled := built.Through(t, g, built.Tiles)
		if got := strings.Contains(shown(tiled), "sequence:"); got != c.split {
			t.Errorf("%s: is split: %v, want %v", c.at, got, c.split)
		}
		loops := built.Through(t, tiled, "poly-codegen")
		shared := built.ThroughFor(t, built.Tiny(16, 2), g, built.Tiles+",poly-codegen{parallel=true}")
		if s := shown(shared); c.at == "%k" && strings.Count(s, "scf.parallel") != 2 {
			t.Errorf("%s: cores do not share what is before and behind row k:\n%s", c.at, s)
		}
		for _, n := range []int{4, 8} {
			args := fmt.Sprintf("[%d, %s]", n, built.Matrix(n, n, func(i, j int) int { return []int{i*7%13 - 3, i*11%5 - 1, i*3%7 - 2, i, -i, 5 - i, 2*i - 7, 1}[j] }))
			want := built.After(t, g, "f", args)
			built.Gives(t, loops, "f", args, want, "%s, of %d", c.at, n)
			built.GivesOnCores(t, shared, args, want, "%s, of %d, on two cores", c.at, n)
		}
	}
}
