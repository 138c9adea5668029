package text

import (
	"hash/maphash"
	"sort"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// def is what a name stands for: the results of one op or one argument. A
// poisoned one belongs to an op that was wrong already.
type def struct {
	name   string
	one    ir.Value // what a name of one value stands for: most do
	at     int32
	before int32 // the definition that it hides, a poisoned one; 0 for none
	poison bool
	vals   []ir.Value // of an op with several results; nil if one is set
}

// value returns the i-th value of a name, and how many it has.
func (d *def) value(i int) (v ir.Value, n int) {
	if d.vals == nil {
		return d.one, 1
	}
	if i < len(d.vals) {
		v = d.vals[i]
	}
	return v, len(d.vals)
}

// maxNumber is how far the numbers of a scope may lie from its first one to be
// looked up by number.
const maxNumber = 1 << 20

// scope holds the names that are visible: those of one isolated op. As names come
// and go like a stack, the list of definitions says what to undo, and the hash table
// needs no marks where a name was.
type scope struct {
	defs    []def   // those visible, innermost region last; the first stands for none
	base    int     // of the numbers; -1 before the first
	numbers []int32 // into defs, of the name that is this number plus base
	table   []int32 // into defs, of the other names, by hash
	words   int     // of those

	forwards     map[string][]forward // uses of names that are not defined yet
	madeForwards int                  // how many there ever were
}

var nameSeed = maphash.MakeSeed()

func newScope() *scope {
	return &scope{defs: make([]def, 1, 64), base: -1, table: make([]int32, 64)}
}

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
		if d := s.table[i]; d == 0 || s.defs[d].name == name {
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
	n := s.number(d.name)
	slot := s.slot(d.name, n)
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
		name := s.defs[i+1].name
		if n := s.number(name); n < 0 {
			*s.slot(name, n) = int32(i + 1)
		}
	}
}

// restore ends the regions that began when there were n definitions.
func (s *scope) restore(n int) {
	for i := len(s.defs) - 1; i >= n; i-- {
		d := &s.defs[i]
		k := s.number(d.name)
		*s.slot(d.name, k) = d.before
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
			out = append(out, d.name)
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
		p.scope = newScope()
	}
}

// closeScope ends them and goes back to those of the op around it.
func (p *Parser) closeScope(outer *scope) {
	p.scope.restore(1)
	p.scope.base = -1
	p.scopes = append(p.scopes, p.scope)
	p.scope = outer
}

// define binds a name in the scope that is open.
func (p *Parser) define(name string, d def) {
	if old := p.scope.find(name); old != nil && !old.poison && !d.poison {
		at, before := int(d.at), int(old.at)
		p.Fail(diag.Errorf(p.file.Span(at, at+len(name)), "redefinition of value '%s'", short(name)).
			WithNote(p.file.Span(before, before+len(name)), "previously defined here"))
	}
	d.name = name
	p.scope.bind(d)
	if len(p.scope.forwards) > 0 {
		p.defineForwards(name, d)
	}
}
