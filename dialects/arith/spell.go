package arith

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// spell writes a type as far as messages need it.
func spell(c *ir.Context, t ir.Type, b *strings.Builder) {
	info := c.Info(t)
	switch info.Kind {
	case ir.KindIndex:
		b.WriteString("index")
	case ir.KindNone:
		b.WriteString("none")
	case ir.KindInteger:
		fmt.Fprintf(b, "%si%d", []string{"", "s", "u"}[info.Sign], info.Width)
	case ir.KindFloat:
		b.WriteString(info.Text)
	case ir.KindOpaque:
		b.WriteString("!" + info.Text)
	case ir.KindVector, ir.KindTensor, ir.KindMemRef:
		spellShaped(c, info, b)
	case ir.KindComplex:
		b.WriteString("complex<")
		spell(c, info.Elem, b)
		b.WriteByte('>')
	case ir.KindFunction:
		spellList(c, info.Types[:info.NumIn], b)
		b.WriteString(" -> ")
		spellList(c, info.Types[info.NumIn:], b)
	case ir.KindTuple, ir.KindMulti:
		spellList(c, info.Types, b)
	default:
		fmt.Fprintf(b, "type of kind %d", info.Kind)
	}
}

func spellList(c *ir.Context, ts []ir.Type, b *strings.Builder) {
	b.WriteByte('(')
	for i, t := range ts {
		if i > 0 {
			b.WriteString(", ")
		}
		spell(c, t, b)
	}
	b.WriteByte(')')
}

func spellShaped(c *ir.Context, info *ir.TypeInfo, b *strings.Builder) {
	b.WriteString(map[ir.TypeKind]string{ir.KindVector: "vector", ir.KindTensor: "tensor", ir.KindMemRef: "memref"}[info.Kind])
	b.WriteByte('<')
	if info.Unranked {
		b.WriteString("*x")
	}
	for i, n := range info.Shape {
		s := fmt.Sprint(n)
		if n == ir.Dynamic {
			s = "?"
		}
		if info.Scalable != nil && info.Scalable[i] {
			s = "[" + s + "]"
		}
		b.WriteString(s + "x")
	}
	spell(c, info.Elem, b)
	b.WriteByte('>')
}
