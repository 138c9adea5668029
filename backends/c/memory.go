package c

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// memory is operand i of the current op, a memref.
func (f *function) memory(i int) *view {
	v := f.g.Args(f.v)[i]
	if m := f.of(v).m; m != nil {
		return m
	}
	f.fail("has an operand of type %s, which is not printed as C", f.spell(f.g.Type(v)))
	return nil
}

// check stops the program if a condition holds.
func (f *function) check(bad expr, reason string) {
	if f.opts.Unchecked || bad.constant && bad.num == 0 {
		return
	}
	f.stopIf(bad, reason)
}

// stopIf is check in unchecked code too: the program itself asks for it.
func (f *function) stopIf(bad expr, reason string) {
	f.helper("irc_trap")
	f.line("if (%s)", bad.text)
	f.block(func() { f.line("irc_trap(%s);", quoted(f.trap(reason))) })
}

// trap is what is said of a trap of the current op.
func (f *function) trap(reason string) string {
	return fmt.Sprintf("@%s: %s: %s", f.callee.symbol, f.g.Def(f.v).Name, reason)
}

// quoted is a string of C.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// within reports that 0 <= v < n is known.
func (f *function) within(v ir.Value, x, n expr) bool {
	if x.constant {
		return n.constant && 0 <= x.num && x.num < n.num
	}
	known := f.known.At(f.region)
	k := known.Number(v)
	if k.Low < 0 || n.constant {
		return n.constant && k.Within(0, n.num-1)
	}
	for _, u := range known.Uppers(v) {
		if y := f.of(u.Value).x; u.Off < 0 && y.text != "" && y.text == n.text {
			return true
		}
	}
	return false
}

// element is an element, whose indices, operands of the current op from the given one on, are
// checked.
func (f *function) element(m *view, from int) expr {
	of := f.g.Args(f.v)[from:]
	at := make([]expr, len(of))
	trusted := f.opts.Unchecked || f.g.Attr(f.v, memref.InBoundsAttr) != 0
	for i, v := range of {
		at[i] = f.scalarOf(v)
		if !trusted && !f.within(v, at[i], m.sizes[i]) {
			f.helper("irc_at")
			at[i] = called("irc_at", at[i], m.sizes[i])
			at[i].acts = true
		}
	}
	place := f.placeOf(m, at)
	if !m.inside && m.length != nil && !trusted {
		f.helper("irc_at")
		place = called("irc_at", place, *m.length)
		place.acts = true
	}
	if place.constant && place.num == 0 && !place.acts {
		return made(primary, "*"+m.base.text, m.base)
	}
	return made(primary, m.base.text+"["+place.text+"]", m.base, place)
}

// lengthOf computes the length of a view that is to lose its sizes.
func (f *function) lengthOf(m *view) {
	if m.length == nil && m.inside {
		n := f.product(m.sizes)
		m.length = &n
	}
}

func emitLoad(f *function) {
	x := f.element(f.memory(0), 1)
	x.acts = true
	f.set(x)
}

func emitStore(f *function) {
	m := f.memory(1)
	x := f.arg(0)
	to := f.element(m, 2)
	f.line("%s = %s;", to.text, x.text)
}

// extent is the view of a new allocation, without its base.
func (f *function) extent(sizes []ir.Value) *view {
	l := f.layout(f.g, f.v, f.g.Type(f.v))
	if !l.ident {
		f.fail("allocates memory whose layout is not the identity, which is not printed as C; take a view of an allocation")
	}
	var open []expr
	for _, v := range sizes {
		open = append(open, f.hoisted(signed(f.scalarOf(v), 64), "n"))
	}
	m := &view{elem: l.elem, off: number(0), ident: true, inside: true}
	m.sizes, _ = values(l.sizes, open)
	return m
}

func (f *function) alignment() int64 {
	if a := f.g.Attr(f.v, "alignment"); a != 0 {
		return f.ctx.AttrInfo(a).Int
	}
	return 0
}

// emitAlloc allocates; sizes are checked by irc_alloc.
func emitAlloc(f *function) {
	m := f.extent(f.segments()[0])
	elem := typeName(f.ctx, m.elem)
	n := f.variable("m")
	f.helper("irc_alloc")
	args := []string{fmt.Sprint(max(f.alignment(), 16)), "sizeof(" + elem + ")", fmt.Sprint(len(m.sizes))}
	for _, s := range m.sizes {
		if s.constant {
			s = cast("int64_t", s)
		}
		args = append(args, s.text)
	}
	f.line("%s *%s = irc_alloc(%s);", elem, n, strings.Join(args, ", "))
	m.base = name(n)
	f.vals[f.v] = val{m: m}
}

