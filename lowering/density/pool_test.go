package density

import (
	"context"
	"testing"

	"github.com/irc-lang/irc/dialects/bugs"
	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/run"
	"github.com/irc-lang/irc/ir/target"
)

// There are no more processes than cores, than their data have room, or than can be had.
func TestPoolMost(t *testing.T) {
	prog := parse(t, diag.NewSource("m.bug", "model { for (i in 1:1000) { y[i] ~ dnorm(a, 1) }  a ~ dnorm(0, 1) }"))
	data := input.NewData()
	data.Set("y", diag.Span{}, &input.Array{Dims: []int{1000}, Values: make([]float64, 1000)})
	m, list := bugs.Analyze(prog, data, bugs.Options{})
	if list.Err() != nil {
		t.Fatal(list)
	}
	for _, c := range []struct {
		cores  int
		memory int64
		more   bool
		want   int
	}{{4, 0, true, 4}, {1, 0, true, 1}, {4, 1 << 30, true, 4}, {4, 17000, true, 2}, {4, 10, true, 1}, {4, 0, false, 1}} {
		to := *target.Interp()
		to.Cores, to.Memory = c.cores, c.memory
		o := Options{Target: &to}
		if c.more {
			o.Replicate = func(context.Context, run.Program) (run.Program, error) { return nil, nil }
		}
		p, err := Compile(newContext(), m, o)
		if err != nil {
			t.Fatal(err)
		}
		q := p.Pool()
		if q.Most() != c.want {
			t.Errorf("%+v: at most %d processes, data of %d bytes", c, q.Most(), p.fixed())
		}
		q.Close()
		p.Close()
	}
}
