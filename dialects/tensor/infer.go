package tensor

import (
	"slices"

	"github.com/irc-lang/irc/ir"
)

func inferEinsum(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes an operand at least")
	}
	var shapes [][]int64
	for i := range c.Args {
		if err := checkTensor(c, i); err != nil {
			return 0, err
		}
		shapes = append(shapes, Shape(c.Ctx(), c.ArgType(i)))
	}
	a := c.Get("spec")
	if a == 0 || c.Ctx().KindOf(a) != ir.AttrString {
		return 0, c.Errorf("has an attribute spec, a string such as \"ij,jk->ik\"")
	}
	text := c.Ctx().AttrInfo(a).Str
	s, err := ParseSpec(text, shapes...)
	if err != nil {
		return 0, c.Errorf("has a spec, %q, that %v", text, err)
	}
	if len(s.Names) > len(alphabet) {
		return 0, c.Errorf("has %d indices, more than there are letters", len(s.Names))
	}
	elem := Elem(c.Ctx(), c.ArgType(0))
	if c.Type != ir.NoType && Takes(c.Ctx(), c.Type) {
		elem = Elem(c.Ctx(), c.Type)
	}
	for i := range c.Args {
		if from := Elem(c.Ctx(), c.ArgType(i)); !widens(c.Ctx(), from, elem) {
			return 0, c.Errorf("sums up elements of type %s, to which the %s of operand #%d are not widened", spell(c.Ctx(), elem), spell(c.Ctx(), from), i)
		}
	}
	kept := s.Kept()
	if c.Type != ir.NoType && Takes(c.Ctx(), c.Type) && saysMore(Shape(c.Ctx(), c.Type), kept) {
		kept = Shape(c.Ctx(), c.Type) // which is checked when the op runs
	}
	return result(c, kept, elem)
}

// saysMore reports a shape that says extents which the other one leaves open.
func saysMore(shape, than []int64) bool {
	if len(shape) != len(than) {
		return false
	}
	for d, n := range than {
		if n != ir.Dynamic && shape[d] != n {
			return false
		}
	}
	return true
}

// widens reports that numbers of one type are numbers of the other: integers with their sign, floats exactly.
func widens(c *ir.Context, from, to ir.Type) bool {
	if from == to {
		return true
	}
	f, t := c.Info(from), c.Info(to)
	return f.Kind == t.Kind && f.Width < t.Width && f.Kind != ir.KindIndex
}

// einsumTraps: extents that are open may disagree.
func einsumTraps(c *ir.Call) bool {
	for i := range c.Args {
		if isOpen(Shape(c.Ctx(), c.ArgType(i))) {
			return true
		}
	}
	return false
}

// mapTraps: the extents of one operand are what they are.
func mapTraps(c *ir.Call) bool { return len(c.Args) > 1 && einsumTraps(c) }

func inferMap(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes an operand at least")
	}
	if len(c.Regions) != 1 {
		return 0, c.Errorf("has one region")
	}
	g, body := c.Graph(), c.Regions[0]
	var shapes [][]int64
	for i := range c.Args {
		if err := checkTensor(c, i); err != nil {
			return 0, err
		}
		shapes = append(shapes, Shape(c.Ctx(), c.ArgType(i)))
	}
	shape, a, b, ok := Broadcast(shapes...)
	if !ok {
		return 0, c.Errorf("takes operands whose extents fit: %s and %s of one dimension are neither equal nor 1", extentText(a), extentText(b))
	}
	params := g.Params(body)
	if len(params) != len(c.Args) {
		return 0, c.Errorf("has a region of %d parameters for %d operands", len(params), len(c.Args))
	}
	for i, p := range params {
		if want := Elem(c.Ctx(), c.ArgType(i)); g.Type(p) != want {
			return 0, c.Errorf("has a region whose parameter #%d is %s, not %s", i, spell(c.Ctx(), g.Type(p)), spell(c.Ctx(), want))
		}
	}
	term := g.Term(body)
	if term == 0 || g.Def(term) != Yield || len(g.Args(term)) != 1 {
		return 0, c.Errorf("has a region that ends with ten.yield of one value")
	}
	elem := g.Type(g.Args(term)[0])
	if !isNumber(c.Ctx(), elem) {
		return 0, c.Errorf("yields %s, not a number of at most 64 bits", spell(c.Ctx(), elem))
	}
	return result(c, shape, elem)
}

