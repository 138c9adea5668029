package memref

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"slices"
)

func void(c *ir.Call) (ir.Type, error) { return ir.Void, nil }

// wantArgs checks the number of operands, and from on first that they are
// of type index.
func wantArgs(c *ir.Call, least, most, first int) error {
	if len(c.Args) < least || most >= 0 && len(c.Args) > most {
		return c.Errorf("expects %d operands, has %d", least, len(c.Args))
	}
	if first < 0 {
		return nil
	}
	return indices(c, c.Args[first:])
}

func indices(c *ir.Call, vs []ir.Value) error {
	for _, v := range vs {
		if c.Graph().Type(v) != ir.Index {
			return c.Errorf("sizes and indices must be of type index")
		}
	}
	return nil
}

// ranked returns what a type consists of if it is a ranked memref.
func ranked(c *ir.Call, what string, t ir.Type) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(t)
	if info.Kind != ir.KindMemRef || info.Unranked {
		return nil, c.Errorf("%s must be a ranked memref", what)
	}
	return info, nil
}

func anyMemref(c *ir.Call, what string, t ir.Type) (*ir.TypeInfo, error) {
	info := c.Ctx().Info(t)
	if info.Kind != ir.KindMemRef {
		return nil, c.Errorf("%s must be a memref", what)
	}
	return info, nil
}

// source checks the operands, as wantArgs does, and that the first is a memref:
// ranked, or anyMemref.
func source(c *ir.Call, least, most, first int, memref func(*ir.Call, string, ir.Type) (*ir.TypeInfo, error), what string) (*ir.TypeInfo, error) {
	if err := wantArgs(c, least, most, first); err != nil {
		return nil, err
	}
	return memref(c, what, c.ArgType(0))
}

// sourceAndResult is source for an op whose result is a memref too.
func sourceAndResult(c *ir.Call, least, most, first int, memref func(*ir.Call, string, ir.Type) (*ir.TypeInfo, error), what string) (src, dst *ir.TypeInfo, err error) {
	if src, err = source(c, least, most, first, memref, what); err == nil {
		dst, err = memref(c, "result", c.Type)
	}
	return src, dst, err
}

func count(list []int64, x int64) int {
	n := 0
	for _, y := range list {
		if x == y {
			n++
		}
	}
	return n
}

func inferAlloc(c *ir.Call) (ir.Type, error) {
	info, err := ranked(c, "result", c.Type)
	if err != nil {
		return 0, err
	}
	if c.Get("operandSegmentSizes") == 0 {
		c.Attr = c.Ctx().With(c.Attr, "operandSegmentSizes", c.Ctx().DenseArray(ir.I32, int64(len(c.Args)), 0))
	}
	seg, err := c.Segments(2)
	if err != nil {
		return 0, err
	}
	if err := indices(c, c.Args); err != nil {
		return 0, err
	}
	if n := count(info.Shape, ir.Dynamic); n != len(seg[0]) {
		return 0, c.Errorf("dimension operand count does not equal memref dynamic dimension count: %d and %d", len(seg[0]), n)
	}
	if n := symbolCount(c.Ctx(), c.Type); n != len(seg[1]) {
		return 0, c.Errorf("symbol operand count does not equal memref symbol count: %d and %d", len(seg[1]), n)
	}
	return c.Type, nil
}

func inferRealloc(c *ir.Call) (ir.Type, error) {
	from, to, err := sourceAndResult(c, 1, 2, 1, ranked, "source")
	if err != nil {
		return 0, err
	}
	if len(from.Shape) != 1 || len(to.Shape) != 1 || from.Elem != to.Elem || from.Space != to.Space {
		return 0, c.Errorf("source and result must be one-dimensional, of one element type and memory space")
	}
	if from.Layout != 0 || to.Layout != 0 {
		return 0, c.Errorf("unsupported layout of source or result")
	}
	if (to.Shape[0] == ir.Dynamic) != (len(c.Args) == 2) {
		return 0, c.Errorf("a size is given exactly if the result's is dynamic")
	}
	return c.Type, nil
}

func inferDealloc(c *ir.Call) (ir.Type, error) {
	_, err := source(c, 1, 1, -1, anyMemref, "operand #0")
	return ir.Void, err
}

func inferAllocaScope(c *ir.Call) (ir.Type, error) {
	if len(c.Regions) != 1 || len(c.Args) != 0 {
		return 0, c.Errorf("has one region and no operands")
	}
	g := c.Graph()
	t := g.Term(c.Regions[0])
	if t == 0 || g.Def(t) != AllocaScopeReturn {
		return 0, c.Errorf("expects its region to end with '%s'", AllocaScopeReturn.Name)
	}
	if len(g.Params(c.Regions[0])) != 0 {
		return 0, c.Errorf("its region has no arguments")
	}
	types := lists.Map(g.Args(t), g.Type)
	return c.Ctx().Multi(types...), nil
}

