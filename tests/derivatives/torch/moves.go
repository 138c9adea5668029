package torch

import (
	"fmt"
	"slices"
	"strings"
)

func (b *builder) transpose() {
	x := b.pick(2, 4)
	perm := b.Perm(len(x.shape))
	shape := make([]int64, len(perm))
	for i, k := range perm {
		shape[i] = x.shape[k]
	}
	b.make(shape, fmt.Sprintf("ten.transpose %s [%s] : %s", x.irc(), list(perm), x.typ()), fmt.Sprintf("%s.permute(%s)", x.name, list(perm)), x)
}

// reshape makes one dimension of two neighbours, or two of one.
func (b *builder) reshape() {
	x := b.pick(1, 4)
	shape := slices.Clone(x.shape)
	i := b.IntN(len(shape))
	switch n := shape[i]; {
	case len(shape) < 4 && n%2 == 0:
		shape = slices.Replace(shape, i, i+1, 2, n/2)
	case i > 0:
		shape = slices.Replace(shape, i-1, i+1, shape[i-1]*n)
	default:
		return
	}
	b.make(shape, fmt.Sprintf("ten.reshape %s : %s -> tensor<%s>", x.irc(), x.typ(), spelled(shape)), fmt.Sprintf("%s.reshape(%s)", x.name, list(shape)), x)
}

func (b *builder) concat() {
	x := b.pick(1, 4)
	if x.size() > 100 {
		return
	}
	d, shape := b.IntN(len(x.shape)), slices.Clone(x.shape)
	shape[d] = 1 + b.Int64N(3)
	y := b.with(shape)
	to := slices.Clone(shape)
	to[d] += x.shape[d]
	b.make(to, fmt.Sprintf("ten.concat %s, %s along %d : %s, %s", x.irc(), y.irc(), d, x.typ(), y.typ()), fmt.Sprintf("torch.cat((%s, %s), %d)", x.name, y.name, d), x, y)
}

func (b *builder) slice() {
	x := b.pick(1, 4)
	var steps, shape []int64
	var at, names []string
	for i, n := range x.shape {
		f, s := b.Int64N(n), 1+b.Int64N(2)
		steps, shape = append(steps, s), append(shape, 1+b.Int64N((n-f+s-1)/s))
		c := fmt.Sprintf("%%i%d_%d", b.next, i)
		fmt.Fprintf(&b.irc, "  %s = arith.constant %d : index\n", c, f)
		names, at = append(names, c), append(at, fmt.Sprintf("%d:%d:%d", f, f+(shape[i]-1)*s+1, s))
	}
	b.make(shape, fmt.Sprintf("ten.slice %s[%s] by [%s] : %s -> tensor<%s>", x.irc(), strings.Join(names, ", "), list(steps), x.typ(), spelled(shape)),
		fmt.Sprintf("%s[%s]", x.name, strings.Join(at, ", ")), x)
}

// margins are how many elements come before and behind each dimension, and the list of them that F.pad takes.
func (b *builder) margins(rank, most int) (low, high []int64, torch string) {
	var both []int64
	for range rank {
		low, high = append(low, b.Int64N(int64(most))), append(high, b.Int64N(int64(most)))
	}
	for i := rank - 1; i >= 0; i-- {
		both = append(both, low[i], high[i])
	}
	return low, high, list(both)
}

func (b *builder) pad() {
	x := b.pick(1, 3)
	low, high, torch := b.margins(len(x.shape), 3)
	shape := slices.Clone(x.shape)
	for i := range shape {
		shape[i] += low[i] + high[i]
	}
	c := fmt.Sprintf("%%p%d", b.next)
	fmt.Fprintf(&b.irc, "  %s = arith.constant 0.75 : f64\n", c)
	b.make(shape, fmt.Sprintf("ten.pad %s with %s low [%s] high [%s] : %s", x.irc(), c, list(low), list(high), x.typ()), fmt.Sprintf("F.pad(%s, (%s), value=0.75)", x.name, torch), x)
}

// extend repeats elements, which in PyTorch are picked by number.
func (b *builder) extend() {
	x := b.pick(1, 3)
	low, high, _ := b.margins(len(x.shape), 2)
	mode := []string{"edge", "reflect", "wrap"}[b.IntN(3)]
	shape, torch := slices.Clone(x.shape), x.name
	for d, n := range x.shape {
		shape[d] += low[d] + high[d]
		var at []int64
		for i := -low[d]; i < n+high[d]; i++ {
			k := i
			switch {
			case mode == "edge":
				k = min(max(i, 0), n-1)
			case mode == "wrap":
				k = (i + n) % n
			case n == 1:
				return
			case i < 0:
				k = -i
			case i >= n:
				k = 2*(n-1) - i
			}
			at = append(at, k)
		}
		torch += fmt.Sprintf(".index_select(%d, torch.tensor([%s]))", d, list(at))
	}
	b.make(shape, fmt.Sprintf("ten.extend %s %s low [%s] high [%s] : %s", mode, x.irc(), list(low), list(high), x.typ()), torch, x)
}

// places are numbers of rows, as a constant of irc and a list.
func (b *builder) places(n int, of int64) (name, torch string) {
	at := make([]int64, n)
	for i := range at {
		at[i] = b.Int64N(of)
	}
	name = fmt.Sprintf("%%k%d", b.next)
	fmt.Fprintf(&b.irc, "  %s = arith.constant dense<[%s]> : tensor<%dxi64>\n", name, list(at), n)
	return name, list(at)
}

func (b *builder) gather() {
	x := b.pick(1, 4)
	d, n := b.IntN(len(x.shape)), 1+b.IntN(4)
	name, at := b.places(n, x.shape[d])
	shape := slices.Clone(x.shape)
	shape[d] = int64(n)
	b.make(shape, fmt.Sprintf("ten.gather %s by %s along %d : %s, tensor<%dxi64>", x.irc(), name, d, x.typ(), n), fmt.Sprintf("%s.index_select(%d, torch.tensor([%s]))", x.name, d, at), x)
}

// scatter adds to rows, or sets one.
func (b *builder) scatter() {
	x := b.pick(1, 4)
	d, kind, torch, n := b.IntN(len(x.shape)), "add", "index_add", 1+b.IntN(3)
	if b.IntN(2) == 0 {
		kind, torch, n = "set", "index_copy", 1
	}
	name, at := b.places(n, x.shape[d])
	shape := slices.Clone(x.shape)
	shape[d] = int64(n)
	u := b.with(shape)
	b.make(x.shape, fmt.Sprintf("ten.scatter %s %s to %s by %s along %d : %s, %s, tensor<%dxi64>", kind, u.irc(), x.irc(), name, d, u.typ(), x.typ(), n),
		fmt.Sprintf("%s.%s(%d, torch.tensor([%s]), %s)", x.name, torch, d, at, u.name), x, u)
}
