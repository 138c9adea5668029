package diag

import (
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
