package poly

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/ir"
	"math"
)

// The ops of the dialect.
var (
	SystemOp = ir.Define(&ir.OpDef{Name: "poly.system",
		Doc:  "Statements over arrays: equations, or with a schedule a program. The operands are the values of its parameters.",
		Args: []string{"params..."}, Attrs: []string{"names", "context", "equations", "schedule"},
		Traits: ir.Partial | ir.SingleRegion, Body: ir.Once, Infer: inferSystem})

	Bind = ir.Define(&ir.OpDef{Name: "poly.bind", Doc: "Memory of the program around as an array: an input, which is only read, an output, all of which is defined, or memory that has something before and after. Inbounds promises that all accesses by relations are inside of the memory.",
		Args: []string{"memory"}, Attrs: []string{"name", "role", "extent", "inbounds"}, Traits: ir.View | ir.NoCapture, Infer: inferBind})

	Local = ir.Define(&ir.OpDef{Name: "poly.local", Doc: "An array of the system alone. Its storage says where an element is kept; without it each has a place of its own.",
		Attrs: []string{"name", "extent", "storage"}, Traits: ir.Unique, Infer: inferLocal})

	Statement = ir.Define(&ir.OpDef{Name: "poly.statement", Doc: "For each point of its domain, reads elements, runs its body and puts what that yields into an element of its target.",
		Args: []string{"target", "read..."}, Attrs: []string{"name", "domain", "operator", "write", "reads", "after"},
		Traits: ir.Partial | ir.SingleRegion | ir.NoCapture, Body: ir.Loop, Infer: inferStatement, Effects: statementEffects})

	At = ir.Define(&ir.OpDef{Name: "poly.at", Doc: "The element of an array at an index that is computed. It needs the whole array, or of reductions that the statement says it comes after the instances named there.",
		Args: []string{"array", "indices..."}, Traits: ir.Partial | ir.NoCapture, Infer: inferAt, Poisons: ir.Always,
		Effects: func(c *ir.Call) []ir.Effect {
			return []ir.Effect{{Kind: ir.Read, On: c.Builder().ResourceOf(c.Args[0])}}
		}})

	Yield = ir.Define(&ir.OpDef{Name: "poly.yield", Doc: "Ends a system, or the body of a statement with the value that this defines. Of a reduction it gives the indices of the element that the value goes to, if they are computed.",
		Args: []string{"value..."}, Traits: ir.Terminator, Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
)

// statementEffects: besides what it does to arrays, a statement is one of its system, whose order
// says nothing of what comes first: that nothing after it reads what it defines does not
// make it dead.
func statementEffects(c *ir.Call) []ir.Effect {
	b := c.Builder()
	out := []ir.Effect{{Kind: ir.Write, On: b.Named("poly statements", ir.World)}, {Kind: ir.Write, On: b.ResourceOf(c.Args[0])}}
	for _, a := range c.Args[1:] {
		if r := b.ResourceOf(a); r != out[1].On {
			out = append(out, ir.Effect{Kind: ir.Read, On: r})
		}
	}
	return out
}

// Roles says what the memory of an array is to the program around.
type Role string

// The roles of bound arrays, and of those of the system alone.
const (
	Input     Role = "input"
	Output    Role = "output"
	InOut     Role = "inout"
	LocalRole Role = "local"
)

// Operator is how a statement puts a value into its target.
type Operator string

// The operators.
const (
	Set Operator = "set" // in the place of what is there
	Add Operator = "add"
	Mul Operator = "mul"
	Max Operator = "max"
	Min Operator = "min"
	And Operator = "and"
	Or  Operator = "or"
)

var (
	roleWords     = []string{string(Input), string(Output), string(InOut)}
	operatorWords = []string{string(Set), string(Add), string(Mul), string(Max), string(Min), string(And), string(Or)}
)

// HasInverse reports an operator whose reductions can be taken back: what was added can
// be subtracted, but of a product that is 0 nothing is known.
func (o Operator) HasInverse() bool { return o == Add }

// Combine is the operator as loops have it; ok is false for Set.
func (o Operator) Combine() (by loop.Combine, ok bool) {
	by, ok = combines[o]
	return by, ok
}

// Identity is what a reduction begins with, and has where nothing accumulates: of the greatest of floats -inf, of the least inf, although
// they leave NaN out.
func (o Operator) Identity(c *ir.Context, t ir.Type) ir.Val {
	switch {
	case c.IsFloat(t) && o == Max:
		return ir.FloatVal(math.Inf(-1), t)
	case c.IsFloat(t) && o == Min:
		return ir.FloatVal(math.Inf(1), t)
	}
	return combines[o].Identity(c, t)
}

var combines = map[Operator]loop.Combine{Add: loop.ByAdd, Mul: loop.ByMul, Max: loop.ByMax, Min: loop.ByMin, And: loop.ByAnd, Or: loop.ByOr}
