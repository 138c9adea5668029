package stage_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	engines "github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/tools/stage"
)

var endless func(s *S, k int, a Int) Int

func init() {
	endless = stage.Func("endless", func(s *S, k int, a Int) Int { return endless(s, k+1, a) })
}

func meanWrong(s *S, x stage.Slice[float64], n int) Float {
	sum := stage.Lit(s, 0.0)
	for i := range n {
		sum = sum.Add(x.At(i))
	}
	return sum.Div(n)
}

// What is no program is told, with the line and what to write instead.
func TestWrongFunctions(t *testing.T) {
	captured, kept, start := 0, (*Int)(nil), time.Now()
	sent, once := make(chan int, 1), sync.Once{}
	sent <- 7
	for _, p := range []struct {
		name       string
		fn         any
		what, says string
	}{
		{"a variable of the host under a condition", func(s *S, a Int) Int {
			k := 0
			if s.If(a.Gt(3)) {
				k = 1
			} else {
				k = 2
			}
			b := a.Add(1)
			return b.Mul(k)
		}, "depends on the path", "k is set in the host under a condition of the program, or in its loop: make it a Static, or a variable of the program"},
		{"a value of the host under a condition", func(s *S, a Int) Int {
			k := a
			if s.If(a.Gt(3)) {
				k = a.Mul(2)
			}
			b := a.Add(1)
			return b.Mul(k)
		}, "depends on the path", "k is set in the host"},
		{"a variable of the host that one way on does not show", func(s *S, a Int) Int {
			k, v := 0, stage.Var[int](s, "v", 0)
			if s.If(a.Gt(3)) {
				k = 1
			}
			if s.If(a.And(1).Eq(0)) {
				v.Set(100)
			} else {
				v.Set(k)
			}
			return v
		}, "depends on the path", "k is set in the host under a condition of the program, or in its loop: make it a Static, or a variable of the program"},
		{"a counter of the host in a loop of the program", func(s *S, a Int) Int {
			k, i := 0, stage.Var[int](s, "i", 0)
			for s.While(i.Lt(a)) {
				i.Set(i.Add(1))
				k++
			}
			return i.Mul(k)
		}, "depends on the path", "k is set in the host under a condition of the program, or in its loop: make it a Static, or a variable of the program"},
		{"a list of the host that grows in a loop of the program", func(s *S, a Int) Int {
			var list []Int
			i, v := stage.Var[int](s, "i", 0), stage.Var[int](s, "v", 0)
			for s.While(i.Lt(a)) {
				list = append(list, i.Get())
				i.Set(i.Add(1))
			}
			for k := range stage.Range(s, len(list)) {
				v.Set(v.Add(list[k]))
			}
			return v
		}, "depends on the path", "list is set in the host"},
		{"a clock", func(s *S, a Int) Int { return a.Add(int(time.Since(start))) }, "not deterministic", "time"},
		{"random numbers", func(s *S, a Int) Int { return a.Add(rand.Int()) }, "not deterministic", "random"},
		{"a channel that the function drains", func(s *S, a Int) Int {
			select {
			case k := <-sent:
				return a.Add(k)
			default:
				return a.Mul(2)
			}
		}, "not deterministic", ""},
		{"what is done once", func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", a)
			once.Do(func() { v.Set(v.Add(1)) })
			return v
		}, "not deterministic", ""},
		{"the end of the goroutine", func(s *S, a Int) Int {
			runtime.Goexit()
			return a
		}, "ends the goroutine", "return from it"},
		{"a loop of the host", func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			for range 3 {
				v.Set(v.Add(a))
			}
			return v
		}, "a loop of the host", "make what the host's loop counts a Static"},
		{"a loop of the host with a condition", func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			for range 3 {
				if s.If(a.Gt(v)) {
					v.Set(v.Add(a))
				}
			}
			return v.Add(7)
		}, "depends on the path", "Static"},
		{"a loop of the host with constants", func(s *S, x stage.Slice[float64]) Float { return meanWrong(s, x, 3) }, "a loop of the host", "make what the host's loop counts a Static"},
		{"a static that grows", func(s *S, a Int) Int {
			n := stage.NewStatic(s, "rounds", 0)
			i := stage.Var[int](s, "i", 0)
			for s.While(i.Lt(a)) {
				n.Set(n.Get() + 1)
				i.Set(i.Add(1))
			}
			return i
		}, "does not come to an end after", "rounds held"},
		{"a static that ends too early", func(s *S, a Int) Int {
			k := stage.NewStatic(s, "factor", 1)
			if s.If(a.Gt(3)) {
				k.Set(2)
			}
			k.Done()
			b := a.Add(1)
			return b.Mul(k.Get())
		}, "depends on the path", "factor held 2 different values where its life ended: call its Done later"},
		{"the order of a map", func(s *S, a Int) Int {
			v := stage.Var[int](s, "v", 0)
			m := map[int]int{}
			for k := range 40 {
				m[k] = k
			}
			for k := range m {
				for range stage.Range(s, k+1) {
					v.Set(v.Add(k))
				}
				if s.If(a.Gt(k)) {
					v.Set(v.Mul(2))
				}
			}
			return v
		}, "", ""},
		{"what is left from the run before", func(s *S, a Int) Int {
			captured++
			if s.If(a.Gt(captured)) {
				return a
			}
			return a.Mul(2)
		}, "not deterministic", "other runs"},
		{"another goroutine", func(s *S, a Int) Int {
			done := make(chan Int, 1)
			b := a.Add(1)
			go func() {
				defer close(done)
				done <- b.Mul(2)
			}()
			return <-done
		}, "another goroutine", "the goroutine that calls"},
		{"a panic", func(s *S, a Int) Int {
			panic("no such layer")
		}, "the function panics: no such layer", ""},
		{"nothing made it", func(s *S, a Int) Int {
			var v Int
			return a.Add(v)
		}, "a Dyn that nothing has made", ""},
		{"a value that is set", func(s *S, a Int) Int {
			a.Set(3)
			return a
		}, "this is a value, not a variable", "stage.Var"},
		{"a constant that is none", func(s *S, a Int) Int { return a.Add(1.5) }, "1.5 of type float64 is no int", "stage.To"},
		{"a constant that is too large", func(s *S, a Int) Int { return stage.To[int](stage.To[uint8](a).Add(300)) }, "300 of type int is no uint8", "stage.To"},
		{"another type", func(s *S, a Int) Int { return a.Add(stage.To[int32](a)) }, "is no int", "stage.To"},
		{"a recursion of the host", func(s *S, a Int) Int {
			var f func(x Int) Int
			f = func(x Int) Int {
				if s.If(x.Lt(1)) {
					return x
				}
				return f(x.Sub(1)).Add(1)
			}
			return f(a)
		}, "depends on the path", "Static"},
		{"a prophecy that is no lattice", func(s *S, a Int) Int {
			p := stage.NewProphecy(s, "wrong", never)
			p.Require(3)
			return a
		}, "the prophecy wrong is no lattice", "least that is above both"},
		{"a prophecy without a top", func(s *S, a Int) Int {
			p := stage.NewProphecy(s, "endless", greater)
			p.Require(p.Get() + 1)
			return a
		}, "the prophecy endless grew", "a top"},
		{"a Dyn of the function around", func(s *S, a Int) Int {
			return stage.Func("inner", func(s *S, b Int) Int { return b.Mul(2).Add(a) })(s, a)
		}, "of a function that has ended, or of an earlier run", "as a parameter"},
		{"a Static of the function around", func(s *S, a Int) Int {
			n := stage.NewStatic(s, "rounds", 3)
			return stage.Func("inner", func(s *S, b Int) Int { return b.Mul(n.Get()) })(s, a)
		}, "the Static rounds of a function that has ended", "as a parameter"},
		{"a Prophecy of the function around", func(s *S, a Int) Int {
			p := stage.NewProphecy(s, "p", stage.Either)
			return stage.Func("inner", func(s *S, b Int) Int {
				p.Require(true)
				return b.Mul(2)
			})(s, a)
		}, "a Prophecy of a function that has ended", "as a parameter"},
		{"a Dyn kept from the run before", func(s *S, a Int) Int {
			b := a.Add(1)
			if kept == nil {
				kept = &b
			}
			return kept.Mul(2)
		}, "of an earlier run of this one", "nothing of the program is kept between runs"},
		{"a Dyn of a direct run", func(s *S, a Int) Int { return a.Add(stage.DirectOf(stage.Direct(), 3)) }, "of another program, or of a direct run", "the *S that it is given"},
		{"the condition of a direct run", func(s *S, a Int) Int {
			if s.If(stage.DirectOf(stage.Direct(), true)) {
				return a.Add(1)
			}
			return a.Add(2)
		}, "of another program, or of a direct run", "the *S that it is given"},
		{"nothing made the result", func(s *S, a Int) (b Int) {
			a.Add(1)
			return b
		}, "a result of a Dyn that nothing has made", "stage.Var"},
		{"nothing made an argument", func(s *S, a Int) (b Int) { return fib(s, b) }, "an argument of a Dyn that nothing has made", "stage.Var"},
		{"nothing made the Slice", func(s *S, a Int) Int {
			var x Memory
			return x.At(a)
		}, "At of a Slice that nothing has made", "stage.Make"},
		{"bits of a float", func(s *S, a Int) Int { return stage.To[int](stage.To[float64](a).And(1)) }, "a float64 has no bits", "stage.To"},
		{"a shift of a float", func(s *S, a Int) Int { return stage.To[int](stage.To[float32](a).Shl(1)) }, "a float32 is not shifted", "power of 2"},
		{"a sum of bools", func(s *S, a Int) Int { return stage.To[int](a.Gt(3).Add(a.Gt(4))) }, "a bool is no number", "Xor"},
		{"the order of bools", func(s *S, a Int) Int { return stage.To[int](a.Gt(3).Lt(a.Gt(4))) }, "a bool is no number", "stage.Select"},
		{"a number as a bool", func(s *S, a Int) Int { return stage.Select[int](stage.To[bool](a), a, 3) }, "a int64 is no bool", "x.Ne(0)"},
		{"a division by the constant zero", func(s *S, a Int) Int { return a.Rem(0) }, "divided by the constant 0", "s.If"},
		{"a shift by less than nothing", func(s *S, a Int) Int { return a.Shl(-1) }, "the count of a shift is -1", "the other way"},
		{"a place before the first", func(s *S, a Int) Int { return stage.Make[int](s, 3).At(-1) }, "-1 is no place", "count from 0"},
		{"elements to be made, fewer than none", func(s *S, a Int) Int { return stage.Make[int](s, -3).Len() }, "-3 is no number of elements", "0 or more"},
		{"a case that is there twice", func(s *S, a Int) Int { return a.Add(stage.Switch(s, a, 3, 4, 3)) }, "3 is there twice", "leave one"},
		{"a Static that has ended", func(s *S, a Int) Int {
			n := stage.NewStatic(s, "rounds", 3)
			n.Done()
			n.Set(4)
			return a.Add(n.Get())
		}, "the Static rounds has ended its life", "call Done where"},
		{"an argument that cannot be compared", func(s *S, a Int) Int {
			return stage.Func("inner", func(s *S, list []int, b Int) Int { return b.Add(len(list)) })(s, []int{1}, a)
		}, "argument 1 is []int, which cannot be compared", "a number, a string"},
		{"two functions of one name", func(s *S, a Int) Int {
			one := stage.Func("inner", func(s *S, b Int) Int { return b.Add(1) })
			two := stage.Func("inner", func(s *S, b Int) Int { return b.Add(2) })
			return one(s, two(s, a))
		}, "two functions are named inner", "another name"},
		{"functions of one name that capture different things", func(s *S, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			for k := range 3 {
				f.Set(k)
				a = stage.Func("inner", func(s *S, b Int) Int { return b.Mul(k) })(s, a)
			}
			return a
		}, "two functions are named inner, which capture different things", "as a parameter"},
		{"functions of one name, on one path each", func(s *S, a Int) Int {
			k := 0
			if s.If(a.Gt(3)) {
				k = 1
			}
			return stage.Func("inner", func(s *S, b Int) Int { return b.Mul(k) })(s, a)
		}, "two functions are named inner, which capture different things", "as a parameter"},
		{"a recursion on what the host knows without end", func(s *S, a Int) Int { return endless(s, 1, a) }, "one for each thing that endless was given", "bound"},
		{"a recursion of the host without end", func(s *S, a Int) Int {
			var f func(x Int) Int
			f = func(x Int) Int { return f(x.Add(1)) }
			return f(a)
		}, "a recursion does not end", "as a function of the program"},
		{"values of rounds that meet", func(s *S, a Int) Int {
			f := stage.NewStatic(s, "f", 0)
			sum, i := stage.Var[int](s, "sum", 0), stage.Var[int](s, "i", 0)
			for s.While(i.Lt(4)) {
				if s.If(i.Gt(a)) {
					f.Set(1 - f.Get())
				}
				old := f.Get()
				z := sum.Add(old)
				f.Set(0)
				sum.Set(z.Mul(2))
				i.Set(i.Add(1))
				f.Set(old)
			}
			return sum
		}, "depends on the path", "a variable of the program"},
		{"a library forbids it", func(s *S, a Int) Int {
			s.Fail("write less", "%d is too much", 3)
			return a
		}, "3 is too much", "write less"},
	} {
		t.Run(p.name, func(t *testing.T) {
			var err error
			for range 20 {
				if _, _, err = stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", p.fn, engines.Options{Nodes: 20_000, Runs: 5000}); err != nil {
					break
				}
			}
			if err == nil {
				t.Fatal("nothing is said")
			}
			e, ok := err.(*stage.Error)
			if !ok {
				t.Fatalf("%T %v", err, err)
			}
			if !strings.Contains(e.What, p.what) || !strings.Contains(e.Fix, p.says) {
				t.Errorf("%v\nwant %s, %s", err, p.what, p.says)
			}
			if !strings.Contains(e.File, "wrong_test.go:") {
				t.Errorf("at %q: %v", e.File, err)
			}
		})
	}
}

