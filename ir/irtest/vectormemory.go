package irtest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// place is a matrix or a list, and indices of it; the last leaves room for n elements.
func (g *vectorGen) place(elem string, n int) (memory, typ string) {
	i := func() string { return g.One("%i0", "%i1", "%i2") }
	if n <= vectorColumns-2 && g.Chance(0.6) {
		return fmt.Sprintf("%%m_%s[%s, %s]", elem, i(), i()), fmt.Sprintf("memref<%dx%dx%s>", vectorRows, vectorColumns, elem)
	}
	return fmt.Sprintf("%%l_%s[%s]", elem, i()), fmt.Sprintf("memref<%dx%s>", vectorList, elem)
}

// inMemory is a shape that memory has room for.
func (g *vectorGen) inMemory() []int {
	if !g.cfg.MLIR && g.Chance(0.4) {
		return []int{1 + g.IntN(vectorRows-2), 1 + g.IntN(vectorColumns-2)}
	}
	return []int{1 + g.IntN(8)}
}

func (g *vectorGen) placeOf(shape []int, elem string) (memory, typ string) {
	if len(shape) == 2 {
		i := func() string { return g.One("%i0", "%i1", "%i2") }
		return fmt.Sprintf("%%m_%s[%s, %s]", elem, i(), i()), fmt.Sprintf("memref<%dx%dx%s>", vectorRows, vectorColumns, elem)
	}
	return g.place(elem, shape[0])
}

func (g *vectorGen) load() {
	r := vec{shape: g.inMemory(), elem: g.elem(), most: exact}
	m, t := g.placeOf(r.shape, r.elem)
	g.def(r, "vector.load %s : %s, %s", m, t, r.typ())
}

// stored is a vector of small numbers, so that memory holds such.
func (g *vectorGen) stored(shape []int) vec { return g.small(g.like(shape, g.elem()), exact) }

func (g *vectorGen) store() {
	x := g.stored(g.inMemory())
	m, t := g.placeOf(x.shape, x.elem)
	g.Line("vector.store %s, %s : %s, %s", x.name, m, t, x.typ())
}

// tail is a place in a list that may be near its end, or behind it, and a mask of the elements there.
func (g *vectorGen) tail(shape []int, elem string) (memory, typ string, mask vec) {
	from, at, all, left := g.Name(), g.Name(), g.Name(), g.Name()
	g.Line("%s = arith.constant %d : index", from, vectorList-4)
	g.Line("%s = arith.addi %%p0, %s : index", at, from)
	g.Line("%s = arith.constant %d : index", all, vectorList)
	g.Line("%s = arith.subi %s, %s : index", left, all, at)
	mask = vec{shape: shape, elem: "i1"}
	mask = g.def(mask, "vector.create_mask %s : %s", left, mask.typ())
	return fmt.Sprintf("%%l_%s[%s]", elem, at), fmt.Sprintf("memref<%dx%s>", vectorList, elem), mask
}

// maskedPlace is a place for a vector, and a mask of it.
func (g *vectorGen) maskedPlace(shape []int, elem string) (memory, typ string, mask vec) {
	if len(shape) == 1 && g.Chance(0.4) {
		return g.tail(shape, elem)
	}
	memory, typ = g.placeOf(shape, elem)
	return memory, typ, g.maskOf(shape)
}

// masked is a read with a mask.
func (g *vectorGen) masked() {
	x := g.like(g.inMemory(), g.elem())
	m, t, mask := g.maskedPlace(x.shape, x.elem)
	op := "maskedload"
	if len(x.shape) == 1 && g.Chance(0.4) {
		op = "expandload"
	}
	r := x
	r.most = exact
	g.def(r, "vector.%s %s, %s, %s : %s, %s, %s into %s", op, m, mask.name, x.name, t, mask.typ(), x.typ(), x.typ())
}

func (g *vectorGen) maskedStore() {
	x := g.stored(g.inMemory())
	m, t, mask := g.maskedPlace(x.shape, x.elem)
	op := "maskedstore"
	if len(x.shape) == 1 && g.Chance(0.4) {
		op = "compressstore"
	}
	g.Line("vector.%s %s, %s, %s : %s, %s, %s", op, m, mask.name, x.name, t, mask.typ(), x.typ())
}

