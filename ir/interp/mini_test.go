package interp_test

import (
	"math"
	"testing"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// A small dialect to test the machine with.

func gives(t ir.Type) func(*ir.Call) (ir.Type, error) {
	return func(*ir.Call) (ir.Type, error) { return t, nil }
}

func given(c *ir.Call) (ir.Type, error) { return c.Type, nil }

func like(c *ir.Call) (ir.Type, error) { return c.ArgType(0), nil }

func floats(f func(x, y float64) float64) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.F64Val(f(a[0].F64(), a[1].F64())), nil }
}

func writesIO(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.IO}} }

var (
	mConst = ir.Define(&ir.OpDef{Name: "mini.const", Attrs: []string{"value"}, Traits: ir.ConstantLike, Infer: given})
	mAdd   = ir.Define(&ir.OpDef{Name: "mini.add", Infer: like, Eval: func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		return ir.IntVal(int64(a[0].Bits+a[1].Bits), c.Ctx().Info(c.ArgType(0)).Width), nil
	}})
	mLess = ir.Define(&ir.OpDef{Name: "mini.less", Infer: gives(ir.I1), Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
		return ir.BoolVal(int64(a[0].Bits) < int64(a[1].Bits)), nil
	}})
	mDiv = ir.Define(&ir.OpDef{Name: "mini.div", Traits: ir.Partial, Infer: like, Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
		if a[1].Bits == 0 {
			return ir.Val{}, ir.Trapf("division by zero")
		}
		return ir.Val{Bits: uint64(int64(a[0].Bits) / int64(a[1].Bits))}, nil
	}})
	mShl = ir.Define(&ir.OpDef{Name: "mini.shl", Infer: like, Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
		if a[1].Bits >= 64 {
			return ir.Val{Ref: ir.Poison}, nil
		}
		return ir.Val{Bits: a[0].Bits << a[1].Bits}, nil
	}})
	mSelect = ir.Define(&ir.OpDef{Name: "mini.select", Infer: func(c *ir.Call) (ir.Type, error) { return c.ArgType(1), nil },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) {
			if a[0].IsPoison() {
				return a[0], nil
			}
			if a[0].Bool() {
				return a[1], nil
			}
			return a[2], nil
		}})
	mBoth = ir.Define(&ir.OpDef{Name: "mini.both", Infer: func(c *ir.Call) (ir.Type, error) { return c.Ctx().Multi(ir.I64, ir.I64), nil },
		Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.Val{Ref: ir.Vector{a[0], a[1]}}, nil }})
	mFAdd   = ir.Define(&ir.OpDef{Name: "mini.fadd", Infer: gives(ir.F64), Eval: floats(func(x, y float64) float64 { return x + y })})
	mFMul   = ir.Define(&ir.OpDef{Name: "mini.fmul", Infer: gives(ir.F64), Eval: floats(func(x, y float64) float64 { return x * y })})
	mFSub   = ir.Define(&ir.OpDef{Name: "mini.fsub", Infer: gives(ir.F64), Eval: floats(func(x, y float64) float64 { return x - y })})
	mLog    = ir.Define(&ir.OpDef{Name: "mini.log", Infer: gives(ir.F64), Eval: func(_ *ir.Call, a []ir.Val) (ir.Val, error) { return ir.F64Val(math.Log(a[0].F64())), nil }})
	mYield  = ir.Define(&ir.OpDef{Name: "mini.yield", Traits: ir.Terminator, Infer: gives(ir.Void)})
	mReturn = ir.Define(&ir.OpDef{Name: "mini.return", Traits: ir.Terminator, Infer: gives(ir.Void)})
	mReduce = ir.Define(&ir.OpDef{Name: "mini.reduce", Traits: ir.Terminator, Infer: gives(ir.Void)})
	mIf     = ir.Define(&ir.OpDef{Name: "mini.if", Body: ir.Branch, Infer: given})
	mFor    = ir.Define(&ir.OpDef{Name: "mini.for", Body: ir.Loop, Infer: given})
	mFold   = ir.Define(&ir.OpDef{Name: "mini.fold", Body: ir.Loop, Infer: gives(ir.I64)}) // for i < n: acc = reduce(acc, body(i))
	mLambda = ir.Define(&ir.OpDef{Name: "mini.lambda", Body: ir.Lambda, Infer: func(c *ir.Call) (ir.Type, error) { return c.Ctx().OpaqueType("mini.fun"), nil }})
	mApply  = ir.Define(&ir.OpDef{Name: "mini.apply", Infer: gives(ir.I64), Effects: writesIO})
	mCall   = ir.Define(&ir.OpDef{Name: "mini.call", Infer: given, Effects: func(*ir.Call) []ir.Effect { return []ir.Effect{{Kind: ir.Write, On: ir.World}} }})
	mFunc   = ir.Define(&ir.OpDef{Name: "mini.func", Traits: ir.Symbol | ir.Isolated, Infer: gives(ir.Void)})
	mModule = ir.Define(&ir.OpDef{Name: "mini.module", Traits: ir.Symbol | ir.Isolated, Infer: gives(ir.Void)})
	mPrint  = ir.Define(&ir.OpDef{Name: "mini.print", Infer: gives(ir.Void), Effects: writesIO})
	mAlloc  = ir.Define(&ir.OpDef{Name: "mini.alloc", Traits: ir.Unique, Infer: given})
	mFree   = ir.Define(&ir.OpDef{Name: "mini.free", Traits: ir.NoCapture, Infer: gives(ir.Void), Effects: effectOn(ir.Write)})
	mLoad   = ir.Define(&ir.OpDef{Name: "mini.load", Traits: ir.NoCapture | ir.Partial, Infer: func(c *ir.Call) (ir.Type, error) { return c.Ctx().Info(c.ArgType(0)).Elem, nil }, Effects: effectOn(ir.Read)})
	mStore  = ir.Define(&ir.OpDef{Name: "mini.store", Traits: ir.NoCapture, Infer: gives(ir.Void), Effects: effectOn(ir.Write)})
	mTwo    = ir.Define(&ir.OpDef{Name: "mini.divmod", Traits: ir.Partial, Infer: func(c *ir.Call) (ir.Type, error) { return c.Ctx().Multi(ir.I64, ir.I64), nil }})
	mText   = ir.Define(&ir.OpDef{Name: "mini.text", Traits: ir.TextOnly, Infer: given, Effects: writesIO})

	mini = &ir.Dialect{Name: "mini", Ops: []*ir.OpDef{mConst, mAdd, mLess, mDiv, mShl, mSelect, mBoth, mFAdd, mFMul, mFSub, mLog, mYield, mReturn, mReduce,
		mIf, mFor, mFold, mLambda, mApply, mCall, mFunc, mModule, mPrint, mAlloc, mFree, mLoad, mStore, mTwo, mText},
		Tables: []any{miniTable, interp.TakesPoison{mSelect: true}}}
)

