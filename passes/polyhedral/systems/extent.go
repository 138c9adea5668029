package systems

import (
	"errors"

	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/unwind"
)

// An Extent is the least and the greatest index of an array in a dimension.
type Extent struct{ Lower, Upper codegen.Expr }

// ExtentOf finds the least and the greatest value of a dimension: the bounds of the loop that
// scans its values. Where the parts of a set have no bounds in common, they are those of each part.
func ExtentOf(s presburger.Set, d int, context presburger.Set, o codegen.Options) (_ Extent, failed error) {
	defer unwind.To(&failed)
	n := s.Tuple().Len()
	// Inner dimensions go first, so that the outer ones keep their numbers.
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
	// The least lower and the greatest upper bound of the parts hold all of them.
	lower, upper := &codegen.Op{Operator: codegen.Min}, &codegen.Op{Operator: codegen.Max}
	for _, b := range parts {
		e := unwind.Must(extentOfHull(presburger.SetOf(b), context, o))
		lower.Args, upper.Args = append(lower.Args, e.Lower), append(upper.Args, e.Upper)
	}
	return Extent{lower, upper}, nil
}

// extentOfHull reads the extent of a set of one dimension off the loop that scans its simple hull. An
// empty set has the extent from 0 to -1.
func extentOfHull(one, context presburger.Set, o codegen.Options) (_ Extent, err error) {
	defer unwind.To(&err)
	one = unwind.Must(one.SimpleHull())
	one = unwind.Must(one.IntersectParams(context))
	nothing := Extent{codegen.Int(0), codegen.Int(-1)}
	if unwind.Must(one.IsEmpty()) {
		return nothing, nil
	}
	block := unwind.Must(codegen.GenerateMap(one.Identity(), context, presburger.Map{}, o))
	return extentIn(block, nothing), nil
}

// ErrExtent is of a set whose bounds are no affine ones.
var ErrExtent = errors.New("the extent of an array has no affine bounds")

// extentIn reads bounds off code: of a loop, of one value, or of either under a condition. Where the
// condition fails, the extent is that of nothing.
func extentIn(b *codegen.Block, nothing Extent) Extent {
	if len(b.Nodes) != 1 {
		panic(unwind.Failed(ErrExtent))
	}
	switch n := b.Nodes[0].(type) {
	case *codegen.For:
		if len(n.Lower) == 0 || len(n.Upper) == 0 {
			panic(unwind.Failed(ErrExtent))
		}
		e := Extent{n.Lower[0], n.Upper[0]}
		if len(n.Lower) > 1 {
			e.Lower = &codegen.Op{Operator: codegen.Max, Args: n.Lower}
		}
		if len(n.Upper) > 1 {
			e.Upper = &codegen.Op{Operator: codegen.Min, Args: n.Upper}
		}
		return e
	case *codegen.User:
		return Extent{n.Args[0], n.Args[0]}
	case *codegen.If:
		if n.Else != nil {
			panic(unwind.Failed(ErrExtent))
		}
		e := extentIn(n.Then, nothing)
		return Extent{&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.Lower, nothing.Lower}},
			&codegen.Op{Operator: codegen.Select, Args: []codegen.Expr{n.Cond, e.Upper, nothing.Upper}}}
	}
	panic(unwind.Failed(ErrExtent))
}
