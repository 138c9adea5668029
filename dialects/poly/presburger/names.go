package presburger

import (
	"math/big"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/count"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

// MaxNesting bounds what readers of sets, trees and equations find inside one another.
const MaxNesting = notation.MaxNesting

// What the parts define for users of this package.
type (
	// Int is an exact integer: an int64 while it fits, a big one beyond. The zero Int is 0.
	Int = lp.Int
	// Rat is a rational number: Num / Den in lowest terms, Den > 0.
	Rat = lp.Rat
	// A LexProgram is an integer program to which constraints are added as it goes.
	LexProgram = lp.LexProgram
	// Status tells whether an optimum exists.
	Status = conj.Status
	// A Complexity is the order of growth of a count: a sum of monomials.
	Complexity = count.Complexity
	// A SyntaxError says what is wrong with a text, and where.
	SyntaxError = notation.SyntaxError
	// A Sum is a constant and multiples of variables.
	Sum = notation.Sum
	// A Term is a multiple of a variable, which is known by its name.
	Term = notation.Term
	// A Formula says something of integers that variables stand for.
	Formula = notation.Formula
)

// What minimizing a function over a set may end with.
const (
	Optimal   = conj.Optimal   // there is one
	Unbounded = conj.Unbounded // the function has no bound there
	Empty     = conj.Empty     // the set has no points
)

// DefaultBudget is the work that one operation may do, in inner loop steps; some
// seconds.
const DefaultBudget = lp.DefaultBudget

// Errors of operations.
var (
	// ErrBudget is that of one that would take more work than is allowed (see
	// Set.WithBudget).
	ErrBudget = lp.ErrBudget
	// ErrUnbounded is that of an optimum that does not exist.
	ErrUnbounded = conj.ErrUnbounded
	// ErrInfinite is that of counting an infinite set.
	ErrInfinite = count.ErrInfinite
)

// NewInt returns v.
func NewInt(v int64) Int { return lp.NewInt(v) }

// BigInt returns a copy of b.
func BigInt(b *big.Int) Int { return lp.BigInt(b) }

// HermiteNormalForm returns the basis of the lattice that integer rows span, in row
// style Hermite normal form, which is the only one of its kind.
func HermiteNormalForm(m [][]Int) [][]Int { return lp.HermiteNormalForm(m) }

// SmithNormalForm returns unimodular u and v, and the d with u m v diagonal: d[i] is
// entry (i, i), positive as far as the rank of m goes, and divides d[i+1].
func SmithNormalForm(m [][]Int) (d []Int, u, v [][]Int) { return lp.SmithNormalForm(m) }

// Number is a sum of no variables.
func Number(n int64) Sum { return notation.Number(n) }

// Variable is a sum of one.
func Variable(name string) Sum { return notation.Variable(name) }

// Zero says that a sum is 0.
func Zero(s Sum) Formula { return notation.Zero(s) }

// NonNeg says that a sum is at least 0.
func NonNeg(s Sum) Formula { return notation.NonNeg(s) }

// Nonzero says that a sum is not 0.
func Nonzero(s Sum) Formula { return notation.Nonzero(s) }

// And says all of several things; of none it is true.
func And(fs ...Formula) Formula { return notation.And(fs...) }

// Or says one of several things; of none it is false.
func Or(fs ...Formula) Formula { return notation.Or(fs...) }

// Not is the negation.
func Not(f Formula) Formula { return notation.Not(f) }

// Exists says that there are integers for some variables with which f holds. They hide
// variables of the same name.
func Exists(vars []string, f Formula) Formula { return notation.Exists(vars, f) }
