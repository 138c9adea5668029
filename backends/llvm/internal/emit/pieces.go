package emit

import (
	"slices"
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// Some of LLVM's passes take the square of a function's length (vectors of straight-line code, combining and scheduling
// of instructions, registers). So what a very long function does outside of loops becomes functions of a piece of it each,
//
//	define internal void @irc.piece.NAME.N(ptr %frame, what it uses of the function ...)
//
// which it calls in their place. What a piece computes for others is in a frame on the stack, 8 bytes each. A piece
// is some ops of one region, that of the function or of a conditional that is in no loop: a loop is in one piece.

const (
	pieceLength = 500   // instructions after which a piece ends
	longCode    = 4000  // instructions outside of loops for which a function is taken apart, and
	longLoops   = 50000 // with those in loops: these are optimised better where all that is known of memory is in one function
)

// mark is a place between two ops.
type mark struct {
	block *llir.Block // the last one so far
	insts int         // that it has so far
	at    int         // its number
	cold  int         // trap blocks so far
	made  int         // instructions so far
}

// stretch is what becomes a piece.
type stretch struct{ from, to mark }

// length is of the code of a function's body.
type length struct {
	made      int // instructions so far
	looped    int // of them in loops
	stretches []stretch
	flat      bool // the region that is being translated is in no loop
	long      bool // the function is taken apart
}

func (ib *Builder) mark() mark {
	return mark{ib.Cur, len(ib.Cur.Insts), len(ib.Func.Blocks) - 1, len(ib.cold), ib.made}
}

// bodyOf translates the ops of a region.
func (f *Fn) bodyOf(r ir.Region) {
	term := f.G.Term(r)
	if f.B.flat {
		f.pieces(r, term)
		return
	}
	for _, v := range f.S.Body(r) {
		if v != term {
			f.op(v)
		}
	}
}

// pieces is bodyOf a region that is in no loop, and notes what may become pieces.
func (f *Fn) pieces(r ir.Region, term ir.Value) {
	begin, from := len(f.B.stretches), f.B.mark()
	for _, v := range f.S.Body(r) {
		if v == term {
			continue
		}
		before, n := f.B.mark(), len(f.B.stretches)
		f.B.flat = f.G.Def(v) == scf.If
		f.op(v)
		if f.B.flat = true; loopLike(f.G, v) {
			f.B.looped += f.B.made - before.made
		}
		switch {
		case len(f.B.stretches) > n: // the op has pieces: it is in none
			outer := stretch{from, before}
			f.B.stretches = slices.Insert(f.B.stretches, n, outer)
			from = f.B.mark()
		case f.B.made-from.made >= pieceLength:
			f.B.stretches = append(f.B.stretches, stretch{from, f.B.mark()})
			from = f.B.mark()
		}
	}
	if len(f.B.stretches) > begin {
		f.B.stretches = append(f.B.stretches, stretch{from, f.B.mark()})
	}
}

func loopLike(g *ir.Graph, v ir.Value) bool {
	_, ok := ir.As[ir.LoopLike](g.NodeOf(v))
	return ok
}

// veryLong reports, after its body, a function that is to be taken apart.
func (ib *Builder) veryLong() bool {
	return ib.Stack == 0 && len(ib.stretches) > 0 && (ib.made-ib.looped >= longCode || ib.made >= longLoops) && ib.plainValues()
}

// manyCalls is from how many on a function is not put in place of its calls, if that would make very long code of them.
const manyCalls = 16

// StayCalled has LLVM keep the calls of a function that has very many.
func (c *Callee) StayCalled() {
	if c.calls >= manyCalls && c.calls*c.made >= longCode {
		c.Fn.FuncAttrs = append(c.Fn.FuncAttrs, Attr("noinline"))
	}
}

// plainValues reports a function that computes with numbers and pointers alone: LLVM 19 does not compile all code with
// vectors without optimising it.
func (ib *Builder) plainValues() bool {
	for _, p := range ib.Func.Params {
		if !plainType(p.Typ) {
			return false
		}
	}
	for _, b := range append(slices.Clone(ib.Func.Blocks), ib.cold...) {
		for _, i := range b.Insts {
			if v, ok := i.(value.Value); ok && !plainType(v.Type()) {
				return false
			}
		}
	}
	return true
}

// plainType reports a type of numbers of 64 bits at most, pointers, and structs of them.
func plainType(t types.Type) bool {
	switch t := t.(type) {
	case *types.IntType:
		return t.BitSize <= 64
	case *types.FloatType:
		return t.Kind == types.FloatKindDouble || t.Kind == types.FloatKindFloat
	case *types.StructType:
		return !slices.ContainsFunc(t.Fields, func(f types.Type) bool { return !plainType(f) })
	}
	return t == types.Type(lit.Ptr) || types.Equal(t, types.Void)
}

// piece is a part of a function that becomes a function, or what stays.
type piece struct {
	c      *cutting
	blocks []*llir.Block
	f      *llir.Func
	frame  value.Value
	call   *llir.InstCall // nil of what stays
	params map[value.Value]*llir.Param
	hidden bool // it takes a pointer from the frame
}

// cutting is the work of taking a function apart.
type cutting struct {
	*Fn
	rest   *piece // what stays
	pieces []*piece
	owner  map[value.Value]*piece // of what pieces compute
	slots  map[value.Value]int64  // of that what others use
	size   int64
	memory map[value.Value]*piece // of what is reserved on the stack: the piece that uses it, or what stays
}

// carve makes the functions.
func (f *Fn) carve() {
	frame := Alloca{&llir.InstAlloca{Align: 8}}
	c := &cutting{Fn: f, owner: map[value.Value]*piece{}, slots: map[value.Value]int64{}, memory: map[value.Value]*piece{}}
	c.rest = &piece{c: c, frame: frame}
	c.split()
	for _, p := range c.pieces {
		for _, b := range p.blocks {
			for _, i := range b.Insts {
				if v, ok := i.(value.Value); ok {
					c.owner[v] = p
				}
			}
		}
	}
	for _, a := range f.B.Top {
		c.memory[a.(value.Value)] = nil
	}
	all := append(slices.Clone(c.pieces), c.rest)
	for _, p := range all {
		p.eachOperand(c.need)
	}
	for _, p := range all {
		p.rewrite()
	}
	frame.ElemType = types.NewArray(uint64(max(c.size, 1)), types.I64)
	first := map[*llir.Block][]llir.Instruction{f.B.Entry: {frame}}
	for _, a := range slices.Backward(f.B.Top) {
		b := f.B.Entry
		if p := c.memory[a.(value.Value)]; p != nil && p != c.rest {
			b = p.blocks[0]
		}
		first[b] = append(first[b], a)
	}
	for b, list := range first {
		b.Insts = append(list, b.Insts...)
	}
	for _, p := range c.pieces {
		p.close()
	}
	f.B.Func.Blocks = c.rest.blocks
	f.B.Func.FuncAttrs = append(f.B.Func.FuncAttrs, Attr("noinline"), Attr("optnone")) // nothing is left to optimise
}

// split gives each piece its blocks, from the last to the first, so that marks stay what they are. The block in which a
// stretch begins, and the one in which it ends, stay; the piece has others for its part of them.
func (c *cutting) split() {
	gone := map[*llir.Block]bool{}
	for n := len(c.B.stretches) - 1; n >= 0; n-- {
		from, to := c.B.stretches[n].from, c.B.stretches[n].to
		if from.made == to.made && from.block == to.block {
			continue
		}
		p := &piece{c: c, params: map[value.Value]*llir.Param{}}
		frame := llir.NewParam("", lit.Ptr)
		p.frame = frame
		p.f = c.IR.NewFunc(Internal("piece", c.Callee.Name)+"."+strconv.Itoa(n), types.Void, frame)
		p.f.Linkage = enum.LinkageInternal
		p.f.FuncAttrs = []llir.FuncAttribute{Attr("nounwind"), Attr("noinline"), c.callAttr()}
		p.call = llir.NewCall(p.f, c.rest.frame)
		c.pieces = append(c.pieces, p)
		head := c.B.Block("piece")
		if from.block == to.block {
			insts := from.block.Insts
			head.Insts = slices.Clone(insts[from.insts:to.insts])
			head.NewRet(nil)
			p.blocks = []*llir.Block{head}
			from.block.Insts = append(append(slices.Clone(insts[:from.insts]), p.call), insts[to.insts:]...)
			continue
		}
		head.Insts, head.Term = slices.Clone(from.block.Insts[from.insts:]), from.block.Term
		from.block.Insts = append(slices.Clone(from.block.Insts[:from.insts]), p.call)
		from.block.NewBr(to.block)
		tail := c.B.Block("piece")
		tail.Insts = slices.Clone(to.block.Insts[:to.insts])
		tail.NewRet(nil)
		to.block.Insts = slices.Clone(to.block.Insts[to.insts:])
		inner := append(slices.Clone(c.B.Func.Blocks[from.at+1:to.at]), c.B.cold[from.cold:to.cold]...)
		for _, b := range inner {
			gone[b] = true
		}
		p.blocks = append(append([]*llir.Block{head}, inner...), tail)
		p.redirect(from.block, head, to.block, tail)
	}
	stays := func(bs []*llir.Block) {
		for _, b := range bs {
			if !gone[b] {
				c.rest.blocks = append(c.rest.blocks, b)
			}
		}
	}
	stays(c.B.Func.Blocks)
	stays(c.B.cold)
}

// redirect has phis come from a piece's own first block, and branches go to its last.
func (p *piece) redirect(first, head, last, tail *llir.Block) {
	for _, b := range p.blocks {
		for _, i := range b.Insts {
			if phi, ok := i.(*llir.InstPhi); ok {
				for _, in := range phi.Incs {
					if in.Pred == value.Value(first) {
						in.Pred = head
					}
				}
			}
		}
		for _, to := range b.Term.Operands() {
			if *to == value.Value(last) {
				*to = tail
			}
		}
	}
}

// eachOperand visits the computed values that a piece uses.
func (p *piece) eachOperand(visit func(p *piece, v value.Value)) {
	for _, b := range p.blocks {
		for _, i := range append(slices.Clone(b.Insts), llir.Instruction(nil)) {
			var user any = i
			if i == nil {
				user = b.Term
			}
			operands(user, func(v value.Value) value.Value {
				visit(p, v)
				return v
			})
		}
	}
}

// need notes what of other pieces is used: it gets a place in the frame.
func (c *cutting) need(p *piece, v value.Value) {
	if q, ok := c.memory[v]; ok {
		if q == nil {
			c.memory[v] = p
		} else if q != p {
			c.memory[v] = c.rest
		}
		return
	}
	if of := c.owner[v]; of == nil || of == p { // of what stays, or its own
		return
	}
	if _, ok := c.slots[v]; !ok {
		c.slots[v] = c.size
		c.size += slotsOf(v.Type())
	}
}

// slotsOf is how many places of the frame a value takes.
func slotsOf(t types.Type) int64 {
	s, ok := t.(*types.StructType)
	if !ok {
		return 1
	}
	n := int64(0)
	for _, f := range s.Fields {
		n += slotsOf(f)
	}
	return n
}

// rewrite has a piece take what it uses of others from the frame, in each block before its first use, and
// store what others use.
func (p *piece) rewrite() {
	ends := map[*llir.Block][]llir.Instruction{} // for phis, in the block that they come from
	for _, b := range p.blocks {
		loaded := map[value.Value]value.Value{}
		old := b.Insts
		b.Insts = nil
		after := 0 // the phis
		for after < len(old) && isPhi(old[after]) {
			after++
		}
		for n, i := range old {
			if phi, ok := i.(*llir.InstPhi); ok {
				for _, in := range phi.Incs {
					from := in.Pred.(*llir.Block)
					in.X = computed(in.X, func(v value.Value) value.Value {
						return p.take(v, func(i ...llir.Instruction) { ends[from] = append(ends[from], i...) }, nil)
					})
				}
			} else {
				operands(i, func(v value.Value) value.Value {
					return p.take(v, func(i ...llir.Instruction) { b.Insts = append(b.Insts, i...) }, loaded)
				})
			}
			b.Insts = append(b.Insts, i)
			if n >= after {
				p.keep(b, i)
			}
			if n == after-1 {
				for _, phi := range old[:after] {
					p.keep(b, phi)
				}
			}
		}
		operands(b.Term, func(v value.Value) value.Value {
			return p.take(v, func(i ...llir.Instruction) { b.Insts = append(b.Insts, i...) }, loaded)
		})
	}
	for b, more := range ends {
		b.Insts = append(b.Insts, more...)
	}
}

func isPhi(i llir.Instruction) bool {
	_, ok := i.(*llir.InstPhi)
	return ok
}

// keep stores a value in the frame if others use it.
func (p *piece) keep(b *llir.Block, i llir.Instruction) {
	v, ok := i.(value.Value)
	if !ok {
		return
	}
	if at, ok := p.c.slots[v]; ok {
		to := p.place(at)
		b.Insts = append(b.Insts, to, &llir.InstStore{Src: v, Dst: to, Align: 8})
	}
}

// place is where something is in the frame.
func (p *piece) place(at int64) Instruction {
	return &llir.InstGetElementPtr{ElemType: types.I64, Src: p.frame, Indices: []value.Value{lit.I64(at)}, InBounds: true, Typ: lit.Ptr}
}

// take is a value as a piece has it: its own, a parameter, or from the frame.
func (p *piece) take(v value.Value, put func(...llir.Instruction), loaded map[value.Value]value.Value) value.Value {
	if v == p.frame {
		return v
	}
	of := p.c.owner[v]
	switch {
	case of == nil && p.call == nil, of != nil && of == p, p.call != nil && p.c.memory[v] == p:
		return v
	case of == nil:
		if p.params[v] == nil {
			p.params[v] = llir.NewParam("", v.Type())
			p.call.Args = append(p.call.Args, v)
			p.f.Params = append(p.f.Params, p.params[v])
		}
		return p.params[v]
	case loaded[v] != nil:
		return loaded[v]
	}
	from := p.place(p.c.slots[v])
	x := &llir.InstLoad{ElemType: v.Type(), Src: from, Align: 8}
	put(from, x)
	if loaded != nil {
		loaded[v] = x
	}
	p.hidden = p.hidden || v.Type() == types.Type(lit.Ptr)
	return x
}

// close completes the function of a piece.
func (p *piece) close() {
	for _, b := range p.blocks {
		b.Parent = p.f
	}
	p.f.Blocks = p.blocks
	p.f.Sig, p.f.Typ = types.NewFunc(types.Void, paramTypes(p.f.Params)...), nil
	if !p.hidden {
		distinct(p.call.Args[1:], p.params)
	}
}

// operands replaces the values that an instruction uses and that are computed: constants, functions and blocks are not.
func operands(user any, replace func(value.Value) value.Value) {
	switch u := user.(type) { // whose lists may be another's too
	case *llir.InstGetElementPtr:
		u.Indices = slices.Clone(u.Indices)
	case *llir.InstCall:
		u.Args = slices.Clone(u.Args)
	}
	u, ok := user.(interface{ Operands() []*value.Value })
	if !ok {
		return
	}
	for _, at := range u.Operands() {
		if *at != nil {
			*at = computed(*at, replace)
		}
	}
}

// computed replaces a value unless it is a constant, a function or a block.
func computed(v value.Value, replace func(value.Value) value.Value) value.Value {
	switch v := v.(type) {
	case pointerTo:
		return pointerTo{computed(v.Value, replace), v.sig}
	case *llir.Param, llir.Instruction:
		return replace(v)
	}
	return v
}