func effectOn(k ir.EffectKind) func(c *ir.Call) []ir.Effect {
	return func(c *ir.Call) []ir.Effect { return []ir.Effect{{Kind: k, On: c.Builder().ResourceOf(c.Args[0])}} }
}

var miniTable = interp.Table{
	mIf: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		c, err := interp.Bool(args[0])
		if err != nil {
			return err
		}
		i := 1
		if c {
			i = 0
		}
		ys, err := m.Run(o.Regions[i], nil)
		copy(out, ys)
		return err
	},
	mFor: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error { // for i in 0..args[0], carried args[1:]
		n, err := interp.Index(args[0])
		if err != nil {
			return err
		}
		in := m.Temp(len(args))
		copy(in[1:], args[1:])
		for i := range n {
			in[0] = ir.Val{Bits: uint64(i)}
			ys, err := m.Run(o.Regions[0], in)
			if err != nil {
				return err
			}
			copy(in[1:], ys)
		}
		copy(out, in[1:])
		return nil
	},
	mFold: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		acc := args[1]
		for i := range int64(args[0].Bits) {
			ys, err := m.Run(o.Regions[0], []ir.Val{{Bits: uint64(i)}})
			if err != nil {
				return err
			}
			r, err := m.Run(o.Regions[0].Term.Regions[0], []ir.Val{acc, ys[0]})
			if err != nil {
				return err
			}
			acc = r[0]
		}
		out[0] = acc
		return nil
	},
	mLambda: func(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
		out[0] = ir.Val{Ref: m.Close(o.Regions[0])}
		return nil
	},
	mApply: func(m *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
		r, err := m.CallClosure(args[0].Ref.(*interp.Closure), args[1:])
		copy(out, r)
		return err
	},
	mCall: func(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
		f, ok := o.Data.(*interp.Function)
		if !ok {
			var err error
			if f, err = m.Resolve(m.Ctx.AttrInfo(o.Call.Get("callee")).Str); err != nil {
				return err
			}
			o.Data = f
		}
		return m.InvokeTo(f, args, out)
	},
	mPrint: func(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
		for i := range args {
			m.Emit(interp.Printed{Val: args[i], Type: o.Call.ArgType(i)})
		}
		return nil
	},
	mAlloc: func(m *interp.Machine, o *interp.Op, _, out []ir.Val) error {
		info := m.Ctx.Info(o.Call.Type)
		r, err := m.NewMemRef(info.Elem, info.Shape...)
		if err == nil {
			out[0] = r.Val()
		}
		return err
	},
	mFree: func(m *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
		r, err := interp.AsMemRef(args[0])
		if err != nil {
			return err
		}
		return m.Free(r.Buf)
	},
	mLoad: func(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
		r, err := interp.AsMemRef(args[0])
		if err != nil {
			return err
		}
		i, err := r.At(args[1:])
		if err == nil {
			out[0] = r.Buf.Load(i)
		}
		return err
	},
	mStore: func(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
		r, err := interp.AsMemRef(args[0])
		if err != nil {
			return err
		}
		i, err := r.At(args[2:])
		if err == nil {
			r.Buf.Store(i, args[1])
		}
		return err
	},
	mTwo: func(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
		a, b := int64(args[0].Bits), int64(args[1].Bits)
		out[0], out[1] = ir.Val{Bits: uint64(a / b)}, ir.Val{Bits: uint64(a % b)}
		return nil
	},
}

