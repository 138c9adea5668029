package notation

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/conj"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/lp"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/piecewise"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// Function writes a disjunct for each piece.
func Function(f *piecewise.Function) string {
	var b strings.Builder
	if len(f.Params) > 0 {
		fmt.Fprintf(&b, "[%s] -> ", strings.Join(f.Params, ", "))
	}
	b.WriteString("{ ")
	pieces := f.Pieces
	if len(pieces) == 0 { // keep the space
		zero := piecewise.Piece{When: []*conj.Conj{conj.Void(f.Vars())}}
		for range f.Out.Len() {
			zero.Vals = append(zero.Vals, piecewise.Constant(f.Vars(), lp.Rat{Den: lp.NewInt(1)}))
		}
		pieces = []piecewise.Piece{zero}
	}
	r := &union.Relation{Params: f.Params}
	names := names(r, f.DomainSpace())
	for i, p := range pieces {
		if i > 0 {
			b.WriteString("; ")
		}
		disjunct(f, &b, names, p)
	}
	b.WriteString(" }")
	return b.String()
}

// disjunct writes a piece as one: the values of several would add up.
func disjunct(f *piecewise.Function, b *strings.Builder, names []string, p piecewise.Piece) {
	var all []string
	for _, c := range p.When {
		w := writer{c: c, names: names, inline: make([]string, len(c.Divs))}
		all = append(all, w.formula())
	}
	body := all[0]
	if len(all) > 1 {
		body = "(" + strings.Join(all, ") or (") + ")"
	}
	if f.In != nil {
		w := writer{names: names}
		w.tuple(b, f.In, len(f.Params))
		b.WriteString(" -> ")
	}
	writeTuple(f.Out, b, func(i int) string { return valueText(p.Vals[i], names) })
	if body != "" {
		b.WriteString(" : " + body)
	}
}

// writeTuple writes a tuple with other texts for its dimensions.
func writeTuple(t *union.Tuple, b *strings.Builder, text func(i int) string) {
	b.WriteString(t.Name)
	b.WriteByte('[')
	if t.In != nil {
		writeTuple(t.In, b, text)
		b.WriteString(" -> ")
		n := t.In.Len()
		writeTuple(t.Out, b, func(i int) string { return text(n + i) })
	} else {
		for i := range t.Dims {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(text(i))
		}
	}
	b.WriteByte(']')
}

// valueText writes (sum) or (sum)/den.
func valueText(q piecewise.Quasi, names []string) string {
	w := writer{c: &conj.Conj{N: q.N}, names: names}
	for _, d := range q.Divs {
		w.inline = append(w.inline, w.floor(d))
		w.c.Divs = append(w.c.Divs, d)
	}
	s := "(" + w.affine(q.Num) + ")"
	if !q.Den.IsOne() {
		s += "/" + q.Den.String()
	}
	return s
}