// lanes are indices of the elements of a list, a vector of a shape.
func (g *vectorGen) lanes(shape []int) vec {
	x := g.like(shape, g.int)
	c := g.Name()
	g.Line("%s = arith.constant dense<7> : %s", c, x.typ())
	return g.def(vec{shape: shape, elem: g.int}, "arith.andi %s, %s : %s", x.name, c, x.typ())
}

func (g *vectorGen) gather() {
	if r, _, op, ok := g.gathered(false); ok {
		g.def(r, "%s", op)
	}
}

// gathered is a read of elements of a list, and the mask of it. Lanes that are not read are zero, if that is wanted.
func (g *vectorGen) gathered(zero bool) (r, mask vec, op string, ok bool) {
	if g.int == "i8" || g.int == "i16" {
		return r, mask, "", false // what MLIR takes for indices has 32 bits or more
	}
	shape := []int{1 + g.IntN(6)}
	if g.Chance(0.3) {
		shape = append(shape, 1+g.IntN(4))
	}
	at, x := g.lanes(shape), g.like(shape, g.elem())
	if zero {
		x = g.zero(x)
	}
	mask, r = g.maskOf(shape), x
	r.most = exact
	return r, mask, fmt.Sprintf("vector.gather %%l_%s[%s] [%s], %s, %s : memref<%dx%s>, %s, %s, %s into %s", x.elem, g.One("%i0", "%i1"), at.name, mask.name,
		x.name, vectorList, x.elem, at.typ(), mask.typ(), x.typ(), x.typ()), true
}

func (g *vectorGen) zero(like vec) vec {
	c := "0"
	if isFloating(like.elem) {
		c = "0.0"
	}
	like.most = 0
	return g.def(like, "arith.constant dense<%s> : %s", c, like.typ())
}

func (g *vectorGen) scatter() {
	if g.int == "i8" || g.int == "i16" {
		return
	}
	shape := []int{1 + g.IntN(6)}
	at, x, mask := g.lanes(shape), g.stored(shape), g.maskOf(shape)
	g.Line("vector.scatter %%l_%s[%s] [%s], %s, %s : memref<%dx%s>, %s, %s, %s", x.elem, g.One("%i0", "%i1"), at.name, mask.name, x.name,
		vectorList, x.elem, at.typ(), mask.typ(), x.typ())
}

// transferred is a transfer: a vector's shape, dimensions of memory, and the rest of its text.
func (g *vectorGen) transferred(elem string, write bool) (shape, maskShape []int, memory, typ, attrs string) {
	memory, typ = fmt.Sprintf("%%l_%s", elem), fmt.Sprintf("memref<%dx%s>", vectorList, elem)
	sizes := []int{vectorList}
	if g.Chance(0.7) {
		memory, typ = fmt.Sprintf("%%m_%s", elem), fmt.Sprintf("memref<%dx%dx%s>", vectorRows, vectorColumns, elem)
		sizes = []int{vectorRows, vectorColumns}
	}
	dims := g.Perm(len(sizes))[:1+g.IntN(len(sizes))]
	var maps, bounds []string
	at := make([]string, len(sizes))
	for d := range at {
		at[d] = g.One("%i0", "%i1", "%i2")
	}
	place := map[int]int{}
	for _, d := range dims {
		if !write && g.Chance(0.15) {
			shape, maps, bounds = append(shape, 1+g.IntN(3)), append(maps, "0"), append(bounds, "true")
		}
		n := 1 + g.IntN(5)
		inside := n <= sizes[d]-2 && g.Chance(0.3)
		if !inside && g.Chance(0.5) {
			at[d] = g.One("%j0", "%j1")
			if g.cfg.MLIR { // which takes indices below 0 for those of memory
				at[d] = g.One("%i0", "%p0", "%p1")
			}
		}
		shape, maps, bounds = append(shape, n), append(maps, "d"+strconv.Itoa(d)), append(bounds, strconv.FormatBool(inside))
		place[d] = n
	}
	for d := range sizes {
		if n, ok := place[d]; ok {
			maskShape = append(maskShape, n)
		}
	}
	attrs = fmt.Sprintf("{in_bounds = [%s], permutation_map = affine_map<(%s) -> (%s)>}", strings.Join(bounds, ", "), "d0, d1"[:4*len(sizes)-2], strings.Join(maps, ", "))
	return shape, maskShape, memory + "[" + strings.Join(at, ", ") + "]", typ, attrs
}