// file builds a file: a module with functions.
type file struct {
	ctx *ir.Context
	mod *ir.Builder
}

func newFile() *file {
	ctx := ir.NewContext(mini)
	return &file{ctx, ir.NewBuilder(ctx)}
}

// fb builds one function.
type fb struct{ *ir.Builder }

func (b fb) n(x int64) ir.Value   { return b.Const(ir.I64, ir.Val{Bits: uint64(x)}) }
func (b fb) x(x float64) ir.Value { return b.Const(ir.F64, ir.F64Val(x)) }
func (b fb) ret(vs ...ir.Value)   { b.Op(mReturn, vs...) }
func (b fb) yield(vs ...ir.Value) { b.Op(mYield, vs...) }

func (b fb) cond(c ir.Value, t ir.Type, then, els func()) ir.Value {
	r1 := b.Region(ir.Branch, nil, func([]ir.Value) { then() })
	r2 := b.Region(ir.Branch, nil, func([]ir.Value) { els() })
	return b.Must(ir.Call{Def: mIf, Args: []ir.Value{c}, Regions: []ir.Region{r1, r2}, Type: t})
}

// loop makes a loop with carried values; body returns the next ones.
func (b fb) loop(n ir.Value, inits []ir.Value, body func(i ir.Value, c []ir.Value) []ir.Value) ir.Value {
	types := []ir.Type{ir.I64}
	var out []ir.Type
	for _, v := range inits {
		out = append(out, b.Graph().Type(v))
	}
	r := b.Region(ir.Loop, append(types, out...), func(a []ir.Value) { b.yield(body(a[0], a[1:])...) })
	return b.Must(ir.Call{Def: mFor, Args: append([]ir.Value{n}, inits...), Regions: []ir.Region{r}, Type: b.Ctx().Multi(out...)})
}

func (b fb) call(t ir.Type, name string, args ...ir.Value) ir.Value {
	c := b.Ctx()
	return b.Must(ir.Call{Def: mCall, Args: args, Type: t, Attr: c.Props([]ir.NamedAttr{{Name: "callee", Value: c.StringAttr(name)}}, nil)})
}

func (f *file) fn(name string, params []ir.Type, body func(b fb, p []ir.Value)) {
	f.in(f.mod, name, params, body)
}

func (f *file) in(mod *ir.Builder, name string, params []ir.Type, body func(b fb, p []ir.Value)) {
	b := fb{ir.NewBuilder(f.ctx)}
	var ps []ir.Value
	for _, t := range params {
		ps = append(ps, b.Param(t))
	}
	if body == nil {
		b.NoBlock()
	} else {
		body(b, ps)
	}
	mod.Must(ir.Call{Def: mFunc, Graphs: []*ir.Graph{b.Finish()}, Attr: f.name(name)})
}

func (f *file) name(s string) ir.Attr {
	if s == "" {
		return 0
	}
	return f.ctx.Props([]ir.NamedAttr{{Name: "sym_name", Value: f.ctx.StringAttr(s)}}, nil)
}

func (f *file) graph(t testing.TB) *ir.Graph {
	t.Helper()
	b := ir.NewBuilder(f.ctx)
	b.Must(ir.Call{Def: mModule, Graphs: []*ir.Graph{f.mod.Finish()}})
	g := b.Finish()
	if err := ir.Verify(g); err != nil {
		t.Fatal(err)
	}
	return g
}

func (f *file) machine(t testing.TB, o interp.Options) *interp.Machine {
	t.Helper()
	m, err := interp.New(f.graph(t), o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func ints(xs ...int64) []ir.Val {
	var out []ir.Val
	for _, x := range xs {
		out = append(out, ir.Val{Bits: uint64(x)})
	}
	return out
}

func want(t *testing.T, m *interp.Machine, name string, args []ir.Val, out ...int64) {
	t.Helper()
	got, err := m.Call(name, args)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(got) != len(out) {
		t.Fatalf("%s gives %d results, want %d", name, len(got), len(out))
	}
	for i := range out {
		if got[i].Ref != nil || int64(got[i].Bits) != out[i] {
			t.Errorf("%s result %d: got %v, want %d", name, i, got[i], out[i])
		}
	}
}
