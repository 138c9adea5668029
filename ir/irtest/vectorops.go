package irtest

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

func float32Bits(x float64) uint32 { return math.Float32bits(float32(x)) }
func float64Bits(x float64) uint64 { return math.Float64bits(x) }

// statement prints an op, and what it needs.
func (g *vectorGen) statement() {
	ops := []func(){g.arith, g.arith, g.choose, g.compare, g.newMask, g.broadcast, g.cast, g.transpose, g.shuffle, g.elements, g.extract, g.insert,
		g.element, g.slice, g.insertSlice, g.interleave, g.deinterleave, g.bitcast, g.fma, g.reduction, g.multiReduction,
		g.contract, g.outer, g.scan, g.flatTranspose, g.step, g.load, g.store, g.masked, g.maskedStore, g.gather, g.scatter, g.transfer,
		g.transfer, g.transferWrite, g.maskRegion, g.matrix}
	ops[g.IntN(len(ops))]()
}

func (g *vectorGen) arith() {
	x := g.any()
	y := g.like(x.shape, x.elem)
	if !isFloating(x.elem) {
		g.def(x, "arith.%s %s, %s : %s", g.One("addi", "subi", "muli", "andi", "xori", "maxsi", "minui"), x.name, y.name, x.typ())
		return
	}
	op := g.One("addf", "subf", "mulf", "maximumf", "minimumf")
	x, y = g.small(x, 512), g.small(y, 512)
	r := vec{shape: x.shape, elem: x.elem, most: x.most + y.most}
	if op == "mulf" {
		r.most = max(x.most*y.most, 4)
	}
	g.def(r, "arith.%s %s, %s : %s", op, x.name, y.name, x.typ())
}

// mask makes a mask of a shape.
func (g *vectorGen) mask(shape []int) vec {
	r := vec{shape: shape, elem: "i1"}
	switch g.IntN(4) {
	case 0:
		var ops []string
		for range shape {
			ops = append(ops, g.One("%j0", "%j1", "%i0", "%i1"))
		}
		return g.def(r, "vector.create_mask %s : %s", strings.Join(ops, ", "), r.typ())
	case 1:
		sizes := make([]string, len(shape))
		zero := g.Chance(0.1)
		for d, n := range shape {
			if sizes[d] = strconv.Itoa(1 + g.IntN(n)); zero {
				sizes[d] = "0"
			}
		}
		return g.def(r, "vector.constant_mask [%s] : %s", strings.Join(sizes, ", "), r.typ())
	}
	x, y := g.like(shape, g.int), g.like(shape, g.int)
	return g.def(r, "arith.cmpi %s, %s, %s : %s", g.One("slt", "ne", "uge", "eq"), x.name, y.name, x.typ())
}

func (g *vectorGen) newMask() { g.mask(g.shape()) }

// maskOf is a mask of a shape, one in scope perhaps.
func (g *vectorGen) maskOf(shape []int) vec {
	t := spell(shape, "i1")
	if v, ok := g.some(func(v vec) bool { return v.typ() == t }); ok && g.Chance(0.6) {
		return v
	}
	return g.mask(shape)
}

func (g *vectorGen) compare() {
	x := g.any()
	y := g.like(x.shape, x.elem)
	r := vec{shape: x.shape, elem: "i1"}
	if isFloating(x.elem) {
		g.def(r, "arith.cmpf %s, %s, %s : %s", g.One("olt", "une", "oge"), x.name, y.name, x.typ())
		return
	}
	g.def(r, "arith.cmpi %s, %s, %s : %s", g.One("slt", "ule", "eq"), x.name, y.name, x.typ())
}

func (g *vectorGen) choose() {
	x := g.any()
	y, m := g.like(x.shape, x.elem), g.maskOf(x.shape)
	r := x
	r.most = max(x.most, y.most)
	g.def(r, "arith.select %s, %s, %s : %s, %s", m.name, x.name, y.name, m.typ(), x.typ())
}

func (g *vectorGen) broadcast() {
	x := g.any()
	r := x
	r.shape = slices.Clone(x.shape)
	for i, n := range r.shape {
		if n == 1 && g.Chance(0.7) {
			r.shape[i] = 1 + g.IntN(3)
		}
	}
	if len(r.shape) < 3 && g.Chance(0.6) {
		r.shape = append([]int{1 + g.IntN(3)}, r.shape...)
	}
	if size(r.shape) <= 64 {
		g.def(r, "vector.broadcast %s : %s to %s", x.name, x.typ(), r.typ())
	}
}

