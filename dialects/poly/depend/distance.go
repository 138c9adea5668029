package depend

import (
	"fmt"
	"slices"
	"strings"
)

// A Distance is how far the second instance is from the first in a loop: a number, or
// an affine function of the parameters, that is the same for all pairs.
type Distance struct {
	Known bool
	Const int64 // and the sum of the parameters times their coefficients
	coefs []int64
	names []string
}

// Coef is the coefficient of a parameter.
func (d Distance) Coef(param string) int64 {
	if i := slices.Index(d.names, param); i >= 0 {
		return d.coefs[i]
	}
	return 0
}

// IsConst reports a distance that is a number.
func (d Distance) IsConst() bool { return d.Known && d.coefs == nil }

func (d Distance) equal(e Distance) bool {
	return d.Known == e.Known && d.Const == e.Const && slices.Equal(d.coefs, e.coefs)
}

func (d Distance) negated() Distance {
	d.Const = -d.Const
	d.coefs = slices.Clone(d.coefs)
	for i := range d.coefs {
		d.coefs[i] = -d.coefs[i]
	}
	return d
}

// distancesOf reads the distances off a system: one that depends on parameters alone
// is known.
func (t *Tester) distancesOf(s *system) []Distance {
	out := make([]Distance, t.ask.loops)
	for l := range out {
		out[l] = t.distance(s, l)
	}
	return out
}

// merge joins the distances of further pairs.
func (d *Dependence) merge(more []Distance) {
	if d.Distances == nil {
		d.Distances = more
		return
	}
	for l, m := range more {
		if !d.Distances[l].equal(m) {
			d.Distances[l] = Distance{}
		}
	}
}

func (t *Tester) distance(s *system, l int) (d Distance) {
	if s.big {
		return d
	}
	r, np := s.row(s.dist, l), s.params
	for i, x := range r[1:] {
		if x != 0 && (i >= np || s.mixed.has(i+1)) {
			return d
		}
	}
	d.Known, d.Const = true, r[0]
	if content(r) != 0 {
		d.coefs, d.names = slices.Clone(r[1:1+np]), t.ask.names
	}
	return d
}

// String writes N - 1; * where it is not known.
func (d Distance) String() string {
	if !d.Known {
		return "*"
	}
	var b strings.Builder
	for i, c := range d.coefs {
		switch {
		case c == 0:
			continue
		case c < 0 && b.Len() > 0:
			b.WriteString(" - ")
		case c < 0:
			b.WriteString("-")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		if c != 1 && c != -1 {
			fmt.Fprint(&b, max(c, -c))
		}
		b.WriteString(d.names[i])
	}
	switch {
	case b.Len() == 0:
		return fmt.Sprint(d.Const)
	case d.Const < 0:
		fmt.Fprintf(&b, " - %d", -d.Const)
	case d.Const > 0:
		fmt.Fprintf(&b, " + %d", d.Const)
	}
	return b.String()
}
