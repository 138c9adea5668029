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
