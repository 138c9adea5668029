package intern

import "math/big"

// Attr is an interned attribute of a Context; 0 is none.
type Attr uint32

// AttrKind says which fields of an AttrInfo mean something.
type AttrKind uint8

// The kinds of attributes.
const (
	AttrInvalid AttrKind = iota
	AttrUnit
	AttrInt        // Type, Int (or Big where it does not fit); i1 prints as true and false
	AttrFloat      // Type, Bits: the pattern of the type's own format (f64 for f64 ...)
	AttrString     // Str; Type if one was written
	AttrType       // Type
	AttrArray      // List
	AttrDict       // Dict, sorted by name
	AttrSymbol     // Str: the root; List: nested AttrString names
	AttrMap        // Str: canonical text inside affine_map<...>
	AttrSet        // Str: canonical text inside affine_set<...>
	AttrStrided    // Shape: the strides, Int: the offset (Dynamic for ?)
	AttrDense      // Type (shaped), Str: little-endian elements, one if Splat
	AttrDenseText  // Type, Str: text inside dense<...> whose elements are not numbers of up to 64 bits
	AttrDenseArray // Type (of an element), Str: little-endian elements: array<i64: 1, 2>
	AttrOpaque     // Str: a dialect's own attribute, "#name.rest" without the "#"; Type if one was written
	AttrOther      // Str: balanced text kept as written (dense_resource<...>, sparse<...>, see Elements); Type if one was written; List
	AttrLoc        // Str: text inside loc(...)
	AttrProps      // Dict: properties; Attrs: discardable: all that an op carries
	AttrDefined    // Str: the name of an AttrDef; List: its parameters; Type if it stands for a value
)

// NamedAttr is one entry of a dictionary.
type NamedAttr struct {
	Name  string
	Value Attr
}

// AttrInfo is what an attribute consists of. It must not be changed once interned.
type AttrInfo struct {
	Kind  AttrKind
	Splat bool
	Type  Type
	Int   int64
	Bits  uint64
	Big   *big.Int
	Str   string
	Shape []int64
	List  []Attr
	Dict  []NamedAttr
	Attrs []NamedAttr
}
