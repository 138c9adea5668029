package script

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each promise of docs/security.md names the tests that fail without what keeps it.
func TestPromises(t *testing.T) {
	data, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(data), "<!-- promises -->\n")
	table, _, ok := strings.Cut(table, "<!-- end of promises -->")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	if !ok || len(lines) < 17 {
		t.Fatalf("%d lines of promises", len(lines))
	}
	named := regexp.MustCompile("`([^`]+)`")
	for _, line := range lines[2:] {
		cells := strings.Split(strings.Trim(line, "|"), " | ")
		if len(cells) != 3 {
			t.Errorf("%d cells: %s", len(cells), line)
			continue
		}
		tests := named.FindAllStringSubmatch(cells[2], -1)
		if len(tests) == 0 {
			t.Errorf("no test: %s", line)
		}
		for _, m := range tests {
			if !testExists(t, m[1]) {
				t.Errorf("there is no %s: %s", m[1], line)
			}
		}
	}
}

// testExists looks for "FOLDER TestName", or for a script.
func testExists(t *testing.T, name string) bool {
	folder, test, ok := strings.Cut(name, " ")
	if !ok {
		_, err := os.Stat(filepath.Join("../..", name))
		return err == nil
	}
	files, err := filepath.Glob(filepath.Join("../..", folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+test+"(t *testing.T)") {
			return true
		}
	}
	return false
}
