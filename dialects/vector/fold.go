package vector

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
)

var folds = slices.Concat(inPlace(), []ir.Fold{
	{Of: Extract, Rule: "an element of moved lanes is an element of what they were moved from", Do: elementMoved},
	{Of: ExtractElement, Rule: "an element at a constant position = extract", Do: elementAtConst},
	{Of: InsertElement, Rule: "a vector with another element at a constant position = insert", Do: insertAtConst},
	{Of: Bitcast, Rule: "a bitcast to the same type is nothing", Do: sameType},
	{Of: ShapeCast, Rule: "shape_cast(shape_cast(x)) = x, if that is the type wanted", Do: castBack},
	{Of: Transpose, Rule: "transpose(transpose(x)) = transpose(x)", Do: transposeTwice},
	{Of: Extract, Rule: "extract of an insert at the same position = what was inserted", Do: extractInserted},
	{Of: Load, Rule: "vector.load after vector.store to the same place = the stored vector", Do: loadStored},
	{Of: MaskedLoad, Rule: "vector.maskedload with all lanes set = vector.load", Do: loadUnmasked},
	{Of: MaskedStore, Rule: "vector.maskedstore with all lanes set = vector.store", Do: storeUnmasked},
	{Of: MaskedLoad, Rule: "vector.maskedload with no lane set is its pass-through value", Do: noLanesRead},
	{Of: ExpandLoad, Rule: "vector.expandload with no lane set is its pass-through value", Do: noLanesRead},
	{Of: Gather, Rule: "vector.gather with no lane set is its pass-through value", Do: noLanesRead},
	{Of: MaskedStore, Rule: "vector.maskedstore with no lane set is nothing", Do: noLanesWritten},
	{Of: CompressStore, Rule: "vector.compressstore with no lane set is nothing", Do: noLanesWritten},
	{Of: Scatter, Rule: "vector.scatter with no lane set is nothing", Do: noLanesWritten},
	elementwise.DefaultFlags(Reduction),
})

// inPlace are the rules that drop ops which move nothing.
func inPlace() (out []ir.Fold) {
	for _, x := range []struct {
		of *ir.OpDef
		by string
	}{{Broadcast, "a broadcast to the same type"}, {ShapeCast, "a shape_cast to the same type"}, {Transpose, "a transposition by the identity"},
		{Shuffle, "a shuffle that takes all rows of one operand in order"}, {Extract, "an extract of everything"}} {
		out = append(out, ir.Fold{Of: x.of, Rule: x.by + " is nothing", Do: movesNothing(x.of)})
	}
	return out
}

func sameType(_ *ir.Builder, c *ir.Call) ir.Value {
	if c.Type == c.ArgType(0) {
		return c.Args[0]
	}
	return 0
}

// movesNothing finds the operand that the result is, lane by lane.
func movesNothing(def *ir.OpDef) func(*ir.Builder, *ir.Call) ir.Value {
	return func(b *ir.Builder, c *ir.Call) ir.Value {
		if !slices.ContainsFunc(c.Args, func(v ir.Value) bool { return b.Graph().Type(v) == c.Type }) {
			return 0
		}
		from, ok := movesOf(c, movers[def])
		if !ok {
			return 0
		}
		first := 0
		for i, v := range c.Args {
			n, _ := lanes(b.Ctx(), c.ArgType(i))
			if c.ArgType(i) == c.Type && counts(from[0], first, n) {
				return v
			}
			first += n
		}
		return 0
	}
}

// counts reports a list of n numbers that counts on from the first.
func counts(list func(int) int, first, n int) bool {
	for k := range n {
		if list(k) != first+k {
			return false
		}
	}
	return true
}

// elementBudget bounds the moves that an element is followed through.
const elementBudget = 16

// elementMoved follows an element through ops that only moved it.
func elementMoved(b *ir.Builder, c *ir.Call) ir.Value {
	if b.Ctx().Info(c.Type).Kind == ir.KindVector {
		return 0
	}
	from, ok := movesOf(c, extractLanes)
	if !ok {
		return 0
	}
	g, v, lane, steps := b.Graph(), c.Args[0], from[0](0), 0
	for ; steps < elementBudget; steps++ {
		w, k, ok := movedFrom(g, v, lane)
		if !ok {
			break
		}
		v, lane = w, k
	}
	switch {
	case steps == 0:
		return 0
	case g.Type(v) == c.Type:
		return v
	}
	return extractAt(b, v, lane)
}

// movedFrom is the value, and the lane of it, that a lane of a value is.
func movedFrom(g *ir.Graph, v ir.Value, lane int) (ir.Value, int, bool) {
	result := 0
	if n, i, ok := g.Projection(v); ok {
		v, result = n, i
	}
	from, ok := Moves(g, v)
	if !ok {
		return 0, 0, false
	}
	if lane = from[result](lane); lane == nowhere {
		return 0, 0, false
	}
	for _, a := range g.Args(v) {
		n, _ := lanes(g.Ctx, g.Type(a))
		if lane < n {
			return a, lane, true
		}
		lane -= n
	}
	return 0, 0, false
}

