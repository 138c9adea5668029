package readme_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link = regexp.MustCompile(`\]\(([^)#: ]+)(#[^)]*)?\)`)
	code = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
)

// docs/README.md lists every page, links of pages lead somewhere, and README.md stays short.
func TestContents(t *testing.T) {
	t.Chdir("../..")
	pages, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	contents := ""
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if page == filepath.Join("docs", "README.md") {
			contents = string(text)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
		if n := strings.Count(string(text), "\n"); page == "README.md" && n > 120 {
			t.Errorf("README.md has %d lines, at most 120 are for a first look; the rest is for docs", n)
		}
	}
	for _, page := range pages {
		if name := filepath.Base(page); name != "README.md" && !strings.Contains(contents, "]("+name+")") {
			t.Errorf("docs/README.md does not list %s", name)
		}
	}
}