// emitAlloca is an array of the block, which lives as long as the iteration or the function.
func emitAlloca(f *function) {
	if f.moves > 0 {
		f.fail("stands in an op that gives memrefs to what is around it, and would not live as long in C; use memref.alloc")
	}
	m := f.extent(f.segments()[0])
	n := f.variable("m")
	count := f.product(m.sizes)
	if count.constant {
		count = number(max(count.num, 1))
	} else {
		for _, s := range m.sizes {
			if !s.constant {
				f.check(binary(relation, "<", s, number(0)), "a size of an allocation is negative")
			}
		}
		count = made(conditional, count.text+" > 0 ? "+count.text+" : 1", count)
	}
	align := ""
	if a := f.alignment(); a > 16 {
		align = fmt.Sprintf("_Alignas(%d) ", a)
	}
	f.line("%s%s %s[%s];", align, typeName(f.ctx, m.elem), n, count.text)
	m.base = name(n)
	f.vals[f.v] = val{m: m}
}

func emitAllocaScope(f *function) {
	r := f.g.Regions(f.v)[0]
	f.scope(r, nil)
}

func emitDealloc(f *function) { f.line("free(%s);", f.memory(0).base.text) }

// emitCopy copies element by element, by way of a buffer: what overlaps is copied as it was.
func emitCopy(f *function) {
	from, to := f.memory(0), f.memory(1)
	for i := range from.sizes {
		if a, b := from.sizes[i], to.sizes[i]; a.text != b.text {
			f.check(binary(equality, "!=", a, b), "memref.copy between different sizes")
		}
	}
	elem := typeName(f.ctx, from.elem)
	if from.ident && to.ident {
		bytes := binary(product, "*", cast("size_t", f.product(from.sizes)), expr{text: "sizeof(" + elem + ")", prec: primary})
		f.line("memmove(%s, %s, %s);", pointer(to, to.off).text, pointer(from, from.off).text, bytes.text)
		return
	}
	f.fail("copies memory whose strides are its own, which is not printed as C; copy it by loops")
}

// global is a memref.global.
type global struct {
	name string
	typ  ir.Type
}

// global prints a global and notes it.
func (e *emitter) global(v ir.Value) string {
	symbol := e.ctx.AttrInfo(e.g.Attr(v, "sym_name")).Str
	t := e.ctx.AttrInfo(e.g.Attr(v, "type")).Type
	l := e.layout(e.g, v, t)
	if !l.ident || slices.Contains(l.sizes, ir.Dynamic) {
		failAt(e.g, v, "has type %s, which is not printed as C; use the identity layout and static sizes", e.spell(t))
	}
	n := int64(1)
	for _, d := range l.sizes {
		n *= d
	}
	name := e.fresh(symbol)
	e.globals[symbol] = &global{name, t}
	text := fmt.Sprintf("%s %s[%d]", typeName(e.ctx, l.elem), name, max(n, 1))
	if a := e.g.Attr(v, "sym_visibility"); a != 0 && e.ctx.AttrInfo(a).Str != "public" {
		text = "static " + text
	}
	init := e.g.Attr(v, "initial_value")
	if init == 0 {
		return text + ";\n" // zeros, unless another file says otherwise
	}
	info := e.ctx.AttrInfo(init)
	switch {
	case info.Kind == ir.AttrUnit:
		return text + ";\n"
	case info.Kind != ir.AttrDense:
		failAt(e.g, v, "has an initial value that is not dense numbers; write it as dense<[...]>")
	}
	raw := e.ctx.Elems(init)
	if n == 0 || info.Splat && raw[0] == 0 {
		return text + ";\n"
	}
	var list []string
	for i := range n {
		bits := raw[0]
		if !info.Splat {
			bits = raw[i]
		}
		list = append(list, e.element(l.elem, bits))
	}
	return text + " = {" + strings.Join(list, ", ") + "};\n"
}

// element is a number of a type as its bits say.
func (e *emitter) element(t ir.Type, bits uint64) string {
	if e.ctx.IsFloat(t) {
		return floating(ir.BitsToFloat(bits, t), t == ir.F32).text
	}
	w := e.ctx.Info(t).Width
	if t == ir.I1 {
		return boolean(bits&1 != 0).text
	}
	return integer(ir.IntVal(int64(bits), w).Int(w), w).text
}

func emitGetGlobal(f *function) {
	symbol := f.ctx.AttrInfo(f.g.Attr(f.v, "name")).Str
	g := f.globals[symbol]
	if g == nil {
		f.fail("refers to @%s, which is no memref.global of this module", symbol)
	}
	l := f.layout(f.g, f.v, f.g.Type(f.v))
	m := &view{elem: l.elem, base: name(g.name), off: number(0), inside: true, ident: true}
	m.sizes, _ = values(l.sizes, nil)
	f.vals[f.v] = val{m: m}
}

// nothing is an op that says something to a compiler alone.
func nothing(f *function) {}
