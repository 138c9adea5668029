package roofline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Amount is a number of things by the parameters of some loops: a sum of numbers of points of sets, times constants.
type Amount struct{ parts []part }

// A part is a number of points, and what each of them counts.
type part struct {
	count *presburger.Count
	times int64
}

func (a *Amount) add(c *presburger.Count, times int64) {
	a.parts = append(a.parts, part{c, times})
}

// At is the amount where the parameters have values.
func (a Amount) At(params map[string]presburger.Int) (float64, error) {
	sum := 0.0
	for _, p := range a.parts {
		n, err := p.count.At(params)
		if err != nil {
			return 0, err
		}
		f, _ := n.Big().Float64()
		sum += float64(p.times) * f
	}
	return sum, nil
}

// large is a size that is large beside all numbers that programs have in bounds; the parameters are about as large.
const large = 1 << 20

// Text writes the amount as it is where all parameters are large, highest powers first, with names for the parameters.
func (a Amount) Text(name func(param string) string) string {
	sum := map[string]presburger.Rat{}
	degree := map[string]int{}
	for _, p := range a.parts {
		poly, ok := whereLarge(p.count)
		if !ok {
			continue
		}
		for _, m := range poly.Monomials() {
			key := spell(poly, m, name)
			degree[key] = 0
			for _, f := range m.Factors {
				degree[key] += f.Exponent
			}
			k := m.Coefficient.Mul(ratOf(p.times))
			if old, ok := sum[key]; ok {
				k = k.Add(old)
			}
			sum[key] = k
		}
	}
	keys := make([]string, 0, len(sum))
	for key, k := range sum {
		// Terms of different parts may cancel.
		if k.Sign() != 0 {
			keys = append(keys, key)
		}
	}
	// Terms of one degree are sorted by their text, as a map has no order.
	slices.SortFunc(keys, func(x, y string) int { return cmp.Or(degree[y]-degree[x], strings.Compare(x, y)) })
	var b strings.Builder
	for i, key := range keys {
		writeTerm(&b, i == 0, sum[key], key)
	}
	if len(keys) == 0 {
		return "0"
	}
	return b.String()
}

// ratOf is an integer as a quotient by 1.
func ratOf(n int64) presburger.Rat {
	return presburger.Rat{Num: presburger.NewInt(n), Den: presburger.NewInt(1)}
}

// writeTerm appends a term to a sum, with its sign. An empty key is a constant; a factor of 1 is not written.
func writeTerm(b *strings.Builder, first bool, k presburger.Rat, key string) {
	switch {
	case k.Sign() < 0 && first:
		b.WriteString("-")
	case k.Sign() < 0:
		b.WriteString(" - ")
	case !first:
		b.WriteString(" + ")
	}
	if k.Sign() < 0 {
		k = k.Neg()
	}
	switch number := k.String(); {
	case key == "":
		b.WriteString(number)
	case number == "1":
		b.WriteString(key)
	default:
		b.WriteString(number + "*" + key)
	}
}

// whereLarge is the polynomial of a count where its parameters are large, and about as large; false if it is 0 there.
func whereLarge(c *presburger.Count) (presburger.Polynomial, bool) {
	for domain, poly := range c.Pieces() {
		at := map[string]presburger.Int{}
		for i, p := range domain.Params() {
			at[p] = presburger.NewInt(large + int64(i))
		}
		if ok, err := domain.Contains(nil, at); err == nil && ok {
			return poly, true
		}
	}
	return presburger.Polynomial{}, false
}

// spell writes what a monomial multiplies.
func spell(p presburger.Polynomial, m presburger.Monomial, name func(string) string) string {
	var out []string
	for _, f := range m.Factors {
		text := atom(p, f.Atom, name)
		if f.Exponent > 1 {
			text = fmt.Sprintf("%s^%d", text, f.Exponent)
		}
		out = append(out, text)
	}
	return strings.Join(out, "*")
}

// atom writes a parameter or a floor.
func atom(p presburger.Polynomial, i int, name func(string) string) string {
	if i < len(p.Params()) {
		return name(p.Params()[i])
	}
	d := p.Floors()[i-len(p.Params())]
	var b strings.Builder
	// Num[0] is the constant, and Num[k] the coefficient of atom k-1.
	for k := 1; k < len(d.Num); k++ {
		if d.Num[k].Sign() != 0 {
			writeTerm(&b, b.Len() == 0, presburger.Rat{Num: d.Num[k], Den: presburger.NewInt(1)}, atom(p, k-1, name))
		}
	}
	if d.Num[0].Sign() != 0 {
		writeTerm(&b, b.Len() == 0, presburger.Rat{Num: d.Num[0], Den: presburger.NewInt(1)}, "")
	}
	return fmt.Sprintf("floor((%s)/%s)", b.String(), d.Den)
}
