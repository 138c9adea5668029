package simplify

import (
	"strings"

	p "github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
)

// An affine function of tuples: a row for each value, of a constant, and the coefficients of the
// parameters and of the dimensions.
type affine struct {
	in, out p.Tuple
	params  []string
	rows    [][]p.Int
}

// affineOf reads a function. ok is false where it has floors, or more than one piece.
func affineOf(m p.Map, params []string) (f affine, ok bool) {
	f.in, f.out = m.Tuples()
	f.params = params
	pw, err := m.AsPwMultiAff()
	if err != nil {
		return f, false
	}
	a, ok := pw.AsMultiAff()
	if !ok {
		return f, false
	}
	whole := true
	num := func(r p.Rat) p.Int {
		whole = whole && r.IsInt()
		return r.Num
	}
	for i := range f.out.Len() {
		x := a.At(i)
		if x.HasFloors() {
			return f, false
		}
		r := []p.Int{num(x.Constant())}
		for _, name := range params {
			r = append(r, num(x.ParamCoefficient(name)))
		}
		for k := range f.in.Len() {
			r = append(r, num(x.Coefficient(k)))
		}
		f.rows = append(f.rows, r)
	}
	return f, whole
}

// linear is the coefficients of the dimensions.
func (f affine) linear() [][]p.Int {
	return lists.Map(f.rows, func(r []p.Int) []p.Int { return r[1+len(f.params):] })
}

// graph is the function as a relation.
func (f affine) graph() p.Map {
	b := p.Basic{Params: f.params, In: f.in, Out: f.out}
	for i, r := range f.rows {
		e := make([]p.Int, 1+len(f.params)+f.in.Len()+f.out.Len())
		copy(e, r)
		e[1+len(f.params)+f.in.Len()+i] = p.NewInt(-1)
		b.Eq = append(b.Eq, e)
	}
	return p.MapOf(b)
}

// quotient is a function whose values are equal where the difference is in a space, a basis of
// which is orthogonal to its rows.
func quotient(in p.Tuple, params []string, kernel [][]p.Int, names func(row []p.Int, i int) string) affine {
	f := affine{in: in, params: params}
	var dims []string
	for i, h := range p.Orthogonal(kernel, in.Len()) {
		f.rows = append(f.rows, append(make([]p.Int, 1+len(params)), h...))
		dims = append(dims, names(h, i))
	}
	f.out = p.NewTuple("", dims...)
	return f
}

// through is the g with f = g after q. The rows of q are in Hermite normal form, and f has one value
// where q has.
func (f affine) through(q affine) affine {
	g := affine{in: q.out, out: f.out, params: f.params}
	first := 1 + len(f.params)
	for _, r := range f.rows {
		rest := append([]p.Int(nil), r[first:]...)
		row := append(append([]p.Int(nil), r[:first]...), make([]p.Int, len(q.rows))...)
		for i, h := range q.linear() {
			c := pivot(h)
			k := rest[c].FloorDiv(h[c])
			row[first+i] = k
			for j := range rest {
				rest[j] = rest[j].Sub(k.Mul(h[j]))
			}
		}
		g.rows = append(g.rows, row)
	}
	return g
}

func pivot(r []p.Int) int {
	for i, x := range r {
		if x.Sign() != 0 {
			return i
		}
	}
	return -1
}

// times is a matrix applied to a vector.
func times(rows [][]p.Int, v []p.Int) []p.Int {
	return lists.Map(rows, func(r []p.Int) p.Int { return dot(r, v) })
}

func dot(a, b []p.Int) (s p.Int) {
	for i := range a {
		s = s.Add(a[i].Mul(b[i]))
	}
	return s
}

func isZero(v []p.Int) bool { return pivot(v) < 0 }

func negated(v []p.Int) []p.Int {
	out := make([]p.Int, len(v))
	for i := range v {
		out[i] = v[i].Neg()
	}
	return out
}

// translation relates each tuple to itself moved by a vector.
func translation(t p.Tuple, v []p.Int) p.Map {
	f := affine{in: t, out: t}
	for i := range t.Len() {
		f.rows = append(f.rows, append([]p.Int{v[i]}, unit(i, t.Len())...))
	}
	return f.graph()
}

// text is what the rows compute: (i, j + k).
func (f affine) text() string {
	pw := unwind.Must(f.graph().AsPwMultiAff())
	text := strings.TrimSuffix(pw.String(), " }")
	text = text[strings.LastIndex(text, "-> [")+len("-> ["):]
	return strings.NewReplacer("), (", ", ", ")]", ")").Replace(text)
}
