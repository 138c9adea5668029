package linalg

import (
	"slices"
	"sync"

	"github.com/irc-lang/irc/ir"
)

const traits = ir.NoCapture | ir.Partial | ir.SingleRegion

// Ops that say by attributes and a region what they compute.
var (
	Generic = ir.Define(&ir.OpDef{
		Name: "linalg.generic", Doc: "Runs its region for all points of nested loops: a map for each operand says which element of it a point reads, and of outputs writes.",
		Args: []string{"inputs...", "outputs..."}, Attrs: []string{"doc", "indexing_maps", "iterator_types", "library_call", "operandSegmentSizes"},
		Traits: traits, Body: ir.Loop, Infer: form(genericStructure).inferSegmented, Effects: form(genericStructure).effects, Traps: form(genericStructure).traps})

	Map = ir.Define(&ir.OpDef{
		Name: "linalg.map", Doc: "Sets each element to what its region makes of the inputs' elements there.",
		Args: []string{"inputs...", "init"}, Traits: traits, Body: ir.Loop, Infer: form(mapStructure).infer, Effects: form(mapStructure).effects, Traps: form(mapStructure).traps})

	Reduce = ir.Define(&ir.OpDef{
		Name: "linalg.reduce", Doc: "Combines the elements along some dimensions, one after the other, with what is there.",
		Args: []string{"operands..."}, Attrs: []string{"dimensions"},
		Traits: traits, Body: ir.Loop, Infer: form(reduceStructure).infer, Effects: form(reduceStructure).effects, Traps: form(reduceStructure).traps})

	Transpose = ir.Define(&ir.OpDef{
		Name: "linalg.transpose", Doc: "Copies to dimension i what is in dimension permutation[i] of the input.",
		Args: []string{"input", "init"}, Attrs: []string{"permutation"},
		Traits: traits, Body: ir.Loop, Infer: form(transposeStructure).infer, Effects: form(transposeStructure).effects, Traps: form(transposeStructure).traps})

	Broadcast = ir.Define(&ir.OpDef{
		Name: "linalg.broadcast", Doc: "Copies the input to all places along the dimensions that it lacks.",
		Args: []string{"input", "init"}, Attrs: []string{"dimensions"},
		Traits: traits, Body: ir.Loop, Infer: form(broadcastStructure).infer, Effects: form(broadcastStructure).effects, Traps: form(broadcastStructure).traps})
)

// What stands in regions.
var (
	Index = ir.Define(&ir.OpDef{
		Name: "linalg.index", Doc: "The index of a loop of the op whose region it stands in.",
		Attrs: []string{"dim"}, Traits: ir.Partial, Infer: inferIndex})

	Yield = ir.Define(&ir.OpDef{
		Name: "linalg.yield", Doc: "Ends a region with what the outputs' elements become.",
		Args: []string{"values..."}, Traits: ir.Terminator, Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})
)

// A namedOp is a row. What its texts say is read when first asked for: most programs have few of these ops.
type namedOp struct {
	*Row
	space func() space
	body  func() *term
}

// fun is the function of elemwise_unary and elemwise_binary unless the attribute fun says another.
func (n *namedOp) fun() string {
	if len(n.space().operands) == 3 {
		return "add"
	}
	return "exp"
}

// namedOps are the ops of the rows, in order, and named says what they are.
var namedOps, named = readRows()

func readRows() (list []*ir.OpDef, byOp map[*ir.OpDef]*namedOp) {
	byOp = map[*ir.OpDef]*namedOp{}
	for i := range rows {
		n := &namedOp{Row: &rows[i], space: sync.OnceValue(func() space { return readSpace(rows[i].Space) }),
			body: sync.OnceValue(func() *term { return readTerm(rows[i].Body) })}
		attrs := append(slices.Clone(n.Attrs), "operandSegmentSizes")
		slices.Sort(attrs)
		f := form(n.structure)
		def := ir.Define(&ir.OpDef{Name: "linalg." + n.Name, Doc: n.Doc, Args: []string{"inputs...", "outputs..."}, Attrs: attrs,
			Traits: traits, Body: ir.Loop, Infer: n.infer, Effects: f.effects, Traps: f.traps})
		byOp[def] = n
		list = append(list, def)
	}
	return list, byOp
}

// forms say how the structure of each op follows from its attributes.
var forms = allForms()

func allForms() map[*ir.OpDef]form {
	out := map[*ir.OpDef]form{Generic: genericStructure, Map: mapStructure, Reduce: reduceStructure, Transpose: transposeStructure, Broadcast: broadcastStructure}
	for def, n := range named {
		out[def] = n.structure
	}
	return out
}

// IsStructured reports an op that has a Structure.
func IsStructured(def *ir.OpDef) bool { return forms[def] != nil }

// Structured are all ops that have a Structure.
func Structured() []*ir.OpDef {
	return append([]*ir.OpDef{Generic, Map, Reduce, Transpose, Broadcast}, namedOps...)
}
