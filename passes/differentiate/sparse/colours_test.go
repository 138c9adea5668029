package sparse

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var colpack = flag.Bool("colpack", false, "ask ColPack (libcolpack-dev, g++), and write testdata/colpack.txt")

// named is a pattern with a name.
type named struct {
	name      string
	symmetric bool
	*Pattern
}

// patternOf has the entries that a function says.
func patternWhere(rows, columns int, has func(i, j int) bool) *Pattern {
	p := &Pattern{Columns: columns, Rows: make([][]int32, rows)}
	for i := range rows {
		for j := range columns {
			if has(i, j) {
				p.Rows[i] = append(p.Rows[i], int32(j))
			}
		}
	}
	return p
}

func distance(i, j int) int { return max(i-j, j-i) }

// patterns are bands, grids, arrows, cameras and points, and random ones.
func patterns() (out []named) {
	for k := range 5 {
		out = append(out, named{fmt.Sprint("band", k), true, patternWhere(60, 60, func(i, j int) bool { return distance(i, j) <= k })})
	}
	out = append(out, named{"grid", true, patternWhere(144, 144, func(i, j int) bool { return distance(i/12, j/12)+distance(i%12, j%12) <= 1 })},
		named{"nine", true, patternWhere(144, 144, func(i, j int) bool { return max(distance(i/12, j/12), distance(i%12, j%12)) <= 1 })},
		named{"arrow", true, patternWhere(50, 50, func(i, j int) bool { return i == j || i == 0 || j == 0 })},
		named{"cameras", false, patternWhere(120, 9*6+3*40, func(i, j int) bool {
			return j < 54 && j/9 == i%6 || j >= 54 && (j-54)/3 == i*7%40
		})})
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 5))
		n, of := 20+r.IntN(100), 1+r.IntN(5)
		p := patternWhere(n, n, func(i, j int) bool { return i == j || r.IntN(n) < of })
		out = append(out, named{fmt.Sprint("symmetric", seed), true, p.Symmetric()}, named{fmt.Sprint("random", seed), false, p})
	}
	return out
}

// No two columns of one colour have an entry in a row that is not dense. All columns that such a row asks for have a colour. There
// are no more runs than of the rows or of the columns one by one.
func TestColumns(t *testing.T) {
	t.Parallel()
	for _, x := range patterns() {
		for _, reverse := range []bool{false, true} {
			p := Compress(x.Pattern, reverse)
			for i, r := range x.Rows {
				seen := map[int]bool{}
				for _, j := range r {
					if c := p.Colour[j]; !slices.Contains(p.Dense, i) && (c < 0 || c >= p.Colours || seen[c]) {
						t.Fatalf("%s: row %d has two columns of colour %d of %d", x.name, i, c, p.Colours)
					} else {
						seen[c] = true
					}
				}
			}
			if !reverse && len(p.Dense) > 0 || p.Runs() > x.Columns || reverse && p.Runs() > len(x.Rows) {
				t.Errorf("%s: %d runs forward, %d in reverse", x.name, p.Colours, len(p.Dense))
			}
			compareRecovered(t, x, p.Recover, p.Colour, p.Colours, p.Dense)
		}
	}
}

// compareRecovered reads numbers off sums of columns, and rows.
func compareRecovered(t *testing.T, x named, recover func(forward, reverse [][]float64) []float64, colour []int, colours int, dense []int) {
	t.Helper()
	value := func(i, j int) float64 {
		if x.symmetric {
			i, j = min(i, j), max(i, j)
		}
		return float64(1 + i*x.Columns + j)
	}
	var want []float64
	forward, reverse := make([][]float64, colours), make([][]float64, len(dense))
	for c := range forward {
		forward[c] = make([]float64, len(x.Rows))
	}
	for i, r := range x.Rows {
		for _, j := range r {
			want = append(want, value(i, int(j)))
			if colour[j] >= 0 {
				forward[colour[j]][i] += value(i, int(j))
			}
		}
	}
	for k, i := range dense {
		reverse[k] = make([]float64, x.Columns)
		for _, j := range x.Rows[i] {
			reverse[k][j] = value(i, int(j))
		}
	}
	if got := recover(forward, reverse); !slices.Equal(got, want) {
		t.Errorf("%s: %v, wanted %v", x.name, got, want)
	}
}

// Neighbours have two colours, and the vertices of each path of four have three, by all such paths.
func TestStar(t *testing.T) {
	t.Parallel()
	for _, x := range patterns() {
		if !x.symmetric {
			continue
		}
		p := Star(x.Pattern)
		g := newAdjacency(x.Pattern)
		for _, order := range [][]int32{g.natural(), g.largestFirst(), g.smallestLast()} {
			if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, g.natural()) {
				t.Fatalf("%s: an order has not each vertex once: %v", x.name, order)
			}
			n, colour := g.star(order)
			checkStar(t, x.name, g, colour)
			if n < p.Colours {
				t.Errorf("%s: an order takes %d colours, and %d are taken", x.name, n, p.Colours)
			}
		}
		compareRecovered(t, x, func(products, _ [][]float64) []float64 { return p.Recover(products) }, p.Colour, p.Colours, nil)
	}
}

