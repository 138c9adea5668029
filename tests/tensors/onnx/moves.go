package onnx

import (
	"fmt"
	"slices"
	"strings"
)

// window makes what goes over an image: extents of the image and of the result in each dimension.
type window struct {
	size, low, high, strides, dilations, image, out []int
}

func (m *maker) window(rank int) (w window) {
	for range rank {
		k, s, d := 1+m.IntN(3), 1+m.IntN(2), 1+m.IntN(2)
		l, h := m.IntN(k), m.IntN(k)
		n := d*(k-1) + 1 + m.IntN(5)
		w.size, w.low, w.high = append(w.size, k), append(w.low, l), append(w.high, h)
		w.strides, w.dilations, w.image = append(w.strides, s), append(w.dilations, d), append(w.image, n)
		w.out = append(w.out, (n+l+h-d*(k-1)-1)/s+1)
	}
	return w
}

// text is how the op says it, and attributes are ONNX's.
func (m *maker) windowText(w window) string {
	m.c.Attrs["pads"], m.c.Attrs["strides"], m.c.Attrs["dilations"] = slices.Concat(w.low, w.high), w.strides, w.dilations
	return fmt.Sprintf("low %s high %s strides %s dilations %s", list(w.low), list(w.high), list(w.strides), list(w.dilations))
}

func (m *maker) conv() (string, string) {
	m.c.Op = "Conv"
	w, groups, own, per := m.window(1+m.IntN(3)), 1+m.IntN(2), 1+m.IntN(4), 1+m.IntN(3)
	m.c.Attrs["group"] = groups
	x := m.input("f32", append([]int{1 + m.IntN(2), groups * own}, w.image...))
	k := m.input("f32", append([]int{groups * per, own}, w.size...))
	xt, kt := m.take("%x", x, true), m.take("%k", k, true)
	t := tensor(append([]int{x.Dims[0], groups * per}, w.out...), "f32")
	return fmt.Sprintf("  %%y = ten.conv %%x by %%k %s groups %d : %s, %s -> %s", m.windowText(w), groups, xt, kt, t), t
}

func (m *maker) maxPool() (string, string) {
	m.c.Op = "MaxPool"
	return m.pool(m.oneOf("f32", "f64", "i8"), "max", m.window(1+m.IntN(3)))
}

func (m *maker) averagePool() (string, string) {
	m.c.Op = "AveragePool"
	kind := m.oneOf("average", "padded_average")
	m.c.Attrs["count_include_pad"] = map[string]int{"average": 0, "padded_average": 1}[kind]
	w := m.window(1 + m.IntN(2))
	return m.pool("f32", kind, w)
}

// pool leaves pads out where dilation lets a window miss all elements.
func (m *maker) pool(elem, kind string, w window) (string, string) {
	for i, d := range w.dilations {
		if d > 1 {
			w.out[i] = (w.image[i]-d*(w.size[i]-1)-1)/w.strides[i] + 1
			w.low[i], w.high[i] = 0, 0
		}
	}
	m.c.Attrs["kernel_shape"] = w.size
	x := m.input(elem, append([]int{1 + m.IntN(2), 1 + m.IntN(2)}, w.image...))
	xt := m.take("%x", x, true)
	t := tensor(append(slices.Clone(x.Dims[:2]), w.out...), elem)
	return fmt.Sprintf("  %%y = ten.pool %s %%x window %s %s : %s -> %s", kind, list(w.size), m.windowText(w), xt, t), t
}

func (m *maker) slice() (string, string) {
	m.c.Op = "Slice"
	x := m.input("f32", m.shape(1+m.IntN(3)))
	var starts, ends, axes, steps, shape []int
	var lines, names []string
	for d, n := range x.Dims {
		start, step := m.IntN(n), 1+m.IntN(3)
		size := 1 + m.IntN((n-start+step-1)/step)
		starts, steps, axes = append(starts, start), append(steps, step), append(axes, d)
		ends, shape = append(ends, start+(size-1)*step+1), append(shape, size)
		names = append(names, fmt.Sprintf("%%s%d", d))
		lines = append(lines, fmt.Sprintf("  %%s%d = arith.constant %d : index", d, start))
	}
	xt, t := m.take("%x", x, false), tensor(shape, "f32")
	for _, l := range [][]int{starts, ends, axes, steps} {
		m.ints(l...)
	}
	lines = append(lines, fmt.Sprintf("  %%y = ten.slice %%x[%s] by %s : %s -> %s", strings.Join(names, ", "), list(steps), xt, t))
	return strings.Join(lines, "\n"), t
}

func (m *maker) concat() (string, string) {
	m.c.Op = "Concat"
	shape := m.shape(1 + m.IntN(3))
	dim := m.IntN(len(shape))
	m.c.Attrs["axis"] = dim
	var args, types []string
	sum := 0
	for i := range 1 + m.IntN(3) {
		own := slices.Clone(shape)
		own[dim] = 1 + m.IntN(4)
		sum += own[dim]
		args = append(args, fmt.Sprintf("%%x%d", i))
		types = append(types, m.take(args[i], m.input("i64", own), true))
	}
	shape[dim] = sum
	return fmt.Sprintf("  %%y = ten.concat %s along %d : %s", strings.Join(args, ", "), dim, strings.Join(types, ", ")), tensor(shape, "i64")
}

