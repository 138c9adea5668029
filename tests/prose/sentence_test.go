package prose

import (
	"go/parser"
	"go/token"
	"reflect"
	"testing"
)

func counts(list []Sentence) (out []int) {
	for _, s := range list {
		out = append(out, s.Words)
	}
	return out
}

func TestMarkdown(t *testing.T) {
	for text, want := range map[string][]int{
		"One two three. Four five: six; seven eight.":     {3, 2, 1, 2},
		"A `code span with words` here.":                  {2},
		"A `code span\nover lines` here.":                 {2},
		"[a link](https://x.org/a.b) and https://y.org.":  {3},
		"| a table | of words |\n|---|---|\n| x | y z |":  nil,
		"```sh\nirc a b c\n```\nAfter it.":                {2},
		"Before:\n\n    code block here\n\nAfter it.":     {1, 2},
		"- one item\n- another item\n  that goes on":      {2, 5},
		"- one item\n\n    and its paragraph":             {2, 3},
		"1. first\n2. second one":                         {1, 2},
		"# A heading\nThen text":                          {2, 2},
		"See e.g. this, as in Yang et al. 2021, p. 12.":   {9},
		"Version 1.5 of it (see there). More.":            {5, 1},
		"Some go on ... and on.":                          {5},
		"**Bold**: text, -7 and 3 numbers are no words.":  {1, 6},
		"One thing is that. `x` is another.":              {4, 2},
		"![a picture](x.svg)":                             nil,
		"The `!` and `a. b` are code; so is `c: d` there": {4, 3},
	} {
		if got := counts(Markdown(text)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestMarkdownLines(t *testing.T) {
	for _, s := range Markdown("# Title\n\nOne two\nthree. Four\nfive `a\nb` six. Seven.\n") {
		if want := map[string]int{"Title": 1, "One two three.": 3, "Four five " + code + " six.": 4, "Seven.": 6}[s.Text]; s.Line != want {
			t.Errorf("%q: line %d, want %d", s.Text, s.Line, want)
		}
	}
}

func TestComment(t *testing.T) {
	for text, want := range map[string][]int{
		"F does it.\nIt is done.\n":                          {3, 3},
		"F does it:\n\n\tcode is here\n\nAnd so on.\n":       {3, 3},
		"F does:\n  - one thing\n  - another\n    of them\n": {2, 2, 3},
		"# Heading\n\nText.\n":                               {1, 1},
		"b.Op makes it; x.y too.\n":                          {3, 2},
	} {
		if got := counts(Comment(text, 1)); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	const src = `// Package p is one.
package p

// T is a type.
type T struct {
	A int // a field
	b int // not exported
	C int ` + "`opt:\"c\" doc:\"an option\"`" + `
}

// M is a method.
func (*T) M() {}

// m is none.
func m() {}

// M is of no exported type.
func (*t) M() {}

// Some values.
var (
	X = row{Doc: "a" + " row"} // of x
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range Texts(fset, file) {
		got = append(got, x.Text)
	}
	want := []string{"Package p is one.\n", "T is a type.\n", "a field\n", "M is a method.\n", "Some values.\n", "of x\n", "an option", "a row"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
