package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reserved is something that only some packages and files may use.
type reserved struct {
	name    string // of a package's function, type or variable
	allowed []string
}

// oneWay says who may use what a lowering pipeline is made of. Five places once lowered programs,
// each in its own way; a sixth is not to come: what lowers asks lowering.Compile, or has a
// command's pipeline (tools/irc/internal/cli/route.go).
var oneWay = []reserved{
	{"lowering.Compile", []string{"lowering/density", "tests/bench", "tests/bench/fused", "tests/built", "tools/irc/probe", "tools/loop", "tools/stage", "tools/tensors"}},
	{"lowering.Pipeline", []string{"tests/fusion", "tests/polybench"}}, // to leave a pass of it out, or put some before it
	{"lowering.Down", []string{"tools/irc/product"}},
	{"lowering.To", nil},
	{"libm.Lower", nil},
	{"libm.Rules", nil},
	{"ir.Phase", []string{"lowering/libm", "ir/lower/plan"}},
	{"plan.New", []string{"lowering", "tools/internal/vet"}}, // which says what is wrong with the order of rules
	{"sequence.Pipeline", []string{"tools/irc/internal/models"}},
	{"pass.Parse", []string{"lowering", "lowering/density", "lowering/derived", "tests/bench", "tests/built", "tools/internal/vet", "tools/irc/internal/cli", "tools/irc/internal/commands", "tools/irctest"}},
	{"pass.Manager", []string{"lowering", "lowering/density", "lowering/derived", "tests/bench", "tests/built", "tools/internal/vet", "tools/irc/internal/cli", "tools/irc/internal/commands", "tools/irctest"}},
}

// selections calls f for each NAME.SELECTOR of a file, with the folder that NAME is imported
// from.
func selections(t *testing.T, f file, see func(folder, name string, line int)) {
	t.Helper()
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, filepath.Join("..", f.path), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	from := map[string]string{}
	for _, imp := range tree.Imports {
		p, err := strconv.Unquote(imp.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		folder, ours := strings.CutPrefix(p, module)
		if name := path.Base(folder); ours && imp.Name == nil {
			from[name] = folder
		} else if ours {
			from[imp.Name.Name] = folder
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && from[x.Name] != "" {
				see(from[x.Name], s.Sel.Name, set.Position(s.Pos()).Line)
			}
		}
		return true
	})
}

// There is one lowering pipeline: whatever lowers takes it.
func TestOneWayDown(t *testing.T) {
	used := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		where := filepath.ToSlash(f.path)
		if strings.HasPrefix(f.pkg, "backends") {
			for _, imp := range f.imports {
				if in, _ := strings.CutPrefix(imp, module); rank(in) == rank("lowering") || rank(in) == rank("passes") {
					t.Errorf("%s imports %s: a backend translates what it is given, lowered", f.path, in)
				}
			}
		}
		selections(t, f, func(folder, name string, line int) {
			i := slices.IndexFunc(oneWay, func(r reserved) bool { return r.name == path.Base(folder)+"."+name })
			if i < 0 || f.pkg == folder {
				return
			}
			allowed := slices.ContainsFunc(oneWay[i].allowed, func(a string) bool {
				return where == a || f.pkg == a || a == "dialects" && strings.HasPrefix(f.pkg, "dialects/")
			})
			if !allowed {
				t.Errorf("%s:%d uses %s, which is for %q alone: take lowering.Compile's way", f.path, line, oneWay[i].name, oneWay[i].allowed)
			}
			used[oneWay[i].name+where], used[oneWay[i].name+f.pkg] = true, true
			if strings.HasPrefix(f.pkg, "dialects/") {
				used[oneWay[i].name+"dialects"] = true
			}
		})
	}
	for _, r := range oneWay {
		for _, a := range r.allowed {
			if !used[r.name+a] {
				t.Errorf("nothing in %s uses %s any more: take it off the list", a, r.name)
			}
		}
	}
}
