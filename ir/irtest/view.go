package irtest

import (
	"fmt"
	"strings"
)

// derive puts a view of m in scope, the result of the given text but for types.
func (g *gen) derive(m, v memory, format string, args ...any) memory {
	v.name, v.heap = g.Name(), false
	g.Line(`%s = %s : (%s) -> %s`, v.name, fmt.Sprintf(format, args...), m.typ(), v.typ())
	g.mems = append(g.mems, v)
	return v
}

func (g *gen) view() {
	if g.Chance(0.15) {
		g.bytes()
		return
	}
	m, ok := g.memory(true)
	if !ok {
		return
	}
	switch g.IntN(7) {
	case 0:
		g.cast(m)
	case 1:
		g.reinterpret(m)
	case 2:
		g.reshape(m)
	case 3:
		if len(m.dims) == 2 && m.static() && !m.dynamic {
			v := m
			v.dims = []int{m.dims[1], m.dims[0]}
			v.strides = []int{m.strides[1], m.strides[0]}
			g.relayout(&v)
			g.derive(m, v, `"memref.transpose"(%s) <{permutation = affine_map<(d0, d1) -> (d1, d0)>}>`, m.name)
		}
	default:
		if len(m.dims) == 1 {
			g.subview(m)
		} else {
			g.row(m)
		}
	}
}

const segments = "operandSegmentSizes = array<i32: 1, %d, 0, 0>, static_offsets = array<i64: %s>, static_sizes = array<i64: %s>, static_strides = array<i64: %s>"

const dynamic = "-9223372036854775808"

// subview prints a part of a vector of memory, at an offset that may be known
// only when it runs.
func (g *gen) subview(m memory) {
	if !m.static() || m.dynamic || m.dims[0] < 2 {
		return
	}
	n := m.dims[0] / 2
	stride := 1 + g.IntN(2)
	most := m.dims[0] - 1 - (n-1)*stride
	v := m
	v.dims, v.strides = []int{n}, []int{m.strides[0] * stride}
	if g.Chance(0.4) {
		at := g.index(1 << bitsOf(most)) // below the largest power of two that fits
		v.strides = nil
		v.layout = fmt.Sprintf(", strided<[%d], offset: ?>", m.strides[0]*stride)
		v.name, v.heap = g.Name(), false
		g.Line(`%s = "memref.subview"(%s, %s) <{`+segments+`}> : (%s, index) -> %s`, v.name, m.name, at, 1, dynamic, fmt.Sprint(n), fmt.Sprint(stride), m.typ(), v.typ())
		g.mems = append(g.mems, v)
		return
	}
	at := g.IntN(most + 1)
	v.offset = m.offset + at*m.strides[0]
	g.relayout(&v)
	g.derive(m, v, `"memref.subview"(%s) <{`+segments+`}>`, m.name, 0, fmt.Sprint(at), fmt.Sprint(n), fmt.Sprint(stride))
}

// bitsOf is the largest k with 1<<k <= n+1.
func bitsOf(n int) int {
	k := 0
	for 1<<(k+1) <= n+1 {
		k++
	}
	return k
}

// row prints a row, or a column, of a matrix as a vector.
func (g *gen) row(m memory) {
	if !m.static() || m.dynamic {
		return
	}
	d := g.IntN(2) // the dimension that stays
	at := g.IntN(m.dims[1-d])
	v := m
	v.dims, v.strides = []int{m.dims[d]}, []int{m.strides[d]}
	v.offset = m.offset + at*m.strides[1-d]
	g.relayout(&v)
	offsets, sizes := []int{0, 0}, []int{1, 1}
	offsets[1-d], sizes[d] = at, m.dims[d]
	if m.dims[d] == 1 {
		return // which dimension is left out would be open
	}
	list := func(x []int) string { return fmt.Sprintf("%d, %d", x[0], x[1]) }
	g.derive(m, v, `"memref.subview"(%s) <{`+segments+`}>`, m.name, 0, list(offsets), list(sizes), "1, 1")
}

// cast prints a cast to a type that knows less.
func (g *gen) cast(m memory) memory {
	v := m
	switch {
	case m.layout == "" && len(m.dims) == 1 && m.dims[0] == 8 && g.Chance(0.5): // one extent for each type
		v.dynamic = !m.dynamic // and back: the extents are what they are
	case len(m.dims) == 1:
		v.strides, v.layout = nil, ", strided<[?], offset: ?>"
	default:
		v.strides, v.layout = nil, ", strided<[?, ?], offset: ?>"
	}
	if v.typ() == m.typ() {
		return m
	}
	return g.derive(m, v, `"memref.cast"(%s)`, m.name)
}