func inferGlobal(c *ir.Call) (ir.Type, error) {
	x := c.Ctx()
	name, typ := c.Get("sym_name"), c.Get("type")
	if name == 0 || x.AttrInfo(name).Kind != ir.AttrString {
		return 0, c.Errorf("requires a string attribute 'sym_name'")
	}
	if typ == 0 || x.AttrInfo(typ).Kind != ir.AttrType {
		return 0, c.Errorf("requires a type attribute 'type'")
	}
	info, err := ranked(c, "type of a global", x.AttrInfo(typ).Type)
	if err != nil {
		return 0, err
	}
	if count(info.Shape, ir.Dynamic) != 0 {
		return 0, c.Errorf("type should be static shaped memref")
	}
	if a := c.Get("alignment"); a != 0 {
		if n := x.AttrInfo(a).Int; n <= 0 || n&(n-1) != 0 {
			return 0, c.Errorf("alignment attribute value %d is not a power of 2", n)
		}
	}
	if init := c.Get("initial_value"); init != 0 {
		a := x.AttrInfo(init)
		switch a.Kind {
		case ir.AttrUnit:
		case ir.AttrDense, ir.AttrDenseText, ir.AttrOther:
			if a.Type == 0 {
				break
			}
			if t := x.Info(a.Type); t.Elem != info.Elem || !slices.Equal(t.Shape, info.Shape) {
				return 0, c.Errorf("initial value has another shape or element type than the global")
			}
		default:
			return 0, c.Errorf("initial value should be a unit or elements attribute")
		}
	}
	return ir.Void, nil
}

func inferGetGlobal(c *ir.Call) (ir.Type, error) {
	if globalName(c) == "" {
		return 0, c.Errorf("requires a symbol 'name'")
	}
	info, err := ranked(c, "result", c.Type)
	if err == nil && count(info.Shape, ir.Dynamic) != 0 {
		err = c.Errorf("result must be statically shaped memref of any type values")
	}
	return c.Type, err
}

func globalName(c *ir.Call) string {
	a := c.Get("name")
	if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrSymbol {
		return ""
	}
	return c.Ctx().AttrInfo(a).Str
}

// access checks a memref at operand m with indices after it.
func access(c *ir.Call, m int) (*ir.TypeInfo, error) {
	if err := wantArgs(c, m+1, -1, m+1); err != nil {
		return nil, err
	}
	info, err := ranked(c, "memref operand", c.ArgType(m))
	if err == nil && len(c.Args) != m+1+len(info.Shape) {
		err = c.Errorf("incorrect number of indices: %d for a memref of rank %d", len(c.Args)-m-1, len(info.Shape))
	}
	return info, err
}

func inferLoad(c *ir.Call) (ir.Type, error) {
	info, err := access(c, 0)
	if err != nil {
		return 0, err
	}
	return info.Elem, nil
}

func inferStore(c *ir.Call) (ir.Type, error) {
	info, err := access(c, 1)
	if err == nil && c.ArgType(0) != info.Elem {
		err = c.Errorf("the value must have the element type of the memref")
	}
	return ir.Void, err
}

func inferCopy(c *ir.Call) (ir.Type, error) {
	a, err := source(c, 2, 2, -1, anyMemref, "source")
	if err != nil {
		return 0, err
	}
	b, err := anyMemref(c, "target", c.ArgType(1))
	if err != nil {
		return 0, err
	}
	if a.Elem != b.Elem {
		return 0, c.Errorf("requires the same element type for all operands")
	}
	if !a.Unranked && !b.Unranked && !compatible(a.Shape, b.Shape) {
		return 0, c.Errorf("requires the same shape for all operands")
	}
	return ir.Void, nil
}

// compatible reports shapes that may be equal at run time.
func compatible(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] != ir.Dynamic && b[i] != ir.Dynamic {
			return false
		}
	}
	return true
}

func inferAtomicRMW(c *ir.Call) (ir.Type, error) {
	info, err := access(c, 1)
	if err != nil {
		return 0, err
	}
	k := c.Get("kind")
	if k == 0 || c.Ctx().AttrInfo(k).Kind != ir.AttrInt || c.Ctx().AttrInfo(k).Int < 0 || c.Ctx().AttrInfo(k).Int >= int64(len(atomicKinds)) {
		return 0, c.Errorf("requires an attribute 'kind' of 0 to %d", len(atomicKinds)-1)
	}
	kind := atomicKinds[c.Ctx().AttrInfo(k).Int]
	if c.ArgType(0) != info.Elem {
		return 0, c.Errorf("the value must have the element type of the memref")
	}
	isFloat, isInt := c.Ctx().IsFloat(info.Elem), c.Ctx().IsInt(info.Elem)
	if kind.float && !isFloat {
		return 0, c.Errorf("with kind '%s' expects a floating-point type", kind.name)
	}
	if kind.integer && !isInt {
		return 0, c.Errorf("with kind '%s' expects an integer type", kind.name)
	}
	if !isFloat && !isInt {
		return 0, c.Errorf("expects an integer or floating-point type")
	}
	return info.Elem, nil
}

