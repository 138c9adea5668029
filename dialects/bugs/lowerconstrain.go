package bugs

import (
	gomath "math"
	"strings"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// trimmed is a name without its suffix, "" if it has another.
func trimmed(name, suffix string) string {
	base, ok := strings.CutSuffix(name, suffix)
	if !ok {
		return ""
	}
	return base
}

// constrain lowers bugs.constrain: the transforms of transform.go, in loops.
func (l *lowering) constrain(v ir.Value) ir.Value {
	g := l.g
	c := g.Ctx
	args := g.Args(v)
	ps, _ := operandParts(c.Ints(g.Attr(v, "ranges")), args, func(i int) int { return arrayRank(c, g.Type(args[i])) })
	var valid ir.Value
	n := coordinates{k: l.kit(), node: l.view(ps[0], &valid), position: l.view(ps[1], &valid), vector: l.values[ps[2].array]}
	switch c.AttrInfo(g.Attr(v, "kind")).Str {
	case Simplex.String():
		return n.simplex()
	case Cholesky.String():
		return n.definite(l.work.factor)
	}
	return n.identity()
}

// coordinates is a node and where its numbers are.
type coordinates struct {
	k              kit
	node, position view
	vector         ir.Value
}

// number is that of an element, which has a position.
func (n coordinates) number(position ir.Value) ir.Value {
	b := n.k.b
	at := arith.Cast(b, arith.IndexCast, arith.Cast(b, arith.Fptosi, position, ir.I64), ir.Index)
	return b.Op(memref.Load, n.vector, arith.SubI(b, at, b.Index(1)))
}

func (n coordinates) identity() ir.Value {
	k := n.k
	k.fold(n.node.n, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		p := n.position.load(k, i)
		some := k.positive(p)
		u := n.number(arith.Choose(k.b, some, p, k.num(1)))
		n.node.store(k, arith.Choose(k.b, some, u, n.node.load(k, i)), i)
		return nil
	})
	return k.num(0)
}

func (n coordinates) simplex() ir.Value {
	k := n.k
	b := k.b
	zero, last := k.num(0), arith.SubI(b, n.node.n, b.Index(1))
	out := k.fold(last, []ir.Value{zero, zero}, func(i ir.Value, acc []ir.Value) []ir.Value {
		left, logJ := acc[0], acc[1]
		u := k.sub(n.number(n.position.load(k, i)), k.log(k.toFloat(arith.SubI(b, last, i))))
		take, keep := k.neg(b.Op(special.Log1pexp, k.neg(u))), k.neg(b.Op(special.Log1pexp, u))
		n.node.store(k, k.exp(k.add(left, take)), i)
		return []ir.Value{k.add(left, keep), k.add(logJ, k.add(left, k.add(take, keep)))}
	})
	n.node.store(k, k.exp(out[0]), last)
	return out[1]
}

func (n coordinates) definite(scratch ir.Value) ir.Value {
	k := n.k
	b := k.b
	rows := n.node.n
	at := func(i, j ir.Value) ir.Value { return b.Op(memref.Load, scratch, i, j) }
	logJ := k.fold(rows, []ir.Value{k.mul(k.num(gomath.Ln2), k.toFloat(rows))}, func(i ir.Value, acc []ir.Value) []ir.Value {
		k.fold(i, nil, func(j ir.Value, _ []ir.Value) []ir.Value {
			b.Op(memref.Store, n.number(n.position.load(k, i, j)), scratch, i, j)
			return nil
		})
		u := n.number(n.position.load(k, i, i))
		b.Op(memref.Store, k.exp(u), scratch, i, i)
		weight := k.toFloat(arith.AddI(b, arith.SubI(b, rows, i), b.Index(1)))
		return []ir.Value{k.add(acc[0], k.mul(weight, u))}
	})[0]
	k.fold(rows, nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		k.fold(arith.AddI(b, i, b.Index(1)), nil, func(j ir.Value, _ []ir.Value) []ir.Value {
			s := k.fold(arith.AddI(b, j, b.Index(1)), []ir.Value{k.num(0)}, func(m ir.Value, acc []ir.Value) []ir.Value {
				return []ir.Value{k.add(acc[0], k.mul(at(i, m), at(j, m)))}
			})[0]
			n.node.store(k, s, i, j)
			n.node.store(k, s, j, i)
			return nil
		})
		return nil
	})
	return logJ
}
