package poly_test

import (
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/passes/pass"
	"github.com/irc-lang/irc/tests/built"
)

// systemOf is the system of a program of equations.
func systemOf(t *testing.T, program string) *poly.System {
	t.Helper()
	g, list := equations.Read(built.Context(), diag.NewSource("costs.eq", program))
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return only(t, g)
}

func only(t *testing.T, g *ir.Graph) *poly.System {
	t.Helper()
	var found []*poly.System
	pass.Isolated(g, func(_ ir.Node, body *ir.Graph) error { found = append(found, poly.Systems(body)...); return nil })
	if len(found) != 1 {
		t.Fatalf("%d systems", len(found))
	}
	return found[0]
}

// The instances of all statements add up. The context orders parameters, makes one of them a
// constant, and has no instance where it does not hold; factors stand in the order of the head.
func TestCosts(t *testing.T) {
	const body = `{
  input  w[N] : f64;
  output X[N, K], Y[N] : f64;
  S: X[i,k] = w[i]   : { [i,k] : 0 <= i < N and 0 <= k < K };
  T: Y[i]  += w[j]   : { [i,j] : 0 <= j <= i < N };
}`
	for _, c := range []struct{ head, want string }{
		{"(N, K) : N >= 1 and K >= 1", "S N*K, T N^2, N^2 + N*K: 4 of 2*2 + 3 are 7"},
		{"(K, N) : N >= 1 and K >= 1", "S K*N, T N^2, K*N + N^2: 4 of 2*2 + 3 are 7"},
		{"(N, K) : 1 <= K <= N", "S N*K, T N^2, N^2: 4 of 2*2 + 3 are 7"},
		{"(N, K) : N >= 1 and K = 2", "S N, T N^2, N^2: 4 of 2*2 + 3 are 7"},
		{"(N, K) : N = 2 and 1 <= K <= 5", "S 1, T 1, 1: 4 of 2*2 + 3 are 7"},
	} {
		costs, err := systemOf(t, "program p"+c.head+" "+body).Costs()
		if err != nil {
			t.Errorf("%s: %v", c.head, err)
			continue
		}
		var b strings.Builder
		for _, s := range costs.Statements {
			b.WriteString(s.Statement.Name + " " + s.Growth.String() + ", ")
		}
		at := map[string]presburger.Int{"N": presburger.NewInt(2), "K": presburger.NewInt(2)}
		one, _ := costs.Statements[0].Count.At(at)
		all, err := costs.At(at)
		b.WriteString(costs.Total.String() + ": " + one.String() + " of 2*2 + 3 are " + all.String())
		if got := b.String(); got != c.want || err != nil {
			t.Errorf("%s: %s, want %s %v", c.head, got, c.want, err)
		}
	}
}

// The context of a system is not in its domains.
func TestCostsInContext(t *testing.T) {
	g := built.Parse(t, `func.func @f(%n: index, %b: memref<?xf64>) {
  %x = arith.constant 1.0 : f64
  poly.system (%n = "N") context "[N] -> { : 1 <= N <= 3 }" {
    %B = poly.bind %b as output "B" : memref<?xf64>
    poly.statement "S" over "[N] -> { S[i] : 0 <= i < N }" set %B at "{ S[i] -> B[i] }" do (%i: index) {
      poly.yield %x : f64
    }
  }
  return
}`, text.Options{})
	costs, err := only(t, g).Costs()
	if err != nil || costs.Total.String() != "1" {
		t.Errorf("%s, want 1 %v", costs.Total, err)
	}
}

// What takes too much work to count is told, and where.
func TestCostsBudget(t *testing.T) {
	sys := *systemOf(t, `program p(N) : N >= 1 { output Y[N] : f64; Y[i] += 1.0 : { [i,j] : 0 <= j <= i < N }; }`)
	sys.Budget = 2
	if _, err := sys.Costs(); err == nil || !strings.Contains(err.Error(), "the statement S_Y take more work than is allowed") {
		t.Errorf("%v", err)
	}
}
