package lit

import (
	"strconv"

	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/ir"
)

// Named is a type that llir v0.3.6 lacks: it prints as its name.
type Named struct{ Text string }

func (t *Named) String() string          { return t.Text }
func (t *Named) LLString() string        { return t.Text }
func (t *Named) Equal(u types.Type) bool { return t == u }
func (t *Named) Name() string            { return "" }
func (t *Named) SetName(string)          { panic("llvm: " + t.Text + " has its name already") }

// Ptr is opaque since LLVM 15.
var Ptr = &Named{"ptr"}

// Lit is a constant by its text. Integers of up to 64 bits know their value, so
// that address arithmetic on constants folds.
type Lit struct {
	Typ  types.Type
	Text string
	num  int64
	isN  bool
}

func (c *Lit) String() string   { return c.Typ.String() + " " + c.Text }
func (c *Lit) Type() types.Type { return c.Typ }
func (c *Lit) Ident() string    { return c.Text }
func (c *Lit) IsConstant()      {}

func IntLit(t types.Type, n int64) *Lit {
	return &Lit{t, strconv.FormatInt(n, 10), n, true}
}

func I64(n int64) *Lit { return IntLit(types.I64, n) }
func I32(n int64) *Lit { return IntLit(types.I32, n) }

// Bit makes an i1; its number is 0 or 1.
func Bit(b bool) *Lit {
	if b {
		return &Lit{types.I1, "true", 1, true}
	}
	return &Lit{types.I1, "false", 0, true}
}

var intTypes = func() (t [65]*types.IntType) {
	for i := 1; i < len(t); i++ {
		t[i] = types.NewInt(uint64(i))
	}
	t[1], t[8], t[16], t[32], t[64] = types.I1, types.I8, types.I16, types.I32, types.I64
	return t
}()

func IntType(w int) *types.IntType {
	if w < len(intTypes) {
		return intTypes[w]
	}
	return types.NewInt(uint64(w))
}

// LLType returns the LLVM type of a value that is no memref; nil if there is none.
// Vectors of several dimensions are one long vector, in row-major order.
func LLType(c *ir.Context, t ir.Type) types.Type {
	switch t {
	case ir.F64:
		return types.Double
	case ir.F32:
		return types.Float
	case ir.F16:
		return types.Half
	case ir.BF16:
		return types.I16
	}
	info := c.Info(t)
	switch info.Kind {
	case ir.KindIndex:
		return types.I64
	case ir.KindInteger:
		if info.Width >= 1 && info.Width <= ir.MaxWidth {
			return IntType(info.Width)
		}
	case ir.KindFunction:
		return Ptr
	case ir.KindVector:
		elem := LLType(c, info.Elem)
		if n, ok := Lanes(info); ok && elem != nil && elem != types.Type(Ptr) {
			return types.NewVector(uint64(n), elem)
		}
	}
	return nil
}

// maxLanes bounds the vectors that are compiled: LLVM's time grows with them.
const maxLanes = 1 << 12

// Lanes returns the number of elements of a vector type; ok is false for vectors
// that are not compiled.
func Lanes(info *ir.TypeInfo) (n int64, ok bool) {
	n = 1
	for i, d := range info.Shape {
		if info.Scalable != nil && info.Scalable[i] || d <= 0 || d > maxLanes {
			return 0, false
		}
		if n = ir.Times(n, d); n > maxLanes {
			return 0, false
		}
	}
	return n, true
}

// MemType is the type of an element in memory: integers take whole bytes, a power
// of two of them up to 8 (what lies above their width is zero), so that C can
// share memory with compiled code.
func MemType(c *ir.Context, t ir.Type) types.Type {
	if info := c.Info(t); info.Kind == ir.KindInteger && info.Width <= ir.MaxWidth {
		return IntType(8 * c.ElemSize(t))
	}
	return LLType(c, t)
}

// MemBytes is the distance of neighbouring elements in memory; ok is false where only
// LLVM's data layout knows it.
func MemBytes(c *ir.Context, t ir.Type) (n int64, ok bool) {
	if info := c.Info(t); info.Kind == ir.KindVector {
		if _, ok := Lanes(info); !ok {
			return 0, false
		}
	}
	return c.MemBytes(t)
}

// Spell writes a type for a message, roughly as MLIR does.
func Spell(c *ir.Context, t ir.Type) string {
	info := c.Info(t)
	switch info.Kind {
	case ir.KindIndex:
		return "index"
	case ir.KindInteger:
		return [...]string{"i", "si", "ui"}[info.Sign] + strconv.Itoa(info.Width)
	case ir.KindFloat:
		return info.Text
	case ir.KindOpaque:
		return "!" + info.Text
	case ir.KindNone:
		return "none"
	case ir.KindComplex:
		return "complex<" + Spell(c, info.Elem) + ">"
	case ir.KindTuple:
		return "tuple<...>"
	case ir.KindFunction:
		return "a function type"
	}
	s := map[ir.TypeKind]string{ir.KindVector: "vector<", ir.KindTensor: "tensor<", ir.KindMemRef: "memref<"}[info.Kind]
	if info.Unranked {
		s += "*x"
	}
	for i, n := range info.Shape {
		d := strconv.FormatInt(n, 10)
		if n == ir.Dynamic {
			d = "?"
		}
		if info.Scalable != nil && info.Scalable[i] {
			d = "[" + d + "]"
		}
		s += d + "x"
	}
	s += Spell(c, info.Elem)
	if info.Layout != 0 {
		s += ", layout"
	}
	return s + ">"
}
