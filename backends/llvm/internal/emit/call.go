package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
)

func EmitCall(f *Fn) {
	name := f.C.AttrInfo(f.G.Attr(f.V, "callee")).Str
	c := f.Emitter.Callee[name]
	if c == nil {
		f.Fail("calls @%s, which is no function of this module; declare it with func.func private @%s(...)", name, name)
	}
	args := f.G.Args(f.V)
	outs := f.resultTypes()
	if len(args) != len(c.In) || len(outs) != len(c.Out) {
		f.Fail("calls @%s with %d operands and %d results, but it has %d and %d", name, len(args), len(outs), len(c.In), len(c.Out))
	}
	for i, a := range args {
		if f.G.Type(a) != c.In[i] {
			f.Fail("calls @%s with operand #%d of type %s, but it wants %s", name, i, lit.Spell(f.C, f.G.Type(a)), lit.Spell(f.C, c.In[i]))
		}
	}
	for i, t := range outs {
		if t != c.Out[i] {
			f.Fail("takes result #%d of @%s as %s, but it is %s", i, name, lit.Spell(f.C, t), lit.Spell(f.C, c.Out[i]))
		}
	}
	for i, a := range args {
		if m := f.Of(a).M; m != nil && f.Alone(m) && f.changesAtomically(c, map[*Callee]bool{}) {
			f.Fail("calls @%s, which changes memory atomically, with the thread's own memory as operand #%d: atomic instructions do not work there; inline the call", name, i)
		}
	}
	f.SetAll(f.call(c, f.Args(args)))
}

func EmitFuncConstant(f *Fn) {
	name := f.C.AttrInfo(f.G.Attr(f.V, "value")).Str
	c := f.Emitter.Callee[name]
	if c == nil {
		f.Fail("refers to @%s, which is no function of this module", name)
	}
	f.taken = append(f.taken, c.Fn)
	f.Set(&lit.Lit{Typ: lit.Ptr, Text: c.Fn.Ident()})
}

// pointerTo is a function pointer as llir wants a callee: of a typed pointer,
// which is never printed.
type pointerTo struct {
	value.Value
	sig *types.FuncType
}

func (p pointerTo) Type() types.Type { return types.NewPointer(p.sig) }

func EmitCallIndirect(f *Fn) {
	args := f.G.Args(f.V)
	info := f.C.Info(f.G.Type(args[0]))
	in, out := info.Types[:info.NumIn], info.Types[info.NumIn:]
	var params []types.Type
	var flat []value.Value
	for i, t := range in {
		params = append(params, f.FieldsOf(f.G, f.V, "operand", in[i:i+1])...)
		flat = append(flat, f.toFields(t, f.Of(args[i+1]))...)
	}
	var ret types.Type = types.Void
	switch fs := f.FieldsOf(f.G, f.V, "result", out); len(fs) {
	case 0:
	case 1:
		ret = fs[0]
	default:
		ret = f.named(fs, false)
	}
	r := Add(f.B, llir.NewCall(pointerTo{f.Arg(0), types.NewFunc(ret, params...)}, flat...))
	f.SetAll(f.results(ret, out, r))
}

// Alone reports memory on the stack of a GPU's thread. No other thread can reach
// it, and atomic instructions do not work there.
func (f *Fn) Alone(m *View) bool {
	_, stack := m.Base.(Alloca)
	return stack && f.Gpu != nil
}
