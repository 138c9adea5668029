package tensors

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A Program is a function of random ops, @fN, and arguments for it.
type Program struct {
	Name, Text, Args string
	Bounds           []Bound // of each result; without one they are zero
}

// A val is a tensor of the program: its extents, and which of them its type says.
type val struct {
	name  string
	shape []int64
	known []bool
	exact
	last // what no other op reads, but for places
}

type generator struct {
	*rand.Rand
	elem string
	out  strings.Builder
	vals []val
	n    int

	params, args []string
	resources    []string // of constants
}

// Config says what random programs have.
var Config = struct {
	Constants bool // of tensors in all the forms that there are, as operands of anything
}{true}

// Generate makes function @fN by a seed.
func Generate(seed uint64, n int) Program {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 18)), n: n}
	g.elem = []string{"f64", "f64", "f32", "i32", "i64", "i8", "f16", "bf16"}[g.IntN(8)]
	for i := range 1 + g.IntN(3) {
		v := g.value(fmt.Sprintf("%%a%d", i), g.shape(g.IntN(4)), nil)
		g.param(v.name, g.typ(v), g.data(v.shape))
	}
	if Config.Constants && g.IntN(2) == 0 {
		for range 1 + g.IntN(3) {
			g.constant(g.shape(g.IntN(4)))
		}
	}
	if g.IntN(6) == 0 {
		image, kernel := g.conv()
		g.param(image.name, g.typ(image), g.data(image.shape))
		g.param(kernel.name, g.typ(kernel), g.data(kernel.shape))
	}
	if g.IntN(6) == 0 {
		g.pool()
	}
	for range 2 + g.IntN(5) {
		g.op()
	}
	var results, types []string
	var bounds []Bound
	for _, v := range g.vals[max(0, len(g.vals)-1-g.IntN(3)):] {
		results, types, bounds = append(results, v.name), append(types, g.typ(v)), append(bounds, v.bound)
	}
	text := fmt.Sprintf("func.func @f%d(%s) -> (%s) {\n%s  return %s : %s\n}\n%s", n, strings.Join(g.params, ", "), strings.Join(types, ", "),
		g.out.String(), strings.Join(results, ", "), strings.Join(types, ", "), g.metadata())
	return Program{fmt.Sprintf("f%d", n), text, "[" + strings.Join(g.args, ", ") + "]", bounds}
}

// param is a parameter of the function, with the argument for it.
func (g *generator) param(name, typ, data string) {
	g.params, g.args = append(g.params, name+": "+typ), append(g.args, data)
}

func (g *generator) shape(rank int) []int64 {
	out := make([]int64, rank)
	for i := range out {
		out[i] = []int64{0, 1, 1, 2, 2, 3, 3, 4, 5, 7}[g.IntN(10)]
		if out[i] == 0 && g.IntN(3) > 0 {
			out[i] = 3
		}
	}
	return out
}

// value is a new value; without known its extents are known or open by chance.
func (g *generator) value(name string, shape []int64, known []bool) val {
	if known == nil {
		known = make([]bool, len(shape))
		for i := range known {
			known[i] = g.IntN(3) > 0 || shape[i] == 1
		}
	}
	v := val{name: name, shape: shape, known: known, exact: given}
	g.vals = append(g.vals, v)
	return v
}

// result is a value whose elements are no greater and no finer than those that there are.
func (g *generator) result(shape []int64, known []bool) val {
	e := given
	for _, v := range g.vals {
		if g.isExact(v.exact) {
			e = e.or(v.exact)
		}
	}
	return g.resultOf(e, shape, known)
}

func (g *generator) resultOf(e exact, shape []int64, known []bool) val {
	v := g.value(fmt.Sprintf("%%v%d", len(g.vals)), shape, known)
	v.exact, g.vals[len(g.vals)-1].exact = e, e
	return v
}

func (g *generator) typ(v val) string {
	if v.elem != "" {
		return g.typeOf(v.shape, v.known, v.elem)
	}
	return g.typeOf(v.shape, v.known, g.elem)
}

func (g *generator) typeOf(shape []int64, known []bool, elem string) string {
	out := "tensor<"
	for i, n := range shape {
		if known[i] {
			out += fmt.Sprintf("%dx", n)
		} else {
			out += "?x"
		}
	}
	return out + elem + ">"
}

