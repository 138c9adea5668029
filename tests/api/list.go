package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Stable are the packages that outsiders may import and go on importing, low to high. All others
// are of this repository alone, whether Go lets outsiders import them or not.
var Stable = []string{
	"ir", "ir/diag", "ir/affine", "ir/target", "ir/text", "ir/interp", "ir/ordering", "ir/lower",
	"dialects/builtin", "dialects/ub", "dialects/arith", "dialects/math", "dialects/special", "dialects/func", "dialects/cf",
	"dialects/scf", "dialects/memref", "dialects/vector", "dialects/affine", "dialects/prob/family",
	"passes/pass", "lowering", "tools/irc/cli", "tools/irc/product", "tools/irctest", "tools/stage", "tools/loop", "tools/tensors",
}

// A listing has the lines of each stable package.
type listing map[string][]line

func read(root string) (listing, error) {
	found, err := load(root, Stable)
	if err != nil {
		return nil, err
	}
	out := listing{}
	for _, p := range Stable {
		out[p] = surface(found[p])
	}
	return out, nil
}

type counts struct{ names, ops, builders int }

func count(lines []line) (n counts) {
	for _, l := range lines {
		switch l.kind {
		case name:
			n.names++
		case op:
			n.ops++
		case builder:
			n.builders++
		}
	}
	return n
}

// file is the path of a package's listing below docs.
func file(pkg string) string { return filepath.Join("api", strings.ReplaceAll(pkg, "/", ".")+".txt") }

// page is the text of a package's listing.
func page(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
	return b.String()
}

// sum stands for the whole surface: it changes where any line does.
func (l listing) sum() string {
	h := sha256.New()
	for _, p := range Stable {
		fmt.Fprintf(h, "%s\n%s", p, page(l[p]))
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// mark is the line of the changelog that says of which surface its first entry speaks.
var mark = regexp.MustCompile(`(?m)^<!-- surface ([0-9a-f]*) -->$`)

func (l listing) write(docs string) error {
	if err := os.MkdirAll(filepath.Join(docs, "api"), 0o777); err != nil {
		return err
	}
	for _, p := range Stable {
		if err := os.WriteFile(filepath.Join(docs, file(p)), []byte(page(l[p])), 0o666); err != nil {
			return err
		}
	}
	path := filepath.Join(docs, "changelog.md")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !mark.Match(text) {
		return fmt.Errorf("%s has no line <!-- surface ... -->", path)
	}
	return os.WriteFile(path, mark.ReplaceAll(text, []byte("<!-- surface "+l.sum()+" -->")), 0o666)
}
