package torch

import (
	"fmt"
	"slices"
	"strings"
)

// layers add an op, or a few, to a network.
var layers = []func(b *builder){
	(*builder).einsum, (*builder).einsum, (*builder).matmul, (*builder).diagonal, (*builder).attention, (*builder).rows, (*builder).rows, (*builder).norm,
	(*builder).convolution, (*builder).convolution, (*builder).pool, (*builder).function, (*builder).function, (*builder).arithmetic,
	(*builder).broadcast, (*builder).broadcast, (*builder).reduce, (*builder).reduce,
	(*builder).transpose, (*builder).reshape, (*builder).concat, (*builder).slice, (*builder).pad, (*builder).extend, (*builder).gather, (*builder).scatter,
}

// recurrent are layers of which all ops have rules on tensors.
var recurrent = []func(b *builder){
	(*builder).einsum, (*builder).matmul, (*builder).diagonal, (*builder).attention, (*builder).norm, (*builder).function, (*builder).arithmetic, (*builder).broadcast,
	(*builder).transpose, (*builder).reshape, (*builder).concat, (*builder).slice, (*builder).pad, (*builder).rounds, (*builder).rounds, (*builder).rounds,
}

// rounds is a product with an argument and a function of its elements, a few times.
func (b *builder) rounds() {
	x := b.pick(2, 2)
	w, n, k := b.with([]int64{x.shape[1], x.shape[1]}), b.IntN(4), b.next
	f := [][2]string{{"math.tanh", "torch.tanh"}, {"math.sin", "torch.sin"}, {"math.atan", "torch.atan"}}[b.IntN(3)]
	fmt.Fprintf(&b.irc, "  %%z%d = arith.constant 0 : index\n  %%o%d = arith.constant 1 : index\n  %%n%d = arith.constant %d : index\n", k, k, k, n)
	b.make(x.shape, fmt.Sprintf(`scf.for %%i%[1]d = %%z%[1]d to %%n%[1]d step %%o%[1]d iter_args(%%s%[1]d = %[2]s) -> (%[3]s) {
    %%p%[1]d = ten.einsum "ab,bc->ac" %%s%[1]d, %[4]s : %[3]s, %[5]s -> %[3]s
    %%q%[1]d = %[6]s %%p%[1]d : %[3]s
    %%r%[1]d = arith.addf %%q%[1]d, %%s%[1]d : %[3]s
    scf.yield %%r%[1]d : %[3]s
  }`, k, x.irc(), x.typ(), w.irc(), w.typ(), f[0]), fmt.Sprintf("rounds(lambda s: %s(s @ %s) + s, %s, %d)", f[1], w.name, x.name, n), x, w)
}

// einsum is a product with an argument over some of the indices.
func (b *builder) einsum() {
	x := b.pick(1, 4)
	rank := len(x.shape)
	shared := b.Perm(rank)[:1+b.IntN(min(2, rank))]
	left := letters[:rank]
	right, shape := "", []int64{}
	for _, i := range shared {
		right, shape = right+left[i:i+1], append(shape, x.shape[i])
	}
	for i := range b.IntN(3) {
		right, shape = right+letters[rank+i:rank+i+1], append(shape, 2+b.Int64N(3))
	}
	extents := map[rune]int64{}
	for i, c := range left {
		extents[c] = x.shape[i]
	}
	for i, c := range right {
		extents[c] = shape[i]
	}
	var out []rune
	for c := range extents {
		out = append(out, c)
	}
	slices.Sort(out)
	b.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	out = out[:min(len(out), 1+b.IntN(4))]
	var to []int64
	for _, c := range out {
		to = append(to, extents[c])
	}
	w := b.with(shape)
	b.tame(b.sums(left+","+right+"->"+string(out), to, x, w))
}

// sums is an einsum.
func (b *builder) sums(spec string, shape []int64, of ...*value) *value {
	var args, types, names []string
	for _, v := range of {
		args, types, names = append(args, v.irc()), append(types, v.typ()), append(names, v.name)
	}
	return b.make(shape, fmt.Sprintf("ten.einsum \"%s\" %s : %s -> tensor<%s>", spec, strings.Join(args, ", "), strings.Join(types, ", "), spelled(shape)),
		fmt.Sprintf("torch.einsum('%s', %s)", spec, strings.Join(names, ", ")), of...)
}

// matmul is a product of matrices in batches, which are stretched.
func (b *builder) matmul() {
	x := b.pick(2, 4)
	n := len(x.shape)
	shape := []int64{x.shape[n-1], 2 + b.Int64N(3)}
	if n > 2 && b.IntN(2) == 0 {
		shape = append([]int64{1}, shape...)
	}
	to := append(slices.Clone(x.shape[:n-1]), shape[len(shape)-1])
	b.tame(b.sums("...ij,...jk->...ik", to, x, b.with(shape)))
}

func (b *builder) diagonal() {
	n := 2 + b.Int64N(3)
	x := b.with([]int64{n, n})
	b.sums("ii->i", []int64{n}, x)
}

// attention is one of queries, keys and values.
func (b *builder) attention() {
	q := b.pick(2, 2)
	m, e := 2+b.Int64N(4), 2+b.Int64N(3)
	k, v := b.with([]int64{m, q.shape[1]}), b.with([]int64{m, e})
	s := b.sums("id,jd->ij", []int64{q.shape[0], m}, q, k)
	p := b.make(s.shape, fmt.Sprintf("ten.softmax %s along 1 : %s", s.irc(), s.typ()), s.name+".softmax(1)", s)
	b.sums("ij,jd->id", []int64{q.shape[0], e}, p, v)
}

