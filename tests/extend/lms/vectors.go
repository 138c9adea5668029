package lms

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lower"
)

// vectorRules are the rules on sums of vectors that never change:
//
//	zeros(n) + b = b                          where b has at most n elements
//	len(a + b) = min(len a, len b)
//	len of what a conditional gives = a result of it, if it is not known before
//	(a + b)[i] = a[i] + b[i]                  where less is read than the sum has elements
//	zeros(n)[i] = 0                           where 0 <= i < n
func vectorRules(e *lower.Env) ir.Rules {
	return ir.Rules{
		Plus: func(m *ir.Mirror, n ir.Node) ir.Value {
			x, y := m.Of(n.Arg(0)), m.Of(n.Arg(1))
			for range 2 {
				if g := m.B.Graph(); g.Def(x) == Zeros && unchanging(m.B, y) && covers(m.B, g.Args(x)[0], size(g, y)) {
					return y
				}
				x, y = y, x
			}
			return 0
		},
		scf.If: withLengths,
		Len: func(m *ir.Mirror, n ir.Node) ir.Value {
			x, y, ok := operands(m, n.Arg(0))
			if !ok {
				return 0
			}
			return m.Op(arith.Minsi, m.Op(Len, x), m.Op(Len, y))
		},
		Read: func(m *ir.Mirror, n ir.Node) ir.Value {
			g, a, i := m.B.Graph(), m.Of(n.Arg(0)), m.Of(n.Arg(1))
			if x, y, ok := operands(m, n.Arg(0)); ok && unchanging(m.B, x) && unchanging(m.B, y) && readSeldom(e, n.Arg(0)) {
				return arith.AddI(m.B, m.Op(Read, x, i), m.Op(Read, y, i))
			}
			if at, ok := g.Const(i); ok && g.Def(a) == Zeros && int64(at.Bits) >= 0 && covers(m.B, g.Args(a)[0], m.B.Const(ir.I64, ir.Val{Bits: at.Bits + 1})) {
				return m.B.Const(ir.I64, ir.Val{})
			}
			return 0
		},
	}
}

// withLengths gives a conditional a result for the length of each array that it gives, where a user asks for it: lenOfIf finds it.
func withLengths(m *ir.Mirror, n ir.Node) ir.Value {
	var asked []int
	for _, u := range n.Users() {
		if u.Def() != Len && u.Def() != Plus {
			continue
		}
		for _, a := range u.Args() {
			of, i, _ := n.Graph().Projection(a.Old())
			if of == n.Old() && !slices.Contains(asked, i) {
				asked = append(asked, i)
			}
		}
	}
	if len(asked) == 0 {
		return 0
	}
	branch := func(i int) func() []ir.Value {
		return func() []ir.Value {
			ys := m.Body(n.Region(i))
			for _, k := range asked {
				ys = append(ys, m.Op(Len, ys[k]))
			}
			return ys
		}
	}
	out := m.B.Results(scf.BuildIf(m.B, m.Of(n.Arg(0)), branch(0), branch(1)))
	return m.B.Pack(out[:n.Graph().Results(n.Old())]...)
}

// operands are those of a sum that is still one.
func operands(m *ir.Mirror, sum ir.Node) (x, y ir.Value, ok bool) {
	g, v := m.B.Graph(), m.Of(sum)
	if sum.Def() != Plus || g.Def(v) != Plus {
		return 0, 0, false
	}
	return g.Args(v)[0], g.Args(v)[1], true
}

// unchanging reports an array that nothing can write.
func unchanging(b *ir.Builder, v ir.Value) bool { return len(b.Targets(v)) == 0 }

// size is the number of elements of an array that is made here, or 0.
func size(g *ir.Graph, v ir.Value) ir.Value {
	switch g.Def(v) {
	case Zeros, Arr:
		return g.Args(v)[0]
	case Plus:
		if x := size(g, g.Args(v)[0]); x == size(g, g.Args(v)[1]) {
			return x
		}
	}
	return 0
}

// covers reports m <= n of two numbers that are equal or known.
func covers(b *ir.Builder, n, m ir.Value) bool {
	if m == 0 || m == n {
		return m == n
	}
	x, ok1 := b.Graph().Const(n)
	y, ok2 := b.Graph().Const(m)
	return ok1 && ok2 && int64(y.Bits) <= int64(x.Bits)
}

// readSeldom reports that a sum is only read, and no more often than it has elements, which
// are as many as the target takes any loop to have rounds.
func readSeldom(e *lower.Env, sum ir.Node) bool {
	reads := 0.0
	for _, u := range sum.Users() {
		switch u.Def() {
		case Read:
			reads += e.Frequency(u)
		case Len:
		default:
			return false
		}
	}
	return reads <= e.Frequency(sum)*e.Target.Costs.Trips
}