// The ways in which ten.reduce combines.
const (
	ByAdd = iota
	ByMul
	ByMin
	ByMax
)

var kinds = []string{"add", "mul", "min", "max"}

// KindOf is how a ten.reduce combines.
func KindOf(c *ir.Context, attrs ir.Attr) int { return int(c.AttrInfo(c.Get(attrs, "kind")).Int) }

func inferReduce(c *ir.Call) (ir.Type, error) {
	if k := c.Get("kind"); k == 0 || c.Ctx().KindOf(k) != ir.AttrInt || c.Ctx().AttrInfo(k).Int < 0 || c.Ctx().AttrInfo(k).Int >= int64(len(kinds)) {
		return 0, c.Errorf("has an attribute kind: add, mul, min or max")
	}
	shape := Shape(c.Ctx(), c.ArgType(0))
	dims, err := intsOf(c, "dims")
	if err != nil {
		return 0, err
	}
	kept, err := without(c, shape, dims)
	if err != nil {
		return 0, err
	}
	return result(c, kept, Elem(c.Ctx(), c.ArgType(0)))
}

// without is a shape without some of its dimensions.
func without(c *ir.Call, shape, dims []int64) (kept []int64, err error) {
	kept = []int64{}
	for i, d := range dims {
		if d < 0 || d >= int64(len(shape)) {
			return nil, c.Errorf("names dimension %d of %d, which are numbered from 0", d, len(shape))
		}
		if slices.Contains(dims[:i], d) {
			return nil, c.Errorf("names dimension %d twice", d)
		}
	}
	for d, n := range shape {
		if !slices.Contains(dims, int64(d)) {
			kept = append(kept, n)
		}
	}
	return kept, nil
}

func inferTranspose(c *ir.Call) (ir.Type, error) {
	shape := Shape(c.Ctx(), c.ArgType(0))
	perm, err := intsOf(c, "perm")
	if err != nil {
		return 0, err
	}
	out, seen := make([]int64, len(shape)), make([]bool, len(shape))
	if len(perm) != len(shape) {
		return 0, c.Errorf("orders %d dimensions of %d", len(perm), len(shape))
	}
	for i, d := range perm {
		if d < 0 || d >= int64(len(shape)) || seen[d] {
			return 0, c.Errorf("has a list of dimensions that has not each of 0 to %d once", len(shape)-1)
		}
		out[i], seen[d] = shape[d], true
	}
	return result(c, out, Elem(c.Ctx(), c.ArgType(0)))
}

func inferReshape(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes a tensor")
	}
	if err := checkOperands(c, 1, len(c.Args)); err != nil {
		return 0, err
	}
	to, err := checkResult(c, c.Args[1:])
	if err != nil {
		return 0, err
	}
	from := c.Ctx().Info(c.ArgType(0))
	if from.Elem != to.Elem {
		return 0, c.Errorf("gives elements of type %s of such of type %s", spell(c.Ctx(), to.Elem), spell(c.Ctx(), from.Elem))
	}
	if n, m, ok := sizes(from.Shape, to.Shape); ok && n != m {
		return 0, c.Errorf("gives %d elements of %d", m, n)
	}
	return c.Type, nil
}

// sizes are the numbers of elements of two shapes that are known; the second is -1 where they are too many.
func sizes(a, b []int64) (n, m int64, ok bool) {
	if isOpen(a) || isOpen(b) {
		return 0, 0, false
	}
	n, okN := product(a)
	m, okM := product(b)
	return n, m, okN && okM
}

