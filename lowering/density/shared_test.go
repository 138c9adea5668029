package density

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/ir/text"
)

// Many statements of a law with a long formula, written out, call one function, and mean what each of them
// means: for small and large shapes, vectors and matrices, and of data and parameters.
func TestSharedDensities(t *testing.T) {
	var b strings.Builder
	b.WriteString("model {\nS[1:2, 1:2] ~ dwish(R[,], 3)\nb ~ dexp(1)\n")
	const n = 70
	for k := 1; k <= n; k++ {
		fmt.Fprintf(&b, "a%d ~ dexp(b)\nz[%d] ~ dgamma(a%d, b)\nT%d[1:2, 1:2] ~ dwish(R[,], 4)\n", k, k, k, k)
		fmt.Fprintf(&b, "p[%d] ~ dbeta(a%d, b)\nt[%d] ~ dt(b, a%d, a%d + b)\nc[%d] ~ dnegbin(0.5, a%d)\n", k, k, k, k, k, k, k)
		fmt.Fprintf(&b, "y[%d, 1:2] ~ dmnorm(mu[], S[,])\nw[%d:%d] ~ dmnorm(mu[], T%d[,])\n", k, 2*k-1, 2*k, k)
	}
	b.WriteString("}")
	rows := make([][]float64, n)
	for k := range rows {
		rows[k] = []float64{float64(k) / 9, -float64(k) / 7}
	}
	columns := [3][]float64{}
	for k := range n {
		columns[0], columns[1], columns[2] = append(columns[0], float64(k+1)/99), append(columns[1], float64(k)/9-3), append(columns[2], float64(k%7))
	}
	data := strings.ReplaceAll(fmt.Sprintf(`{"R":[[2,0.5],[0.5,1]],"mu":[0,1],"y":%v,"p":%v,"t":%v,"c":%v}`, rows, columns[0], columns[1], columns[2]), " ", ",")
	p := compile(t, parse(t, diag.NewSource("many.bug", b.String())), parseData(t, diag.NewSource("data.json", data)))
	to := *target.Interp()
	to.Once = true
	once, err := Compile(p.Source.Ctx, p.Model, Options{Target: &to, Source: p.Source})
	if err != nil {
		t.Fatal(err)
	}
	if s := text.String(once.Lowered, text.PrintOptions{}); strings.Contains(s, "@logdensity_careful") || strings.Count(s, "call @logdensity_dgamma") != n {
		t.Error("what runs once has plain formulas too")
	}
	s := text.String(p.Lowered, text.PrintOptions{})
	for name, want := range map[string]int{"func.func private @logdensity_dmnorm": 2, "func.func private @logdensity_dwish": 1, "func.func private @logdensity_careful_dgamma": 1, "call @logdensity_careful_dgamma": n,
		"call @logdensity_dbeta": n, "call @logdensity_careful_dbeta": n, "call @logdensity_dt": n, "call @logdensity_dnegbin": n} {
		if got := strings.Count(s, name); got != want {
			t.Errorf("%s stands %d times, want %d", name, got, want)
		}
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 20 {
		st := eval.NewState(p.Model)
		for _, v := range p.Model.Vars {
			for k := range st[v.ID] {
				switch {
				case v.ClassAt(k) != model.Parameter:
				case len(v.Dims) == 2:
					st[v.ID][k] = []float64{2, 0.3, 0.3, 1}[k] * (1 + float64(i%3))
				case i%2 == 1 && rng.IntN(9) == 0:
					st[v.ID][k] = 2e4 * (1 + rng.Float64())
				default:
					st[v.ID][k] = 3 * rng.Float64()
				}
			}
		}
		if i == 19 {
			st[p.Model.Lookup("a7").ID][0] = -1
		}
		agree(t, p, st, fmt.Sprint("point ", i))
		agree(t, once, st, fmt.Sprint("once, point ", i))
	}
}
