package emit

import (
	"fmt"
	"slices"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/status"
)

// With Options.Checked a function that a trap may leave is made once more, with a status:
//
//	define internal i32 @irc.checked.F(...)             of a function without a result
//	define internal { i32, R } @irc.checked.F(...)      of one with a result
//
// The status is 0, or the number of a trap, which a call hands on. F itself, for those who
// call it as it is, calls this one and aborts where there is a status. What is called by its
// address is compared with the functions of this module that are values.
// A public function NAME has a twin
//
//	int32_t NAME_checked([T *result | struct NAME_results *results,] arguments...)
//
// whose result is 0, or the code of a trap, of which irc_trap_text is the text. A code is a
// hash of its text, for several objects in one program; their tables are one section.
//
// A chunk of a parallel loop has nobody to hand its status to: it leaves it in the closure,
// that of the lowest iteration (see callPool).

// statusBits are those of the status in the word of a closure, below the iteration.
const statusBits = 16

// checked makes the functions with a status.
type checked struct {
	*Emitter
	of    map[*llir.Func]*llir.Func // with a status, by the function
	stops map[*llir.InstCall]*stop
}

// A stop is where a loop that cores shared ends the program, if a part has a status.
type stop struct {
	part   *llir.Func
	call   *llir.InstCall // of the trap
	block  *llir.Block    // that it stands in
	branch *llir.TermCondBr
}

// FinishChecked makes functions with a status of those that a trap may leave, and twins.
func (e *Emitter) FinishChecked(callees []*Callee) {
	c := &checked{e, map[*llir.Func]*llir.Func{}, map[*llir.InstCall]*stop{}}
	for _, s := range e.stops {
		c.stops[s.call] = s
	}
	for changed := true; changed; {
		changed = false
		for _, f := range e.IR.Funcs {
			if f != e.trap && c.of[f] == nil && !isChunk(f) && c.mayLeave(f) {
				c.of[f], changed = &llir.Func{}, true
			}
		}
	}
	for _, s := range e.stops {
		if c.of[s.part] == nil { // there is nothing to stop at
			s.branch.Cond, s.block.Insts = lit.Bit(true), nil
		}
	}
	for _, f := range e.IR.Funcs {
		if s := c.of[f]; s != nil {
			*s = *llir.NewFunc("irc.checked."+f.Name(), statusType(f.Sig.RetType))
		}
	}
	for _, f := range e.IR.Funcs[:len(e.IR.Funcs):len(e.IR.Funcs)] {
		switch s := c.of[f]; {
		case s != nil:
			c.withStatus(f, s)
			e.IR.Funcs = append(e.IR.Funcs, s)
			s.Parent = e.IR
		case isChunk(f):
			c.chunk(f)
		}
	}
	e.trapTable()
	for _, k := range callees {
		if !k.private && !k.Declaration {
			c.twin(k)
		}
	}
}

func isChunk(f *llir.Func) bool { return strings.HasPrefix(f.Name(), chunkName) }

// mayLeave reports that a trap, or a call that a trap may leave, stands in a function.
func (c *checked) mayLeave(f *llir.Func) bool {
	for _, b := range f.Blocks {
		for _, i := range b.Insts {
			to := calledBy(i)
			if to != nil && to == c.trap {
				if s := c.stops[i.(*llir.InstCall)]; s != nil {
					to = s.part
				}
			}
			if to != nil && (to == c.trap || c.of[to] != nil) || len(c.behind(i)) > 0 {
				return true
			}
		}
	}
	return false
}

// calledBy is the function that an instruction calls by its name, or nil.
func calledBy(i llir.Instruction) *llir.Func {
	if call, ok := i.(*llir.InstCall); ok {
		if f, ok := call.Callee.(*llir.Func); ok {
			return f
		}
	}
	return nil
}

