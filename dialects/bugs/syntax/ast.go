package syntax

import (
	"github.com/irc-lang/irc/ir/diag"
)

// A Place is where a node stands in its source; every node embeds one.
type Place struct{ At diag.Span }

// Span returns the node's place, parentheses around it included.
func (p *Place) Span() diag.Span { return p.At }

// setSpan widens a node to the parentheses around it.
func (p *Place) setSpan(s diag.Span) { p.At = s }

// A Node is any part of the tree.
type Node interface{ Span() diag.Span }

// A Program is one file of the language.
type Program struct {
	Place
	Name    string     // after `model`, may be empty
	Vars    []*VarDecl // `var` declarations (JAGS), in order
	Data    []Stmt     // the `data` block (JAGS)
	Model   []Stmt     // the `model` block
	HasData bool       // there is a `data` block, maybe an empty one
}

// A VarDecl fixes the dimensions of an array: `var x[N,2]`. A scalar has none.
type VarDecl struct {
	Place
	Name string
	Dims []Expr
}

// A Stmt is *For, *Assign or *Sample.
type Stmt interface {
	Node
	stmt()
}

// For is `for (Var in Over) { Body }`. Over is mostly a *Range; in JAGS it may
// be any vector.
type For struct {
	Place
	Var   string
	VarAt diag.Span
	Over  Expr
	Body  []Stmt
}

// Assign is `LHS <- RHS`, or `Link(LHS) <- RHS`: then the node has the inverse
// link of RHS as its value.
type Assign struct {
	Place
	LHS  *Ref
	Link string // "", log, logit, probit or cloglog
	RHS  Expr
}

// Sample is `LHS ~ Dist(Args) Bound`.
type Sample struct {
	Place
	LHS    *Ref
	Dist   string // as written; LookupDistribution gives the table's name
	DistAt diag.Span
	Args   []Expr
	Bound  *Bounds // nil if there are none
}

// Bounds are the limits after a distribution; both ends are inclusive.
type Bounds struct {
	Place
	Kind         byte // 'T' truncation, 'C' censoring, 'I' as written in either dialect
	Lower, Upper Expr // nil where left empty
}

// An Expr is *Num, *Ref, *Call, *Unary, *Binary, *Range or, only as an index, *All.
type Expr interface {
	Node
	expr()
	setSpan(diag.Span)
}

// Num is a number; it is finite and not negative.
type Num struct {
	Place
	Value float64
}

// Ref names a variable, or with indices a part of it. `x` has no indices, `x[]`
// has one, an *All.
type Ref struct {
	Place
	Name    string
	NameAt  diag.Span
	Indices []Expr
}

// All is an empty index: the whole extent.
type All struct{ Place }

// Call applies a function of the table Functions.
type Call struct {
	Place
	Name   string // as written; LookupFunction gives the table's name
	NameAt diag.Span
	Args   []Expr
}

// Unary is OpNeg or OpNot of X.
type Unary struct {
	Place
	Op Op
	X  Expr
}

// Binary is an operator with two operands.
type Binary struct {
	Place
	Op   Op
	X, Y Expr
}

// Range is `From:To`, both ends included.
type Range struct {
	Place
	From, To Expr
}

func (*For) stmt() {}

func (*Assign) stmt() {}

func (*Sample) stmt() {}

func (*Num) expr() {}

func (*Ref) expr() {}

func (*All) expr() {}

func (*Call) expr() {}

func (*Unary) expr() {}

func (*Binary) expr() {}

func (*Range) expr() {}

// An Op is an operator of Unary or Binary.
type Op uint8

// The operators, loosest first.
const (
	OpOr Op = iota
	OpAnd
	OpEq
	OpNe
	OpLt
	OpLe
	OpGt
	OpGe
	OpAdd
	OpSub
	OpMul
	OpDiv
	OpMatMul
	OpNeg
	OpNot
	OpPow
)

func (o Op) String() string {
	return [...]string{"||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%*%", "-", "!", "^"}[o]
}

// Walk calls f for e and, where f returns true, for the parts of e from left to right.
func Walk(e Expr, f func(Expr) bool) {
	if e == nil || !f(e) {
		return
	}
	switch e := e.(type) {
	case *Ref:
		for _, x := range e.Indices {
			Walk(x, f)
		}
	case *Call:
		for _, x := range e.Args {
			Walk(x, f)
		}
	case *Unary:
		Walk(e.X, f)
	case *Binary:
		Walk(e.X, f)
		Walk(e.Y, f)
	case *Range:
		Walk(e.From, f)
		Walk(e.To, f)
	}
}
