package llvm

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"github.com/irc-lang/irc/ir"
)

// globalVar is a memref.global.
type globalVar struct {
	v   ir.Value
	ref *lit
	typ ir.Type
}

func (e *emitter) global(v ir.Value) {
	name := e.c.AttrInfo(e.g.Attr(v, "sym_name")).Str
	t := e.c.AttrInfo(e.g.Attr(v, "type")).Type
	l, ok := memrefLayout(e.c, t)
	if !ok || !l.ident {
		failAt(e.g, v, "has type %s, which the LLVM backend does not translate; use the identity layout", spell(e.c, t))
	}
	if err := ir.CheckType(e.g, v, t); err != nil {
		panic(err)
	}
	elem, n := memType(e.c, l.elem), ir.Elements(l.sizes)
	array, ref := types.NewArray(uint64(n), elem), ""
	private := e.opts.Thunks || !e.offers(v, name)
	g := llir.NewGlobal(name, array)
	if init := e.g.Attr(v, "initial_value"); init != 0 {
		if ref = e.blob(v, init, private); ref == "" {
			init := e.initializer(v, init, array, l.elem, n)
			g.Init, g.ContentType = init, init.typ
		}
		if private {
			g.SetName(internal("global", name))
			g.Linkage = enum.LinkageInternal
		}
	} else if e.opts.Thunks { // the interpreter makes its memory, too
		g.Init = &lit{typ: array, text: "zeroinitializer"}
		g.SetName(internal("global", name))
		g.Linkage = enum.LinkageInternal
	} else if hasNUL(name) {
		failAt(e.g, v, "is called %q: nothing outside has a name with NUL", name)
	} else {
		g.Linkage = enum.LinkageExternal
	}
	if !private && reserved(name) {
		failAt(e.g, v, "defines @%s, which is a name of the C library or of irc; rename it or make it private", name)
	}
	g.Immutable = e.g.Attr(v, "constant") != 0 && e.c.AttrInfo(e.g.Attr(v, "initial_value")).Kind != ir.AttrUnit
	g.Align = mallocAlign
	if a := e.g.Attr(v, "alignment"); a != 0 {
		g.Align = llir.Align(max(mallocAlign, e.c.AttrInfo(a).Int))
	}
	if ref == "" {
		e.IR.Globals = append(e.IR.Globals, g)
		ref = g.Ident()
	}
	e.globals[name] = &globalVar{v, &lit{typ: ptr, text: ref}, t}
}

// initializer is the constant of elements: few as numbers, for people, many as bytes.
func (e *emitter) initializer(v ir.Value, init ir.Attr, array *types.ArrayType, elem ir.Type, n int64) *lit {
	zero := &lit{typ: array, text: "zeroinitializer"}
	if e.c.KindOf(init) == ir.AttrUnit {
		return zero
	}
	if n > fewNumbers {
		if data := e.bytes(v, init); data != "" {
			return &lit{typ: types.NewArray(uint64(len(data)), types.I8), text: byteText(data)}
		}
	}
	init, err := e.c.Elements(init)
	switch {
	case err != nil:
		failAt(e.g, v, "%v", err)
	case e.c.Info(elem).Kind == ir.KindVector:
		failAt(e.g, v, "has elements that are vectors, and an initial value")
	case e.c.AttrInfo(init).Splat && e.c.Elem(init, 0) == 0 || n == 0:
		return zero
	}
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		x := e.c.Elem(init, i)
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(array.ElemType.String())
		b.WriteByte(' ')
		if it, ok := array.ElemType.(*types.IntType); ok {
			w := e.c.Info(elem).Width
			b.WriteString(intLit(it, int64(ir.IntVal(int64(x), w).Bits)).text)
		} else {
			b.WriteString(floatText(elem, x))
		}
	}
	b.WriteByte(']')
	return &lit{typ: array, text: b.String()}
}

// mallocAlign is what malloc guarantees.
const mallocAlign = 16

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
func (e *emitter) blob(v ir.Value, init ir.Attr, private bool) (ref string) {
	data := e.bytes(v, init)
	if !e.opts.Blobs || !private || e.g.Attr(v, "constant") == 0 || len(data) < LargeBlob {
		return ""
	}
	align := int64(mallocAlign)
	if a := e.g.Attr(v, "alignment"); a != 0 {
		align = max(align, e.c.AttrInfo(a).Int)
	}
	name := "irc.blob." + digest(data)
	for i, b := range e.Blobs {
		if b.Symbol == name {
			e.Blobs[i].Align = max(b.Align, align)
			return "@" + name
		}
	}
	g := llir.NewGlobal(name, types.NewArray(uint64(len(data)), types.I8))
	g.Linkage, g.Immutable, g.Align = enum.LinkageExternal, true, llir.Align(mallocAlign)
	if !e.opts.Thunks {
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
func (e *emitter) bytes(v ir.Value, init ir.Attr) string {
	if e.c.KindOf(init) == ir.AttrUnit {
		return ""
	}
	elem := e.c.Info(e.c.Info(e.c.AttrInfo(e.g.Attr(v, "type")).Type).Elem)
	init, err := e.c.Elements(init)
	if err != nil || e.c.AttrInfo(init).Splat || elem.Width == 0 || elem.Width%8 != 0 || elem.Width != 8*e.c.ElemSize(e.c.Info(e.c.TypeOf(init)).Elem) {
		return ""
	}
	return e.c.AttrInfo(init).Str
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
