// Package a does what staged functions must not do, and beside it what they do instead.
package a

import (
	"fmt"
	"math/rand"
	"sync"
	"time"

	"github.com/irc-lang/irc/tools/stage"
)

func alias(s *stage.S, x stage.Dyn[int]) stage.Dyn[int] {
	y := stage.Var[int](s, "y", x)
	z := y    // want `z is the same variable as y, and changes with it: write stage.Var\(s, "z", y\)`
	var w = y // want `w is the same variable as y`
	now := y.Get()
	y.Set(y.Add(z).Add(w))
	same := x
	return now.Add(same)
}

func host(s *stage.S, x stage.Dyn[int]) stage.Dyn[int] {
	n, m, inside := 0, 0, stage.Lit(s, 0)
	_ = m
	r := stage.Lit(s, 1)
	k := stage.NewStatic(s, "k", 0)
	var seen []int
	if s.If(x.Lt(3)) {
		n = 1 // want `n is set in the host under a condition of the program, and read after: make it a stage.Var`
		m = 2
		r = r.Add(x) // want `r is set in the host under a condition of the program: declare it with stage.Var`
		k.Set(1)
		local := 3
		local++
		inside = inside.Add(local)
	} else {
		seen = append(seen, 1) // want `append to seen under a condition of the program`
	}
	for s.While(x.Lt(9)) {
		n++ // want `n is set in the host`
	}
	return r.Add(n).Add(len(seen))
}

func counters(s *stage.S, x stage.Dyn[int], list []int) stage.Dyn[int] {
	r := stage.Var[int](s, "r", 0)
	for i := 0; i < 4; i++ { // want `i counts in the host around what the program decides, and is no static`
		if s.If(x.Lt(i)) {
			r.Set(r.Add(i))
		}
	}
	for _, v := range list { // want `v counts in the host around what the program decides`
		if s.If(x.Lt(v)) {
			r.Set(1)
		}
	}
	for i := range stage.Range(s, 4) {
		if s.If(x.Lt(i)) {
			r.Set(r.Add(i))
		}
	}
	for i := 0; i < 4; i++ { // want `each round of this loop of the host stages at the same place`
		r.Set(r.Add(i))
	}
	for range list { // want `each round of this loop of the host stages at the same place`
		r.Set(r.Add(x))
	}
	for _, v := range list {
		if v > 3 {
			r.Set(r.Add(v))
			break
		}
	}
	n := 0
	stage.Watch(s, "n", &n)
	for n = 0; n < 4; n++ {
		if s.If(x.Lt(n)) {
			n++
		}
	}
	next := 0
	if s.If(x.Lt(3)) {
		next = 1
	}
	k := stage.NewStatic(s, "k", 0)
	k.Set(next)
	for i, v := range list {
		k.Set(i)
		if s.If(x.Lt(v)) {
			r.Set(i)
		}
	}
	return r
}

func conditions(s *stage.S, x, y stage.Dyn[int]) {
	if x == y { // want `== of a Dyn compares which value it is, not what it holds: write x.Eq\(y\)`
		return
	}
	if x != y { // want `!= of a Dyn .* write x.Ne\(y\)`
		return
	}
	switch x { // want `a switch of a Dyn`
	case y:
	}
	_ = map[stage.Dyn[int]]int{} // want `a map by Dyn`
	if s.If(x.Eq(y)) && !s.If(x.Lt(y)) {
		return
	}
}

func world(s *stage.S, x stage.Dyn[int], m map[string]int, c chan int) {
	for k := range m { // want `the order of a map differs from run to run`
		_ = k
	}
	go alias(s, x)      // want `a goroutine runs apart`
	_ = time.Now()      // want `time.Now happens in each of several runs`
	_ = rand.Intn(3)    // want `rand.Intn happens in each`
	fmt.Println("here") // want `fmt.Println happens in each`
	_ = fmt.Sprint("here", time.Second)
	c <- 1    // want `a channel is sent to`
	<-c       // want `a channel gives something else`
	select {} // want `a select chooses something else`
}

func ended(s *stage.S) {
	defer func() {
		_ = recover() // want `recover catches what ends a run`
	}()
}

// What stands in another case, or in the other arm, is not run after.
func cases(s *stage.S, x stage.Dyn[int], way int) stage.Dyn[int] {
	n := 0
	switch way {
	case 0:
		if s.If(x.Lt(3)) {
			n = 1
			return x.Add(n)
		}
	case 1:
		return x.Mul(n)
	}
	m := 0
	if way == 2 {
		if s.If(x.Lt(3)) {
			m = 1
		}
	} else {
		return x.Mul(m)
	}
	for range way { // want `each round of this loop of the host stages at the same place`
		switch way {
		case 0:
			if s.If(x.Lt(3)) {
				way++ // want `way is set in the host under a condition`
			}
		case 1:
			return x.Mul(way)
		}
	}
	k := 0
	switch way {
	case 0:
		if s.If(x.Lt(3)) {
			k = 1 // want `k is set in the host under a condition`
		}
		fallthrough
	case 1:
		return x.Mul(k)
	}
	return x
}

func late(s *stage.S, x stage.Dyn[int], table []int) stage.Dyn[int] {
	k := stage.Switch(s, x, 1, 2)
	y := x.Add(1)
	y = y.Mul(table[k]) // want `k is used where the cases of stage.Switch have met`
	m := stage.Switch(s, x, 1, 2)
	y = y.Mul(table[m])
	switch n := stage.Switch(s, x, 1, 2); n {
	case 0, 1:
		y = y.Add(1)
		y = y.Add(n)
	}
	o := stage.Switch(s, x, 1, 2)
	holds := stage.NewStatic(s, "o", o)
	y = y.Add(1)
	return y.Add(o).Add(holds.Get())
}

var once sync.Once

func first(s *stage.S, x stage.Slice[int]) {
	once.Do(func() { x.Set(0, 1) })         // want `sync.Once does it in the first of several runs only`
	sync.OnceFunc(func() { x.Set(0, 1) })() // want `sync.OnceFunc does it in the first`
}

type library struct{ s *stage.S }

func (l *library) read() {
	fmt.Println("here") // want `fmt.Println happens in each`
}

// What a caller has, it may read again; what a closure is handed is its own.
func nest(s *stage.S, x stage.Dyn[int], at map[string]stage.Dyn[int], body func(map[string]stage.Dyn[int])) {
	for s.While(x.Lt(9)) {
		at["i"] = x.Get() // want `at is set in the host under a condition of the program`
		inner := map[string]stage.Dyn[int]{"i": x.Get()}
		inner["j"] = x.Add(1)
		body(inner)
	}
	set := func(at map[string]stage.Dyn[int]) { body(at) }
	if s.If(x.Lt(3)) {
		mine := map[string]stage.Dyn[int]{}
		mine["i"] = x
		set(mine)
	}
}

type tensor struct{ in *library }

// A language's own types lead to the program.
func (t tensor) assign(n int) {
	fmt.Println(n) // want `fmt.Println happens in each`
	seen := 0
	stage.Launch(t.in.s, "k", 1, n, func(th stage.Thread) {
		if t.in.s.If(th.ID.Lt(n)) {
			seen++ // want `seen is set in the host under a condition of the program`
		}
		th.ID.Add(seen)
	})
}

func apart() func(stage.Thread) {
	return func(stage.Thread) {
		fmt.Println("here") // want `fmt.Println happens in each`
	}
}

// Of the host alone.
func free(m map[string]int) {
	for range m {
		fmt.Println(time.Now())
	}
}