// An atomicKind is one of arith's AtomicRMWKind.
type atomicKind struct {
	name           string
	float, integer bool
}

// atomicKinds are numbered as in MLIR.
var atomicKinds = []atomicKind{
	{"addf", true, false}, {"addi", false, true}, {"assign", false, false}, {"maximumf", true, false},
	{"maxs", false, true}, {"maxu", false, true}, {"minimumf", true, false}, {"mins", false, true},
	{"minu", false, true}, {"mulf", true, false}, {"muli", false, true}, {"ori", false, true},
	{"andi", false, true}, {"maxnumf", true, false}, {"minnumf", true, false},
}

func inferGenericAtomicRMW(c *ir.Call) (ir.Type, error) {
	info, err := access(c, 0)
	if err != nil {
		return 0, err
	}
	if len(c.Regions) != 1 {
		return 0, c.Errorf("expects one region, has %d", len(c.Regions))
	}
	g := c.Graph()
	if p := g.Params(c.Regions[0]); len(p) != 1 || g.Type(p[0]) != info.Elem {
		return 0, c.Errorf("expected single number of entry block arguments, of the element type")
	}
	t := g.Term(c.Regions[0])
	if t == 0 || g.Def(t) != AtomicYield {
		return 0, c.Errorf("expects its region to end with '%s'", AtomicYield.Name)
	}
	if g.Type(g.Args(t)[0]) != info.Elem {
		return 0, c.Errorf("its region must yield a value of the element type")
	}
	return info.Elem, nil
}

func inferAtomicYield(c *ir.Call) (ir.Type, error) { return ir.Void, wantArgs(c, 1, 1, -1) }

func inferPrefetch(c *ir.Call) (ir.Type, error) {
	if _, err := access(c, 0); err != nil {
		return 0, err
	}
	for _, name := range c.Def.Attrs {
		if a := c.Get(name); a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrInt {
			return 0, c.Errorf("requires attribute '%s'", name)
		}
	}
	if n := c.Ctx().AttrInfo(c.Get("localityHint")).Int; n < 0 || n > 3 {
		return 0, c.Errorf("attribute 'localityHint' must be 0 to 3, is %d", n)
	}
	return ir.Void, nil
}

func inferAssumeAlignment(c *ir.Call) (ir.Type, error) {
	if err := wantArgs(c, 1, 1, -1); err != nil {
		return 0, err
	}
	a := c.Get("alignment")
	if a == 0 || c.Ctx().AttrInfo(a).Kind != ir.AttrInt || c.Ctx().AttrInfo(a).Int <= 0 {
		return 0, c.Errorf("requires an attribute 'alignment' that is positive")
	}
	if n := c.Ctx().AttrInfo(a).Int; n&(n-1) != 0 {
		return 0, c.Errorf("alignment must be power of 2")
	}
	_, err := ranked(c, "operand #0", c.ArgType(0))
	return ir.Void, err
}

func inferDmaStart(c *ir.Call) (ir.Type, error) {
	pos := 0
	memref := func(what string) error {
		if pos >= len(c.Args) {
			return c.Errorf("expected at least 4 operands")
		}
		info, err := ranked(c, what, c.ArgType(pos))
		if err != nil {
			return err
		}
		pos++
		if pos+len(info.Shape) > len(c.Args) {
			return c.Errorf("incorrect number of indices of %s", what)
		}
		err = indices(c, c.Args[pos:pos+len(info.Shape)])
		pos += len(info.Shape)
		return err
	}
	if err := memref("source"); err != nil {
		return 0, err
	}
	if err := memref("destination"); err != nil {
		return 0, err
	}
	if pos >= len(c.Args) || c.ArgType(pos) != ir.Index {
		return 0, c.Errorf("expected num elements to be of index type")
	}
	pos++
	if err := memref("tag"); err != nil {
		return 0, err
	}
	if n := len(c.Args) - pos; n != 0 && n != 2 {
		return 0, c.Errorf("incorrect number of operands")
	}
	return ir.Void, indices(c, c.Args[pos:])
}

func inferDmaWait(c *ir.Call) (ir.Type, error) {
	info, err := source(c, 2, -1, 1, ranked, "tag")
	if err == nil && len(c.Args) != 2+len(info.Shape) {
		err = c.Errorf("expected tagIndices to have the same number of elements as the tagMemRef rank, expected %d, but got %d", len(info.Shape), len(c.Args)-2)
	}
	return ir.Void, err
}
