package built

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir/irtest"
)

// A Writer makes random programs of equations that have no cycle: an array reads those before it,
// and itself at coordinates that come earlier in one direction.
type Writer struct {
	*irtest.Writer
	Arrays []Made
}

// NewWriter makes the writer of a seed; stream tells generators apart.
func NewWriter(seed, stream uint64) *Writer { return &Writer{Writer: irtest.NewWriter(seed, stream)} }

// Made is an array and its sizes.
type Made struct {
	Name  string
	Sizes []string
}

// With is an element of the array.
func (a Made) With(index []string) string {
	if len(index) == 0 {
		return a.Name
	}
	return a.Name + "[" + strings.Join(index, ",") + "]"
}

// Zeros is room for an output.
func Zeros(a Made, n, k int) string {
	text := "0"
	for d := len(a.Sizes) - 1; d >= 0; d-- {
		size := map[string]int{"N": n, "K": k}[a.Sizes[d]]
		text = "[" + strings.TrimSuffix(strings.Repeat(text+",", size), ",") + "]"
	}
	return text
}

var coordinates = []string{"i", "j", "l"}

// Box is the domain of coordinates below some sizes.
func Box(coords, sizes []string) string {
	var out []string
	for d, c := range coords {
		out = append(out, fmt.Sprintf("0 <= %s < %s", c, sizes[d]))
	}
	return strings.Join(out, " and ")
}

// Array writes equations that define all of an array.
func (w *Writer) Array(a Made) {
	c := coordinates[:len(a.Sizes)]
	if len(c) == 0 {
		w.Line("%s %s %s : { [j] : 0 <= j < %s };", a.Name, w.One("+=", "max=", "min="), w.Expr([]string{"j"}, []string{"N"}, 2), "N")
		return
	}
	set := func(condition, body string) {
		w.Line("%s = %s : { [%s] : %s };", a.With(c), body, strings.Join(c, ","), condition)
	}
	all := Box(c, a.Sizes)
	switch w.IntN(7) {
	case 0: // each by itself
		set(all, w.Expr(c, a.Sizes, 3))
	case 1: // two parts
		cut := w.One("i < 2", "i mod 2 = 0", "i + 1 < "+a.Sizes[0], "2*i >= "+a.Sizes[0])
		set(all+" and "+cut, w.Expr(c, a.Sizes, 2))
		set(all+" and not ("+cut+")", w.Expr(c, a.Sizes, 2))
	case 2: // a recurrence, up or down
		back := append([]string{"i-1"}, c[1:]...)
		first := "i = 0"
		if w.IntN(2) == 0 {
			back[0], first = "i+1", "i = "+a.Sizes[0]+" - 1"
		}
		if len(c) > 1 && w.IntN(2) == 0 {
			back[1] = w.One("0", "j", a.Sizes[1]+"-1-j")
		}
		set(all+" and "+first, w.Expr(c, a.Sizes, 1))
		set(all+" and not ("+first+")", a.With(back)+" "+w.One("+", "-")+" "+w.Expr(c, a.Sizes, 2))
	case 3, 4: // a reduction
		domain := all + " and 0 <= l < " + w.One("N", "K", "i + 1", "i")
		w.Line("%s %s %s : { [%s,l] : %s };", a.With(c), w.One("+=", "max=", "min=", "*="), w.Expr(append(c[:len(c):len(c)], "l"), append(a.Sizes[:len(a.Sizes):len(a.Sizes)], ""), 2), strings.Join(c, ","), domain)
	case 5: // a reduction whose result is fed back (the paper's equation 4)
		if len(c) != 1 {
			set(all, w.Expr(c, a.Sizes, 3))
			return
		}
		s := a.Name + "s"
		w.Line("local %s[%s] : i64;", s, a.Sizes[0])
		w.Line("%s[0] = %s;", a.Name, w.Expr(nil, nil, 1))
		w.Line("%s[i] += %s[l] : { [i,l] : 0 <= l <= i < %s };", s, a.Name, a.Sizes[0])
		w.Line("%s[i+1] = %s[i] mod 7 + %s : { [i] : 0 <= i < %s - 1 };", a.Name, s, w.Expr([]string{"i"}, a.Sizes, 1), a.Sizes[0])
	case 6: // nested reductions
		set(all, w.One("sum", "max", "min", "prod")+"{l : 0 <= l < "+w.One("i", "K", "3")+"} "+w.term(append(c[:len(c):len(c)], "l"), append(a.Sizes[:len(a.Sizes):len(a.Sizes)], ""), 1)+" + "+w.Expr(c, a.Sizes, 1))
	}
}

// Expr is a sum of terms.
func (w *Writer) Expr(c, sizes []string, depth int) string {
	out := w.term(c, sizes, depth)
	for range w.IntN(2) {
		out += " " + w.One("+", "-") + " " + w.term(c, sizes, depth)
	}
	return "(" + out + ")"
}

// term: products are kept small by mod.
func (w *Writer) term(c, sizes []string, depth int) string {
	if depth == 0 || w.IntN(5) == 0 {
		if len(c) > 0 && w.IntN(2) == 0 {
			return "i64(" + c[w.IntN(len(c))] + ")"
		}
		return fmt.Sprintf("i64(%d)", w.IntN(9)-4)
	}
	switch w.IntN(6) {
	case 0:
		return "(" + w.term(c, sizes, depth-1) + " mod 5) * (" + w.term(c, sizes, depth-1) + " mod 7)"
	case 1:
		return "select(" + w.Expr(c, sizes, depth-1) + " < " + w.Expr(c, sizes, depth-1) + ", " + w.Expr(c, sizes, depth-1) + ", " + w.term(c, sizes, depth-1) + ")"
	case 2:
		return w.One("min", "max") + "(" + w.Expr(c, sizes, depth-1) + ", " + w.term(c, sizes, depth-1) + ")"
	case 3:
		if len(c) > 0 && c[0] == "i" && sizes[0] == "N" {
			return "w[Z[i]]"
		}
	}
	return w.read(c, depth)
}

// read is an element of an array, under a condition that keeps the index inside.
func (w *Writer) read(c []string, depth int) string {
	a := w.Arrays[w.IntN(len(w.Arrays))]
	var index, inside []string
	for _, size := range a.Sizes {
		x := "0"
		if len(c) > 0 && w.IntN(4) > 0 {
			x = c[w.IntN(len(c))]
			x = w.One(x, x, x+" + 1", x+" - 1", size+" - 1 - "+x, "floor("+x+" / 2)", "2*"+x, x+" mod 2")
		} else {
			x = w.One("0", size+" - 1")
		}
		index = append(index, x)
		inside = append(inside, "0 <= "+x+" and "+x+" < "+size)
	}
	if len(a.Sizes) == 0 {
		return a.Name
	}
	return "select(" + strings.Join(inside, " and ") + ", " + a.With(index) + ", " + w.term(c, []string{"", "", "", ""}, depth-1) + ")"
}

// Identities are those of operators, of 64-bit integers.
var Identities = map[string]string{"+=": "i64(0)", "*=": "i64(1)", "max=": "i64(-9223372036854775807) - i64(1)", "min=": "i64(9223372036854775807)"}
