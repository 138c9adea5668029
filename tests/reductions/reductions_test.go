package reductions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// read reads the equations of a program.
func (p Program) read(t *testing.T) (*ir.Graph, equations.Interface) {
	t.Helper()
	file := filepath.Join("../../examples", p.File+".eq")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src := diag.NewSource(file, string(text))
	g, list := equations.Read(built.Context(), src)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	in, list := equations.InterfaceOf(src)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return g, in
}

// total is the cost of the system of a program.
func total(t *testing.T, g *ir.Graph) string {
	t.Helper()
	var all []string
	err := pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error {
		for _, s := range poly.Systems(body) {
			c, err := s.Costs()
			if err != nil {
				return err
			}
			all = append(all, c.Total.Growth.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "; ")
}

func TestOriginal(t *testing.T) {
	for _, p := range slices.Concat(Table2, Known) {
		t.Run(filepath.Base(p.File), func(t *testing.T) {
			g, _ := p.read(t)
			if got := total(t, g); got != p.Original {
				t.Errorf("costs %s, want %s", got, p.Original)
			}
		})
	}
}