func (g *generator) data(shape []int64) string {
	if len(shape) == 0 {
		return fmt.Sprint(g.IntN(5) - 2)
	}
	parts := make([]string, shape[0])
	for i := range parts {
		parts[i] = g.data(shape[1:])
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// reads reports a value that ops may read.
func (g *generator) reads(v val) bool {
	return g.isExact(v.exact) && v.elem == "" && v.bound == (Bound{})
}

// pick is a value that is not rounded: there is at least an argument.
func (g *generator) pick() val {
	for {
		if v := g.vals[g.IntN(len(g.vals))]; g.reads(v) {
			return v
		}
	}
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.out, "  "+format+"\n", args...)
}

func (g *generator) isFloat() bool { return g.elem[0] != 'i' }

func (g *generator) op() {
	switch g.IntN(22) {
	case 0, 1, 2:
		g.einsum()
	case 3, 4:
		g.mapped()
	case 5:
		g.reduce()
	case 6:
		g.transpose()
	case 7:
		g.reshape()
	case 8:
		g.slice()
	case 9:
		g.pad()
	case 10:
		g.concat()
	case 11:
		g.extend()
	case 12:
		g.gather()
	case 13:
		g.scatter()
	case 14:
		g.relu()
	case 15:
		g.product()
	case 16, 17:
		g.branches()
	case 18:
		g.rounds()
	case 19:
		g.argmax()
	case 20:
		g.rounded()
	default:
		g.made()
	}
}

// einsum joins dimensions of equal extents by chance.
func (g *generator) einsum() {
	type index struct {
		n     int64
		known bool
	}
	var indices []index
	var terms, names, types []string
	work, e := int64(1), exact{1, 1}
	for range 1 + g.IntN(3) {
		v := g.pick()
		term := ""
		for d, n := range v.shape {
			var fits []int
			for i, x := range indices {
				if x.n == n {
					fits = append(fits, i)
				}
			}
			i := len(indices)
			if len(fits) > 0 && g.IntN(4) > 0 {
				i = fits[g.IntN(len(fits))]
			} else {
				indices = append(indices, index{n: n})
				work *= max(n, 1)
			}
			indices[i].known = indices[i].known || v.known[d]
			term += string(rune('a' + i))
		}
		terms, names, types = append(terms, term), append(names, v.name), append(types, g.typ(v))
		e = e.times(v.exact)
	}
	if work > 3000 || len(indices) > 12 {
		return
	}
	out, shape, known := "", []int64{}, []bool{}
	for _, i := range g.Perm(len(indices)) {
		if g.IntN(2) == 0 && len(out) < 4 {
			out += string(rune('a' + i))
			shape, known = append(shape, indices[i].n), append(known, indices[i].known)
		}
	}
	if e = e.sum(work); !g.sumsExactly(e) {
		return
	}
	v := g.resultOf(e, shape, known)
	g.line(`%s = ten.einsum "%s->%s" %s : %s -> %s`, v.name, strings.Join(terms, ","), out, strings.Join(names, ", "), strings.Join(types, ", "), g.typ(v))
}

// mapped combines one value, or two that fit.
func (g *generator) mapped() {
	x, y := g.pick(), g.pick()
	shape, known, ok := broadcast(x, y)
	if !ok {
		y = x
		shape, known, _ = broadcast(x, x)
	}
	ops := []string{"arith.addi", "arith.subi", "arith.maxsi", "arith.minsi"}
	if g.isFloat() {
		ops = []string{"arith.addf", "arith.subf", "arith.maximumf", "arith.minimumf"}
	}
	e := exact{x.most + 2*y.most, min(x.unit, y.unit)}
	if !g.sumsExactly(e) {
		return
	}
	if slices.Equal(x.known, y.known) && slices.Equal(x.shape, y.shape) && g.IntN(2) == 0 {
		v := g.resultOf(e, x.shape, x.known)
		g.line("%s = %s %s, %s : %s", v.name, ops[g.IntN(len(ops))], x.name, y.name, g.typ(v))
		return
	}
	v := g.resultOf(e, shape, known)
	g.line("%s = ten.map (%%p = %s : %s, %%q = %s : %s) -> %s {", v.name, x.name, g.typ(x), y.name, g.typ(y), g.typ(v))
	g.line("  %%0 = %s %%p, %%q : %s", ops[g.IntN(len(ops))], g.elem)
	g.line("  %%1 = %s %%0, %%q : %s", ops[g.IntN(len(ops))], g.elem)
	g.line("  ten.yield %%1 : %s", g.elem)
	g.line("}")
}

// product multiplies two values that fit, or one by a number, in a way that may be taken in another order.
func (g *generator) product() {
	x, y := g.pick(), g.pick()
	shape, known, ok := broadcast(x, y)
	if !ok {
		y = x
		shape, known, _ = broadcast(x, x)
	}
	op, flags := "arith.muli", ""
	if g.isFloat() {
		op, flags = "arith.mulf", " fastmath<reassoc>"
	}
	e := x.exact.times(y.exact.or(given)) // by the value, or by a number
	if !g.sumsExactly(e) {
		return
	}
	v := g.resultOf(e, shape, known)
	by := "%q"
	if g.IntN(2) == 0 {
		by = v.name + "_by"
		g.line("%s = arith.constant %s : %s", by, g.number(), g.elem)
	}
	g.line("%s = ten.map (%%p = %s : %s, %%q = %s : %s) -> %s {", v.name, x.name, g.typ(x), y.name, g.typ(y), g.typ(v))
	g.line("  %%0 = %s %%p, %s%s : %s", op, by, flags, g.elem)
	g.line("  ten.yield %%0 : %s", g.elem)
	g.line("}")
}

func broadcast(x, y val) (shape []int64, known []bool, ok bool) {
	if len(x.shape) < len(y.shape) {
		x, y = y, x
	}
	shape, known = slices.Clone(x.shape), slices.Clone(x.known)
	for i, n := range y.shape {
		at := i + len(shape) - len(y.shape)
		switch {
		case n == 1 && y.known[i]:
		case shape[at] == 1 && known[at]:
			shape[at], known[at] = n, y.known[i]
		case shape[at] == n:
			known[at] = known[at] || y.known[i]
		default:
			return nil, nil, false
		}
	}
	return shape, known, true
}

func (g *generator) reduce() {
	x := g.pick()
	var dims []string
	shape, known := []int64{}, []bool{}
	for d := range x.shape {
		if g.IntN(2) == 0 {
			dims = append(dims, fmt.Sprint(d))
		} else {
			shape, known = append(shape, x.shape[d]), append(known, x.known[d])
		}
	}
	e := x.exact.sum(size(x.shape))
	if !g.sumsExactly(e) {
		return
	}
	v := g.resultOf(e, shape, known)
	kind := []string{"add", "min", "max"}[g.IntN(3)]
	if g.isFloat() && size(x.shape) == 0 {
		kind = "add" // an infinity makes products depend on their order
	}
	g.line("%s = ten.reduce %s %s along [%s] : %s", v.name, kind, x.name, strings.Join(dims, ", "), g.typ(x))
}

func (g *generator) transpose() {
	x := g.pick()
	perm := g.Perm(len(x.shape))
	shape, known, text := make([]int64, len(perm)), make([]bool, len(perm)), make([]string, len(perm))
	for i, d := range perm {
		shape[i], known[i], text[i] = x.shape[d], x.known[d], fmt.Sprint(d)
	}
	v := g.result(shape, known)
	g.line("%s = ten.transpose %s [%s] : %s", v.name, x.name, strings.Join(text, ", "), g.typ(x))
}

// reshape makes one dimension of all, or swaps extents.
func (g *generator) reshape() {
	x := g.pick()
	shape := slices.Clone(x.shape)
	slices.Reverse(shape)
	if g.IntN(2) == 0 {
		n := int64(1)
		for _, d := range x.shape {
			n *= d
		}
		shape = []int64{n}
	}
	g.withExtents(shape, func(v val, extents string) {
		g.line("%s = ten.reshape %s%s : %s -> %s", v.name, x.name, extents, g.typ(x), g.typ(v))
	})
}

// withExtents makes a value whose open extents are operands.
func (g *generator) withExtents(shape []int64, line func(v val, extents string)) {
	v := g.result(shape, nil)
	var names []string
	for i, n := range shape {
		if !v.known[i] {
			name := fmt.Sprintf("%s_%d", v.name, i)
			g.line("%s = arith.constant %d : index", name, n)
			names = append(names, name)
		}
	}
	text := ""
	if len(names) > 0 {
		text = "[" + strings.Join(names, ", ") + "]"
	}
	line(v, text)
}

// made is a fill, an iota or a constant.
func (g *generator) made() {
	shape := g.shape(1 + g.IntN(3))
	switch g.IntN(3) {
	case 0:
		g.withExtents(shape, func(v val, extents string) {
			g.vals[len(g.vals)-1].most = max(v.most, 7)
			g.line("%s = ten.iota %d%s : %s", v.name, g.IntN(len(shape)), extents, g.typ(v))
		})
	case 1:
		g.withExtents(shape, func(v val, extents string) {
			g.line("%s_x = arith.constant %s : %s", v.name, g.number(), g.elem)
			g.line("%s = ten.fill %s_x%s : %s", v.name, v.name, extents, g.typ(v))
		})
	default:
		g.constant(shape)
	}
}

func (g *generator) number() string {
	if g.isFloat() {
		return fmt.Sprintf("%d.0", g.IntN(5)-2)
	}
	return fmt.Sprint(g.IntN(5) - 2)
}
