package function

import (
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/prob/family"
)

// Bounds on what one model may ask for.
const (
	MaxElements   = 1 << 28 // of an array
	MaxIterations = 1 << 28 // of all statements
	MaxStored     = 1 << 26 // of a statement whose loops have no constant bounds
	MaxRange      = 1 << 24 // elements of a value that is computed
)

// Value is an array, stored row by row; dims is nil for a scalar.
type Value = family.Array

// IndexSlack is how far a number may be from an integer and still be an index.
const IndexSlack = 1e-6

func Canonical(c *syntax.Call) string {
	if f := syntax.LookupFunction(c.Name); f != nil {
		return f.Name
	}
	return c.Name
}
