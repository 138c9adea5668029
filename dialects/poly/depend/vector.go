package depend

import (
	"cmp"
	"fmt"
	"strings"
)

// A Sign is a set of signs that a distance may have: the second iteration minus the
// first.
type Sign uint8

// The signs, and the sets of several.
const (
	Negative Sign = 1 << iota
	Zero
	Positive

	NonPositive = Negative | Zero
	NonNegative = Zero | Positive
	NonZero     = Negative | Positive
	Mixed       = Negative | Zero | Positive
)

var signTexts = [...]string{"none", "-", "0", "0-", "+", "+-", "0+", "*"}

// String writes - 0 + for one sign, 0- 0+ +- for two, * for all and none.
func (s Sign) String() string {
	if int(s) < len(signTexts) {
		return signTexts[s]
	}
	return fmt.Sprintf("Sign(%d)", uint8(s))
}

// Reverse exchanges Negative and Positive.
func (s Sign) Reverse() Sign { return s&Zero | s&Negative<<2 | s&Positive>>2 }

// MaxLoops bounds the common loops of a dependence.
const MaxLoops = 21

// A Vector is a direction vector: a sign, or a set of signs, for each common loop, the
// outermost first. Vectors are comparable.
type Vector struct {
	bits uint64 // three a loop
	n    uint8
}

// NewVector returns the vector of signs; more than MaxLoops of them panic.
func NewVector(signs ...Sign) (v Vector) {
	if len(signs) > MaxLoops {
		panic(fmt.Sprintf("depend: a vector of %d loops; at most %d", len(signs), MaxLoops))
	}
	v.n = uint8(len(signs))
	for l, s := range signs {
		v = v.with(l, s)
	}
	return v
}

// Len is the number of loops.
func (v Vector) Len() int { return int(v.n) }

// At is the sign of loop l.
func (v Vector) At(l int) Sign { return Sign(v.bits >> (3 * l) & 7) }

func (v Vector) with(l int, s Sign) Vector {
	v.bits = v.bits&^(7<<(3*l)) | uint64(s)<<(3*l)
	return v
}

// Reverse is the vector of the pairs exchanged.
func (v Vector) Reverse() Vector {
	for l := range v.Len() {
		v = v.with(l, v.At(l).Reverse())
	}
	return v
}

// Level is the first loop whose sign is not Zero, which carries the dependence, or
// Len if all are.
func (v Vector) Level() int {
	for l := range v.Len() {
		if v.At(l) != Zero {
			return l
		}
	}
	return v.Len()
}

// IsForward reports that the first sign that is not Zero is Positive.
func (v Vector) IsForward() bool {
	l := v.Level()
	return l < v.Len() && v.At(l) == Positive
}

// join is the set of the signs of both.
func (v Vector) join(w Vector) Vector {
	v.bits |= w.bits
	return v
}

// compare orders vectors by their signs, loop by loop: negative ones first.
func (v Vector) compare(w Vector) int {
	for l := range v.Len() {
		if c := cmp.Compare(v.At(l), w.At(l)); c != 0 {
			return c
		}
	}
	return 0
}

// String writes (0, +, *).
func (v Vector) String() string {
	out := make([]string, v.Len())
	for l := range out {
		out[l] = v.At(l).String()
	}
	return "(" + strings.Join(out, ", ") + ")"
}
