package codegen

import "github.com/irc-lang/irc/dialects/poly/presburger"

// A Node of a syntax tree is a *Block, *For, *If, *User or *Mark.
type Node interface{ node() }

// A Block executes nodes one after another.
type Block struct{ Nodes []Node }

// A For executes its body for the iterator at the greatest of Lower, then every Stride
// further, as long as it is at most the least of Upper; without an upper bound there is no
// end. No other For around or in it has the same iterator.
type For struct {
	Iterator string
	Lower    []Expr // one at least
	Upper    []Expr
	Stride   int64 // at least 1
	Parallel bool  // it scans a coincident member of a band
	Body     *Block

	// Instances are those that a parallel loop executes, where Options relate instances that
	// are to stay together: no other loop executes them.
	Instances presburger.Set
}

// An If executes its body where the condition holds, and Else, if there is one, where it does not.
type If struct {
	Cond Expr
	Then *Block
	Else *Block
}

// A User is one instance of a statement: that with the coordinates Args.
type User struct {
	Statement string
	Args      []Expr
}

// A Mark has the name of a mark node, of whose subtree the body is the code, and the values of the members of bands around it.
type Mark struct {
	Name  string
	Outer []Expr
	Body  *Block
}

func (*Block) node() {}
func (*For) node()   {}
func (*If) node()    {}
func (*User) node()  {}
func (*Mark) node()  {}

// An Expr is an Int, a Name or an *Op. Values are integers; those of comparisons and of
// And and Or are truth values.
type Expr interface{ expr() }

// An Int is a constant.
type Int int64

// A Name is a parameter or the iterator of a For around it.
type Name string

// An Op applies an operator to Args.
type Op struct {
	Operator Operator
	Args     []Expr
}

func (Int) expr()  {}
func (Name) expr() {}
func (*Op) expr()  {}

// An Operator has as many arguments as its comment says.
type Operator uint8

const (
	Add      Operator = iota // two or more
	Sub                      // two
	Mul                      // two; the first is an Int
	FloorDiv                 // two, rounded down; the second is a positive Int
	Mod                      // two: what FloorDiv leaves, from 0 to the second less 1
	Min                      // two or more
	Max                      // two or more
	Select                   // three: the second where the first is true, else the third
	Eq                       // two
	Ge                       // two
	Le                       // two
	And                      // two or more
	Or                       // two or more
)

// apply is an operator on some arguments; of one it is the argument.
func apply(op Operator, args ...Expr) Expr {
	if len(args) == 1 {
		return args[0]
	}
	return &Op{op, args}
}
