package systems

import (
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// An Access is what a statement writes, or one of its reads.
type Access struct {
	Stmt *poly.Stmt
	Read int // -1 for what it writes
}

// Written is the access by which a statement writes.
func Written(st *poly.Stmt) Access { return Access{st, -1} }

// ReadBy is a read of a statement.
func ReadBy(st *poly.Stmt, i int) Access { return Access{st, i} }

// Inside are accesses whose indices are proven to lie in the memory of their array.
type Inside map[Access]bool

// Whole reports a statement all of whose accesses do.
func (in Inside) Whole(st *poly.Stmt) bool {
	for i := range st.Reads {
		if !in[ReadBy(st, i)] {
			return false
		}
	}
	return in[Written(st)]
}

// Linear has the coefficients of the coordinates in each value of a function without floors.
func Linear(m presburger.Map) (rows [][]float64, ok bool) {
	in, _ := m.Tuples()
	f, err := m.AsPwMultiAff()
	if err != nil {
		return nil, false
	}
	a, ok := f.AsMultiAff()
	if !ok {
		return nil, false
	}
	for i := range a.Len() {
		row, den, divs := a.At(i).Floors()
		if len(divs) > 0 || den.Cmp(presburger.NewInt(1)) != 0 {
			return nil, false
		}
		at := 1 + len(a.At(i).Params())
		r := make([]float64, in.Len())
		for d := range r {
			k, ok := row[at+d].Int64()
			if !ok {
				return nil, false
			}
			r[d] = float64(k)
		}
		rows = append(rows, r)
	}
	return rows, true
}

// IsDense reports memory whose rows have no gaps between elements, as vectors want it.
func IsDense(a *poly.ArrayDecl) bool {
	return a.Node.Def() != poly.Bind || a.Node.Graph().Ctx.Info(a.Node.Arg(0).Type()).Layout == 0
}