// A static that grows is noticed when there are more conditions than there may be executions.
func TestGrowth(t *testing.T) {
	type list struct{ next *list }
	_, stats, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", func(s *S, a Int) Int {
		n := stage.NewStatic(s, "rounds", (*list)(nil))
		i := stage.Var[int](s, "i", 0)
		for s.While(i.Lt(a)) {
			n.Set(&list{n.Get()})
			i.Set(i.Add(1))
		}
		return i
	}, engines.Options{Runs: 10_000})
	if err == nil || !strings.Contains(err.Error(), "rounds held") || stats.Steps > 100_000 {
		t.Errorf("%v, %+v", err, stats)
	}
	if !strings.HasPrefix(err.Error(), "wrong_test.go:") {
		t.Errorf("the file is not named from here: %v", err)
	}
}

// Functions that are no programs at all are refused before they run.
func TestNoPrograms(t *testing.T) {
	for says, fn := range map[string]any{
		"is no function that begins with a *stage.S":  3,
		"there is no function: it is nil":             (func(*S))(nil),
		"func() is no function that begins":           func() {},
		"parameter 1 of @f is int: a program takes":   func(s *S, n int) {},
		"result 1 is int: a program returns Dyn":      func(s *S) int { return 0 },
		"a program fills a Slice that it is given":    func(s *S, x Memory) Memory { return x },
		"(*stage.S, ...int) is no function that begi": func(s *S, x ...int) {},
	} {
		if _, _, err := stage.Module(t.Context(), ir.NewContext(dialects.All...), "f", fn); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
	for says, compile := range map[string]func() error{
		"is not what": func() error {
			_, err := stage.Compile[func(int) int](t.Context(), "f", func(s *S, a, b Int) Int { return a })
			return err
		},
		"parameter 1 is string": func() error {
			_, err := stage.Compile[func(string) int](t.Context(), "f", func(s *S, a Int) Int { return a })
			return err
		},
		"result 1 is float64": func() error {
			_, err := stage.Compile[func(int) float64](t.Context(), "f", func(s *S, a Int) Int { return a })
			return err
		},
	} {
		if err := compile(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want %s", err, says)
		}
	}
}
