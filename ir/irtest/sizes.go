package irtest

import (
	"math"
	"math/bits"
	"slices"
	"strings"
)

// sizes are extents and strides whose products wrap around: to 0, to something small, to
// something negative.
var sizes = []int64{0, 1, 2, 3, 6, 1 << 32, 1<<32 + 1, 1 << 31, 1 << 61, 1<<61 + 1, 1 << 62, math.MaxInt64, 6148914691236517206, 3074457345618258603}

func (g *gen) far64() int64 { return sizes[g.IntN(len(sizes))] }

// number prints a number: a constant, or one that folds do not see.
func (g *gen) number(n int64) string {
	c := g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, n)
	if g.Chance(0.5) {
		return c
	}
	v := g.Name()
	g.Line(`%s = "memref.alloca"() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> memref<index>`, v)
	g.Line(`"memref.store"(%s, %s) <{nontemporal = false}> : (index, memref<index>) -> ()`, c, v)
	return g.def("index", `"memref.load"(%s) <{nontemporal = false}> : (memref<index>) -> index`, v)
}

// large allocates what has no elements, or more than any machine has, and looks at an extent.
func (g *gen) large() {
	elem := g.One(g.elems...)
	n := make([]int64, 2+g.IntN(2))
	for i := range n {
		n[i] = g.far64()
	}
	if g.Chance(0.3) { // nothing in all, and a product of the others that fits
		n = []int64{0, 1 << 32, n[0] & 7}
	}
	product, fits := productOf(n)
	if none := slices.Contains(n, 0); fits && !none && 1<<20 < product && product < 1<<50 || !g.cfg.Traps && !(fits && none && product < 1<<40) {
		return // what some machine may have takes long, or ends elsewhere
	}
	var names []string
	for _, x := range n {
		names = append(names, g.number(x))
	}
	t := "memref<" + strings.Repeat("?x", len(n)) + elem + ">"
	m := g.Name()
	g.Line(`%s = "memref.alloc"(%s) <{operandSegmentSizes = array<i32: %d, 0>}> : (%s) -> %s`, m, strings.Join(names, ", "), len(n),
		strings.TrimPrefix(strings.Repeat(", index", len(n)), ", "), t)
	c := g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, g.IntN(len(n)))
	g.def("index", `"memref.dim"(%s, %s) : (%s, index) -> index`, m, c, t)
	if !slices.Contains(n, 0) { // never reached: the allocation traps
		var first, last []string
		for _, d := range n {
			first, last = append(first, g.unscoped(0)), append(last, g.unscoped64(d-1))
		}
		types := strings.Repeat(", index", len(n))
		g.Line(`"memref.store"(%s, %s, %s) <{nontemporal = false}> : (%s, %s%s) -> ()`, g.value(elem), m, strings.Join(last, ", "), elem, t, types)
		x := g.def(elem, `"memref.load"(%s, %s) <{nontemporal = false}> : (%s%s) -> %s`, m, strings.Join(first, ", "), t, types, elem)
		if !g.cfg.NoPrint {
			g.Line(`"special.print"(%s) : (%s) -> ()`, x, elem)
		}
	}
	g.Line(`"memref.dealloc"(%s) : (%s) -> ()`, m, t)
}

// unscoped64 is unscoped of any number.
func (g *gen) unscoped64(n int64) string {
	v := g.Name()
	g.Line(`%s = "arith.constant"() <{value = %d : index}> : () -> index`, v, n)
	return v
}

// productOf is the product of those that are not 0, if it fits.
func productOf(n []int64) (product uint64, fits bool) {
	product = 1
	for _, d := range n {
		hi, lo := bits.Mul64(product, uint64(max(d, 1)))
		if hi != 0 || lo > math.MaxInt64 {
			return 0, false
		}
		product = lo
	}
	return product, true
}

// far reads an element of a view of a size and a stride of which one may be any number, and writes what it read. A view
// that leads out of its memory traps, though its places wrap around to where they begin.
func (g *gen) far() {
	m, ok := g.memory(false)
	if !ok || m.layout != "" || m.dynamic || len(m.dims) != 1 {
		return
	}
	at, size, stride, offset := int64(0), int64(1), g.far64(), int64(g.IntN(m.dims[0]))
	switch {
	case g.cfg.Traps && g.Chance(0.3):
		at, size = g.far64(), g.far64()
		offset = -at * stride // modulo 2^64: the element is the first
	case g.Chance(0.3):
		size, stride = max(g.far64(), 1), 0
		at = size - 1
	}
	v := g.Name()
	t := "memref<?x" + m.elem + ", strided<[?], offset: ?>>"
	g.Line(`%s = "memref.reinterpret_cast"(%s, %s, %s, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>, static_offsets = array<i64: `+dynamic+`>, static_sizes = array<i64: `+dynamic+
		`>, static_strides = array<i64: `+dynamic+`>}> : (%s, index, index, index) -> %s`, v, m.name, g.number(offset), g.number(size), g.number(stride), m.typ(), t)
	i := g.number(at)
	x := g.def(m.elem, `"memref.load"(%s, %s) <{nontemporal = false}> : (%s, index) -> %s`, v, i, t, m.elem)
	if !m.constant {
		g.Line(`"memref.store"(%s, %s, %s) <{nontemporal = false}> : (%s, %s, index) -> ()`, x, v, i, m.elem, t)
	}
}
