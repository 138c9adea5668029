package fusion

import (
	"errors"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/lowering/ends"
)

// Parse reads a program as it is built, or verbatim, as it is written.
func Parse(c *ir.Context, src string, verbatim bool) (*ir.Graph, error) {
	g, list := text.Parse(c, diag.NewSource("program.mlir", src), text.Options{Verbatim: verbatim})
	if err := list.Err(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, src)
	}
	return ir.Settle(g), nil
}

// Loops counts the loops of a program.
func Loops(g *ir.Graph) (n int) {
	for v := range ir.ScheduleOf(g).All() {
		if g.Def(v) == loop.For {
			n++
		}
		for _, c := range g.Children(v) {
			n += Loops(c)
		}
	}
	return n
}

// Fuse is the name of the pass that makes one loop of several.
const Fuse = "fuse"

// Unfused is a target whose lowering pipeline leaves loops as they are written.
func Unfused(t *target.Target) (*target.Target, error) {
	var kept []string
	way := strings.Split(lowering.Pipeline(t, ends.MostOptimised), ",")
	for _, name := range way {
		if name != Fuse && !strings.HasPrefix(name, Fuse+"{") {
			kept = append(kept, name)
		}
	}
	if len(kept) == len(way) {
		return nil, errors.New("the lowering pipeline has no pass " + Fuse)
	}
	out := *t
	out.Pipeline = strings.Join(kept, ",")
	return &out, nil
}
