package vector

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// A transfer is what the attributes of vector.transfer_read and transfer_write say.
type transfer struct {
	shape    []int64 // of the vector, without the dimensions of its elements in memory
	dims     []int   // for each dimension of the vector that of memory, -1 where it is repeated
	inBounds []bool
}

func transferOf(c *ir.Context, attr ir.Attr, t ir.Type) *transfer {
	x := &transfer{}
	for _, e := range expr.MapOf(c, c.Get(attr, "permutation_map")).Results {
		d := nowhere
		if e.Op == expr.OpDim {
			d = int(e.N)
		}
		x.dims = append(x.dims, d)
	}
	x.shape = shapeOf(c, t)[:len(x.dims)]
	for _, b := range c.AttrInfo(c.Get(attr, "in_bounds")).List {
		x.inBounds = append(x.inBounds, c.AttrInfo(b).Int != 0)
	}
	return x
}

// order lists the dimensions of the vector that are transferred, as they stand in memory.
func (x *transfer) order() []int {
	var out []int
	for i, d := range x.dims {
		if d != nowhere {
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(i, j int) int { return x.dims[i] - x.dims[j] })
	return out
}

// maskShape is that of a mask: the dimensions that are transferred, in the order of memory. With
// none it is one lane.
func (x *transfer) maskShape() []int64 {
	if out := pick(x.shape, x.order()); len(out) > 0 {
		return out
	}
	return []int64{1}
}

// minor is the map that takes the last dimensions of memory.
func minor(rank, n int) *expr.Map {
	m := &expr.Map{Dims: rank}
	for d := rank - n; d < rank; d++ {
		m.Results = append(m.Results, expr.Dim(d))
	}
	return m
}

// inferTransfer checks a transfer of a vector of type t with memory, operand m; indices and a mask
// (or 0) follow from segments.
func inferTransfer(c *ir.Call, t ir.Type, m int, indices []ir.Value, mask ir.Value, write bool) error {
	x := c.Ctx()
	info, err := isVector(c, "vector", t)
	if err != nil {
		return err
	}
	mem, err := memory(c, m, indices, true)
	if err != nil {
		return err
	}
	elem := shapeOf(x, mem.Elem)
	n := len(info.Shape) - len(elem)
	switch {
	case n < 0:
		return c.Errorf("the elements of memory are %s, which have more dimensions than %s", quote(c, mem.Elem), quote(c, t))
	case !sameElements(x, c.ArgType(m), t) && (minorBits(x, mem.Elem) == 0 || minorBits(x, t)%minorBits(x, mem.Elem) != 0):
		return c.Errorf("requires the bitwidth of the minor 1-D vector to be an integral multiple of the bitwidth of the source element: %d and %d", minorBits(x, t), minorBits(x, mem.Elem))
	}
	a := c.Get("permutation_map")
	if a == 0 || x.AttrInfo(a).Kind != ir.AttrMap {
		return c.Errorf("requires attribute 'permutation_map'")
	}
	pm := expr.MapOf(x, a)
	if pm.Syms != 0 {
		return c.Errorf("requires permutation_map without symbols")
	}
	if pm.Dims != len(mem.Shape) {
		return c.Errorf("requires a permutation_map with input dims of the same rank as the source: %d and %d", pm.Dims, len(mem.Shape))
	}
	if len(pm.Results) != n {
		return c.Errorf("requires a permutation_map with result dims of the same rank as the vector type: %d and %d", len(pm.Results), n)
	}
	if err := checkInBounds(c, pm, write); err != nil {
		return err
	}
	if mask != 0 {
		tr := transferOf(x, c.Attr, t)
		return isMask(c, "mask", c.Graph().Type(mask), tr.maskShape())
	}
	return nil
}

// sameElements reports that the last dimensions of a vector are elements of memory. MLIR also takes a
// vector of other elements, of whose bits it says nothing; that is read, and not run.
func sameElements(c *ir.Context, memory, t ir.Type) bool {
	elem := c.Info(memory).Elem
	shape := shapeOf(c, elem)
	n := len(shapeOf(c, t)) - len(shape)
	return c.ElemOrSelf(elem) == c.ElemOrSelf(t) && n >= 0 && slices.Equal(shapeOf(c, t)[n:], shape)
}

// minorBits are the bits of the last dimension of a vector, or of a scalar.
func minorBits(c *ir.Context, t ir.Type) int64 {
	bits := int64(c.Info(c.ElemOrSelf(t)).Width)
	if shape := shapeOf(c, t); len(shape) > 0 {
		bits *= shape[len(shape)-1]
	}
	return bits
}

// otherElements is why a transfer is not run.
var otherElements = &interp.Unsupported{Reason: "takes the bits of elements for those of others", Fix: "transfer elements of the vector's own type, and use vector.bitcast"}

// checkInBounds checks the results of a permutation map, and which of them are in bounds.
func checkInBounds(c *ir.Call, m *expr.Map, write bool) error {
	x := c.Ctx()
	a := c.Get("in_bounds")
	if a == 0 || x.AttrInfo(a).Kind != ir.AttrArray {
		return c.Errorf("requires attribute 'in_bounds', a list of true and false")
	}
	list := x.AttrInfo(a).List
	if len(list) != len(m.Results) {
		return c.Errorf("expects the in_bounds attr of same rank as permutation_map results: %d and %d", len(list), len(m.Results))
	}
	var seen []int64
	for i, e := range m.Results {
		if x.AttrInfo(list[i]).Kind != ir.AttrInt || x.AttrInfo(list[i]).Type != ir.I1 {
			return c.Errorf("requires attribute 'in_bounds', a list of true and false")
		}
		switch {
		case e.Is(0):
			if write {
				return c.Errorf("should not have broadcast dimensions")
			}
			if x.AttrInfo(list[i]).Int == 0 {
				return c.Errorf("requires broadcast dimensions to be in-bounds")
			}
		case e.Op != expr.OpDim || slices.Contains(seen, e.N):
			return c.Errorf("requires a projected permutation_map (at most one dim or the zero constant can appear in each result)")
		default:
			seen = append(seen, e.N)
		}
	}
	return nil
}

// transferSegments splits the operands, of which n have one value each before the indices; sizes are
// filled in where they follow from the rest.
func transferSegments(c *ir.Call, n int) ([]int64, error) {
	seg := c.Ctx().Ints(c.Get("operandSegmentSizes"))
	total := int64(0)
	for _, k := range seg {
		if k < 0 {
			return nil, c.Errorf("'operandSegmentSizes' has a negative number")
		}
		total += k
	}
	if len(seg) != n || total != int64(len(c.Args)) {
		return nil, c.Errorf("'operandSegmentSizes' has %d numbers that add up to %d, for %d operands", len(seg), total, len(c.Args))
	}
	return seg, nil
}

func inferTransferRead(c *ir.Call) (ir.Type, error) {
	seg, err := transferSegments(c, 4)
	if err != nil {
		return 0, err
	}
	if seg[0] != 1 || seg[2] != 1 || seg[3] > 1 {
		return 0, c.Errorf("expects a source, indices, a padding value, and perhaps a mask")
	}
	at := int(seg[1]) + 1
	mask := ir.Value(0)
	if seg[3] == 1 {
		mask = c.Args[at+1]
	}
	if err := inferTransfer(c, c.Type, 0, c.Args[1:at], mask, false); err != nil {
		return 0, err
	}
	if elem := c.Ctx().Info(c.ArgType(0)).Elem; c.ArgType(at) != elem {
		return 0, c.Errorf("expects the padding to be of type %s, the elements of the source, and it is %s", quote(c, elem), quote(c, c.ArgType(at)))
	}
	return c.Type, nil
}

func inferTransferWrite(c *ir.Call) (ir.Type, error) {
	seg, err := transferSegments(c, 4)
	if err != nil {
		return 0, err
	}
	if seg[0] != 1 || seg[1] != 1 || seg[3] > 1 {
		return 0, c.Errorf("expects a vector, a destination, indices, and perhaps a mask")
	}
	at := int(seg[2]) + 2
	mask := ir.Value(0)
	if seg[3] == 1 {
		mask = c.Args[at]
	}
	gives := ir.Void
	if isTensor(c, 1) {
		gives = c.ArgType(1)
	}
	return gives, inferTransfer(c, c.ArgType(0), 1, c.Args[2:at], mask, true)
}

// places finds, for each point of the shape of a transfer, the element of memory, -1 for what the mask
// leaves out or lies out of bounds.
func (x *transfer) places(m *interp.Machine, r *interp.MemRef, indices []ir.Val, mask ir.Vector) ([]int, error) {
	if err := m.Spend(int64(count(x.shape))); err != nil {
		return nil, err
	}
	if err := noPoison(indices); err != nil {
		return nil, err
	}
	out, at := make([]int, count(x.shape)), make([]ir.Val, len(indices))
	order, strides := x.order(), stridesOf(x.maskShape())
	var err error
	points(x.shape, func(i int, p []int) {
		if out[i] = nowhere; err != nil {
			return
		}
		if mask != nil {
			lane := 0
			for k, d := range order {
				lane += p[d] * strides[k]
			}
			if mask[lane].Ref != nil {
				err = ir.Trapf("lane %d of the mask is poison", lane)
				return
			}
			if !mask[lane].Bool() {
				return
			}
		}
		copy(at, indices)
		for _, d := range order {
			to := &at[x.dims[d]]
			if to.Bits += uint64(p[d]); !x.inBounds[d] && to.Ref == nil && to.Bits >= uint64(r.Sizes[x.dims[d]]) {
				return
			}
		}
		out[i], err = r.At(at)
	})
	return out, err
}

// transferRead reads a vector; mask may be nil.
func transferRead(m *interp.Machine, o *interp.Op, args []ir.Val, mask ir.Vector) (ir.Val, error) {
	c := o.G.Ctx
	seg := c.Ints(o.Call.Get("operandSegmentSizes"))
	r, err := memoryOf(o, args, 0)
	if err != nil {
		return ir.Val{}, err
	}
	n, ok := lanes(c, o.Call.Type)
	switch {
	case !ok:
		return ir.Val{}, tooLong
	case !sameElements(c, o.Call.ArgType(0), o.Call.Type):
		return ir.Val{}, otherElements
	}
	at := int(seg[1]) + 1
	x := transferOf(c, o.Call.Attr, o.Call.Type)
	if seg[3] == 1 {
		if mask, err = bothMasks(args[at+1], mask, count(x.maskShape())); err != nil {
			return ir.Val{}, err
		}
	}
	places, err := x.places(m, r, args[1:at], mask)
	if err != nil {
		return ir.Val{}, err
	}
	out := make(ir.Vector, 0, n)
	each := n / len(places)
	elem := func(v ir.Val) { out = append(out, lanesOf(v, each)...) }
	for _, p := range places {
		if p == nowhere {
			elem(args[at])
		} else {
			elem(r.Buf.Load(p))
		}
	}
	return ir.Val{Ref: out}, nil
}

// bothMasks is where two masks are set; the second may be nil.
func bothMasks(v ir.Val, and ir.Vector, n int) (ir.Vector, error) {
	out := slices.Clone(lanesOf(v, n))
	for i := range and {
		switch {
		case out[i].Ref != nil || and[i].Ref != nil:
			return nil, ir.Trapf("lane %d of the mask is poison", i)
		case !and[i].Bool():
			out[i] = and[i]
		}
	}
	return out, nil
}

// transferWrite writes a vector; mask may be nil.
func transferWrite(m *interp.Machine, o *interp.Op, args []ir.Val, mask ir.Vector) error {
	c := o.G.Ctx
	seg := c.Ints(o.Call.Get("operandSegmentSizes"))
	r, err := memoryOf(o, args, 1)
	if err != nil {
		return err
	}
	t := o.Call.ArgType(0)
	n, ok := lanes(c, t)
	switch {
	case !ok:
		return tooLong
	case !sameElements(c, o.Call.ArgType(1), t):
		return otherElements
	}
	at := int(seg[2]) + 2
	x := transferOf(c, o.Call.Attr, t)
	if seg[3] == 1 {
		if mask, err = bothMasks(args[at], mask, count(x.maskShape())); err != nil {
			return err
		}
	}
	places, err := x.places(m, r, args[2:at], mask)
	if err != nil {
		return err
	}
	lanes, each := lanesOf(args[0], n), n/len(places)
	elem := c.Info(o.Call.ArgType(1)).Elem
	for i, p := range places {
		if p != nowhere {
			r.Buf.Store(p, valOf(c, elem, lanes[i*each:(i+1)*each]))
		}
	}
	return nil
}

func runTransferRead(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	v, err := transferRead(m, o, args, nil)
	out[0] = v
	return err
}

func runTransferWrite(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	return transferWrite(m, o, args, nil)
}

// rest reads what transfers have behind their operands, and fills in what it leaves out. The
// operands of each segment are so many.
func rest(p *text.Parser, op *text.Op, memory ir.Value, segments []int64, order func(ts []ir.Type) (memory, vector ir.Type)) ir.Type {
	c := p.Ctx()
	p.AttrDict(op)
	at := p.At()
	ts := p.ColonTypes()
	if len(ts) != 2 {
		p.Errorf(at, "expected the types of memory and vector")
	}
	mt, vt := order(ts)
	p.CheckType(memory, mt)
	rank, n := len(c.Info(mt).Shape), len(shapeOf(c, vt))-len(shapeOf(c, c.Info(mt).Elem))
	if op.Prop("permutation_map") == 0 {
		if n < 0 || n > rank {
			p.Errorf(at, "expected a custom permutation_map when rank(source) != rank(destination): %d and %d", rank, n)
		}
		op.SetProp("permutation_map", minor(rank, n).Attr(c))
	}
	if op.Prop("in_bounds") == 0 {
		results := 0
		if c.AttrInfo(op.Prop("permutation_map")).Kind == ir.AttrMap {
			results = len(expr.MapOf(c, op.Prop("permutation_map")).Results)
		}
		op.SetProp("in_bounds", c.ArrayAttr(slices.Repeat([]ir.Attr{c.BoolAttr(false)}, results)...))
	}
	op.SetProp("operandSegmentSizes", c.DenseArray(ir.I32, segments...))
	return vt
}

func parseTransferRead(p *text.Parser, op *text.Op) {
	op.Args = p.Subscripted()
	n := int64(len(op.Args) - 1)
	p.Expect(",")
	op.Args = append(op.Args, p.Operand())
	mask := int64(0)
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
		mask = 1
	}
	t := rest(p, op, op.Args[0], []int64{1, n, 1, mask}, func(ts []ir.Type) (ir.Type, ir.Type) { return ts[0], ts[1] })
	op.SetTypes(t)
}

