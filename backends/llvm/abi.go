package llvm

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// callee is a function as calls and thunks see it.
type callee struct {
	*Func
	v       ir.Value  // its func.func
	g       *ir.Graph // its body
	fn      *llir.Func
	ret     types.Type // what fn returns: void, one field, or a struct of all
	private bool
	long    bool // it calls its pieces (see pieces.go)
	made    int  // instructions
	calls   int  // that stand in the module
}

// layoutOf describes how a memref type crosses the border of a function: a
// pointer to the element at (0, ..., 0), then each dynamic size, then each dynamic
// stride unless the layout is the identity.
type layoutOf struct {
	elem    ir.Type
	sizes   []int64
	strides []int64
	offset  int64
	ident   bool // strides follow from the sizes
}

// memrefLayout returns the layout of a ranked memref type that can be compiled.
func memrefLayout(c *ir.Context, t ir.Type) (l layoutOf, ok bool) {
	info := c.Info(t)
	if info.Kind != ir.KindMemRef || info.Unranked || memType(c, info.Elem) == nil {
		return l, false
	}
	l = layoutOf{elem: info.Elem, sizes: info.Shape, ident: info.Layout == 0}
	l.strides, l.offset, ok = memref.Layout(c, t)
	return l, ok
}

// dynamic counts the dynamic entries of a list.
func dynamic(list []int64) int {
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
		l := llType(c, t)
		return []types.Type{l}, l != nil
	}
	l, ok := memrefLayout(c, t)
	if !ok {
		return nil, false
	}
	n := dynamic(l.sizes)
	if !l.ident {
		n += dynamic(l.strides)
	}
	out = append(out, ptr)
	for range n {
		out = append(out, types.I64)
	}
	return out, true
}

// fieldsOf is fields for a list of types of the op v.
func (e *emitter) fieldsOf(g *ir.Graph, v ir.Value, what string, ts []ir.Type) []types.Type {
	out, err := e.crossing(g, v, what, ts)
	if err != nil {
		panic(err)
	}
	return out
}

