package presburger

import (
	"fmt"
	"slices"
	"strings"
)

// String writes the set in isl's notation.
func (s Set) String() string { return s.rel().String() }

// String writes the map in isl's notation.
func (m Map) String() string { return m.rel().String() }

func (r *relation) String() string {
	var b strings.Builder
	if len(r.params) > 0 {
		fmt.Fprintf(&b, "[%s] -> ", strings.Join(r.params, ", "))
	}
	b.WriteString("{")
	first := true
	for _, p := range r.parts {
		if p.isParams() && len(p.conjs) > 1 {
			r.condition(&b, p)
			first = false
			continue
		}
		for _, c := range p.conjs {
			if !first {
				b.WriteByte(';')
			}
			first = false
			b.WriteByte(' ')
			r.conj(&b, p, c)
		}
	}
	if first && len(r.parts) == 1 { // keep the space of an empty set
		b.WriteByte(' ')
		r.conj(&b, r.parts[0], void(len(r.params)+r.parts[0].dims()))
	}
	b.WriteString(" }")
	return b.String()
}

// condition writes conjunctions over parameters alone: isl has no list of them.
func (r *relation) condition(b *strings.Builder, p part) {
	var all []string
	for _, c := range p.conjs {
		w := writer{c: c, names: r.names(p.space), inline: make([]string, len(c.divs))}
		f := w.formula()
		if f == "" {
			f = "true"
		}
		all = append(all, "("+f+")")
	}
	b.WriteString(" : " + strings.Join(all, " or "))
}

func (r *relation) conj(b *strings.Builder, p part, c *conj) {
	w := writer{c: c, names: r.names(p.space), inline: make([]string, len(c.divs))}
	np := len(r.params)
	w.renamed = renamed(p.space, w.names[np:], np)
	body := w.formula()
	if p.in != nil {
		w.tuple(b, p.in, np)
		b.WriteString(" -> ")
		w.tuple(b, p.out, np+p.numIn())
	} else if !p.isParams() {
		w.tuple(b, p.out, np)
	} else {
		b.WriteString(":")
		if body == "" {
			return
		}
		b.WriteString(" " + body)
		return
	}
	if body != "" {
		b.WriteString(" : " + body)
	}
}

// names gives each variable one of its own: parameters keep theirs.
func (r *relation) names(s space) []string {
	out := slices.Clone(r.params)
	given := append(s.in.names(), s.out.names()...)
	for i, n := range given {
		if n == "" {
			n = fmt.Sprintf("i%d", i)
		}
		for slices.Contains(out, n) {
			n += "'"
		}
		out = append(out, n)
	}
	return out
}

// writer prints one conjunction.
type writer struct {
	c      *conj
	names  []string
	inline []string // of each div: what stands for it

	renamed []bool         // dimensions whose name is not theirs
	given   map[int]string // what an equation gives such a dimension, by variable
}

// renamed tells the dimensions of a space, after np parameters, that have no name or
// one that an earlier variable has, so that another is written.
func renamed(s space, names []string, np int) []bool {
	out := make([]bool, np)
	for i, n := range append(s.in.names(), s.out.names()...) {
		out = append(out, n != names[i])
	}
	return out
}

// gives reports an equation that gives such a dimension, which nothing else uses: it is
// written in its place.
func (w *writer) gives(k int) bool {
	e := w.c.eq[k]
	l := e.last()
	if l < 1 || l > len(w.renamed) || !w.renamed[l-1] || !e[l].isUnit() || !w.c.onlyIn(l, k) {
		return false
	}
	right := e.clone()
	if e[l].Sign() > 0 {
		right.negate()
	}
	right[l] = Int{}
	if w.given == nil {
		w.given = map[int]string{}
	}
	w.given[l-1] = w.affine(right)
	return true
}

func (w *writer) tuple(b *strings.Builder, t *tuple, at int) {
	b.WriteString(t.name)
	b.WriteByte('[')
	if t.in != nil {
		w.tuple(b, t.in, at)
		b.WriteString(" -> ")
		w.tuple(b, t.out, at+t.in.len())
	} else {
		for i := range t.dims {
			if i > 0 {
				b.WriteString(", ")
			}
			if text, ok := w.given[at+i]; ok {
				b.WriteString(text)
			} else {
				b.WriteString(w.names[at+i])
			}
		}
	}
	b.WriteByte(']')
}

// formula is empty for no constraint.
func (w *writer) formula() string {
	c := w.c
	if c.empty {
		return "false"
	}
	used := w.uses()
	var exists []string
	for i, d := range c.divs {
		name := fmt.Sprintf("e%d", i)
		for slices.Contains(w.names, name) {
			name += "'"
		}
		w.inline[i] = name
		switch {
		case !d.known():
			exists = append(exists, name)
		case w.stride(i) < 0 && used[i] > 2:
			exists = append(exists, fmt.Sprintf("%s = %s", name, w.floor(d)))
		default:
			w.inline[i] = w.floor(d)
		}
	}
	var out []string
	for k, e := range c.eq {
		if !w.gives(k) {
			out = append(out, w.equation(e))
		}
	}
	out = append(out, w.inequalities()...)
	body := strings.Join(out, " and ")
	if len(exists) > 0 {
		if body == "" {
			body = "true"
		}
		body = fmt.Sprintf("exists (%s: %s)", strings.Join(exists, ", "), body)
	}
	return body
}

