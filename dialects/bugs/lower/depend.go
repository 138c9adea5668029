package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// depends says of a new value on what it depends.
type depends struct {
	level int  // the depth of the innermost open loop
	data  bool // on data and loop variables alone
}

func (l *lowering) dependsOf(v ir.Value) depends {
	if d, ok := l.known[v]; ok {
		return d
	}
	g := l.b.Graph()
	d := depends{data: true}
	unknown := depends{level: len(l.loops)}
	r, i, isParam := g.Param(v)
	_, isConst := g.Const(v)
	switch {
	case isConst:
	case isParam && r == ir.Root:
		d.data = i < len(l.params) && l.g.Def(l.params[i]) == ops.Data
	case isParam:
		d = unknown
		if i := slices.Index(l.loops, v); i >= 0 {
			d = depends{i + 1, true}
		}
	case len(g.Regions(v)) > 0:
		d = unknown
	case g.Def(v) == memref.Load:
		args := g.Args(v)
		r, i, ok := g.Param(args[0])
		if !ok || r != ir.Root || i >= len(l.params) || l.g.Def(l.params[i]) == ops.LogicalVar {
			d = unknown
			break
		}
		d.data = l.g.Def(l.params[i]) == ops.Data
		for _, a := range args[1:] {
			d = d.and(l.dependsOf(a))
		}
	case !g.IsPure(v):
		d = unknown
	default:
		for _, a := range g.Args(v) {
			d = d.and(l.dependsOf(a))
		}
	}
	l.known[v] = d
	return d
}

func (d depends) and(x depends) depends { return depends{max(d.level, x.level), d.data && x.data} }
