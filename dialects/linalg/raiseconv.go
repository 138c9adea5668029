package linalg

import (
	"slices"

	"github.com/irc-lang/irc/dialects/tensor"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// A sliding is a convolution of any layout: which loops are of the batch, of groups, of features, of channels, of places in the result and in
// the window. ten.conv has one layout, N x C x D... by M x C/groups x K..., which operands are brought into and the result out of.
type sliding struct {
	batch, groups, features, channels []int
	places, windows                   []int // side by side
	strides, dilations                []int64
	image                             []int // by subscript of the first input: the loop, that of the place for one with a window
	kernel, result                    []int
	extents                           []int64       // of loops
	under                             map[int]int64 // extents of the image, by place
}

// convolution finds the parts of the loops; nil if it is none.
func (r *raising) convolution() *sliding {
	w := &sliding{extents: make([]int64, len(r.s.Reduction)), under: map[int]int64{}}
	var ok [2]bool
	w.kernel, ok[0] = dimsOf(r.s.Maps[1])
	w.result, ok[1] = dimsOf(r.s.Maps[2])
	if !ok[0] || !ok[1] {
		return nil
	}
	shape := func(i int) []int64 { return tensor.Shape(r.ctx(), r.n.Arg(i).Type()) }
	for i, dims := range [][]int{w.kernel, w.result} {
		for at, d := range dims {
			w.extents[d] = shape(1 + i)[at]
		}
	}
	for at, e := range r.s.Maps[0].Results {
		if e.Op == expr.OpDim {
			d := int(e.N)
			w.image = append(w.image, d)
			w.extents[d] = shape(0)[at]
			continue
		}
		place, window, stride, dilation, ok := r.slides(e, w)
		if !ok {
			return nil
		}
		w.image = append(w.image, place)
		w.places, w.windows = append(w.places, place), append(w.windows, window)
		w.strides, w.dilations = append(w.strides, stride), append(w.dilations, dilation)
		w.under[place] = shape(0)[at]
	}
	return r.parts(w)
}

// slides reads stride * place + dilation * window.
func (r *raising) slides(e *expr.Expr, w *sliding) (place, window int, stride, dilation int64, ok bool) {
	steps := make([]int64, len(r.s.Reduction))
	if !addSteps(e, 1, steps) {
		return 0, 0, 0, 0, false
	}
	place, window = -1, -1
	for d, n := range steps {
		switch {
		case n == 0:
		case n > 0 && !r.s.Reduction[d] && place < 0 && slices.Contains(w.result, d) && !slices.Contains(w.kernel, d):
			place, stride = d, n
		case n > 0 && r.s.Reduction[d] && window < 0 && slices.Contains(w.kernel, d) && !slices.Contains(w.result, d):
			window, dilation = d, n
		default:
			return 0, 0, 0, 0, false
		}
	}
	return place, window, stride, dilation, place >= 0 && window >= 0
}

// addSteps adds a sum of loops, each times a number, to the numbers of all; it is false for anything else.
func addSteps(e *expr.Expr, by int64, to []int64) bool {
	switch {
	case e.Op == expr.OpDim:
		to[e.N] += by
		return true
	case e.Op == expr.OpAdd:
		return addSteps(e.L, by, to) && addSteps(e.R, by, to)
	}
	return e.Op == expr.OpMul && e.R.IsConst() && addSteps(e.L, by*e.R.N, to)
}

// parts tells the other loops apart; nil if one has no part in a convolution.
func (r *raising) parts(w *sliding) *sliding {
	for d, isSum := range r.s.Reduction {
		if slices.Contains(w.places, d) || slices.Contains(w.windows, d) {
			if count(w.image, d)+count(w.kernel, d)+count(w.result, d) != map[bool]int{true: 1, false: 2}[isSum] {
				return nil
			}
			continue
		}
		image, kernel, result := slices.Contains(w.image, d), slices.Contains(w.kernel, d), slices.Contains(w.result, d)
		switch {
		case count(w.image, d) > 1:
			return nil
		case image && kernel && result && !isSum:
			w.groups = append(w.groups, d)
		case image && !kernel && result && !isSum:
			w.batch = append(w.batch, d)
		case !image && kernel && result && !isSum:
			w.features = append(w.features, d)
		case image && kernel && !result && isSum:
			w.channels = append(w.channels, d)
		default:
			return nil
		}
	}
	if len(w.places) == 0 || slices.Contains(w.extents, 0) {
		return nil
	}
	for i, d := range w.places {
		if (w.under[d]-w.dilations[i]*(w.extents[w.windows[i]]-1)-1)/w.strides[i]+1 != w.extents[d] {
			return nil // the image goes on behind the last place
		}
	}
	return w
}

func count(list []int, d int) (n int) {
	for _, x := range list {
		if x == d {
			n++
		}
	}
	return n
}

// convolve makes the convolution.
func (r *raising) convolve(w *sliding) ir.Value {
	c := r.B.Ctx()
	all := func(list []int) int64 {
		n := int64(1)
		for _, d := range list {
			n = ir.Times(n, w.extents[d])
		}
		return n
	}
	each := func(list []int) (out []int64) {
		return lists.Map(list, func(d int) int64 { return w.extents[d] })
	}
	image := ordered(r.B, r.Of(r.n.Arg(0)), w.image, slices.Concat(w.batch, w.groups, w.channels, w.places))
	shape := []int64{all(w.batch), all(w.groups) * all(w.channels)}
	for _, d := range w.places {
		shape = append(shape, w.under[d])
	}
	image = reshaped(r.B, image, shape)
	kernel := ordered(r.B, r.Of(r.n.Arg(1)), w.kernel, slices.Concat(w.groups, w.features, w.channels, w.windows))
	kernel = reshaped(r.B, kernel, append([]int64{all(w.groups) * all(w.features), all(w.channels)}, each(w.windows)...))
	none := tensor.Ints(c, make([]int64, len(w.places))...)
	attr := ir.Attr(0)
	for _, a := range []ir.NamedAttr{{Name: "low", Value: none}, {Name: "high", Value: none}, {Name: "strides", Value: tensor.Ints(c, w.strides...)}, {Name: "dilations", Value: tensor.Ints(c, w.dilations...)},
		{Name: "groups", Value: c.IntAttr(all(w.groups), ir.I64)}} {
		attr = c.With(attr, a.Name, a.Value)
	}
	t := c.Tensor(append([]int64{all(w.batch), all(w.groups) * all(w.features)}, each(w.places)...), r.elem(r.output()))
	v := r.B.Must(ir.Call{Def: tensor.Conv, Args: []ir.Value{image, kernel}, Attr: attr, Type: t, Loc: r.B.Loc})
	order := slices.Concat(w.batch, w.groups, w.features, w.places)
	return ordered(r.B, reshaped(r.B, v, each(order)), order, w.result)
}
