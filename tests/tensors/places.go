package tensors

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

func list(ns []int64) string {
	parts := make([]string, len(ns))
	for i, n := range ns {
		parts[i] = fmt.Sprint(n)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// pool is a pooling of an image that is an argument; averages are of 1, 2, 4 or 8 elements, so that they are exact.
func (g *generator) pool() {
	kind := []string{"max", "min", "add", "average", "padded_average"}[g.IntN(5)]
	if !g.isFloat() {
		kind = []string{"max", "min", "add"}[g.IntN(3)]
	}
	most := int64(3)
	if strings.HasSuffix(kind, "average") {
		most = 2
	}
	x, known := []int64{g.Int64N(3), 1 + g.Int64N(3)}, []bool{g.IntN(2) == 0, g.IntN(2) == 0}
	shape := slices.Clone(x)
	var window, low, high, strides, dilations []int64
	for range 1 + g.IntN(2) {
		k, s, d, l, h := 1+g.Int64N(most), 1+g.Int64N(2), 1+g.Int64N(2), g.Int64N(2), g.Int64N(2)
		if most == 2 && g.IntN(2) == 0 {
			d, l, h = 1, min(l, k-1), min(h, k-1)
		}
		if g.isFloat() && d > 1 { // a window without elements gives an infinity or NaN, with which the order of products matters
			l, h = 0, 0
		}
		n := d*(k-1) + 1 + g.Int64N(5)
		x, known = append(x, n), append(known, g.IntN(2) == 0)
		window, low, high, strides, dilations = append(window, k), append(low, min(l, k-1)), append(high, min(h, k-1)), append(strides, s), append(dilations, d)
		shape = append(shape, (n+min(l, k-1)+min(h, k-1)-d*(k-1)-1)/s+1)
	}
	for i := range known {
		known[i] = known[i] || x[0] == 0 // whose extents its data does not say
	}
	image := g.value("%pooled", x, known)
	g.param(image.name, g.typ(image), g.data(x))
	e := given.sum(size(window))
	if most == 2 {
		e.unit /= float64(size(window))
	}
	y := g.resultOf(e, shape, slices.Clone(known))
	g.line("%s = ten.pool %s %s window %s low %s high %s strides %s dilations %s : %s -> %s", y.name, kind, image.name,
		list(window), list(low), list(high), list(strides), list(dilations), g.typ(image), g.typ(y))
}

// extend adds as many elements as a mode allows, where it is known that they are there, and seldom more.
func (g *generator) extend() {
	x := g.pick()
	mode := g.IntN(3)
	shape, low, high := slices.Clone(x.shape), make([]int64, len(x.shape)), make([]int64, len(x.shape))
	for d, n := range x.shape {
		most := []int64{3, max(n-1, 0), n}[mode]
		if n == 0 {
			most = 0
		}
		if most++; g.IntN(30) == 0 && !x.known[d] {
			most++
		}
		low[d], high[d] = min(g.Int64N(most), 3), min(g.Int64N(most), 3)
		shape[d] += low[d] + high[d]
	}
	if size(shape) > 2000 {
		return
	}
	v := g.result(shape, slices.Clone(x.known))
	g.line("%s = ten.extend %s %s low %s high %s : %s", v.name, []string{"edge", "reflect", "wrap"}[mode], x.name, list(low), list(high), g.typ(x))
}

func size(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

// indices are an argument: places along a dimension of so many elements, seldom outside.
func (g *generator) indices(shape []int64, n int64) (name, typ string, known []bool) {
	known = make([]bool, len(shape))
	for i := range known {
		known[i] = g.IntN(2) == 0
	}
	typ = g.typeOf(shape, known, []string{"i64", "i32", "i8", "index"}[g.IntN(4)])
	name = fmt.Sprintf("%%i%d", len(g.params))
	var data func(shape []int64) string
	data = func(shape []int64) string {
		if len(shape) == 0 {
			i := g.Int64N(max(2*n, 1)) - n
			if g.IntN(100) == 0 {
				i = n
			}
			return fmt.Sprint(i)
		}
		parts := make([]string, shape[0])
		for i := range parts {
			parts[i] = data(shape[1:])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	g.param(name, typ, data(shape))
	return name, typ, known
}

// part is the shape of the parts of a value along a dimension, and indices for it; or of elements, each with an index.
func (g *generator) part(x val) (dim int, byOne bool, part val, name, typ string) {
	dim, byOne = g.IntN(len(x.shape)), g.IntN(2) == 0
	if byOne {
		shape := slices.Clone(x.shape)
		for d, n := range shape {
			if shape[d] = g.Int64N(n + 1); d == dim {
				shape[d] = g.Int64N(4)
			}
		}
		name, typ, known := g.indices(shape, x.shape[dim])
		return dim, byOne, val{shape: shape, known: known}, name, typ
	}
	at := make([]int64, g.IntN(3))
	for i := range at {
		at[i] = g.Int64N(4)
	}
	name, typ, known := g.indices(at, x.shape[dim])
	shape := slices.Concat(x.shape[:dim], at, x.shape[dim+1:])
	return dim, byOne, val{shape: shape, known: slices.Concat(x.known[:dim], known, x.known[dim+1:])}, name, typ
}

func (g *generator) gather() {
	x := g.pick()
	if len(x.shape) == 0 || len(x.shape) > 4 {
		return
	}
	dim, byOne, part, name, typ := g.part(x)
	op := "ten.gather"
	if byOne {
		op = "ten.gather_elements"
	}
	for _, a := range g.vals { // places along a dimension, which argmax found
		if a.elem == "i64" && a.below <= x.shape[dim] && len(a.shape) < 3 {
			op, name, typ = "ten.gather", a.name, g.typ(a)
			part = val{shape: slices.Concat(x.shape[:dim], a.shape, x.shape[dim+1:]), known: slices.Concat(x.known[:dim], a.known, x.known[dim+1:])}
		}
	}
	v := g.result(part.shape, part.known)
	g.line("%s = %s %s by %s along %d : %s, %s", v.name, op, x.name, name, dim, g.typ(x), typ)
}

// scatter brings an argument to places of a value.
func (g *generator) scatter() {
	x := g.pick()
	if len(x.shape) == 0 || len(x.shape) > 4 {
		return
	}
	dim, byOne, part, name, typ := g.part(x)
	op := "ten.scatter"
	if byOne {
		op = "ten.scatter_elements"
	}
	e, kind := x.exact, []string{"set", "add", "mul", "min", "max"}[g.IntN(5)]
	switch kind {
	case "add":
		e.most += 2 * float64(size(part.shape))
	case "mul":
		e.most *= math.Pow(2, float64(size(part.shape)))
	}
	if !g.sumsExactly(e) {
		return
	}
	u := g.value(fmt.Sprintf("%%u%d", len(g.params)), part.shape, part.known)
	g.param(u.name, g.typ(u), g.data(u.shape))
	v := g.resultOf(e, x.shape, x.known)
	g.line("%s = %s %s %s to %s by %s along %d : %s, %s, %s", v.name, op, kind, u.name, x.name, name, dim, g.typ(u), g.typ(x), typ)
}

func (g *generator) relu() {
	x := g.pick()
	if !g.isFloat() {
		return
	}
	v := g.result(x.shape, x.known)
	g.line("%s = ten.relu %s above %d.0 : f64 : %s", v.name, x.name, g.IntN(3)-1, g.typ(x))
}
