package systems

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Extent is the least and the greatest index of an array in a dimension.
type Extent struct{ Lower, Upper codegen.Expr }

// ExtentOf finds the least and the greatest value of a dimension: the bounds of the loop that
// scans its values. Where the parts of a set have no bounds in common, they are those of each part.
func ExtentOf(s presburger.Set, d int, context presburger.Set, o codegen.Options) (Extent, error) {
	n := s.Tuple().Len()
	one, err := s.ProjectOut(d+1, n-d-1)
	if err == nil {
		one, err = one.ProjectOut(0, d)
	}
	if err != nil {
		return Extent{}, err
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
			return Extent{}, err
		}
		lower.Args, upper.Args = append(lower.Args, e.Lower), append(upper.Args, e.Upper)
	}
	return Extent{lower, upper}, nil
}

func extentOfHull(one, context presburger.Set, o codegen.Options) (Extent, error) {
	one, err := one.SimpleHull()
	if err == nil {
		one, err = one.IntersectParams(context)
	}
	if err != nil {
		return Extent{}, err
	}
	nothing := Extent{codegen.Int(0), codegen.Int(-1)}
	if empty, err := one.IsEmpty(); err != nil || empty {
		return nothing, err
	}
	block, err := codegen.GenerateMap(one.Identity(), context, presburger.Map{}, o)
	if err != nil {
		return Extent{}, err
	}
	return extentIn(block, nothing)
}

// ErrExtent is of a set whose bounds are no affine ones.
var ErrExtent = errors.New("the extent of an array has no affine bounds")

func extentIn(b *codegen.Block, nothing Extent) (Extent, error) {
	if len(b.Nodes) != 1 {
		return Extent{}, ErrExtent
	}
	switch n := b.Nodes[0].(type) {
	case *codegen.For:
		if len(n.Lower) == 0 || len(n.Upper) == 0 {
			return Extent{}, ErrExtent
		}
		e := Extent{n.Lower[0], n.Upper[0]}
		if len(n.Lower) > 1 {
			e.Lower = &codegen.Op{Operator: codegen.Max, Args: n.Lower}
		}
		if len(n.Upper) > 1 {
			e.Upper = &codegen.Op{Operator: codegen.Min, Args: n.Upper}
		}
		return e, nil
	case *codegen.User:
		return Extent{n.Args[0], n.Args[0]}, nil
	case *codegen.If:
		if n.Else != nil {
			return Extent{}, ErrExtent
		}
		e, err := extentIn(n.Then, nothing)
		if err != nil {
			return e, err
		}
		return Extent{&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.Lower, nothing.Lower}},
			&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.Upper, nothing.Upper}}}, nil
	}
	return Extent{}, ErrExtent
}
