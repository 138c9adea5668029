package polyhedra

import (
	"slices"
	"strings"
	"testing"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

func vector(x ...int64) (out []p.Int) {
	for _, v := range x {
		out = append(out, p.NewInt(v))
	}
	return out
}

// window is a sum over the last elements.
func window(t testing.TB) Statement {
	return Statement{Name: "C[i] += A[j]", Domain: set(t, "[N, W] -> { [i, j] : 0 <= j <= i < N and i - W < j }"), Reuse: &Reuse{
		Vector: vector(1, 0), What: "reuses along (1, 0), N*W -> N",
		Facets: []Facet{
			{Where: set(t, "[N, W] -> { [i, j] : j = i }"), Equation: "j = i", Label: "add", Note: "non-boundary"},
			{Where: set(t, "[N, W] -> { [i, j] : j = i - W + 1 }"), Equation: "j = i - W + 1", Label: "subtract", Note: "non-boundary"},
			{Where: set(t, "[N, W] -> { [i, j] : j = 0 }"), Equation: "j = 0", Label: "reuse", Note: "non-boundary"},
			{Where: set(t, "[N, W] -> { [i, j] : i = N - 1 }"), Equation: "i = N - 1", Label: "subtract", Note: "strong boundary", Dash: Dashed, Pale: true}},
		Added:   []p.Set{set(t, "[N, W] -> { [i, j] : j = i and 0 <= i < N }")},
		Removed: []p.Set{set(t, "[N, W] -> { [i, j] : j = i - W + 1 and 0 <= j and i < N - 1 }")}}}
}

func TestReuse(t *testing.T) {
	page := Picture{Title: "window", Statements: []Statement{window(t)}, Params: map[string]int64{"N": 7, "W": 3}}.SVG()
	wellFormed(t, "reuse", page)
	for what, want := range map[string]int{
		"<circle class=\"pt\"":                  18 + 3, // with the three of the legend
		"fill:" + inkOf("add"):                  7 + 1,
		"fill:" + inkOf("subtract"):             4 + 1,
		"stroke=\"" + inkOf("add") + "\"":       2, // the line, and beside it
		"stroke=\"" + inkOf("subtract") + "\"":  4,
		"stroke=\"" + inkOf("reuse") + "\"":     2,
		"stroke-dasharray=\"7 4\"":              2,
		"stroke-opacity":                        2,
		"marker-end=\"url(#vector)\"":           2,
		"7 of 18 instances added, 4 subtracted": 1,
		"for N = 7, W = 3":                      1,
	} {
		if got := strings.Count(page, what); got != want {
			t.Errorf("%d of %s, want %d", got, what, want)
		}
	}
}

// Parameters of which one bounds another get values that differ.
func TestReuseParameters(t *testing.T) {
	w := window(t)
	w.Domain, _ = w.Domain.Intersect(set(t, "[N, W] -> { [i, j] : N > W }"))
	page := Picture{Statements: []Statement{w}}.SVG()
	if !strings.Contains(page, "for N = 8, W = 4") {
		t.Errorf("%.1500s", page)
	}
}

// A facet of one point is a ring; none is drawn where there is none.
func TestReuseCorners(t *testing.T) {
	w := window(t)
	w.Reuse.Facets = []Facet{{Where: set(t, "{ [i, j] : i + j = 0 }"), Label: "copy"}, {Where: set(t, "{ [i, j] : 2i = 5 }"), Label: "copy"}}
	page := Picture{Statements: []Statement{w}}.SVG()
	wellFormed(t, "corners", page)
	if rings, all := strings.Count(page, "fill=\"none\" stroke=\""+inkOf("copy")), strings.Count(page, inkOf("copy")); rings != 1 || all != 3 {
		t.Errorf("%d rings, %d lines", rings, all)
	}
}

// TestReuseNotDrawn has what does not fit on a page.
func TestReuseNotDrawn(t *testing.T) {
	far := window(t)
	far.Reuse.Vector = vector(1<<40, 0)
	many := window(t)
	many.Reuse.Added = []p.Set{set(t, "{ [i, j] : 0 <= i, j < 1000 }")}
	for want, st := range map[string]Statement{"its vector leads far away": far, "more than 2500 points": many} {
		page := Picture{Statements: []Statement{st}}.SVG()
		wellFormed(t, "not", page)
		if !strings.Contains(page, want) {
			t.Errorf("no %q in %.2000s", want, page)
		}
	}
}

func TestHull(t *testing.T) {
	for _, c := range []struct{ points, want [][2]int }{
		{[][2]int{{1, 1}, {0, 0}, {2, 0}, {1, 0}, {0, 2}, {2, 2}}, [][2]int{{0, 0}, {2, 0}, {2, 2}, {0, 2}}},
		{[][2]int{{2, 2}, {0, 0}, {1, 1}}, [][2]int{{0, 0}, {2, 2}}},
		{[][2]int{{3, 4}}, [][2]int{{3, 4}}},
	} {
		if got := hull(c.points); !slices.Equal(got, c.want) {
			t.Errorf("hull of %v is %v, want %v", c.points, got, c.want)
		}
	}
}
