package tests

import (
	"bytes"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/limits.md")

// limitName is how a constant is called that is a limit.
var limitName = regexp.MustCompile(`^(max|most|limit|min|fewest|few|many)([A-Z0-9_]|$)|Limit$|Minimum$`)

// A limit is a constant that sizes or counts are compared with. Its comment is its reason.
type limit struct{ file, name, value, reason string }

func limitsOf(f file, source []byte, fset *token.FileSet, tree *ast.File) (out []limit) {
	ast.Inspect(tree, func(n ast.Node) bool {
		group, ok := n.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			return true
		}
		for _, s := range group.Specs {
			spec := s.(*ast.ValueSpec)
			for i, id := range spec.Names {
				if !limitName.MatchString(strings.ToLower(id.Name[:1])+id.Name[1:]) || i >= len(spec.Values) || !hasNumber(spec.Values[i]) {
					continue
				}
				value := source[fset.Position(spec.Values[i].Pos()).Offset:fset.Position(spec.Values[i].End()).Offset]
				x := limit{f.path, id.Name, string(value), ""}
				for _, c := range []*ast.CommentGroup{spec.Comment, spec.Doc, group.Doc} {
					if x.reason == "" {
						x.reason = strings.Join(strings.Fields(c.Text()), " ")
					}
				}
				out = append(out, x)
			}
		}
		return true
	})
	return out
}

func hasNumber(e ast.Expr) (is bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		l, ok := n.(*ast.BasicLit)
		is = is || ok && (l.Kind == token.INT || l.Kind == token.FLOAT)
		return true
	})
	return is
}

// inPlace are the files that compare a length with a number over 16 that has no name, and why they may.
var inPlace = map[string]string{
	"backends/elf/elf.go":                   "the header of an object file",
	"dialects/poly/presburger/calc/calc.go": "a rest of a line in a message is cut",
	"passes/roofline/work.go":               "loops are bits of a word",
	"tools/irc/internal/draw/label.go":      "a label is as wide as its box",
	"dialects/bugs/syntax/lookup.go":        "a name in a message is cut",
	"dialects/bugs/syntax/parser.go":        "a token in a message is cut",
	"dialects/linalg/raise.go":              "the letters of the alphabet name indices",
	"ir/interp/json.go":                     "longer numbers are read by the slow reader",
	"ir/run/table/number.go":                "longer digits overflow 63 bits",
	"ir/text/blocks.go":                     "longer names are not kept for the next file",
	"ir/text/generic.go":                    "longer texts are not kept for the next op",
	"ir/text/registry.go":                   "longer names are not kept for the next op",
	"ir/text/internal/literal/defined.go":   "longer names are not kept for the next file",
	"ir/text/internal/literal/types.go":     "longer words are not kept for the next file",
	"ir/text/internal/scan/scan.go":         "a token in a message is cut",
	"ir/text/internal/values/values.go":     "longer names are not kept for the next file",

	"dialects/poly/presburger/internal/notation/parse.go": "a token in a message is cut",
}

// unnamedLimits are the comparisons of a length with a number.
func unnamedLimits(tree *ast.File) (out []token.Pos) {
	ast.Inspect(tree, func(n ast.Node) bool {
		b, ok := n.(*ast.BinaryExpr)
		if !ok || !slices.Contains([]token.Token{token.LSS, token.LEQ, token.GTR, token.GEQ}, b.Op) {
			return true
		}
		for _, x := range [][2]ast.Expr{{b.X, b.Y}, {b.Y, b.X}} {
			call, ok := x[0].(*ast.CallExpr)
			if !ok {
				continue
			}
			l, isLit := x[1].(*ast.BasicLit)
			if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "len" && isLit && l.Kind == token.INT {
				if n, err := strconv.ParseInt(l.Value, 0, 64); err == nil && n > 16 {
					out = append(out, b.Pos())
				}
			}
		}
		return true
	})
	return out
}

// Every limit has its reason beside it, and is a row of docs/limits.md.
func TestLimits(t *testing.T) {
	rooms := map[string][]limit{}
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "tests") || strings.HasPrefix(f.pkg, "examples") || f.pkg == "ir/irtest" {
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", f.path))
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f.path, source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range limitsOf(f, source, fset, tree) {
			if x.reason == "" {
				t.Errorf("%s: %s says not what it bounds, nor why", f.path, x.name)
			}
			rooms[f.pkg] = append(rooms[f.pkg], x)
		}
		for _, at := range unnamedLimits(tree) {
			used[f.path] = true
			if inPlace[f.path] == "" {
				t.Errorf("%s: a limit without a name", fset.Position(at))
			}
		}
	}
	for path := range inPlace {
		if !used[path] {
			t.Errorf("%s has no limit without a name: its row can go", path)
		}
	}
	text := limitsPage(rooms)
	const page = "../docs/limits.md"
	if *update {
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if was, err := os.ReadFile(page); err != nil || !bytes.Equal(was, text) {
		t.Errorf("docs/limits.md is stale (%v): run go test ./tests -run TestLimits -update", err)
	}
}

func limitsPage(rooms map[string][]limit) []byte {
	var b bytes.Buffer
	n := 0
	var names []string
	for name, list := range rooms {
		names = append(names, name)
		n += len(list)
	}
	slices.Sort(names)
	fmt.Fprintf(&b, `# Limits

For whoever meets a limit, or wants to add one: the %d constants that sizes and counts are compared with, by package.
The text is the comment beside each. What a target pays is no limit but a cost: see [targets](targets.md).
What a program may do when it runs is bounded by `+"`-fuel` and `-timeout`"+`: see [security](security.md).

    go test ./tests -run TestLimits -update    # writes this page
`, n)
	for _, name := range names {
		fmt.Fprintf(&b, "\n## %s\n\n| limit | value | what, and why |\n|---|---|---|\n", name)
		for _, x := range rooms[name] {
			what := strings.TrimPrefix(x.reason, x.name+" ")
			fmt.Fprintf(&b, "| `%s` (%s) | %s | %s |\n", x.name, filepath.Base(x.file), x.value, strings.ReplaceAll(what, "|", `\|`))
		}
	}
	return b.Bytes()
}
