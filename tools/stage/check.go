package stage

import (
	"reflect"

	"github.com/irc-lang/irc/ir/stage"
)

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