func (g *vectorGen) transfer() { g.transferRead(true) }

// transferRead gives the op, and prints it if that is wanted.
func (g *vectorGen) transferRead(print bool) (r vec, maskShape []int, op string) {
	elem := g.elem()
	shape, maskShape, m, t, attrs := g.transferred(elem, false)
	r = vec{shape: shape, elem: elem, most: exact}
	mask := ""
	if print && g.Chance(0.4) {
		mask = ", " + g.maskOf(maskShape).name
	}
	pad := g.small(g.scalar(elem), exact)
	op = fmt.Sprintf("vector.transfer_read %s, %s%s %s : %s, %s", m, pad.name, mask, attrs, t, r.typ())
	if print {
		g.def(r, "%s", op)
	}
	return r, maskShape, op
}

func (g *vectorGen) transferWrite() {
	elem := g.elem()
	shape, maskShape, m, t, attrs := g.transferred(elem, true)
	x := g.small(g.like(shape, elem), exact)
	if mask := g.maskOf(maskShape); g.Chance(0.3) {
		g.Line("vector.mask %s { vector.transfer_write %s, %s %s : %s, %s } : %s", mask.name, x.name, m, attrs, x.typ(), t, mask.typ())
	} else if g.Chance(0.4) {
		g.Line("vector.transfer_write %s, %s, %s %s : %s, %s", x.name, m, mask.name, attrs, x.typ(), t)
	} else {
		g.Line("vector.transfer_write %s, %s %s : %s, %s", x.name, m, attrs, x.typ(), t)
	}
}

// maskRegion masks an op.
func (g *vectorGen) maskRegion() {
	var r vec
	var shape []int
	var op string
	switch g.IntN(6) {
	case 0:
		x := g.small(g.any(), 64)
		if g.cfg.MLIR && len(x.shape) > 2 { // of which it lowers none
			return
		}
		r, op = g.multi(x)
		shape = x.shape
	case 1:
		r, shape, op = g.contraction()
	case 2:
		r, shape, op = g.transferRead(false)
	case 3:
		r, op = g.outerproduct()
		shape = r.shape
	case 4:
		g.maskedGather()
		return
	default:
		x := g.small(g.any(), 64)
		if len(x.shape) != 1 {
			return
		}
		k, most := g.kind(x.elem, x.most, x.shape[0])
		if isFloating(x.elem) {
			k, most = "add", x.most*float64(x.shape[0]) // what is neutral to others is no number, or not finite
		}
		r, shape = vec{scalar: true, elem: x.elem, most: most}, x.shape
		op = fmt.Sprintf("vector.reduction <%s>, %s : %s into %s", k, x.name, x.typ(), x.elem)
	}
	g.underMask(g.maskOf(slices.Clone(shape)), r, op)
}

func (g *vectorGen) underMask(mask, r vec, op string) {
	g.def(r, "vector.mask %s { %s } : %s -> %s", mask.name, op, mask.typ(), r.typ())
}

// maskedGather masks a read that has a mask of its own: lanes are read that both have.
func (g *vectorGen) maskedGather() {
	r, own, op, ok := g.gathered(g.cfg.MLIR)
	if !ok {
		return
	}
	mask := g.maskOf(r.shape)
	if g.cfg.MLIR { // MLIR 19 forgets the op's own, and what lanes are that are not read
		mask = g.def(mask, "arith.andi %s, %s : %s", mask.name, own.name, mask.typ())
	}
	g.underMask(mask, r, op)
}
