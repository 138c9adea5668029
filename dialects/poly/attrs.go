package poly

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/poly/schedule"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
)

// The Go values of attributes and types.
type (
	setValue  struct{ Set presburger.Set }
	mapValue  struct{ Map presburger.Map }
	treeValue struct{ Tree *schedule.Node }
	array     struct {
		Rank int64
		Elem ir.Type
	}
)

var (
	setAttr = ir.DefineAttr(&ir.AttrDef[setValue]{Name: "poly.set", Doc: "A set of integer tuples, in isl's notation.",
		Params: []ir.Param[setValue]{ir.TextParam("set", presburger.ParseSet, func(v *setValue) *presburger.Set { return &v.Set })}})
	mapAttr = ir.DefineAttr(&ir.AttrDef[mapValue]{Name: "poly.map", Doc: "A relation between integer tuples, in isl's notation.",
		Params: []ir.Param[mapValue]{ir.TextParam("map", presburger.ParseMap, func(v *mapValue) *presburger.Map { return &v.Map })}})

	treeAttr = ir.DefineAttr(&ir.AttrDef[treeValue]{Name: "poly.tree", Doc: "A schedule tree, in isl's YAML.",
		Params: []ir.Param[treeValue]{ir.TextParam("tree", parseTree, func(v *treeValue) **schedule.Node { return &v.Tree })}})

	arrayType = ir.DefineType(&ir.TypeDef[array]{Name: "poly.array", Doc: "An array of a system, of a number of dimensions.",
		Format: "`<` $rank `x` $elem `>`",
		Params: []ir.Param[array]{
			ir.IntParam("rank", func(t *array) *int64 { return &t.Rank }),
			ir.TypeParam("elem", func(t *array) *ir.Type { return &t.Elem }),
		},
		Verify: func(c *ir.Context, t array) error {
			if t.Rank < 0 || t.Rank > maxRank {
				return errors.New("has between 0 and 64 dimensions")
			}
			if !Holds(c, t.Elem) {
				return errors.New("holds integers or floats of at most 64 bits")
			}
			return nil
		}})
)

// maxRank bounds the dimensions of an array.
const maxRank = 64

// Holds reports what an element of an array may be.
func Holds(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	switch info.Kind {
	case ir.KindFloat:
		return info.Width <= 64
	case ir.KindInteger:
		return info.Width <= 64 && info.Sign == ir.Signless
	}
	return t == ir.Index
}

// SetAttr is a set as an attribute: what its text says, without a budget.
func SetAttr(c *ir.Context, s presburger.Set) ir.Attr {
	if clean, err := presburger.ParseSet(s.String()); err == nil {
		s = clean
	}
	return setAttr.Attr(c, setValue{s})
}

// MapAttr is a relation as an attribute: what its text says, without a budget.
func MapAttr(c *ir.Context, m presburger.Map) ir.Attr {
	if clean, err := presburger.ParseMap(m.String()); err == nil {
		m = clean
	}
	return mapAttr.Attr(c, mapValue{m})
}

// Array is the type of arrays of a rank.
func Array(c *ir.Context, rank int, elem ir.Type) ir.Type {
	return arrayType.Type(c, array{int64(rank), elem})
}

// TreeAttr is a schedule tree as an attribute: what its text says, without a budget.
func TreeAttr(c *ir.Context, t *schedule.Node) ir.Attr {
	if clean, err := schedule.Parse(t.String()); err == nil {
		t = clean
	}
	return treeAttr.Attr(c, treeValue{t})
}

// parseTree reads a tree that somebody wrote, and checks that it is one.
func parseTree(text string) (_ *schedule.Node, err error) {
	defer unwind.To(&err)
	t := unwind.Must(schedule.Parse(text))
	unwind.Check(t.Check())
	return t, nil
}
