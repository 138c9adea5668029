package polyhedral_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/tests/built"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	os.Exit(m.Run())
}

const tiling = "raise-affine,poly-schedule{alg=pluto},poly-tile"

// tiny is a machine whose blocks are small, so that small arrays have many.
func tiny(bytes, cores int) *target.Target {
	t := *target.Interp()
	t.Kind, t.Cores = target.CPU, cores
	t.Vector, t.Caches = bytes, []int64{3 << 10, 8 << 10, 24 << 10}
	return &t
}

// example is a program of examples/eq.
func example(t *testing.T, name string) *ir.Graph {
	t.Helper()
	src, err := os.ReadFile("../../examples/eq/" + name + ".eq")
	if err != nil {
		t.Fatal(err)
	}
	return built.OfEquations(t, string(src))
}

func parse(t *testing.T, src string) *ir.Graph {
	t.Helper()
	return built.Parse(t, src, text.Options{})
}

func shown(g *ir.Graph) string { return text.String(g, text.PrintOptions{}) }

// codeFor is the code of a program in tiles for a machine.
func codeFor(t *testing.T, machine *target.Target, g *ir.Graph) *ir.Graph {
	t.Helper()
	return built.ThroughFor(t, machine, built.Through(t, g, tiling), "poly-codegen")
}

// gives compares what a function does to its arguments; format says what went before.
func gives(t *testing.T, g *ir.Graph, entry, args, want, format string, of ...any) {
	t.Helper()
	if got := built.After(t, g, entry, args); got != want {
		t.Fatalf("%s: it gives\n%s\nand not\n%s", fmt.Sprintf(format, of...), got, want)
	}
}

// noRaces are options of the interpreter by which a race of cores is an error.
func noRaces() interp.Options {
	races := race.New(memref.IsAtomic)
	return interp.Options{Watch: races, Wrap: races.Wrap}
}

// givesOnCores is gives of @f, where cores may not race.
func givesOnCores(t *testing.T, g *ir.Graph, args, want, format string, of ...any) {
	t.Helper()
	if got := built.AfterWith(t, g, "f", args, noRaces()); got != want {
		t.Fatalf("%s: it gives\n%s\nand not\n%s", fmt.Sprintf(format, of...), got, want)
	}
}

// matrix is one in JSON, and rowOf a row of one.
func matrix(rows, columns int, at func(i, j int) int) string {
	all := make([]string, rows)
	for i := range all {
		all[i] = rowOf(columns, func(j int) int { return at(i, j) })
	}
	return "[" + strings.Join(all, ", ") + "]"
}

func rowOf(n int, at func(i int) int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(at(i))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
