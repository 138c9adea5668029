package reductions

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
	"github.com/irc-lang/irc/tests/sdr"
)

// read reads the equations of a program.
func (p Program) read(t *testing.T) (*ir.Graph, equations.Interface) {
	t.Helper()
	g, in, err := sdr.Read(built.Context(), filepath.Join("../../examples", p.File+".eq"))
	if err != nil {
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
			all = append(all, c.Total.String())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(all, "; ")
}

func TestOriginal(t *testing.T) {
	for _, p := range slices.Concat(Table2, Keyed, Known, Small) {
		t.Run(filepath.Base(p.File), func(t *testing.T) {
			g, _ := p.read(t)
			if got := total(t, g); got != p.Original {
				t.Errorf("costs %s, want %s", got, p.Original)
			}
		})
	}
}

// Simplified, programs cost what the tables say, and compute the same.
func TestOptimized(t *testing.T) {
	for _, p := range slices.Concat(Table2, Small) {
		name := filepath.Base(p.File)
		t.Run(name, func(t *testing.T) {
			g, in := p.read(t)
			g = built.Through(t, g, "simplify-reductions")
			if got := total(t, g); got != p.Optimized {
				t.Errorf("costs %s, want %s", got, p.Optimized)
			}
			if n, ok := naives[name]; ok {
				p.computes(t, g, in, n)
			}
		})
	}
}

func TestKeyed(t *testing.T) {
	for _, p := range Keyed {
		g, _ := p.read(t)
		if got := total(t, built.Through(t, g, "simplify-reductions,poly-key")); got != p.Optimized {
			t.Errorf("%s costs %s, want %s", p.File, got, p.Optimized)
		}
	}
}

// Directions that are chosen for all reductions together are no better than those chosen one after the other by
// a sequential schedule: for reuse alone that is the paper's theorem where operators have an inverse; for
// others see TestModesAgree of the pass.
func TestExact(t *testing.T) {
	for _, p := range slices.Concat(Table2, Small) {
		t.Run(filepath.Base(p.File), func(t *testing.T) {
			g, _ := p.read(t)
			if got := total(t, built.Through(t, g, "simplify-reductions{mode=exact}")); got != p.Optimized {
				t.Errorf("costs %s, want %s", got, p.Optimized)
			}
			exact, want := total(t, built.Through(t, g, "simplify-reductions{reuse mode=exact}")), total(t, built.Through(t, g, "simplify-reductions{reuse}"))
			if exact != want {
				t.Errorf("by reuse alone costs %s, by the heuristic %s", exact, want)
			}
		})
	}
}

// What the small programs compute is what loops do that follow their words.
func TestComputed(t *testing.T) {
	for _, p := range Small {
		name := filepath.Base(p.File)
		t.Run(name, func(t *testing.T) {
			g, in := p.read(t)
			n, ok := naives[name]
			if !ok {
				t.Fatal("nothing to compare it with")
			}
			p.computes(t, g, in, n)
		})
	}
}

// computes compares a program with loops.
func (p Program) computes(t *testing.T, g *ir.Graph, in equations.Interface, n naive) {
	t.Helper()
	d, err := newData(in, n.sizes, 1)
	if err != nil {
		t.Fatal(err)
	}
	args := d.arguments(g.Ctx, in)
	n.by(d)
	built.Invoke(t, g, in.Name, args)
	if err := d.compare(g.Ctx, in, args); err != nil {
		t.Error(err)
	}
}

// Each file of the folder is in the table.
func TestAllPrograms(t *testing.T) {
	files, err := filepath.Glob("../../examples/reductions/*.eq")
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".eq")
		if !slices.ContainsFunc(Small, func(p Program) bool { return p.File == "reductions/"+name }) {
			t.Errorf("%s is in no table", file)
		}
	}
}
