package models

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/tools/irc/internal/cli"
)

func compile(t *testing.T, name, program, data string) *bound {
	t.Helper()
	m, err := Frontend{}.Compile(ir.NewContext(dialects.All...), cli.ModelRequest{
		Source: diag.NewSource(name+".bug", program), Data: []*diag.Source{diag.NewSource("data.json", data)}})
	if err != nil {
		t.Fatal(err)
	}
	return m.(*bound)
}

// A random walk with a forecast: each kind of role, and distances within its loop.
const walk = `model {
  for (t in 2:T) {
    x[t] ~ dnorm(x[t - 1], tau)
    y[t] ~ dnorm(x[t] * scale, 1)
  }
  x[1] ~ dnorm(0, 1)
  scale <- sd * sd
  for (t in 1:3) { new[t] ~ dnorm(x[T], tau) }
  tau ~ dgamma(1, 1)
  sigma <- 1 / sqrt(tau)
}`

func TestReport(t *testing.T) {
	m := compile(t, "walk", walk, `{"T": 5, "sd": 2, "y": [null, 1, 2, null, 3]}`)
	r := m.Report()
	// Parameters are counted by their role wherever they are: y[4] and new are not.
	if f := m.Facts(); f.Parameters != 6 || f.Generated != 4 || f.Observed != 3 || r.Parameters != 6 || r.Observed != 3 {
		t.Errorf("%+v; a report of %d parameters and %d observations", f, r.Parameters, r.Observed)
	}
	var each []string
	for _, x := range r.Roles {
		for _, v := range x.Variables {
			each = append(each, fmt.Sprint(x.Role, ": ", v.Name, v.Dims, " ", v.Elements, "/", v.Of))
		}
	}
	want := `constant: T[] 1/1
constant: sd[] 1/1
transformed data: scale[] 1/1
observation: y[5] 3/5
parameter: x[5] 5/5
parameter: tau[] 1/1
generated quantity: y[5] 1/5
generated quantity: new[3] 3/3
generated quantity: sigma[] 1/1`
	for _, w := range strings.Split(want, "\n") {
		if !strings.Contains(strings.Join(each, "\n")+"\n", w+"\n") {
			t.Errorf("no %q in %v", w, each)
		}
	}
	if len(r.Loops) != 2 || r.Loops[0].Loop != "t in 2:T" || r.Loops[0].Carries != "iterations need earlier ones" || r.Loops[1].Carries != "iterations do not need each other" {
		t.Errorf("loops %+v", r.Loops)
	}
	got := ""
	for _, d := range r.Loops[0].Dependences {
		got += fmt.Sprintf("%s<-%s %s %v; ", d.Reader, d.Writer, d.Distance, d.Vectors)
	}
	if got != "x<-x positive [(+)]; y<-x zero [(0)]; " {
		t.Error(got)
	}
	if len(r.Statements) != 7 || r.Statements[1].Line != 4 || !r.Statements[1].Mixed || r.Statements[1].Runs != 4 {
		t.Errorf("statements %+v", r.Statements)
	}
	if len(r.Decisions) == 0 || len(r.Unrelated) < 4 || len(r.Order) < 9 {
		t.Errorf("%d decisions, %d dependences without a loop, order %v", len(r.Decisions), len(r.Unrelated), r.Order)
	}
}
