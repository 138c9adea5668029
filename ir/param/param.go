// Package param has the kinds of parameters that types and attributes of dialects take, for ir and for what reads and prints them.
package param

// A Kind says how a parameter is written, and what attribute it is to generic code.
type Kind uint8

// The kinds of parameters.
const (
	Type   Kind = iota // a type; an AttrType
	Types              // [t, ...]; an AttrArray of AttrType
	Int                // an integer; an AttrInt, i64
	Ints               // [1, 2]; array<i64: ...>
	Float              // an f64; an AttrFloat
	String             // "text"; an AttrString
	Word               // one of Words; an AttrInt, i64: its place
	Size               // 4, ? or a name; see ir.Size
	Sizes              // [4, ?, n]; an AttrArray of sizes
	Fields             // x: t, ...; an AttrArray of pairs, a string and a type
	Attr               // any attribute
)

// String says what a parameter of the kind is.
func (k Kind) String() string {
	return [...]string{"type", "types", "integer", "integers", "float", "string", "word", "size", "sizes", "fields", "attribute"}[k]
}