func parseTransferWrite(p *text.Parser, op *text.Op) {
	v := p.Operand()
	p.Expect(",")
	op.Args = append([]ir.Value{v}, p.Subscripted()...)
	n := int64(len(op.Args) - 2)
	mask := int64(0)
	if p.Optional(",") {
		op.Args = append(op.Args, p.Operand())
		mask = 1
	}
	t := rest(p, op, op.Args[1], []int64{1, 1, n, mask}, func(ts []ir.Type) (ir.Type, ir.Type) { return ts[1], ts[0] })
	p.CheckType(v, t)
}

func printTransferRead(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args, seg := g.Args(v), p.Ctx().Ints(p.Prop(v, "operandSegmentSizes"))
	p.Str(" ")
	p.Subscripted(args[:1+seg[1]])
	p.Str(", ")
	p.Values(args[1+seg[1]:])
	printRest(p, v, g.Type(args[0]), g.Type(v), g.Type(args[0]), g.Type(v))
}

func printTransferWrite(p *text.Printer, v ir.Value) {
	g := p.Graph()
	args, seg := g.Args(v), p.Ctx().Ints(p.Prop(v, "operandSegmentSizes"))
	p.Str(" ")
	p.Value(args[0])
	p.Str(", ")
	p.Subscripted(args[1 : 2+seg[2]])
	if seg[3] == 1 {
		p.Str(", ")
		p.Value(args[2+seg[2]])
	}
	printRest(p, v, g.Type(args[1]), g.Type(args[0]), g.Type(args[0]), g.Type(args[1]))
}

// printRest leaves out the map of the last dimensions, and in_bounds where none is.
func printRest(p *text.Printer, v ir.Value, memory, vector ir.Type, ts ...ir.Type) {
	c := p.Ctx()
	elide := []string{"operandSegmentSizes"}
	m := expr.MapOf(c, p.Prop(v, "permutation_map"))
	if n := len(m.Results); n <= m.Dims && m.String() == minor(m.Dims, n).String() {
		elide = append(elide, "permutation_map")
	}
	if !slices.ContainsFunc(c.AttrInfo(p.Prop(v, "in_bounds")).List, func(a ir.Attr) bool { return c.AttrInfo(a).Int != 0 }) {
		elide = append(elide, "in_bounds")
	}
	p.AttrDict(v, elide...)
	p.Str(" : ")
	p.Types(ts)
}
