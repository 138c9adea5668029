package emit

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/memref/layouts"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// Callee is a function as calls and thunks see it.
type Callee struct {
	*Func
	V       ir.Value  // its func.func
	G       *ir.Graph // its body
	Fn      *llir.Func
	Ret     types.Type // what fn returns: void, one field, or a struct of all
	private bool
	long    bool // it calls its pieces (see pieces.go)
	made    int  // instructions
	calls   int  // that stand in the module
}

// layoutOf describes how a memref type crosses the border of a function: a
// pointer to the element at (0, ..., 0), then each dynamic size, then each dynamic
// stride unless the layout is the identity.
type layoutOf struct {
	Elem    ir.Type
	Sizes   []int64
	Strides []int64
	Offset  int64
	Ident   bool // strides follow from the sizes
}

// memrefLayout returns the layout of a ranked memref type that can be compiled.
func memrefLayout(c *ir.Context, t ir.Type) (l layoutOf, ok bool) {
	info := c.Info(t)
	if info.Kind != ir.KindMemRef || info.Unranked || lit.MemType(c, info.Elem) == nil {
		return l, false
	}
	l = layoutOf{Elem: info.Elem, Sizes: info.Shape, Ident: info.Layout == 0}
	l.Strides, l.Offset, ok = layouts.Layout(c, t)
	return l, ok
}

// Dynamic counts the dynamic entries of a list.
func Dynamic(list []int64) int {
	n := 0
	for _, x := range list {
		if x == ir.Dynamic {
			n++
		}
	}
	return n
}

// fields lists the LLVM types in which a value of type t crosses the border of a
// function; ok is false if it cannot.
func fields(c *ir.Context, t ir.Type) (out []types.Type, ok bool) {
	if c.Info(t).Kind != ir.KindMemRef {
		l := lit.LLType(c, t)
		return []types.Type{l}, l != nil
	}
	l, ok := memrefLayout(c, t)
	if !ok {
		return nil, false
	}
	n := Dynamic(l.Sizes)
	if !l.Ident {
		n += Dynamic(l.Strides)
	}
	out = append(out, lit.Ptr)
	for range n {
		out = append(out, types.I64)
	}
	return out, true
}

// FieldsOf is fields for a list of types of the op v.
func (e *Emitter) FieldsOf(g *ir.Graph, v ir.Value, what string, ts []ir.Type) []types.Type {
	out, err := e.crossing(g, v, what, ts)
	if err != nil {
		panic(err)
	}
	return out
}

func (e *Emitter) crossing(g *ir.Graph, v ir.Value, what string, ts []ir.Type) (out []types.Type, err *ir.OpError) {
	for i, t := range ts {
		f, ok := fields(e.C, t)
		if !ok {
			return nil, opError(g, v, "has %s #%d of type %s, which the LLVM backend does not translate; %s", what, i, lit.Spell(e.C, t), wayOut(e.C, t))
		}
		out = append(out, f...)
	}
	return out, nil
}

// wayOut says what to do about a type that is not translated.
func wayOut(c *ir.Context, t ir.Type) string {
	switch info := c.Info(t); {
	case info.Kind == ir.KindTensor:
		return "tensors have no memory yet: use memrefs"
	case info.Kind == ir.KindMemRef && info.Unranked:
		return "cast it to a ranked memref"
	case info.Kind == ir.KindMemRef:
		return "use an identity or strided layout and elements that are numbers or vectors"
	case info.Kind == ir.KindVector:
		return "use vectors of static, not too large shape"
	case info.Kind == ir.KindOpaque:
		return "lower its dialect first, with -passes=lower{to=...}"
	}
	return "use integers, floats, vectors and memrefs of them"
}

// Declare makes the LLVM function of a func.func, without its body.
func (e *Emitter) Declare(v ir.Value) *Callee {
	t := funcs.TypeOf(e.C, e.G.AttrsOf(v))
	c := &Callee{V: v, G: e.G.Children(v)[0], Func: &Func{Name: funcs.NameOf(e.G, v), In: t.Types[:t.NumIn], Out: t.Types[t.NumIn:]}}
	for i := range c.Out {
		c.New = append(c.New, e.says(v, "res_attrs", i, memref.OwnedAttr))
	}
	c.Declaration = !c.G.HasBlock(ir.Root)
	if a := e.G.Attr(v, funcs.Doc); a != 0 {
		c.Doc = e.C.AttrInfo(a).Str
	}
	c.private = !e.offers(v, c.Name)
	c.Ret = e.returnType(v, c.Out)
	params := e.Params(c)
	name := c.Name
	if c.Declaration && e.Gpu != nil {
		FailAt(e.G, v, "has no body, and a kernel calls it: the host's functions cannot be called on a GPU; define it in the module")
	}
	if e.Gpu != nil || c.Declaration && e.foreign(c) || !c.Declaration && (c.private || e.Opts.Thunks || e.byPointer(c)) {
		name = Internal("func", name)
	}
	if !c.Declaration && name == c.Name && reserved(name) {
		FailAt(e.G, v, "defines @%s, which is a function of the C library that compiled code may call; rename it or make it private", name)
	}
	c.Fn = e.IR.NewFunc(name, c.Ret, params...)
	if name != c.Name {
		c.Fn.Linkage = enum.LinkageInternal
	}
	if !c.Declaration || name != c.Name {
		c.Fn.FuncAttrs = append(c.Fn.FuncAttrs, Attr("nounwind"), e.callAttr())
	}
	if len(c.Out) == 1 && name == c.Name {
		c.Fn.ReturnAttrs = extension(c.Ret)
	}
	e.Callee[c.Name] = c
	if !c.private {
		e.Funcs = append(e.Funcs, c.Func)
	}
	return c
}

