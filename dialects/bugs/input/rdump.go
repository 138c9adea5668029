package input

import (
	"math"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/unwind"
)

// An rValue is a vector as R has it: column by column if it has dimensions,
// unless rowMajor says otherwise.
type rValue struct {
	vals     []float64
	miss     []bool
	dim      []int
	rowMajor bool
	scalar   bool   // written as a single literal
	not      string // what it is if it is no number: aText, aList, aNull
	parts    []rArg // of a list
	texts    []string
	levels   []string // of a factor
	frame    bool     // a list that is a data frame
}

// What a value may be that is no number.
const (
	aText = "text"
	aList = "a list"
	aNull = "NULL"
)

// An rArg is an argument of a call.
type rArg struct {
	name string
	v    *rValue
	at   diag.Span
}

// parseR reads assignments, OpenBUGS lists and tables, in any order.
func parseR(b *builder, kind Kind) {
	p := &rParser{builder: b, text: b.src.Text}
	p.tok.end = len(b.src.Text) - len(trimBOM(b.src.Text))
	unwind.Catch[syntax.GiveUp](func() {
		p.next()
		for p.tok.kind != rEOF && !p.errs.Full() {
			if p.tok.kind == ';' {
				p.next()
				continue
			}
			p.item(kind)
		}
	})
}

// item reads one assignment, list or table.
func (p *rParser) item(kind Kind) {
	first := p.tok
	at := p.at()
	if first.kind != rName && first.kind != rString {
		p.fail(at, "write name <- value", "expected a name, found %s", p.describe())
	}
	p.next()
	switch {
	case p.tok.kind == rAssign:
		p.next()
		p.take(first.text, at)
	case p.tok.kind == '(' && first.text == "list" && first.kind == rName:
		p.list()
	case p.tok.kind == '(' && first.text == "structure" && first.kind == rName: // dput of a list with attributes
		v := p.apply(first.text, at)
		if v.not != aList {
			p.fail(at, "write name <- structure(..), or dput(list(name = ..))", "this array has no name")
		}
		p.takeList(first.text, at, v)
	case p.tok.kind == '(' && first.text == "assign" && first.kind == rName:
		p.assign()
	case p.tok.kind == '[' && first.kind == rName:
		p.table(first.start)
	case kind == BUGSList && first.text == "END":
	default:
		p.fail(p.at(), "write name <- value, or list(name = value)", "expected `<-` after %s, found %s", syntax.Clip(first.text), p.describe())
	}
}

// take reads a value and adds it under a name.
func (p *rParser) take(name string, at diag.Span) {
	start := p.at()
	v := p.value()
	switch p.tok.kind {
	case '+', '-', '*', '/', '^':
		p.fail(p.at(), "write the number itself", "values in data are not computed")
	}
	p.takeValue(name, at, start, v)
}

// array converts to storage row by row.
func (p *rParser) array(v *rValue) *Array {
	a := &Array{Dims: v.dim, Values: v.vals, Missing: v.miss}
	switch {
	case v.dim == nil && v.scalar && len(v.vals) == 1:
		return a
	case v.dim == nil:
		a.Dims = []int{len(v.vals)}
		return a
	case v.rowMajor || len(v.dim) < 2:
		return a
	}
	a.Values = rowMajor(v.vals, v.dim)
	if v.miss != nil {
		a.Missing = rowMajor(v.miss, v.dim)
	}
	return a
}

// rowMajor reorders column-major elements.
func rowMajor[T any](in []T, dim []int) []T {
	out := make([]T, len(in))
	ix := make([]int, len(dim))
	strides := make([]int, len(dim))
	for i, s := 0, 1; i < len(dim); i++ {
		strides[i] = s
		s = ir.Times(s, dim[i])
	}
	from := 0
	for k := range out {
		out[k] = in[from]
		for d := len(dim) - 1; d >= 0; d-- {
			ix[d]++
			from += strides[d]
			if ix[d] < dim[d] {
				break
			}
			from -= strides[d] * ix[d]
			ix[d] = 0
		}
	}
	return out
}

// list reads OpenBUGS's `list(name = value, ...)`; the parenthesis is current.
func (p *rParser) list() {
	open := p.at()
	p.lists++
	p.inList = true
	defer func() { p.inList = false }()
	p.next()
	for p.tok.kind != ')' {
		name, at := p.tok, p.at()
		if name.kind != rName && name.kind != rString {
			p.fail(at, "write list(name = value, ...)", "expected a name, found %s", p.describe())
		}
		p.next()
		if p.tok.kind == '(' && name.text == "list" {
			p.failChains(at)
		}
		if p.tok.kind != rAssign {
			p.fail(p.at(), "write list(name = value, ...)", "expected `=` after %s, found %s", syntax.Clip(name.text), p.describe())
		}
		p.next()
		p.take(name.text, at)
		if p.tok.kind == ',' {
			p.next()
		} else if p.tok.kind != ')' {
			p.closing(open)
		}
	}
	p.next()
}

// closing reads a parenthesis, or reports that it is missing.
func (p *rParser) closing(open diag.Span) {
	if p.tok.kind == ')' {
		p.next()
		return
	}
	p.errs.Add(diag.Errorf(p.at(), "expected `,` or `)`, found %s", p.describe()).WithNote(open, "to close this").
		WithFix("write a comma between values, or the missing parenthesis"))
	panic(syntax.GiveUp{})
}

