package loops_test

import (
	"testing"

	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// Random loops compute what they did, whatever a pass makes of them; and it makes something of so many of a hundred.
func TestRandomLoops(t *testing.T) {
	for _, x := range []struct {
		pipelines []string
		most      int // programs
		changes   int // at least, of a hundred
	}{
		{[]string{"loop-interchange{order=1,0}", "loop-interchange", "loop-interchange{order=2,0,1}"}, 100, 8},
	} {
		most := x.most
		if testing.Short() {
			most /= 10
		}
		changed := built.EachLoops(t, most, 0, func(p *built.RandomNest) bool {
			q := x.pipelines[p.Seed%uint64(len(x.pipelines))]
			g := built.Through(t, p.Graph, q)
			if pass.Fingerprint(g) == pass.Fingerprint(p.Graph) {
				return false
			}
			p.Same(t, g, q)
			return true
		})
		if t.Logf("%s: %d of %d are changed", x.pipelines[0], changed, most); changed < x.changes*most/100 {
			t.Errorf("%s: %d of %d are changed, want %d", x.pipelines[0], changed, most, x.changes*most/100)
		}
	}
}
