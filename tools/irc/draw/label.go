// Package draw makes pictures of a graph: DOT for Graphviz, with every edge, and
// an SVG page of the schedule that needs no other tool.
package draw

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
)

// label is what a node is called in a picture: its op, and what tells it from
// others of the same op.
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