// cast gives lanes another shape.
func (g *vectorGen) cast() {
	x := g.any()
	r, n := x, size(x.shape)
	r.shape = nil
	for len(r.shape) < 2 {
		var factors []int
		for f := 1; f <= n; f++ {
			if n%f == 0 {
				factors = append(factors, f)
			}
		}
		f := factors[g.IntN(len(factors))]
		r.shape = append(r.shape, f)
		n /= f
	}
	r.shape = append(r.shape, n)
	if len(x.shape) > 1 { // MLIR splits dimensions, or joins them
		f := x
		f.shape = []int{size(x.shape)}
		x = g.def(f, "vector.shape_cast %s : %s to %s", x.name, x.typ(), f.typ())
	}
	g.def(r, "vector.shape_cast %s : %s to %s", x.name, x.typ(), r.typ())
}

func (g *vectorGen) transpose() {
	x := g.any()
	r := x
	r.shape = nil
	var perm []string
	for _, d := range g.Perm(len(x.shape)) {
		perm, r.shape = append(perm, strconv.Itoa(d)), append(r.shape, x.shape[d])
	}
	g.def(r, "vector.transpose %s, [%s] : %s to %s", x.name, strings.Join(perm, ", "), x.typ(), r.typ())
}

func (g *vectorGen) shuffle() {
	x := g.any()
	y := g.like(x.shape, x.elem)
	r := x
	r.most = max(x.most, y.most)
	r.shape = slices.Clone(x.shape)
	r.shape[0] = 1 + g.IntN(6)
	var mask []string
	for range r.shape[0] {
		mask = append(mask, strconv.Itoa(g.IntN(2*x.shape[0])))
	}
	g.def(r, "vector.shuffle %s, %s [%s] : %s, %s", x.name, y.name, strings.Join(mask, ", "), x.typ(), y.typ())
}

// elements makes a vector of numbers.
func (g *vectorGen) elements() {
	x := g.any()
	r := vec{shape: []int{1 + g.IntN(5)}, elem: x.elem}
	if !g.cfg.MLIR && g.Chance(0.4) { // of which it lowers none
		r.shape = append(r.shape, 1+g.IntN(3))
	}
	if x.elem == "i1" {
		return
	}
	var list []string
	for range size(r.shape) {
		s := g.scalar(x.elem)
		list, r.most = append(list, s.name), max(r.most, s.most)
	}
	g.def(r, "vector.from_elements %s : %s", strings.Join(list, ", "), r.typ())
}

// position is a position in the first n dimensions of a shape.
func (g *vectorGen) position(shape []int, n int) string {
	var at []string
	for d := range n {
		s := strconv.Itoa(g.IntN(shape[d]))
		if shape[d] >= 3 && g.Chance(0.3) && (n == 1 && len(shape) == 1 || !g.cfg.MLIR) {
			s = g.One("%i0", "%i1", "%i2")
		}
		at = append(at, s)
	}
	return "[" + strings.Join(at, ", ") + "]"
}

func part(v vec, n int) vec {
	v.shape = v.shape[n:]
	v.scalar = len(v.shape) == 0
	return v
}

func (g *vectorGen) extract() {
	x := g.any()
	n := 1 + g.IntN(len(x.shape))
	r := part(x, n)
	g.def(r, "vector.extract %s%s : %s from %s", x.name, g.position(x.shape, n), r.typ(), x.typ())
}

// numberOrVector is a value like another one.
func (g *vectorGen) numberOrVector(p vec) vec {
	if p.scalar {
		return g.scalar(p.elem)
	}
	return g.like(p.shape, p.elem)
}

func (g *vectorGen) insert() {
	x := g.any()
	n := 1 + g.IntN(len(x.shape))
	p := g.numberOrVector(part(x, n))
	r := x
	r.most = max(x.most, p.most)
	g.def(r, "vector.insert %s, %s %s : %s into %s", p.name, x.name, g.position(x.shape, n), p.typ(), x.typ())
}

