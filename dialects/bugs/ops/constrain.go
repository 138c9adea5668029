package ops

import (
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/ir"
)

// Ops of a density on the unconstrained scale.
var (
	Term = ir.Define(&ir.OpDef{Name: "bugs.term",
		Doc:  "Adds a number that belongs to no node to the log density, such as the logarithm of a Jacobian.",
		Args: []string{"value"}, Attrs: []string{"name"}, Infer: inferTerm, Effects: termEffects})

	Constrain = ir.Define(&ir.OpDef{Name: "bugs.constrain",
		Doc: "Writes a node that is a vector or a matrix from numbers of an unconstrained vector, and gives the logarithm of the Jacobian. " +
			"The operands are a part of an array, the same part of an array of positions, and the whole of the vector. " +
			"A position is that of the element in the vector, counted from 1, or 0 for none. `kind` is identity, which leaves elements without a position alone, simplex or cholesky. " +
			"With `inverse` it writes the numbers of the vector from the node, NaN for a node that has none, and gives 0.",
		Args: []string{"operands..."}, Attrs: []string{"kind", "ranges", "inverse"}, Infer: inferConstrain, Effects: constrainEffects})
)

// InverseAttr is that of a bugs.constrain which goes the other way.
const InverseAttr = "inverse"

// The names of arrays and sums that are no variables of the model.
const (
	VectorName        = ".vector"       // the unconstrained vector
	JacobianName      = ".log_jacobian" // the sum of the logarithms of Jacobians
	PositionSuffix    = ".position"     // of each element in the vector, from 1
	PartsSuffix       = ".parts"        // 1 for data, 0 for parameters, -1 for what is left out
	LowerSuffix       = ".lower"        // the limits that dinterval gives elements, or infinite ones
	UpperSuffix       = ".upper"
	UnconstrainedName = "logdensity_unconstrained"
	ConstrainName     = "constrain"   // writes the nodes of a vector
	GenerateName      = "generate"    // writes generated quantities too
	RandomName        = ".random"     // a seed and a stream of random numbers
	UnconstrainName   = "unconstrain" // writes the vector of nodes
)

func inferTerm(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.F64 {
		return 0, c.Errorf("wants one operand of type f64")
	}
	if a := c.Get("name"); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrString {
		return 0, c.Errorf("requires the string attribute 'name'")
	}
	return ir.Void, nil
}

func termEffects(c *ir.Call) []ir.Effect {
	return []ir.Effect{{Kind: ir.Write, On: c.Builder().Named("bugs.density", ir.World)}}
}

func inferConstrain(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	ps, ok := Parts(ctx.Ints(c.Get("ranges")), c.Args, func(i int) int { return ArrayRank(ctx, c.ArgType(i)) })
	if !ok || len(ps) != 3 || ps[0].Scalar || ps[1].Scalar || ps[2].Scalar || ps[2].rank() != 1 {
		return 0, c.Errorf("wants parts of a node, of its positions, and of a vector")
	}
	for _, p := range ps {
		for _, b := range p.Bounds {
			if c.Graph().Type(b) != ir.Index {
				return 0, c.Errorf("bounds must be index")
			}
		}
	}
	if c.Graph().Type(ps[0].Array) != c.Graph().Type(ps[1].Array) {
		return 0, c.Errorf("the positions must have the type of the node")
	}
	kind := ""
	if a := c.Get("kind"); a != 0 {
		kind = ctx.AttrInfo(a).Str
	}
	rank := map[string]int{support.Identity.String(): 1, support.Simplex.String(): 1, support.Cholesky.String(): 2}[kind]
	if rank == 0 || ps[0].rank() != rank || ps[1].rank() != rank {
		return 0, c.Errorf("attribute 'kind' must be identity or simplex for a vector, cholesky for a matrix")
	}
	return ir.F64, nil
}

func constrainEffects(c *ir.Call) []ir.Effect {
	b, ctx := c.Builder(), c.Ctx()
	var arrays []ir.Effect // the node, the positions, the vector
	for i, v := range c.Args {
		if IsArray(ctx, c.ArgType(i)) {
			arrays = append(arrays, ir.Effect{Kind: ir.Read, On: b.ResourceOf(v)})
		}
	}
	written := 0
	if c.Get(InverseAttr) != 0 {
		written = len(arrays) - 1
	}
	if len(arrays) > 0 {
		arrays[written].Kind = ir.Write
	}
	return arrays
}

// Constrained is the array that a bugs.constrain writes.
func Constrained(g *ir.Graph, v ir.Value) ir.Value {
	args := g.Args(v)
	if g.Attr(v, InverseAttr) == 0 {
		return args[0]
	}
	ps, _ := Parts(g.Ctx.Ints(g.Attr(v, "ranges")), args, func(i int) int { return ArrayRank(g.Ctx, g.Type(args[i])) })
	return ps[2].Array
}
