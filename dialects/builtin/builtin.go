// Package builtin is the part of MLIR's builtin dialect that consists of ops: the
// module, and the cast between types of different levels of lowering. (Types and
// attributes of builtin are part of package ir.) With it one
//
//   - makes a module of functions: Module, with their graph;
//   - finds the functions of what was read: Functions;
//   - takes a value from one level's type to another's: Cast.
package builtin

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// Module is builtin.module. Its one child graph holds functions and other ops; a
// parsed file is a graph whose root holds one module.
var Module = ir.Define(&ir.OpDef{Name: "builtin.module", Doc: "A container of functions and other symbols.",
	Attrs: []string{"sym_name", "sym_visibility"}, Traits: ir.Symbol | ir.Isolated, Infer: inferModule})

// Cast is builtin.unrealized_conversion_cast.
var Cast = ir.Define(&ir.OpDef{Name: "builtin.unrealized_conversion_cast",
	Doc:  "Values seen as other types while a lowering is under way; it has no meaning of its own.",
	Args: []string{"inputs..."}, Traits: ir.TextOnly | ir.Carries, Infer: inferCast})

// Dialect is the builtin dialect.
var Dialect = &ir.Dialect{Name: "builtin", Doc: "The module, and casts between levels of lowering.",
	Ops: []*ir.OpDef{Module, Cast}, Folds: folds, Tables: []any{syntax}}

func inferModule(c *ir.Call) (ir.Type, error) {
	ctx := c.Ctx()
	if len(c.Args) != 0 {
		return 0, c.Errorf("requires zero operands")
	}
	if len(c.Graphs) != 1 {
		return 0, c.Errorf("requires one region")
	}
	g := c.Graphs[0]
	if !g.HasBlock(ir.Root) {
		return 0, c.Errorf("region #0 ('bodyRegion') failed to verify constraint: region with 1 blocks")
	}
	if len(g.Params(ir.Root)) != 0 {
		return 0, c.Errorf("region should have no arguments")
	}
	for _, n := range []string{"sym_name", "sym_visibility"} {
		if a := c.Get(n); a != 0 && ctx.AttrInfo(a).Kind != ir.AttrString {
			return 0, c.Errorf("attribute '%s' failed to satisfy constraint: string attribute", n)
		}
	}
	if c.Attr != 0 {
		for _, a := range ctx.AttrInfo(c.Attr).Attrs {
			if !prefixed(a.Name) {
				return 0, c.Errorf("can only contain attributes with dialect-prefixed names, found: '%s'", a.Name)
			}
		}
	}
	return ir.Void, nil
}

func prefixed(name string) bool {
	for i := range name {
		if name[i] == '.' {
			return i > 0
		}
	}
	return false
}

func inferCast(c *ir.Call) (ir.Type, error) {
	if len(c.Ctx().Results(c.Type)) == 0 {
		return 0, c.Errorf("expected at least one result for cast operation")
	}
	return c.Type, nil
}

var folds = []ir.Fold{
	{Of: Cast, Rule: "cast of x to the types it has = x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		if len(c.Args) == 0 || !sameTypes(c, c.Args) {
			return 0
		}
		return b.Pack(c.Args...)
	}},
	{Of: Cast, Rule: "cast(cast(x)) back to the types of x = x", Do: func(b *ir.Builder, c *ir.Call) ir.Value {
		inner := source(c)
		if inner == 0 {
			return 0
		}
		in := c.Graph().Args(inner)
		if len(in) == 0 || !sameTypes(c, in) {
			return 0
		}
		return b.Pack(append([]ir.Value(nil), in...)...)
	}},
}

// source returns the cast whose results, all and in order, are the operands of c.
func source(c *ir.Call) ir.Value {
	g := c.Graph()
	if len(c.Args) == 0 {
		return 0
	}
	first, _, _ := g.Projection(c.Args[0])
	if g.Def(first) != Cast || g.Results(first) != len(c.Args) {
		return 0
	}
	for i, a := range c.Args {
		if n, j, ok := g.Projection(a); n != first || ok && j != i {
			return 0
		}
	}
	return first
}

func sameTypes(c *ir.Call, vs []ir.Value) bool {
	types := lists.Map(vs, func(v ir.Value) ir.Type { return c.Graph().Type(v) })
	return c.Ctx().Multi(types...) == c.Type
}