func (g *vectorGen) element() {
	x, ok := g.some(func(v vec) bool { return len(v.shape) == 1 && v.shape[0] >= 3 && g.own(v.elem) })
	if !ok {
		return
	}
	at := g.One("%i0", "%i1", "%i2")
	if g.Chance(0.5) {
		r := part(x, 1)
		g.def(r, "vector.extractelement %s[%s : index] : %s", x.name, at, x.typ())
		return
	}
	s := g.scalar(x.elem)
	r := x
	r.most = max(x.most, s.most)
	g.def(r, "vector.insertelement %s, %s[%s : index] : %s", s.name, x.name, at, x.typ())
}

func list(ns []int) string { return strings.ReplaceAll(fmt.Sprint(ns), " ", ", ") }

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

func (g *vectorGen) slice() {
	x := g.any()
	n := 1 + g.IntN(len(x.shape))
	if g.cfg.MLIR { // MLIR 19 folds a slice of the first dimensions to one of what vector.scan put beside it
		n = len(x.shape)
	}
	r := x
	r.shape = slices.Clone(x.shape)
	offsets := make([]int, n)
	for d := range n {
		offsets[d] = g.IntN(x.shape[d])
		r.shape[d] = 1 + g.IntN(x.shape[d]-offsets[d])
	}
	g.def(r, "vector.extract_strided_slice %s {offsets = %s, sizes = %s, strides = %s} : %s to %s", x.name, list(offsets), list(r.shape[:n]), list(ones(n)), x.typ(), r.typ())
}

func (g *vectorGen) insertSlice() {
	x := g.any()
	lead := g.IntN(len(x.shape))
	shape, offsets := slices.Clone(x.shape[lead:]), make([]int, len(x.shape))
	for d, n := range x.shape {
		if offsets[d] = g.IntN(n); d >= lead {
			shape[d-lead] = 1 + g.IntN(n-offsets[d])
		}
	}
	p := g.like(shape, x.elem)
	r := x
	r.most = max(x.most, p.most)
	g.def(r, "vector.insert_strided_slice %s, %s {offsets = %s, strides = %s} : %s into %s", p.name, x.name, list(offsets), list(ones(len(shape))), p.typ(), x.typ())
}

func (g *vectorGen) interleave() {
	x := g.any()
	y := g.like(x.shape, x.elem)
	r := x
	r.most = max(x.most, y.most)
	r.shape = slices.Clone(x.shape)
	if r.shape[len(r.shape)-1] *= 2; size(r.shape) <= 64 {
		g.def(r, "vector.interleave %s, %s : %s -> %s", x.name, y.name, x.typ(), r.typ())
	}
}

func (g *vectorGen) deinterleave() {
	x, ok := g.some(func(v vec) bool { return len(v.shape) > 0 && v.shape[len(v.shape)-1]%2 == 0 && g.own(v.elem) })
	if !ok {
		return
	}
	r := x
	r.shape = slices.Clone(x.shape)
	r.shape[len(r.shape)-1] /= 2
	a, b := g.Name(), g.Name()
	g.Line("%s, %s = vector.deinterleave %s : %s -> %s", a, b, x.name, x.typ(), r.typ())
	r.name = a
	g.vals = append(g.vals, r)
	r.name = b
	g.vals = append(g.vals, r)
}

// bitcast goes to narrower integers and back.
func (g *vectorGen) bitcast() {
	x, ok := g.some(func(v vec) bool { return !v.scalar && v.elem == g.int && v.elem != "index" && v.elem != "i8" })
	if !ok {
		return
	}
	w := widths[x.elem] / 2
	n := vec{shape: slices.Clone(x.shape), elem: "i" + strconv.Itoa(int(w))}
	n.shape[len(n.shape)-1] *= 2
	n = g.def(n, "vector.bitcast %s : %s to %s", x.name, x.typ(), n.typ())
	n = g.def(n, "arith.addi %s, %s : %s", n.name, n.name, n.typ())
	g.def(x, "vector.bitcast %s : %s to %s", n.name, n.typ(), x.typ())
}

func (g *vectorGen) fma() {
	x := g.any()
	if !isFloating(x.elem) {
		return
	}
	y, z := g.like(x.shape, x.elem), g.like(x.shape, x.elem)
	x, y, z = g.small(x, 64), g.small(y, 64), g.small(z, 4096)
	r := x
	r.most = x.most*y.most + z.most
	g.def(r, "vector.fma %s, %s, %s : %s", x.name, y.name, z.name, x.typ())
}

