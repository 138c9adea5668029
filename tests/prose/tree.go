package prose

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A Place is a sentence of the tree, and where it stands.
type Place struct {
	Sentence
	File    string // relative to the root
	Package string // the package, or the page
	Top     string // the folder at the root that it is in, or the page
	Kind    string // page, package, exported, or help
}

// Sentences lists what stands in the pages of root, and in the Go files without tests that
// are below it. Pages that are made of Go texts are left out: the texts count where they are.
func Sentences(root string) (out []Place, err error) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		return nil, err
	}
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		if made[filepath.Base(page)] {
			continue
		}
		text, err := os.ReadFile(page)
		if err != nil {
			return nil, err
		}
		name := relative(root, page)
		for _, s := range Markdown(string(text)) {
			out = append(out, Place{s, name, name, "docs", "page"})
		}
	}
	err = EachGoFile(root, func(path string) error {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		name := relative(root, path)
		top, _, _ := strings.Cut(name, "/")
		for _, t := range Texts(fset, tree) {
			for _, s := range Comment(t.Text, t.Line) {
				out = append(out, Place{s, name, filepath.ToSlash(filepath.Dir(name)), top, kinds[t.Kind]})
			}
		}
		return nil
	})
	return out, err
}

var kinds = map[Kind]string{PackageDoc: "package", ExportedDoc: "exported", Help: "help"}

// made are the pages that are written by programs.
var made = map[string]bool{"passes.md": true, "limits.md": true, "libm.md": true}

func relative(root, path string) string {
	name, err := filepath.Rel(root, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

// EachGoFile visits the Go files below root that are no tests and no data of tests.
func EachGoFile(root string, do func(path string) error) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		name := filepath.Base(path)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if name == "testdata" || name == "bin" || strings.HasPrefix(name, ".") && path != root {
				return filepath.SkipDir
			}
			return nil
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, ".pb.go"):
			return do(path)
		}
		return nil
	})
}
