// Package stage writes programs in Go that other programs are made of: a Go function of staged values becomes IR, which irc
// optimizes and compiles. With it one
//
//   - writes a function of values that are known later: S, Dyn, Slice, Tensor;
//
//   - compiles it, and calls what comes out as a Go function: Compile, Program.Call;
//
//   - keeps what is known now apart for each way through it: Static, Prophecy.
//
//     power := func(s *stage.S, x stage.Dyn[float64]) stage.Dyn[float64] { // x to the 10th
//     r := stage.Lit(s, 1.0)
//     for n := stage.NewStatic(s, "n", 10); n.Get() > 0; n.Set(n.Get() / 2) { // the host's: it is gone in the program
//     ...
//     }
//     }
//     f, err := stage.Compile[func(float64) float64](ctx, "power", power)
//
// A Dyn is known when the program runs. Conditions of such are asked with s.If and s.While, in ordinary control flow of Go: if, for,
// break, continue, goto and return become that of the program. All else is the host's, and is gone when the program runs. A
// variable of the host that changes while the function runs, and on which depends what is staged, is a Static: the counter of a
// loop that is to be unrolled, the state of an automaton.
//
// A Tensor is an array of the program, with extents that are known when it is staged or open; Shaped says those of what a program is given, and an Array is
// one on plain values.
//
// The function is run several times, once more than the program has branches (package ir/stage), so it must do the same each time:
// no map's order, no clock, nothing random, no other goroutine.
//
// The same function runs directly on values: S of Direct evaluates instead of staging.
//
// Integers are Go's: they wrap, and division by zero stops the program. A count of a shift is taken without its sign. A float
// that has no integer becomes the nearest that is one, NaN 0.
package stage
