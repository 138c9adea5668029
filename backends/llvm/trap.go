package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// check stops the program with a reason if bad holds. Unchecked code assumes that
// it does not.
func (f *fn) check(bad value.Value, reason string) {
	if !f.opts.Unchecked {
		f.stopIf(bad, reason)
	}
}

// stopIf is check in unchecked code too: the program itself asks for it.
func (f *fn) stopIf(bad value.Value, reason string) {
	if n, ok := number(bad); ok && n == 0 {
		return
	}
	if _, ok := bad.Type().(*types.VectorType); ok {
		bad = f.anyLane(bad)
	}
	trap, ok := f.block("trap"), f.block("ok")
	f.cur.NewCondBr(bad, trap, ok)
	f.trapIn(trap, reason)
	f.place(ok)
}

// trapIn makes a block that ends the program. Its code is the number of the trap.
func (f *fn) trapIn(b *llir.Block, reason string) {
	t := Trap{Func: f.callee.Name, Op: f.g.Def(f.v).Name, Reason: reason}
	if ls := f.g.LocsOf(f.v); len(ls) > 0 {
		t.Loc = ls[0]
	}
	f.Traps = append(f.Traps, t)
	b.Parent = f.f
	f.cold = append(f.cold, b)
	if f.gpu != nil {
		f.gpuStop(b, int64(len(f.Traps)))
		return
	}
	c := b.NewCall(f.trapFunc(), i32(int64(len(f.Traps))))
	c.FuncAttrs = []llir.FuncAttribute{attr("noreturn")}
	b.NewUnreachable()
}

func (e *emitter) trapFunc() *llir.Func {
	if e.trap == nil {
		e.trap = e.IR.NewFunc("irc.trap", types.Void, llir.NewParam("", types.I32))
		e.trap.Linkage = enum.LinkageInternal
		e.trap.FuncAttrs = []llir.FuncAttribute{attr("cold"), attr("noinline"), attr("noreturn"), attr("nounwind")}
	}
	return e.trap
}

// anyLane reports whether a lane of a vector of i1 is set.
func (f *fn) anyLane(v value.Value) value.Value {
	t := v.Type().(*types.VectorType)
	return f.intrinsic("llvm.vector.reduce.or.v"+i64(int64(t.Len)).text+"i1", types.I1, nil, v)
}

// checkBounds checks the indices of an access: each against its size, and where a
// view may reach out of its memory the whole against that.
func (f *fn) checkBounds(m *view, at []value.Value, of []ir.Value) {
	if f.opts.Unchecked || f.promised() {
		return
	}
	var bad value.Value = bit(false)
	join := func(x value.Value) { bad = f.or(bad, x) }
	for i, x := range at {
		v := ir.Value(0)
		if of != nil {
			v = of[i]
		}
		if !f.within(x, v, m.sizes[i]) {
			join(f.icmp(enum.IPredUGE, x, m.sizes[i]))
		}
	}
	if !m.inside && m.length != nil {
		join(f.icmp(enum.IPredUGE, f.linear(m, at), m.length))
	}
	f.check(bad, "index out of bounds")
}

// promised reports that the program says of the current access that it is within bounds. No
// sandbox holds a GPU's driver, so kernels are checked all the same.
func (f *fn) promised() bool { return f.gpu == nil && f.g.Attr(f.v, memref.InBoundsAttr) != 0 }

// or and and work on i1; constants fold.
func (f *fn) or(x, y value.Value) value.Value {
	if n, ok := number(x); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	if n, ok := number(y); ok {
		return map[bool]value.Value{true: y, false: x}[n != 0]
	}
	return add(f, llir.NewOr(x, y))
}

func (f *fn) and(x, y value.Value) value.Value {
	if n, ok := number(x); ok {
		return map[bool]value.Value{true: y, false: x}[n != 0]
	}
	if n, ok := number(y); ok {
		return map[bool]value.Value{true: x, false: y}[n != 0]
	}
	return add(f, llir.NewAnd(x, y))
}

