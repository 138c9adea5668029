package order_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs/bugstest"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/order"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
)

func TestOrder(t *testing.T) {
	for _, c := range bugstest.Orders {
		m, list := bugstest.Analyze(t, c.Model, c.Data, syntax.BUGS)
		if list.Err() != nil {
			t.Errorf("%s: %v", c.Name, list)
			continue
		}
		if got := "\n" + strings.Join(order.Sequence(m), "\n"); got != c.Want {
			t.Errorf("%s: got%s\nwant%s", c.Name, got, c.Want)
		}
	}
}

// Only elements that depend on themselves have no order.
func TestNoOrder(t *testing.T) {
	for _, c := range []struct{ name, model, data, want string }{
		{"the paper's text of data-dependent indices", `
		  z[2] <- exp(x[1])
		  y[2] <- exp(x[3])
		  for (i in 1:3) { x[i] <- y[a[i]] + z[b[i]] }
		  y[3] ~ dnorm(0, 1) y[1] ~ dnorm(0, 1) z[3] ~ dnorm(0, 1) z[1] ~ dnorm(0, 1)`,
			`{"a": [2, 3, 1], "b": [3, 1, 2]}`, "z[2] <- x[1] <- y[2] <- x[3] <- z[2]"},
		// The paper's loop to explain iteration spaces is no BUGS program.
		{"iteration space", "for (i in 1:2) { for (j in 1:3) { x[i] ~ dnorm(0, j)  y[i] ~ dnorm(x[2], i) } }", "", "x[1] is defined in each iteration of the loop over j"},
		{"cycle of one", "x <- x + 1\n y ~ dnorm(x, 1)", "", "x depends on itself: x <- x"},
		{"cycle", "x <- y + 1\n y <- z\n z <- 2 * x", "", "x <- y <- z <- x"},
		{"cycle in a loop", "for (i in 1:3) { x[i] <- y[i]  y[i] <- x[i] + 1 }", "", "x[1] <- y[1] <- x[1]"},
	} {
		_, list := bugstest.Analyze(t, c.model, c.data, syntax.BUGS)
		if list.Err() == nil || !strings.Contains(list.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, list, c.want)
		}
	}
}

// Where an order of instances would take too long, the program is refused.
func TestTooManyReads(t *testing.T) {
	defer func(n int) { order.MaxEdges = n }(order.MaxEdges)
	order.MaxEdges = 100
	program := "for (i in 1:20) { x[i] <- sum(y[p[i]:20]) }  for (i in 1:20) { y[i] <- x[21 - i] * 0 }  y[21] ~ dnorm(0, 1)"
	data := `{"p": [20`
	for i := 19; i > 0; i-- {
		data += fmt.Sprintf(", %d", i)
	}
	_, list := bugstest.Analyze(t, program, data+"]}", syntax.BUGS)
	if list.Err() == nil || !strings.Contains(list.Error(), "read more than 100 elements") {
		t.Error(list)
	}
}

func TestStochasticCycle(t *testing.T) {
	program := "x ~ dnorm(y, 1)\n y ~ dnorm(x, 1)"
	m, list := bugstest.Analyze(t, program, "", syntax.BUGS)
	if list.Err() != nil || !strings.Contains(list.Error(), "not a joint density") {
		t.Fatal(list)
	}
	st := eval.NewState(m)
	st[0][0], st[1][0] = 1, 3
	lp := 0.0
	if err := eval.Visit(m, st, func(f eval.Factor) { lp += f.Logp }); err != nil || lp != -math.Log(2*math.Pi)-4 {
		t.Error(lp, err)
	}
	if _, list := bugstest.Analyze(t, program, "", syntax.JAGS); list.Err() == nil || !strings.Contains(list.Error(), "directed cycle") {
		t.Error(list)
	}
}