// callAttr is what else holds of all functions: a frame on the stack must fault
// where it overflows; on a GPU threads may meet in it.
func (e *Emitter) callAttr() llir.FuncAttribute {
	if e.Gpu != nil {
		return Attr("convergent")
	}
	return Attr(`"probe-stack"="inline-asm"`)
}

// byPointer reports a function whose results cross the border to C in memory: C
// compilers return a struct of more than one field in ways of their own.
func (e *Emitter) byPointer(c *Callee) bool {
	_, ok := c.Ret.(*types.StructType)
	return ok
}

func (e *Emitter) returnType(v ir.Value, out []ir.Type) types.Type {
	switch f := e.FieldsOf(e.G, v, "result", out); len(f) {
	case 0:
		return types.Void
	case 1:
		return f[0]
	default:
		return e.named(f, true)
	}
}

// shortStruct is how many fields a struct has whose type is written out where it is used.
const shortStruct = 16

// named is the struct of some fields. One of many has a name, as each use of a result has its type: written out, a call of n
// results would take n^2. Functions are declared before bodies are emitted, side by side, so that only then a name is made.
func (e *Emitter) named(fields []types.Type, declares bool) types.Type {
	out := types.NewStruct(fields...)
	if len(fields) <= shortStruct {
		return out
	}
	key := out.LLString()
	if t := e.Structs[key]; t != nil {
		return t
	}
	if declares {
		e.Structs[key] = out
		e.IR.NewTypeDef(fmt.Sprintf("irc.results.%d", len(e.Structs)-1), out)
	}
	return out
}

func (e *Emitter) Params(c *Callee) []*llir.Param {
	var out []*llir.Param
	for i, t := range c.In {
		for k, f := range e.FieldsOf(e.G, c.V, "argument", []ir.Type{t}) {
			p := llir.NewParam("", f)
			if k == 0 && e.C.Info(t).Kind == ir.KindMemRef && e.noAlias(c.V, i) {
				p.Attrs = append(p.Attrs, enum.ParamAttrNoAlias)
			}
			out = append(out, p)
		}
	}
	return out
}

// noAlias reports that argument i of a function has llvm.noalias.
func (e *Emitter) noAlias(v ir.Value, i int) bool { return e.says(v, "arg_attrs", i, funcs.NoAlias) }

// says reports that a function's list of attributes, of arguments or of results, has one.
func (e *Emitter) says(v ir.Value, list string, i int, name string) bool {
	a := e.G.Attr(v, list)
	return a != 0 && i < len(e.C.AttrInfo(a).List) && hasEntry(e.C, e.C.AttrInfo(a).List[i], name)
}

func hasEntry(c *ir.Context, dict ir.Attr, name string) bool {
	for _, e := range c.AttrInfo(dict).Dict {
		if e.Name == name {
			return true
		}
	}
	return false
}

// extension says how a narrow integer is returned to C.
func extension(t types.Type) []llir.ReturnAttribute {
	if i, ok := t.(*types.IntType); ok && i.BitSize < 32 {
		if i.BitSize == 1 {
			return []llir.ReturnAttribute{enum.ReturnAttrZeroExt}
		}
		return []llir.ReturnAttribute{enum.ReturnAttrSignExt}
	}
	return nil
}

// Attr is a function attribute by its text.
type Attr string

func (a Attr) String() string  { return string(a) }
func (Attr) IsFuncAttribute()  {}
func (Attr) IsParamAttribute() {}

