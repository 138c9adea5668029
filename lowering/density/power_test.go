package density

import (
	"fmt"
	"testing"

	"github.com/irc-lang/irc/ir/diag"
)

// A power whose exponent varies in a loop is right for bases of any sign, also where a
// comparison asks for it.
func TestPowersOfAnyBase(t *testing.T) {
	const text = "model {\nmu ~ dnorm(0, 1)\nfor (i in 1:5) {\nm[i] <- step(pow(mu, t[i]) - 0.1)\nd[i] <- pow(mu, t[i]) * pow(2, t[i])\ny[i] ~ dnorm(m[i] + 0.01 * d[i], 1)\n}\n}"
	p := compile(t, parse(t, diag.NewSource("m.bug", text)), parseData(t, diag.NewSource("d.json", `{"t": [2, 4, 3, 0, 0.5], "y": [1, 2, 3, 4, 5]}`)))
	for _, mu := range []float64{-2, -1, 0, 1, 0.5, 2, 1e300} {
		st, _, list := p.Point(parseData(t, diag.NewSource("x.json", fmt.Sprintf(`{"mu": %v}`, mu))), false)
		if len(list) > 0 {
			t.Fatal(list)
		}
		agree(t, p, st, fmt.Sprint("mu = ", mu))
	}
}
