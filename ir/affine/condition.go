package affine

import (
	"math"

	"github.com/irc-lang/irc/ir"
)

// A fact is that v p w + off holds of numbers as they are, without wrapping. Where p
// compares without signs, off is 0.
type fact struct {
	v   ir.Value
	p   Predicate
	w   ir.Bound
	off int64
}

// Regions with conditions around a use of a value that are looked at, and conditions
// of one of them.
const around, conjuncts = 8, 16

// guard is the innermost region with facts that r is or is in, or Root.
func (a Analysis) guard(r ir.Region) ir.Region {
	if a.kept == nil {
		return ir.Root
	}
	var way []ir.Region
	for r != ir.Root {
		if g, ok := a.kept.guarded[r]; ok {
			r = g
			break
		}
		way = append(way, r)
		if len(a.facts(r)) > 0 {
			break
		}
		r = a.outer(r)
	}
	for _, in := range way {
		a.kept.guarded[in] = r
	}
	return r
}

// outer is the region that the op of a region needs: it stands in there, perhaps deeper.
func (a Analysis) outer(r ir.Region) ir.Region {
	if op := a.g.Owner(r); op != 0 {
		return a.g.Home(op)
	}
	return ir.Root
}

// facts are those of the branch that a region is of.
func (a Analysis) facts(r ir.Region) []fact {
	out, ok := a.kept.facts[r]
	if !ok {
		out = a.branch(r)
		a.kept.facts[r] = out
	}
	return out
}

// branch finds what holds in a region because it is the one that its op chose.
func (a Analysis) branch(r ir.Region) (out []fact) {
	op := a.g.Owner(r)
	if op == 0 {
		return nil
	}
	br, ok := ir.As[ir.BranchLike](a.g.NodeOf(op))
	if !ok {
		return nil
	}
	a.at, a.certain = ir.Root, true // they are kept for all who ask
	for i, in := range a.g.Regions(op) {
		if in != r || i >= len(br.Values) {
			continue
		}
		switch {
		case a.g.Type(br.On) == ir.I1:
			return a.follow(nil, br.On, br.Values[i] == 1, depth)
		case i != br.Default:
			return []fact{{v: br.On, p: EQ, w: ir.Bound{Const: br.Values[i]}}}
		}
	}
	return nil
}

// follow adds what holds if a truth value is, or is not: a comparison, or several.
func (a Analysis) follow(out []fact, on ir.Value, holds bool, depth int) []fact {
	f, ok := formOf(a.g, on)
	if !ok || depth == 0 || len(out) >= conjuncts || a.g.Type(on) != ir.I1 {
		return out
	}
	args := a.g.Args(on)
	switch {
	case f.Op == And && holds, f.Op == Or && !holds:
		return a.follow(a.follow(out, args[0], holds, depth-1), args[1], holds, depth-1)
	case f.Op == Xor:
		for k := range args {
			if x, ok := a.g.Const(args[k]); ok && x.Ref == nil {
				return a.follow(out, args[1-k], holds != x.Bool(), depth-1)
			}
		}
	case f.Op == Compare:
		p := f.Predicate(a.g, on)
		if !holds {
			p = p.inverse()
		}
		out = append(out, fact{v: args[0], p: p, w: ir.Bound{Value: args[1]}})
		if x, c := a.base(args[0]); p < ULT { // of x + c and y + d say x p y + d - c
			y, d := a.base(args[1])
			if off, ok := minus(d, c); ok && off != 0 {
				out = append(out, fact{x, p, ir.Bound{Value: y}, off})
			}
		}
	}
	return out
}

// base writes a value as another and a constant, the sum of which does not wrap.
func (a Analysis) base(v ir.Value) (ir.Value, int64) {
	l := a.Linear(v)
	if len(l.Terms) != 1 || l.Terms[0].Coef != 1 {
		return v, 0
	}
	x, c := l.Terms[0].Value, signed(l.Width, l.Const)
	if n := a.Number(x); n.Width != l.Width || !n.plus(c) {
		return v, 0
	}
	return x, c
}

// plus reports that n + c never wraps.
func (n Number) plus(c int64) bool {
	all := Any(n.Width)
	low, high := extend(n.Low).plus(extend(c)), extend(n.High).plus(extend(c))
	return !low.less(extend(all.Low)) && !extend(all.High).less(high)
}

func minus(x, y int64) (int64, bool) {
	d := extend(x).minus(extend(y))
	return d.clamp(), d == extend(d.clamp())
}

// about calls do with each fact about a value that holds where it is used.
func (a Analysis) about(v ir.Value, do func(p Predicate, w ir.Bound, off int64)) {
	r := a.at
	for range around {
		if r == ir.Root {
			return
		}
		for _, f := range a.kept.facts[r] {
			if f.v == v {
				do(f.p, f.w, f.off)
			}
			if back, ok := minus(0, f.off); ok && f.w.Value == v {
				do(f.p.swapped(), ir.Bound{Value: f.v}, back)
			}
		}
		r = a.guard(a.outer(r))
	}
}

// conditions sharpens a number by the branches around: in a region that runs only if
// a comparison with the value holds, it does.
func (a Analysis) conditions(v ir.Value, n Number, depth int) Number {
	if depth <= 0 {
		return n
	}
	a.about(v, func(p Predicate, w ir.Bound, off int64) {
		x := a.bound(w, n.Width, depth-1)
		if off != 0 {
			if !x.plus(off) {
				return
			}
			x = add(x, Just(x.Width, off), false)
		}
		n = n.given(p, x)
	})
	return n
}

// given is n where n p x holds.
func (n Number) given(p Predicate, x Number) Number {
	if x.Width != n.Width {
		return n
	}
	if p >= ULT {
		if p <= ULE && x.Low >= 0 { // below what is not negative: not negative
			n = n.narrow(0, n.High)
		}
		if n.Low < 0 || x.Low < 0 {
			return n.settle()
		}
		p -= ULT - LT
	}
	switch p {
	case EQ:
		return n.meet(x)
	case NE:
		if c, ok := x.Const(); ok && c == n.Low && c < n.High {
			n.Low++
		} else if ok && c == n.High && c > n.Low {
			n.High--
		}
	case LT:
		n = n.narrow(n.Low, max(x.High, math.MinInt64+1)-1)
	case LE:
		n = n.narrow(n.Low, x.High)
	case GT:
		n = n.narrow(min(x.Low, math.MaxInt64-1)+1, n.High)
	case GE:
		n = n.narrow(x.Low, n.High)
	}
	return n.settle()
}
