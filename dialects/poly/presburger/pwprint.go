package presburger

import (
	"fmt"
	"strings"
)

// String writes a disjunct for each piece.
func (f *function) String() string {
	var b strings.Builder
	if len(f.params) > 0 {
		fmt.Fprintf(&b, "[%s] -> ", strings.Join(f.params, ", "))
	}
	b.WriteString("{ ")
	pieces := f.pieces
	if len(pieces) == 0 { // keep the space
		zero := funPiece{when: []*conj{void(f.vars())}}
		for range f.out.len() {
			zero.vals = append(zero.vals, constantQuasi(f.vars(), Rat{Den: Int{v: 1}}))
		}
		pieces = []funPiece{zero}
	}
	r := &relation{params: f.params}
	names := r.names(f.domainSpace())
	for i, p := range pieces {
		if i > 0 {
			b.WriteString("; ")
		}
		f.disjunct(&b, names, p)
	}
	b.WriteString(" }")
	return b.String()
}

// disjunct writes a piece as one: the values of several would add up.
func (f *function) disjunct(b *strings.Builder, names []string, p funPiece) {
	var all []string
	for _, c := range p.when {
		w := writer{c: c, names: names, inline: make([]string, len(c.divs))}
		all = append(all, w.formula())
	}
	body := all[0]
	if len(all) > 1 {
		body = "(" + strings.Join(all, ") or (") + ")"
	}
	if f.in != nil {
		w := writer{names: names}
		w.tuple(b, f.in, len(f.params))
		b.WriteString(" -> ")
	}
	f.out.write(b, func(i int) string { return p.vals[i].text(names) })
	if body != "" {
		b.WriteString(" : " + body)
	}
}

// write writes a tuple with other texts for its dimensions.
func (t *tuple) write(b *strings.Builder, text func(i int) string) {
	b.WriteString(t.name)
	b.WriteByte('[')
	if t.in != nil {
		t.in.write(b, text)
		b.WriteString(" -> ")
		n := t.in.len()
		t.out.write(b, func(i int) string { return text(n + i) })
	} else {
		for i := range t.dims {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(text(i))
		}
	}
	b.WriteByte(']')
}

// text writes (sum) or (sum)/den.
func (q quasi) text(names []string) string {
	w := writer{c: &conj{n: q.n}, names: names}
	for _, d := range q.divs {
		w.inline = append(w.inline, w.floor(d))
		w.c.divs = append(w.c.divs, d)
	}
	s := "(" + w.affine(q.num) + ")"
	if !q.den.isOne() {
		s += "/" + q.den.String()
	}
	return s
}
