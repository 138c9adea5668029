package polyhedral

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// extentOf finds the least and the greatest value of a dimension: the bounds of the loop that
// scans its values. Where the parts of a set have no bounds in common, they are those of each part.
func extentOf(s presburger.Set, d int, context presburger.Set, o codegen.Options) (extent, error) {
	n := s.Tuple().Len()
	one, err := s.ProjectOut(d+1, n-d-1)
	if err == nil {
		one, err = one.ProjectOut(0, d)
	}
	if err != nil {
		return extent{}, err
	}
	e, err := extentOfHull(one, context, o)
	parts := one.Basics()
	if err == nil || errors.Is(err, presburger.ErrBudget) || len(parts) < 2 {
		return e, err
	}
	lower, upper := &codegen.Op{Operator: codegen.Min}, &codegen.Op{Operator: codegen.Max}
	for _, b := range parts {
		e, err := extentOfHull(presburger.SetOf(b), context, o)
		if err != nil {
			return extent{}, err
		}
		lower.Args, upper.Args = append(lower.Args, e.lower), append(upper.Args, e.upper)
	}
	return extent{lower, upper}, nil
}

func extentOfHull(one, context presburger.Set, o codegen.Options) (extent, error) {
	one, err := one.SimpleHull()
	if err == nil {
		one, err = one.IntersectParams(context)
	}
	if err != nil {
		return extent{}, err
	}
	nothing := extent{codegen.Int(0), codegen.Int(-1)}
	if empty, err := one.IsEmpty(); err != nil || empty {
		return nothing, err
	}
	block, err := codegen.GenerateMap(one.Identity(), context, presburger.Map{}, o)
	if err != nil {
		return extent{}, err
	}
	return extentIn(block, nothing)
}

var errExtent = errors.New("the extent of an array has no affine bounds")

func extentIn(b *codegen.Block, nothing extent) (extent, error) {
	if len(b.Nodes) != 1 {
		return extent{}, errExtent
	}
	switch n := b.Nodes[0].(type) {
	case *codegen.For:
		if len(n.Lower) == 0 || len(n.Upper) == 0 {
			return extent{}, errExtent
		}
		e := extent{n.Lower[0], n.Upper[0]}
		if len(n.Lower) > 1 {
			e.lower = &codegen.Op{Operator: codegen.Max, Args: n.Lower}
		}
		if len(n.Upper) > 1 {
			e.upper = &codegen.Op{Operator: codegen.Min, Args: n.Upper}
		}
		return e, nil
	case *codegen.User:
		return extent{n.Args[0], n.Args[0]}, nil
	case *codegen.If:
		if n.Else != nil {
			return extent{}, errExtent
		}
		e, err := extentIn(n.Then, nothing)
		if err != nil {
			return e, err
		}
		return extent{&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.lower, nothing.lower}},
			&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.upper, nothing.upper}}}, nil
	}
	return extent{}, errExtent
}
