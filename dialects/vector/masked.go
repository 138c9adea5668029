package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

// vector.mask holds the op that it masks, which is not run as it stands there: nothing may fold it
// or move it out. So its region is a barrier, and the ops that it may hold fold in none.

// quoted reports that an op is being made in a region like that of vector.mask.
func quoted(c *ir.Call) bool {
	b := c.Builder()
	return b.Graph().KindOf(b.Current()) == ir.Barrier
}

// lanesEach counts the lanes of types; there is no value of an op that is quoted, or of vectors that are too long.
func lanesEach(c *ir.Call, ts ...ir.Type) ([]int, error) {
	if quoted(c) {
		return nil, ir.ErrNoValue
	}
	out := make([]int, len(ts))
	for i, t := range ts {
		n, ok := lanes(c.Ctx(), t)
		if !ok {
			return nil, tooLong
		}
		out[i] = n
	}
	return out, nil
}

// maskable are the ops that know what a mask is to them. Other ops that are pure and never trap give
// the pass-through value where the mask is not set.
var maskable = []*ir.OpDef{Contract, Gather, MultiReduction, OuterProduct, Reduction, TransferRead, TransferWrite}

// inner is the op that a region of vector.mask holds, or 0 if it only yields.
func inner(g *ir.Graph, region ir.Region) (v ir.Value, n int) {
	for _, x := range g.Members(region) {
		if _, _, result := g.Projection(x); x != g.Term(region) && !result && g.Type(x) != ir.Token {
			v = x
			n++
		}
	}
	return v, n
}

func inferMask(c *ir.Call) (ir.Type, error) {
	if len(c.Regions) != 1 {
		return 0, c.Errorf("has one region")
	}
	g, r := c.Graph(), c.Regions[0]
	term := g.Term(r)
	if term == 0 || g.Def(term) != Yield {
		return 0, c.Errorf("expects its region to end with '%s'", Yield.Name)
	}
	if len(g.Params(r)) != 0 {
		return 0, c.Errorf("its region has no arguments")
	}
	types := lists.Map(g.Args(term), g.Type)
	v, n := inner(g, r)
	switch {
	case n > 1:
		return 0, c.Errorf("expects only one operation to mask")
	case n == 1 && !canMask(g.Def(v)):
		return 0, c.Errorf("expects a maskable operation, which '%s' is not", g.Def(v).Name)
	}
	if n == 1 {
		if err := maskShape(c, v); err != nil {
			return 0, err
		}
	}
	t := c.Ctx().Multi(types...)
	if c.Type != ir.NoType && c.Type != t {
		return 0, c.Errorf("expects result type to match maskable operation result type: %s and %s", quoteAll(c, c.Type), quoteAll(c, t))
	}
	if len(c.Args) == 2 && c.ArgType(1) != t {
		return 0, c.Errorf("expects passthru type to match result type: %s and %s", quote(c, c.ArgType(1)), quoteAll(c, t))
	}
	return t, nil
}

func quoteAll(c *ir.Call, t ir.Type) string {
	if t == ir.Void {
		return "none"
	}
	return quote(c, t)
}

func canMask(def *ir.OpDef) bool {
	return slices.Contains(maskable, def.Written()) || def.Has(ir.ConstantLike) || def.Eval != nil && !def.Has(ir.Partial)
}

// maskShape checks that the mask has a lane for each point that the op goes through.
func maskShape(c *ir.Call, v ir.Value) error {
	g, x := c.Graph(), c.Ctx()
	args := g.Args(v)
	var shape []int64
	switch g.Def(v) {
	case Reduction, MultiReduction, TransferWrite:
		shape = shapeOf(x, g.Type(args[0]))
	case Contract:
		shape = contractionOf(x, g.AttrsOf(v), g.Type(args[0]), g.Type(args[1])).extents
	default:
		shape = shapeOf(x, g.Type(v))
	}
	if def := g.Def(v); def == TransferRead || def == TransferWrite {
		t := g.Type(v)
		if def == TransferWrite {
			t = g.Type(args[0])
		}
		shape = transferOf(x, g.AttrsOf(v), t).maskShape()
	}
	return isMask(c, "mask", c.ArgType(0), shape)
}

// runMask runs the op that is masked, as it is with the mask.
func runMask(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	in, operands := m.Only(o.Regions[0])
	if in == nil || !slices.Contains(maskable, in.Def) {
		ys, err := m.Run(o.Regions[0], nil)
		if err != nil {
			return err
		}
		for i, y := range ys {
			out[i] = chosen(args, y)
		}
		return nil
	}
	n, ok := lanes(o.G.Ctx, o.Call.ArgType(0))
	if !ok {
		return tooLong
	}
	var err error
	var v ir.Val
	switch mask := lanesOf(args[0], n); in.Def {
	case Reduction:
		v, err = reduceLanes(in.Call, chosenLanes(operands[0], mask), operands[1:])
	case MultiReduction:
		v, err = multiReduced(in.Call, operands, mask)
	case Contract:
		v, err = contractMasked(in.Call, operands, mask)
	case OuterProduct:
		v, err = outerMasked(in.Call, operands, mask)
	case Gather:
		v, err = gather(m, in, operands, mask)
	case TransferRead:
		v, err = transferRead(m, in, operands, mask)
	case TransferWrite:
		return transferWrite(m, in, operands, mask)
	}
	if err == nil {
		out[0] = chosen(args, v)
	}
	return err
}

// chosen is a value, or the pass-through value where the mask is not set, if there is one that
// is like the mask.
func chosen(args []ir.Val, v ir.Val) ir.Val {
	if len(args) < 2 {
		return v
	}
	mask, ok := args[0].Ref.(ir.Vector)
	if !ok {
		return elementwise.Poisoned
	}
	if vec, ok := args[1].Ref.(ir.Vector); ok && len(vec) != len(mask) || !ok && !args[1].IsPoison() {
		return v // of a reduction, which has no lane for each of the mask
	}
	no, yes := lanesOf(args[1], len(mask)), lanesOf(v, len(mask))
	out := make(ir.Vector, len(mask))
	for i, b := range mask {
		switch {
		case b.Ref != nil:
			out[i] = elementwise.Poisoned
		case b.Bool():
			out[i] = yes[i]
		default:
			out[i] = no[i]
		}
	}
	return ir.Val{Ref: out}
}

// chosenLanes are the lanes of a vector that a mask does not leave out.
func chosenLanes(v ir.Val, mask ir.Vector) (out ir.Vector) {
	for i, x := range lanesOf(v, len(mask)) {
		switch b := mask[i]; {
		case b.Ref != nil:
			out = append(out, elementwise.Poisoned)
		case b.Bool():
			out = append(out, x)
		}
	}
	return out
}

// parseMask reads `%m, %passthru { op } : mask -> type`.
func parseMask(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
	}
	p.RegionOf(op, Yield)
	p.AttrDict(op)
	p.CheckType(op.Args[0], p.ColonType())
	var ts []ir.Type
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	op.SetTypes(ts...)
}

func printMask(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Values(g.Args(v))
	p.Region(v, 0, text.RegionStyle{Implicit: Yield, Inline: true})
	p.AttrDict(v)
	p.Str(" : ")
	p.Type(g.Type(g.Args(v)[0]))
	if ts := p.Ctx().Results(g.Type(v)); len(ts) > 0 {
		p.Str(" -> ")
		p.Types(ts)
	}
}
