// Package index keeps what stands where in a text, as its reader tells it.
//
// An Index of nil takes what it is told and keeps nothing, so that readers tell it always. What is read twice, since the
// reader went back, is told twice: the reader says with Mark and Back how much no longer holds.
package index

import (
	"cmp"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// A Kind is what an Entry is about.
type Kind uint8

const (
	Op         Kind = iota // an op, from its results to its last token
	Definition             // the name of a result, of an argument or of an alias, where it is defined
	Use                    // one of these names, elsewhere
	Type                   // a type; the types that it is made of have entries of their own
)

// An Entry says of the bytes from Start to End what was read there.
type Entry struct {
	Kind       Kind
	Start, End int
	Name       int       // Op: where its name begins. Use: where the definition does, or -1 if none was found
	Def        *ir.OpDef // Op
	Type       ir.Type   // Type: itself. Definition, Use: of the value, or ir.NoType if it is an alias or several values
}

// An Index is what stands where in a text. The zero Index is empty.
type Index struct {
	entries []Entry
	defined map[int]int // a use to its definition, for names that are used before
}

// Add keeps an entry.
func (x *Index) Add(e Entry) {
	if x != nil {
		x.entries = append(x.entries, e)
	}
}

// DefinedAt says where the definition begins of the name that was used at an offset, before it was defined.
func (x *Index) DefinedAt(use, def int) {
	if x == nil {
		return
	}
	if x.defined == nil {
		x.defined = map[int]int{}
	}
	x.defined[use] = def
}

// Mark is how much there is now.
func (x *Index) Mark() int {
	if x == nil {
		return 0
	}
	return len(x.entries)
}

// Back forgets all since a mark.
func (x *Index) Back(mark int) {
	if x != nil {
		x.entries = x.entries[:mark]
	}
}

// Entries are all entries by Start; of those that begin together the longest comes first.
func (x *Index) Entries() []Entry {
	slices.SortStableFunc(x.entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Kind, b.Kind))
	})
	for i := range x.entries {
		if e := &x.entries[i]; e.Kind == Use && e.Name < 0 {
			if def, ok := x.defined[e.Start]; ok {
				e.Name = def
			}
		}
	}
	return x.entries
}

// At are the entries that cover the byte at an offset, the innermost last.
func (x *Index) At(offset int) (out []Entry) {
	for _, e := range x.Entries() {
		if e.Start > offset {
			break
		}
		if offset < e.End {
			out = append(out, e)
		}
	}
	return out
}
