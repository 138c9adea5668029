package rule

import (
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// A Rule says that an op may become an expression where a condition holds.
type Rule struct {
	Span      diag.Span
	Src, Tgt  *Node   // what stands before and behind =>
	Where     *Cond   // nil: everywhere
	Operands  []*Name // in the order in which they come
	Constants []*Name
	Computed  []*Node // constant expressions that are no names
	src       *diag.Source
}

// Text is the rule as it is written.
func (r *Rule) Text() string { return r.src.Text[r.Span.Start:r.Span.End] }

// Line is the rule in one line.
func (r *Rule) Line() string { return strings.Join(strings.Fields(r.Text()), " ") }

// A Name is an operand or a constant of a rule; all its uses are one.
type Name struct {
	Text string
	Span diag.Span // of its first use
	typ  *typ
}

// A Node is an op of a rule, or what stands at a leaf: an operand, a constant expression, or poison.
type Node struct {
	Span   diag.Span
	Def    *ir.OpDef
	Words  []string
	Args   []*Node
	Name   *Name
	Expr   *Expr
	Poison bool
	typ    *typ
}

// An Expr is a constant expression: a name, a number, or an operator or function of others.
type Expr struct {
	Span    diag.Span
	Name    *Name
	Number  int64
	Float   float64 // the number where a float is wanted
	Decimal bool    // it is written as a float: 0.5
	Op      string  // "+", "log2" and so on; "" of a name or a number; "width"
	Args    []*Expr
	typ     *typ
}

// A Cond is a condition: a comparison or a function of constants, or "&&", "||" or "!" of conditions.
type Cond struct {
	Op    string
	Conds []*Cond
	Args  []*Expr
}
