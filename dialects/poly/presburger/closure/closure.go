package closure

import (
	"slices"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
)

// Of returns a relation that holds the transitive closure of m, and whether it is the
// closure. Where the budget of m does not do, the answer is a larger one.
func Of(m p.Map) (closure p.Map, exact bool) {
	t, exact := newCloser(m).close(m, maxDepth)
	return t.WithBudget(m.Budget()), exact
}

// Power returns the powers of m, { [k] -> [x -> y] }: for each k > 0 what k steps lead
// from and to. What is returned may hold more where exact is false.
func Power(m p.Map) (power p.Map, exact bool) {
	var counted []p.Basic
	for _, b := range m.Basics() {
		counted = append(counted, withCounter(b))
	}
	t, exact := Of(p.MapOf(counted...).WithBudget(m.Budget()))
	var out []p.Basic
	for _, b := range t.Basics() {
		out = append(out, fromZero(b))
	}
	return p.MapOf(out...).WithBudget(m.Budget()), exact
}

// counter is the tuple of the steps taken so far.
var counter = p.NewTuple("", "k")

// withCounter is [x -> [l]] -> [y -> [l + 1]] where b relates x to y.
func withCounter(b p.Basic) p.Basic {
	np, ni, no := len(b.Params), b.In.Len(), b.Out.Len()
	from := make([]int, 0, 1+np+ni+no+2+len(b.Divs))
	for i := range 1 + np + ni {
		from = append(from, i)
	}
	from = append(from, -1)
	for i := range no {
		from = append(from, 1+np+ni+i)
	}
	from = append(from, -1)
	for i := range b.Divs {
		from = append(from, 1+np+ni+no+i)
	}
	out := moved(b, from)
	out.In, out.Out = p.PairTuple(b.In, counter), p.PairTuple(b.Out, counter)
	step := make([]p.Int, len(from)) // l + 1 - l'
	step[0], step[1+np+ni], step[1+np+ni+1+no] = p.NewInt(1), p.NewInt(1), p.NewInt(-1)
	out.Eq = append(out.Eq, step)
	return out
}

// fromZero is [k] -> [x -> y] where b relates [x -> [0]] to [y -> [k]].
func fromZero(b p.Basic) p.Basic {
	np, ni, no := len(b.Params), b.In.Len()-1, b.Out.Len()-1
	from := make([]int, 0, 1+np+1+ni+no+len(b.Divs))
	for i := range 1 + np {
		from = append(from, i)
	}
	from = append(from, 1+np+ni+1+no)
	for i := range ni {
		from = append(from, 1+np+i)
	}
	for i := range no {
		from = append(from, 1+np+ni+1+i)
	}
	for i := range b.Divs {
		from = append(from, 1+np+ni+no+2+i)
	}
	out := moved(b, from)
	x, _, _ := b.In.Pair()
	y, _, _ := b.Out.Pair()
	out.In, out.Out = counter, p.PairTuple(x, y)
	return out
}

// moved has column from[i] of b as column i, 0 where that is -1.
func moved(b p.Basic, from []int) p.Basic {
	take := func(r []p.Int) []p.Int {
		out := make([]p.Int, len(from))
		for i, k := range from {
			if k >= 0 && k < len(r) {
				out[i] = r[k]
			}
		}
		return out
	}
	return withRows(b, take)
}

// withRows makes each row of a conjunction another.
func withRows(b p.Basic, f func(r []p.Int) []p.Int) p.Basic {
	b.Eq, b.Ge, b.Divs = slices.Clone(b.Eq), slices.Clone(b.Ge), slices.Clone(b.Divs)
	for i, r := range b.Eq {
		b.Eq[i] = f(r)
	}
	for i, r := range b.Ge {
		b.Ge[i] = f(r)
	}
	for i, d := range b.Divs {
		b.Divs[i].Num = f(d.Num)
	}
	return b
}