// Define makes the body of a function.
func (e *Emitter) Define(c *Callee) {
	if c.Declaration {
		if c.Fn.Name() != c.Name {
			e.shim(c)
		}
		return
	}
	f := NewFn(e, c.Fn, Fn{Callee: c, G: c.G, S: e.Schedule(c.G), Vals: make([]Val, c.G.Len()), Known: affine.Of(c.G).Certain()})
	at := 0
	for i, p := range c.G.Params(ir.Root) {
		n := len(e.FieldsOf(e.G, c.V, "argument", c.In[i:i+1]))
		args := make([]value.Value, n)
		for k := range args {
			args[k] = c.Fn.Params[at+k]
		}
		at += n
		f.Vals[p] = f.FromFields(c.In[i], args)
	}
	f.B.flat = e.Gpu == nil
	outs := f.Body(ir.Root)
	f.B.long = f.B.veryLong()
	c.long, c.made = f.B.long, f.B.made
	f.V = c.G.Term(ir.Root) // what a check of the results stops at
	f.ret(c.Out, outs)
	f.Finish()
	if c.Fn.Name() != c.Name && !c.private && !e.Opts.Thunks && e.Gpu == nil {
		e.wrapper(c)
	}
}

// wrapper is the C entry of a function with several results: they go to the
// struct that its first argument points to.
func (e *Emitter) wrapper(c *Callee) {
	params := append([]*llir.Param{llir.NewParam("", lit.Ptr)}, e.Params(c)...)
	w := e.IR.NewFunc(c.Name, types.Void, params...)
	w.FuncAttrs = append(w.FuncAttrs, Attr("nounwind"))
	b := w.NewBlock("entry")
	args := make([]value.Value, len(params)-1)
	for i, p := range params[1:] {
		args[i] = p
	}
	r := b.NewCall(c.Fn, args...)
	b.Insts = append(b.Insts, &llir.InstStore{Src: r, Dst: params[0]})
	b.NewRet(nil)
}

// foreign reports a declared function that C expects to be called otherwise than
// directly: with results in memory, or with narrow integers extended.
func (e *Emitter) foreign(c *Callee) bool {
	for _, f := range e.FieldsOf(e.G, c.V, "argument", c.In) {
		if extension(f) != nil {
			return true
		}
	}
	return e.byPointer(c)
}

// shim calls a declared function as C does.
func (e *Emitter) shim(c *Callee) {
	b := c.Fn.NewBlock("entry")
	ret := c.Ret
	var params []*llir.Param
	var args []value.Value
	var out Alloca
	if e.byPointer(c) {
		out = Alloca{&llir.InstAlloca{ElemType: c.Ret}}
		b.Insts = append(b.Insts, out)
		ret, params, args = types.Void, append(params, llir.NewParam("", lit.Ptr)), append(args, out)
	}
	for _, p := range c.Fn.Params {
		q := llir.NewParam("", p.Typ)
		if x := extension(p.Typ); x != nil {
			q.Attrs = append(q.Attrs, Attr(x[0].String()))
		}
		params, args = append(params, q), append(args, p)
	}
	r := b.NewCall(e.IR.NewFunc(c.Name, ret, params...), args...)
	switch {
	case out.InstAlloca != nil:
		x := &llir.InstLoad{ElemType: c.Ret, Src: out}
		b.Insts = append(b.Insts, x)
		b.NewRet(x)
	case ret == types.Type(types.Void):
		b.NewRet(nil)
	default:
		b.NewRet(r)
	}
}

// ret ends the function with its results.
func (f *Fn) ret(types []ir.Type, outs []Val) {
	var all []value.Value
	for i, t := range types {
		all = append(all, f.toFields(t, outs[i])...)
	}
	switch len(all) {
	case 0:
		f.B.Cur.NewRet(nil)
	case 1:
		f.B.Cur.NewRet(all[0])
	default:
		var agg value.Value = &lit.Lit{Typ: f.Callee.Ret, Text: "poison"}
		for i, x := range all {
			agg = Add(f.B, llir.NewInsertValue(agg, x, uint64(i)))
		}
		f.B.Cur.NewRet(agg)
	}
}

// call calls a function of the module.
func (f *Fn) call(c *Callee, args []Val) []Val {
	var flat []value.Value
	for i, t := range c.In {
		flat = append(flat, f.toFields(t, args[i])...)
	}
	c.calls++
	r := Add(f.B, llir.NewCall(c.Fn, flat...))
	return f.results(c.Ret, c.Out, r)
}

// results takes the result of a call apart.
func (f *Fn) results(ret types.Type, ts []ir.Type, r value.Value) []Val {
	var all []value.Value
	switch s, ok := ret.(*types.StructType); {
	case ok:
		for i := range s.Fields {
			all = append(all, Add(f.B, llir.NewExtractValue(r, uint64(i))))
		}
	case ret != types.Type(types.Void):
		all = append(all, r)
	}
	out := make([]Val, len(ts))
	for i, t := range ts {
		fs, _ := fields(f.C, t)
		out[i] = f.FromFields(t, all[:len(fs)])
		all = all[len(fs):]
	}
	return out
}
