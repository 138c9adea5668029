package main

// laws are those of the laws of probability.
var laws = []breakage{
	{Name: "law-constant", File: "dialects/prob/dnorm.go",
		Old: "k.Num(0.5*kit.Log2Pi)))", New: "k.Num(0.25*kit.Log2Pi)))",
		Breaks: "the normal density does not integrate to 1"},
	{Name: "law-cdf-tail", File: "dialects/prob/dlogis.go",
		Old: "k.Neg(k.Fn(special.Log1pexp, z))}", New: "k.Neg(k.Fn(special.Log1pexp, k.Neg(z)))}",
		Breaks: "the upper tail of the logistic is its lower one"},
	{Name: "law-truncation", File: "dialects/prob/cumulative/truncate.go",
		Old: "return k.Pick(low, kit.LogDiff(k, to.Below, from.Below), ", New: "return k.Pick(low, kit.LogDiff(k, to.Below, from.Above), ",
		Breaks: "a density between two bounds is not renormalised by what lies between them"},
	{Name: "law-interval-jacobian", File: "dialects/prob/support/transform.go",
		Old: "return x, k.Sub(k.Sub(width, k.Abs(u)), k.Mul(k.Num(2), k.Log1p(far)))", New: "return x, k.Sub(k.Sub(width, k.Abs(u)), k.Log1p(far))",
		Breaks: "the scaled logit has another derivative", In: []string{"./lowering/density TestTransforms"}},
	{Name: "law-factor-jacobian", File: "dialects/prob/support/transform.go",
		Old: "logJ += float64(n-i+1) * u[m]", New: "logJ += float64(n-i) * u[m]",
		Breaks: "the factor of a matrix has the Jacobian of another size", In: []string{"./lowering/density TestTransforms"}},
	{Name: "law-names", File: "dialects/prob/dnorm.go",
		Old: `{Name: "sd", Of: 1, Power: -2}`, New: `{Name: "sd", Of: 1, Power: -1}`,
		Breaks: "dnorm(0, sd = 2) has the variance 2", In: []string{"./dialects/bugs TestNamedParameters"}},
	{Name: "law-islands", File: "dialects/prob/car_normal.go",
		Old: "rank := k.Sub(k.ToFloat(num.Len()), g.Islands(k.Vector(1, num.Len())))", New: "rank := k.Sub(k.ToFloat(num.Len()), k.Num(1))",
		Breaks: "a map of several islands is taken for one", In: []string{"./lowering/density TestIntrinsicMaps"}},
	{Name: "law-neighbour-weights", File: "dialects/prob/car_normal.go",
		Old: "return []T{k.Plus(acc[0], kit.Quadratic(k, wt, d)),", New: "return []T{k.Plus(acc[0], kit.Quadratic(k, k.Num(1), d)),",
		Breaks: "links of a map all weigh 1", In: []string{"./lowering/density TestIntrinsicMaps"}},
}
