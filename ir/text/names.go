package text

import (
	"strconv"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
	"github.com/irc-lang/irc/ir/text/internal/literal"
)

// nameParams names the parameters of a region %argN.
func (p *frames) nameParams(r ir.Region) {
	f := p.f
	n := p.ids.arg
	for _, v := range f.g.Params(r) {
		p.setName(f, v, "arg"+strconv.Itoa(n))
		n++
	}
	f.params[r] = true
	f.argIDs[r] = n
}

// numberAll numbers the values of a graph and its children before anything is
// printed. In the generic form MLIR numbers through all regions, and those of
// later ops before those of earlier ones.
func (p *frames) numberAll() {
	type place struct {
		f *frame
		r ir.Region
	}
	root := p.f
	for stack := []place{{root, ir.Root}}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		p.f = top.f
		g := p.f.g
		for _, v := range g.Params(top.r) {
			p.f.named = append(p.f.named, "arg"+strconv.Itoa(p.ids.arg))
			p.f.names[v] = -int32(len(p.f.named))
			p.ids.arg++
		}
		for _, v := range p.f.s.Body(top.r) {
			if g.Results(v) > 0 {
				p.ids.value++
				p.f.names[v] = int32(p.ids.value)
			}
			for _, r := range g.Regions(v) {
				stack = append(stack, place{p.f, r})
			}
			for _, c := range g.Children(v) {
				stack = append(stack, place{p.child(c), ir.Root})
			}
		}
	}
	p.f, p.numbered = root, true
}

// nameOps names the results of ops, and returns the special names it took.
func (p *frames) nameOps(ops []ir.Value) (special []string) {
	f := p.f
	for _, v := range ops {
		if f.g.Results(v) == 0 {
			continue
		}
		if !p.plain {
			if s := p.suggest(v); s != "" {
				special = append(special, p.setName(f, v, s))
				continue
			}
		}
		p.ids.value++
		f.names[v] = int32(p.ids.value)
	}
	return special
}

// suggest returns the name that an op's results should have, or "".
func (p *frames) suggest(v ir.Value) string {
	g := p.f.g
	def := g.Def(v)
	if !def.Registered() {
		return ""
	}
	if f := p.forms.of(def); f != nil && f.Name != nil {
		return sanitize(f.Name(g, v))
	}
	if def.Has(ir.ConstantLike) {
		return constantName(g, v)
	}
	return ""
}

// constantName is how MLIR names a constant: c4 of an index, c4_i32, true, cst.
func constantName(g *ir.Graph, v ir.Value) string {
	a := g.Attr(v, "value")
	if a == 0 {
		return ""
	}
	info := g.Ctx.AttrInfo(a)
	switch {
	case info.Kind != ir.AttrInt:
		return "cst"
	case info.Type == ir.I1:
		if info.Int&1 == 1 {
			return "true"
		}
		return "false"
	}
	w := literal.NewWriter(g.Ctx, notation{})
	w.Byte('c')
	w.AttrNoType(a)
	if info.Type != ir.Index {
		w.Byte('_')
		w.Type(info.Type)
	}
	return string(w.Buf)
}

// sanitize makes a name of any text, as MLIR does.
func sanitize(s string) string {
	if s == "" {
		return ""
	}
	if lex.IsDigit(s[0]) {
		s = "_" + s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 && lex.IsSuffix(byte(r)) {
			return r
		}
		return '_'
	}, s)
}

// setName gives a value a name that nothing in scope has.
func (p *frames) setName(f *frame, v ir.Value, name string) string {
	if p.used[name] > 0 {
		base := name + "_"
		for p.used[name] > 0 {
			name = base + strconv.Itoa(p.ids.conflict)
			p.ids.conflict++
		}
	}
	p.used[name]++
	f.named = append(f.named, name)
	f.names[v] = -int32(len(f.named))
	return name
}

func (p *frames) release(name string) {
	if p.used[name]--; p.used[name] <= 0 {
		delete(p.used, name)
	}
}

// name returns the special name of a value.
func (p *frames) name(v ir.Value) string {
	if n := p.f.names[v]; n < 0 {
		return p.f.named[-n-1]
	}
	return ""
}

// Value prints the use of a value.
func (p *Printer) Value(v ir.Value) {
	f := p.frames.f
	n, i, several := f.g.Projection(v)
	p.lit.Byte('%')
	switch id := f.names[n]; {
	case id > 0:
		p.lit.Buf = strconv.AppendInt(p.lit.Buf, int64(id-1), 10)
	case id < 0:
		p.lit.Str(f.named[-id-1])
	default:
		p.lit.Str("<undefined>")
	}
	if several {
		p.lit.Byte('#')
		p.lit.Int(int64(i))
	}
}

// Values prints uses separated by commas.
func (p *Printer) Values(vs []ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.lit.Str(", ")
		}
		p.Value(v)
	}
}
