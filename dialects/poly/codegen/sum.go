package codegen

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

type integer = presburger.Int

var zero, one = presburger.NewInt(0), presburger.NewInt(1)

// A sum is a constant and multiples of expressions that are no sums, each once.
type sum struct {
	con   integer
	terms []term
}

type term struct {
	times integer
	atom  Expr
	key   string // its text
}

func nameSum(name string) sum { return sum{terms: []term{{one, Name(name), name}}} }

func (s sum) isConst() bool { return len(s.terms) == 0 }

// plus is s + k t.
func (s sum) plus(k integer, t sum) sum {
	out := sum{s.con.Add(k.Mul(t.con)), slices.Clone(s.terms)}
	for _, x := range t.terms {
		out.add(k.Mul(x.times), x)
	}
	return out
}

func (s *sum) add(k integer, x term) {
	for i := range s.terms {
		if s.terms[i].key == x.key {
			if s.terms[i].times = s.terms[i].times.Add(k); s.terms[i].times.Sign() == 0 {
				s.terms = slices.Delete(s.terms, i, i+1)
			}
			return
		}
	}
	if k.Sign() != 0 {
		s.terms = append(s.terms, term{k, x.atom, x.key})
	}
}

// floor is floor(s / d): multiples of d go out of it, and what is left has no factor
// in common with d.
func (s sum) floor(d integer) sum {
	var out, rest sum
	out.con = s.con.FloorDiv(d)
	rest.con = s.con.Mod(d)
	for _, t := range s.terms {
		q := t.times.FloorDiv(d)
		r := t.times.Sub(q.Mul(d))
		if r.Add(r).Cmp(d) > 0 { // the nearest multiple
			q, r = q.Add(one), r.Sub(d)
		}
		out.add(q, t)
		rest.add(r, t)
	}
	if rest.isConst() {
		return out
	}
	g := d
	for _, t := range rest.terms {
		g = g.GCD(t.times)
	}
	if g.Cmp(one) > 0 {
		d, rest.con = d.FloorDiv(g), rest.con.FloorDiv(g)
		for i := range rest.terms {
			rest.terms[i].times = rest.terms[i].times.FloorDiv(g)
		}
		if d.Cmp(one) == 0 {
			return out.plus(one, rest)
		}
	}
	e := &Op{FloorDiv, []Expr{rest.expr(), constant(d)}}
	out.add(one, term{one, e, Text(e)})
	return out
}

var errBig = errors.New("codegen: a constant of the code does not fit in 64 bits")

// constant fails where it does not fit.
func constant(k integer) Expr {
	v, ok := k.Int64()
	if !ok {
		panic(failure{errBig})
	}
	return Int(v)
}

// expr writes the sum: x - k floor(x / k) as a remainder, then what is added, then what
// is taken off.
func (s sum) expr() Expr {
	s = s.remainders()
	var out Expr
	put := func(k integer, e Expr) {
		neg := k.Sign() < 0
		if k = k.Abs(); k.Cmp(one) != 0 && e != nil {
			e = &Op{Mul, []Expr{constant(k), e}}
		} else if e == nil {
			e = constant(k)
		}
		switch {
		case out == nil && neg:
			if v, ok := e.(Int); ok {
				out = -v
			} else {
				out = &Op{Sub, []Expr{Int(0), e}}
			}
		case out == nil:
			out = e
		case neg:
			out = &Op{Sub, []Expr{out, e}}
		default:
			if o, ok := out.(*Op); ok && o.Operator == Add {
				out = &Op{Add, append(slices.Clip(o.Args), e)}
			} else {
				out = &Op{Add, []Expr{out, e}}
			}
		}
	}
	negative := true
	for _, t := range s.terms {
		negative = negative && t.times.Sign() < 0
	}
	if negative && s.con.Sign() > 0 {
		put(s.con, nil)
	}
	for _, sign := range []int{1, -1} {
		for _, t := range s.terms {
			if t.times.Sign() == sign {
				put(t.times, t.atom)
			}
		}
	}
	if s.con.Sign() != 0 && !(negative && s.con.Sign() > 0) || out == nil {
		put(s.con, nil)
	}
	return out
}

