package lower

import (
	"slices"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// origins say which values of the function data decide: they are found from what the values are made of.
type origins struct {
	model *model
	b     *ir.Builder
	loops []ir.Value        // variables of the open ones
	data  map[ir.Value]bool // what isData said
}

// isData reports a new value that data and loop variables alone decide. By it a term gets one of
// two equal forms (terms.Terms); nothing moves because of it.
func (o *origins) isData(v ir.Value) bool {
	is, ok := o.data[v]
	if !ok {
		is = o.decidedByData(v)
		o.data[v] = is
	}
	return is
}

func (o *origins) decidedByData(v ir.Value) bool {
	g := o.b.Graph()
	args := g.Args(v)
	r, i, isParam := g.Param(v)
	_, isConst := g.Const(v)
	switch {
	case isConst:
		return true
	case isParam && r == ir.Root:
		return i < len(o.model.params) && o.model.g.Def(o.model.params[i]) == ops.Data
	case isParam:
		return slices.Contains(o.loops, v)
	case len(g.Regions(v)) > 0 || g.Def(v) != memref.Load && !g.IsPure(v):
		return false
	}
	return !slices.ContainsFunc(args, func(a ir.Value) bool { return !o.isData(a) })
}
