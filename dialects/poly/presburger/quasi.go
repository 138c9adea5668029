package presburger

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

// atoms are what quasi-polynomials are made of: parameters, then floors of affine
// functions of earlier atoms.
type atoms struct {
	params []string
	floors []div // num is over 1 + params + earlier floors
}

func (a *atoms) len() int { return len(a.params) + len(a.floors) }

// floor is floor(num / den) as an affine function of atoms: what is integral goes
// out of the floor, so that equal floors have one form.
func (a *atoms) floor(num row, den Int) row {
	out := make(row, 1+a.len())
	num = num.grown(1 + a.len() - len(num))
	for i, x := range num {
		q := x.FloorDiv(den)
		out[i], num[i] = q, x.Sub(q.Mul(den))
	}
	if num.isZero(1) {
		return out // the constant is less than den
	}
	num, den = reduceDiv(num, den)
	k := slices.IndexFunc(a.floors, func(d div) bool {
		return d.den.equal(den) && d.num.equal(num[:len(d.num)]) && num.isZero(len(d.num))
	})
	if k < 0 {
		a.floors = append(a.floors, div{num, den})
		k = len(a.floors) - 1
	}
	out = out.grown(1 + a.len() - len(out))
	c := 1 + len(a.params) + k
	out[c] = out[c].Add(Int{v: 1})
	return out
}

// values evaluates all atoms, with 1 in front.
func (a *atoms) values(params []Int) []Int {
	x := append([]Int{{v: 1}}, params...)
	for _, f := range a.floors {
		x = append(x, dot(f.num, x[:len(f.num)]).FloorDiv(f.den))
	}
	return x
}

// A poly is a polynomial in atoms with rational coefficients, by monomial.
type poly map[string]Rat

// A monomial is written as pairs of bytes-encoded atom and exponent, ascending.
type factor struct{ atom, exp int }

func encode(fs []factor) string {
	var b []byte
	for _, f := range fs {
		b = binary.AppendUvarint(b, uint64(f.atom))
		b = binary.AppendUvarint(b, uint64(f.exp))
	}
	return string(b)
}

func decode(s string) (out []factor) {
	b := []byte(s)
	for len(b) > 0 {
		a, n := binary.Uvarint(b)
		e, m := binary.Uvarint(b[n:])
		out = append(out, factor{int(a), int(e)})
		b = b[n+m:]
	}
	return out
}

func (p poly) add(q poly, times Rat) {
	for m, c := range q {
		p.addTerm(m, c.Mul(times))
	}
}

func (p poly) addTerm(m string, c Rat) {
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

func (p poly) mul(q poly, w *work) poly {
	w.step(len(p) * len(q))
	out := poly{}
	for m, c := range p {
		for n, d := range q {
			out.addTerm(product2(m, n), c.Mul(d))
		}
	}
	return out
}

// product2 multiplies monomials.
func product2(m, n string) string {
	a, b := decode(m), decode(n)
	var out []factor
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].atom < b[0].atom:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0].atom < a[0].atom:
			out, b = append(out, b[0]), b[1:]
		default:
			out = append(out, factor{a[0].atom, a[0].exp + b[0].exp})
			a, b = a[1:], b[1:]
		}
	}
	return encode(out)
}

// linear is an affine function of atoms as a polynomial.
func linear(r row) poly {
	p := poly{}
	for i, x := range r {
		if x.isZero() {
			continue
		}
		m := ""
		if i > 0 {
			m = encode([]factor{{i - 1, 1}})
		}
		p.addTerm(m, Rat{x, Int{v: 1}})
	}
	return p
}

// eval evaluates at the values of the atoms, 1 in front.
func (p poly) eval(x []Int) Rat {
	sum := Rat{Den: Int{v: 1}}
	for m, c := range p {
		t := c
		for _, f := range decode(m) {
			for range f.exp {
				t = t.Mul(Rat{x[1+f.atom], Int{v: 1}})
			}
		}
		sum = sum.Add(t)
	}
	return sum
}

// key is equal for equal polynomials.
func (p poly) key() string {
	var b strings.Builder
	for _, m := range slices.Sorted(maps.Keys(p)) {
		fmt.Fprintf(&b, "%d %s %s;", len(m), m, p[m])
	}
	return b.String()
}

// text writes terms of higher degree first.
func (p poly) text(a *atoms) string {
	type term struct {
		fs     []factor
		degree int
		key    string
	}
	var terms []term
	for m := range p {
		t := term{fs: decode(m), key: m}
		for _, f := range t.fs {
			t.degree += f.exp
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
		one := c.Num.isOne() && c.Den.isOne()
		var parts []string
		if !one || len(t.fs) == 0 {
			parts = append(parts, c.String())
		}
		for _, f := range t.fs {
			s := a.name(f.atom)
			if f.exp > 1 {
				s = fmt.Sprintf("%s^%d", s, f.exp)
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
func (a *atoms) name(i int) string {
	if i < len(a.params) {
		return a.params[i]
	}
	f := a.floors[i-len(a.params)]
	return fmt.Sprintf("floor((%s)/%s)", linear(f.num).text(a), f.den)
}
