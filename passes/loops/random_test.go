package loops_test

import (
	"flag"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/passes/pass/fixpoint"
	"github.com/irc-lang/irc/tests/built"
)

var (
	loops    = flag.Int("loops", 600, "how many random loops the passes change, a tenth for each")
	loopSeed = flag.Uint64("loopseed", 0, "the first of them")
)

// Random loops compute what they did, whatever a pass makes of them; and it makes something of so many of a hundred.
func TestRandomLoops(t *testing.T) {
	for _, x := range []struct {
		pipelines []string
		changes   int // at least, of a hundred
	}{
		{[]string{"loop-interchange{order=1,0}", "loop-interchange", "loop-interchange{order=2,0,1}"}, 8},
		{[]string{"loop-tile{sizes=2,3}", "loop-tile{sizes=2,2 separate}", "loop-tile{sizes=1,4}", "loop-tile{sizes=0,2}", "loop-tile{sizes=2,3,2}", "loop-skew,loop-tile{sizes=2,2}", "loop-tile{sizes=2,2},loop-peel", "loop-tile"}, 8},
		{[]string{"strip-mine{size=2}", "strip-mine{size=3}"}, 50},
		{[]string{"loop-reverse"}, 50},
		{[]string{"loop-peel", "loop-peel{front=1}", "loop-peel{back=1}", "loop-peel{front=3}", "loop-peel{back=2}"}, 50},
		{[]string{"parallelize{rounds=1 work=1}"}, 30},
		{[]string{"vectorize{width=2}", "vectorize{width=3 outer}", "loop-interchange,vectorize{width=2 rest=loop}", "lower-affine,vectorize{width=4 outer rest=mask}", "vectorize{width=4 outer rest=mask}"}, 50},
		{[]string{"loop-skew", "loop-skew{factor=1}", "loop-skew{factor=1},loop-interchange{order=1,0}", "loop-skew{factor=-2}"}, 10},
		{[]string{"unroll-and-jam{factor=2}", "unroll-and-jam{factor=3}", "loop-tile{sizes=2,2},unroll-and-jam{factor=2}"}, 8},
		{[]string{"loop-fuse", "repeat(loop-fuse)"}, 8},
		{[]string{"loop-distribute", "repeat(loop-distribute)", "repeat(loop-distribute),loop-interchange{order=1,0}", "repeat(loop-distribute),repeat(loop-fuse)"}, 8},
		{[]string{"loop-collapse", "loop-collapse{depth=3}"}, 10},
	} {
		most := *loops / 10
		if testing.Short() {
			most /= 10
		}
		changed := built.EachLoops(t, most, *loopSeed, func(p *built.RandomNest) bool {
			q := x.pipelines[p.Seed%uint64(len(x.pipelines))]
			g := built.Through(t, p.Graph, q)
			if fixpoint.Fingerprint(g) == fixpoint.Fingerprint(p.Graph) {
				return false
			}
			p.Refined(t, g, q)
			return true
		})
		if t.Logf("%s: %d of %d are changed", x.pipelines[0], changed, most); changed < x.changes*most/100 {
			t.Errorf("%s: %d of %d are changed, want %d", x.pipelines[0], changed, most, x.changes*most/100)
		}
	}
}

// As native code, too.
func TestRandomLoopsNative(t *testing.T) {
	pipelines := []string{"loop-tile{sizes=2,3},loop-peel", "repeat(loop-fuse),unroll-and-jam{factor=3}", "repeat(loop-distribute),loop-interchange,loop-collapse", "loop-skew,loop-reverse,strip-mine{size=2}", "vectorize{width=2}"}
	e := built.Start(t, engine.LLVM)
	defer e.Close()
	built.EachLoops(t, 24, *loopSeed, func(p *built.RandomNest) bool {
		g := built.Through(t, p.Graph, pipelines[p.Seed%uint64(len(pipelines))])
		if got := p.On(t, e, g); !strings.Contains(p.Want, "trap") && got != p.Want {
			t.Fatalf("native code gives %s, want %s", got, p.Want)
		}
		return true
	})
}
