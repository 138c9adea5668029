package text

import (
	"hash/maphash"
	"sort"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// def is what a name stands for: the results of one op or one argument. It has no
// pointers, so the collector does not look at those of a large function.
type def struct {
	at, size int32    // its name, in the source
	n        int32    // how many values it stands for; 0: of an op that was wrong already
	one      ir.Value // the only one, or the place of the first in the scope's values
	before   int32    // the definition that it hides, a wrong one; 0 for none
}

// wrong reports the name of an op that was wrong: what uses it is not reported.
func (d *def) wrong() bool { return d.n == 0 }

// value returns the i-th value of a name, and how many it has.
func (s *scope) value(d *def, i int) (v ir.Value, n int) {
	switch n = int(d.n); {
	case n == 1:
		v = d.one
	case i < n:
		v = s.values[int(d.one)+i]
	}
	return v, n
}

// maxNumber is how far the numbers of a scope may lie from its first one to be
// looked up by number.
const maxNumber = 1 << 20

// scope holds the names that are visible: those of one isolated op. As names come
// and go like a stack, the list of definitions says what to undo, and the hash table
// needs no marks where a name was.
type scope struct {
	src     string
	values  []ir.Value // of names that stand for several
	defs    []def      // those visible, innermost region last; the first stands for none
	base    int        // of the numbers; -1 before the first
	numbers []int32    // into defs, of the name that is this number plus base
	table   []int32    // into defs, of the other names, by hash
	words   int        // of those

	forwards     map[string][]forward // uses of names that are not defined yet
	madeForwards int                  // how many there ever were
}

var nameSeed = maphash.MakeSeed()

func newScope(src string) *scope {
	return &scope{src: src, defs: make([]def, 1, 64), base: -1, table: make([]int32, 64)}
}

// name is the text of a definition's name.
func (s *scope) name(d *def) string { return s.src[d.at : d.at+d.size] }

// number returns the place of a name that is a number, or -1.
func (s *scope) number(name string) int {
	n := 0
	if len(name) < 2 || len(name) > 9 || name[1] == '0' && len(name) > 2 {
		return -1
	}
	for i := 1; i < len(name); i++ {
		if !isDigit(name[i]) {
			return -1
		}
		n = n*10 + int(name[i]-'0')
	}
	if s.base < 0 {
		s.base = max(n-64, 0)
	}
	if n -= s.base; n < 0 || n >= maxNumber {
		return -1
	}
	return n
}

// slot returns where a definition of a name is noted, or would be; n is its number.
func (s *scope) slot(name string, n int) *int32 {
	if n >= 0 {
		if n >= len(s.numbers) {
			s.numbers = append(s.numbers, make([]int32, max(64, len(s.numbers), n+1-len(s.numbers)))...)
		}
		return &s.numbers[n]
	}
	mask := uint64(len(s.table) - 1)
	for i := maphash.String(nameSeed, name) & mask; ; i = (i + 1) & mask {
		if d := s.table[i]; d == 0 || s.name(&s.defs[d]) == name {
			return &s.table[i]
		}
	}
}

// find returns the definition of a name, or nil.
func (s *scope) find(name string) *def {
	n := s.number(name)
	if n >= len(s.numbers) {
		return nil
	}
	if d := *s.slot(name, n); d != 0 {
		return &s.defs[d]
	}
	return nil
}

// bind makes a definition the one of its name.
func (s *scope) bind(d def) {
	name := s.name(&d)
	n := s.number(name)
	slot := s.slot(name, n)
	d.before = *slot
	*slot = int32(len(s.defs))
	s.defs = append(s.defs, d)
	if n < 0 {
		if s.words++; 2*s.words > len(s.table) {
			s.grow()
		}
	}
}

// grow makes a larger table: names in the order of their definitions, so that
// taking the last one out leaves no hole before another.
func (s *scope) grow() {
	s.table = make([]int32, 2*len(s.table))
	for i := range s.defs[1:] {
		name := s.name(&s.defs[i+1])
		if n := s.number(name); n < 0 {
			*s.slot(name, n) = int32(i + 1)
		}
	}
}

// restore ends the regions that began when there were n definitions.
func (s *scope) restore(n int) {
	for i := len(s.defs) - 1; i >= n; i-- {
		d := &s.defs[i]
		name := s.name(d)
		k := s.number(name)
		*s.slot(name, k) = d.before
		if d.n > 1 {
			s.values = s.values[:d.one]
		}
		if k < 0 {
			s.words--
		}
	}
	s.defs = s.defs[:min(n, len(s.defs))]
}

// visible lists the names in order.
func (s *scope) visible() (out []string) {
	for i := range s.defs[1:] {
		if d := &s.defs[i+1]; d.before == 0 {
			out = append(out, s.name(d))
		}
	}
	sort.Strings(out)
	return out
}

// openScope begins the names of an isolated op.
func (p *Parser) openScope() {
	if n := len(p.scopes); n > 0 {
		p.scope, p.scopes = p.scopes[n-1], p.scopes[:n-1]
	} else {
		p.scope = newScope(p.src)
	}
}

// closeScope ends them and goes back to those of the op around it.
func (p *Parser) closeScope(outer *scope) {
	p.scope.restore(1)
	p.scope.base = -1
	p.scopes = append(p.scopes, p.scope)
	p.scope = outer
}

// define binds a name, which stands at an offset, to values; none if its op was
// wrong.
func (p *Parser) define(name string, at int, vals ...ir.Value) {
	if p.src[at:min(at+len(name), len(p.src))] != name {
		panic("text: " + short(name) + " does not stand where it is said to be defined")
	}
	if old := p.scope.find(name); old != nil && !old.wrong() && len(vals) > 0 {
		before := int(old.at)
		p.Fail(diag.Errorf(p.file.Span(at, at+len(name)), "redefinition of value '%s'", short(name)).
			WithNote(p.file.Span(before, before+len(name)), "previously defined here"))
	}
	s := p.scope
	d := def{at: int32(at), size: int32(len(name)), n: int32(len(vals))}
	switch {
	case len(vals) == 1:
		d.one = vals[0]
	case len(vals) > 1:
		d.one = ir.Value(len(s.values))
		s.values = append(s.values, vals...)
	}
	s.bind(d)
	if len(s.forwards) > 0 {
		p.defineForwards(name, d)
	}
}
