package lower

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/prob/support"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// constrain lowers bugs.constrain: the transforms of transform.go, in loops.
func (l *lowering) constrain(v ir.Value) ir.Value {
	g := l.model.g
	c := g.Ctx
	args := g.Args(v)
	ps, _ := ops.Parts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return ops.ArrayRank(c, g.Type(args[i])) })
	var valid ir.Value
	n := coordinates{k: l.kit(), node: l.view(ps[0], &valid), position: l.view(ps[1], &valid), vector: l.values[ps[2].Array]}
	kind := c.AttrInfo(g.Attr(v, "kind")).Str
	if g.Attr(v, ops.InverseAttr) != 0 {
		n.inverse(kind, l.model.workspace(v))
		return n.k.Num(0)
	}
	switch kind {
	case support.Simplex.String():
		return n.simplex()
	case support.Cholesky.String():
		return n.definite(l.model.workspace(v).Matrix(n.k, n.node.N))
	}
	return n.identity()
}

// coordinates is a node and where its numbers are.
type coordinates struct {
	k              kit.Ops
	node, position kit.View
	vector         ir.Value
}

// number is that of an element, which has a position.
func (n coordinates) number(position ir.Value) ir.Value {
	b := n.k.B
	at := arith.Cast(b, arith.IndexCast, arith.Cast(b, arith.Fptosi, position, ir.I64), ir.Index)
	return b.Op(memref.Load, n.vector, arith.SubI(b, at, b.Index(1)))
}

// put is the inverse of number.
func (n coordinates) put(u, position ir.Value) {
	b := n.k.B
	at := arith.Cast(b, arith.IndexCast, arith.Cast(b, arith.Fptosi, position, ir.I64), ir.Index)
	b.Op(memref.Store, u, n.vector, arith.SubI(b, at, b.Index(1)))
}

func (n coordinates) identity() ir.Value {
	k := n.k
	k.Fold(n.node.N, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		p := n.position.Load(k, i)
		some := k.Positive(p)
		u := n.number(arith.Choose(k.B, some, p, k.Num(1)))
		n.node.Store(k, arith.Choose(k.B, some, u, n.node.Load(k, i)), i)
		return nil
	})
	return k.Num(0)
}

func (n coordinates) simplex() ir.Value {
	k := n.k
	b := k.B
	zero, last := k.Num(0), arith.SubI(b, n.node.N, b.Index(1))
	out := k.Fold(last, []ir.Value{zero, zero}, func(i ir.Value, acc []ir.Value) []ir.Value {
		left, logJ := acc[0], acc[1]
		u := k.Sub(n.number(n.position.Load(k, i)), k.Log(k.ToFloat(arith.SubI(b, last, i))))
		take, keep := k.Neg(b.Op(special.Log1pexp, k.Neg(u))), k.Neg(b.Op(special.Log1pexp, u))
		n.node.Store(k, k.Exp(k.Add(left, take)), i)
		return []ir.Value{k.Add(left, keep), k.Add(logJ, k.Add(left, k.Add(take, keep)))}
	})
	n.node.Store(k, k.Exp(out[0]), last)
	return out[1]
}

func (n coordinates) definite(scratch kit.View) ir.Value {
	k := n.k
	b := k.B
	rows := n.node.N
	at := func(i, j ir.Value) ir.Value { return scratch.Load(k, i, j) }
	logJ := k.Fold(rows, []ir.Value{k.Mul(k.Num(gomath.Ln2), k.ToFloat(rows))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		k.Fold(i, nil, func(j ir.Value, _ []ir.Value) []ir.Value {
			scratch.Store(k, n.number(n.position.Load(k, i, j)), i, j)
			return nil
		})
		u := n.number(n.position.Load(k, i, i))
		scratch.Store(k, k.Exp(u), i, i)
		weight := k.ToFloat(arith.AddI(b, arith.SubI(b, rows, i), b.Index(1)))
		return []ir.Value{k.Add(acc[0], k.Mul(weight, u))}
	})[0]
	k.Fold(rows, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		k.Fold(arith.AddI(b, i, b.Index(1)), nil, func(j ir.Value, _ []ir.Value) []ir.Value {
			s := k.Fold(arith.AddI(b, j, b.Index(1)), []ir.Value{k.Num(0)}, func(m ir.Value, acc []ir.Value) []ir.Value {
				return []ir.Value{k.Add(acc[0], k.Mul(at(i, m), at(j, m)))}
			})[0]
			n.node.Store(k, s, i, j)
			n.node.Store(k, s, j, i)
			return nil
		})
		return nil
	})
	return logJ
}

// inverse writes the vector from the node.
func (n coordinates) inverse(kind string, w kit.Workspace) {
	switch kind {
	case support.Simplex.String():
		n.fromSimplex()
	case support.Cholesky.String():
		n.fromDefinite(w)
	default:
		k := n.k
		k.Fold(n.node.N, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			p := n.position.Load(k, i)
			some := k.Positive(p)
			p = arith.Choose(k.B, some, p, k.Num(1))
			n.put(arith.Choose(k.B, some, n.node.Load(k, i), n.number(p)), p)
			return nil
		})
	}
}

// fromSimplex breaks the stick from its small end, where the rest has not lost digits.
func (n coordinates) fromSimplex() {
	k := n.k
	b := k.B
	last := arith.SubI(b, n.node.N, b.Index(1))
	sum := k.Fold(n.node.N, []ir.Value{k.Num(0)}, func(i ir.Value, acc []ir.Value) []ir.Value {
		x := n.node.Load(k, i)
		return []ir.Value{k.Add(acc[0], arith.Choose(b, k.Positive(x), x, k.Num(gomath.NaN())))}
	})[0]
	whole := k.Cmp(arith.OLE, k.Abs(k.Sub(sum, k.Num(1))), k.Num(support.SimplexSlack))
	k.Fold(last, []ir.Value{n.node.Load(k, last)}, func(j ir.Value, acc []ir.Value) []ir.Value {
		i := arith.SubI(b, arith.SubI(b, last, b.Index(1)), j)
		x := n.node.Load(k, i)
		u := k.Add(k.Sub(k.Log(x), k.Log(acc[0])), k.Log(k.ToFloat(arith.AddI(b, j, b.Index(1)))))
		n.put(arith.Choose(b, whole, u, k.Num(gomath.NaN())), n.position.Load(k, i))
		return []ir.Value{k.Add(acc[0], x)}
	})
}

// fromDefinite factors the matrix, whose mirrored elements must be the same but for rounding.
func (n coordinates) fromDefinite(w kit.Workspace) {
	k := n.k
	b := k.B
	a, rows := n.node, n.node.N
	f := kit.ArrayOps{Ops: k, Work: w}.Factor(k.PartOf(a))
	k.Fold(rows, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		k.Fold(i, nil, func(j ir.Value, _ []ir.Value) []ir.Value {
			slack := k.Mul(k.Num(kit.SymmetrySlack), k.Mul(k.Sqrt(a.Load(k, i, i)), k.Sqrt(a.Load(k, j, j))))
			same := k.Cmp(arith.OLE, k.Abs(k.Sub(a.Load(k, i, j), a.Load(k, j, i))), slack)
			u := k.Mul(f.Lower(i, j), k.Sqrt(f.Pivot(j)))
			n.put(arith.Choose(b, same, u, k.Num(gomath.NaN())), n.position.Load(k, i, j))
			return nil
		})
		u := k.Half(k.Log(f.Pivot(i)))
		n.put(arith.Choose(b, f.OK, u, k.Num(gomath.NaN())), n.position.Load(k, i, i))
		return nil
	})
}
