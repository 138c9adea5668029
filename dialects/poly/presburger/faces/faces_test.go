package faces

import (
	"fmt"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

func parse(t testing.TB, text string) p.Set {
	t.Helper()
	s, err := p.ParseSet(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return s
}

// counts are how many faces there are of each dimension, from 0.
func counts(l *Lattice) string {
	var n []int
	for _, f := range l.Faces {
		for len(n) <= f.Dim {
			n = append(n, 0)
		}
		n[f.Dim]++
	}
	return strings.Trim(fmt.Sprint(n), "[]")
}

func TestCounts(t *testing.T) {
	for _, c := range []struct{ set, exact, thick string }{
		{"[N] -> { [i] : 0 <= i <= N }", "2 1", "2 1"},
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= N }", "4 4 1", "4 4 1"},
		{"[N] -> { [i, j] : 0 <= j <= i <= N }", "3 3 1", "3 3 1"},
		{"[N] -> { [i, j, k] : 0 <= i, j, k <= N }", "8 12 6 1", "8 12 6 1"},
		{"[N] -> { [i, j, k] : 0 <= i and 0 <= j and 0 <= k and i + j + k <= N }", "4 6 4 1", "4 6 4 1"},
		{"[N] -> { [i, j] : i >= 0 and 0 <= j <= N }", "2 3 1", "2 3 1"}, // a half strip
		{"[N] -> { [i, j] : 0 <= i + j <= N }", "0 2 1", "0 2 1"},        // a strip has no vertex
		{"[N] -> { [i, j] : j = i and 0 <= i <= N }", "2 1", "2 1"},      // an equation
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= 2 }", "4 4 1", "2 1"},
		{"[N] -> { [i, j] : 0 <= i <= N and i <= j <= i + 3 }", "4 4 1", "2 1"},
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= i + 1 }", "4 4 1", "3 3 1"}, // thick at i = 0
		{"{ [i] : 0 <= i <= 5 }", "2 1", "1"},
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= N and i + j <= 2N }", "4 4 1", "4 4 1"}, // redundant
		{"[N] -> { [i, j] : 0 <= i <= N and 0 <= j and 2j <= N and i mod 2 = 0 }", "4 4 1", "4 4 1"},
		{"[N] -> { [i] : 0 <= i <= N and N >= 10 and i >= 20 - N }", "3 1", "3 1"}, // for N >= 10 a bound at 0 only below 20
		{"[N] -> { [i] : 0 <= i <= N and i <= -1 }", "", ""},
	} {
		for _, thick := range []bool{false, true} {
			l, err := lattice(parse(t, c.set), thick, false)
			want := c.exact
			if thick {
				want = c.thick
			}
			if err != nil || counts(l) != want {
				t.Errorf("%s (thick %v): %v %v, want %s", c.set, thick, err, l, want)
			}
		}
	}
}

// TestLinks checks the order of the faces of a square, and the links between them.
func TestLinks(t *testing.T) {
	l, err := Of(parse(t, "[N] -> { [i, j] : 0 <= i <= N and 0 <= j <= N }"))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range l.Faces {
		want := []int{0, 2, 4}[f.Dim]
		if len(f.Below) != want || len(f.Directions) != f.Dim || len(f.Lineality) != 0 {
			t.Errorf("face %d: %+v", i, f)
		}
		for _, k := range f.Below {
			if k <= i || l.Faces[k].Dim != f.Dim-1 {
				t.Errorf("face %d holds %d", i, k)
			}
			if ok, err := l.Faces[k].Domain.IsSubset(f.Domain); !ok || err != nil {
				t.Errorf("face %d does not hold %d", i, k)
			}
		}
	}
}

func TestDirections(t *testing.T) {
	l, err := Thick(parse(t, "[N] -> { [i, j] : 0 <= i <= N and i <= j <= i + 3 }"))
	if err != nil || len(l.Faces) == 0 || fmt.Sprint(l.Faces[0].Directions) != "[[1 1]]" || len(l.Faces[0].Saturated) != 2 {
		t.Errorf("%v %+v", err, l)
	}
	l, err = Of(parse(t, "[N] -> { [i, j] : 0 <= i + j <= N }"))
	if err != nil || len(l.Faces) != 3 || fmt.Sprint(l.Faces[1].Lineality, l.Faces[1].Directions) != "[[1 -1]] [[1 -1]]" {
		t.Errorf("%v %+v", err, l)
	}
}

func TestRefused(t *testing.T) {
	for set, want := range map[string]string{
		"{ [i] : i >= 0; [i] : i <= -5 }":                                        "one conjunction",
		"{ A[i] : i >= 0; B[i] : i <= -5 }":                                      "one space",
		"{ [i, j] : exists e : 2i <= 3e <= 5j + 1 and 7e >= 2j and e <= i + j }": "variables that exist",
	} {
		if _, err := Of(parse(t, set)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", set, err)
		}
	}
}
