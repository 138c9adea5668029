package torch

import (
	"fmt"
	"slices"
)

// window is how a kernel goes over an image.
type window struct {
	low, high, strides, dilations []int64
	pads                          string
}

func (b *builder) window(dims int) (w window) {
	w.low, w.high, w.pads = b.margins(dims, 2)
	for range dims {
		w.strides, w.dilations = append(w.strides, 1+b.Int64N(2)), append(w.dilations, 1+b.Int64N(2))
	}
	return w
}

func (w window) String() string {
	return fmt.Sprintf("low [%s] high [%s] strides [%s] dilations [%s]", list(w.low), list(w.high), list(w.strides), list(w.dilations))
}

// over are the extents of what comes of an image; ok is false where a kernel is larger than it.
func (w window) over(image, kernel []int64) (out []int64, ok bool) {
	for d, n := range image {
		room := n + w.low[d] + w.high[d] - (kernel[d]-1)*w.dilations[d] - 1
		if room < 0 {
			return nil, false
		}
		out = append(out, room/w.strides[d]+1)
	}
	return out, true
}

// image is a batch of images of so many dimensions.
func (b *builder) image() (x *value, dims int) {
	x = b.pick(3, 4)
	return x, len(x.shape) - 2
}

func (b *builder) convolution() {
	x, dims := b.image()
	w, groups := b.window(dims), int64(1)
	if x.shape[1]%2 == 0 && b.IntN(2) == 0 {
		groups = 2
	}
	kernel := []int64{groups * (1 + b.Int64N(2)), x.shape[1] / groups}
	for range dims {
		kernel = append(kernel, 1+b.Int64N(3))
	}
	out, ok := w.over(x.shape[2:], kernel[2:])
	if !ok {
		return
	}
	k := b.with(kernel)
	shape := append([]int64{x.shape[0], kernel[0]}, out...)
	b.tame(b.make(shape, fmt.Sprintf("ten.conv %s by %s %s groups %d : %s, %s -> tensor<%s>", x.irc(), k.irc(), w, groups, x.typ(), k.typ(), spelled(shape)),
		fmt.Sprintf("F.conv%dd(F.pad(%s, (%s)), %s, None, (%s,), 0, (%s,), %d)", dims, x.name, w.pads, k.name, list(w.strides), list(w.dilations), groups), x, k))
}

func (b *builder) pool() {
	x, dims := b.image()
	w, size := b.window(dims), b.shape(dims)
	kind := []string{"max", "min", "add", "average", "padded_average"}[b.IntN(5)]
	for i := range size {
		size[i] = 2
		if kind != "max" && kind != "min" || w.dilations[i]+w.low[i]+w.high[i] > 2 { // each place has an element of the image
			w.dilations[i] = 1
		}
	}
	out, ok := w.over(x.shape[2:], size)
	if !ok {
		return
	}
	shape := append(slices.Clone(x.shape[:2]), out...)
	average := func(of string) string {
		return fmt.Sprintf("F.avg_pool%dd(F.pad(%s, (%s)), (%s,), (%s,))", dims, of, w.pads, list(size), list(w.strides))
	}
	most := func(of string) string {
		return fmt.Sprintf("F.max_pool%dd(F.pad(%s, (%s), value=-math.inf), (%s,), (%s,), 0, (%s,))", dims, of, w.pads, list(size), list(w.strides), list(w.dilations))
	}
	torch := map[string]string{
		"max": most(x.name), "min": "-" + most("-"+x.name), "padded_average": average(x.name), "add": fmt.Sprintf("%d * %s", 1<<dims, average(x.name)),
		"average": average(x.name) + " / " + average(fmt.Sprintf("torch.ones_like(%s)", x.name)),
	}[kind]
	b.make(shape, fmt.Sprintf("ten.pool %s %s window [%s] %s : %s -> tensor<%s>", kind, x.irc(), list(size), w, x.typ(), spelled(shape)), torch, x)
}
