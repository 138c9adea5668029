package models_test

import (
	"bytes"
	"flag"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/product"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "rewrite expected text")

// wrong is a folder of a file of testdata/wrong: a model with its files, and what is
// said of them.
type wrong struct {
	name  string
	files []txtar.File // without want
	want  string
}

func wrongs(a *txtar.Archive) []*wrong {
	var out []*wrong
	for _, f := range a.Files {
		dir, base := path.Split(f.Name)
		if len(out) == 0 || out[len(out)-1].name != dir {
			out = append(out, &wrong{name: dir})
		}
		w := out[len(out)-1]
		if base == "want" {
			w.want = string(f.Data)
		} else {
			w.files = append(w.files, txtar.File{Name: base, Data: f.Data})
		}
	}
	return out
}

// said runs irc logdensity on the files, in a folder of their own. The file args holds
// further arguments; a file of data, inits or points is given as its name says.
func (w *wrong) said(t *testing.T) (code int, text string) {
	t.Chdir(t.TempDir())
	args := []string{"logdensity", "-engine=eval", "model.bug"}
	for _, f := range w.files {
		if f.Name == "args" {
			args = append(args, strings.Fields(string(f.Data))...)
			continue
		}
		if kind := strings.TrimSuffix(f.Name, path.Ext(f.Name)); kind != "model" {
			args = append(args, "-"+strings.TrimRight(kind, "0123456789")+"="+f.Name)
		}
		if err := os.WriteFile(f.Name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "-data") || strings.HasPrefix(a, "-D") }) {
		if err := os.WriteFile("data.json", []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		args = append(args, "-data=data.json")
	}
	var out, errs bytes.Buffer
	p := product.All()
	code = p.Main(args, strings.NewReader(""), &out, &errs)
	return code, errs.String()
}

// One mistake gives one diagnostic: with its place, a caret and a way out.
func TestWrongModels(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	cases := 0
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fresh := &txtar.Archive{Comment: a.Comment}
		warnings := strings.Contains(file, "warnings")
		for _, w := range wrongs(a) {
			cases++
			t.Run(w.name, func(t *testing.T) {
				code, text := w.said(t)
				if warnings != (code == 0) || code > 1 {
					t.Errorf("exit %d", code)
				}
				if n := strings.Count(text, "error: ") + strings.Count(text, "warning: "); n != 1 {
					t.Errorf("%d messages:\n%s", n, text)
				}
				if !strings.Contains(text, "^") || !strings.Contains(text, "help: ") {
					t.Errorf("no place or no way out:\n%s", text)
				}
				if text != w.want && !*update {
					t.Errorf("got\n%s\nwant\n%s", text, w.want)
				}
				for _, f := range w.files {
					fresh.Files = append(fresh.Files, txtar.File{Name: w.name + f.Name, Data: f.Data})
				}
				fresh.Files = append(fresh.Files, txtar.File{Name: w.name + "want", Data: []byte(text)})
			})
		}
		if *update {
			if err := os.WriteFile(file, txtar.Format(fresh), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if cases < 70 {
		t.Errorf("%d cases", cases)
	}
}
