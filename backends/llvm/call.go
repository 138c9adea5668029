package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	llir "github.com/llir/llvm/ir"
)

func emitCall(f *fn) {
	name := f.c.AttrInfo(f.g.Attr(f.v, "callee")).Str
	c := f.emitter.callee[name]
	if c == nil {
		f.fail("calls @%s, which is no function of this module; declare it with func.func private @%s(...)", name, name)
	}
	args := f.g.Args(f.v)
	outs := f.resultTypes()
	if len(args) != len(c.In) || len(outs) != len(c.Out) {
		f.fail("calls @%s with %d operands and %d results, but it has %d and %d", name, len(args), len(outs), len(c.In), len(c.Out))
	}
	for i, a := range args {
		if f.g.Type(a) != c.In[i] {
			f.fail("calls @%s with operand #%d of type %s, but it wants %s", name, i, spell(f.c, f.g.Type(a)), spell(f.c, c.In[i]))
		}
	}
	for i, t := range outs {
		if t != c.Out[i] {
			f.fail("takes result #%d of @%s as %s, but it is %s", i, name, spell(f.c, t), spell(f.c, c.Out[i]))
		}
	}
	for i, a := range args {
		if m := f.of(a).m; m != nil && f.alone(m) && f.changesAtomically(c, map[*callee]bool{}) {
			f.fail("calls @%s, which changes memory atomically, with the thread's own memory as operand #%d: atomic instructions do not work there; inline the call", name, i)
		}
	}
	f.setAll(f.call(c, f.args(args)))
}

func emitFuncConstant(f *fn) {
	name := f.c.AttrInfo(f.g.Attr(f.v, "value")).Str
	c := f.emitter.callee[name]
	if c == nil {
		f.fail("refers to @%s, which is no function of this module", name)
	}
	f.taken = append(f.taken, c.fn)
	f.set(&lit{typ: ptr, text: c.fn.Ident()})
}

// pointerTo is a function pointer as llir wants a callee: of a typed pointer,
// which is never printed.
type pointerTo struct {
	value.Value
	sig *types.FuncType
}

func (p pointerTo) Type() types.Type { return types.NewPointer(p.sig) }

func emitCallIndirect(f *fn) {
	args := f.g.Args(f.v)
	info := f.c.Info(f.g.Type(args[0]))
	in, out := info.Types[:info.NumIn], info.Types[info.NumIn:]
	var params []types.Type
	var flat []value.Value
	for i, t := range in {
		params = append(params, f.fieldsOf(f.g, f.v, "operand", in[i:i+1])...)
		flat = append(flat, f.toFields(t, f.of(args[i+1]))...)
	}
	var ret types.Type = types.Void
	switch fs := f.fieldsOf(f.g, f.v, "result", out); len(fs) {
	case 0:
	case 1:
		ret = fs[0]
	default:
		ret = f.named(fs, false)
	}
	r := add(f, llir.NewCall(pointerTo{f.arg(0), types.NewFunc(ret, params...)}, flat...))
	f.setAll(f.results(ret, out, r))
}

// alone reports memory on the stack of a GPU's thread. No other thread can reach
// it, and atomic instructions do not work there.
func (f *fn) alone(m *view) bool {
	_, stack := m.base.(alloca)
	return stack && f.gpu != nil
}