func (g *gen) reinterpret(m memory) {
	if m.layout != "" || m.dynamic {
		return
	}
	n := 1
	for _, d := range m.dims {
		n *= d
	}
	if n < 2 {
		return
	}
	v := m
	stride := 1 + g.IntN(2)
	v.dims, v.strides = []int{n / 2}, []int{stride}
	v.offset = g.IntN(n - (n/2-1)*stride)
	g.relayout(&v)
	g.derive(m, v, `"memref.reinterpret_cast"(%s) <{`+segments+`}>`, m.name, 0, fmt.Sprint(v.offset), fmt.Sprint(n/2), fmt.Sprint(stride))
}

func (g *gen) reshape(m memory) {
	if m.layout != "" || m.dynamic {
		return
	}
	if len(m.dims) == 2 {
		g.derive(m, g.like(m, m.dims[0]*m.dims[1]), `"memref.collapse_shape"(%s) <{reassociation = [[0, 1]]}>`, m.name)
	} else if m.dims[0] == 8 {
		g.derive(m, g.like(m, 4, 2), `"memref.expand_shape"(%s) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 2>}>`, m.name)
	}
}

// like is m with other extents.
func (g *gen) like(m memory, dims ...int) memory {
	v := identity("", m.elem, dims...)
	v.origin, v.stack, v.constant = m.origin, m.stack, m.constant
	return v
}

// parameter kinds of memrefs: what a function may take.
const (
	whole   = iota // memref<8xT>
	matrix         // memref<4x2xT>
	unsized        // memref<?xT>, of 8 elements
	strided        // memref<4xT, strided<[?], offset: ?>>
	numKinds
)

// parameter makes the memory of a parameter.
func parameter(name, elem string, kind int) memory {
	m := identity(name, elem, 8)
	switch kind {
	case matrix:
		m = identity(name, elem, 4, 2)
	case unsized:
		m.dynamic = true
	case strided:
		m.dims, m.strides, m.layout = []int{4}, nil, ", strided<[?], offset: ?>"
	}
	return m
}

// memoryFor returns memory for a parameter of a callee, and what it is part of.
func (g *gen) memoryFor(want memory, fresh bool) string {
	var from []memory
	if !fresh {
		var exact []string
		for _, m := range g.mems {
			if m.constant {
				continue
			}
			if m.typ() == want.typ() {
				exact = append(exact, m.name)
			}
			if m.elem == want.elem && m.layout == "" && !m.dynamic && len(m.dims) == 1 && m.dims[0] == 8 {
				from = append(from, m)
			}
		}
		if len(exact) > 0 && g.Chance(0.7) {
			return g.One(exact...)
		}
	}
	if len(from) == 0 {
		from = append(from, g.allocate(want.elem, 8))
		if fresh { // nothing else may know it
			g.mems = g.mems[:len(g.mems)-1]
		}
	}
	m := from[g.IntN(len(from))]
	n := len(g.mems)
	v := g.shaped(m, want)
	if fresh {
		g.mems = g.mems[:n]
	}
	return v
}

// shaped prints what makes a memref of 8 elements one of another type.
func (g *gen) shaped(m, want memory) string {
	v := m
	switch {
	case m.typ() == want.typ():
		return m.name
	case len(want.dims) == 2:
		return g.derive(m, g.like(m, 4, 2), `"memref.expand_shape"(%s) <{reassociation = [[0, 1]], static_output_shape = array<i64: 4, 2>}>`, m.name).name
	case want.dynamic:
		v.dynamic = true
		return g.derive(m, v, `"memref.cast"(%s)`, m.name).name
	}
	stride := 1 + g.IntN(2)
	at := g.IntN(8 - 3*stride)
	v.dims, v.strides, v.offset = []int{4}, []int{stride}, at
	g.relayout(&v)
	s := g.derive(m, v, `"memref.subview"(%s) <{`+segments+`}>`, m.name, 0, fmt.Sprint(at), "4", fmt.Sprint(stride))
	d := s
	d.strides, d.layout = nil, want.layout
	return g.derive(s, d, `"memref.cast"(%s)`, s.name).name
}

func isMemory(t string) bool { return strings.HasPrefix(t, "memref") }