// behind lists the functions with a status that an instruction may call by their addresses.
func (c *checked) behind(i llir.Instruction) (out []*llir.Func) {
	call, ok := i.(*llir.InstCall)
	if !ok {
		return nil
	}
	to, ok := call.Callee.(pointerTo)
	if !ok {
		return nil
	}
	for _, f := range c.taken {
		if c.of[f] != nil && f.Sig.Equal(to.sig) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// statusType is the result of a function with a status.
func statusType(ret types.Type) types.Type {
	if ret == types.Type(types.Void) {
		return types.I32
	}
	return types.NewStruct(types.I32, ret)
}

// withStatus moves the body of f to s, where it returns a status, and gives f one that calls it.
func (c *checked) withStatus(f, s *llir.Func) {
	s.Linkage, s.FuncAttrs = enum.LinkageInternal, f.FuncAttrs
	s.Params, s.Blocks = f.Params, f.Blocks
	s.Sig = types.NewFunc(s.Sig.RetType, paramTypes(s.Params)...)
	s.Typ = nil
	f.Params = make([]*llir.Param, len(s.Params))
	args := make([]value.Value, len(s.Params))
	for i, p := range s.Params {
		f.Params[i] = llir.NewParam("", p.Typ)
		f.Params[i].Attrs = p.Attrs
		args[i] = f.Params[i]
	}
	f.Blocks = nil
	c.rewrite(s)
	entry, fine, stop := f.NewBlock("entry"), f.NewBlock("fine"), f.NewBlock("stop")
	r := entry.NewCall(s, args...)
	code, result := taken(entry, r)
	entry.NewCondBr(entry.NewICmp(enum.IPredEQ, code, lit.I32(0)), fine, stop)
	call := stop.NewCall(c.trap, code)
	call.FuncAttrs = []llir.FuncAttribute{Attr("noreturn")}
	stop.NewUnreachable()
	fine.NewRet(result)
}

// taken are the status and the result, nil if there is none, of a call.
func taken(b *llir.Block, r *llir.InstCall) (status, result value.Value) {
	if r.Type().Equal(types.I32) {
		return r, nil
	}
	return b.NewExtractValue(r, 0), b.NewExtractValue(r, 1)
}

// rewrite makes returns, traps and calls of a body what they are with a status.
func (c *checked) rewrite(s *llir.Func) {
	instead := map[value.Value]value.Value{} // of the results of calls
	tails := map[value.Value]*llir.Block{}   // of blocks that were split, where they end
	var out []*llir.Block
	for _, b := range s.Blocks {
		head := b
		rest := b.Insts
		for head.Insts = nil; len(rest) > 0; rest = rest[1:] {
			switch to := calledBy(rest[0]); {
			case to != nil && to == c.trap:
				leave(head, s, rest[0].(*llir.InstCall).Args[0])
				rest = rest[:1]
			case to != nil && c.of[to] != nil:
				head = c.handOn(s, head, rest[0].(*llir.InstCall), instead, &out)
			case len(c.behind(rest[0])) > 0:
				head = c.byAddress(s, head, rest[0].(*llir.InstCall), instead, &out)
			default:
				head.Insts = append(head.Insts, rest[0])
			}
		}
		if r, ok := head.Term.(*llir.TermRet); ok && !isLeaving(r) {
			succeed(head, s, r)
		}
		tails[b] = head
		out = append(out, head)
	}
	s.Blocks = out
	for _, b := range s.Blocks {
		b.Parent = s
		for _, i := range b.Insts {
			if phi, ok := i.(*llir.InstPhi); ok {
				for _, in := range phi.Incs {
					if to := tails[in.Pred]; to != nil {
						in.Pred = to
					}
				}
			}
		}
	}
	swap(s, instead)
}

// swap puts other values in the place of the results of calls.
func swap(s *llir.Func, instead map[value.Value]value.Value) {
	take := func(v value.Value) value.Value {
		if w := instead[v]; w != nil {
			return w
		}
		return v
	}
	for _, b := range s.Blocks {
		for _, i := range b.Insts {
			operands(i, take)
		}
		operands(b.Term, take)
	}
}

// handOn makes a call of a function with its status, which ends the block: it goes on in the
// block that is the result, unless there is a status.
func (c *checked) handOn(s *llir.Func, head *llir.Block, call *llir.InstCall, instead map[value.Value]value.Value, out *[]*llir.Block) *llir.Block {
	with := llir.NewCall(c.of[calledBy(call)], call.Args...)
	head.Insts = append(head.Insts, with)
	var status value.Value = with
	next, stop := llir.NewBlock(""), llir.NewBlock("")
	next.Term = head.Term
	if !with.Type().Equal(types.I32) {
		status = head.NewExtractValue(with, 0)
		instead[call] = next.NewExtractValue(with, 1)
	}
	head.NewCondBr(head.NewICmp(enum.IPredEQ, status, lit.I32(0)), next, stop)
	leave(stop, s, status)
	*out = append(*out, head, stop)
	return next
}

// byAddress makes a call by an address one of the function with a status whose plain form has that
// address; what has none, or comes from outside, is called as it is.
func (c *checked) byAddress(s *llir.Func, head *llir.Block, call *llir.InstCall, instead map[value.Value]value.Value, out *[]*llir.Block) *llir.Block {
	join, term := llir.NewBlock(""), head.Term
	var results []*llir.Incoming
	came := func(b *llir.Block, result value.Value) {
		b.NewBr(join)
		results = append(results, llir.NewIncoming(result, b))
		*out = append(*out, b)
	}
	for _, f := range c.behind(call) {
		direct, other := llir.NewBlock(""), llir.NewBlock("")
		same := &llir.InstICmp{Pred: enum.IPredEQ, X: call.Callee.(pointerTo).Value, Y: &lit.Lit{Typ: lit.Ptr, Text: f.Ident()}, Typ: types.I1}
		head.Insts = append(head.Insts, same)
		head.NewCondBr(same, direct, other)
		*out = append(*out, head)
		named := llir.NewCall(f, call.Args...)
		fine := c.handOn(s, direct, named, instead, out)
		came(fine, instead[named])
		head = other
	}
	plain := llir.NewCall(call.Callee, call.Args...)
	head.Insts = append(head.Insts, plain)
	came(head, plain)
	if join.Term = term; !call.Type().Equal(types.Void) {
		phi := llir.NewPhi(results...)
		phi.Typ = call.Type()
		join.Insts = append(join.Insts, phi)
		instead[call] = phi
	}
	return join
}

// isLeaving reports a return with a status above 0.
func isLeaving(r *llir.TermRet) bool {
	_, is := r.X.(leavingValue)
	return is
}

// leavingValue marks what is returned with a status.
type leavingValue struct{ value.Value }

// leave ends a block with a return of a status.
func leave(b *llir.Block, s *llir.Func, status value.Value) {
	if s.Sig.RetType.Equal(types.I32) {
		b.NewRet(leavingValue{status})
		return
	}
	b.NewRet(leavingValue{b.NewInsertValue(&lit.Lit{Typ: s.Sig.RetType, Text: "poison"}, status, 0)})
}

// succeed makes a return one with status 0.
func succeed(b *llir.Block, s *llir.Func, r *llir.TermRet) {
	if r.X == nil {
		b.NewRet(lit.I32(0))
		return
	}
	some := b.NewInsertValue(&lit.Lit{Typ: s.Sig.RetType, Text: "poison"}, lit.I32(0), 0)
	b.NewRet(b.NewInsertValue(some, r.X, 1))
}

// chunk makes a chunk leave the status of its part in the closure, with its first iteration: the
// word that stands first there is the least of these.
func (c *checked) chunk(f *llir.Func) {
	b := f.Blocks[0]
	i := len(b.Insts) - 1
	part, ok := b.Insts[i].(*llir.InstCall)
	if !ok || c.of[calledBy(part)] == nil {
		return
	}
	stop, done := f.NewBlock("stop"), f.NewBlock("done")
	b.Insts = b.Insts[:i]
	status := b.NewCall(c.of[calledBy(part)], part.Args...)
	b.NewCondBr(b.NewICmp(enum.IPredEQ, status, lit.I32(0)), done, stop)
	word := stop.NewOr(stop.NewShl(f.Params[0], lit.I64(statusBits)), stop.NewZExt(status, types.I64))
	stop.Insts = append(stop.Insts, &llir.InstAtomicRMW{Op: enum.AtomicOpUMin, Dst: f.Params[2], X: word, Ordering: enum.AtomicOrderingMonotonic, Typ: types.I64})
	stop.NewBr(done)
	done.NewRet(nil)
}

// noStatus is the word of a closure in which no chunk left a status.
func noStatus() *lit.Lit { return lit.I64(-1) }

// stopAt stops where the word of a closure has a status, with that: what chunks of a part left.
func (ib *Builder) stopAt(part *llir.Func, closure value.Value) {
	word := &llir.InstLoad{ElemType: types.I64, Src: closure}
	Add(ib, word)
	some, none := ib.Block("trap"), ib.Block("ok")
	branch := ib.Cur.NewCondBr(Add(ib, llir.NewICmp(enum.IPredEQ, word, noStatus())), none, some)
	some.Parent = ib.Func
	ib.cold = append(ib.cold, some)
	code := some.NewTrunc(some.NewAnd(word, lit.I64(1<<statusBits-1)), types.I32)
	call := some.NewCall(ib.e.trapFunc(), code)
	call.FuncAttrs = []llir.FuncAttribute{Attr("noreturn")}
	some.NewUnreachable()
	ib.e.stops = append(ib.e.stops, &stop{part, call, some, branch})
	ib.Place(none)
}

// twin makes NAME_checked.
func (c *checked) twin(k *Callee) {
	f := c.find(k.Name)
	if name := k.Name + status.Suffix; slices.ContainsFunc(c.IR.Funcs, func(f *llir.Func) bool { return f.Name() == name }) ||
		slices.ContainsFunc(c.IR.Globals, func(g *llir.Global) bool { return g.Name() == name }) {
		FailAt(c.G, k.V, status.NameConflict, k.Name, name)
	}
	b := llir.NewBlock("entry")
	var params []*llir.Param
	var args []value.Value
	for _, p := range f.Params {
		q := llir.NewParam("", p.Typ)
		q.Attrs = p.Attrs
		params = append(params, q)
		if c.Opts.CheckedAlone && p.Typ != types.Type(lit.Ptr) { // all are pointers, which is what R's .C has
			q.Typ, q.Attrs = lit.Ptr, nil
			x := &llir.InstLoad{ElemType: p.Typ, Src: q}
			b.Insts = append(b.Insts, x)
			args = append(args, x)
			continue
		}
		args = append(args, q)
	}
	single := f.Sig.RetType != types.Type(types.Void)
	if single {
		params = append([]*llir.Param{llir.NewParam("", lit.Ptr)}, params...)
	}
	w := c.IR.NewFunc(k.Name+status.Suffix, types.I32, params...)
	w.FuncAttrs = []llir.FuncAttribute{Attr("nounwind")}
	w.Blocks, b.Parent = append(w.Blocks, b), w
	keep := func(b *llir.Block, x value.Value) {
		if single {
			b.Insts = append(b.Insts, &llir.InstStore{Src: x, Dst: params[0]})
		}
		b.NewRet(lit.I32(0))
	}
	if s := c.of[f]; s != nil {
		fine, stop := w.NewBlock("fine"), w.NewBlock("stop")
		status, result := taken(b, b.NewCall(s, args...))
		b.NewCondBr(b.NewICmp(enum.IPredEQ, status, lit.I32(0)), fine, stop)
		keep(fine, result)
		slot := &llir.InstGetElementPtr{ElemType: trapEntry, Src: c.traps(), Indices: []value.Value{stop.NewSub(status, lit.I32(1)), lit.I32(0)}, InBounds: true, Typ: lit.Ptr}
		code := &llir.InstLoad{ElemType: types.I32, Src: slot}
		stop.Insts = append(stop.Insts, slot, code)
		stop.NewRet(code)
	} else {
		keep(b, b.NewCall(f, args...))
	}
	if c.Opts.CheckedAlone {
		f.Linkage = enum.LinkageInternal
	}
}

// find is the function that has the name of a public one.
func (c *checked) find(name string) *llir.Func {
	for _, f := range c.IR.Funcs {
		if f.Name() == name {
			return f
		}
	}
	panic("llvm: a public function has no entry")
}

// trapEntry is a row of the table of traps: a code and its text.
var trapEntry = types.NewStruct(types.I32, lit.Ptr)

const trapTableName = "irc.trap.table"

func (e *Emitter) traps() *lit.Lit { return &lit.Lit{Typ: lit.Ptr, Text: "@" + trapTableName} }

// trapTable makes the rows of this module.
func (e *Emitter) trapTable() {
	if len(e.Traps) == 0 {
		return
	}
	rows := make([]*lit.Lit, len(e.Traps))
	for i, t := range e.Traps {
		rows[i] = &lit.Lit{Typ: trapEntry, Text: fmt.Sprintf("{ i32 %d, ptr %s }", status.Code(t.String()), e.text(t.String()).Text)}
	}
	g := llir.NewGlobalDef(trapTableName, arrayLit(trapEntry, rows))
	g.Linkage, g.Immutable, g.Section, g.Align = enum.LinkageInternal, true, status.Section, 8
	e.IR.Globals = append(e.IR.Globals, g)
}

// trapText is irc_trap_text, which looks the code up in the tables of all objects.
const trapText = `
@__start_irc_traps = extern_weak hidden global { i32, ptr }
@__stop_irc_traps = extern_weak hidden global { i32, ptr }
@irc.trap.none = private constant [1 x i8] zeroinitializer
@irc.trap.unknown = private constant [15 x i8] c"unknown status\00"

define weak ptr @irc_trap_text(i32 %code) nounwind {
entry:
  %zero = icmp eq i32 %code, 0
  br i1 %zero, label %none, label %loop
none:
  ret ptr @irc.trap.none
loop:
  %at = phi ptr [ @__start_irc_traps, %entry ], [ %next, %other ]
  %end = icmp eq ptr %at, @__stop_irc_traps
  br i1 %end, label %unknown, label %row
row:
  %c = load i32, ptr %at
  %same = icmp eq i32 %c, %code
  br i1 %same, label %found, label %other
other:
  %next = getelementptr { i32, ptr }, ptr %at, i64 1
  br label %loop
found:
  %slot = getelementptr { i32, ptr }, ptr %at, i64 0, i32 1
  %text = load ptr, ptr %slot
  ret ptr %text
unknown:
  ret ptr @irc.trap.unknown
}
`
