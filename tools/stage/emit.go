package stage

import (
	"errors"
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/device"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/cfg"
	"github.com/irc-lang/irc/ir/stage"
	"github.com/irc-lang/irc/ir/unwind"
)

// An emitter makes the ops of a function.
type emitter struct {
	*blocks
	m      *module
	b      *ir.Builder
	params []ir.Value
	walk   *cfg.Emitter
	local  map[stage.Value]ir.Value // what the nodes of the block give
	conds  map[int]ir.Value         // of the branches of blocks
}

// emitter makes the ops of blocks by a builder.
func (m *module) emitter(p *blocks, b *ir.Builder, params []ir.Value) *emitter {
	e := &emitter{blocks: p, m: m, b: b, params: params, conds: map[int]ir.Value{}}
	e.walk = &cfg.Emitter{B: b, To: cfg.StructuredOf(m.c), Tree: cfg.Structure(p.graph), Run: e.block, Undefined: e.undefined,
		Branch: func(block int) (ir.Value, []int64) { return e.conds[block], nil }}
	return e
}

// types are those of a function of the program. Results are ops that give such values.
func (m *module) types(f *routine) (in, out []ir.Type, results []code) {
	t, tensors, gives := f.fn.Type(), f.tensors, f.gives
	for i, a := range f.args {
		if a.IsValid() {
			continue
		}
		list, _ := partsOf(t.In(i + 1))
		for _, p := range list {
			x := p.kind.typ(m.c)
			switch p.form {
			case asMemory:
				x = m.memory(p.kind, false)
			case asTensor:
				x = m.tensor(p.kind, tensors[0].shape)
				tensors = tensors[1:]
			}
			in = append(in, x)
		}
	}
	for i := range t.NumOut() {
		list, _ := partsOf(t.Out(i))
		for _, p := range list {
			x, is := p.kind.typ(m.c), code{op: "var", to: p.kind}
			if p.form == asTensor {
				is.shape, gives = gives[0], gives[1:]
				x = m.tensor(p.kind, extentsOf(is.shape))
			}
			out, results = append(out, x), append(results, is)
		}
	}
	return in, out, results
}

// memory is the type of that of the host or of the device.
func (m *module) memory(k kind, onDevice bool) ir.Type {
	t := ir.TypeInfo{Kind: ir.KindMemRef, Shape: []int64{ir.Dynamic}, Elem: k.typ(m.c)}
	if onDevice {
		t.Space = m.c.IntAttr(device.GlobalSpace, ir.I64)
	}
	return m.c.Type(t)
}

// emit makes a func.func of what was found.
func (m *module) emit(f *routine, s *stage.Session) (err error) {
	in, out, results := m.types(f)
	p, err := whole(s, results)
	if err != nil {
		return err
	}
	wrong, failed := unwind.Catch[*ir.OpError](func() {
		funcs.Define(m.b, f.name, in, out, func(b *ir.Builder, args []ir.Value) []ir.Value {
			e := m.emitter(p, b, args)
			e.agree(f)
			e.walk.Emit()
			vals := make([]ir.Value, len(out))
			for k := range vals {
				vals[k] = e.walk.Get(p.first + k)
			}
			return vals
		})
	})
	if failed {
		return errors.Join(errors.New("stage: the program is no IR"), wrong)
	}
	return nil
}

// undefined is what a variable holds that has no value: it does not matter.
func (e *emitter) undefined(n int) ir.Value {
	c := e.kinds[n]
	if c.shape != "" {
		var none []ir.Value
		for range openIn(extentsOf(c.shape)) {
			none = append(none, e.b.Index(0))
		}
		return e.full(c.result(), c.shape, append([]ir.Value{e.constant(c.result(), 0)}, none...))
	}
	if c.op == "memory" || c.op == "make" {
		return e.make(c, e.b.Index(0)) // not reached: memory is made before what branches
	}
	return e.constant(c.result(), 0)
}

func (e *emitter) constant(k kind, bits uint64) ir.Value {
	if k.float() {
		return arith.ConstFloat(e.b, k.typ(e.m.c), k.of(bits))
	}
	return e.b.Const(k.typ(e.m.c), ir.IntVal(int64(bits), k.width()))
}

// block makes the ops of a block.
func (e *emitter) block(n int) {
	e.local = map[stage.Value]ir.Value{}
	for _, v := range e.nodes[n] {
		x := &e.s.Nodes[v]
		e.b.Loc = e.m.location(e.s, x)
		args := make([]ir.Value, len(x.Args))
		for i, a := range x.Args {
			args[i] = e.result(v, a)
		}
		var out ir.Value
		switch x.Kind {
		case stage.Declare:
			continue
		case stage.Write:
			e.walk.Set(e.vars[x.Var], args[0])
			continue
		case stage.Read:
			out = e.walk.Get(e.vars[x.Var])
		case stage.Branch:
			e.conds[n] = args[0]
		case stage.Leave:
			for k, a := range args {
				e.walk.Set(e.first+k, a)
			}
		default:
			c := x.Code.(code)
			if c.op == "kernel" {
				e.launch(v, c.name, e.index(args[0]), e.index(args[1]))
				continue
			}
			out = e.op(c, args)
		}
		e.local[v] = out
		if slot, ok := e.slot[v]; ok {
			e.walk.Set(slot, out)
		}
	}
}

