package point

import (
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
)

// same is the Infer of ops on numbers of one type, which is the result's.
func same(n int) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		for i := range c.Args {
			if !qType.Is(c.Ctx(), c.ArgType(i)) || c.ArgType(i) != c.ArgType(0) {
				return 0, c.Errorf("takes numbers of one type !fx.q")
			}
		}
		if len(c.Args) != n {
			return 0, c.Errorf("takes %d numbers", n)
		}
		return c.ArgType(0), nil
	}
}

// eval computes with numbers as integers.
func eval(f func(t q, x, y int64) (int64, error)) func(*ir.Call, []ir.Val) (ir.Val, error) {
	return func(c *ir.Call, a []ir.Val) (ir.Val, error) {
		t := of(c, 0)
		z, err := f(t, a[0].Int(t.width()), a[1].Int(t.width()))
		return ir.IntVal(t.clamp(z), t.width()), err
	}
}

func itself(_ *ir.Call, a []ir.Val) (ir.Val, error) { return a[0], nil }

// The ops.
var (
	Raw = ir.Define(&ir.OpDef{Name: "fx.raw", Doc: "The bits of a number.", Args: []string{"x"}, Eval: itself,
		Infer: func(c *ir.Call) (ir.Type, error) {
			if _, err := same(1)(c); err != nil {
				return 0, err
			}
			return c.Ctx().Int(of(c, 0).width()), nil
		}})

	// Pack has a result that its operand does not tell: the text says it.
	Pack = ir.Define(&ir.OpDef{Name: "fx.pack", Doc: "The number of some bits.", Args: []string{"bits"}, Eval: itself,
		Infer: func(c *ir.Call) (ir.Type, error) {
			t, ok := qType.Of(c.Ctx(), c.Type)
			if !ok || len(c.Args) != 1 || c.ArgType(0) != c.Ctx().Int(t.width()) {
				return 0, c.Errorf("takes the bits of an !fx.q and gives that")
			}
			return c.Type, nil
		}})

	Add = ir.Define(&ir.OpDef{Name: "fx.add", Doc: "The sum, or the nearest number that there is.", Args: []string{"x", "y"},
		Traits: ir.Commutative, Infer: same(2), Eval: eval(func(_ q, x, y int64) (int64, error) { return x + y, nil })})

	Div = ir.Define(&ir.OpDef{Name: "fx.div", Doc: "The quotient, rounded to zero, or the nearest number that there is.", Args: []string{"x", "y"},
		Traits: ir.Partial, Infer: same(2), Eval: eval(func(t q, x, y int64) (int64, error) {
			if y == 0 {
				return 0, ir.Trapf("division by zero")
			}
			return x << t.Frac / y, nil
		})})

	Sum = ir.Define(&ir.OpDef{Name: "fx.sum", Doc: "The sum of what its region gives of 0 to n-1, in this order.", Args: []string{"n"},
		Traits: ir.SingleRegion, Body: ir.Loop, Infer: inferSum})

	Yield = ir.Define(&ir.OpDef{Name: "fx.yield", Doc: "Ends the region of a sum.", Args: []string{"x"}, Traits: ir.Terminator,
		Infer: func(*ir.Call) (ir.Type, error) { return ir.Void, nil }})

	Fill = ir.Define(&ir.OpDef{Name: "fx.fill", Doc: "Stores a number in each element of an array.", Args: []string{"memory", "x"},
		Traits: ir.Partial | ir.NoCapture, Harmless: func(_ *ir.Call, i int) bool { return i == 1 }, Effects: memref.WritesArg(0),
		Infer: func(c *ir.Call) (ir.Type, error) {
			if len(c.Args) != 2 || !qType.Is(c.Ctx(), c.ArgType(1)) || c.ArgType(0) != c.Ctx().MemRef([]int64{ir.Dynamic}, c.ArgType(1)) {
				return 0, c.Errorf("takes memory of numbers, of one dimension, and a number")
			}
			return ir.Void, nil
		}})
)

func inferSum(c *ir.Call) (ir.Type, error) {
	if len(c.Args) != 1 || c.ArgType(0) != ir.Index || len(c.Regions) != 1 {
		return 0, c.Errorf("takes an index and has a region")
	}
	g, body := c.Graph(), c.Regions[0]
	if p := g.Params(body); len(p) != 1 || g.Type(p[0]) != ir.Index {
		return 0, c.Errorf("has a region of an index")
	}
	ys, term := g.Yields(body), g.Term(body)
	if term == 0 || g.Def(term) != Yield || len(ys) != 1 || !qType.Is(c.Ctx(), g.Type(ys[0])) {
		return 0, c.Errorf("has a region that ends with fx.yield of a number")
	}
	return g.Type(ys[0]), nil
}

// runSum is what a sum means. What the region gives may be poison; then the sum is, too.
func runSum(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	n, err := interp.Index(args[0])
	if err != nil {
		return err
	}
	t, _ := qType.Of(o.G.Ctx, o.G.Type(o.V))
	sum, poison := int64(0), false
	for i := range n {
		ys, err := m.Run(o.Regions[0], []ir.Val{ir.IntVal(i, 64)})
		if err != nil {
			return err
		}
		poison = poison || ys[0].IsPoison()
		sum = t.clamp(sum + ys[0].Int(t.width()))
	}
	if out[0] = ir.IntVal(sum, t.width()); poison {
		out[0] = ir.Val{Ref: ir.Poison}
	}
	return nil
}

func runFill(_ *interp.Machine, _ *interp.Op, args, _ []ir.Val) error {
	r, err := interp.AsMemRef(args[0])
	if err != nil {
		return err
	}
	if err := r.Check(); err != nil {
		return err
	}
	r.Each(func(pos int) { r.Buf.Store(pos, args[1]) })
	return nil
}
