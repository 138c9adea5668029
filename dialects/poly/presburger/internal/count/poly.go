package count

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
)

// Atoms are what quasi-polynomials are made of: parameters, then floors of affine
// functions of earlier atoms.
type Atoms struct {
	Params []string
	Floors []conj.Div // num is over 1 + params + earlier floors
}

func (a *Atoms) len() int { return len(a.Params) + len(a.Floors) }

// floor is floor(num / den) as an affine function of atoms: what is integral goes
// out of the floor, so that equal floors have one form.
func (a *Atoms) floor(num lp.Row, den lp.Int) lp.Row {
	out := make(lp.Row, 1+a.len())
	num = num.Grown(1 + a.len() - len(num))
	for i, x := range num {
		q := x.FloorDiv(den)
		out[i], num[i] = q, x.Sub(q.Mul(den))
	}
	if num.IsZero(1) {
		return out // the constant is less than den
	}
	num, den = conj.ReduceDiv(num, den)
	k := slices.IndexFunc(a.Floors, func(d conj.Div) bool {
		return d.Den.Equal(den) && d.Num.Equal(num[:len(d.Num)]) && num.IsZero(len(d.Num))
	})
	if k < 0 {
		a.Floors = append(a.Floors, conj.Div{Num: num, Den: den})
		k = len(a.Floors) - 1
	}
	out = out.Grown(1 + a.len() - len(out))
	c := 1 + len(a.Params) + k
	out[c] = out[c].Add(lp.NewInt(1))
	return out
}

// values evaluates all atoms, with 1 in front.
func (a *Atoms) values(params []lp.Int) []lp.Int {
	x := append([]lp.Int{lp.NewInt(1)}, params...)
	for _, f := range a.Floors {
		x = append(x, lp.Dot(f.Num, x[:len(f.Num)]).FloorDiv(f.Den))
	}
	return x
}

// A Poly is a polynomial in atoms with rational coefficients, by monomial.
type Poly map[string]lp.Rat

// A monomial is written as pairs of bytes-encoded atom and exponent, ascending.
type Factor struct{ Atom, Exp int }

func encode(fs []Factor) string {
	var b []byte
	for _, f := range fs {
		b = binary.AppendUvarint(b, uint64(f.Atom))
		b = binary.AppendUvarint(b, uint64(f.Exp))
	}
	return string(b)
}

// Decode lists the factors of a monomial.
func Decode(s string) (out []Factor) {
	b := []byte(s)
	for len(b) > 0 {
		a, n := binary.Uvarint(b)
		e, m := binary.Uvarint(b[n:])
		out = append(out, Factor{int(a), int(e)})
		b = b[n+m:]
	}
	return out
}

func (p Poly) add(q Poly, times lp.Rat) {
	for m, c := range q {
		p.addTerm(m, c.Mul(times))
	}
}

func (p Poly) addTerm(m string, c lp.Rat) {
	old, ok := p[m]
	if ok {
		c = old.Add(c)
	}
	if c.Sign() == 0 {
		delete(p, m)
		return
	}
	p[m] = c
}

func (p Poly) mul(q Poly, w *lp.Work) Poly {
	w.Step(len(p) * len(q))
	out := Poly{}
	for m, c := range p {
		for n, d := range q {
			out.addTerm(product2(m, n), c.Mul(d))
		}
	}
	return out
}

// product2 multiplies monomials.
func product2(m, n string) string {
	a, b := Decode(m), Decode(n)
	var out []Factor
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Atom < b[0].Atom:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].Atom < a[0].Atom:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, Factor{a[0].Atom, a[0].Exp + b[0].Exp})
			a, b = a[1:], b[1:]
		}
	}
	return encode(out)
}

// linear is an affine function of atoms as a polynomial.
func linear(r lp.Row) Poly {
	p := Poly{}
	for i, x := range r {
		if x.IsZero() {
			continue
		}
		m := ""
		if i > 0 {
			m = encode([]Factor{{i - 1, 1}})
		}
		p.addTerm(m, lp.Rat{Num: x, Den: lp.NewInt(1)})
	}
	return p
}

// eval evaluates at the values of the atoms, 1 in front.
func (p Poly) eval(x []lp.Int) lp.Rat {
	sum := lp.Rat{Den: lp.NewInt(1)}
	for m, c := range p {
		t := c
		for _, f := range Decode(m) {
			for range f.Exp {
				t = t.Mul(lp.Rat{Num: x[1+f.Atom], Den: lp.NewInt(1)})
			}
		}
		sum = sum.Add(t)
	}
	return sum
}

// key is equal for equal polynomials.
func (p Poly) key() string {
	var b strings.Builder
	for _, m := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%d %s %s;", len(m), m, p[m])
	}
	return b.String()
}

// Text writes terms of higher degree first.
func (p Poly) Text(a *Atoms) string {
	type term struct {
		fs     []Factor
		degree int
		key    string
	}
	var terms []term
	for m := range p {
		t := term{fs: Decode(m), key: m}
		for _, f := range t.fs {
			t.degree += f.Exp
		}
		terms = append(terms, t)
	}
	sort.Slice(terms, func(i, j int) bool {
		if terms[i].degree != terms[j].degree {
			return terms[i].degree > terms[j].degree
		}
		return terms[i].key < terms[j].key
	})
	var b strings.Builder
	for _, t := range terms {
		c := p[t.key]
		switch {
		case b.Len() == 0 && c.Sign() < 0:
			b.WriteByte('-')
		case b.Len() > 0 && c.Sign() < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		if c.Sign() < 0 {
			c = c.Neg()
		}
		one := c.Num.IsOne() && c.Den.IsOne()
		var parts []string
		if !one || len(t.fs) == 0 {
			parts = append(parts, c.String())
		}
		for _, f := range t.fs {
			s := a.name(f.Atom)
			if f.Exp > 1 {
				s = fmt.Sprintf("%s^%d", s, f.Exp)
			}
			parts = append(parts, s)
		}
		b.WriteString(strings.Join(parts, " * "))
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// name writes an atom.
func (a *Atoms) name(i int) string {
	if i < len(a.Params) {
		return a.Params[i]
	}
	f := a.Floors[i-len(a.Params)]
	return fmt.Sprintf("floor((%s)/%s)", linear(f.Num).Text(a), f.Den)
}
