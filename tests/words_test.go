package tests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/irc-lang/irc/tests/prose"
)

const wordsPage = "docs/words.md"

// otherMeanings are the names that are a listed word of docs/words.md, each with the reason why
// that is the field's term there: "folder/file.go" for the name of a file, "folder.Name" or
// "folder.Type.Name" for an exported one.
var otherMeanings = map[string]string{
	"dialects/device/simt.Checker.Begin":      "a verb: what ir/interp calls when a loop begins",
	"dialects/device/transfers.Checker.Begin": "a verb: what ir/interp calls when a loop begins",
	"ir/interp/race.Checker.Begin":            "a verb: what ir/interp calls when a loop begins",
	"tools/irctest.trace.Begin":               "a verb: what ir/interp calls when a loop begins",
	"ir/interp.Watcher.Begin":                 "a verb: what ir/interp calls when a loop begins",
	"ir.OpDef.Begin":                          "a verb: what the builder calls when a graph begins",
}

// A wordList is what docs/words.md forbids.
type wordList struct {
	words   map[string]bool // as a whole part of a file's name, and as an exported name
	phrases []string        // in prose
}

// readWords reads the tables of the page: the words stand in the first column, with commas between.
func readWords(page string) (l wordList) {
	l.words = map[string]bool{}
	table := ""
	for line := range strings.Lines(page) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		first := strings.TrimSpace(cells[0])
		switch {
		case !strings.HasPrefix(line, "|"):
			table = ""
		case table == "":
			table = first
		case strings.HasPrefix(first, "---"):
		case table == "not":
			for _, w := range strings.Split(first, ",") {
				l.words[strings.TrimSpace(w)] = true
			}
		case table == "phrase":
			l.phrases = append(l.phrases, first)
		}
	}
	return l
}

// parts splits a name at _, - and ., and where a capital letter follows a small one.
func parts(name string) []string {
	var b strings.Builder
	last := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
		last = r
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return strings.ContainsRune(" _-.", r) })
}

// inFileName returns the listed word that is a part of a file's name or of its folder's, or "".
func (l wordList) inFileName(path string) string {
	dir, base := filepath.Split(filepath.ToSlash(path))
	for _, p := range append(parts(strings.TrimSuffix(base, ".go")), parts(filepath.Base(dir))...) {
		if l.words[p] {
			return p
		}
	}
	return ""
}

// inExported lists the exported names of a file that are a listed word.
func (l wordList) inExported(pkg string, tree *ast.File) (out []string) {
	say := func(of string, id *ast.Ident) {
		if id.IsExported() && l.words[strings.ToLower(id.Name)] {
			out = append(out, pkg+"."+of+id.Name)
		}
	}
	for _, d := range tree.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			of := ""
			if d.Recv != nil {
				of = receiver(d.Recv.List[0].Type) + "."
			}
			say(of, d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						say("", id)
					}
				case *ast.TypeSpec:
					say("", s.Name)
					ast.Inspect(s.Type, func(n ast.Node) bool {
						if f, ok := n.(*ast.Field); ok {
							for _, id := range f.Names {
								say(s.Name.Name+".", id)
							}
						}
						return true
					})
				}
			}
		}
	}
	return out
}

// phrase returns the forbidden phrase that a text has, as whole words over lines and slashes, or "".
func (l wordList) phrase(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(strings.ReplaceAll(text, "//", " ")), " "))
	for _, p := range l.phrases {
		if regexp.MustCompile(`\b` + regexp.QuoteMeta(p) + `\b`).MatchString(text) {
			return p
		}
	}
	return ""
}

func theWords(t *testing.T) wordList {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", wordsPage))
	if err != nil {
		t.Fatal(err)
	}
	l := readWords(string(page))
	if len(l.words) < 40 || len(l.phrases) < 5 {
		t.Fatalf("%s has %d words and %d phrases", wordsPage, len(l.words), len(l.phrases))
	}
	return l
}

// No name of a file and no exported name is a word of docs/words.md, but for those of otherMeanings.
func TestWords(t *testing.T) {
	l, used := theWords(t), map[string]bool{}
	found := func(at, what string) {
		if used[at] = true; otherMeanings[at] == "" {
			t.Errorf("%s: %s; %s says what to write, or otherMeanings gets a row with the reason", at, what, wordsPage)
		}
	}
	for _, f := range goFiles(t) {
		path := filepath.ToSlash(f.path)
		if w := l.inFileName(path); w != "" {
			found(path, fmt.Sprintf("%q is part of the file's name", w))
		}
	}
	eachFile(t, func(f file, _ *token.FileSet, tree *ast.File) {
		for _, name := range l.inExported(f.pkg, tree) {
			found(name, "the name is a listed word")
		}
	})
	for at := range otherMeanings {
		if !used[at] {
			t.Errorf("otherMeanings has a row for %s, which is no listed word; remove it", at)
		}
	}
}

// No comment, page or help text has a phrase of docs/words.md.
func TestPhrases(t *testing.T) {
	l := theWords(t)
	for _, f := range goFiles(t) {
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, filepath.Join("..", f.path), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range tree.Comments {
			if p := l.phrase(g.Text()); p != "" {
				t.Errorf("%s:%d: a comment has %q: see %s", f.path, fset.Position(g.Pos()).Line, p, wordsPage)
			}
		}
		for _, x := range prose.Texts(fset, tree) {
			if p := l.phrase(x.Text); x.Kind == prose.Help && p != "" {
				t.Errorf("%s:%d: a help text has %q: see %s", f.path, x.Line, p, wordsPage)
			}
		}
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if p := l.phrase(string(text)); p != "" && filepath.Base(page) != filepath.Base(wordsPage) {
			t.Errorf("%s has %q: see %s", page, p, wordsPage)
		}
	}
}

// pages lists the Markdown files of the project.
func pages(t *testing.T) (out []string) {
	t.Helper()
	for _, pattern := range []string{"*.md", "*/*.md", "*/*/*.md", "*/*/*/*.md"} {
		list, err := filepath.Glob(filepath.Join("..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list...)
	}
	if len(out) < 40 {
		t.Fatalf("only %d pages", len(out))
	}
	return out
}

// The checks find each form that they are there for, and nothing in what is allowed.
func TestWordsAreFound(t *testing.T) {
	l := readWords("| not | but |\n|---|---|\n| knot, knots | component |\n| more | x |\n\n| phrase | but |\n|---|---|\n| way down | pipeline |\n\n| a | b |\n|---|---|\n| kept | x |\n")
	for name, want := range map[string]string{
		"p/knots.go": "knots", "p/two_knots_test.go": "knots", "p/syntax-more.go": "more", "p/theKnot.go": "knot", "knot/a.go": "knot",
		"p/knotted.go": "", "p/kept.go": "", "p/furthermore.go": "",
	} {
		if got := l.inFileName(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	const src = `package p
type Knot struct { More int; more int; Knotted struct { Knots int } }
type T[K any] interface { More() }
func Knots() {}
func (t *U[K]) More() {}
func (t *U[K]) MoreOf() {}
const more, More = 1, 2
`
	tree, err := parser.ParseFile(token.NewFileSet(), "", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := l.inExported("p", tree)
	if want := []string{"p.Knot", "p.Knot.More", "p.Knot.Knots", "p.T.More", "p.Knots", "p.U.More", "p.More"}; !slices.Equal(got, want) {
		t.Errorf("exported: %v, want %v", got, want)
	}
	for text, want := range map[string]string{
		"On the\nWay down it goes": "way down", "way\n// down": "way down", "a way downward": "", "ways": "",
	} {
		if got := l.phrase(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
