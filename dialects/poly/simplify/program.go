package simplify

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// A Program is equations: each element of an array is defined by one instance of an equation
// without an operator, or by all instances of reductions with one operator.
type Program struct {
	Params    []string
	Context   presburger.Set // what is known of the parameters
	Arrays    []*Array
	Equations []*Equation
}

// An Array is what equations define and read.
type Array struct {
	Name   string
	Extent presburger.Set // its elements, as Name[...]
	Input  bool           // it is an input, which no equation defines
	Bound  bool           // it is an output: all of it is wanted
	Exact  bool           // its elements are integers, of which subtraction loses nothing
	Equal  bool           // its elements are compared with others: a greatest or least value must be one of them, to the bit
	Client any            // what whoever asks knows of it, of a new one that of the array it is a part of
	New    bool           // simplification made it

	from *Expr // of a new one: what its elements are made of
}

// An Operator combines what accumulates in an element.
type Operator string

// The operators; an equation that sets its element has none.
const (
	Set Operator = ""
	Add Operator = "add"
	Mul Operator = "mul"
	Max Operator = "max"
	Min Operator = "min"
	And Operator = "and"
	Or  Operator = "or"
)

// Operators of bodies alone: Max and Min of floats leave NaN out, as reductions do, and these give NaN if an operand is NaN.
const (
	Maximum Operator = "maximum"
	Minimum Operator = "minimum"
)

// HasInverse reports that what was combined can be taken away again. Products are not inverted:
// a factor may be 0.
func (o Operator) HasInverse() bool { return o == Add }

// IsIdempotent reports that a value combined with itself is itself.
func (o Operator) IsIdempotent() bool { return o == Max || o == Min || o == And || o == Or }

// distributes reports that a by (b over c) is (a by b) over (a by c): products over sums, sums
// over maxima and minima (rounding is monotone), and lattices over each other. Max and Min of floats, which leave NaN out, are
// no lattice: max(1, min(NaN, 5)) is 5, and min(max(1, NaN), max(1, 5)) is 1. Maximum distributes over Min: a NaN among its operands
// is left out on both sides.
func (o Operator) distributes(over Operator, exact bool) bool {
	switch o {
	case Mul:
		return over == Add
	case Add:
		return over == Max || over == Min
	case Maximum:
		return over == Min
	case Minimum:
		return over == Max
	case Max, Min:
		return exact && over != o && (over == Max || over == Min)
	case And, Or:
		return over != o && (over == And || over == Or)
	}
	return false
}

// An Equation defines elements of an array.
type Equation struct {
	Name   string
	Domain presburger.Set // of tuples without a name
	Op     Operator
	Target *Array
	Write  presburger.Map // from the domain to elements
	Body   *Expr
	Keys   []*Expr   // indices that choose the element among those that Write has; it stays as it is
	Origin *Equation // that of the given program which it is a part of, itself if it reads other arrays; nil if it is as it was

	with string // the reduction over the answers of this one that it became one with
}

// A Kind says what an expression is.
type Kind uint8

// The kinds of expressions.
const (
	Read     Kind = iota // an element of Array by Map
	Gather               // an element of Array at what Args compute
	Coord                // coordinate Dim of the instance
	Apply                // Client's function of Args
	Combine              // Args by Op
	Negative             // the inverse of Args[0] by addition
	Select               // Args[0] where the instance is in Where, else Args[1]
	Times                // Args[0] as often as Count says, by Op: a multiple of it, or a power
	Identity             // that of the operator of its reduction, which changes nothing
	Restart              // Args[0], but Identity where the affine function Row of the instance is a multiple of Width, another one
	Linear               // the affine function Row of the instance, as a number of Client's type; it is Affine
)

// An Expr is what an instance of an equation computes.
type Expr struct {
	Kind   Kind
	Args   []*Expr
	Array  *Array
	Map    presburger.Map
	Dim    int
	Op     Operator
	Where  presburger.Set
	Cond   *Expr                 // of a Select, the condition as an expression
	Count  presburger.Polynomial // by the parameters and coordinates
	Value  presburger.Map        // of an Apply or a Linear: what it is where that is an affine function of the instance
	Affine bool                  // Value is there
	Row    []presburger.Int      // of a Linear or a Restart: a constant, the coefficients of parameters and of coordinates
	Width  []presburger.Int      // of a Restart, as Row; it is not 0 where the instance is
	Client any
}

// Walk calls f with an expression and all that it is made of.
func Walk(e *Expr, f func(*Expr)) {
	f(e)
	for _, a := range e.Args {
		Walk(a, f)
	}
	if e.Cond != nil {
		Walk(e.Cond, f)
	}
}

// reads calls f with all accesses of an equation.
func (e *Equation) reads(f func(*Expr)) {
	e.Body.reads(f)
	for _, k := range e.Keys {
		k.reads(f)
	}
}

// reads calls f with all accesses of an expression.
func (e *Expr) reads(f func(*Expr)) {
	Walk(e, func(x *Expr) {
		if x.Kind == Read || x.Kind == Gather {
			f(x)
		}
	})
}

// share is the vectors along which an expression has one value: a basis of a lattice in n
// dimensions.
func (e *Expr) share(n int) (_ [][]presburger.Int, err error) {
	defer unwind.To(&err)
	all := presburger.Orthogonal(nil, n)
	var walk func(e *Expr)
	walk = func(e *Expr) {
		meet := func(k [][]presburger.Int) { all = presburger.MeetLattices(all, k, n) }
		if e.Affine || e.Kind == Read {
			m := e.Map
			if e.Affine {
				m = e.Value
			}
			k := unwind.Must(m.Kernel())
			meet(k)
			return
		}
		switch e.Kind {
		case Coord:
			meet(presburger.Orthogonal([][]presburger.Int{unit(e.Dim, n)}, n))
		case Select:
			meet(presburger.Orthogonal(normals(e.Where), n))
		case Times:
			meet(nil)
		}
		for _, a := range e.Args {
			walk(a)
		}
	}
	walk(e)
	return all, nil
}

func unit(i, n int) []presburger.Int {
	r := make([]presburger.Int, n)
	r[i] = presburger.NewInt(1)
	return r
}

// normals are those of the constraints of a set; where there are floors all dimensions are.
func normals(s presburger.Set) (rows [][]presburger.Int) {
	for _, b := range s.Basics() {
		n := b.Out.Len()
		if len(b.Divs) > 0 {
			for i := range n {
				rows = append(rows, unit(i, n))
			}
		}
		for _, rs := range [][][]presburger.Int{b.Eq, b.Ge} {
			for _, r := range rs {
				rows = append(rows, r[1+len(b.Params):1+len(b.Params)+n])
			}
		}
	}
	return rows
}
