package main

import (
	"testing"
)

// TestReadPip reads the two forms of a problem.
func TestReadPip(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 3\n1 1 -3 # p0 >= 3\n-1\n2 4\n# x p 1\n1 1 -1 0\n0 2 0 -8\n", "[p0] -> { [x0] : -3 + 1p0 >= 0 and 0 + 1x0 - 1p0 >= 0 and -8 + 2x0 = 0 and p0 >= 0 and x0 >= 0 }"},
		{"0 2\n-1\n1 3\n1 1 5\nUrs_unknowns\n", "[] -> { [x0] : 5 + 1x0 >= 0 }"},
		{"[n] -> { : n mod 2 = 0 }\n\n-1\n\n[n] -> { [i] : n <= i }\n", "[n] -> { [i] : (n mod 2 = 0) and n <= i and i >= 0 }"},
	} {
		got, err := readPip("x", c.text)
		if err != nil || got.text != c.want {
			t.Errorf("%q: %v\n got %s\nwant %s", c.text, err, got.text, c.want)
		}
	}
	for _, text := range []string{"", "2 3\n1 1 1\n", "1 3\n1 1\n", "x y\n", "[n] -> { : n > 0 }\n-1\n"} {
		if _, err := readPip("x", text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
