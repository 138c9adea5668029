package built

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/race"
	"github.com/irc-lang/irc/ir/target"
)

// Tiles are passes that make tiles of loops.
const Tiles = "raise-affine,poly-schedule{alg=pluto},poly-tile"

// Tiny is a machine whose blocks are small, so that small arrays have many.
func Tiny(bytes, cores int) *target.Target {
	t := *target.Interp()
	t.Kind, t.Cores = target.CPU, cores
	t.Vector, t.Caches = bytes, []int64{3 << 10, 8 << 10, 24 << 10}
	return &t
}

// TilesFor is the code of a program in tiles for a machine.
func TilesFor(t *testing.T, machine *target.Target, g *ir.Graph) *ir.Graph {
	t.Helper()
	return ThroughFor(t, machine, Through(t, g, Tiles), "poly-codegen")
}

// Gives compares what a function does to its arguments; format says what went before.
func Gives(t *testing.T, g *ir.Graph, entry, args, want, format string, of ...any) {
	t.Helper()
	if got := After(t, g, entry, args); got != want {
		t.Fatalf("%s: it gives\n%s\nand not\n%s", fmt.Sprintf(format, of...), got, want)
	}
}

// NoRaces are options of the interpreter by which a race of cores is an error.
func NoRaces() interp.Options {
	races := race.New(memref.IsAtomic)
	return interp.Options{Watch: races, Wrap: races.Wrap}
}

// GivesOnCores is Gives of @f, where cores may not race.
func GivesOnCores(t *testing.T, g *ir.Graph, args, want, format string, of ...any) {
	t.Helper()
	if got := AfterWith(t, g, "f", args, NoRaces()); got != want {
		t.Fatalf("%s: it gives\n%s\nand not\n%s", fmt.Sprintf(format, of...), got, want)
	}
}

// Matrix is one in JSON.
func Matrix(rows, columns int, at func(i, j int) int) string {
	all := make([]string, rows)
	for i := range all {
		all[i] = RowOf(columns, func(j int) int { return at(i, j) })
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// RowOf is a row in JSON.
func RowOf(n int, at func(i int) int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprint(at(i))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