func (e *emitter) crossing(g *ir.Graph, v ir.Value, what string, ts []ir.Type) (out []types.Type, err *ir.OpError) {
	for i, t := range ts {
		f, ok := fields(e.c, t)
		if !ok {
			return nil, opError(g, v, "has %s #%d of type %s, which the LLVM backend does not translate; %s", what, i, spell(e.c, t), wayOut(e.c, t))
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

// declare makes the LLVM function of a func.func, without its body.
func (e *emitter) declare(v ir.Value) *callee {
	t := funcs.TypeOf(e.c, e.g.AttrsOf(v))
	c := &callee{v: v, g: e.g.Children(v)[0], Func: &Func{Name: funcs.NameOf(e.g, v), In: t.Types[:t.NumIn], Out: t.Types[t.NumIn:]}}
	for i := range c.Out {
		c.New = append(c.New, e.says(v, "res_attrs", i, memref.OwnedAttr))
	}
	c.Declaration = !c.g.HasBlock(ir.Root)
	if a := e.g.Attr(v, funcs.Doc); a != 0 {
		c.Doc = e.c.AttrInfo(a).Str
	}
	c.private = !e.offers(v, c.Name)
	c.ret = e.returnType(v, c.Out)
	params := e.params(c)
	name := c.Name
	if c.Declaration && e.gpu != nil {
		failAt(e.g, v, "has no body, and a kernel calls it: the host's functions cannot be called on a GPU; define it in the module")
	}
	if e.gpu != nil || c.Declaration && e.foreign(c) || !c.Declaration && (c.private || e.opts.Thunks || e.byPointer(c)) {
		name = internal("func", name)
	}
	if !c.Declaration && name == c.Name && reserved(name) {
		failAt(e.g, v, "defines @%s, which is a function of the C library that compiled code may call; rename it or make it private", name)
	}
	c.fn = e.IR.NewFunc(name, c.ret, params...)
	if name != c.Name {
		c.fn.Linkage = enum.LinkageInternal
	}
	if !c.Declaration || name != c.Name {
		c.fn.FuncAttrs = append(c.fn.FuncAttrs, attr("nounwind"), e.callAttr())
	}
	if len(c.Out) == 1 && name == c.Name {
		c.fn.ReturnAttrs = extension(c.ret)
	}
	e.callee[c.Name] = c
	if !c.private {
		e.Funcs = append(e.Funcs, c.Func)
	}
	return c
}

// callAttr is what else holds of all functions: a frame on the stack must fault
// where it overflows; on a GPU threads may meet in it.
func (e *emitter) callAttr() llir.FuncAttribute {
	if e.gpu != nil {
		return attr("convergent")
	}
	return attr(`"probe-stack"="inline-asm"`)
}

// byPointer reports a function whose results cross the border to C in memory: C
// compilers return a struct of more than one field in ways of their own.
func (e *emitter) byPointer(c *callee) bool {
	_, ok := c.ret.(*types.StructType)
	return ok
}

func (e *emitter) returnType(v ir.Value, out []ir.Type) types.Type {
	switch f := e.fieldsOf(e.g, v, "result", out); len(f) {
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
func (e *emitter) named(fields []types.Type, declares bool) types.Type {
	out := types.NewStruct(fields...)
	if len(fields) <= shortStruct {
		return out
	}
	key := out.LLString()
	if t := e.structs[key]; t != nil {
		return t
	}
	if declares {
		e.structs[key] = out
		e.IR.NewTypeDef(fmt.Sprintf("irc.results.%d", len(e.structs)-1), out)
	}
	return out
}

func (e *emitter) params(c *callee) []*llir.Param {
	var out []*llir.Param
	for i, t := range c.In {
		for k, f := range e.fieldsOf(e.g, c.v, "argument", []ir.Type{t}) {
			p := llir.NewParam("", f)
			if k == 0 && e.c.Info(t).Kind == ir.KindMemRef && e.noAlias(c.v, i) {
				p.Attrs = append(p.Attrs, enum.ParamAttrNoAlias)
			}
			out = append(out, p)
		}
	}
	return out
}

// noAlias reports that argument i of a function has llvm.noalias.
func (e *emitter) noAlias(v ir.Value, i int) bool { return e.says(v, "arg_attrs", i, funcs.NoAlias) }

// says reports that a function's list of attributes, of arguments or of results, has one.
func (e *emitter) says(v ir.Value, list string, i int, name string) bool {
	a := e.g.Attr(v, list)
	return a != 0 && i < len(e.c.AttrInfo(a).List) && hasEntry(e.c, e.c.AttrInfo(a).List[i], name)
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

// attr is a function attribute by its text.
type attr string

func (a attr) String() string  { return string(a) }
func (attr) IsFuncAttribute()  {}
func (attr) IsParamAttribute() {}

// define makes the body of a function.
func (e *emitter) define(c *callee) {
	if c.Declaration {
		if c.fn.Name() != c.Name {
			e.shim(c)
		}
		return
	}
	f := &fn{emitter: e, callee: c, g: c.g, f: c.fn, s: e.schedule(c.g), vals: make([]val, c.g.Len()), known: affine.Of(c.g).Certain()}
	f.entry = llir.NewBlock("entry")
	f.place(f.entry)
	at := 0
	for i, p := range c.g.Params(ir.Root) {
		n := len(e.fieldsOf(e.g, c.v, "argument", c.In[i:i+1]))
		args := make([]value.Value, n)
		for k := range args {
			args[k] = c.fn.Params[at+k]
		}
		at += n
		f.vals[p] = f.fromFields(c.In[i], args)
	}
	f.flat = e.gpu == nil
	outs := f.body(ir.Root)
	f.long = f.veryLong()
	c.long, c.made = f.long, f.made
	f.v = c.g.Term(ir.Root) // what a check of the results stops at
	f.ret(c.Out, outs)
	f.finish()
	if c.fn.Name() != c.Name && !c.private && !e.opts.Thunks && e.gpu == nil {
		e.wrapper(c)
	}
}

// wrapper is the C entry of a function with several results: they go to the
// struct that its first argument points to.
func (e *emitter) wrapper(c *callee) {
	params := append([]*llir.Param{llir.NewParam("", ptr)}, e.params(c)...)
	w := e.IR.NewFunc(c.Name, types.Void, params...)
	w.FuncAttrs = append(w.FuncAttrs, attr("nounwind"))
	b := w.NewBlock("entry")
	args := make([]value.Value, len(params)-1)
	for i, p := range params[1:] {
		args[i] = p
	}
	r := b.NewCall(c.fn, args...)
	b.Insts = append(b.Insts, &llir.InstStore{Src: r, Dst: params[0]})
	b.NewRet(nil)
}

// foreign reports a declared function that C expects to be called otherwise than
// directly: with results in memory, or with narrow integers extended.
func (e *emitter) foreign(c *callee) bool {
	for _, f := range e.fieldsOf(e.g, c.v, "argument", c.In) {
		if extension(f) != nil {
			return true
		}
	}
	return e.byPointer(c)
}

// shim calls a declared function as C does.
func (e *emitter) shim(c *callee) {
	b := c.fn.NewBlock("entry")
	ret := c.ret
	var params []*llir.Param
	var args []value.Value
	var out alloca
	if e.byPointer(c) {
		out = alloca{&llir.InstAlloca{ElemType: c.ret}}
		b.Insts = append(b.Insts, out)
		ret, params, args = types.Void, append(params, llir.NewParam("", ptr)), append(args, out)
	}
	for _, p := range c.fn.Params {
		q := llir.NewParam("", p.Typ)
		if x := extension(p.Typ); x != nil {
			q.Attrs = append(q.Attrs, attr(x[0].String()))
		}
		params, args = append(params, q), append(args, p)
	}
	r := b.NewCall(e.IR.NewFunc(c.Name, ret, params...), args...)
	switch {
	case out.InstAlloca != nil:
		x := &llir.InstLoad{ElemType: c.ret, Src: out}
		b.Insts = append(b.Insts, x)
		b.NewRet(x)
	case ret == types.Type(types.Void):
		b.NewRet(nil)
	default:
		b.NewRet(r)
	}
}

// ret ends the function with its results.
func (f *fn) ret(types []ir.Type, outs []val) {
	var all []value.Value
	for i, t := range types {
		all = append(all, f.toFields(t, outs[i])...)
	}
	switch len(all) {
	case 0:
		f.cur.NewRet(nil)
	case 1:
		f.cur.NewRet(all[0])
	default:
		var agg value.Value = &lit{typ: f.callee.ret, text: "poison"}
		for i, x := range all {
			agg = add(f, llir.NewInsertValue(agg, x, uint64(i)))
		}
		f.cur.NewRet(agg)
	}
}

// call calls a function of the module.
func (f *fn) call(c *callee, args []val) []val {
	var flat []value.Value
	for i, t := range c.In {
		flat = append(flat, f.toFields(t, args[i])...)
	}
	c.calls++
	r := add(f, llir.NewCall(c.fn, flat...))
	return f.results(c.ret, c.Out, r)
}

// results takes the result of a call apart.
func (f *fn) results(ret types.Type, ts []ir.Type, r value.Value) []val {
	var all []value.Value
	switch s, ok := ret.(*types.StructType); {
	case ok:
		for i := range s.Fields {
			all = append(all, add(f, llir.NewExtractValue(r, uint64(i))))
		}
	case ret != types.Type(types.Void):
		all = append(all, r)
	}
	out := make([]val, len(ts))
	for i, t := range ts {
		fs, _ := fields(f.c, t)
		out[i] = f.fromFields(t, all[:len(fs)])
		all = all[len(fs):]
	}
	return out
}
