package depend

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// placed is a conjunction whose sides go to columns of a larger one; column 0 is the
// first dimension.
type placed struct {
	b       *presburger.Basic
	in, out int
}

// join is the conjunction of several over n dimensions that they share; their divs
// are side by side. It has no tuples yet.
func join(params []string, n int, parts ...placed) presburger.Basic {
	out := presburger.Basic{Params: params}
	divs, rows := 0, 0
	for _, p := range parts {
		divs += len(p.b.Divs)
		rows += len(p.b.Eq) + len(p.b.Ge)
	}
	out.Divs = make([]presburger.Div, 0, divs)
	np := len(params)
	width := 1 + np + n + divs
	block := make([]presburger.Int, (rows+divs)*width)
	next := func() (r []presburger.Int) {
		r, block = block[:width:width], block[width:]
		return r
	}
	at := 1 + np + n
	for _, p := range parts {
		in, end := p.b.In.Len(), p.b.In.Len()+p.b.Out.Len()
		move := func(f []presburger.Int) []presburger.Int {
			r := next()
			copy(r, f[:1+np])
			copy(r[1+np+p.in:], f[1+np:1+np+in])
			copy(r[1+np+p.out:], f[1+np+in:1+np+end])
			copy(r[at:], f[1+np+end:])
			return r
		}
		for _, d := range p.b.Divs {
			out.Divs = append(out.Divs, presburger.Div{Num: move(d.Num), Den: d.Den})
		}
		for _, r := range p.b.Eq {
			out.Eq = append(out.Eq, move(r))
		}
		for _, r := range p.b.Ge {
			out.Ge = append(out.Ge, move(r))
		}
		at += len(p.b.Divs)
	}
	return out
}

// wide is the width of a row of b over n dimensions.
func wide(b presburger.Basic, n int) int { return 1 + len(b.Params) + n + len(b.Divs) }

// differ adds rows to b: y - x + con, for columns x and y, is 0 if eq and otherwise
// not negative.
func differ(b *presburger.Basic, n, x, y int, con int64, eq bool) {
	r := make([]presburger.Int, wide(*b, n))
	np := len(b.Params)
	r[0], r[1+np+x], r[1+np+y] = presburger.NewInt(con), presburger.NewInt(-1), presburger.NewInt(1)
	if eq {
		b.Eq = append(b.Eq, r)
	} else {
		b.Ge = append(b.Ge, r)
	}
}

// The order that columns [x, x+n) have before [y, y+n): their first k entries are
// equal, and entry k of x is less.
func lexBefore(b presburger.Basic, dims, x, y, k int) presburger.Basic {
	b.Eq, b.Ge = b.Eq[:len(b.Eq):len(b.Eq)], b.Ge[:len(b.Ge):len(b.Ge)]
	for i := range k {
		differ(&b, dims, x+i, y+i, 0, true)
	}
	differ(&b, dims, x+k, y+k, -1, false)
	return b
}

// lexEqual makes n columns from x on equal to those from y on.
func lexEqual(b presburger.Basic, dims, x, y, n int) presburger.Basic {
	b.Eq = b.Eq[:len(b.Eq):len(b.Eq)]
	for i := range n {
		differ(&b, dims, x+i, y+i, 0, true)
	}
	return b
}

// pick keeps the columns of the ranges, in their order, as dimensions of a new tuple
// or pair of tuples; of dims columns the others come to exist only.
func pick(b presburger.Basic, dims int, in, out presburger.Tuple, ranges ...[2]int) presburger.Basic {
	np := len(b.Params)
	from := make([]int, 0, dims)
	kept := make([]bool, dims)
	for _, r := range ranges {
		for c := r[0]; c < r[1]; c++ {
			from = append(from, c)
			kept[c] = true
		}
	}
	gone := dims - len(from)
	for c, k := range kept {
		if !k {
			from = append(from, c)
		}
	}
	move := func(f []presburger.Int) []presburger.Int {
		r := make([]presburger.Int, len(f))
		copy(r, f[:1+np])
		for i, c := range from {
			r[1+np+i] = f[1+np+c]
		}
		copy(r[1+np+dims:], f[1+np+dims:])
		return r
	}
	q := presburger.Basic{Params: b.Params, In: in, Out: out, Divs: make([]presburger.Div, gone, gone+len(b.Divs))}
	for _, d := range b.Divs {
		q.Divs = append(q.Divs, presburger.Div{Num: move(d.Num), Den: d.Den})
	}
	for _, r := range b.Eq {
		q.Eq = append(q.Eq, move(r))
	}
	for _, r := range b.Ge {
		q.Ge = append(q.Ge, move(r))
	}
	return q
}