// rows is softmax or logsumexp along a dimension.
func (b *builder) rows() {
	x := b.pick(1, 4)
	d := b.IntN(len(x.shape))
	if b.IntN(2) == 0 {
		b.make(x.shape, fmt.Sprintf("ten.softmax %s along %d : %s", x.irc(), d, x.typ()), fmt.Sprintf("%s.softmax(%d)", x.name, d), x)
		return
	}
	b.make(slices.Delete(slices.Clone(x.shape), d, d+1), fmt.Sprintf("ten.logsumexp %s along %d : %s", x.irc(), d, x.typ()), fmt.Sprintf("%s.logsumexp(%d)", x.name, d), x)
}

func (b *builder) norm() {
	x := b.pick(1, 4)
	n := x.shape[len(x.shape)-1:]
	if n[0] < 2 {
		return
	}
	s, o := b.with(n), b.argument(n)
	b.make(x.shape, fmt.Sprintf("ten.layer_norm %s scale %s bias %s epsilon 1.0e-3 : f64 : %s, %s, %s", x.irc(), s.irc(), o.irc(), x.typ(), s.typ(), o.typ()),
		fmt.Sprintf("F.layer_norm(%s, %s.shape, %s, %s, 1.0e-3)", x.name, s.name, s.name, o.name), x, s, o)
}

// function is one of each element.
func (b *builder) function() {
	x := b.pick(0, 4)
	switch fs := [][2]string{{"math.tanh", "torch.tanh"}, {"math.cos", "torch.cos"}, {"math.erf", "torch.erf"}, {"math.absf", "torch.abs"}, {"special.ilogit", "torch.sigmoid"},
		{"math.atan", "torch.atan"}, {"special.log1pexp", "softplus"}}; b.IntN(5) {
	case 0:
		b.make(x.shape, fmt.Sprintf("ten.relu %s above 0.0 : f64 : %s", x.irc(), x.typ()), fmt.Sprintf("torch.relu(%s)", x.name), x)
	case 1:
		kind, of := "exact", "none"
		if b.IntN(2) == 0 {
			kind, of = "tanh", "tanh"
		}
		b.make(x.shape, fmt.Sprintf("ten.gelu %s %s : %s", kind, x.irc(), x.typ()), fmt.Sprintf("F.gelu(%s, approximate='%s')", x.name, of), x)
	case 2:
		b.unary("math.exp", "torch.exp", b.unary("math.sin", "torch.sin", x))
	default:
		f := fs[b.IntN(len(fs))]
		b.unary(f[0], f[1], x)
	}
}

// arithmetic is of two tensors of one shape.
func (b *builder) arithmetic() {
	x := b.pick(1, 4)
	y := b.with(x.shape)
	op := [][2]string{{"arith.addf", "+"}, {"arith.subf", "-"}, {"arith.mulf", "*"}, {"arith.maximumf", ""}}[b.IntN(4)]
	torch := fmt.Sprintf("%s %s %s", x.name, op[1], y.name)
	if op[1] == "" {
		torch = fmt.Sprintf("torch.maximum(%s, %s)", x.name, y.name)
		if x == y {
			return
		}
	}
	b.make(x.shape, fmt.Sprintf("%s %s, %s : %s", op[0], x.irc(), y.irc(), x.typ()), torch, x, y)
}

// broadcast is arithmetic with a tensor that is stretched.
func (b *builder) broadcast() {
	x := b.pick(1, 4)
	shape := slices.Clone(x.shape)
	for i := range shape {
		if b.IntN(2) == 0 {
			shape[i] = 1
		}
	}
	y := b.with(shape[b.IntN(len(shape)):])
	op := [][2]string{{"arith.addf %x, %y", "%s + %s"}, {"arith.mulf %x, %y", "%s * %s"}, {"arith.subf %y, %x", "-(%s - %s)"}}[b.IntN(3)]
	b.make(x.shape, fmt.Sprintf("ten.map (%%x = %s : %s, %%y = %s : %s) -> %s {\n    %%r = %s : f64\n    ten.yield %%r : f64\n  }", x.irc(), x.typ(), y.irc(), y.typ(), x.typ(), op[0]),
		fmt.Sprintf(op[1], x.name, y.name), x, y)
}

func (b *builder) reduce() {
	x := b.pick(1, 4)
	dims := b.Perm(len(x.shape))[:1+b.IntN(len(x.shape))]
	slices.Sort(dims)
	var shape []int64
	for i, n := range x.shape {
		if !slices.Contains(dims, i) {
			shape = append(shape, n)
		}
	}
	kind := []string{"add", "mul", "max", "min"}[b.IntN(4)]
	if kind == "mul" { // whose factors must not be large
		x = b.unary("math.sin", "torch.sin", x)
	}
	torch := fmt.Sprintf("%s.%s((%s,))", x.name, map[string]string{"add": "sum", "max": "amax", "min": "amin"}[kind], list(dims))
	if kind == "mul" {
		torch = x.name
		for i := len(dims) - 1; i >= 0; i-- {
			torch += fmt.Sprintf(".prod(%d)", dims[i])
		}
	}
	b.make(shape, fmt.Sprintf("ten.reduce %s %s along [%s] : %s", kind, x.irc(), list(dims), x.typ()), torch, x)
}