func checkStar(t *testing.T, name string, g *adjacency, colour []int) {
	t.Helper()
	for a := range g.near {
		for _, b := range g.near[a] {
			if colour[a] == colour[b] {
				t.Fatalf("%s: neighbours %d and %d have one colour", name, a, b)
			}
			for _, c := range g.near[b] {
				for _, d := range g.near[c] {
					if int(c) != a && d != b && int(d) != a && colour[a] == colour[c] && colour[b] == colour[d] {
						t.Fatalf("%s: the path %d %d %d %d has two colours", name, a, b, c, d)
					}
				}
			}
		}
	}
}

// Of known patterns it is known how many colours there are at least.
func TestFewest(t *testing.T) {
	t.Parallel()
	want := map[string][2]int{"band0": {1, 1}, "band1": {3, 3}, "band2": {5, 5}, "band3": {7, 7}, "band4": {9, 9}, "grid": {5, 0}, "nine": {9, 0}, "arrow": {50, 2}}
	for _, x := range patterns() {
		w, ok := want[x.name]
		if !ok {
			continue
		}
		if p := Compress(x.Pattern, false); p.Colours != w[0] {
			t.Errorf("%s: %d colours of columns, %d are enough", x.name, p.Colours, w[0])
		}
		if p := Star(x.Pattern); w[1] > 0 && p.Colours > w[1] {
			t.Errorf("%s: %d colours of stars, %d are enough", x.name, p.Colours, w[1])
		}
	}
	for _, x := range patterns() {
		if p := Compress(x.Pattern, true); x.name == "arrow" && (p.Colours != 2 || !slices.Equal(p.Dense, []int{0})) {
			t.Errorf("arrow: %d colours, dense rows %v", p.Colours, p.Dense)
		}
	}
}

// There are no more colours than ColPack takes, in all patterns together, and in none more than one more.
func TestColPack(t *testing.T) {
	path := filepath.Join("testdata", "colpack.txt")
	if *colpack {
		if err := os.WriteFile(path, askColPack(t), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	theirs := map[string][2]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		var name string
		var n [2]int
		if _, err := fmt.Sscan(line, &name, &n[0], &n[1]); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		theirs[name] = n
	}
	var sum, all [2]int
	for _, x := range patterns() {
		ours := [2]int{Compress(x.Pattern, false).Colours, 0}
		if x.symmetric {
			ours[1] = Star(x.Pattern).Colours
		}
		want, ok := theirs[x.name]
		if !ok {
			t.Fatalf("testdata/colpack.txt has no %s: make it again with -colpack", x.name)
		}
		for k, what := range []string{"columns", "stars"} {
			sum[k], all[k] = sum[k]+ours[k], all[k]+want[k]
			if ours[k] > want[k] {
				t.Logf("%s: %d colours of %s, of ColPack %d", x.name, ours[k], what, want[k])
			}
			if ours[k] > want[k]+1 {
				t.Errorf("%s: %d colours of %s, of ColPack %d", x.name, ours[k], what, want[k])
			}
		}
	}
	t.Logf("columns and stars: %d colours, of ColPack %d", sum, all)
	if sum[0] > all[0] || sum[1] > all[1] {
		t.Errorf("columns and stars: %d colours, of ColPack %d", sum, all)
	}
}

// askColPack is the table by the library.
func askColPack(t *testing.T) []byte {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "colpack")
	if out, err := exec.Command("g++", "-O1", "-o", bin, filepath.Join("testdata", "colpack.cpp"), "-lColPack").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var in bytes.Buffer
	for _, x := range patterns() {
		symmetric := 0
		if x.symmetric {
			symmetric = 1
		}
		fmt.Fprintln(&in, x.name, len(x.Rows), x.Columns, symmetric)
		for _, r := range x.Rows {
			fmt.Fprintln(&in, len(r), strings.Trim(fmt.Sprint(r), "[]"))
		}
	}
	cmd := exec.Command(bin)
	cmd.Stdin = &in
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Unions are those of sets, whatever shares memory.
func TestUnion(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 6))
	sets, want := []*set{nil}, []map[int32]bool{{}}
	for i := range 20 {
		sets, want = append(sets, only(i)), append(want, map[int32]bool{int32(i): true})
	}
	for range 2000 {
		a, b := r.IntN(len(sets)), r.IntN(len(sets))
		both := map[int32]bool{}
		for _, m := range []map[int32]bool{want[a], want[b]} {
			for x := range m {
				both[x] = true
			}
		}
		sets, want = append(sets, union(sets[a], sets[b])), append(want, both)
	}
	for i, s := range sets {
		if s.size() != len(want[i]) {
			t.Fatalf("set %d has %d columns, not %d", i, s.size(), len(want[i]))
		}
		for k := range s.size() {
			if !want[i][s.of[k]] || k > 0 && s.of[k-1] >= s.of[k] {
				t.Fatalf("set %d is %v", i, s.of)
			}
		}
	}
}