// remainders replaces multiples m (x - k floor(x / k)) by m (x mod k), where x is one
// term, or two and a constant, so that the sum is shorter.
func (s sum) remainders() sum {
	for _, t := range s.terms {
		f, ok := t.atom.(*Op)
		if !ok || f.Operator != FloorDiv {
			continue
		}
		k := presburger.NewInt(int64(f.Args[1].(Int)))
		if t.times.Mod(k).Sign() != 0 {
			continue
		}
		m := t.times.FloorDiv(k).Neg() // s has -m k floor(x / k)
		x := sumOf(f.Args[0])
		if len(x.terms) > 3 {
			continue
		}
		r := s.plus(m.Neg(), x)
		r.add(m.Mul(k), t)
		if len(r.terms) >= len(s.terms)-1 {
			continue
		}
		e := &Op{Mod, []Expr{f.Args[0], f.Args[1]}}
		r.add(m, term{one, e, Text(e)})
		return r.remainders()
	}
	return s
}

// sumOf reads an expression that expr wrote.
func sumOf(e Expr) sum {
	switch e := e.(type) {
	case Int:
		return sum{con: presburger.NewInt(int64(e))}
	case *Op:
		switch e.Operator {
		case Add:
			var out sum
			for _, a := range e.Args {
				out = out.plus(one, sumOf(a))
			}
			return out
		case Sub:
			return sumOf(e.Args[0]).plus(one.Neg(), sumOf(e.Args[1]))
		case Mul:
			if k, ok := e.Args[0].(Int); ok {
				return sum{}.plus(presburger.NewInt(int64(k)), sumOf(e.Args[1]))
			}
		}
	}
	return sum{terms: []term{{one, e, Text(e)}}}
}

// split is s as the difference of two sums without negative terms.
func (s sum) split() (plus, minus sum) {
	s = s.remainders()
	for _, t := range s.terms {
		if t.times.Sign() > 0 {
			plus.add(t.times, t)
		} else {
			minus.add(t.times.Neg(), t)
		}
	}
	if s.con.Sign() > 0 {
		plus.con = s.con
	} else {
		minus.con = s.con.Neg()
	}
	return plus, minus
}

// nonNegative is the condition s >= 0.
func (s sum) nonNegative() Expr {
	plus, minus := s.split()
	if minus.isConst() && len(plus.terms) > 0 && plus.con.Sign() > 0 {
		plus.con, minus.con = zero, plus.con.Neg()
	}
	if plus.isConst() && len(minus.terms) > 0 {
		return &Op{Le, []Expr{sum{terms: minus.terms}.expr(), constant(plus.con.Sub(minus.con))}}
	}
	return &Op{Ge, []Expr{plus.expr(), minus.expr()}}
}

// isZero is the condition s = 0: that of a remainder where s is a sum less a multiple of
// its quotient.
func (s sum) isZero() Expr {
	for i, t := range s.terms {
		f, ok := t.atom.(*Op)
		if !ok || f.Operator != FloorDiv || t.times.Abs().Cmp(presburger.NewInt(int64(f.Args[1].(Int)))) != 0 {
			continue
		}
		rest := sum{s.con, slices.Delete(slices.Clone(s.terms), i, i+1)}
		if t.times.Sign() > 0 {
			rest = sum{}.plus(one.Neg(), rest)
		}
		k := t.times.Abs()
		d := rest.plus(one.Neg(), sumOf(f.Args[0])) // rest = x + k y says x = 0 mod k
		if d.con.Mod(k).Sign() != 0 || slices.ContainsFunc(d.terms, func(t term) bool { return t.times.Mod(k).Sign() != 0 }) || len(d.terms) > 0 || d.con.Sign() != 0 {
			continue
		}
		return &Op{Eq, []Expr{&Op{Mod, []Expr{f.Args[0], f.Args[1]}}, Int(0)}}
	}
	plus, minus := s.split()
	if plus.isConst() {
		plus, minus = minus, plus
	}
	return &Op{Eq, []Expr{plus.expr(), minus.expr()}}
}