// result is what a node gave, for another one that uses it.
func (e *emitter) result(user, v stage.Value) ir.Value {
	switch c, _ := e.s.Nodes[v].Code.(code); {
	case c.op == "const":
		return e.constant(c.to, c.imm)
	case e.elsewhere(v, user):
		return e.walk.Get(e.slot[v])
	}
	return e.local[v]
}

// intOps and floatOps are ops of arith with the meaning of Go.
var (
	intOps = map[string]*ir.OpDef{"add": arith.Addi, "sub": arith.Subi, "mul": arith.Muli, "and": arith.Andi, "or": arith.Ori, "xor": arith.Xori}
	sOps   = map[string]*ir.OpDef{"min": arith.Minsi, "max": arith.Maxsi}
	uOps   = map[string]*ir.OpDef{"min": arith.Minui, "max": arith.Maxui, "div": arith.Divui, "rem": arith.Remui}
	fOps   = map[string]*ir.OpDef{"add": arith.Addf, "sub": arith.Subf, "mul": arith.Mulf, "div": arith.Divf, "rem": arith.Remf, "min": arith.Minimumf, "max": arith.Maximumf, "neg": arith.Negf}
)

// op makes an op.
func (e *emitter) op(c code, args []ir.Value) ir.Value {
	b := e.b
	if c.has {
		args = append(args, e.constant(c.k, c.imm))
	}
	switch c.op {
	case "param", "memory":
		return e.params[c.imm]
	case "select":
		return arith.Choose(b, args[0], args[1], args[2])
	case "to":
		return e.convert(c.k, c.to, args[0])
	case "load":
		return b.Op(memref.Load, args[0], e.index(args[1]))
	case "store":
		b.Op(memref.Store, args[2], args[0], e.index(args[1]))
		return 0
	case "len":
		return arith.Cast(b, arith.IndexCast, b.Op(memref.Dim, args[0], b.Index(0)), ir.I64)
	case "make":
		return e.make(c, e.index(args[0]))
	case "copy":
		e.copy(c, args)
		return 0
	case "id":
		return e.id(c.name)
	case "const", "end":
		return 0
	case "call":
		_, out, _ := e.m.types(e.m.known[c.name])
		return funcs.CallTo(b, c.name, out, args...)
	case "result":
		return b.Result(args[0], int(c.imm))
	case "eq", "ne", "lt", "le":
		return e.compare(c, args[0], args[1])
	case "tensor", "fill", "extract", "pack", "write", "reshape", "dim":
		return e.makeTensor(c, args)
	}
	if c.k.float() {
		if d, ok := fOps[c.op]; ok {
			return arith.Float(b, d, 0, args...)
		}
		return b.Op(functions[c.op], args...)
	}
	if c.op == "not" {
		return e.not(c.k, args[0])
	}
	return e.integer(c, args)
}

func (e *emitter) index(x ir.Value) ir.Value { return arith.Cast(e.b, arith.IndexCast, x, ir.Index) }

func (e *emitter) not(k kind, x ir.Value) ir.Value {
	return e.b.Op(arith.Xori, x, e.constant(k, math.MaxUint64))
}

// assert stops the program unless a condition holds.
func (e *emitter) assert(cond ir.Value, msg string) {
	c := e.m.c
	e.b.Must(ir.Call{Def: cf.Assert, Args: []ir.Value{cond}, Attr: c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil)})
}

// make allocates elements; of the host they are zero.
func (e *emitter) make(c code, n ir.Value) ir.Value {
	b, x := e.b, e.m.c
	if !c.device {
		e.assert(arith.CmpI(b, arith.SGE, n, b.Index(0)), "the number of elements is negative")
	}
	attr := x.WithDiscardable(x.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: x.DenseArray(ir.I32, 1, 0)}}, nil), memref.OwnedAttr, x.UnitAttr())
	mem := b.Must(ir.Call{Def: memref.Alloc, Args: []ir.Value{n}, Type: e.m.memory(c.k, c.device), Attr: attr})
	if c.device {
		return mem
	}
	scf.BuildFor(b, b.Index(0), n, b.Index(1), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
		b.Op(memref.Store, e.constant(c.k, 0), mem, i)
		return nil
	})
	return mem
}

// copy copies elements from one memory to the same places of another.
func (e *emitter) copy(c code, args []ir.Value) {
	first, n := e.index(args[2]), e.index(args[3])
	x := e.m.c
	list := func(name string, of ...int64) ir.NamedAttr {
		return ir.NamedAttr{Name: name, Value: x.DenseArray(ir.I64, of...)}
	}
	attr := x.Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: x.DenseArray(ir.I32, 1, 1, 1, 0)}, list("static_offsets", ir.Dynamic),
		list("static_sizes", ir.Dynamic), list("static_strides", 1)}, nil)
	part := func(mem ir.Value) ir.Value { return e.b.OpAttr(memref.Subview, attr, mem, first, n) }
	e.b.Op(memref.Copy, part(args[1]), part(args[0]))
}