// uses counts the constraints and definitions that use each div.
func (w *writer) uses() []int {
	out := make([]int, len(w.c.divs))
	for i := range out {
		col := w.c.divCol(i)
		for _, r := range slices.Concat(w.c.eq, w.c.ge) {
			if !r[col].isZero() {
				out[i]++
			}
		}
		for _, d := range w.c.divs {
			if d.known() && !d.num[col].isZero() {
				out[i] += 3
			}
		}
	}
	return out
}

// stride is the only equation of a div that nothing else uses, or -1.
func (w *writer) stride(i int) int {
	for k, r := range w.c.eq {
		if !r[w.c.divCol(i)].isZero() && w.c.onlyIn(w.c.divCol(i), k) {
			return k
		}
	}
	return -1
}

func (w *writer) floor(d div) string {
	return fmt.Sprintf("floor((%s)/%s)", w.affine(d.num), d.den)
}

// name is what stands for column k of a row.
func (w *writer) name(k int) string {
	if k <= w.c.n {
		return w.names[k-1]
	}
	return w.inline[k-1-w.c.n]
}

// affine writes the terms in order, then the constant.
func (w *writer) affine(r row) string {
	var b strings.Builder
	for k := 1; k < len(r); k++ {
		x := r[k]
		if x.isZero() {
			continue
		}
		switch {
		case b.Len() == 0 && x.Sign() < 0:
			b.WriteByte('-')
		case b.Len() > 0 && x.Sign() < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		}
		if a := x.Abs(); !a.isOne() {
			b.WriteString(a.String())
			if k > w.c.n && strings.HasPrefix(w.name(k), "floor") {
				b.WriteByte('*')
			}
		}
		b.WriteString(w.name(k))
	}
	switch x := r[0]; {
	case b.Len() == 0:
		return x.String()
	case x.Sign() < 0:
		return b.String() + " - " + x.Abs().String()
	case x.Sign() > 0:
		return b.String() + " + " + x.String()
	}
	return b.String()
}

// equation writes expr mod d = 0 for a stride, else last = rest.
func (w *writer) equation(e row) string {
	l := e.last()
	if i := l - 1 - w.c.n; i >= 0 && w.stride(i) >= 0 {
		d, rest := e[l].Abs(), e.clone()
		rest[l] = Int{}
		if rest.isZero(1 + w.c.n) {
			c := rest[0].Neg().Mod(d)
			rest[0] = Int{}
			return fmt.Sprintf("(%s) mod %s = %s", w.affine(rest), d, c)
		}
	}
	one := e.clone()
	if one[l].Sign() < 0 {
		one.negate()
	}
	left, right := w.c.row(), one.negated()
	left[l], right[l] = one[l], Int{}
	return w.affine(left) + " = " + w.affine(right)
}

// inequalities joins lower and upper bounds of one expression.
func (w *writer) inequalities() (out []string) {
	c := w.c
	done := make([]bool, len(c.ge))
	for i, r := range c.ge {
		if done[i] {
			continue
		}
		if col := r.last(); col > c.n && w.inline[col-1-c.n] == w.floor(c.divs[col-1-c.n]) && c.isBound(r, col-1-c.n) {
			continue // the floor says it
		}
		if c.definitional(r) {
			continue
		}
		j := -1
		for k := i + 1; k < len(c.ge); k++ {
			if !done[k] && parallel(r, c.ge[k]) < 0 {
				j = k
				break
			}
		}
		if j < 0 {
			out = append(out, w.single(r))
			continue
		}
		done[j] = true
		low, high := r, c.ge[j]
		if low[low.first()].Sign() < 0 {
			low, high = high, low
		}
		body := low.clone()
		body[0] = Int{}
		out = append(out, fmt.Sprintf("%s <= %s <= %s", low[0].Neg(), w.affine(body), high[0]))
	}
	return out
}

// first is the index of the first coefficient that is not 0.
func (r row) first() int {
	for i := 1; i < len(r); i++ {
		if !r[i].isZero() {
			return i
		}
	}
	return 0
}

// single moves the negative terms to the other side: x <= y.
func (w *writer) single(r row) string {
	pos, neg := w.c.row(), w.c.row()
	for i, x := range r {
		if x.Sign() >= 0 {
			pos[i] = x
		} else {
			neg[i] = x.Neg()
		}
	}
	if pos.last() <= 0 { // a constant on the left reads better on the right
		return w.affine(neg) + " <= " + w.affine(pos)
	}
	return w.affine(pos) + " >= " + w.affine(neg)
}