// extractAt makes the op that extracts a lane.
func extractAt(b *ir.Builder, v ir.Value, lane int) ir.Value {
	shape := shapeOf(b.Ctx(), b.Graph().Type(v))
	at := make([]int64, len(shape))
	for d, s := range stridesOf(shape) {
		at[d], lane = int64(lane/s), lane%s
	}
	return b.OpAttr(Extract, positionAttr(b.Ctx(), at...), v)
}

// positionAttr is the property static_position.
func positionAttr(c *ir.Context, at ...int64) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "static_position", Value: c.DenseArray(ir.I64, at...)}}, nil)
}

// elementAtConst and insertAtConst leave positions alone that lie outside: what they give is poison.
func elementAtConst(b *ir.Builder, c *ir.Call) ir.Value {
	at, ok := constPosition(c, 0)
	if !ok {
		return 0
	}
	return b.OpAttr(Extract, positionAttr(b.Ctx(), at...), c.Args[0])
}

func insertAtConst(b *ir.Builder, c *ir.Call) ir.Value {
	at, ok := constPosition(c, 1)
	if !ok {
		return 0
	}
	return b.OpAttr(Insert, positionAttr(b.Ctx(), at...), c.Args[0], c.Args[1])
}

// constPosition is the position behind a vector, operand v, if that is a constant in it.
func constPosition(c *ir.Call, v int) (at []int64, ok bool) {
	shape := shapeOf(c.Ctx(), c.ArgType(v))
	if len(c.Args) == v+1 {
		return nil, true
	}
	x, ok := c.Const(v + 1)
	if !ok || x.Ref != nil || x.Bits >= uint64(shape[0]) || c.Ctx().Info(c.ArgType(v)).Scalable != nil {
		return nil, false
	}
	return []int64{int64(x.Bits)}, true
}

// castBack leaves out two shape casts, of which the second undoes the first.
func castBack(b *ir.Builder, c *ir.Call) ir.Value {
	if args, _, ok := elementwise.From(c, 0, ShapeCast); ok && b.Graph().Type(args[0]) == c.Type {
		return args[0]
	}
	return 0
}

func transposeTwice(b *ir.Builder, c *ir.Call) ir.Value {
	args, attr, ok := elementwise.From(c, 0, Transpose)
	if !ok {
		return 0
	}
	x := b.Ctx()
	first, perm := x.Ints(x.Get(attr, "permutation")), slices.Clone(x.Ints(c.Get("permutation")))
	for i, d := range perm {
		perm[i] = first[d]
	}
	return b.OpAttr(Transpose, x.With(c.Attr, "permutation", x.DenseArray(ir.I64, perm...)), args[0])
}

// extractInserted leaves positions alone that are known only when the program runs: outside of the
// vector what is inserted makes poison.
func extractInserted(b *ir.Builder, c *ir.Call) ir.Value {
	args, attr, ok := elementwise.From(c, 0, Insert)
	if !ok || len(args) > 2 || len(c.Args) > 1 || b.Ctx().Get(attr, "static_position") != c.Get("static_position") || b.Graph().Type(args[0]) != c.Type {
		return 0
	}
	return args[0]
}

// loadStored forwards the last write of the memory, if it stored such a vector there.
func loadStored(b *ir.Builder, c *ir.Call) ir.Value {
	g := b.Graph()
	w := b.LastWrite(b.ResourceOf(c.Args[0]))
	if g.Def(w) != Store || !slices.Equal(g.Args(w)[1:], c.Args) || g.Type(g.Args(w)[0]) != c.Type {
		return 0
	}
	if len(shapeOf(b.Ctx(), c.Type)) > 1 && !layouts.Injective(b.Ctx(), c.ArgType(0)) {
		return 0 // rows may lie on top of one another
	}
	return g.Args(w)[0]
}

// maskIs reports that all lanes of the mask of an access are set, or that none is.
func maskIs(c *ir.Call, set uint64) bool {
	x, ok := elementwise.Number(c, len(c.Args)-2)
	return ok && x == set
}

func loadUnmasked(b *ir.Builder, c *ir.Call) ir.Value {
	if !maskIs(c, 1) {
		return 0
	}
	return b.Must(ir.Call{Def: Load, Args: c.Args[:len(c.Args)-2], Attr: c.Attr, Type: c.Type, Loc: c.Loc})
}

func storeUnmasked(b *ir.Builder, c *ir.Call) ir.Value {
	n := len(c.Args)
	if !maskIs(c, 1) {
		return 0
	}
	return b.Must(ir.Call{Def: Store, Args: append([]ir.Value{c.Args[n-1]}, c.Args[:n-2]...), Attr: c.Attr, Loc: c.Loc})
}

func noLanesRead(_ *ir.Builder, c *ir.Call) ir.Value {
	if !maskIs(c, 0) || quoted(c) {
		return 0
	}
	return c.Args[len(c.Args)-1]
}

func noLanesWritten(b *ir.Builder, c *ir.Call) ir.Value {
	if !maskIs(c, 0) {
		return 0
	}
	return b.Pack()
}
