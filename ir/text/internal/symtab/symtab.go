package symtab

import (
	"hash/maphash"
	"sort"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Def is what a name stands for: the results of one op or one argument. It has no
// pointers, so the collector does not look at those of a large function.
type Def struct {
	At, size int32    // its name, in the source
	N        int32    // how many values it stands for; 0: of an op that was wrong already
	One      ir.Value // the only one, or the place of the first in the scope's values
	before   int32    // the definition that it hides, a wrong one; 0 for none
}

// Wrong reports the name of an op that was wrong: what uses it is not reported.
func (d *Def) Wrong() bool { return d.N == 0 }

// Value returns the i-th value of a name, and how many it has.
func (s *Scope) Value(d *Def, i int) (v ir.Value, n int) {
	switch n = int(d.N); {
	case n == 1:
		v = d.One
	case i < n:
		v = s.values[int(d.One)+i]
	}
	return v, n
}

// Names like %12 and %v12 are looked up by their number in the family of their word:
// those of at most maxWord bytes, of the first maxFamilies words of a scope, and no
// further than maxNumber from the first of the family.
const (
	maxWord     = 7
	maxFamilies = 8
	maxNumber   = 1 << 20
)

// family is the names of a scope that are a word and a number.
type family struct {
	word uint64  // the bytes of the word, after a 1
	base int     // of the numbers
	at   []int32 // into defs, of the name that is this number plus base
}

// Scope holds the names that are visible: those of one isolated op. As names come
// and go like a stack, the list of definitions says what to undo, and the hash table
// needs no marks where a name was.
type Scope struct {
	src      string
	values   []ir.Value // of names that stand for several
	Defs     []Def      // those visible, innermost region last; the first stands for none
	families []family
	table    []int32 // into defs, of the other names, by hash
	hashed   int     // how many those are

	Note *[]int32 // if there, gets the places of the definitions that are used

	Forwards     map[string][]Forward // uses of names that are not defined yet
	MadeForwards int                  // how many there ever were
}

var nameSeed = maphash.MakeSeed()

func NewScope(src string) *Scope {
	return &Scope{src: src, Defs: make([]Def, 1, 64), table: make([]int32, 64)}
}

// Name is the text of a definition's name.
func (s *Scope) Name(d *Def) string { return s.src[d.At : d.At+d.size] }

// split returns the word and the number of a name, if it is of these.
func split(name string) (word uint64, n int, ok bool) {
	i := len(name)
	for unit := 1; i > 1 && lex.IsDigit(name[i-1]) && len(name)-i < 9; unit *= 10 {
		i--
		n += unit * int(name[i]-'0')
	}
	if i == len(name) || i > 1+maxWord || name[i] == '0' && i < len(name)-1 {
		return 0, 0, false
	}
	word = 1
	for _, c := range []byte(name[1:i]) {
		word = word<<8 | uint64(c)
	}
	return word, n, true
}

// numbered returns where a definition of a name is noted by number: nil if it is not, or
// if that is so far away that there is none yet and none is to be made.
func (s *Scope) numbered(name string, grow bool) (slot *int32, ok bool) {
	word, n, ok := split(name)
	if !ok {
		return nil, false
	}
	for i := range s.families {
		if f := &s.families[i]; f.word == word {
			return f.slot(n-f.base, grow)
		}
	}
	if !grow || len(s.families) == maxFamilies {
		return nil, false
	}
	f := s.family()
	f.word, f.base = word, max(n-64, 0)
	return f.slot(n-f.base, true)
}

// family adds one, in the memory of a former one if there is.
func (s *Scope) family() *family {
	n := len(s.families)
	if n == cap(s.families) {
		s.families = append(s.families, family{})
	}
	s.families = s.families[:n+1]
	return &s.families[n]
}

func (f *family) slot(n int, grow bool) (slot *int32, ok bool) {
	switch {
	case n < 0 || n >= maxNumber:
		return nil, false
	case n < len(f.at):
		return &f.at[n], true
	case grow:
		f.grow(n)
		return &f.at[n], true
	}
	return nil, true
}

func (f *family) grow(n int) {
	f.at = append(f.at, make([]int32, max(64, len(f.at), n+1-len(f.at)))...)
}

// slot returns where a definition of a name is noted by hash, or would be.
func (s *Scope) slot(name string) *int32 {
	mask := uint64(len(s.table) - 1)
	for i := maphash.String(nameSeed, name) & mask; ; i = (i + 1) & mask {
		if d := s.table[i]; d == 0 || s.Name(&s.Defs[d]) == name {
			return &s.table[i]
		}
	}
}

// place returns where a definition of a name is noted, or would be: nil where no name
// that far is. What is to be defined is given a place.
func (s *Scope) place(name string, define bool) (slot *int32, hashed bool) {
	if slot, ok := s.numbered(name, define); ok {
		return slot, false
	}
	return s.slot(name), true
}

// at returns the definition that is noted in a place, or nil.
func (s *Scope) at(slot *int32) *Def {
	if slot == nil || *slot == 0 {
		return nil
	}
	return &s.Defs[*slot]
}

// Find returns the definition of a name that is used, or nil.
func (s *Scope) Find(name string) *Def {
	slot, _ := s.place(name, false)
	d := s.at(slot)
	if s.Note != nil && d != nil {
		*s.Note = append(*s.Note, d.At)
	}
	return d
}

// Use returns the definition of the name that begins at an offset, or nil, and where the name ends.
func (s *Scope) Use(at int) (d *Def, end int) {
	src, i, n := s.src, at+1, 0
	if at >= len(src) || src[at] != '%' {
		return nil, 0
	}
	for i < len(src) && lex.IsDigit(src[i]) {
		n = 10*n + int(src[i]-'0')
		i++
	}
	if i > at+1 {
		if len(s.families) > 0 && s.families[0].word == 1 && i < at+9 && (src[at+1] != '0' || i == at+2) {
			if f := &s.families[0]; uint(n-f.base) < uint(len(f.at)) && f.at[n-f.base] != 0 {
				return &s.Defs[f.at[n-f.base]], i
			}
			return nil, 0
		}
		return s.Find(src[at:i]), i
	}
	for i < len(src) && lex.IsSuffix(src[i]) {
		i++
	}
	return s.Find(src[at:i]), i
}

// bind makes a definition the one of its name, which has this place.
func (s *Scope) bind(d Def, slot *int32, hashed bool) {
	d.before = *slot
	*slot = int32(len(s.Defs))
	s.Defs = append(s.Defs, d)
	if hashed {
		if s.hashed++; 2*s.hashed > len(s.table) {
			s.grow()
		}
	}
}

// grow makes a larger table: names in the order of their definitions, so that
// taking the last one out leaves no hole before another.
func (s *Scope) grow() {
	s.table = make([]int32, 2*len(s.table))
	for i := range s.Defs[1:] {
		name := s.Name(&s.Defs[i+1])
		if slot, hashed := s.place(name, false); hashed {
			*slot = int32(i + 1)
		}
	}
}

// Restore ends the regions that began when there were n definitions.
func (s *Scope) Restore(n int) {
	for i := len(s.Defs) - 1; i >= n; i-- {
		d := &s.Defs[i]
		name := s.Name(d)
		slot, hashed := s.place(name, false)
		if *slot = d.before; hashed {
			s.hashed--
		}
		if d.N > 1 {
			s.values = s.values[:d.One]
		}
	}
	s.Defs = s.Defs[:min(n, len(s.Defs))]
}

// Visible lists the names in order.
func (s *Scope) Visible() (out []string) {
	for i := range s.Defs[1:] {
		if d := &s.Defs[i+1]; d.before == 0 {
			out = append(out, s.Name(d))
		}
	}
	sort.Strings(out)
	return out
}

// Forward is a use that waits for its definition.
type Forward struct {
	Name  string
	Span  diag.Span
	Index int // %name#index
	V     ir.Value
	Seq   int // how many there were before it in its scope
}

// Clear ends all of a scope, whose memory is for another.
func (s *Scope) Clear() {
	s.Restore(1)
	s.families = s.families[:0]
}

// Define binds a name, which stands at an offset, to values; none if its op was wrong. A name that stands
// for values already stays as it is: its definition is returned as old.
func (s *Scope) Define(name string, at int, vals []ir.Value) (d Def, old *Def) {
	slot, hashed := s.place(name, true)
	if old := s.at(slot); old != nil && !old.Wrong() && len(vals) > 0 {
		return d, old
	}
	d = Def{At: int32(at), size: int32(len(name)), N: int32(len(vals))}
	switch {
	case len(vals) == 1:
		d.One = vals[0]
	case len(vals) > 1:
		d.One = ir.Value(len(s.values))
		s.values = append(s.values, vals...)
	}
	s.bind(d, slot, hashed)
	return d, nil
}
