package stage_test

import (
	"context"
	"fmt"
	"log"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage"
)

// The exponent is the host's, and gone when the program runs: it multiplies four times.
func Example() {
	power := func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] {
		r := stage.Lit(s, 1.0)
		for n := stage.NewStatic(s, "n", 10); n.Get() > 0; n.Set(n.Get() / 2) {
			if n.Get()%2 == 1 {
				r = r.Mul(x)
			}
			x = x.Mul(x)
		}
		return r
	}
	p, err := stage.Compile[func(float64) float64](context.Background(), "power", power)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	fmt.Println(p.Call(2))
	// Output:
	// 1024
}

// A branch that is known when the program runs is asked with s.If: both ways become code.
func ExampleS_If() {
	abs := func(s *stage.S, x stage.Dyn[int]) stage.Dyn[int] {
		if s.If(x.Lt(0)) {
			return x.Neg()
		}
		return x
	}
	p, err := stage.Compile[func(int) int](context.Background(), "abs", abs)
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	fmt.Println(p.Call(-3), p.Call(4))
	// Output:
	// 3 4
}

// A function that gives one float has a gradient, which gives the derivative behind it.
func ExampleGrad() {
	power := func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] { return x.Mul(x).Mul(x) }
	g, err := stage.Grad[func(x float64) (y, dx float64)](context.Background(), engine.Auto, "power", power)
	if err != nil {
		log.Fatal(err)
	}
	defer g.Close()
	fmt.Println(g.Call(2))
	// Output:
	// 8 12
}
