package dependence

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/diag"
)

// A Program is what the analysis sees of a function or model: its variables, and
// its statements in the order in which they are written.
type Program struct {
	Name       string
	Variables  []*Variable
	Statements []*Statement
	Defined    bool // somebody has seen that all that is read has a value
}

// A Variable is memory that statements share. Elements of an array are told apart
// as far as subscripts are affine.
type Variable struct {
	Name      string
	Parameter bool    // comes from outside
	Base      int64   // the first index of each dimension: 0, or 1 in a model
	Shape     []int64 // extents; -1 is not known; nil is a scalar
}

// A Statement reads and writes variables.
type Statement struct {
	ID       string // S0, S1 ...
	Text     string // what people call it: "x[i] = f(x[i - 1])"
	At       diag.Span
	Domain   Domain
	Accesses []Access

	Declares    bool // allocates what it writes and gives it no value
	Operator    bool // an update, wherever it stands (dep.operator)
	Initializer bool // dep.initializer
	Output      bool // computes what was asked for (dep.output)
	Uniform     bool // makes a uniform distribution or an empty array (dep.uniform)
	Increment   bool // adds to what is there: never in a clique (dep.increment)
	Requires    *Group

	place int // in the program
}

// Role says what an access is for.
type Role uint8

// The roles.
const (
	Value     Role = iota // an operand, or what is written
	Index                 // in a subscript, on either side
	Container             // in the bounds of a loop around, or its condition
)

// An Access is a part of a variable that a statement reads or writes.
type Access struct {
	Var    *Variable
	Write  bool
	Role   Role
	Subs   []Sub // of the first dimensions; the others are taken whole
	Except *Sub  // of a read: not at this first index, if that is a literal (AllExcept)
	Domain Domain
	Arg    int // counted from 1, of the arguments of the call that it is for; 0 is none

	// What the argument is annotated with.
	Ignore        bool // only its declarations matter
	SkipIfUniform bool // it must have run, and not be uniform
	AnyItem       bool // of SkipIfUniform: one update will do
	Trigger       bool
	Fresh         bool

	spelt [2]string // see written
}

// A Sub is a subscript: the indices from Lo to Hi, both included. A Sub that is not
// Known may be any index.
type Sub struct {
	Known  bool
	Lo, Hi presburger.Sum
}

// At is the subscript of one index.
func At(a presburger.Sum) Sub { return Sub{Known: true, Lo: a, Hi: a} }

// Any is a subscript of which nothing is known.
func Any() Sub { return Sub{} }

// literal returns the index of a Sub that is one number.
func (s Sub) literal() (int64, bool) {
	return s.Lo.Const, s.Known && len(s.Lo.Terms) == 0 && len(s.Hi.Terms) == 0 && s.Lo.Const == s.Hi.Const
}

// A Domain is where something stands: loops, outermost first, and conditions. All
// instances of it are the values of the loops' indices for which all holds.
type Domain struct {
	Loops []*Loop
	Conds []Cond
}

// A Loop runs its index from Lo by Step while it is below Hi. It is one loop however
// many statements stand in it: pointers are compared.
type Loop struct {
	Index  string // unique in the program
	Name   string // what people call the index
	Lo, Hi *presburger.Sum
	Step   int64
	At     diag.Span
}
