package irtest

import (
	"fmt"
	"slices"
	"strings"
)

// memory is a memref in scope; its extents are powers of two.
type memory struct {
	name, elem string
	dims       []int
	dynamic    bool   // its type does not tell the extents
	layout     string // ", strided<...>", or "" for the identity
	strides    []int  // where the layout is static
	offset     int
	origin     int  // of an allocation and its views, which no other aliases; 0 is unknown
	stack      bool // may be gone when a loop around it goes on
	heap       bool // the result of memref.alloc itself
	constant   bool
}

func (m *memory) typ() string {
	var b strings.Builder
	b.WriteString("memref<")
	for _, d := range m.dims {
		if m.dynamic {
			b.WriteString("?x")
		} else {
			fmt.Fprintf(&b, "%dx", d)
		}
	}
	return b.String() + m.elem + m.layout + ">"
}

func (m *memory) static() bool { return m.layout == "" || m.strides != nil }

// identity makes the memory of a whole allocation.
func identity(name, elem string, dims ...int) memory {
	m := memory{name: name, elem: elem, dims: dims, strides: make([]int, len(dims))}
	n := 1
	for i := len(dims) - 1; i >= 0; i-- {
		m.strides[i] = n
		n *= dims[i]
	}
	return m
}

func (g *gen) relayout(m *memory) {
	m.layout = fmt.Sprintf(", strided<%s%s>", strings.ReplaceAll(fmt.Sprint(m.strides), " ", ", "), offsetText(m.offset))
}

func offsetText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", offset: %d", n)
}

func (g *gen) alloc() {
	if g.cfg.NoMemory {
		return
	}
	dims := []int{1 << g.IntN(4)}
	if g.cfg.Wide && g.Chance(0.3) {
		dims = [][]int{{4, 2}, {2, 4}, {2, 2}}[g.IntN(3)]
	}
	g.allocate(g.One(g.elems...), dims...)
}

// allocate prints an allocation whose elements are all written: what it holds at
// first is not defined.
func (g *gen) allocate(elem string, dims ...int) memory {
	m := identity(g.Name(), elem, dims...)
	g.origins++
	m.origin = g.origins
	op := g.One("memref.alloc", "memref.alloca")
	m.stack, m.heap = op == "memref.alloca", op == "memref.alloc"
	g.Line(`%s = %q() <{operandSegmentSizes = array<i32: 0, 0>}> : () -> %s`, m.name, op, m.typ())
	g.mems = append(g.mems, m)
	if g.cfg.Poison && g.Chance(0.3) {
		return m
	}
	zero := g.value(elem)
	n := 1
	for _, d := range dims {
		n *= d
	}
	for i := range n {
		at := make([]string, len(dims))
		for d := range dims {
			at[d] = g.unscoped(i / m.strides[d] % dims[d])
		}
		g.put(zero, &m, at)
	}
	return m
}

// unscoped prints an index constant that nothing else uses.
func (g *gen) unscoped(n int) string {
	v := g.Name()
	g.Line(`%s = "arith.constant"() <{value = %d : index}> : () -> index`, v, n)
	return v
}

func (g *gen) put(v string, m *memory, at []string) {
	g.Line(`"memref.store"(%s) <{nontemporal = false}> : (%s%s) -> ()`, strings.Join(append([]string{v, m.name}, at...), ", "),
		m.elem+", "+m.typ(), strings.Repeat(", index", len(at)))
}

// index returns an index below a power of two.
func (g *gen) index(size int) string {
	if g.Chance(0.4) {
		return g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, g.IntN(size))
	}
	v := g.value("index")
	if g.cfg.Traps && g.Chance(0.2) {
		return v
	}
	c := g.def("index", `"arith.constant"() <{value = %d : index}> : () -> index`, size-1)
	return g.binary("arith.andi", "", "index", v, c)
}

func (g *gen) indices(m *memory) (at []string) {
	for _, d := range m.dims {
		at = append(at, g.index(d))
	}
	return at
}

// memory picks what may be read or, unless only read, written.
func (g *gen) memory(read bool) (memory, bool) {
	if len(g.mems) == 0 {
		return memory{}, false
	}
	i := g.IntN(len(g.mems))
	if g.Chance(0.5) {
		i = len(g.mems) - 1 - g.IntN(min(3, len(g.mems)))
	}
	m := g.mems[i]
	return m, read || !m.constant
}

func (g *gen) load() {
	if m, ok := g.memory(true); ok {
		at := g.indices(&m)
		g.def(m.elem, `"memref.load"(%s) <{nontemporal = false}> : (%s%s) -> %s`, strings.Join(append([]string{m.name}, at...), ", "),
			m.typ(), strings.Repeat(", index", len(at)), m.elem)
	}
}

func (g *gen) store() {
	if m, ok := g.memory(false); ok {
		at := g.indices(&m)
		g.put(g.value(m.elem), &m, at)
	}
}

// atomic prints a read-modify-write.
func (g *gen) atomic() {
	m, ok := g.memory(false)
	if !ok || m.elem == "index" {
		return
	}
	kinds := []int{1, 2, 4, 5, 7, 8, 10, 11, 12}
	if isFloat(m.elem) {
		kinds = []int{0, 2, 9, 3, 6, 13, 14}
	}
	at := g.indices(&m)
	g.def(m.elem, `"memref.atomic_rmw"(%s) <{kind = %d : i64}> : (%s, %s%s) -> %s`, strings.Join(append([]string{g.value(m.elem), m.name}, at...), ", "),
		kinds[g.IntN(len(kinds))], m.elem, m.typ(), strings.Repeat(", index", len(at)), m.elem)
}

// copy prints a copy between memories that certainly differ.
func (g *gen) copy() {
	to, ok := g.memory(false)
	if !ok || to.origin == 0 {
		return
	}
	for _, from := range g.mems {
		if (from.origin != 0 && from.origin != to.origin || from.constant) && from.elem == to.elem && slices.Equal(from.dims, to.dims) {
			g.Line(`"memref.copy"(%s, %s) : (%s, %s) -> ()`, from.name, to.name, from.typ(), to.typ())
			return
		}
	}
}

func (g *gen) dim() {
	if m, ok := g.memory(true); ok {
		d := g.unscoped(g.IntN(len(m.dims)))
		g.def("index", `"memref.dim"(%s, %s) : (%s, index) -> index`, m.name, d, m.typ())
	}
}

// pickMemory picks one of two memories.
func (g *gen) pickMemory() {
	x, ok := g.memory(false)
	if !ok {
		return
	}
	y := g.memoryOf(x.typ(), false)
	v := x
	v.name, v.origin, v.stack, v.heap = g.Name(), 0, true, false
	g.Line(`%s = "arith.select"(%s, %s, %s) : (i1, %s, %s) -> %s`, v.name, g.value("i1"), x.name, y, x.typ(), x.typ(), x.typ())
	g.mems = append(g.mems, v)
}

// memoryOf returns a memory of exactly this type; if outlive, one that outlives
// the loop or function around.
func (g *gen) memoryOf(typ string, outlive bool) string {
	var have []string
	for i, m := range g.mems {
		if !m.constant && m.typ() == typ && (!outlive || g.safe < 0 || i < g.safe || !m.stack) {
			have = append(have, m.name)
		}
	}
	if len(have) == 0 {
		panic("irtest: no memory of type " + typ)
	}
	return g.One(have...)
}
