package notation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// writer prints one conjunction.
type writer struct {
	c      *conj.Conj
	names  []string
	inline []string // of each div: what stands for it

	renamed []bool         // dimensions whose name is not theirs
	given   map[int]string // what an equation gives such a dimension, by variable
}

// renamed tells the dimensions of a space, after np parameters, that have no name or
// one that an earlier variable has, so that another is written.
func renamed(s union.Space, names []string, np int) []bool {
	out := make([]bool, np)
	for i, n := range append(s.In.Names(), s.Out.Names()...) {
		out = append(out, n != names[i])
	}
	return out
}

// gives reports an equation that gives such a dimension, which nothing else uses: it is
// written in its place.
func (w *writer) gives(k int) bool {
	e := w.c.Eq[k]
	l := e.Last()
	if l < 1 || l > len(w.renamed) || !w.renamed[l-1] || !e[l].IsUnit() || !w.c.OnlyIn(l, k) {
		return false
	}
	right := e.Clone()
	if e[l].Sign() > 0 {
		right.Negate()
	}
	right[l] = lp.Int{}
	if w.given == nil {
		w.given = map[int]string{}
	}
	w.given[l-1] = w.affine(right)
	return true
}

func (w *writer) tuple(b *strings.Builder, t *union.Tuple, at int) {
	b.WriteString(t.Name)
	b.WriteByte('[')
	if t.In != nil {
		w.tuple(b, t.In, at)
		b.WriteString(" -> ")
		w.tuple(b, t.Out, at+t.In.Len())
	} else {
		for i := range t.Dims {
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
	if c.Empty {
		return "false"
	}
	used := w.uses()
	var exists []string
	for i, d := range c.Divs {
		name := fmt.Sprintf("e%d", i)
		for slices.Contains(w.names, name) {
			name += "'"
		}
		w.inline[i] = name
		switch {
		case !d.Known():
			exists = append(exists, name)
		case w.stride(i) < 0 && used[i] > 2:
			exists = append(exists, fmt.Sprintf("%s = %s", name, w.floor(d)))
		default:
			w.inline[i] = w.floor(d)
		}
	}
	var out []string
	for k, e := range c.Eq {
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
	out := make([]int, len(w.c.Divs))
	for i := range out {
		col := w.c.DivCol(i)
		for _, r := range slices.Concat(w.c.Eq, w.c.Ge) {
			if !r[col].IsZero() {
				out[i]++
			}
		}
		for _, d := range w.c.Divs {
			if d.Known() && !d.Num[col].IsZero() {
				out[i] += 3
			}
		}
	}
	return out
}

// stride is the only equation of a div that nothing else uses, or -1.
func (w *writer) stride(i int) int {
	for k, r := range w.c.Eq {
		if !r[w.c.DivCol(i)].IsZero() && w.c.OnlyIn(w.c.DivCol(i), k) {
			return k
		}
	}
	return -1
}

func (w *writer) floor(d conj.Div) string {
	return fmt.Sprintf("floor((%s)/%s)", w.affine(d.Num), d.Den)
}

// name is what stands for column k of a row.
func (w *writer) name(k int) string {
	if k <= w.c.N {
		return w.names[k-1]
	}
	return w.inline[k-1-w.c.N]
}

// affine writes the terms in order, then the constant.
func (w *writer) affine(r lp.Row) string {
	var b strings.Builder
	for k := 1; k < len(r); k++ {
		x := r[k]
		if x.IsZero() {
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
		if a := x.Abs(); !a.IsOne() {
			b.WriteString(a.String())
			if k > w.c.N && strings.HasPrefix(w.name(k), "floor") {
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
func (w *writer) equation(e lp.Row) string {
	l := e.Last()
	if i := l - 1 - w.c.N; i >= 0 && w.stride(i) >= 0 {
		d, rest := e[l].Abs(), e.Clone()
		rest[l] = lp.Int{}
		if rest.IsZero(1 + w.c.N) {
			c := rest[0].Neg().Mod(d)
			rest[0] = lp.Int{}
			return fmt.Sprintf("(%s) mod %s = %s", w.affine(rest), d, c)
		}
	}
	one := e.Clone()
	if one[l].Sign() < 0 {
		one.Negate()
	}
	left, right := w.c.Row(), one.Negated()
	left[l], right[l] = one[l], lp.Int{}
	return w.affine(left) + " = " + w.affine(right)
}

// inequalities joins lower and upper bounds of one expression.
func (w *writer) inequalities() (out []string) {
	c := w.c
	done := make([]bool, len(c.Ge))
	for i, r := range c.Ge {
		if done[i] {
			continue
		}
		if col := r.Last(); col > c.N && w.inline[col-1-c.N] == w.floor(c.Divs[col-1-c.N]) && c.Floors().IsBound(r, col-1-c.N) {
			continue // the floor says it
		}
		if c.Floors().Definitional(r) {
			continue
		}
		j := -1
		for k := i + 1; k < len(c.Ge); k++ {
			if !done[k] && lp.Parallel(r, c.Ge[k]) < 0 {
				j = k
				break
			}
		}
		if j < 0 {
			out = append(out, w.single(r))
			continue
		}
		done[j] = true
		low, high := r, c.Ge[j]
		if low[low.First()].Sign() < 0 {
			low, high = high, low
		}
		body := low.Clone()
		body[0] = lp.Int{}
		out = append(out, fmt.Sprintf("%s <= %s <= %s", low[0].Neg(), w.affine(body), high[0]))
	}
	return out
}

// single moves the negative terms to the other side: x <= y.
func (w *writer) single(r lp.Row) string {
	pos, neg := w.c.Row(), w.c.Row()
	for i, x := range r {
		if x.Sign() >= 0 {
			pos[i] = x
		} else {
			neg[i] = x.Neg()
		}
	}
	if pos.Last() <= 0 { // a constant on the left reads better on the right
		return w.affine(neg) + " <= " + w.affine(pos)
	}
	return w.affine(pos) + " >= " + w.affine(neg)
}

// Relation writes a set or a map.
func Relation(r *union.Relation) string {
	var b strings.Builder
	if len(r.Params) > 0 {
		fmt.Fprintf(&b, "[%s] -> ", strings.Join(r.Params, ", "))
	}
	b.WriteString("{")
	first := true
	for _, p := range r.Parts {
		if p.IsParams() && len(p.Conjs) > 1 {
			Condition(r, &b, p)
			first = false
			continue
		}
		for _, c := range p.Conjs {
			if !first {
				b.WriteByte(';')
			}
			first = false
			b.WriteByte(' ')
			writeConj(r, &b, p, c)
		}
	}
	if first && len(r.Parts) == 1 { // keep the space of an empty set
		b.WriteByte(' ')
		writeConj(r, &b, r.Parts[0], conj.Void(len(r.Params)+r.Parts[0].Dims()))
	}
	b.WriteString(" }")
	return b.String()
}

// Condition writes conjunctions over parameters alone: isl has no list of them.
func Condition(r *union.Relation, b *strings.Builder, p union.Part) {
	var all []string
	for _, c := range p.Conjs {
		w := writer{c: c, names: names(r, p.Space), inline: make([]string, len(c.Divs))}
		f := w.formula()
		if f == "" {
			f = "true"
		}
		all = append(all, "("+f+")")
	}
	b.WriteString(" : " + strings.Join(all, " or "))
}

func writeConj(r *union.Relation, b *strings.Builder, p union.Part, c *conj.Conj) {
	w := writer{c: c, names: names(r, p.Space), inline: make([]string, len(c.Divs))}
	np := len(r.Params)
	w.renamed = renamed(p.Space, w.names[np:], np)
	body := w.formula()
	if p.In != nil {
		w.tuple(b, p.In, np)
		b.WriteString(" -> ")
		w.tuple(b, p.Out, np+p.NumIn())
	} else if !p.IsParams() {
		w.tuple(b, p.Out, np)
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
func names(r *union.Relation, s union.Space) []string {
	out := slices.Clone(r.Params)
	given := append(s.In.Names(), s.Out.Names()...)
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