// kind is how values are combined, and a bound of what n of them make.
func (g *vectorGen) kind(elem string, most float64, n int) (string, float64) {
	if !isFloating(elem) {
		return g.One("add", "mul", "minui", "minsi", "maxui", "maxsi", "and", "or", "xor"), 0
	}
	if k := g.One("add", "add", "minnumf", "maxnumf", "minimumf", "maximumf"); k != "add" {
		return k, most
	}
	return "add", most * float64(n)
}

func (g *vectorGen) reduction() {
	x := g.any()
	if len(x.shape) != 1 {
		return
	}
	x = g.small(x, 64)
	s := g.small(g.scalar(x.elem), 64)
	k, most := g.kind(x.elem, max(x.most, s.most), x.shape[0]+1)
	r := vec{scalar: true, elem: x.elem, most: most}
	if g.Chance(0.5) {
		g.def(r, "vector.reduction <%s>, %s, %s : %s into %s", k, x.name, s.name, x.typ(), x.elem)
	} else {
		g.def(r, "vector.reduction <%s>, %s : %s into %s", k, x.name, x.typ(), x.elem)
	}
}

// multi is a reduction of some dimensions of a vector, and its result.
func (g *vectorGen) multi(x vec) (r vec, op string) {
	var dims []int
	r = vec{elem: x.elem}
	for d, n := range x.shape {
		if g.Chance(0.5) || d == len(x.shape)-1 && dims == nil {
			dims = append(dims, d)
		} else {
			r.shape = append(r.shape, n)
		}
	}
	r.scalar = len(r.shape) == 0
	acc := g.small(g.numberOrVector(r), 64)
	var k string
	k, r.most = g.kind(x.elem, max(x.most, acc.most), size(x.shape)+1)
	return r, fmt.Sprintf("vector.multi_reduction <%s>, %s, %s %s : %s to %s", k, x.name, acc.name, list(dims), x.typ(), r.typ())
}

func (g *vectorGen) multiReduction() {
	r, op := g.multi(g.small(g.any(), 64))
	g.def(r, "%s", op)
}

// contraction is a product of matrices, of a matrix and a vector, or of vectors.
func (g *vectorGen) contraction() (r vec, space []int, op string) {
	elem := g.elem()
	i, j, k := 1+g.IntN(3), 1+g.IntN(3), 1+g.IntN(4)
	forms := []struct {
		lhs, rhs, acc []int
		maps          [3]string
		iterators     string
		space         []int
	}{
		{[]int{i, k}, []int{k, j}, []int{i, j}, [3]string{"d0, d2", "d2, d1", "d0, d1"}, `"parallel", "parallel", "reduction"`, []int{i, j, k}},
		{[]int{k, i}, []int{j, k}, []int{j, i}, [3]string{"d2, d0", "d1, d2", "d1, d0"}, `"parallel", "parallel", "reduction"`, []int{i, j, k}},
		{[]int{i, k}, []int{k}, []int{i}, [3]string{"d0, d1", "d1", "d0"}, `"parallel", "reduction"`, []int{i, k}},
		{[]int{k}, []int{k}, nil, [3]string{"d0", "d0", ""}, `"reduction"`, []int{k}},
		{[]int{i, j, k}, []int{i, k}, []int{i, j}, [3]string{"d0, d1, d2", "d0, d2", "d0, d1"}, `"parallel", "parallel", "reduction"`, []int{i, j, k}},
	}
	f := forms[g.IntN(len(forms))]
	x, y := g.small(g.like(f.lhs, elem), 64), g.small(g.like(f.rhs, elem), 64)
	r = vec{shape: f.acc, scalar: f.acc == nil, elem: elem}
	acc := g.small(g.numberOrVector(r), 64)
	kind, _ := g.kind(elem, 0, 0)
	if g.cfg.MLIR { // which lowers no others
		kind = "add"
	}
	r.most = x.most*y.most*float64(k) + acc.most
	dims := "d0, d1, d2"[:4*len(f.space)-2]
	var maps []string
	for _, m := range f.maps {
		maps = append(maps, fmt.Sprintf("affine_map<(%s) -> (%s)>", dims, m))
	}
	return r, f.space, fmt.Sprintf("vector.contract {indexing_maps = [%s], iterator_types = [%s], kind = #vector.kind<%s>} %s, %s, %s : %s, %s into %s",
		strings.Join(maps, ", "), f.iterators, kind, x.name, y.name, acc.name, x.typ(), y.typ(), r.typ())
}