// value reads `term` or `term:term`.
func (p *rParser) value() *rValue {
	p.depth++
	defer func() { p.depth-- }()
	if p.depth > diag.MaxNesting {
		p.fail(p.at(), "", "nested more than %d levels deep", diag.MaxNesting)
	}
	at := p.at()
	v := p.term()
	if p.tok.kind != ':' {
		return v
	}
	p.next()
	w := p.term()
	from, to := p.single(v, at), p.single(w, at)
	return p.sequence(at, from, to, 1)
}

// sequence makes from, from+by, ... up to to; a step of 1 also counts down.
func (p *rParser) sequence(at diag.Span, from, to, by float64) *rValue {
	if by == 1 && to < from {
		by = -1
	}
	n := math.Floor((to-from)/by + 1e-10)
	if !(n >= 0) || n >= maxGenerated {
		p.fail(at, "write the values out", "this sequence is not finite, or too long")
	}
	v := &rValue{vals: make([]float64, p.allow(at, int(n)+1))}
	for i := range v.vals {
		v.vals[i] = from + float64(i)*by
	}
	return v
}

// allow counts elements that are made, not written, and bounds them.
func (p *rParser) allow(at diag.Span, n int) int {
	if n < 0 || n > maxGenerated-p.generated {
		p.fail(at, "write the values out", "short notations make more than %d elements", maxGenerated)
	}
	p.generated += n
	return n
}

// single is the number of a value of length one.
func (p *rParser) single(v *rValue, at diag.Span) float64 {
	if v.not != "" || len(v.vals) != 1 || v.miss != nil && v.miss[0] {
		p.fail(at, "write one number", "a single number is wanted here")
	}
	return v.vals[0]
}

// term reads a value with signs before it.
func (p *rParser) term() *rValue {
	sign := 1.0
	for p.tok.kind == '-' || p.tok.kind == '+' {
		if p.tok.kind == '-' {
			sign = -sign
		}
		for ; p.tok.end < len(p.text) && (p.text[p.tok.end] == '-' || p.text[p.tok.end] == '+'); p.tok.end++ { // more signs are no tokens
			if p.text[p.tok.end] == '-' {
				sign = -sign
			}
		}
		p.next()
	}
	v := p.primary()
	if sign < 0 {
		if v.not != "" {
			p.fail(p.at(), "remove it", "a sign before %s", v.not)
		}
		neg := *v
		neg.vals = make([]float64, len(v.vals))
		for i, x := range v.vals {
			neg.vals[i] = -x
		}
		return &neg
	}
	return v
}

// rConstants are the names that are values.
var rConstants = map[string]float64{
	"TRUE": 1, "FALSE": 0, "T": 1, "F": 0, "NaN": math.NaN(), "Inf": math.Inf(1), "pi": math.Pi,
}

func (p *rParser) primary() *rValue {
	t := p.tok
	at := p.at()
	switch t.kind {
	case rNumber:
		p.next()
		return &rValue{vals: []float64{t.num}, scalar: true}
	case rString:
		p.next()
		return &rValue{not: aText, texts: []string{t.text}}
	case '(':
		p.next()
		v := p.value()
		p.closing(at)
		return v
	case rName:
		p.next()
		if p.tok.kind == '(' {
			return p.apply(t.text, at)
		}
		switch t.text {
		case "NA", "NA_real_", "NA_integer_":
			return &rValue{vals: []float64{math.NaN()}, miss: []bool{true}, scalar: true}
		case "NA_character_":
			return &rValue{not: aText, texts: []string{"NA"}}
		case "NULL":
			return &rValue{not: aNull}
		}
		if x, ok := rConstants[t.text]; ok {
			return &rValue{vals: []float64{x}, scalar: true}
		}
		p.fail(at, "write the number itself", "the name %s stands where a value is wanted", syntax.Clip(t.text))
	}
	p.fail(at, "write a number, NA, or c(...) of them", "expected a value, found %s", p.describe())
	return nil
}

// args reads `(a, name = b)`; the parenthesis is current. With join, numbers side
// by side are one argument: they are put together anyway, and may be very many.
func (p *rParser) args(join bool) []rArg {
	open := p.at()
	p.next()
	var args []rArg
	for p.tok.kind != ')' {
		a := rArg{at: p.at()}
		if join {
			a.v = p.run()
		}
		if a.v == nil && (p.tok.kind == rName || p.tok.kind == rString) {
			here := p.tok
			p.next()
			if p.tok.kind == rAssign {
				a.name = here.text
				p.next()
			} else {
				p.tok = rToken{end: here.start} // back to the name
				p.next()
			}
		}
		many := a.v != nil
		if !many {
			a.v = p.value()
		}
		if n := len(args); join && n > 0 && a.isNumbers() && args[n-1].isNumbers() {
			args[n-1].v.join(a.v)
		} else {
			args = append(args, a)
		}
		if many {
			if p.tok.kind == ')' {
				p.fail(p.at(), "remove the comma", "an argument is missing before `)`")
			}
		} else if p.tok.kind == ',' {
			p.next()
			if p.tok.kind == ')' {
				p.fail(p.at(), "remove the comma", "an argument is missing before `)`")
			}
		} else if p.tok.kind != ')' {
			p.closing(open)
		}
	}
	p.next()
	return args
}

// isNumbers reports an argument that is nothing but numbers.
func (a *rArg) isNumbers() bool {
	return a.name == "" && a.v.not == "" && a.v.dim == nil
}
