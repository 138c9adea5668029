package lms

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

var table = interp.Table{
	P: runP, Print: runPrint, Fun: runFun, App: runApp, Var: runVar, Get: runGet, Set: runSet,
	NewMut: runZeros, Zeros: runZeros, MutCopy: runClone, Read: runRead, Write: runWrite, Len: runLen,
	Plus: runPlus, Arr: runArr, Sum: runSum, Lit: runLit, At: runRead, Clone: runClone,
}

// runP mixes the name and the operands: equal ops give equal numbers.
func runP(_ *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	h := uint64(14695981039346656037)
	step := func(x uint64) { h = (h ^ x) * 1099511628211 }
	for _, b := range []byte(o.G.Ctx.AttrInfo(o.Call.Get("name")).Str) {
		step(uint64(b))
	}
	for _, a := range args {
		step(a.Bits)
	}
	if out[0] = (ir.Val{Bits: h >> 32}); o.G.Type(o.V) == ir.I1 {
		out[0] = ir.Val{Bits: h >> 32 & 1}
	}
	return nil
}

func runPrint(m *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	m.Emit(interp.Printed{Kind: interp.PrintValue, Val: args[0], Type: ir.I64})
	return nil
}

func runFun(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	out[0] = ir.Val{Ref: m.Close(o.Regions[0])}
	return nil
}

func runApp(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	f, ok := args[0].Ref.(*interp.Closure)
	if !ok {
		return ir.Trapf("what is called is no function")
	}
	ys, err := m.CallClosure(f, args[1:])
	if err == nil {
		out[0] = ys[0]
	}
	return err
}

func runVar(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	v := args[0]
	out[0] = ir.Val{Ref: &v}
	return nil
}

func runGet(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	out[0] = *args[0].Ref.(*ir.Val)
	return nil
}

func runSet(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	*args[0].Ref.(*ir.Val) = args[1]
	return nil
}

// array makes room for an array of numbers or of arrays.
func array(m *interp.Machine, elem ir.Type, n int64) (*interp.MemRef, error) {
	if n < 0 {
		return nil, ir.Trapf("an array of %d elements", n)
	}
	return m.NewMemRef(elem, n)
}

func zeros(m *interp.Machine, n int64) (*interp.MemRef, error) {
	a, err := array(m, ir.I64, n)
	if err != nil {
		return nil, err
	}
	for i := range a.Buf.Len() {
		a.Buf.Store(i, ir.Val{})
	}
	return a, nil
}

func runZeros(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	a, err := zeros(m, int64(args[0].Bits))
	out[0] = ir.Val{Ref: a}
	return err
}

func runClone(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	from, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	a, err := array(m, from.Buf.Elem, from.Sizes[0])
	if err != nil {
		return err
	}
	for i := range a.Buf.Len() {
		a.Buf.Store(i, from.Buf.Load(i))
	}
	out[0] = ir.Val{Ref: a}
	return nil
}

func runLit(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	a, err := array(m, o.Call.ArgType(0), int64(len(args)))
	if err != nil {
		return err
	}
	for i, v := range args {
		a.Buf.Store(i, v)
	}
	out[0] = ir.Val{Ref: a}
	return nil
}

func at(args []ir.Val) (*interp.MemRef, int, error) {
	a, err := interp.AsMemRef(args[0])
	if err != nil {
		return nil, 0, err
	}
	i, err := a.At(args[1:2])
	return a, i, err
}

func runRead(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	a, i, err := at(args)
	if err == nil {
		out[0] = a.Buf.Load(i)
	}
	return err
}

func runWrite(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	a, i, err := at(args)
	if err == nil {
		a.Buf.Store(i, args[2])
	}
	return err
}

func runLen(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	a, err := interp.AsMemRef(args[0])
	if err == nil {
		out[0] = ir.Val{Bits: uint64(a.Sizes[0])}
	}
	return err
}

// runPlus gives as many elements as the shorter operand has.
func runPlus(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	x, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	y, err := interp.AsMemRef(args[1])
	if err != nil {
		return err
	}
	a, err := zeros(m, min(x.Sizes[0], y.Sizes[0]))
	if err != nil {
		return err
	}
	for i := range a.Buf.Len() {
		a.Buf.Store(i, ir.Val{Bits: x.Buf.Load(i).Bits + y.Buf.Load(i).Bits})
	}
	out[0] = ir.Val{Ref: a}
	return nil
}

func each(m *interp.Machine, o *interp.Op, n int64, f func(i int, v ir.Val)) error {
	for i := range n {
		ys, err := m.Run(o.Regions[0], []ir.Val{{Bits: uint64(i)}})
		if err != nil {
			return err
		}
		f(int(i), ys[0])
	}
	return nil
}

func runArr(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	elem := o.G.Type(o.G.Yields(o.Regions[0].Region)[0])
	a, err := array(m, elem, int64(args[0].Bits))
	if err != nil {
		return err
	}
	out[0] = ir.Val{Ref: a}
	return each(m, o, a.Sizes[0], a.Buf.Store)
}

func runSum(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	sum := ir.Val{}
	err := each(m, o, int64(args[0].Bits), func(_ int, v ir.Val) { sum.Bits += v.Bits })
	out[0] = sum
	return err
}
