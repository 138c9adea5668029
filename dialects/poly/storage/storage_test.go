package storage

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

func parse(t *testing.T, text string) presburger.Map {
	t.Helper()
	m, err := presburger.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A program: W writes elements and R reads them, at times.
type program struct {
	name, extent     string
	writes, reads    string
	order            string
	want             string // the storage, or nothing
	broken, conflict string // a storage that is wrong, and why
}

var programs = []program{{
	name:   "a value that is read at once",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { R[i] -> A[i] : 0 <= i < N }",
	order: "{ W[i] -> [i, 0]; R[i] -> [i, 1] }",
	want:  "{ A[i0] -> [] }",
}, {
	name:   "one loop after the other",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { R[i] -> A[i] : 0 <= i < N }",
	order:  "{ W[i] -> [0, i]; R[i] -> [1, i] }",
	broken: "{ A[i] -> [i mod 2] }", conflict: "A[1] and A[3] where N = 4",
}, {
	name:   "three rounds later",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { R[i] -> A[i - 3] : 3 <= i < N }",
	order: "{ W[i] -> [i, 0]; R[i] -> [i, 1] }",
	want:  "{ A[i] -> [i mod 4] }", broken: "{ A[i] -> [i mod 3] }", conflict: "A[0] and A[3] where N = 4",
}, {
	name:   "read before it is written over",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { R[i] -> A[i - 3] : 3 <= i < N }",
	order: "{ W[i] -> [i, 1]; R[i] -> [i, 0] }",
	want:  "{ A[i] -> [i mod 3] }",
}, {
	name:   "rows of a stencil",
	extent: "[N, T] -> { A[t, i] : 0 <= t < T and 0 <= i < N }",
	writes: "[N, T] -> { W[t, i] -> A[t, i] : 0 <= t < T and 0 <= i < N }",
	reads:  "[N, T] -> { W[t, i] -> A[t - 1, j] : 0 < t < T and 0 <= i < N and i - 1 <= j <= i + 1 and 0 <= j < N }",
	order:  "{ W[t, i] -> [t, i] }",
	want:   "{ A[t, i] -> [t mod 2, i] }", broken: "{ A[t, i] -> [i] }",
	conflict: "A[0, 0] and A[1, 0] where N = 2, T = 2",
}, {
	name:   "a recurrence gives its place on",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { W[i] -> A[i - 1] : 0 < i < N }",
	order: "{ W[i] -> [i] }",
	want:  "{ A[i] -> [] }",
}, {
	name:   "but not where instances have one time",
	extent: "[N] -> { A[i] : 0 <= i < N }",
	writes: "[N] -> { W[i] -> A[i] : 0 <= i < N }", reads: "[N] -> { W[i] -> A[i - 1] : 0 < i < N }",
	order:  "{ W[i] -> [0] }",
	broken: "{ A[i] -> [] }", conflict: "A[0] and A[1] where N = 2",
}, {
	name:   "nor does one of several at a time give its place to another",
	extent: "[N] -> { A[i] : 0 <= i < N + N }",
	writes: "[N] -> { V[i] -> A[i] : 0 <= i < N; W[i] -> A[i + N] : 0 <= i < N }",
	reads:  "[N] -> { W[i] -> A[i] : 0 <= i < N; R[i] -> A[i + N] : 0 <= i < N }",
	order:  "{ V[i] -> [0]; W[i] -> [1]; R[i] -> [2] }",
}, {
	name:   "columns in the outer loop: the second dimension is dropped",
	extent: "[N] -> { A[i, j] : 0 <= i < 8 and 0 <= j < N }",
	writes: "[N] -> { W[i, j] -> A[i, j] : 0 <= i < 8 and 0 <= j < N }",
	reads:  "[N] -> { R[i, j] -> A[i, j] : 0 <= i < 8 and 0 <= j < N }",
	order:  "{ W[i, j] -> [j, 0, i]; R[i, j] -> [j, 1, i] }",
	want:   "{ A[i, j] -> [i] }",
}}

// Choose finds the mapping that is expected, and Check proves it but not one that is broken.
func TestPrograms(t *testing.T) {
	for _, p := range programs {
		extent, err := presburger.ParseSet(p.extent)
		if err != nil {
			t.Fatal(err)
		}
		conflicts := conflictsOf(t, p)
		m, ok, err := Choose(conflicts, extent)
		switch {
		case err != nil:
			t.Errorf("%s: %v", p.name, err)
		case !ok:
			if p.want != "" {
				t.Errorf("%s: no storage", p.name)
			}
		default:
			if same, err := m.IsEqual(parse(t, cmp.Or(p.want, "{ A[] -> [] }"))); err != nil || !same {
				t.Errorf("%s: got %s, want %s", p.name, m, p.want)
			}
			if c, err := Check(conflicts, m); c != nil || err != nil {
				t.Errorf("%s: %v, %v", p.name, c, err)
			}
		}
		if p.broken == "" {
			continue
		}
		if c, err := Check(conflicts, parse(t, p.broken)); err != nil || c == nil || c.String() != p.conflict {
			t.Errorf("%s: got %v, %v, want %s", p.name, c, err, p.conflict)
		}
	}
}

func conflictsOf(t *testing.T, p program) presburger.Map {
	t.Helper()
	times, err := NewTimes(parse(t, p.order))
	if err != nil {
		t.Fatal(err)
	}
	m, err := times.Conflicts([]Access{{Map: parse(t, p.writes), Writes: true}, {Map: parse(t, p.reads)}}, parseSet(t, p.extent), 0)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// By rounds more elements conflict, never fewer; what is found is a mapping by the times of instances, too.
func TestRounds(t *testing.T) {
	smaller := 0
	for _, p := range programs {
		times, err := NewTimes(parse(t, p.order))
		if err != nil {
			t.Fatal(err)
		}
		fine := conflictsOf(t, p)
		accesses := []Access{{Map: parse(t, p.writes), Writes: true}, {Map: parse(t, p.reads)}}
		for n := 1; n <= times.Loops(); n++ {
			rounds, err := times.ToRounds(n)
			if err != nil {
				t.Fatal(err)
			}
			coarse, err := rounds.Conflicts(accesses, parseSet(t, p.extent), 0)
			if err != nil {
				t.Fatal(err)
			}
			if within, err := fine.IsSubset(coarse); err != nil || !within {
				t.Errorf("%s, %d loops: %s are not all in %s", p.name, n, fine, coarse)
			}
			m, ok, err := Choose(coarse, parseSet(t, p.extent))
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				continue
			}
			smaller++
			if c, err := Check(fine, m); c != nil || err != nil {
				t.Errorf("%s, %d loops: %v, %v", p.name, n, c, err)
			}
		}
	}
	if smaller < 5 {
		t.Errorf("%d mappings are found by rounds", smaller)
	}
}

// Without enough work there is no answer.
func TestBudget(t *testing.T) {
	p := programs[4]
	times, err := NewTimes(parse(t, p.order))
	if err != nil {
		t.Fatal(err)
	}
	_, err = times.Conflicts([]Access{{Map: parse(t, p.writes), Writes: true}, {Map: parse(t, p.reads)}}, parseSet(t, p.extent), 100)
	if !errors.Is(err, presburger.ErrBudget) {
		t.Errorf("got %v", err)
	}
}

// Conflicts are those of lifetimes that are found by running through the instances in order.
func TestConflictsByHand(t *testing.T) {
	for _, p := range programs {
		sizes := strings.NewReplacer("[N] ->", "", "[N, T] ->", "", "N", "4", "T", "3")
		p.writes, p.reads, p.extent = sizes.Replace(p.writes), sizes.Replace(p.reads), sizes.Replace(p.extent)
		got := conflictsOf(t, p)
		want := byHand(t, p)
		if same, err := got.IsEqual(want); err != nil || !same {
			t.Errorf("%s: got %s, want %s", p.name, got, want)
		}
	}
}

// event is an access at a time; that of a read is even, that of a write odd, where one instance does
// both and no two have one time.
type event struct {
	time    []int64
	element string
}

func byHand(t *testing.T, p program) presburger.Map {
	order := parse(t, p.order)
	alone, err := order.IsInjective()
	if err != nil {
		t.Fatal(err)
	}
	var events []event
	for phase, text := range []string{p.reads, p.writes} {
		for _, m := range parse(t, text).Maps() {
			points, err := m.Wrap().Points()
			if err != nil {
				t.Fatal(err)
			}
			in, out := m.Tuples()
			for x := range points {
				at := pointSet(in.Name(), x[:in.Len()])
				image, err := parseSet(t, at).Apply(order)
				if err != nil {
					t.Fatal(err)
				}
				all, err := image.Points()
				if err != nil {
					t.Fatal(err)
				}
				for time := range all {
					e := event{element: pointSet(out.Name(), x[in.Len():])}
					for _, v := range time {
						n, _ := v.Int64()
						e.time = append(e.time, n)
					}
					if alone {
						e.time = append(e.time, int64(phase))
					}
					events = append(events, e)
				}
			}
		}
	}
	var out presburger.Map
	for _, a := range events {
		for _, b := range events {
			if !met(events, a.element, b.element) {
				continue
			}
			out = out.Union(parseSet(t, a.element).CrossMap(parseSet(t, b.element)))
		}
	}
	return out
}

// met: the first access of each is not after the last of the other.
func met(events []event, a, b string) bool {
	life := func(e string) (x, y []int64) {
		for _, v := range events {
			if v.element == e {
				if x == nil || slices.Compare(v.time, x) < 0 {
					x = v.time
				}
				if y == nil || slices.Compare(v.time, y) > 0 {
					y = v.time
				}
			}
		}
		return x, y
	}
	a1, a2 := life(a)
	b1, b2 := life(b)
	return slices.Compare(a1, b2) <= 0 && slices.Compare(b1, a2) <= 0
}

func parseSet(t *testing.T, text string) presburger.Set {
	t.Helper()
	s, err := presburger.ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func pointSet(name string, x []presburger.Int) string {
	var words []string
	for _, v := range x {
		words = append(words, v.String())
	}
	return "{ " + name + "[" + strings.Join(words, ", ") + "] }"
}
