package backward_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/ir/stage/backward"
)

// An imp program is a list of commands, of the language of section 3.2.
type imp []command

// A command assigns (var >= 0), branches if an expression is positive, goes on, or halts.
type command struct {
	to   int // variable, or -1
	expr sum
	next []int // what may come after; none: halt
}

// A sum is a + b of variables, or a alone (b < 0), or a number (a < 0).
type sum struct{ a, b, n int }

const variables = 5

func (e sum) vars() (out []int) {
	for _, v := range []int{e.a, e.b} {
		if v >= 0 {
			out = append(out, v)
		}
	}
	return out
}

func random(r *rand.Rand) imp {
	n := 2 + r.IntN(14)
	p := make(imp, n)
	for l := range p {
		c := command{to: -1, expr: sum{r.IntN(variables), r.IntN(variables+1) - 1, r.IntN(5) - 2}}
		if r.IntN(5) == 0 {
			c.expr.a, c.expr.b = -1, -1
		}
		switch r.IntN(4) {
		case 0:
			c.next = []int{l + 1, r.IntN(n)}
		case 1:
			c.expr, c.next = sum{-1, -1, 0}, []int{r.IntN(n)}
		default:
			c.to, c.next = r.IntN(variables), []int{l + 1}
		}
		if l == n-1 {
			c = command{to: -1, expr: sum{-1, -1, 0}}
		}
		p[l] = c
	}
	return p
}

// each goes through all transitions that are reached, each label once: both arms of a branch, as staged programs are explored.
func (p imp) each(f func(l int, c command, next int)) {
	seen := map[int]bool{}
	for todo := []int{0}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[l] {
			continue
		}
		seen[l] = true
		if len(p[l].next) == 0 {
			f(l, p[l], -1)
		}
		for _, next := range p[l].next {
			f(l, p[l], next)
			todo = append(todo, next)
		}
	}
}

// run executes at most some commands: the labels that it comes by, and the state at each.
func (p imp) run(r *rand.Rand, most int) (labels []int) {
	var state [variables]int
	for i := range state {
		state[i] = r.IntN(7) - 3
	}
	for l := 0; len(labels) < most; {
		labels = append(labels, l)
		c := p[l]
		x := c.expr.n
		for _, v := range c.expr.vars() {
			x += state[v]
		}
		switch {
		case len(c.next) == 0:
			return labels
		case c.to >= 0:
			state[c.to] = x % 100
			l = c.next[0]
		case len(c.next) == 2 && x > 0:
			l = c.next[1]
		default:
			l = c.next[0]
		}
	}
	return labels
}

func live(p imp, eager bool) backward.Live[int, int] {
	f := backward.NewLive[int, int]()
	f.Eager = eager
	if err := f.Solve(func() error {
		p.each(func(l int, c command, next int) {
			f.Read(l, c.expr.vars()...)
			if next >= 0 {
				if c.to >= 0 {
					f.Step(l, next, c.to)
				} else {
					f.Step(l, next)
				}
			}
		})
		return nil
	}); err != nil {
		panic(err)
	}
	return f
}

func busy(p imp) backward.Busy[int, sum] {
	all := backward.Set[sum]{}
	p.each(func(_ int, c command, _ int) { all[c.expr] = true })
	f := backward.NewBusy[int](all)
	if err := f.Solve(func() error {
		p.each(func(l int, c command, next int) {
			if next < 0 {
				f.End(l)
				return
			}
			f.Step(l, next, backward.SetOf(c.expr), func(e sum) bool { return c.to >= 0 && slices.Contains(e.vars(), c.to) })
		})
		return nil
	}); err != nil {
		panic(err)
	}
	return f
}

// What is found is what the equations of dataflow say, solved backward to the fixpoint.
func TestAgainstDataflow(t *testing.T) {
	for seed := range uint64(3000) {
		p := random(rand.New(rand.NewPCG(seed, 1)))
		lives, busies := live(p, seed%2 == 0), busy(p)
		all := backward.Set[sum]{}
		reached := map[int]bool{}
		p.each(func(l int, c command, _ int) { all[c.expr], reached[l] = true, true })
		wantLive, wantBusy := make([]backward.Set[int], len(p)), make([]backward.Set[sum], len(p))
		for l := range p {
			wantBusy[l] = all
		}
		for changed := true; changed; {
			changed = false
			for l, c := range p {
				in := backward.SetOf(c.expr.vars()...)
				var every backward.Set[sum]
				for i, next := range c.next {
					in = in.Plus(wantLive[next].Minus(func(v int) bool { return v == c.to }))
					if every == nil && i == 0 {
						every = wantBusy[next]
					} else {
						every = every.Minus(func(e sum) bool { return !wantBusy[next][e] })
					}
				}
				if len(c.next) > 0 {
					every = every.Minus(func(e sum) bool { return c.to >= 0 && slices.Contains(e.vars(), c.to) }).Plus(backward.SetOf(c.expr))
				}
				if !maps.Equal(in, wantLive[l]) || len(every) != len(wantBusy[l]) {
					wantLive[l], wantBusy[l], changed = in, every, true
				}
			}
		}
		for l := range p {
			if !reached[l] {
				continue
			}
			if got := lives.At(l); !maps.Equal(got, wantLive[l]) {
				t.Fatalf("seed %d: %v is live at %d, want %v\n%v", seed, got, l, wantLive[l], p)
			}
			if got := busies.At(l); !maps.Equal(got, wantBusy[l]) {
				t.Fatalf("seed %d: %v is very busy at %d, want %v\n%v", seed, got, l, wantBusy[l], p)
			}
		}
	}
}

