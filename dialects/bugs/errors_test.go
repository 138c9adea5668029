package bugs_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/builtin"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite expected text")

// Each file holds a model, data, and what is said of them.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files {
		a, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{}
		for _, x := range a.Files {
			part[x.Name] = string(x.Data)
		}
		got := said(t, part["model.bug"], part["data.json"])
		if got == "" {
			t.Errorf("%s: nothing is said", f)
		}
		if got == part["want"] {
			continue
		}
		if !*update {
			t.Errorf("%s: got\n%s\nwant\n%s", f, got, part["want"])
			continue
		}
		kept := a.Files[:0]
		for _, x := range a.Files {
			if x.Name != "want" {
				kept = append(kept, x)
			}
		}
		a.Files = append(kept, txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(f, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func said(t *testing.T, program, data string) string {
	src := diag.NewSource("model.bug", program)
	prog, list := syntax.Parse(src, syntax.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	var d *input.Data
	if data != "" {
		if d, list = input.ParseData(diag.NewSource("data.json", data), 0); list.Err() != nil {
			t.Fatal(list)
		}
	}
	ctx := ir.NewContext(builtin.Dialect, arith.Dialect, bugs.Dialect)
	g, _, list := bugs.Build(ctx, prog, d, bugs.Options{})
	if (g == nil) != (list.Err() != nil) {
		t.Errorf("graph is %v, error is %v", g, list.Err())
	}
	if len(list) == 0 {
		return ""
	}
	return strings.TrimSuffix(list.Error(), "\n") + "\n"
}