func (g *vectorGen) contract() {
	r, _, op := g.contraction()
	g.def(r, "%s", op)
}

func (g *vectorGen) outer() {
	r, op := g.outerproduct()
	g.def(r, "%s", op)
}

// outerproduct is one, and its result.
func (g *vectorGen) outerproduct() (r vec, op string) {
	elem := g.elem()
	x, y := g.small(g.like([]int{1 + g.IntN(4)}, elem), 64), g.small(g.scalar(elem), 64)
	r = vec{shape: x.shape, elem: elem}
	if g.Chance(0.7) {
		y = g.small(g.like([]int{1 + g.IntN(4)}, elem), 64)
		r.shape = []int{x.shape[0], y.shape[0]}
	}
	r.most = x.most * y.most
	if g.Chance(0.5) {
		return r, fmt.Sprintf("vector.outerproduct %s, %s : %s, %s", x.name, y.name, x.typ(), y.typ())
	}
	acc := g.small(g.like(r.shape, elem), 4096)
	r.most += acc.most
	k, _ := g.kind(elem, 0, 0)
	return r, fmt.Sprintf("vector.outerproduct %s, %s, %s {kind = #vector.kind<%s>} : %s, %s", x.name, y.name, acc.name, k, x.typ(), y.typ())
}

func (g *vectorGen) scan() {
	x := g.small(g.any(), 64)
	if len(x.shape) < 2 {
		return
	}
	d := g.IntN(len(x.shape))
	i := vec{shape: slices.Delete(slices.Clone(x.shape), d, d+1), elem: x.elem}
	i = g.small(g.like(i.shape, i.elem), 64)
	r := x
	var k string
	k, r.most = g.kind(x.elem, max(x.most, i.most), x.shape[d]+1)
	a, b := g.Name(), g.Name()
	g.Line("%s, %s = vector.scan <%s>, %s, %s {inclusive = %t, reduction_dim = %d : i64} : %s, %s", a, b, k, x.name, i.name, g.Chance(0.5), d, x.typ(), i.typ())
	r.name, i.most = a, r.most
	i.name = b
	g.vals = append(g.vals, r, i)
}

func (g *vectorGen) flatTranspose() {
	x := g.any()
	if len(x.shape) != 1 || x.elem == "index" || g.cfg.MLIR { // which leaves it to a pass of LLVM's that is not on
		return
	}
	rows := 1
	for f := 2; f < x.shape[0]; f++ {
		if x.shape[0]%f == 0 {
			rows = f
		}
	}
	g.def(x, "vector.flat_transpose %s {columns = %d : i32, rows = %d : i32} : %s -> %s", x.name, x.shape[0]/rows, rows, x.typ(), x.typ())
}

// matrix is a product of matrices, each column by column.
func (g *vectorGen) matrix() {
	if g.cfg.MLIR { // which leaves it to a pass of LLVM's that is not on
		return
	}
	elem := g.elem()
	i, k, j := 1+g.IntN(3), 1+g.IntN(3), 1+g.IntN(3)
	x, y := g.small(g.like([]int{i * k}, elem), 64), g.small(g.like([]int{k * j}, elem), 64)
	if elem == "index" {
		return
	}
	r := vec{shape: []int{i * j}, elem: elem, most: x.most * y.most * float64(k)}
	g.def(r, "vector.matrix_multiply %s, %s {lhs_rows = %d : i32, lhs_columns = %d : i32, rhs_columns = %d : i32} : (%s, %s) -> %s", x.name, y.name, i, k, j, x.typ(), y.typ(), r.typ())
}

func (g *vectorGen) step() {
	r := vec{shape: []int{1 + g.IntN(8)}, elem: "index"}
	r = g.def(r, "vector.step : %s", r.typ())
	if n := r; g.int != "index" {
		n.elem = g.int
		g.def(n, "arith.index_cast %s : %s to %s", r.name, r.typ(), n.typ())
	}
}
