// Package arrays is a language of arrays that docs/staging.md writes from an empty file on. What maps of arrays compute is computed
// where it is read, in one loop with its reader: no memory holds it, unless a prophecy says that it is read again.
package arrays

import "github.com/irc-lang/irc/tools/stage"

type (
	S     = stage.S
	Int   = stage.Dyn[int]
	Float = stage.Dyn[float64]
)

// An Array has elements that are known when the program runs.
type Array struct {
	s    *S
	len  Int
	at   func(i Int) Float // stages an element
	read func()            // hears that one more reader reads it
}

// Load is the array in memory.
func Load(s *S, x stage.Slice[float64]) *Array {
	return &Array{s, x.Len(), func(i Int) Float { return x.At(i) }, func() {}}
}

// Sum is that of the elements.
func (a *Array) Sum() Float {
	a.read()
	sum, i := stage.Var[float64](a.s, "sum", 0), stage.Var[int](a.s, "i", 0)
	for a.s.While(i.Lt(a.len)) {
		sum.Set(sum.Add(a.at(i.Get())))
		i.Set(i.Add(1))
	}
	return sum.Get()
}

// Max is the greatest of the elements.
func (a *Array) Max() Float {
	a.read()
	most, i := stage.Var[float64](a.s, "most", a.at(stage.Lit(a.s, 0))), stage.Var[int](a.s, "i", 1)
	for a.s.While(i.Lt(a.len)) {
		most.Set(most.Max(a.at(i.Get())))
		i.Set(i.Add(1))
	}
	return most.Get()
}

// Map is the array of what f makes of the elements.
func (a *Array) Map(f func(Float) Float) *Array {
	a.read()
	out := &Array{a.s, a.len, func(i Int) Float { return f(a.at(i)) }, func() {}}
	if a.s.IsDirect() {
		return out
	}
	again := stage.NewProphecy(a.s, "is it read again", stage.Either)
	if again.Get() {
		return out.compute()
	}
	readers := 0 // no Static: what is staged depends on the prophecy alone
	out.read = func() {
		readers++
		again.Require(readers > 1)
	}
	return out
}

// compute is the array with memory of its own.
func (a *Array) compute() *Array {
	x, i := stage.Make[float64](a.s, a.len), stage.Var[int](a.s, "i", 0)
	for a.s.While(i.Lt(a.len)) {
		x.Set(i, a.at(i.Get()))
		i.Set(i.Add(1))
	}
	return Load(a.s, x)
}
