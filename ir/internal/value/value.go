// Package value holds the values of running programs: what constant folding, the interpreter and the engines
// compute with. It knows types by their numbers only; Package ir says which attribute and which type a value has.
package value

import (
	"errors"
	"fmt"
	"math"

	"github.com/irc-lang/irc/ir/internal/intern"
)

// A Val is a value of a running program: of the interpreter and of constant
// folding. Integers are zero-extended to 64 bits, floats are the pattern of
// their own format; everything else is in Ref.
type Val struct {
	Bits uint64
	Ref  any // nil, Poison, Vector, or what a dialect puts there (a memref ...)
}

// Poison is the Ref of a value that stands for deferred undefined behaviour.
var Poison = new(poison)

type poison struct{ _ byte }

// Vector is the Ref of a vector or tensor: its elements in row-major order.
type Vector []Val

// IsPoison reports a poison value.
func (v Val) IsPoison() bool { return v.Ref == Poison }

// Values of the scalar types.
func (v Val) F64() float64 { return math.Float64frombits(v.Bits) }
func (v Val) F32() float32 { return math.Float32frombits(uint32(v.Bits)) }
func (v Val) Bool() bool   { return v.Bits&1 == 1 }

// Int reads the value as a signed integer of the given width.
func (v Val) Int(width int) int64 {
	if width >= 64 {
		return int64(v.Bits)
	}
	return int64(v.Bits<<(64-width)) >> (64 - width)
}

// F64Val, IntVal and BoolVal make scalar values.
func F64Val(x float64) Val { return Val{Bits: math.Float64bits(x)} }

// IntVal makes an integer of the given width.
func IntVal(n int64, width int) Val {
	if width >= 64 {
		return Val{Bits: uint64(n)}
	}
	return Val{Bits: uint64(n) & (1<<width - 1)}
}

// BoolVal makes an i1.
func BoolVal(b bool) Val {
	if b {
		return Val{Bits: 1}
	}
	return Val{}
}

// FloatVal makes a float of type t, rounded to it.
func FloatVal(x float64, t intern.Type) Val { return Val{Bits: intern.FloatToBits(x, t)} }

// Float reads a float of type t.
func (v Val) Float(t intern.Type) float64 { return intern.BitsToFloat(v.Bits, t) }

// A Trap is immediate undefined behaviour met by Eval or the interpreter.
type Trap struct{ Reason string }

func (t *Trap) Error() string { return t.Reason }

// Trapf makes a trap.
func Trapf(format string, args ...any) error { return &Trap{fmt.Sprintf(format, args...)} }

// IsTrap reports whether an error is a trap of the program, not a failure of ours.
func IsTrap(err error) bool {
	var t *Trap
	return errors.As(err, &t)
}
