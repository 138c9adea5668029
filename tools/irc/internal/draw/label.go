// Package draw makes pictures of a graph: DOT for Graphviz, and an SVG page of
// the schedule that needs no other tool. Both show values, hard and soft edges. Of the
// dependences between statements it makes a model with plates.
package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A picture is one graph, its schedule, and what its values are called.
type picture struct {
	g     *ir.Graph
	s     *ir.Schedule
	names map[ir.Value]string
}

// newPicture numbers values in the order of the schedule: %0 and on for ops, %arg0
// and on for parameters.
func newPicture(g *ir.Graph) picture {
	p := picture{g, ir.ScheduleOf(g), map[ir.Value]string{}}
	params := 0
	enter := func(r ir.Region) {
		for _, v := range g.Params(r) {
			p.names[v] = "%arg" + fmt.Sprint(params)
			params++
		}
	}
	enter(ir.Root)
	ops := 0
	for v := range p.s.All() {
		if g.Type(v) != ir.Void && !p.literal(v) {
			p.names[v] = "%" + fmt.Sprint(ops)
			ops++
		}
		for _, r := range g.Regions(v) {
			enter(r)
		}
	}
	return p
}

// literal reports a constant that is written at its users: as a node of its own
// it would only draw lines across everything.
func (p *picture) literal(v ir.Value) bool {
	_, ok := p.g.Const(v)
	return ok && attrText(p.g.Ctx, p.g.Attr(v, "value")) != ""
}

// operand is how a value is called where it is used.
func (p *picture) operand(v ir.Value) string {
	if p.literal(v) {
		return attrText(p.g.Ctx, p.g.Attr(v, "value"))
	}
	n, i, many := p.g.Projection(v)
	if many {
		return fmt.Sprintf("%s#%d", p.names[n], i)
	}
	return p.names[n]
}

// label is what a node is called: its op, and what tells it from others of the
// same op.
func label(g *ir.Graph, v ir.Value) string {
	name := g.Def(v).Name
	for _, a := range []string{"sym_name", "callee", "name", "value"} {
		if x := g.Attr(v, a); x != 0 {
			if t := attrText(g.Ctx, x); t != "" {
				return name + " " + t
			}
		}
	}
	return name
}

// head is a node without its operands and type.
func (p *picture) head(v ir.Value) string {
	out := label(p.g, v)
	if n := p.names[v]; n != "" {
		out = n + " = " + out
	}
	return out
}

// full is what there is to say of a node, and the place in the source that it
// comes from.
func (p *picture) full(v ir.Value, src *diag.Source) string {
	out := p.line(v)
	if _, _, ok := p.g.Param(v); ok {
		out = p.names[v] + p.typed(v)
	}
	for _, l := range p.g.LocsOf(v) {
		if src == nil || l&ir.LocAttr != 0 {
			continue
		}
		line, col := src.Position(int(l) - 1)
		out += fmt.Sprintf("\n%s:%d:%d: %s", src.Name, line, col, lineAt(src.Text, int(l)-1))
	}
	return out
}

// lineAt is the line of a text around an offset, without what surrounds its words.
func lineAt(text string, off int) string {
	off = min(off, len(text))
	from, to := strings.LastIndexByte(text[:off], '\n')+1, len(text)
	if n := strings.IndexByte(text[off:], '\n'); n >= 0 {
		to = off + n
	}
	return strings.TrimSpace(text[from:to])
}

// regionName is how people call a region of an op.
func regionName(g *ir.Graph, v ir.Value, i int) string {
	kind := g.KindOf(g.Regions(v)[i])
	switch name := g.Ctx.RegionName(g.Def(v), i); {
	case name != "" && kind == ir.Loop:
		return kindName(kind) + ": " + name
	case name != "":
		return name
	case len(g.Regions(v)) > 1:
		return fmt.Sprintf("%s %d", kindName(kind), i)
	}
	return kindName(kind)
}

// line is a node with its operands and type, as the text form has it but short.
func (p *picture) line(v ir.Value) string {
	out := p.head(v)
	for i, a := range p.g.Args(v) {
		if i > 0 {
			out += ","
		}
		out += " " + p.operand(a)
	}
	return out + p.typed(v)
}

func (p *picture) typed(v ir.Value) string {
	if t := p.g.Type(v); t != ir.Void && len(p.g.Children(v)) == 0 {
		return " : " + clip(text.TypeString(p.g.Ctx, t))
	}
	return ""
}

// trivial reports a terminator that says nothing.
func (p *picture) trivial(v ir.Value) bool {
	return p.g.Def(v).Has(ir.Terminator) && len(p.g.Args(v)) == 0
}

// behind lists the live ops that effects stand for, other than the operands of v,
// whose edges are drawn anyway.
func (p *picture) behind(v ir.Value, effects []ir.Value) (out []ir.Value) {
	seen := map[ir.Value]bool{v: true}
	for _, a := range p.g.Args(v) {
		n, _, _ := p.g.Projection(a)
		seen[n] = true
	}
	var walk func(vs []ir.Value)
	walk = func(vs []ir.Value) {
		for _, e := range vs {
			op := p.g.IsOp(e)
			if !seen[e] && op && p.s.Live(e) {
				out = append(out, e)
			}
			if !seen[e] && !op {
				seen[e] = true
				walk(p.g.Hard(e))
			}
			seen[e] = true
		}
	}
	walk(effects)
	return out
}

func attrText(c *ir.Context, a ir.Attr) string {
	info := c.AttrInfo(a)
	switch info.Kind {
	case ir.AttrInt:
		return fmt.Sprint(info.Int)
	case ir.AttrFloat:
		return fmt.Sprint(ir.BitsToFloat(info.Bits, info.Type))
	case ir.AttrString, ir.AttrSymbol:
		return "@" + clip(info.Str)
	}
	return ""
}

func clip(s string) string {
	if r := []rune(s); len(r) > 30 {
		return string(r[:29]) + "…"
	}
	return s
}

// kindName is how often a region runs.
func kindName(k ir.RegionKind) string {
	return [...]string{"once", "branch", "loop", "barrier", "lambda"}[k]
}

// escape makes text safe inside XML and, with the quotes, inside DOT strings.
var (
	xmlEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
	dotEscape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
)
