package depend

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

var (
	pairCases = flag.Int("pairs", 400, "random pairs of accesses against enumeration")
	seed      = flag.Uint64("seed", 1, "seed of the random cases")
)

// random writes random statements.
type random struct{ *rand.Rand }

func newRandom(i int) random { return random{rand.New(rand.NewPCG(*seed, uint64(i)))} }

func (g random) pick(xs ...string) string { return xs[g.IntN(len(xs))] }

// affine writes a random affine expression.
func (g random) affine(vars []string, coef, con int) string {
	var b strings.Builder
	b.WriteString("0")
	for _, v := range vars {
		if c := g.IntN(2*coef+1) - coef; c != 0 && g.IntN(3) > 0 {
			fmt.Fprintf(&b, " + %d%s", c, v)
		}
	}
	fmt.Fprintf(&b, " + %d", g.IntN(2*con+1)-con)
	return strings.ReplaceAll(b.String(), "+ -", "- ")
}

var loopNames = []string{"i", "j", "k"}

// domain writes the bounds of a nest, triangular ones too, sometimes with strides and
// conditions.
func (g random) domain(depth int) string {
	var cs []string
	for l := range depth {
		v := loopNames[l]
		low, high := g.pick("0", "1", "0"), g.pick("N", "N", "N - 1", "5", "2N")
		if l > 0 && g.IntN(3) == 0 {
			low = loopNames[g.IntN(l)]
		}
		if l > 0 && g.IntN(4) == 0 {
			high = loopNames[g.IntN(l)]
		}
		cs = append(cs, fmt.Sprintf("%s <= %s < %s", low, v, high))
		if g.IntN(8) == 0 {
			cs = append(cs, fmt.Sprintf("%s mod %d = %d", v, 2+g.IntN(2), g.IntN(2)))
		}
	}
	if g.IntN(6) == 0 {
		cs = append(cs, g.affine(append([]string{"N"}, loopNames[:depth]...), 2, 4)+" >= 0")
	}
	return strings.Join(cs, " and ")
}

func (g random) subscripts(depth, n int) string {
	out := make([]string, n)
	for i := range out {
		switch g.IntN(8) {
		case 0:
			out[i] = fmt.Sprintf("floor((%s)/%d)", g.affine(loopNames[:depth], 2, 3), 2+g.IntN(2))
		case 1:
			out[i] = g.affine(append([]string{"N"}, loopNames[:depth]...), 3, 4)
		case 2, 3:
			out[i] = fmt.Sprintf("%s - %d", loopNames[g.IntN(depth)], g.IntN(3))
		default:
			out[i] = g.affine(loopNames[:depth], 3, 4)
		}
	}
	return strings.Join(out, ", ")
}

// pair is two random accesses, as texts.
type pair struct {
	domains, accesses [2]string
	depths            [2]int
	loops             int
}

func (g random) pair() (p pair) {
	subs := 1 + g.IntN(2)
	for s := range 2 {
		d := 1 + g.IntN(3)
		p.depths[s] = d
		tuple := fmt.Sprintf("%c[%s]", 'S'+s, strings.Join(loopNames[:d], ", "))
		p.domains[s] = fmt.Sprintf("[N] -> { %s : %s }", tuple, g.domain(d))
		if g.IntN(6) == 0 {
			p.domains[s] = strings.Replace(p.domains[s], " }", fmt.Sprintf("; %s : %s }", tuple, g.domain(d)), 1)
		}
		p.accesses[s] = fmt.Sprintf("[N] -> { %s -> A[%s] }", tuple, g.subscripts(d, subs))
	}
	if p.depths[1] >= p.depths[0] && g.IntN(3) > 0 { // as most programs have them: the same but for constants
		p.accesses[1] = strings.Replace(p.accesses[0], "S["+strings.Join(loopNames[:p.depths[0]], ", "), "T["+strings.Join(loopNames[:p.depths[1]], ", "), 1)
		p.accesses[1] = strings.Replace(p.accesses[1], "A[", fmt.Sprintf("A[%d + ", g.IntN(3)), 1)
	}
	p.loops = g.IntN(min(p.depths[0], p.depths[1]) + 1)
	return p
}

