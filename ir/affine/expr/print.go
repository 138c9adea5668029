package expr

import (
	"strconv"
	"strings"
)

var words = [...]string{OpMul: " * ", OpMod: " mod ", OpFloorDiv: " floordiv ", OpCeilDiv: " ceildiv "}

// A Writer is where an expression is written: text, and its dimensions and symbols.
type Writer interface {
	Str(s ...string)
	Leaf(op Op, i int)
}

// text writes dimensions as d0, d1 and symbols as s0, s1.
type text struct{ strings.Builder }

func (t *text) Str(ss ...string) {
	for _, s := range ss {
		t.WriteString(s)
	}
}

func (t *text) Leaf(op Op, i int) {
	if op == OpDim {
		t.WriteByte('d')
	} else {
		t.WriteByte('s')
	}
	t.WriteString(strconv.Itoa(i))
}

// String writes an expression as MLIR does.
func (e *Expr) String() string {
	var t text
	e.Write(&t)
	return t.String()
}

// Write writes an expression as MLIR does.
func (e *Expr) Write(w Writer) { e.write(w, false) }

// write writes an expression; strong asks for parentheses around anything that is no operand.
func (e *Expr) write(w Writer, strong bool) {
	switch {
	case e.Op == OpConst:
		w.Str(strconv.FormatInt(e.N, 10))
		return
	case e.Op == OpDim || e.Op == OpSym:
		w.Leaf(e.Op, int(e.N))
		return
	case e.Op == OpMul && e.R.Is(-1):
		w.Str("-")
		e.L.write(w, true)
		return
	}
	if strong {
		w.Str("(")
	}
	if e.Op == OpAdd {
		e.writeSum(w)
	} else {
		e.L.write(w, true)
		w.Str(words[e.Op])
		e.R.write(w, true)
	}
	if strong {
		w.Str(")")
	}
}

// writeSum writes what is added; a negative term as a subtraction.
func (e *Expr) writeSum(w Writer) {
	e.L.write(w, false)
	r := e.R
	switch {
	case r.Op == OpMul && r.R.Is(-1):
		w.Str(" - ")
		r.L.write(w, r.L.Op == OpAdd)
	case r.Op == OpMul && r.R.IsConst() && r.R.N < -1:
		w.Str(" - ")
		r.L.write(w, true)
		w.Str(" * ", strconv.FormatUint(-uint64(r.R.N), 10))
	case r.IsConst() && r.N < 0:
		w.Str(" - ", strconv.FormatUint(-uint64(r.N), 10))
	default:
		w.Str(" + ")
		r.write(w, false)
	}
}

// head writes (d0, d1)[s0].
func head(t *text, dims, syms int) {
	list := func(open, end string, op Op, n int) {
		t.Str(open)
		for i := range n {
			if i > 0 {
				t.Str(", ")
			}
			t.Leaf(op, i)
		}
		t.Str(end)
	}
	list("(", ")", OpDim, dims)
	if syms > 0 {
		list("[", "]", OpSym, syms)
	}
}

// String writes what stands inside affine_map<...>.
func (m *Map) String() string {
	var t text
	head(&t, m.Dims, m.Syms)
	t.Str(" -> (")
	for i, e := range m.Results {
		if i > 0 {
			t.Str(", ")
		}
		e.Write(&t)
	}
	t.Str(")")
	return t.String()
}

// String writes what stands inside affine_set<...>.
func (s *Set) String() string {
	var t text
	head(&t, s.Dims, s.Syms)
	t.Str(" : (")
	for i, c := range s.Constraints {
		if i > 0 {
			t.Str(", ")
		}
		c.Expr.Write(&t)
		if c.Equal {
			t.Str(" == 0")
		} else {
			t.Str(" >= 0")
		}
	}
	if len(s.Constraints) == 0 {
		t.Str("0 == 0")
	}
	t.Str(")")
	return t.String()
}
