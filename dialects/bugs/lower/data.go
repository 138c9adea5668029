package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// isData reports a new value that data and loop variables alone decide. By it a term gets one of
// two equal forms (family.Terms); nothing moves because of it.
func (l *lowering) isData(v ir.Value) bool {
	is, ok := l.data[v]
	if !ok {
		is = l.decidedByData(v)
		l.data[v] = is
	}
	return is
}

func (l *lowering) decidedByData(v ir.Value) bool {
	g := l.b.Graph()
	args := g.Args(v)
	r, i, isParam := g.Param(v)
	_, isConst := g.Const(v)
	switch {
	case isConst:
		return true
	case isParam && r == ir.Root:
		return i < len(l.params) && l.g.Def(l.params[i]) == ops.Data
	case isParam:
		return slices.Contains(l.loops, v)
	case len(g.Regions(v)) > 0 || g.Def(v) != memref.Load && !g.IsPure(v):
		return false
	}
	return !slices.ContainsFunc(args, func(a ir.Value) bool { return !l.isData(a) })
}
