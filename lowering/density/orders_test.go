package density

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/ir/diag"
)

// Programs in any order on the unconstrained scale: the compiled density is the
// reference's, whatever loops the order has, and whatever of the program is left out.
func TestUnconstrainedOrders(t *testing.T) {
	wanted := 40
	if testing.Short() {
		wanted = 8
	}
	ran := 0
	for seed := 0; ran < wanted; seed++ {
		if seed >= 20*wanted {
			t.Fatalf("%d of %d programs ran", ran, seed)
		}
		rng := rand.New(rand.NewPCG(uint64(seed), 8))
		program, data := bugstest.RandomProgram(rng)
		program += "\nseen ~ dnorm(0.1 * sum(x[1:n]) + 0.1 * x[2], 1)\n"
		prog := parse(t, diag.NewSource("m.bug", "model {\n"+program+"}"))
		table := parseData(t, diag.NewSource("d.json", strings.Replace(data, "{", `{"seen": 1.5, `, 1)))
		if m, list := bugs.Analyze(prog, table, bugs.Options{}); list.Err() != nil || len(m.Warnings) > 0 {
			continue // a cycle
		}
		ran++
		p := uncompiled(t, program, prog, table)
		checkVector(t, program+data, p, randomVector(rng, p), eval.NewState(p.Model), false)
		if t.Failed() {
			t.Fatalf("seed %d:\n%s", seed, strings.Join(order.Sequence(p.Model), "\n"))
		}
	}
}
