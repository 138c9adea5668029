package main

import (
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/tests/layers"
)

// A pkg is a package.
type pkg struct {
	folder  string // relative to the root
	about   string // the first sentence of its doc
	layer   layers.Layer
	imports map[string]bool // folders of ours
}

// read finds the rooms of a tree, without those of tests, by folder.
func read(root string) ([]*pkg, error) {
	all := map[string]*pkg{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "testdata" || base != "." && base != ".." && strings.HasPrefix(base, ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		return add(all, name, filepath.ToSlash(filepath.Dir(rel)))
	})
	var out []*pkg
	for _, r := range all {
		out = append(out, r)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].folder < out[j].folder })
	return out, err
}

// add enters a file into the room of its folder.
func add(all map[string]*pkg, name, folder string) error {
	layer, ok := layers.Of(folder)
	if !ok || layer.Prefix == "tests" {
		return nil
	}
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	r := all[folder]
	if r == nil {
		r = &pkg{folder: folder, layer: layer, imports: map[string]bool{}}
		all[folder] = r
	}
	if text := f.Doc.Text(); text != "" && r.about == "" {
		r.about = sentence(text)
	}
	for _, i := range f.Imports {
		to, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		if in, ours := strings.CutPrefix(to, layers.Module); ours {
			r.imports[in] = true
		}
	}
	return nil
}

// sentence is the first of a package's doc, without "Package name" and "is".
func sentence(text string) string {
	s := new(doc.Package).Synopsis(text)
	words := strings.SplitN(s, " ", 3)
	if len(words) == 3 && (words[0] == "Package" || words[0] == "Command") {
		s = strings.TrimPrefix(words[2], "is ")
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, "."), ":")
}

// title is how a room is called on its storey.
func (r *pkg) title() string {
	top := storeyOf(r)
	if r.folder == top {
		return path.Base(top)
	}
	return strings.TrimPrefix(r.folder, top+"/")
}

// storeyOf is the top-level folder.
func storeyOf(r *pkg) string {
	top, _, _ := strings.Cut(r.folder, "/")
	return top
}
