package models

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/dependence"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

// On every example the dependence analysis of the compiled model finds the dependences
// that the model itself found, which are exact, and no others but for those of arrays
// that are computed on the way to a value: these are statements of their own there.
func TestDependencesOfExamples(t *testing.T) {
	files, _ := filepath.Glob("../../../../examples/bugs/*-data.json")
	compared, more, edges := 0, 0, 0
	for _, f := range files {
		name := strings.TrimSuffix(f, "-data.json")
		m := example(t, name)
		if m == nil {
			continue
		}
		src := m.m.Statements[0].Span().Source
		list, err := dependence.AnalyzeAll(m.g, dependence.Options{Source: src})
		if err != nil {
			t.Fatal(err)
		}
		got := map[[2]int]bool{}
		present := map[int]int{}    // how many statements come from one of the program
		whole := func(at int) int { // the statement of the program around
			for _, s := range m.m.Statements {
				if x := s.Span(); x.Start <= at && at < x.End {
					return x.Start
				}
			}
			return at
		}
		for _, r := range list {
			for _, i := range r.Infos {
				present[whole(i.At.Start)]++
				for _, d := range i.Dependences {
					if d.Kind == dependence.Ordinary {
						for _, s := range dependence.Expand(d.On) {
							got[[2]int{whole(s.At.Start), whole(i.At.Start)}] = true
						}
					}
				}
			}
		}
		for _, d := range m.m.Deps {
			k := [2]int{d.From.Span().Start, d.To.Span().Start}
			if present[k[0]] == 0 || present[k[1]] == 0 {
				continue // a generated quantity that is not compiled
			}
			edges++
			if !got[k] {
				t.Errorf("%s: %s (line %d) does not depend on %s (line %d)", filepath.Base(name), d.To.Var.Name, line(d.To.Span()), d.From.Var.Name, line(d.From.Span()))
			}
			delete(got, k)
		}
		compared++
		for k := range got {
			if present[k[0]] > 1 || present[k[1]] > 1 {
				more++
				continue
			}
			t.Errorf("%s: line %d need not depend on line %d", filepath.Base(name), line(src.At(k[1])), line(src.At(k[0])))
		}
	}
	t.Logf("%d models, %d dependences, %d of arrays on the way", compared, edges, more)
	if compared < 20 {
		t.Errorf("only %d models", compared)
	}
}

func example(t *testing.T, name string) *bound {
	t.Helper()
	read := func(path string) *diag.Source {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return diag.NewSource(path, string(text))
	}
	for _, dialect := range []string{"bugs", "jags"} {
		m, err := Frontend{}.Compile(ir.NewContext(dialects.All...), cli.ModelRequest{Source: read(name + ".bug"), Data: []*diag.Source{read(name + "-data.json")}, Dialect: dialect})
		if err == nil {
			return m.(*bound)
		}
	}
	return nil
}
