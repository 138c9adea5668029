package calc

import (
	"fmt"
	"slices"
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// affineFunctions are those on functions, and what leads to or from them.
var affineFunctions = []Function{
	{"pw_aff", "f", "a function of one value; its text may have (i + 1)/2, and disjuncts add up", pwAff},
	{"pw_multi_aff", "f", "a function to tuples: of a single-valued map, a set of one point, or its text", pwMultiAff},
	{"as_map", "f", "the graph of a function; of the parameters alone, a set", asMap},
	{"add", "ff", "the sum, where both are defined (+)", multis2(p.PwMultiAff.Add)},
	{"sub", "ff", "the difference, where both are defined", multis2(p.PwMultiAff.Sub)},
	{"mul", "ff", "the product with a constant", pf2(p.PwAff.Mul)},
	{"neg", "f", "the negative", pf1(p.PwAff.Neg)},
	{"floor", "f", "rounded down", pf1(p.PwAff.Floor)},
	{"ceil", "f", "rounded up", pf1(p.PwAff.Ceil)},
	{"scale", "fn", "times a number", withNumber(func(f p.PwAff, n p.Int) (p.PwAff, error) { return f.Scale(p.Rat{Num: n, Den: p.NewInt(1)}), nil })},
	{"floordiv", "fn", "divided by a number, rounded down", withNumber(floordiv)},
	{"mod", "fn", "the remainder by a positive number", withNumber(p.PwAff.Mod)},
	{"union_add", "ff", "the sum, or the one that is defined", multis2(p.PwMultiAff.UnionAdd)},
	{"union_min", "ff", "the smaller, or the one that is defined", pf2(p.PwAff.UnionMin)},
	{"union_max", "ff", "the greater, or the one that is defined", pf2(p.PwAff.UnionMax)},
	{"cond", "fff", "the second where the first is not 0, else the third", pf3(p.PwAff.Cond)},
	{"le_set", "ff", "where the first is at most the second", pf2(p.PwAff.LeSet)},
	{"lt_set", "ff", "where the first is less", pf2(p.PwAff.LtSet)},
	{"ge_set", "ff", "where the first is at least the second", pf2(p.PwAff.GeSet)},
	{"gt_set", "ff", "where the first is greater", pf2(p.PwAff.GtSet)},
	{"eq_set", "ff", "where they are equal", pf2(p.PwAff.EqSet)},
	{"ne_set", "ff", "where they differ", pf2(p.PwAff.NeSet)},
	{"eval", "fs", "the values at the only point of a set", eval},
	{"pullback", "ff", "the first after the second", multis2(p.PwMultiAff.Pullback)},
	{"range_product", "ff", "the pair of the values", multis2(p.PwMultiAff.RangeProduct)},
	{"flat_range_product", "ff", "the values one after the other", multis2(p.PwMultiAff.FlatRangeProduct)},
	{"intersect_domain", "es", "a map or function on a set alone", intersectDomain},
	{"subtract_domain", "fs", "a function without a set of its domain", withSet(p.PwMultiAff.SubtractDomain)},
	{"lexmin_pw_multi_aff", "x", "lexmin as a function", on1(any1(p.Set.LexMinPwMultiAff), any1(p.Map.LexMinPwMultiAff))},
	{"lexmax_pw_multi_aff", "x", "lexmax as a function", on1(any1(p.Set.LexMaxPwMultiAff), any1(p.Map.LexMaxPwMultiAff))},
	{"dim_min", "xn", "the least value of a dimension, by the parameters and domain", dimension(p.Set.DimMin, p.Map.DimMin)},
	{"dim_max", "xn", "the greatest value of a dimension", dimension(p.Set.DimMax, p.Map.DimMax)},
	{"min", "gf", "the smaller of two functions; of a set, the least value of a function at its integer points", extreme(p.Set.MinVal, p.PwAff.Min)},
	{"max", "gf", "the greater of two functions; of a set, the greatest value of a function", extreme(p.Set.MaxVal, p.PwAff.Max)},
	{"lp_min", "sf", "the least value of a function at the rational points of a set", extreme(p.Set.LPMin, nil)},
	{"lp_max", "sf", "the greatest value of a function at the rational points", extreme(p.Set.LPMax, nil)},
}

// hullFunctions are hulls, vertices, spaces of directions and growth.
var hullFunctions = []Function{
	{"affine_hull", "x", "all that satisfies the equations of its points", on1(any1(p.Set.AffineHull), any1(p.Map.AffineHull))},
	{"lattice_hull", "x", "all that satisfies the equations and congruences of its points", on1(any1(p.Set.LatticeHull), any1(p.Map.LatticeHull))},
	{"simple_hull", "x", "one conjunction of its constraints, loosened to hold it", on1(any1(p.Set.SimpleHull), any1(p.Map.SimpleHull))},
	{"polyhedral_hull", "x", "the convex hull of the rational relaxations", on1(any1(p.Set.PolyhedralHull), any1(p.Map.PolyhedralHull))},
	{"vertices", "s", "the vertices of a polytope and for which parameters they are", on1(vertices, nil)},
	{"chambers", "s", "the parameters divided by the vertices that there are", on1(chambers, nil)},
	{"lineality", "s", "a basis of the directions in which it goes on both ways", on1(func(s p.Set) (any, error) {
		v, err := s.LinealitySpace()
		return Vectors(v), err
	}, nil)},
	{"kernel", "e", "a basis of the moves that a map does not see (its share space)", kernel},
	{"complexity", "x", "how the number of points grows with the parameters", on1(setComplexity, mapComplexity)},
}

// functions are what a line may call.
var functions = slices.Concat(setFunctions, affineFunctions, hullFunctions, dependFunctions, closureFunctions, faceFunctions, scheduleFunctions)

func floordiv(f p.PwAff, n p.Int) (p.PwAff, error) {
	if n.Sign() == 0 {
		return f, fmt.Errorf("a division by 0")
	}
	return f.FloorDiv(n), nil
}

func pwMultiAff(args []any) (any, error) {
	if s, ok := args[0].(p.Set); ok {
		return s.AsPwMultiAff()
	}
	return multi(args[0])
}

func pwAff(args []any) (any, error) {
	v, err := pwMultiAff(args)
	if err != nil {
		return nil, err
	}
	return single(v)
}

func asMap(args []any) (any, error) {
	f, err := multi(args[0])
	if err != nil {
		return nil, err
	}
	if m, err := f.AsMap(); err == nil {
		return m, nil
	}
	return f.AsSet()
}

func eval(args []any) (any, error) {
	f, err := multi(args[0])
	if err != nil {
		return nil, err
	}
	s, ok := args[1].(p.Set)
	if !ok {
		return nil, errKinds{}
	}
	x, ok, err := s.Sample()
	if err != nil || !ok {
		return "none: the set has no point", err
	}
	v, ok, err := f.Eval(x.Coords, x.Params)
	if err != nil || !ok {
		return "none: the function is not defined there", err
	}
	var out []string
	for _, r := range v {
		out = append(out, r.String())
	}
	return "[" + strings.Join(out, ", ") + "]", nil
}

func intersectDomain(args []any) (any, error) {
	m, ok1 := args[0].(p.Map)
	s, ok2 := args[1].(p.Set)
	if ok1 && ok2 {
		return m.IntersectDomain(s)
	}
	return withSet(p.PwMultiAff.IntersectDomain)(args)
}

func dimension(s func(p.Set, int) (p.PwAff, error), m func(p.Map, int) (p.PwAff, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		n, ok := args[1].(p.Int)
		if !ok {
			return nil, errKinds{}
		}
		i, fits := n.Int64()
		if !fits || i != int64(int32(i)) {
			return nil, fmt.Errorf("there is no dimension %s", n)
		}
		switch x := args[0].(type) {
		case p.Set:
			return s(x, int(i))
		case p.Map:
			return m(x, int(i))
		}
		return nil, errKinds{}
	}
}

// extreme is the optimum of a function over a set, or an operation on two functions.
func extreme(over func(p.Set, p.Aff) (p.Optimum, error), of func(a, b p.PwAff) (p.PwAff, error)) func([]any) (any, error) {
	return func(args []any) (any, error) {
		s, ok := args[0].(p.Set)
		if !ok {
			if of == nil {
				return nil, errKinds{}
			}
			return pf2(of)(args)
		}
		f, err := single(args[1])
		if err != nil {
			return nil, err
		}
		a, ok := f.AsAff()
		if !ok {
			return nil, fmt.Errorf("the function has to be affine, in one piece and without conditions")
		}
		return over(s, a)
	}
}

func vertices(s p.Set) (any, error) {
	vs, err := s.Vertices()
	if err != nil {
		return nil, err
	}
	out := List{}
	for _, v := range vs {
		f, err := v.Expr.PwMultiAff().IntersectDomain(v.Domain)
		if err != nil {
			return nil, err
		}
		out = append(out, f.String())
	}
	return out, nil
}

// chambers lists domains, each with its vertices.
func chambers(s p.Set) (any, error) {
	vs, err := s.Vertices()
	if err != nil {
		return nil, err
	}
	cs, err := p.Chambers(vs)
	if err != nil {
		return nil, err
	}
	out := List{}
	for _, c := range cs {
		var at []string
		for _, k := range c.Vertices {
			text := vs[k].Expr.String() // [N] -> { [(0), (N)] }
			at = append(at, strings.TrimSuffix(text[strings.Index(text, "{ ")+2:], " }"))
		}
		out = append(out, fmt.Sprintf("%s: %s", c.Domain, strings.Join(at, ", ")))
	}
	return out, nil
}

func kernel(args []any) (any, error) {
	switch x := args[0].(type) {
	case p.Map:
		v, err := x.Kernel()
		return Vectors(v), err
	case p.PwMultiAff:
		return Vectors(x.Kernel()), nil
	case p.PwAff:
		return Vectors(x.PwMultiAff().Kernel()), nil
	}
	return nil, errKinds{}
}

func setComplexity(s p.Set) (any, error) { return complexity(s.Card()) }

func mapComplexity(m p.Map) (any, error) { return complexity(m.Card()) }

func complexity(n *p.Count, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return n.Complexity()
}