// within reports that 0 <= x < n is known, where x is the translation of a value, if
// that is not 0.
func (f *fn) within(x value.Value, of ir.Value, n value.Value) bool {
	size, sized := number(n)
	if k, ok := number(x); ok {
		return sized && 0 <= k && k < size
	}
	if of == 0 {
		return false
	}
	known := f.known.At(f.region)
	k := known.Number(of)
	if k.Low < 0 || sized {
		return sized && k.Within(0, size-1)
	}
	for _, u := range known.Uppers(of) {
		if u.Off < 0 && f.of(u.Value).v == n {
			return true
		}
	}
	return false
}

// icmp compares integers; constants fold.
func (f *fn) icmp(p enum.IPred, x, y value.Value) value.Value {
	a, okA := number(x)
	b, okB := number(y)
	if okA && okB && types.Equal(x.Type(), types.I64) {
		switch p {
		case enum.IPredEQ:
			return bit(a == b)
		case enum.IPredNE:
			return bit(a != b)
		case enum.IPredSLT:
			return bit(a < b)
		case enum.IPredSLE:
			return bit(a <= b)
		case enum.IPredSGT:
			return bit(a > b)
		case enum.IPredUGE:
			return bit(uint64(a) >= uint64(b))
		}
	}
	return add(f, llir.NewICmp(p, x, y))
}

// finishTraps gives the trap function its body: with thunks it goes back to the
// one that is running, else it writes the reason and aborts.
func (e *emitter) finishTraps() {
	if e.trap == nil {
		return
	}
	b := e.trap.NewBlock("entry")
	code := e.trap.Params[0]
	if e.opts.Thunks {
		jump := e.libc("longjmp", types.Void, ptr, types.I32)
		jump.FuncAttrs = []llir.FuncAttribute{attr("noreturn"), attr("nounwind")}
		b.NewCall(jump, e.jumpBuffer(b), code)
		b.NewUnreachable()
		return
	}
	e.abortTrap(b, code)
}

// abortTrap writes "irc: @f: op: reason" to standard error and aborts.
func (e *emitter) abortTrap(b *llir.Block, code value.Value) {
	table := make([]*lit, len(e.Traps))
	for i, t := range e.Traps {
		table[i] = e.text("irc: " + t.String() + "\n")
	}
	elems := arrayLit(ptr, table)
	g := llir.NewGlobalDef("irc.traps", elems)
	g.Linkage, g.Immutable = enum.LinkageInternal, true
	e.IR.Globals = append(e.IR.Globals, g)
	at := b.NewSub(code, i32(1))
	slot := &llir.InstGetElementPtr{ElemType: ptr, Src: &lit{typ: ptr, text: g.Ident()}, Indices: []value.Value{at}, InBounds: true, Typ: ptr}
	msg := &llir.InstLoad{ElemType: ptr, Src: slot}
	b.Insts = append(b.Insts, slot, msg)
	print := e.libc("dprintf", types.I32, types.I32, ptr)
	print.Sig.Variadic = true
	b.NewCall(print, i32(2), e.text("%s"), msg)
	b.NewCall(e.libc("abort", types.Void))
	b.NewUnreachable()
}

// text makes a constant string with a NUL at its end.
func (e *emitter) text(s string) *lit {
	if l := e.texts[s]; l != nil {
		return l
	}
	body := &lit{typ: types.NewArray(uint64(len(s)+1), types.I8), text: `c"` + escape(s) + `\00"`}
	g := llir.NewGlobalDef("irc.text"+i64(int64(len(e.texts))).text, body)
	g.Linkage, g.Immutable = enum.LinkagePrivate, true
	e.IR.Globals = append(e.IR.Globals, g)
	l := &lit{typ: ptr, text: g.Ident()}
	if e.texts == nil {
		e.texts = map[string]*lit{}
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
func arrayLit(elem types.Type, xs []*lit) *lit {
	b := []byte{'['}
	for i, x := range xs {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, elem.String()...)
		b = append(b, ' ')
		b = append(b, x.text...)
	}
	return &lit{typ: types.NewArray(uint64(len(xs)), elem), text: string(append(b, ']'))}
}
