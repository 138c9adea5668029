package polyhedra

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
)

func set(t testing.TB, text string) p.Set {
	t.Helper()
	s, err := p.ParseSet(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func relation(t testing.TB, text string) p.Map {
	t.Helper()
	m, err := p.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// wellFormed reads a page as XML, and leaves it in a folder where one is given.
func wellFormed(t *testing.T, name, page string) {
	t.Helper()
	if dir := os.Getenv("PICTURES"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".svg"), []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d := xml.NewDecoder(strings.NewReader(page))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, page)
		}
	}
}

// prefixSum has a reduction of a triangle, its completion and a statement that uses it.
func prefixSum(t testing.TB) Picture {
	return Picture{Title: "Prefix sum: B[i] += A[j], A[i + 1] = f(B[i])",
		Statements: []Statement{
			{Name: "B[i] += A[j]", Domain: set(t, "[N] -> { S1[i, j] : 0 <= j <= i < N }")},
			{Name: "A[i + 1] = f(B[i])", Domain: set(t, "[N] -> { S2[i] : 0 <= i < N }")},
			{Name: "B[i] is complete", Domain: set(t, "[N] -> { D[i] : 0 <= i < N }")},
		},
		Dependences: []Dependence{
			{"reduction", relation(t, "[N] -> { S1[i, j] -> D[i] : 0 <= j <= i < N }")},
			{"value", relation(t, "[N] -> { D[i] -> S2[i] : 0 <= i < N }")},
			{"read", relation(t, "[N] -> { S2[i] -> S1[k, i + 1] : 0 <= i and i + 1 <= k < N }")},
		}}
}

func TestPrefixSum(t *testing.T) {
	page := prefixSum(t).SVG()
	wellFormed(t, "prefix", page)
	for what, want := range map[string]int{"<circle": 15, "<rect x": 5, "marker-end": 15 + 5 + 10 + 3, "for N = 5": 1} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%d of %s, want %d", got, what, want)
		}
	}
}

func TestStencil(t *testing.T) {
	page := Picture{Title: "Jacobi & its neighbours", Statements: []Statement{{Name: "A<t, i>", Domain: set(t, "[T, N] -> { S[t, i] : 0 <= t < T and 0 < i < N }")}},
		Dependences: []Dependence{{"flow", relation(t, "[T, N] -> { S[t, i] -> S[t + 1, j] : 0 <= t < T - 1 and 0 < i, j < N and i - 1 <= j <= i + 1 }")},
			{"two steps", relation(t, "[T, N] -> { S[t, i] -> S[t + 2, i] : 0 <= t < T - 2 and 0 < i < N }")}},
		Params: map[string]int64{"T": 7}}.SVG()
	wellFormed(t, "stencil", page)
	if !strings.Contains(page, "for N = 5, T = 7") || !strings.Contains(page, "A&lt;t, i&gt;") {
		t.Error(page)
	}
}

// TestNotDrawn has what does not fit on a page.
func TestNotDrawn(t *testing.T) {
	for domain, want := range map[string]string{
		"{ S[i, j] : 0 <= i, j < 1000 }":      "more than 2500 points",
		"{ S[i] : i >= 0 }":                   "not bounded",
		"{ S[i, j, k] : 0 <= i, j, k < 3 }":   "3 dimensions",
		"[N] -> { S[i] : 0 <= i < N < -5 }":   "no points",
		"{ S[i] : i = 0 or i = 1000000000 }":  "far apart",
		"{ S[i] : i = 1000000000000000 }":     "far away",
		"{ S[i] : 0 <= i < 3; T[i] : i = 0 }": "2 spaces",
	} {
		page := Picture{Statements: []Statement{{Name: "S", Domain: set(t, domain)}},
			Dependences: []Dependence{{"flow", relation(t, "{ S[i] -> S[i + 1] }")}}}.SVG()
		wellFormed(t, "not", page)
		if !strings.Contains(page, want) || len(page) > 5000 {
			t.Errorf("%s: no %q in %.2000s", domain, want, page)
		}
	}
	page := Picture{Statements: []Statement{{Name: "S", Domain: set(t, "{ S[] }")}, {Name: "T", Domain: set(t, "{ T[i] : 0 <= i < 2000 }")}},
		Dependences: []Dependence{{"all", relation(t, "{ T[i] -> T[j] : 0 <= i, j < 2000 }")}}}.SVG()
	wellFormed(t, "many", page)
	if !strings.Contains(page, "more than 4000 arrows") || len(page) > 2_000_000 {
		t.Errorf("%d bytes", len(page))
	}
}

func TestTree(t *testing.T) {
	n, err := schedule.Parse(`{ domain: "[N] -> { A[i] : 0 <= i < N; B[i, j] : 0 <= j <= i < N }", child: { mark: "<core>", child: { sequence: [
		{ filter: "{ A[i] }", child: { schedule: "[{ A[i] -> [i] }]", coincident: [1] } },
		{ filter: "{ B[i, j] }", child: { schedule: "[{ B[i, j] -> [i] }, { B[i, j] -> [j] }]", permutable: 1, coincident: [1, 0] } } ] } } }`)
	if err != nil {
		t.Fatal(err)
	}
	page := Tree("two statements", n)
	wellFormed(t, "tree", page)
	for what, want := range map[string]int{"class=\"box\"": 7, "permutable": 1, "coincident": 2, "&lt;core&gt;": 1, "sequence": 1} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%d of %s, want %d", got, what, want)
		}
	}
	deep := schedule.NewLeaf()
	for i := range 900 {
		deep = schedule.NewMark(fmt.Sprint("m", i), deep)
	}
	if page := Tree("deep", schedule.NewDomain(set(t, "{ A[] }"), deep)); !strings.Contains(page, "more nodes are not drawn") {
		t.Error("a deep tree is drawn whole")
	}
}