func (e *emitter) compare(c code, x, y ir.Value) ir.Value {
	if c.k.float() {
		return arith.CmpF(e.b, map[string]arith.CmpFPredicate{"eq": arith.OEQ, "ne": arith.UNE, "lt": arith.OLT, "le": arith.OLE}[c.op], x, y)
	}
	p := map[string]arith.CmpIPredicate{"eq": arith.EQ, "ne": arith.NE, "lt": arith.ULT, "le": arith.ULE}[c.op]
	if c.k.signed() {
		p = map[string]arith.CmpIPredicate{"eq": arith.EQ, "ne": arith.NE, "lt": arith.SLT, "le": arith.SLE}[c.op]
	}
	return arith.CmpI(e.b, p, x, y)
}

// integer makes what wraps, and what is Go's of shifts and quotients that arith leaves open.
func (e *emitter) integer(c code, args []ir.Value) ir.Value {
	b, k := e.b, c.k
	n := func(x int64) ir.Value { return e.constant(k, uint64(x)) }
	switch c.op {
	case "add", "sub", "mul":
		return arith.Int(b, intOps[c.op], 0, args...)
	case "and", "or", "xor":
		return b.Op(intOps[c.op], args...)
	case "div", "rem":
		e.assert(arith.CmpI(b, arith.NE, args[1], n(0)), "division by zero")
	}
	if d, ok := uOps[c.op]; ok && !k.signed() {
		return b.Op(d, args...)
	}
	if d, ok := sOps[c.op]; ok {
		return b.Op(d, args...)
	}
	switch c.op {
	case "neg":
		return arith.Int(b, arith.Subi, 0, n(0), args[0])
	case "div", "rem": // of -1 the quotient may be too large: it is -x, and the remainder 0
		minus := arith.CmpI(b, arith.EQ, args[1], n(-1))
		by := arith.Choose(b, minus, n(1), args[1])
		if c.op == "div" {
			return arith.Choose(b, minus, arith.Int(b, arith.Subi, 0, n(0), args[0]), b.Op(arith.Divsi, args[0], by))
		}
		return b.Op(arith.Remsi, args[0], by)
	}
	// Shifts by as many bits as there are, or more.
	width := n(int64(k.width()))
	far := arith.CmpI(b, arith.UGE, args[1], width)
	if k.width() < 8 {
		panic("stage: a shift of a truth")
	}
	if c.op == "shr" && k.signed() {
		return b.Op(arith.Shrsi, args[0], arith.Choose(b, far, n(int64(k.width()-1)), args[1]))
	}
	d := arith.Shli
	if c.op == "shr" {
		d = arith.Shrui
	}
	count := arith.Choose(b, far, n(0), args[1])
	return arith.Choose(b, far, n(0), b.Op(d, args[0], count))
}

// convert makes a value of another type.
func (e *emitter) convert(from, to kind, x ir.Value) ir.Value {
	b, t := e.b, to.typ(e.m.c)
	switch {
	case from == to || from.typ(e.m.c) == t:
		return x
	case from == f32 && to == f64:
		return arith.Cast(b, arith.Extf, x, t)
	case from == f64 && to == f32:
		return arith.Cast(b, arith.Truncf, x, t)
	case from.float():
		return e.toInteger(from, to, x)
	case to.float() && from.signed():
		return arith.Cast(b, arith.Sitofp, x, t)
	case to.float():
		return arith.Cast(b, arith.Uitofp, x, t)
	case from.width() > to.width():
		return arith.Cast(b, arith.Trunci, x, t)
	case from.signed():
		return arith.Cast(b, arith.Extsi, x, t)
	}
	return arith.Cast(b, arith.Extui, x, t)
}

// toInteger cuts a float, and takes the nearest integer where there is none.
func (e *emitter) toInteger(from, to kind, x ir.Value) ir.Value {
	b, t := e.b, from.typ(e.m.c)
	low, high := to.limits()
	number := func(f float64) ir.Value { return arith.ConstFloat(b, t, f) }
	below := arith.CmpF(b, arith.OLE, x, number(low))
	above := arith.CmpF(b, arith.OGE, x, number(high))
	nan := arith.CmpF(b, arith.UNO, x, x)
	out := b.Op(arith.Ori, b.Op(arith.Ori, below, above), nan)
	d := arith.Fptoui
	if to.signed() {
		d = arith.Fptosi
	}
	n := arith.Cast(b, d, arith.Choose(b, out, number(0), x), to.typ(e.m.c))
	n = arith.Choose(b, below, e.constant(to, to.least()), n)
	return arith.Choose(b, above, e.constant(to, to.most()), n)
}
