package torch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Network is a loss over tensors in two languages, and the shapes of its arguments.
type Network struct {
	Seed   uint64
	Shapes [][]int64
	IRC    string // a module with a function @f of memory
	Torch  string // lines that make loss of a0, a1, ...
}

// Element is element k of argument i: cubes modulo a prime, which all differ, and none of whose rows is another one shifted.
func Element(seed uint64, i, k int) float64 {
	m := (k*31 + i*1009 + int(seed%9941)*131) % 9941
	return float64(m*m*m%9941-4970) / 4096
}

// Digest is what is compared of a gradient: sums with two lists of weights, and that of sizes.
func Digest(slopes []float64) (sums [3]float64) {
	for k, x := range slopes {
		sums[0] += x * float64(k*31%17-8) / 8
		sums[1] += x * float64(k*7%13-5) / 4
		sums[2] += max(x, -x)
	}
	return sums
}

// A value is a tensor of the network.
type value struct {
	name  string // in both languages, but for the % of irc
	shape []int64
	used  bool
}

// builder writes a network.
type builder struct {
	*rand.Rand
	irc, torch strings.Builder
	values     []*value
	shapes     [][]int64
	next       int
}

// Random is the network of a seed.
func Random(seed uint64) Network { return random(seed, layers) }

// Recurrent is that of ops which have rules on tensors, with loops that carry tensors.
func Recurrent(seed uint64) Network { return random(seed, recurrent) }

func random(seed uint64, layers []func(b *builder)) Network {
	b := &builder{Rand: rand.New(rand.NewPCG(seed, 21))}
	b.argument(b.shape(1 + b.IntN(3)))
	for range 3 + b.IntN(5) {
		layers[b.IntN(len(layers))](b)
	}
	b.loss()
	var args, packs []string
	for i, s := range b.shapes {
		args = append(args, fmt.Sprintf("%%m%d: memref<%s>", i, spelled(s)))
		packs = append(packs, fmt.Sprintf("  %%a%d = ten.pack %%m%d : memref<%s>\n", i, i, spelled(s)))
	}
	return Network{Seed: seed, Shapes: b.shapes, Torch: b.torch.String(),
		IRC: "module {\nfunc.func @f(" + strings.Join(args, ", ") + ") -> f64 {\n" + strings.Join(packs, "") + b.irc.String() + "  return %loss : f64\n}\n}\n"}
}

// loss is a sum of sines of all that nothing else uses.
func (b *builder) loss() {
	fmt.Fprintf(&b.irc, "  %%l0 = arith.constant 0.0 : f64\n")
	fmt.Fprintf(&b.torch, "loss = 0\n")
	n := 0
	for _, v := range b.values {
		if v.used {
			continue
		}
		s := b.unary("math.sin", "torch.sin", v)
		sum := b.make(nil, fmt.Sprintf("ten.einsum \"%s->\" %s : %s -> tensor<f64>", letters[:len(s.shape)], s.irc(), s.typ()), s.name+".sum()", s)
		fmt.Fprintf(&b.irc, "  %%x%d = ten.extract %s[] : tensor<f64>\n  %%l%d = arith.addf %%l%d, %%x%d : f64\n", n+1, sum.irc(), n+1, n, n+1)
		fmt.Fprintf(&b.torch, "loss = loss + %s\n", sum.name)
		n++
	}
	s := b.irc.String()
	b.irc.Reset()
	b.irc.WriteString(strings.ReplaceAll(s, fmt.Sprintf("%%l%d =", n), "%loss ="))
}

const letters = "abcdefgh"

func spelled(shape []int64) string {
	var b strings.Builder
	for _, n := range shape {
		fmt.Fprintf(&b, "%dx", n)
	}
	return b.String() + "f64"
}

func (v *value) irc() string { return "%" + v.name }
func (v *value) typ() string { return "tensor<" + spelled(v.shape) + ">" }

func (v *value) size() int64 {
	n := int64(1)
	for _, k := range v.shape {
		n *= k
	}
	return n
}

// shape is a random one, of extents from 2 to 4.
func (b *builder) shape(rank int) []int64 {
	out := make([]int64, rank)
	for i := range out {
		out[i] = 2 + b.Int64N(3)
	}
	return out
}

// argument is a new argument.
func (b *builder) argument(shape []int64) *value {
	v := &value{name: fmt.Sprintf("a%d", len(b.shapes)), shape: shape}
	b.shapes, b.values = append(b.shapes, shape), append(b.values, v)
	return v
}

// pick is a value of at least a rank, with an extent of at least 1 in each dimension: one that there is, or an argument.
func (b *builder) pick(least, most int) *value {
	var fit []*value
	for _, v := range b.values {
		if len(v.shape) >= least && len(v.shape) <= most {
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		return b.argument(b.shape(least))
	}
	return fit[len(fit)-1-b.IntN(min(3, len(fit)))]
}

// with is a value of a shape: one that there is, or an argument.
func (b *builder) with(shape []int64) *value {
	for _, v := range b.values {
		if slices.Equal(v.shape, shape) && b.IntN(2) == 0 {
			return v
		}
	}
	return b.argument(shape)
}

// make writes an op in both languages.
func (b *builder) make(shape []int64, irc, torch string, of ...*value) *value {
	v := &value{name: fmt.Sprintf("v%d", b.next), shape: shape}
	b.next++
	fmt.Fprintf(&b.irc, "  %s = %s\n", v.irc(), irc)
	fmt.Fprintf(&b.torch, "%s = %s\n", v.name, torch)
	for _, x := range of {
		x.used = true
	}
	b.values = append(b.values, v)
	return v
}

// unary is a function of each element.
func (b *builder) unary(irc, torch string, x *value) *value {
	return b.make(x.shape, fmt.Sprintf("%s %s : %s", irc, x.irc(), x.typ()), fmt.Sprintf("%s(%s)", torch, x.name), x)
}

// tame keeps what may be large small.
func (b *builder) tame(x *value) {
	switch b.IntN(3) {
	case 0:
		b.unary("math.tanh", "torch.tanh", x)
	case 1:
		b.unary("math.sin", "torch.sin", x)
	}
}

// list writes numbers with commas.
func list[T any](xs []T) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(xs), "[]"), " ", ", ")
}
