package tests

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// recovers are the functions that stop a panic, and why they may: all else lets it go on, or ends a deep recursion by
// unwind.Catch. A panic that is stopped elsewhere is lost output, or a wrong answer.
var recovers = map[string]string{
	"ir/unwind/unwind.go:Catch":                  "ends a deep recursion for a value of the caller's own type",
	"ir/unwind/errors.go:To":                     "ends a computation of which a step failed, with the error of the step",
	"ir/internal/parallel/parallel.go:Do":        "raises it again on the goroutine that waits",
	"ir/retype.go:Retype":                        "the same as unwind.Catch, which package ir may not import",
	"ir/blame.go:named":                          "raises it again, and names the op and the author if it is not irc's",
	"ir/blame.go:tried":                          "asks rules of authors once more, of which only one mistake counts",
	"ir/blame_hooks.go:named":                    "the same of what is asked outside of a build",
	"ir/interp/authors.go:named":                 "the same of an op that runs",
	"ir/text/operation.go:blames":                "the same of an op that is read",
	"ir/text/printer.go:blames":                  "the same of an op that is printed",
	"ir/text/internal/literal/defined.go:blames": "the same of a type that is read",
	"ir/stage/run.go:run":                        "runs a user's function again and again",
	"ir/run/table/parquet/read.go:survives":      "calls a library that panics on damaged files",
	"ir/reduce/reduce.go:survives":               "tries programs that no reader would accept on the hooks of dialects",
	"passes/pass/crash.go:guard":                 "the manager: names the pass and the function",
	"passes/pass/crash.go:panics":                "finds the function on which a pass panics",
	"tools/irc/internal/cli/crash.go:crashText":  "prints the graph of a pass that has panicked",
	"tools/irc/internal/cli/cli.go:dispatch":     "the report of a crash",
	"tools/stage/direct.go:Directly":             "a user's function that returns an error",
	"tools/stage/stagetest/stagetest.go:call":    "a user's function, of which a test tells how it ends",
	"tools/irctest/fault.go:guard":               "a test: what hooks panic with is the fault that it looks for",
}

func TestRecovers(t *testing.T) {
	found := map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test || strings.HasPrefix(f.pkg, "tests") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", f.path), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if c, ok := n.(*ast.CallExpr); ok {
					if id, ok := c.Fun.(*ast.Ident); ok && id.Name == "recover" {
						found[filepath.ToSlash(f.path)+":"+fn.Name.Name] = true
					}
				}
				return true
			})
		}
	}
	for at := range found {
		if recovers[at] == "" {
			t.Errorf("%s stops panics; let them go on, or end a recursion by unwind.Catch", at)
		}
	}
	for at := range recovers {
		if !found[at] {
			t.Errorf("%s is listed and stops no panic", at)
		}
	}
}
