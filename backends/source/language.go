package source

import "github.com/irc-lang/irc/ir"

// A Field is a variable of the language.
type Field struct{ Type, Name string }

// A Syntax is how statements begin and end, as formats.
type Syntax struct {
	Name                    string // of the language, in messages
	End                     string // of a statement
	If, ElseIf, While       string // of a condition
	Forever                 string
	Guard                   []string // an if without else around one statement: what stands before it, and after it
	Switch, Case, Otherwise string
	EndCase                 []string // at the end of a case, the first inside of it
	Exit                    string   // ends the loop around
	Counter                 string   // type of counters without sign
	Places                  string   // type of indices
	Index                   string   // an element: base, place
	Start                   string   // the first element: base
	Part                    string   // of a memref's name, what it is of it, and a number: x_size0
}

// A Language writes the pieces that depend on its types, and translates the ops that this
// package does not.
type Language interface {
	Syntax() *Syntax
	// Scalar is the name of a type of scalars, "" if there is none, and Kinds says which there are.
	Scalar(t ir.Type) string
	Kinds() string
	// Base is the type of what elements are taken from.
	Base(elem string) string

	// Integer and Floating are numbers of a type.
	Integer(n int64, width int) Expr
	Floating(x float64, t ir.Type) Expr
	// Signed is an integer of some bits as one with a sign; Typed is an expression that needs no
	// type from around it.
	Signed(x Expr, width int) Expr
	Typed(x Expr, t ir.Type) Expr
	// Wrapping computes a sum ("+") or product ("*") of two places, which wraps around.
	Wrapping(prec int, op string, x, y Expr) Expr
	// AtLeast reports at >= n without sign, and Pick chooses one of several sizes.
	AtLeast(at Expr, n int64) Expr
	Pick(xs []Expr, at Expr) Expr

	// Let declares a variable with a value, Var one without, which is an array of n unless n is 0.
	Let(v Field, x Expr) string
	Var(v Field, n int) string

	// From is a base from an element on; of a rank-1 memref without gaps it may end where that
	// does, count elements later, if count is not nil.
	From(f *Function, m *View, at Expr, count *Expr) Expr
	// Length is the size of the only dimension of a memref without gaps if the base tells it.
	Length(base Expr) (size Expr, ok bool)
	// At is an index that is checked: it traps unless it is inside of n, before or as it is evaluated.
	At(f *Function, i, n Expr) Expr

	// Count opens a loop from low to high by step over a variable of a type; CountTrips one that counts
	// its iterations, and gives the index.
	Count(typ, name string, low, high, by Expr) string
	CountTrips(f *Function, typ, name string, low, high, by Expr) string
	// Trap is a statement that stops the program, or leaves the function, with a reason.
	Trap(f *Function, reason string) string

	// Op translates the current op, or does not know it.
	Op(f *Function) bool
}