func mustSet(t testing.TB, text string) presburger.Set {
	s, err := presburger.ParseSet(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

func mustMap(t testing.TB, text string) presburger.Map {
	m, err := presburger.ParseMap(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

const mostN = 4

// enumerate lists the vectors of a pair by executing both statements for N from -1 to
// mostN, and the distances that occur.
func (p pair) enumerate(t *testing.T) (vectors []Vector, distances []map[[2]int64]bool) {
	distances = make([]map[[2]int64]bool, p.loops)
	for l := range distances {
		distances[l] = map[[2]int64]bool{}
	}
	for n := int64(-1); n <= mostN; n++ {
		var cells [2]map[string][][]presburger.Int
		for s := range 2 {
			m, err := mustMap(t, p.accesses[s]).IntersectDomain(mustSet(t, p.domains[s]))
			if err != nil {
				t.Fatal(err)
			}
			cells[s] = map[string][][]presburger.Int{}
			points := pointsOf(t, m.FixParam("N", presburger.NewInt(n)))
			for _, x := range points {
				key := fmt.Sprint(x[p.depths[s]:])
				cells[s][key] = append(cells[s][key], x)
			}
		}
		for key, xs := range cells[0] {
			for _, x := range xs {
				for _, y := range cells[1][key] {
					v := NewVector(make([]Sign, p.loops)...)
					for l := range p.loops {
						d := y[l].Sub(x[l])
						v = v.with(l, Sign(1<<(d.Sign()+1)))
						k, _ := d.Int64()
						distances[l][[2]int64{n, k}] = true
					}
					vectors = append(vectors, v)
				}
			}
		}
	}
	slices.SortFunc(vectors, Vector.compare)
	return slices.Compact(vectors), distances
}

// pointsOf lists the pairs of a map, both sides together.
func pointsOf(t *testing.T, m presburger.Map) (out [][]presburger.Int) {
	for _, b := range m.Basics() {
		b.Out = presburger.NewTuple("", make([]string, b.In.Len()+b.Out.Len())...)
		b.In = presburger.Tuple{}
		seq, err := presburger.SetOf(b).Points()
		if err != nil {
			t.Fatal(err)
		}
		for x := range seq {
			out = append(out, x)
		}
	}
	return out
}

// TestPairs compares tests with the enumeration of small cases.
func TestPairs(t *testing.T) {
	tester := NewTester("N")
	if err := tester.Assume(mustSet(t, fmt.Sprintf("[N] -> { : -1 <= N <= %d }", mostN))); err != nil {
		t.Fatal(err)
	}
	independent, known := 0, 0
	for i := range *pairCases {
		p := newRandom(i).pair()
		var acc [2]*Access
		for s := range 2 {
			var err error
			if acc[s], err = tester.Access(mustSet(t, p.domains[s]), mustMap(t, p.accesses[s])); err != nil {
				t.Fatal(err)
			}
		}
		got, err := tester.Test(acc[0], acc[1], p.loops)
		if err != nil {
			t.Fatal(err)
		}
		want, distances := p.enumerate(t)
		if !slices.Equal(got.Vectors, want) {
			t.Errorf("%d: %v: %v, want %v", i, p, got.Vectors, want)
		}
		if len(want) == 0 {
			independent++
		}
		for l, d := range got.Distances {
			if d.Known {
				known++
			}
			for at := range distances[l] {
				if d.Known && d.Const+d.Coef("N")*at[0] != at[1] {
					t.Errorf("%d: %v: distance %d is %v, but %v occurs", i, p, l, d, at)
				}
			}
		}
		p.byRelation(t, tester, acc, got)
		p.byLoop(t, tester, acc, want, distances)
	}
	t.Logf("%d pairs, %d independent, %d distances known; %d questions went to presburger", *pairCases, independent, known, tester.Exact)
}

// byLoop compares what is asked loop by loop.
func (p pair) byLoop(t *testing.T, tester *Tester, acc [2]*Access, want []Vector, distances []map[[2]int64]bool) {
	if exists, err := tester.Exists(acc[0], acc[1]); err != nil || exists != (len(want) > 0) {
		t.Errorf("%v: exists: %v, %v", p, exists, err)
	}
	carried := make([]Sign, p.loops)
	for _, v := range want {
		for l := range min(v.Level()+1, p.loops) {
			carried[l] |= v.At(l)
		}
	}
	if got := tester.Carried(acc[0], acc[1], p.loops); !slices.Equal(got, carried) {
		t.Errorf("%v: carried %v, want %v", p, got, carried)
	}
	for l, all := range distances {
		values := map[int64]bool{}
		for at := range all {
			values[at[1]] = true
		}
		if n, ok := tester.Constant(acc[0], acc[1], l); ok != (len(values) == 1) || ok && !values[n] {
			t.Errorf("%v: distance %d is %d, %v of %v", p, l, n, ok, values)
		}
	}
}

// byRelation compares the test with the one of the relation, by which presburger
// makes the pairs.
func (p pair) byRelation(t *testing.T, tester *Tester, acc [2]*Access, want Dependence) {
	var m [2]presburger.Map
	for s := range 2 {
		var err error
		if m[s], err = mustMap(t, p.accesses[s]).IntersectDomain(mustSet(t, p.domains[s])); err != nil {
			t.Fatal(err)
		}
	}
	rel, err := m[1].Inverse().Compose(m[0])
	if err != nil {
		t.Fatal(err)
	}
	got, err := tester.Of(rel, p.loops)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Vectors, want.Vectors) {
		t.Errorf("%v: of the relation %v, of the accesses %v", p, got.Vectors, want.Vectors)
	}
}
