package irtest

import (
	"math/bits"
)

// bytes prints memref.view: bytes as elements of another type, and sometimes what tells
// that both are one memory. Floats are only read from bytes: NaN may have any bits.
func (g *gen) bytes() {
	m := g.someBytes()
	t := g.One(g.viewed()...)
	size := int(widths[t]+uint(floatWidth(t))+7) / 8
	size = 1 << bits.Len(uint(size-1))
	places := m.dims[0] / size
	if places == 0 {
		return
	}
	n := 1 << g.IntN(bits.Len(uint(places)))
	v := g.like(m, n)
	if n >= 4 && g.Chance(0.3) {
		v = g.like(m, n/2, 2)
	}
	v.elem, v.constant = t, m.constant || isFloat(t)
	sizes := ""
	if len(v.dims) == 1 && n == 8 && g.Chance(0.5) { // one extent for each type, as in cast
		v.dynamic = true
		sizes = ", " + g.unscoped(n)
	}
	shift := g.shift(size, places-n)
	v.name = g.Name()
	types := map[bool]string{false: "", true: ", index"}[v.dynamic]
	g.Line(`%s = "memref.view"(%s, %s%s) : (%s, index%s) -> %s`, v.name, m.name, shift, sizes, m.typ(), types, v.typ())
	g.mems = append(g.mems, v)
	if m.constant {
		return
	}
	from, to := &m, &v
	if v.constant || g.Chance(0.5) {
		from, to = &v, &m
	}
	if g.Chance(0.5) {
		g.keep(value{g.get(from, g.indices(from)), from.elem})
	}
	g.put(g.value(to.elem), to, g.indices(to))
	g.keep(value{g.get(from, g.indices(from)), from.elem})
}

// someBytes picks, or allocates, what memref.view takes.
func (g *gen) someBytes() memory {
	var have []memory
	for _, m := range g.mems {
		if m.elem == "i8" && len(m.dims) == 1 && m.dims[0] > 1 && m.layout == "" {
			have = append(have, m)
		}
	}
	if len(have) > 0 && g.Chance(0.8) {
		return have[g.IntN(len(have))]
	}
	return g.allocate("i8", 8<<g.IntN(2))
}

// viewed lists what bytes are seen as; with LLVM's own lowering, integers of odd widths
// have no meaning unless they were stored as such.
func (g *gen) viewed() []string {
	out := []string{"i8", "i16", "i32", "i64", "index", "f32", "f64"}
	if g.cfg.Narrow {
		out = append(out, "f16", "bf16")
		if !g.cfg.NoPrint {
			out = append(append(out, "i1"), g.sized...)
		}
	}
	return out
}

// shift prints a multiple of size, at most most times it.
func (g *gen) shift(size, most int) string {
	switch {
	case g.cfg.Traps && g.Chance(0.05):
		return g.value("index")
	case most > 0 && g.Chance(0.4): // known only when it runs
		return g.binary("arith.muli", "", "index", g.index(1<<bitsOf(most)), g.unscoped(size))
	}
	return g.unscoped(size * g.IntN(most+1))
}
