package intern

// Type is an interned type of a Context. Equal types have equal numbers within
// one context; nothing observable depends on the number itself.
type Type uint32

// The types that every context has under the same number.
const (
	NoType Type = iota
	Void        // the type of an op without results
	None        // MLIR's none
	Index       // 64 bits everywhere
	I1
	I8
	I16
	I32
	I64
	F16
	BF16
	F32
	F64
	Token // a state of memory; never printed
	NumFixedTypes
)
