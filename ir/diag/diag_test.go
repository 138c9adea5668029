package diag

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestExcerpt(t *testing.T) {
	s := NewSource("a.mlir", "first\n\tx = böse + y\nlast")
	got := Errorf(s.Span(11, 16), "bad name").WithFix("write %q", "boese").WithNote(s.At(0), "see here").Error()
	want := "a.mlir:2:6: error: bad name\n   x = böse + y\n       ^~~~\nhelp: write \"boese\"\na.mlir:1:1: note: see here\n  first\n  ^"
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestEndOfText(t *testing.T) {
	s := NewSource("a", "ab\n")
	if got, want := Errorf(s.At(3), "end").Error(), "a:2:1: error: end\n  \n  ^"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"canonicalize", "cse", "dce", "inline"}
	for in, want := range map[string]string{"canonicalise": "canonicalize", "ces": "cse", "inlin": "inline", "zzz": ""} {
		if got := Nearest(in, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

// Long lines of bytes that begin no character are cut without a panic.
func TestInvalidText(t *testing.T) {
	s := NewSource("a", strings.Repeat("\x80", 500))
	for _, off := range []int{0, 100, 250, 499, 500} {
		if got := Errorf(s.At(off), "bad").Error(); !strings.Contains(got, "a:1:") {
			t.Errorf("at %d: %q", off, got)
		}
	}
}

// What a terminal would obey is not shown, and the return of a line's end neither.
func TestControlCharacters(t *testing.T) {
	s := NewSource("a", "x\x1b[31m\u202ey z\r\nnext")
	if got, want := Errorf(s.At(0), "bad").Error(), "a:1:1: error: bad\n  x [31m y z\n  ^"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A name of which little is left is no misspelling of anything, and the dialect
// does not count.
func TestNearestOfShortNames(t *testing.T) {
	for in, want := range map[string]string{"N": "", "arith.foo": "", "arith.adi": "arith.addi", "xy": "x"} {
		if got := Nearest(in, []string{"x", "arith.ori", "arith.addi"}); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", in, got, want)
		}
	}
}

// A span of an excerpt shows what one of the whole text shows.
func TestExcerpts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(40) {
			b.WriteString(strings.Repeat([]string{"a", "é", "xy ", "\t", "\xff", "世界"}[rng.IntN(6)], rng.IntN(60)))
			b.WriteString([]string{"\n", "\r\n", ""}[rng.IntN(3)])
		}
		src := &Source{Name: "d.json", Text: b.String(), First: rng.IntN(3), Indent: rng.IntN(3)}
		var spans []Span
		for range 1 + rng.IntN(5) {
			start := runeStart(src.Text, rng.IntN(len(src.Text)+1))
			spans = append(spans, src.Span(start, start+rng.IntN(100)))
		}
		own := slices.Clone(spans)
		src.Excerpts(own)
		for i := range spans {
			if got, want := Errorf(own[i], "no").Error(), Errorf(spans[i], "no").Error(); got != want {
				t.Fatalf("at %d of %d:\n%s\nwant\n%s", spans[i].Start, len(src.Text), got, want)
			}
		}
	}
}
