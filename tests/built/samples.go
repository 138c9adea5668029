package built

import (
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// Samples checks that the samples of a dialect read as the same when they are printed, in both forms, folded
// and verbatim. No op of the dialect may be without one.
func Samples(t *testing.T, dialect, src string) {
	t.Helper()
	for _, verbatim := range []bool{false, true} {
		opts := text.Options{Verbatim: verbatim}
		g := Parse(t, src, opts)
		for _, generic := range []bool{false, true} {
			print := text.PrintOptions{Generic: generic}
			once := text.String(g, print)
			if again := text.String(Parse(t, once, opts), print); again != once {
				t.Errorf("verbatim %v, generic %v: printed\n%s\nread and printed\n%s", verbatim, generic, once, again)
			}
		}
		if !verbatim {
			continue
		}
		seen := map[*ir.OpDef]bool{}
		var walk func(g *ir.Graph)
		walk = func(g *ir.Graph) {
			for v := range ir.ScheduleOf(g).All() {
				seen[g.Def(v)] = true
				for _, k := range g.Children(v) {
					walk(k)
				}
			}
		}
		walk(g)
		for _, def := range g.Ctx.Dialect(dialect).Ops {
			if !seen[def] {
				t.Errorf("%s has no sample", def.Name)
			}
		}
	}
}
