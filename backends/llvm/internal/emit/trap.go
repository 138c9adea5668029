package emit

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Check stops the program with a reason if bad holds. Unchecked code assumes that
// it does not.
func (f *Fn) Check(bad value.Value, reason string) {
	if !f.Opts.Unchecked {
		f.StopIf(bad, reason)
	}
}

// StopIf is check in unchecked code too: the program itself asks for it.
func (f *Fn) StopIf(bad value.Value, reason string) {
	if n, ok := lit.Number(bad); ok && n == 0 {
		return
	}
	if _, ok := bad.Type().(*types.VectorType); ok {
		bad = f.B.anyLane(bad)
	}
	trap, ok := f.B.Block("trap"), f.B.Block("ok")
	f.B.Cur.NewCondBr(bad, trap, ok)
	f.trapIn(trap, reason)
	f.B.Place(ok)
}

// trapIn makes a block that ends the program. Its code is the number of the trap.
func (f *Fn) trapIn(b *llir.Block, reason string) {
	t := Trap{Func: f.Callee.Name, Op: f.G.Def(f.V).Name, Reason: reason}
	if ls := f.G.LocsOf(f.V); len(ls) > 0 {
		t.Loc = ls[0]
	}
	f.Traps = append(f.Traps, t)
	b.Parent = f.B.Func
	f.B.cold = append(f.B.cold, b)
	if f.Gpu != nil {
		f.gpuStop(b, int64(len(f.Traps)))
		return
	}
	c := b.NewCall(f.trapFunc(), lit.I32(int64(len(f.Traps))))
	c.FuncAttrs = []llir.FuncAttribute{Attr("noreturn")}
	b.NewUnreachable()
}

func (e *Emitter) trapFunc() *llir.Func {
	if e.trap == nil {
		e.trap = e.IR.NewFunc("irc.trap", types.Void, llir.NewParam("", types.I32))
		e.trap.Linkage = enum.LinkageInternal
		e.trap.FuncAttrs = []llir.FuncAttribute{Attr("cold"), Attr("noinline"), Attr("noreturn"), Attr("nounwind")}
	}
	return e.trap
}

// anyLane reports whether a lane of a vector of i1 is set.
func (ib *Builder) anyLane(v value.Value) value.Value {
	t := v.Type().(*types.VectorType)
	return ib.Intrinsic("llvm.vector.reduce.or.v"+lit.I64(int64(t.Len)).Text+"i1", types.I1, nil, v)
}

// checkBounds checks the indices of an access: each against its size, and where a
// view may reach out of its memory the whole against that.
func (f *Fn) checkBounds(m *View, at []value.Value, of []ir.Value) {
	if f.Opts.Unchecked || f.Promised() {
		return
	}
	var bad value.Value = lit.Bit(false)
	join := func(x value.Value) { bad = f.B.Or(bad, x) }
	for i, x := range at {
		v := ir.Value(0)
		if of != nil {
			v = of[i]
		}
		if !f.Within(x, v, m.Sizes[i]) {
			join(f.B.Icmp(enum.IPredUGE, x, m.Sizes[i]))
		}
	}
	if !m.Inside && m.Length != nil {
		join(f.B.Icmp(enum.IPredUGE, f.B.Linear(m, at), m.Length))
	}
	f.Check(bad, "index out of bounds")
}

// Promised reports that the program says of the current access that it is within bounds. No
// sandbox holds a GPU's driver, so kernels are checked all the same.
func (f *Fn) Promised() bool { return f.Gpu == nil && f.G.Attr(f.V, memref.InBoundsAttr) != 0 }

// Within reports that 0 <= x < n is known, where x is the translation of a value, if
// that is not 0.
func (f *Fn) Within(x value.Value, of ir.Value, n value.Value) bool {
	size, sized := lit.Number(n)
	if k, ok := lit.Number(x); ok {
		return sized && 0 <= k && k < size
	}
	if of == 0 {
		return false
	}
	known := f.Known.At(f.Region)
	k := known.Number(of)
	if k.Low < 0 || sized {
		return sized && k.Within(0, size-1)
	}
	for _, u := range known.Uppers(of) {
		if u.Off < 0 && f.Of(u.Value).V == n {
			return true
		}
	}
	return false
}

// FinishTraps gives the trap function its body: with thunks it goes back to the
// one that is running, else it writes the reason and aborts.
func (e *Emitter) FinishTraps() {
	if e.trap == nil {
		return
	}
	b := e.trap.NewBlock("entry")
	code := e.trap.Params[0]
	if e.Opts.Thunks {
		jump := e.Libc("longjmp", types.Void, lit.Ptr, types.I32)
		jump.FuncAttrs = []llir.FuncAttribute{Attr("noreturn"), Attr("nounwind")}
		b.NewCall(jump, e.jumpBuffer(b), code)
		b.NewUnreachable()
		return
	}
	e.abortTrap(b, code)
}

// abortTrap writes "irc: @f: op: reason" to standard error and aborts.
func (e *Emitter) abortTrap(b *llir.Block, code value.Value) {
	table := make([]*lit.Lit, len(e.Traps))
	for i, t := range e.Traps {
		table[i] = e.text("irc: " + t.String() + "\n")
	}
	elems := arrayLit(lit.Ptr, table)
	g := llir.NewGlobalDef("irc.traps", elems)
	g.Linkage, g.Immutable = enum.LinkageInternal, true
	e.IR.Globals = append(e.IR.Globals, g)
	at := b.NewSub(code, lit.I32(1))
	slot := &llir.InstGetElementPtr{ElemType: lit.Ptr, Src: &lit.Lit{Typ: lit.Ptr, Text: g.Ident()}, Indices: []value.Value{at}, InBounds: true, Typ: lit.Ptr}
	msg := &llir.InstLoad{ElemType: lit.Ptr, Src: slot}
	b.Insts = append(b.Insts, slot, msg)
	print := e.Libc("dprintf", types.I32, types.I32, lit.Ptr)
	print.Sig.Variadic = true
	b.NewCall(print, lit.I32(2), e.text("%s"), msg)
	b.NewCall(e.Libc("abort", types.Void))
	b.NewUnreachable()
}

// text makes a constant string with a NUL at its end.
func (e *Emitter) text(s string) *lit.Lit {
	if l := e.texts[s]; l != nil {
		return l
	}
	body := &lit.Lit{Typ: types.NewArray(uint64(len(s)+1), types.I8), Text: `c"` + escape(s) + `\00"`}
	g := llir.NewGlobalDef("irc.text"+lit.I64(int64(len(e.texts))).Text, body)
	g.Linkage, g.Immutable = enum.LinkagePrivate, true
	e.IR.Globals = append(e.IR.Globals, g)
	l := &lit.Lit{Typ: lit.Ptr, Text: g.Ident()}
	if e.texts == nil {
		e.texts = map[string]*lit.Lit{}
	}
	e.texts[s] = l
	return l
}

// escape writes the bytes of a string as LLVM does.
func escape(s string) string {
	const hex = "0123456789ABCDEF"
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			out = append(out, '\\', hex[c>>4], hex[c&15])
		} else {
			out = append(out, c)
		}
	}
	return string(out)
}

// arrayLit is a constant array.
func arrayLit(elem types.Type, xs []*lit.Lit) *lit.Lit {
	b := []byte{'['}
	for i, x := range xs {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, elem.String()...)
		b = append(b, ' ')
		b = append(b, x.Text...)
	}
	return &lit.Lit{Typ: types.NewArray(uint64(len(xs)), elem), Text: string(append(b, ']'))}
}
