package irtest

import (
	"fmt"
	"strconv"
	"strings"
)

// VectorConfig says what programs of Vectors look like.
type VectorConfig struct {
	Ops  int // about how many; 0 stands for 25
	Name string
	// MLIR leaves out what mlir-opt does not lower: accesses of several dimensions, and positions in
	// several that are known only when the program runs.
	MLIR bool
	// Narrow adds floats of 16 bits, whose sums are not exact.
	Narrow bool
}

// Vectors makes a program of vectors, in the syntax of the ops: it reads memory into vectors, moves,
// combines and masks them, and stores what comes of it. Floats are integers small enough for their
// sums to be exact in any order.
func Vectors(seed uint64, cfg VectorConfig) *Program {
	if cfg.Ops == 0 {
		cfg.Ops = 25
	}
	g := &vectorGen{Writer: NewWriter(seed, 0x7ec), cfg: cfg}
	g.Indent = 1
	g.float = g.One("f32", "f32", "f64")
	if cfg.Narrow {
		g.float = g.One("f16", "bf16", "f32")
	}
	g.int = g.One("i32", "i64", "i8", "i16", "index", "i32")
	if cfg.MLIR && g.int == "index" { // of which MLIR 19 does not lower reductions with masks, and more
		g.int = "i64"
	}
	p := &Program{Seed: seed, Entry: cfg.Name + "main"}
	g.arguments(p)
	for range cfg.Ops {
		g.statement()
	}
	g.results()
	p.Text = fmt.Sprintf("module {\nfunc.func @%s(%s) {\n%s  return\n}\n}\n", p.Entry, strings.Join(g.params, ", "), g.String())
	return p
}

// vec is a vector in scope, or a scalar if it has no shape.
type vec struct {
	name   string
	shape  []int
	scalar bool
	elem   string
	most   float64 // no float is greater
}

type vectorGen struct {
	*Writer
	cfg    VectorConfig
	params []string
	vals   []vec
	float  string
	int    string
	out    map[string]int // how much of the memory for results is full
}

// The memory of a program: matrices and lists of both types.
const (
	vectorRows, vectorColumns = 6, 9
	vectorList, vectorOut     = 24, 320
	exact                     = 1 << 20 // sums below are exact, as floats of 32 bits
)

// isFloating reports a float type.
func isFloating(elem string) bool { return elem[0] == 'f' || elem[0] == 'b' }

func spell(shape []int, elem string) string {
	var b strings.Builder
	b.WriteString("vector<")
	for _, n := range shape {
		b.WriteString(strconv.Itoa(n) + "x")
	}
	return b.String() + elem + ">"
}

func (v vec) typ() string {
	if v.scalar {
		return v.elem
	}
	return spell(v.shape, v.elem)
}

func size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// arguments makes the memory and the numbers that a program gets.
func (g *vectorGen) arguments(p *Program) {
	param := func(name string, a Arg) {
		g.params = append(g.params, name+": "+a.Type)
		p.Args = append(p.Args, a)
	}
	array := func(name, elem string, sizes ...int) {
		a := Arg{Elem: elem, Sizes: sizes, Strides: make([]int, len(sizes))}
		n := 1
		for i := len(sizes) - 1; i >= 0; i-- {
			a.Strides[i] = n
			n *= sizes[i]
		}
		for range n {
			a.Elems = append(a.Elems, g.bits(elem))
		}
		a.Type = "memref<" + strings.TrimPrefix(spell(sizes, elem), "vector<")
		param(name, a)
	}
	for _, elem := range []string{g.float, g.int} {
		array("%m_"+elem, elem, vectorRows, vectorColumns)
		array("%l_"+elem, elem, vectorList)
		array("%o_"+elem, elem, vectorOut)
		param("%s_"+elem, Arg{Type: elem, Bits: g.bits(elem)})
		g.vals = append(g.vals, vec{name: "%s_" + elem, scalar: true, elem: elem, most: 4})
	}
	for i := range 3 { // indices of accesses that are in bounds
		param("%i"+strconv.Itoa(i), Arg{Type: "index", Bits: uint64(g.IntN(3))})
	}
	for i := range 2 { // indices that may be out of bounds
		param("%p"+strconv.Itoa(i), Arg{Type: "index", Bits: uint64(g.IntN(12))})
	}
	for i := range 2 { // and may be below 0
		param("%j"+strconv.Itoa(i), Arg{Type: "index", Bits: uint64(g.IntN(12) - 2)})
	}
	g.out = map[string]int{}
}

// bits is a small integer.
func (g *vectorGen) bits(elem string) uint64 {
	n := g.IntN(9) - 4
	switch elem {
	case "f16":
		return uint64([]uint16{0xC400, 0xC200, 0xC000, 0xBC00, 0, 0x3C00, 0x4000, 0x4200, 0x4400}[n+4])
	case "bf16":
		return uint64(float32Bits(float64(n)) >> 16)
	case "f32":
		return uint64(float32Bits(float64(n)))
	case "f64":
		return float64Bits(float64(n))
	}
	w := widths[elem]
	return uint64(int64(n)) << (64 - w) >> (64 - w)
}

