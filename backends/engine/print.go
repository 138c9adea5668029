package engine

import (
	"errors"

	"github.com/irc-lang/irc/backends/jit"
	"github.com/irc-lang/irc/backends/llvm"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/interp/strided"
)

// printed turns print records into what the interpreter would have shown: each
// record says which op printed, and the interpreter's own function for that op
// runs on the recorded operands. What is not complete, cut short by a trap or yet
// to come, is the rest.
func (p *llvmProgram) printed(records []jit.Printed) (out []interp.Printed, rest []jit.Printed, err error) {
	for len(records) > 0 {
		all, head := records, records[0]
		records = records[1:]
		if head.Kind != llvm.PrintSite || head.Bits >= uint64(len(p.m.Prints)) {
			return out, nil, errors.New("compiled code left print records that make no sense")
		}
		site := p.m.Prints[head.Bits]
		args := make([]ir.Val, len(site.Types))
		for i, t := range site.Types {
			var ok bool
			if args[i], records, ok = p.operand(t, records); !ok {
				return out, all, nil
			}
		}
		shown, err := p.show(site, args)
		if err != nil {
			return out, nil, err
		}
		out = append(out, shown...)
	}
	return out, nil, nil
}

// stream hands on what the running call prints; it is called by one goroutine at a
// time.
func (p *llvmProgram) stream(records []jit.Printed) {
	out, rest, err := p.printed(append(p.pending, records...))
	p.pending = rest
	if err != nil && p.streamErr == nil {
		p.streamErr = err
	}
	for _, x := range out {
		p.e.o.Output(x)
	}
}

// operand reads a value of type t.
func (p *llvmProgram) operand(t ir.Type, rs []jit.Printed) (v ir.Val, rest []jit.Printed, ok bool) {
	info := p.ctx.Info(t)
	next := func() (bits uint64) {
		if len(rs) == 0 || rs[0].Kind != llvm.PrintBits {
			ok = false
			return 0
		}
		bits, rs = rs[0].Bits, rs[1:]
		return bits
	}
	ok = true
	switch info.Kind {
	case ir.KindMemRef:
		r := &interp.MemRef{}
		for range info.Shape {
			r.Sizes = append(r.Sizes, int64(next()))
		}
		strides, n, fits := strided.RowMajor(r.Sizes)
		if !ok || !fits || n > int64(len(rs)) {
			return v, rs, false
		}
		r.Strides, r.Buf = strides, interp.NewBuffer(p.ctx, info.Elem, int(n), false)
		for i := range int(n) {
			r.Buf.Store(i, ir.IntVal(int64(next()), p.ctx.Info(info.Elem).Width))
		}
		return r.Val(), rs, ok
	case ir.KindVector:
		n, _ := llvm.Slots(p.ctx, t)
		vec := make(ir.Vector, n)
		for i := range vec {
			vec[i] = ir.IntVal(int64(next()), p.ctx.Info(info.Elem).Width)
		}
		return ir.Val{Ref: vec}, rs, ok
	}
	return ir.IntVal(int64(next()), info.Width), rs, ok
}

// show runs the interpreter's function of a printing op.
func (p *llvmProgram) show(site llvm.Print, args []ir.Val) ([]interp.Printed, error) {
	def := site.G.Def(site.V)
	if p.shower == nil {
		m, err := interp.New(site.G, interp.Options{Output: func(x interp.Printed) { p.shown = append(p.shown, x) }})
		if err != nil {
			return nil, err
		}
		p.shower = m
	}
	calls := ir.CallsOf(site.G)
	o := &interp.Op{G: site.G, V: site.V, Def: def, Call: calls.Of(site.V)}
	for _, d := range site.G.Ctx.Dialects() {
		if f := ir.Table[interp.Table](d)[def]; f != nil {
			p.shown = nil
			err := f(p.shower, o, args, nil)
			return p.shown, err
		}
	}
	return nil, errors.New("nobody knows how to show what " + def.Name + " printed")
}
