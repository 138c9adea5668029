package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mostNames is how many names the stable packages export at most, ops and their builders apart. It may only shrink.
const mostNames = 2000

// docs/api says what the stable packages export, and a change of it has an entry in the changelog.
func TestSurfaceIsWritten(t *testing.T) {
	s, err := read("../..")
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, p := range Stable {
		total += count(s[p]).names
		got, err := os.ReadFile(filepath.Join("../../docs", file(p)))
		if err != nil {
			t.Fatal(err)
		}
		had, has := strings.Split(string(got), "\n"), strings.Split(page(s[p]), "\n")
		for _, l := range had {
			if !slices.Contains(has, l) {
				t.Errorf("%s no longer exports %q: keep it, or say in docs/changelog.md what takes its place; then `go run ./tests/api -write`", p, l)
			}
		}
		for _, l := range has {
			if !slices.Contains(had, l) {
				t.Errorf("%s exports %q now: say it in docs/changelog.md, then `go run ./tests/api -write`", p, l)
			}
		}
	}
	if total > mostNames {
		t.Errorf("the stable packages export %d names, more than %d", total, mostNames)
	}
	log, err := os.ReadFile("../../docs/changelog.md")
	if err != nil {
		t.Fatal(err)
	}
	if m := mark.FindSubmatch(log); m == nil || string(m[1]) != s.sum() {
		t.Errorf("docs/changelog.md does not speak of this surface: write what changed, then `go run ./tests/api -write`")
	}
}

// docs/compatibility.md names the stable packages, and no other as stable.
func TestPagesNameStablePackages(t *testing.T) {
	text, err := os.ReadFile("../../docs/compatibility.md")
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\|").FindAllSubmatch(text, -1) {
		named = append(named, string(m[1]))
	}
	slices.Sort(named)
	want := slices.Sorted(slices.Values(Stable))
	if !slices.Equal(named, want) {
		t.Errorf("the page names %v, stable are %v", named, want)
	}
}
