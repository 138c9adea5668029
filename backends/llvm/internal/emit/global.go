package emit

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/ir"
)

// GlobalVar is a memref.global.
type GlobalVar struct {
	v   ir.Value
	Ref *lit.Lit
	typ ir.Type
}

func (e *Emitter) Global(v ir.Value) {
	name := e.C.AttrInfo(e.G.Attr(v, "sym_name")).Str
	t := e.C.AttrInfo(e.G.Attr(v, "type")).Type
	l, ok := memrefLayout(e.C, t)
	if !ok || !l.Ident {
		FailAt(e.G, v, "has type %s, which the LLVM backend does not translate; use the identity layout", lit.Spell(e.C, t))
	}
	if err := ir.CheckType(e.G, v, t); err != nil {
		panic(err)
	}
	elem, n := lit.MemType(e.C, l.Elem), ir.Elements(l.Sizes)
	array, ref := types.NewArray(uint64(n), elem), ""
	private := e.Opts.Thunks || !e.offers(v, name)
	g := llir.NewGlobal(name, array)
	if init := e.G.Attr(v, "initial_value"); init != 0 {
		if ref = e.blob(v, init, private); ref == "" {
			init := e.initializer(v, init, array, l.Elem, n)
			g.Init, g.ContentType = init, init.Typ
		}
		if private {
			g.SetName(Internal("global", name))
			g.Linkage = enum.LinkageInternal
		}
	} else if e.Opts.Thunks { // the interpreter makes its memory, too
		g.Init = &lit.Lit{Typ: array, Text: "zeroinitializer"}
		g.SetName(Internal("global", name))
		g.Linkage = enum.LinkageInternal
	} else if hasNUL(name) {
		FailAt(e.G, v, "is called %q: nothing outside has a name with NUL", name)
	} else {
		g.Linkage = enum.LinkageExternal
	}
	if !private && reserved(name) {
		FailAt(e.G, v, "defines @%s, which is a name of the C library or of irc; rename it or make it private", name)
	}
	g.Immutable = e.G.Attr(v, "constant") != 0 && e.C.AttrInfo(e.G.Attr(v, "initial_value")).Kind != ir.AttrUnit
	g.Align = MallocAlign
	if a := e.G.Attr(v, "alignment"); a != 0 {
		g.Align = llir.Align(max(MallocAlign, e.C.AttrInfo(a).Int))
	}
	if ref == "" {
		e.IR.Globals = append(e.IR.Globals, g)
		ref = g.Ident()
	}
	e.Globals[name] = &GlobalVar{v, &lit.Lit{Typ: lit.Ptr, Text: ref}, t}
}

// initializer is the constant of elements: few as numbers, for people, many as bytes.
func (e *Emitter) initializer(v ir.Value, init ir.Attr, array *types.ArrayType, elem ir.Type, n int64) *lit.Lit {
	zero := &lit.Lit{Typ: array, Text: "zeroinitializer"}
	if e.C.KindOf(init) == ir.AttrUnit {
		return zero
	}
	if n > fewNumbers {
		if data := e.bytes(v, init); data != "" {
			return &lit.Lit{Typ: types.NewArray(uint64(len(data)), types.I8), Text: byteText(data)}
		}
	}
	init, err := e.C.Elements(init)
	switch {
	case err != nil:
		FailAt(e.G, v, "%v", err)
	case e.C.Info(elem).Kind == ir.KindVector:
		FailAt(e.G, v, "has elements that are vectors, and an initial value")
	case e.C.AttrInfo(init).Splat && e.C.Elem(init, 0) == 0 || n == 0:
		return zero
	}
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		x := e.C.Elem(init, i)
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(array.ElemType.String())
		b.WriteByte(' ')
		if it, ok := array.ElemType.(*types.IntType); ok {
			w := e.C.Info(elem).Width
			b.WriteString(lit.IntLit(it, int64(ir.IntVal(int64(x), w).Bits)).Text)
		} else {
			b.WriteString(lit.FloatText(elem, x))
		}
	}
	b.WriteByte(']')
	return &lit.Lit{Typ: array, Text: b.String()}
}

// MallocAlign is what malloc guarantees.
const MallocAlign = 16

// A Blob is the bytes of a large constant, which the text of the module only declares (Options.Blobs): who makes code of the module
// gives them the name Symbol. Blobs of equal names have equal bytes.
type Blob struct {
	Symbol string
	Data   string // of the module's context
	Align  int64
}

// LargeBlob is how many bytes a constant has at least that is a Blob.
const LargeBlob = 1 << 16

// fewNumbers is up to how many numbers a constant is written as numbers, else as bytes.
const fewNumbers = 256

// blob declares a private constant, if it is large, without its bytes, and returns what refers to it.
func (e *Emitter) blob(v ir.Value, init ir.Attr, private bool) (ref string) {
	data := e.bytes(v, init)
	if !e.Opts.Blobs || !private || e.G.Attr(v, "constant") == 0 || len(data) < LargeBlob {
		return ""
	}
	align := int64(MallocAlign)
	if a := e.G.Attr(v, "alignment"); a != 0 {
		align = max(align, e.C.AttrInfo(a).Int)
	}
	name := "irc.blob." + digest(data)
	for i, b := range e.Blobs {
		if b.Symbol == name {
			e.Blobs[i].Align = max(b.Align, align)
			return "@" + name
		}
	}
	g := llir.NewGlobal(name, types.NewArray(uint64(len(data)), types.I8))
	g.Linkage, g.Immutable, g.Align = enum.LinkageExternal, true, llir.Align(MallocAlign)
	if !e.Opts.Thunks {
		g.Visibility = enum.VisibilityHidden // it is linked into what refers to it
	}
	e.IR.Globals = append(e.IR.Globals, g)
	e.Blobs = append(e.Blobs, Blob{Symbol: name, Data: data, Align: align})
	return g.Ident()
}

// digest is a name for bytes.
func digest(data string) string {
	h, piece := sha256.New(), make([]byte, 1<<16)
	for len(data) > 0 {
		n := copy(piece, data)
		h.Write(piece[:n])
		data = data[n:]
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// bytes is the memory of a global whose elements are dense and no splat, little end first, or "" if it is
// not known.
func (e *Emitter) bytes(v ir.Value, init ir.Attr) string {
	if e.C.KindOf(init) == ir.AttrUnit {
		return ""
	}
	elem := e.C.Info(e.C.Info(e.C.AttrInfo(e.G.Attr(v, "type")).Type).Elem)
	init, err := e.C.Elements(init)
	if err != nil || e.C.AttrInfo(init).Splat || elem.Width == 0 || elem.Width%8 != 0 || elem.Width != 8*e.C.ElemSize(e.C.Info(e.C.TypeOf(init)).Elem) {
		return ""
	}
	return e.C.AttrInfo(init).Str
}

// byteText writes bytes as LLVM writes strings.
func byteText(data string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	b.Grow(3*len(data) + 3)
	b.WriteString(`c"`)
	for i := range len(data) {
		b.WriteByte('\\')
		b.WriteByte(digits[data[i]>>4])
		b.WriteByte(digits[data[i]&15])
	}
	b.WriteByte('"')
	return b.String()
}