// def prints an op with one result and puts that in scope.
func (g *vectorGen) def(v vec, format string, args ...any) vec {
	v.name = g.Name()
	g.Line("%s = %s", v.name, fmt.Sprintf(format, args...))
	g.vals = append(g.vals, v)
	return v
}

// some is a value in scope that is as wanted; ok is false if there is none.
func (g *vectorGen) some(want func(v vec) bool) (v vec, ok bool) {
	var have []vec
	for _, v := range g.vals {
		if want(v) {
			have = append(have, v)
		}
	}
	if len(have) == 0 {
		return vec{}, false
	}
	n := len(have)
	if g.Chance(0.6) { // recent ones, so that chains grow
		return have[n-1-g.IntN(min(4, n))], true
	}
	return have[g.IntN(n)], true
}

func (g *vectorGen) elem() string { return g.One(g.float, g.float, g.int) }

// own reports the types of numbers that there is memory for.
func (g *vectorGen) own(elem string) bool { return elem == g.float || elem == g.int }

// any is a vector of numbers of one to three dimensions.
func (g *vectorGen) any() vec {
	v, ok := g.some(func(v vec) bool { return !v.scalar && g.own(v.elem) })
	if !ok || g.Chance(0.1) {
		return g.fresh(g.shape(), g.elem())
	}
	return v
}

// like is a vector of a type.
func (g *vectorGen) like(shape []int, elem string) vec {
	t := spell(shape, elem)
	if v, ok := g.some(func(v vec) bool { return v.typ() == t }); ok && g.Chance(0.8) {
		return v
	}
	return g.fresh(shape, elem)
}

func (g *vectorGen) shape() []int {
	out := make([]int, 1+g.IntN(3))
	for i := range out {
		out[i] = 1 + g.IntN(4)
	}
	if len(out) == 1 {
		out[0] = 1 + g.IntN(8)
	}
	return out
}

// scalar is a scalar of a type.
func (g *vectorGen) scalar(elem string) vec {
	v, _ := g.some(func(v vec) bool { return v.scalar && v.elem == elem })
	return v
}

// fresh makes a vector of a type that is there or not.
func (g *vectorGen) fresh(shape []int, elem string) vec {
	v := vec{shape: shape, elem: elem, most: 4}
	if elem == "i1" {
		return g.mask(shape)
	}
	if g.Chance(0.5) {
		s := g.scalar(elem)
		v.most = s.most
		if len(shape) == 1 && g.Chance(0.4) {
			return g.def(v, "vector.splat %s : %s", s.name, v.typ())
		}
		return g.def(v, "vector.broadcast %s : %s to %s", s.name, elem, v.typ())
	}
	var parts []string
	for range size(shape) {
		n := g.IntN(9) - 4
		if parts = append(parts, strconv.Itoa(n)); isFloating(elem) {
			parts[len(parts)-1] += ".0"
		}
	}
	flat := vec{shape: []int{size(shape)}, elem: elem, most: 4}
	flat = g.def(flat, "arith.constant dense<[%s]> : %s", strings.Join(parts, ", "), flat.typ())
	if len(shape) == 1 {
		return flat
	}
	return g.def(v, "vector.shape_cast %s : %s to %s", flat.name, flat.typ(), v.typ())
}

// small is a value none of whose floats is greater than a bound.
func (g *vectorGen) small(v vec, bound float64) vec {
	if !isFloating(v.elem) || v.most <= bound {
		return v
	}
	for _, x := range []struct{ op, c string }{{"minimumf", "4.0"}, {"maximumf", "-4.0"}} {
		c := g.Name()
		if v.scalar {
			g.Line("%s = arith.constant %s : %s", c, x.c, v.typ())
		} else {
			g.Line("%s = arith.constant dense<%s> : %s", c, x.c, v.typ())
		}
		v = g.def(vec{shape: v.shape, scalar: v.scalar, elem: v.elem, most: 4}, "arith.%s %s, %s : %s", x.op, v.name, c, v.typ())
	}
	return v
}

// results stores vectors one behind the other.
func (g *vectorGen) results() {
	for i := len(g.vals) - 1; i >= 0; i-- {
		v := g.vals[i]
		if v.scalar {
			continue
		}
		if v.elem == "i1" {
			op := "arith.extui"
			if g.int == "index" {
				op = "arith.index_castui"
			}
			w := vec{shape: v.shape, elem: g.int}
			v = g.def(w, "%s %s : %s to %s", op, v.name, v.typ(), w.typ())
		}
		n := size(v.shape)
		if g.out[v.elem]+n > vectorOut || v.elem != g.float && v.elem != g.int {
			continue
		}
		flat := vec{shape: []int{n}, elem: v.elem}
		flat.name = v.name
		if len(v.shape) != 1 {
			flat = g.def(flat, "vector.shape_cast %s : %s to %s", v.name, v.typ(), flat.typ())
		}
		c := g.Name()
		g.Line("%s = arith.constant %d : index", c, g.out[v.elem])
		g.Line("vector.store %s, %%o_%s[%s] : memref<%dx%s>, %s", flat.name, v.elem, c, vectorOut, v.elem, flat.typ())
		g.out[v.elem] += n
	}
}
