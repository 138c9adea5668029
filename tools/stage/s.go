package stage

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/stage"
)

// S is what a staged function works on.
type S struct {
	run *stage.Run // nil of a direct run
	m   *module
	own map[any]bool // the variables of the kernel that is staged, or nil

	over   bool        // the run has ended
	direct *ir.Context // of a direct run that has tensors
}

// Direct is what functions work on to be run on values themselves, in the interpreter's place.
func Direct() *S { return &S{} }

// IsDirect reports a run on values.
func (s *S) IsDirect() bool { return s.run == nil }

// fail ends the run with an error at the place that runs.
func (s *S) fail(what, fix, format string, args ...any) {
	if s.run == nil {
		panic("stage: " + fmt.Sprintf(format, args...) + ": " + fix)
	}
	s.run.Fail(fix, "%s: %s", what, fmt.Sprintf(format, args...))
}

// Fail ends the staging with an error at the place that runs, for what a library forbids; fix says what to write instead.
func (s *S) Fail(fix, format string, args ...any) {
	if s.run == nil {
		panic(fmt.Sprintf(format, args...) + ": " + fix)
	}
	s.run.Fail(fix, format, args...)
}

// If asks the program. Both answers are staged.
func (s *S) If(c Dyn[bool]) bool {
	s.takes("If", c.session("If"))
	if s.run == nil {
		return c.get() != 0
	}
	return s.run.Ask(c.value(), code{op: "if"})
}

// While is If for the condition of a loop: for s.While(i.Lt(n)) {...}
func (s *S) While(c Dyn[bool]) bool {
	s.takes("While", c.session("While"))
	if s.run == nil {
		return c.get() != 0
	}
	return s.run.Ask(c.value(), code{op: "while"})
}

// Switch asks which of some numbers x is: it gives the place of the number, or -1. That is for a switch of Go around the call; what is
// staged with it once these ways have met needs a Static that holds it.
func Switch[T Scalar](s *S, x Dyn[T], cases ...T) int {
	for i, c := range cases {
		for _, d := range cases[:i] {
			if c == d {
				s.fail("Switch", "leave one of them out", "%v is there twice", c)
			}
		}
	}
	at := NewStatic(s, "the case of a switch", 0)
	defer at.Done()
	v := x.Get()
	for i, c := range cases {
		at.Set(i)
		if s.If(v.Eq(c)) {
			return i
		}
	}
	return -1
}

// Select is x if c, else y; both are computed.
func Select[T Scalar](c Dyn[bool], x, y any) Dyn[T] {
	s := c.session("Select")
	a, b := arg[T](s, x, 1), arg[T](s, y, 2)
	if s.run == nil {
		if c.get() != 0 {
			return Dyn[T]{s: s, now: a.get()}
		}
		return Dyn[T]{s: s, now: b.get()}
	}
	return Dyn[T]{s: s, v: s.run.Emit(stage.Op{Code: code{op: "select", k: kindOf[T]()}, Args: []stage.Value{c.valueIn(0), a.valueIn(1), b.valueIn(2)}})}
}

// A Static is a variable of the host on which depends what is staged: ops that are made while it holds one thing are others than
// those that are made while it holds another.
type Static[T comparable] struct {
	s     *S
	name  string
	value T
	st    *stage.Static
	done  bool
}

// NewStatic makes one. The name is for messages.
func NewStatic[T comparable](s *S, name string, init T) *Static[T] {
	x := &Static[T]{s: s, name: name, value: init}
	if s.run != nil {
		x.st = s.run.AddStatic(name, false, func() any { return key(x.value) })
	}
	return x
}

// Get is what it holds.
func (x *Static[T]) Get() T {
	x.s.under("the Static " + x.name)
	return x.value
}

// Set makes it hold something else.
func (x *Static[T]) Set(v T) {
	x.s.under("the Static " + x.name)
	if x.done {
		x.s.fail("Set", "call Done where nothing depends on it any more", "the Static %s has ended its life", x.name)
	}
	x.value = v
	if x.s.run != nil {
		x.s.run.Changed()
	}
}

// Done ends its life: paths meet on which it held different things.
func (x *Static[T]) Done() {
	x.done = true
	if x.s.run != nil && !x.s.run.Dead() {
		x.s.run.Done(x.st)
	}
}

// Range is a loop of the host that is unrolled: for i := range stage.Range(s, 3) {...}
func Range(s *S, n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		i := NewStatic(s, "the counter of a Range of "+strconv.Itoa(n), 0)
		defer i.Done()
		for ; i.Get() < n; i.Set(i.Get() + 1) {
			if !yield(i.Get()) {
				return
			}
		}
	}
}

// session is what a value is of; it refuses the zero value, and one of a function that has ended.
func (x Dyn[T]) session(what string) *S {
	if x.s == nil {
		panic(stage.Misuse{What: what + " of a Dyn that nothing has made", Fix: "declare it with stage.Var, or stage.Lit"})
	}
	x.s.under(what + " of a Dyn")
	return x.s
}

// session is that of Dyn.
func (x Slice[T]) session(what string) *S {
	if x.s == nil {
		panic(stage.Misuse{What: what + " of a Slice that nothing has made", Fix: "take it as a parameter, or make it with stage.Make"})
	}
	x.s.under(what + " of a Slice")
	return x.s
}

// under refuses what is of a function, or of a run of it, that has ended.
func (s *S) under(what string) {
	if s.over {
		panic(stage.Misuse{What: what + " of a function that has ended, or of an earlier run of this one", Fix: "give it to the function as a parameter; nothing of the program is kept between runs"})
	}
}

// takes refuses an operand of another program, or of a direct run.
func (s *S) takes(what string, of *S) {
	if s != of && (s.run != nil || of.run != nil) {
		s.fail(what, "work on what the function is given, with the *S that it is given", "this is of another program, or of a direct run")
	}
}

// refuse refuses ops that a type does not have, and constants with which they are wrong always.
func (s *S) refuse(c code) {
	switch c.op {
	case "and", "or", "xor", "not":
		if c.k.float() {
			s.fail(c.op, "convert it to an integer with stage.To", "a %s has no bits to work on", c.k)
		}
	case "add", "sub", "mul", "div", "rem", "shl", "shr", "min", "max", "neg", "lt", "le":
		if c.k == boolean {
			s.fail(c.op, "write And, Or, Xor, Not, Eq, Ne or stage.Select", "a bool is no number and has no order")
		}
	case "to":
		if c.to == boolean && c.k != boolean {
			s.fail("To", "write x.Ne(0)", "a %s is no bool", c.k)
		}
	}
	switch {
	case (c.op == "shl" || c.op == "shr") && c.k.float():
		s.fail(c.op, "multiply it by a power of 2", "a %s is not shifted", c.k)
	case (c.op == "div" || c.op == "rem") && c.k.int() && c.has && c.imm == 0:
		s.fail(c.op, "ask with s.If before it", "an integer is divided by the constant 0")
	case (c.op == "shl" || c.op == "shr") && c.has && c.k.signed() && c.k.number(c.imm) < 0:
		s.fail(c.op, "shift the other way", "the count of a shift is %d", c.k.number(c.imm))
	}
}

// hostArgument refuses what tells no functions of the program apart.
func (s *S) hostArgument(n int, a reflect.Value) {
	if !a.Comparable() {
		s.fail("Func", "give it what tells calls apart: a number, a string, an array or a pointer", "argument %d is %s, which cannot be compared", n, a.Type())
	}
}
