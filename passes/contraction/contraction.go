package contraction

import (
	"cmp"
	"errors"
	"math/bits"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/arith/pair16"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/target"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A contraction is a statement that adds products of two factors,
//
//	C[i, j] += sum of a(i, k) b(k, j),
//
// of which one does not depend on j and the other not on i, to elements of an array whose last index is j. Such
// code can be as fast as a machine multiplies: each element that is loaded is used many times. With integers the greatest
// or the least of sums of two, as dynamic programs take it, is one too, and so is the sum of products of pairs (pair16.Product).
type Contraction struct {
	st         *poly.Stmt
	i, j, k    int // which coordinates
	terms      []product
	flags      arith.FastMath // that all products and sums have
	elem       ir.Type
	minimum    bool             // or of sums: the least of them
	paired     bool             // products are those of pairs
	domain     presburger.Set   // one basic set
	conditions presburger.Basic // of it
	box        bool             // k has one range for all i and j
	isSum      []bool           // of the members around, those that are the first of a wavefront
	before     bool             // b reads what the target had before the statement
}

// A product is factors that depend on i and k, and on j and k.
type product struct {
	a, b     []ir.Node
	negative bool
}

// errUnlike is of coordinates that are none of a contraction.
var errUnlike = errors.New("the coordinates are no set of i and j, and of i and k")

// Find reads a statement as a contraction, if it is one.
func Find(sys *poly.System, st *poly.Stmt) (*Contraction, bool) {
	c, ok := Read(st)
	return c, ok && c.reads() && c.shape(sys, st.Domain) == nil
}

// Read looks at what a statement computes, not at its instances.
func Read(st *poly.Stmt) (*Contraction, bool) {
	if st.Keyed || len(st.Gathers) > 0 || st.Domain.Tuple().Len() != 3 {
		return nil, false
	}
	c := &Contraction{st: st, elem: st.Target.Elem, minimum: st.Operator == poly.Min}
	switch {
	case st.Operator == poly.Add && (c.elem == ir.F64 || c.elem == ir.F32 || c.elem == ir.I32):
		c.paired = c.elem == ir.I32
	case (st.Operator == poly.Max || c.minimum) && (c.elem == ir.I64 || c.elem == ir.I32):
	default:
		return nil, false
	}
	return c, systems.IsDense(st.Target) && c.places() && c.products()
}

// Statement is that of the contraction.
func (c *Contraction) Statement() *poly.Stmt { return c.st }

// SizesFor are those of the tiles for a target.
func (c *Contraction) SizesFor(t *target.Target) Sizes { return sizesFor(t, c.elem, len(c.terms)) }

// IsOfTiles reports a statement that is a contraction of what its target has. rows are members by the
// coefficients of its coordinates: the two places of its elements, each a coordinate.
func IsOfTiles(st *poly.Stmt, rows [][]float64) bool {
	c, ok := Read(st)
	if !ok {
		return false
	}
	reads := slices.ContainsFunc(st.Reads, func(r poly.Access) bool { return r.Array == st.Target })
	return reads && used(rows) == 1<<c.i|1<<c.j && simple(rows) && bits.OnesCount64(used(rows[:1])) == 1
}

// isExtreme reports the greatest or the least of sums.
func (c *Contraction) isExtreme() bool { return c.st.Operator != poly.Add }

// places finds j, the one coordinate in the last index of what is written and in no other one, and i, the other one there.
func (c *Contraction) places() bool {
	rows, ok := systems.Linear(c.st.Write)
	if !ok || len(rows) == 0 {
		return false
	}
	used := used(rows)
	last := rows[len(rows)-1]
	c.j = slices.IndexFunc(last, func(x float64) bool { return x != 0 })
	if c.j < 0 || last[c.j] != 1 || slices.ContainsFunc(rows[:len(rows)-1], func(r []float64) bool { return r[c.j] != 0 }) || bits.OnesCount64(used) != 2 || !simple(rows) {
		return false
	}
	c.i = bits.TrailingZeros64(used &^ (1 << c.j))
	c.k = 3 - c.i - c.j
	return true
}

// used are the coordinates that indices depend on, a bit each.
func used(rows [][]float64) (out uint64) {
	for _, r := range rows {
		for d, x := range r {
			if x != 0 {
				out |= 1 << d
			}
		}
	}
	return out
}

// simple reports indices that each depend on one coordinate at most: then what a box of coordinates accesses
// lies between what its corners do.
func simple(rows [][]float64) bool {
	return !slices.ContainsFunc(rows, func(r []float64) bool { return bits.OnesCount64(used([][]float64{r})) > 1 })
}

// products reads the body.
func (c *Contraction) products() bool {
	c.flags = arith.Fast
	body := c.st.Node.Region(0)
	yields := body.Yields()
	depends := map[ir.Node]uint64{}
	for d, p := range body.Params() {
		if d < 3 {
			depends[p] = 1 << d
			continue
		}
		rows, ok := systems.Linear(c.st.Reads[d-3].Map)
		if !ok || !simple(rows) {
			return false
		}
		depends[p] = used(rows)
	}
	switch {
	case len(yields) != 1:
		return false
	case c.isExtreme():
		return yields[0].Def() == arith.Addi && c.product(yields[0].Args(), false, depends)
	case c.paired:
		x, y, ok := pair16.Of(yields[0])
		return ok && c.product([]ir.Node{x, y}, false, depends)
	}
	return c.sum(yields[0], false, depends)
}

// sum reads a sum of products, and what is taken off.
func (c *Contraction) sum(n ir.Node, negative bool, depends map[ir.Node]uint64) bool {
	flags := flagsOf(n)
	switch {
	case n.Def() == arith.Addf && flags&arith.Reassoc != 0:
		c.flags &= flags
		return c.sum(n.Arg(0), negative, depends) && c.sum(n.Arg(1), negative, depends)
	case n.Def() == arith.Subf && flags&arith.Reassoc != 0:
		c.flags &= flags
		return c.sum(n.Arg(0), negative, depends) && c.sum(n.Arg(1), !negative, depends)
	case n.Def() == arith.Negf:
		return c.sum(n.Arg(0), !negative, depends)
	case n.Def() != arith.Mulf:
		return false
	}
	c.flags &= flags
	return c.product(factors(n), negative, depends)
}

// product reads the factors of a product: those that depend on j are of b.
func (c *Contraction) product(list []ir.Node, negative bool, depends map[ir.Node]uint64) bool {
	p := product{negative: negative}
	for _, f := range list {
		at, ok := coordinates(f, depends)
		switch {
		case !ok || at&(1<<c.i) != 0 && at&(1<<c.j) != 0:
			return false
		case at&(1<<c.j) != 0:
			p.b = append(p.b, f)
		default:
			p.a = append(p.a, f)
		}
	}
	c.terms = append(c.terms, p)
	return len(p.a) > 0 && len(p.b) > 0 && len(c.terms) <= 2
}

// flagsOf are the flags of an op on floats: they say whether sums may be reordered and products fused.
func flagsOf(n ir.Node) arith.FastMath { return arith.FastMathOf(n.Graph().Ctx, n.Attrs()) }

// factors are those of a product: of its operands, if their order is free.
func factors(n ir.Node) (out []ir.Node) {
	for _, x := range n.Args() {
		if x.Def() == arith.Mulf && flagsOf(n)&flagsOf(x)&arith.Reassoc != 0 {
			out = append(out, factors(x)...)
		} else {
			out = append(out, x)
		}
	}
	return out
}

// coordinates are those that a pure value depends on.
func coordinates(n ir.Node, depends map[ir.Node]uint64) (uint64, bool) {
	if at, ok := depends[n]; ok {
		return at, true
	}
	if !n.Graph().IsPure(n.Old()) || n.NumRegions() > 0 {
		return 0, false
	}
	out := uint64(0)
	for _, x := range n.Args() {
		at, ok := coordinates(x, depends)
		if !ok {
			return 0, false
		}
		out |= at
	}
	depends[n] = out
	return out, true
}

// reads checks that what is read is not written, but for what b reads.
func (c *Contraction) reads() bool {
	params := c.st.Node.Region(0).Params()
	for _, t := range c.terms {
		cone := systems.Cone(t.a)
		for k, r := range c.st.Reads {
			if r.Array == c.st.Target && cone[params[3+k]] {
				return false
			}
		}
		cone = systems.Cone(t.b)
		for k, r := range c.st.Reads {
			c.before = c.before || r.Array == c.st.Target && cone[params[3+k]]
		}
	}
	return true
}

// shape finds what is known of the coordinates: they are one basic set, in which k depends on i alone, or on
// neither i nor j.
func (c *Contraction) shape(sys *poly.System, instances presburger.Set) error {
	d, err := instances.IntersectParams(sys.Context)
	if err == nil {
		d, err = d.Coalesce()
	}
	if err != nil {
		return err
	}
	b := d.Basics()
	if len(b) != 1 || len(b[0].Divs) > 0 || len(b[0].Eq) > 0 {
		return errUnlike
	}
	c.conditions = b[0]
	if d, err = d.InsertDims(3, 0); err != nil { // without the name
		return err
	}
	c.domain = d
	ij, err := forget(d, c.k)
	if err != nil {
		return err
	}
	ik, err := forget(d, c.j)
	if err != nil {
		return err
	}
	k, err := forget(ik, c.i)
	if err != nil {
		return err
	}
	for try, along := range []presburger.Set{k, ik} {
		both, err := ij.Intersect(along)
		if err != nil {
			return err
		}
		if same, err := both.IsEqual(d); err != nil || same {
			c.box = try == 0
			return cmp.Or(err, c.apart())
		}
	}
	return errUnlike
}

// apart refuses conditions on j and k together, which the others make superfluous.
func (c *Contraction) apart() error {
	at := 1 + len(c.conditions.Params)
	for _, r := range c.conditions.Ge {
		_, ok := r[at+c.k].Int64()
		if !ok || r[at+c.j].Sign() != 0 && r[at+c.k].Sign() != 0 {
			return errUnlike
		}
	}
	return nil
}

// forget is a set of which one coordinate may have any value.
func forget(s presburger.Set, k int) (presburger.Set, error) {
	out, err := s.ProjectOut(k, 1)
	if err != nil {
		return out, err
	}
	return out.InsertDims(k, 1)
}
