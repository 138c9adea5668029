package ir

import (
	"flag"
	"testing"
)

var (
	settlePrograms = flag.Int("settle-programs", 800, "how many random programs TestAsBuilt checks")
	settleSeed     = flag.Uint64("settle-seed", 0, "the first seed of these")
)

// Where asBuilt says so, rebuilding changes nothing: of random programs as
// written, and of what rebuilding makes of them.
func TestAsBuilt(t *testing.T) {
	if testing.Short() {
		*settlePrograms = min(*settlePrograms, 100)
	}
	checked, held, rounds := 0, 0, 0
	for seed := *settleSeed; seed < *settleSeed+uint64(*settlePrograms); seed++ {
		g := randomProgram(seed, 5+int(seed%80), 5)
		for round := 0; ; round++ {
			s := NewSchedule(g, ScheduleOptions{})
			m := &Mirror{s: s, g: g}
			n := m.rebuild(g.Ctx)
			same := NewSchedule(n, ScheduleOptions{}).Fingerprint() == s.Fingerprint()
			checked++
			if asBuilt(s) {
				held++
				if !same {
					t.Errorf("seed %d round %d: rebuilding changes what is settled as built:\n%s\nbecomes\n%s", seed, round, show(g, ScheduleOptions{}), show(n, ScheduleOptions{}))
				}
			}
			if same || round == 8 {
				break
			}
			g = n
			rounds++
		}
	}
	t.Logf("%d of %d graphs are settled as built; %d rebuilds changed something", held, checked, rounds)
	if held*20 < checked { // they are full of memory, dead reads and tokens
		t.Errorf("only %d of %d graphs are settled as built", held, checked)
	}
}

// What Settle gives does not change when it is rebuilt, also where one rebuild is
// not enough.
func TestSettleGoesOn(t *testing.T) {
	again := func(g *Graph) (n *Graph, same bool) {
		s := NewSchedule(g, ScheduleOptions{})
		n = (&Mirror{s: s, g: g}).rebuild(g.Ctx)
		return n, NewSchedule(n, ScheduleOptions{}).Fingerprint() == s.Fingerprint()
	}
	twice := 0
	for seed := range uint64(300) {
		g := randomProgram(seed, 5+int(seed%80), 5)
		if n, same := again(g); !same {
			if _, same := again(n); !same {
				twice++
			}
		}
		if _, same := again(Settle(g)); !same {
			t.Errorf("seed %d: rebuilding changes what is settled", seed)
		}
	}
	if twice < 10 {
		t.Errorf("only %d programs change in two rebuilds", twice)
	}
}
