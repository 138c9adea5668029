package llvm

import (
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