// product is the number of elements of a shape, if it fits in 62 bits.
func product(shape []int64) (n int64, ok bool) {
	if slices.Contains(shape, 0) {
		return 0, true
	}
	n = 1
	for _, d := range shape {
		if d < 0 || n > (1<<62)/d {
			return 0, false
		}
		n = ir.Times(n, d)
	}
	return n, true
}

// reshapeTraps: the numbers of elements may differ where they are not known.
func reshapeTraps(c *ir.Call) bool {
	n, m, ok := sizes(Shape(c.Ctx(), c.ArgType(0)), Shape(c.Ctx(), c.Type))
	return !ok || n != m
}

func inferFill(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes a number")
	}
	to, err := checkResult(c, c.Args[1:])
	if err != nil {
		return 0, err
	}
	if c.ArgType(0) != to.Elem {
		return 0, c.Errorf("fills %s with %s", spell(c.Ctx(), c.Type), spell(c.Ctx(), c.ArgType(0)))
	}
	return c.Type, checkIndices(c, 1)
}

func checkIndices(c *ir.Call, from int) error {
	for i := from; i < len(c.Args); i++ {
		if c.ArgType(i) != ir.Index {
			return c.Errorf("operand #%d is %s, not index", i, spell(c.Ctx(), c.ArgType(i)))
		}
	}
	return nil
}

func inferIota(c *ir.Call) (ir.Type, error) {
	to, err := checkResult(c, c.Args)
	if err != nil {
		return 0, err
	}
	if _, err := dimOf(c, len(to.Shape)); err != nil {
		return 0, err
	}
	return c.Type, checkIndices(c, 0)
}

func inferDim(c *ir.Call) (ir.Type, error) {
	_, err := dimOf(c, len(Shape(c.Ctx(), c.ArgType(0))))
	return ir.Index, err
}

func inferExtract(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes a tensor")
	}
	if err := checkOperands(c, 1, len(c.Args)); err != nil {
		return 0, err
	}
	info := c.Ctx().Info(c.ArgType(0))
	if len(c.Args)-1 != len(info.Shape) {
		return 0, c.Errorf("has %d indices for %d dimensions", len(c.Args)-1, len(info.Shape))
	}
	return info.Elem, nil
}

func inferPack(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 {
		return 0, c.Errorf("takes memory")
	}
	info := c.Ctx().Info(c.ArgType(0))
	if info.Kind != ir.KindMemRef || info.Unranked || info.Layout != 0 || info.Space != 0 || !isNumber(c.Ctx(), info.Elem) {
		return 0, c.Errorf("takes a memref of known rank and identity layout of numbers of at most 64 bits, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	return result(c, info.Shape, info.Elem)
}

func inferWrite(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 2 {
		return 0, c.Errorf("takes a tensor and memory")
	}
	if err := checkTensor(c, 0); err != nil {
		return 0, err
	}
	from, to := c.Ctx().Info(c.ArgType(0)), c.Ctx().Info(c.ArgType(1))
	if to.Kind != ir.KindMemRef || to.Elem != from.Elem || to.Unranked || len(to.Shape) != len(from.Shape) {
		return 0, c.Errorf("stores %s in %s", spell(c.Ctx(), c.ArgType(0)), spell(c.Ctx(), c.ArgType(1)))
	}
	for d, n := range to.Shape {
		if _, ok := agreed(n, from.Shape[d]); !ok {
			return 0, c.Errorf("stores %s in %s", spell(c.Ctx(), c.ArgType(0)), spell(c.Ctx(), c.ArgType(1)))
		}
	}
	return ir.Void, nil
}

func inferUnpack(c *ir.Call) (ir.Type, error) {
	info := c.Ctx().Info(c.ArgType(0))
	return c.Ctx().MemRef(info.Shape, info.Elem), nil
}
