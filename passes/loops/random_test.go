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
		{[]string{"loop-tile{sizes=2,3}", "loop-tile{sizes=2,2 separate}", "loop-tile{sizes=1,4}", "loop-tile{sizes=0,2}", "loop-tile{sizes=2,3,2}"}, 100, 8},
		{[]string{"strip-mine{size=2}", "strip-mine{size=3}"}, 100, 50},
		{[]string{"loop-reverse"}, 100, 50},
		{[]string{"loop-peel", "loop-peel{front=1}", "loop-peel{back=1}", "loop-peel{front=3}", "loop-peel{back=2}"}, 100, 50},
		{[]string{"loop-skew", "loop-skew{factor=1}", "loop-skew{factor=-2}"}, 100, 10},
		{[]string{"loop-collapse", "loop-collapse{depth=3}"}, 100, 10},
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