// Progress (Definition 3.2): no transition of an execution is stuck with what is predicted. Preservation (3.1): the rules of
// the extended semantics go where the standard ones go, which the test checks for each step it takes.
func TestProgress(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 2))
		p := random(r)
		f := live(p, false)
		for range 10 {
			labels := p.run(r, 60)
			for i, l := range labels {
				here := f.At(l)
				if need := backward.SetOf(p[l].expr.vars()...); !need.In(here) {
					t.Fatalf("seed %d: %v is read at %d, and %v is predicted: stuck", seed, need, l, here)
				}
				if i+1 == len(labels) {
					continue
				}
				next := labels[i+1]
				if !slices.Contains(p[l].next, next) {
					t.Fatalf("seed %d: from %d to %d, which no rule allows", seed, l, next)
				}
				may := here
				if p[l].to >= 0 {
					may = here.Plus(backward.SetOf(p[l].to))
				}
				if !f.At(next).In(may) {
					t.Fatalf("seed %d: %v is predicted at %d, after %v at %d: stuck", seed, f.At(next), next, here, l)
				}
			}
		}
	}
}

// The second arm of a diamond, whose constraint is met after its end has a prediction, gets it too.
func TestSecondArm(t *testing.T) {
	f := backward.NewLive[string, string]()
	if err := f.Solve(func() error {
		f.Step("top", "left")
		f.Step("left", "end")
		f.Read("end", "x")
		f.Step("top", "right")
		f.Step("right", "end")
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"top", "left", "right", "end"} {
		if !f.At(at)["x"] {
			t.Errorf("x is not live at %s", at)
		}
	}
	if f.Runs() != 1 {
		t.Errorf("%d runs: nothing was asked for", f.Runs())
	}
}

// A program that does one thing or another by what it is told runs again until it was told right. The paper starts again at
// each violation; going on to the end finds them all in one run.
func TestRuns(t *testing.T) {
	for _, c := range []struct {
		eager bool
		want  int
	}{{false, 2}, {true, 5}} {
		f := backward.New[string](backward.Some[int]{})
		f.Eager = c.eager
		var copied []int
		if err := f.Solve(func() error {
			copied = nil
			for e := range f.At("start") {
				copied = append(copied, e)
			}
			for i := range 4 {
				f.Require("start", backward.SetOf(i))
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if slices.Sort(copied); !slices.Equal(copied, []int{0, 1, 2, 3}) || f.Runs() != c.want {
			t.Errorf("eager %v: %v in %d runs, want 4 in %d", c.eager, copied, f.Runs(), c.want)
		}
	}
}

// growing is no lattice of finite height; lost joins to what is not above both.
type growing struct{}

func (growing) Bottom() int         { return 0 }
func (growing) Join(a, b int) int   { return max(a, b) }
func (growing) Below(a, b int) bool { return a <= b }

type lost struct{ growing }

func (lost) Join(a, b int) int { return 0 }

// Lattices that are none are told.
func TestBadLattices(t *testing.T) {
	f := backward.New[int](growing{})
	f.MaxRuns = 20
	err := f.Solve(func() error { f.Require(1, f.At(1)+1); return nil })
	if err == nil || !strings.Contains(err.Error(), "after 20 runs") {
		t.Errorf("%v", err)
	}
	g := backward.New[int](lost{})
	err = g.Solve(func() error { g.Require(1, 1); return nil })
	if err == nil || !strings.Contains(err.Error(), "the join of 0 and 1 is 0, which is not above both") {
		t.Errorf("%v", err)
	}
}

// An error of the program, and a panic, are its own.
func TestErrors(t *testing.T) {
	f, wrong := backward.New[int](growing{}), errors.New("wrong")
	if err := f.Solve(func() error { f.Require(1, f.At(1)+1); return wrong }); err != wrong || f.Runs() != 1 {
		t.Errorf("%v after %d runs", err, f.Runs())
	}
	defer func() {
		if r := recover(); r != wrong {
			t.Errorf("%v", r)
		}
	}()
	_ = f.Solve(func() error { panic(wrong) })
}
