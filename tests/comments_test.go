package tests

import (
	"bytes"
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// leastComments is the share, in percent, of the lines with a comment among the lines that are not blank.
var leastComments = map[string]float64{"ir": 12, "passes": 12, "dialects": 10}

// fewComments are the packages that have less than leastComments of their folder, or less than 12 of
// passes. The list only gets shorter.
var fewComments = map[string]bool{
	"dialects": true, "dialects/affine": true, "dialects/arith": true, "dialects/bugs/bind": true,
	"dialects/bugs/bugstest": true, "dialects/bugs/emit": true, "dialects/bugs/eval": true,
	"dialects/bugs/function": true, "dialects/bugs/input": true, "dialects/bugs/run": true,
	"dialects/bugs/syntax": true, "dialects/linalg": true,
	"dialects/linalg/tensors": true, "dialects/loop": true, "dialects/loop/tables": true,
	"dialects/memref": true, "dialects/memref/memtest": true, "dialects/nvgpu": true,
	"dialects/poly/equations": true, "dialects/poly/internal/oracle": true,
	"dialects/poly/presburger/calc": true, "dialects/poly/presburger/internal/count": true,
	"dialects/poly/presburger/internal/hull": true, "dialects/poly/presburger/internal/notation": true,
	"dialects/prob": true, "dialects/scf": true, "dialects/tensor": true,
	"dialects/vector": true, "ir/affine/expr": true, "ir/irtest": true, "ir/reduce": true, "ir/run/npy": true,
	"ir/run/table/parquet": true, "passes/basic": true, "passes/loops": true,
	"passes/polyhedral": true, "passes/polyhedral/contractions": true, "passes/polyhedral/raise": true,
	"passes/polyhedral/reductions": true, "passes/sequence": true,
}

// commented counts the lines of a Go file that are not blank, and those of them that have a comment.
// Directives (//go:) are none.
func commented(src []byte) (lines, comments int) {
	for line := range bytes.Lines(src) {
		if len(bytes.TrimSpace(line)) > 0 {
			lines++
		}
	}
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("", -1, len(src)), src, nil, scanner.ScanComments)
	last := 0
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return lines, comments
		}
		if tok != token.COMMENT || strings.HasPrefix(text, "//go:") {
			continue
		}
		first := fset.Position(pos).Line
		end := first + strings.Count(text, "\n")
		comments += end - max(first-1, last)
		last = end
	}
}

// Comments say what code cannot: the invariant, the reason, the source. Their share of ir, passes and
// dialects does not fall, nor that of a package that has enough.
func TestComments(t *testing.T) {
	type share struct{ lines, comments int }
	folders, packages := map[string]share{}, map[string]share{}
	for _, f := range goFiles(t) {
		top, _, _ := strings.Cut(f.pkg, "/")
		if f.test || leastComments[top] == 0 {
			continue
		}
		src, err := os.ReadFile(filepath.Join("..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		lines, comments := commented(src)
		folders[top] = share{folders[top].lines + lines, folders[top].comments + comments}
		packages[f.pkg] = share{packages[f.pkg].lines + lines, packages[f.pkg].comments + comments}
	}
	percent := func(s share) float64 { return 100 * float64(s.comments) / float64(s.lines) }
	for top, s := range folders {
		t.Logf("%s: %d of %d lines have a comment (%.1f %%)", top, s.comments, s.lines, percent(s))
		if p := percent(s); p < leastComments[top] {
			t.Errorf("%s: %.2f %% of the lines have a comment, at least %v %% should", top, p, leastComments[top])
		}
	}
	for pkg, s := range packages {
		top, _, _ := strings.Cut(pkg, "/")
		least := max(leastComments[top], 12)
		if top == "dialects" {
			least = leastComments[top]
		}
		switch p := percent(s); {
		case p < least && !fewComments[pkg]:
			t.Errorf("%s: %.1f %% of the lines have a comment, at least %v %% should", pkg, p, least)
		case p < least:
			t.Logf("%s: %.1f %% of the lines have a comment", pkg, p)
		case fewComments[pkg]:
			t.Logf("%s has enough comments now: fewComments need not name it", pkg)
		}
	}
}

func TestCommentsAreCounted(t *testing.T) {
	for src, want := range map[string][2]int{
		"// a\n\npackage p\n":                                      {2, 1},
		"package p // a\n\n// b\n// c\nvar x = 1\n":                {4, 3},
		"package p\n\n/* a\nb */ var x, _ = 1, /* c */ \"// d\"\n": {3, 2},
		"//go:build linux\n\npackage p\n":                          {2, 0},
	} {
		if lines, comments := commented([]byte(src)); lines != want[0] || comments != want[1] {
			t.Errorf("%q: %d of %d lines, want %d of %d", src, comments, lines, want[1], want[0])
		}
	}
}