func (m *maker) pad() (string, string) {
	m.c.Op = "Pad"
	mode := m.oneOf("constant", "edge", "reflect", "wrap")
	m.c.Attrs["mode"] = mode
	x := m.input("f32", m.shape(1+m.IntN(3)))
	var low, high, shape []int
	for _, n := range x.Dims {
		most := map[string]int{"constant": 3, "edge": 3, "reflect": n - 1, "wrap": n}[mode] + 1
		l, h := m.IntN(most), m.IntN(most)
		low, high, shape = append(low, l), append(high, h), append(shape, n+l+h)
	}
	xt := m.take("%x", x, true)
	m.ints(slices.Concat(low, high)...)
	if mode != "constant" {
		return fmt.Sprintf("  %%y = ten.extend %s %%x low %s high %s : %s", mode, list(low), list(high), xt), tensor(shape, "f32")
	}
	m.c.Inputs = append(m.c.Inputs, Input{Type: "float32", Dims: []int{}, Data: []any{2.5}})
	return fmt.Sprintf("  %%c = arith.constant 2.5 : f32\n  %%y = ten.pad %%x with %%c low %s high %s : %s", list(low), list(high), xt), tensor(shape, "f32")
}

// indices are places of a dimension, from its end too; distinct ones, if that is wanted and there are enough.
func (m *maker) indices(dims []int, n int) Input {
	return m.inputOf(m.oneOf("i64", "i32"), dims, func() any { return m.IntN(2*n) - n })
}

func (m *maker) gather() (string, string) {
	m.c.Op = "Gather"
	x := m.input("f32", m.shape(1+m.IntN(3)))
	dim := m.IntN(len(x.Dims))
	m.c.Attrs["axis"] = dim
	at := m.indices(m.shape(m.IntN(3)), x.Dims[dim])
	xt, it := m.take("%x", x, true), m.take("%i", at, true)
	return fmt.Sprintf("  %%y = ten.gather %%x by %%i along %d : %s, %s", dim, xt, it), tensor(slices.Concat(x.Dims[:dim], at.Dims, x.Dims[dim+1:]), "f32")
}

// within are places that are in a tensor but along a dimension.
func (m *maker) within(shape []int, dim int) []int {
	out := slices.Clone(shape)
	for d, n := range shape {
		if out[d] = 1 + m.IntN(n); d == dim {
			out[d] = 1 + m.IntN(4)
		}
	}
	return out
}

func (m *maker) gatherElements() (string, string) {
	m.c.Op = "GatherElements"
	x := m.input("f32", m.shape(1+m.IntN(3)))
	dim := m.IntN(len(x.Dims))
	m.c.Attrs["axis"] = dim
	at := m.indices(m.within(x.Dims, dim), x.Dims[dim])
	xt, it := m.take("%x", x, true), m.take("%i", at, true)
	return fmt.Sprintf("  %%y = ten.gather_elements %%x by %%i along %d : %s, %s", dim, xt, it), tensor(at.Dims, "f32")
}

// how is a way to combine. To set is defined by ONNX only where no index occurs again: it runs through them in order too.
func (m *maker) how() string {
	kind := m.oneOf("set", "add", "mul", "min", "max")
	m.c.Attrs["reduction"] = map[string]string{"set": "none"}[kind]
	if kind != "set" {
		m.c.Attrs["reduction"] = kind
	}
	return kind
}

func (m *maker) scatterElements() (string, string) {
	m.c.Op, m.c.Opset = "ScatterElements", 18
	elem := m.oneOf("f32", "i64")
	x := m.input(elem, m.shape(1+m.IntN(3)))
	dim := m.IntN(len(x.Dims))
	m.c.Attrs["axis"] = dim
	at := m.indices(m.within(x.Dims, dim), x.Dims[dim])
	u := m.input(elem, at.Dims)
	xt, it, ut := m.take("%x", x, true), m.take("%i", at, true), m.take("%u", u, true)
	return fmt.Sprintf("  %%y = ten.scatter_elements %s %%u to %%x by %%i along %d : %s, %s, %s", m.how(), dim, ut, xt, it), tensor(x.Dims, elem)
}

// scatter along the first dimension is ONNX's ScatterND by indices of one number.
func (m *maker) scatter() (string, string) {
	m.c.Op, m.c.Opset = "ScatterND", 18
	elem := m.oneOf("f32", "i64")
	x := m.input(elem, m.shape(1+m.IntN(3)))
	at := m.inputOf("i64", m.shape(m.IntN(3)), func() any { return m.IntN(2*x.Dims[0]) - x.Dims[0] })
	u := m.input(elem, slices.Concat(at.Dims, x.Dims[1:]))
	xt, it, ut := m.param("%x", x, true), m.param("%i", at, true), m.param("%u", u, true)
	one := at
	one.Dims = append(slices.Clone(at.Dims), 1)
	m.c.Inputs = []Input{x, one, u}
	return fmt.Sprintf("  %%y = ten.scatter %s %%u to %%x by %%i along 0 : %s, %s, %s", m.how(), ut, xt, it), tensor(x.Dims, elem)
}
