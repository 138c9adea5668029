package tensors

import (
	"fmt"
	"slices"
	"strings"
)

// slice takes a part, seldom one that is not inside.
func (g *generator) slice() {
	x := g.pick()
	shape := make([]int64, len(x.shape))
	var starts, steps []string
	for d, n := range x.shape {
		start, step := g.Int64N(n+1), 1+g.Int64N(3)
		if shape[d] = (n - start + step - 1) / step; g.IntN(30) == 0 {
			shape[d]++
		}
		name := fmt.Sprintf("%%v%d_s%d", len(g.vals), d)
		g.line("%s = arith.constant %d : index", name, start)
		starts, steps = append(starts, name), append(steps, fmt.Sprint(step))
	}
	g.withExtents(shape, func(v val, extents string) {
		if extents != "" {
			extents = " extents" + extents
		}
		g.line("%s = ten.slice %s[%s] by [%s]%s : %s -> %s", v.name, x.name, strings.Join(starts, ", "), strings.Join(steps, ", "), extents, g.typ(x), g.typ(v))
	})
}

func (g *generator) pad() {
	x := g.pick()
	shape := slices.Clone(x.shape)
	var low, high []string
	for d := range shape {
		l, h := g.Int64N(3), g.Int64N(2)
		shape[d] += l + h
		low, high = append(low, fmt.Sprint(l)), append(high, fmt.Sprint(h))
	}
	v := g.result(shape, slices.Clone(x.known))
	g.line("%s_x = arith.constant %s : %s", v.name, g.number(), g.elem)
	g.line("%s = ten.pad %s with %s_x low [%s] high [%s] : %s", v.name, x.name, v.name, strings.Join(low, ", "), strings.Join(high, ", "), g.typ(x))
}

// concat puts a value behind others that fit.
func (g *generator) concat() {
	x := g.pick()
	if len(x.shape) == 0 {
		return
	}
	dim := g.IntN(len(x.shape))
	shape, known := slices.Clone(x.shape), slices.Clone(x.known)
	names, types := []string{x.name}, []string{g.typ(x)}
	for _, y := range g.vals {
		if len(y.shape) != len(shape) || len(names) == 3 || !g.reads(y) {
			continue
		}
		fits := true
		for d := range shape {
			fits = fits && (d == dim || shape[d] == y.shape[d])
		}
		if !fits {
			continue
		}
		for d := range shape {
			if d == dim {
				shape[d], known[d] = shape[d]+y.shape[d], known[d] && y.known[d]
			} else {
				known[d] = known[d] || y.known[d]
			}
		}
		names, types = append(names, y.name), append(types, g.typ(y))
	}
	v := g.result(shape, known)
	g.line("%s = ten.concat %s along %d : %s", v.name, strings.Join(names, ", "), dim, strings.Join(types, ", "))
}

// conv is a convolution of an image by kernels, which are arguments.
func (g *generator) conv() (image, kernel val) {
	rank, groups, own := 1+g.IntN(2), 1+g.Int64N(2), 1+g.Int64N(5)
	x, w := []int64{g.Int64N(3), groups * own}, []int64{groups * (1 + g.Int64N(6)), own}
	known := []bool{g.IntN(2) == 0, true}
	var low, high, strides, dilations []string
	shape := []int64{x[0], w[0]}
	for range rank {
		k, s, d, l, h := 1+g.Int64N(3), 1+g.Int64N(2), 1+g.Int64N(2), g.Int64N(2), g.Int64N(2)
		n := d*(k-1) + 1 + g.Int64N(5)
		x, w, known = append(x, n), append(w, k), append(known, g.IntN(2) == 0)
		low, high, strides, dilations = append(low, fmt.Sprint(l)), append(high, fmt.Sprint(h)), append(strides, fmt.Sprint(s)), append(dilations, fmt.Sprint(d))
		shape = append(shape, (n+l+h-d*(k-1)-1)/s+1)
	}
	all := make([]bool, len(w))
	for i := range all {
		all[i] = true
	}
	image, kernel = g.value("%image", x, known), g.value("%kernel", w, all)
	y := g.resultOf(given.times(given).sum(size(w[1:])), shape, slices.Clone(known))
	list := func(parts []string) string { return "[" + strings.Join(parts, ", ") + "]" }
	g.line("%s = ten.conv %s by %s low %s high %s strides %s dilations %s groups %d : %s, %s -> %s", y.name, image.name, kernel.name,
		list(low), list(high), list(strides), list(dilations), groups, g.typ(image), g.typ(kernel), g.typ(y))
	return image, kernel
}
