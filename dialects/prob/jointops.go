package prob

import (
	"math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/draw"
	"github.com/irc-lang/irc/dialects/prob/family"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

// jointOf is the law of arrays that an op names; nil if there is none.
func jointOf(ctx *ir.Context, a ir.Attr) *family.Joint {
	if a == 0 {
		return nil
	}
	if l := Lookup(ctx.AttrInfo(a).Str); l != nil {
		return l.Joint
	}
	return nil
}

// checkJoint checks the node, operand `node`, and the parameters, from operand `from` on:
// numbers are f64, vectors and matrices memrefs of f64, whose extents fit where they are known.
func checkJoint(c *ir.Call, j *family.Joint, node, from int) error {
	if len(c.Args)-from != len(j.Args) {
		return c.Errorf("the law has %d parameters", len(j.Args))
	}
	size := map[int]int64{}
	for i := -1; i < len(j.Args); i++ {
		at, rank := node, j.Node
		if i >= 0 {
			at, rank = from+i, j.Args[i]
		}
		info := c.Ctx().Info(c.ArgType(at))
		switch {
		case rank == 0 && c.ArgType(at) != ir.F64:
			return c.Errorf("operand #%d must be f64", at)
		case rank == 0:
			continue
		case info.Kind != ir.KindMemRef || info.Elem != ir.F64 || info.Unranked || len(info.Shape) != rank:
			return c.Errorf("operand #%d must be a memref of f64, %s", at, apply.ShapeName(rank))
		}
		for _, n := range info.Shape {
			was, ok := size[apply.Group(j, i)]
			if ok && n != ir.Dynamic && was != n {
				return c.Errorf("operand #%d must have %d elements in each dimension", at, was)
			}
			if n != ir.Dynamic {
				size[apply.Group(j, i)] = n
			}
		}
	}
	return nil
}

// readsArrays: what is in memory is read.
func readsArrays(c *ir.Call) (out []ir.Effect) {
	for i, v := range c.Args {
		if c.Ctx().Info(c.ArgType(i)).Kind == ir.KindMemRef {
			out = append(out, ir.Effect{Kind: ir.Read, On: c.Builder().ResourceOf(v)})
		}
	}
	return out
}

func inferDrawInto(c *ir.Call) (ir.Type, error) {
	j := jointOf(c.Ctx(), c.Get("law"))
	switch {
	case j == nil || j.Node == 0 || j.Go.Draw == nil:
		return 0, c.Errorf("attribute 'law' must be the name of a law of vectors or matrices that can be drawn from, such as \"dmnorm\"")
	case len(c.Args) < 4 || c.ArgType(0) != ir.I64 || c.ArgType(1) != ir.I64 || c.ArgType(2) != ir.I64:
		return 0, c.Errorf("seed, stream and counter must be i64")
	}
	return ir.Void, checkJoint(c, j, 3, 4)
}

func drawIntoEffects(c *ir.Call) []ir.Effect {
	out := readsArrays(c)
	if len(c.Args) > 3 {
		out = append(out, ir.Effect{Kind: ir.Write, On: c.Builder().ResourceOf(c.Args[3])})
	}
	return out
}

// arrayOf copies an operand.
func arrayOf(v ir.Val) (family.Array, error) {
	if v.Ref == nil {
		return family.Array{V: []float64{v.F64()}}, nil
	}
	r, err := interp.AsMemRef(v)
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return family.Array{}, err
	}
	var a family.Array
	for _, n := range r.Sizes {
		a.Dims = append(a.Dims, int(n))
	}
	r.Each(func(pos int) {
		x := r.Buf.Load(pos)
		if x.IsPoison() {
			err = ir.Trapf("an element was never written")
		}
		a.V = append(a.V, x.F64())
	})
	return a, err
}

// jointArgs are the parameters and the extents of a node; ok says that they are valid.
func jointArgs(j *family.Joint, node []int, args []ir.Val) (p []family.Array, ok bool, err error) {
	dims := make([][]int, len(args))
	for i, v := range args {
		a, err := arrayOf(v)
		if err != nil {
			return nil, false, err
		}
		p, dims[i] = append(p, a), a.Dims
	}
	_, why := apply.Mismatch(j, node, dims)
	return p, why == "" && apply.JointWrong(j, p) == "", nil
}

// evalJoint is the meaning of prob.logpdf of a law of arrays.
func evalJoint(j *family.Joint, args []ir.Val) (ir.Val, error) {
	x, err := arrayOf(args[0])
	if err != nil {
		return ir.Val{}, err
	}
	p, ok, err := jointArgs(j, x.Dims, args[1:])
	for _, y := range x.V {
		ok = ok && !math.IsNaN(y)
	}
	if err != nil || !ok {
		return ir.F64Val(math.NaN()), err
	}
	return ir.F64Val(apply.JointDensity(j, x.V, p)), nil
}

// runDrawInto is the meaning of prob.draw_into.
func runDrawInto(_ *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	j := jointOf(o.G.Ctx, o.Call.Get("law"))
	r, err := interp.AsMemRef(args[3])
	if err == nil {
		err = r.Check()
	}
	if err != nil {
		return err
	}
	x := family.Array{V: make([]float64, r.Len())}
	for _, n := range r.Sizes {
		x.Dims = append(x.Dims, int(n))
	}
	p, ok, err := jointArgs(j, x.Dims, args[4:])
	if err != nil {
		return err
	}
	if ok {
		apply.JointDrawFrom(j, draw.CounterOf(args[0].Bits, args[1].Bits, args[2].Bits), x, p)
	}
	at := 0
	r.Each(func(pos int) {
		if !ok {
			x.V[at] = math.NaN()
		}
		r.Buf.Store(pos, ir.F64Val(x.V[at]))
		at++
	})
	return nil
}

// viewOf is an operand as formulas read it.
func viewOf(k kit.Ops, v ir.Value) kit.View {
	info := k.B.Ctx().Info(k.B.Graph().Type(v))
	if info.Kind != ir.KindMemRef {
		return kit.View{Scalar: v}
	}
	w := kit.View{Mem: v}
	for d, n := range info.Shape {
		ext := k.B.Index(n)
		if n == ir.Dynamic {
			ext = k.B.Op(memref.Dim, v, k.B.Index(int64(d)))
		}
		w.At, w.Ranged, w.Ext = append(w.At, k.B.Index(0)), append(w.Ranged, d), append(w.Ext, ext)
	}
	w.N = w.Ext[0]
	return w
}

func viewsOf(k kit.Ops, args []ir.Value) (out []kit.View) {
	return lists.Map(args, func(v ir.Value) kit.View { return viewOf(k, v) })
}

// fitting holds where the extents of a node and its parameters fit, and are not 0.
func fitting(k kit.Ops, j *family.Joint, x kit.View, p []kit.View) ir.Value {
	ka := kit.ArrayOps{Ops: k}
	ok, size := k.Cmp(arith.OEQ, k.Num(0), k.Num(0)), map[int]ir.Value{}
	for i, w := range append([]kit.View{x}, p...) {
		for _, n := range w.Ext {
			if was, is := size[apply.Group(j, i-1)]; is {
				ok = k.And(ok, ka.Equal(was, n))
			} else {
				size[apply.Group(j, i-1)] = n
			}
		}
	}
	if n, is := size[0]; is {
		ok = k.And(ok, k.Positive(k.ToFloat(n)))
	}
	return ok
}

func lowerJoint(k kit.Ops, j *family.Joint, args []ir.Value) ir.Value {
	x, p := viewOf(k, args[0]), viewsOf(k, args[1:])
	return k.Branch(fitting(k, j, x, p), func() ir.Value {
		number := allNumbers(k, x)
		return k.Valid(k.Positive(number), apply.JointDensityOps(j, k, kit.Workspace{}, x, p))
	}, func() ir.Value { return k.Num(math.NaN()) })
}

// allNumbers is 1 where no element is NaN.
func allNumbers(k kit.Ops, x kit.View) ir.Value {
	if x.Mem == 0 {
		return k.Flag(k.IsNumber(x.Scalar))
	}
	var dim func(idx []ir.Value, acc ir.Value) ir.Value
	dim = func(idx []ir.Value, acc ir.Value) ir.Value {
		if len(idx) == len(x.Ext) {
			return k.Least(acc, k.Flag(k.IsNumber(x.Load(k, idx...))))
		}
		return k.Fold(x.Ext[len(idx)], []ir.Value{acc}, func(i ir.Value, acc []ir.Value) []ir.Value {
			return []ir.Value{dim(append(idx[:len(idx):len(idx)], i), acc[0])}
		})[0]
	}
	return dim(nil, k.Num(1))
}

// lowerDrawInto draws into memory of its own, since the node may be a parameter too. That
// parameters are valid shows by the density where all is 0, which is NaN only without them.
func lowerDrawInto(m *ir.Mirror, n ir.Node) ir.Value {
	args, k := m.All(n.Args()), kit.Ops{B: m.B}
	j := jointOf(n.Graph().Ctx, n.Attr("law"))
	x, p := viewOf(k, args[3]), viewsOf(k, args[4:])
	none := func() { k.EachOf(x, func(at []ir.Value) { x.Store(k, k.Num(math.NaN()), at...) }) }
	either := func(ok ir.Value, yes func()) {
		scf.BuildIf(k.B, ok, func() []ir.Value { yes(); return nil }, func() []ir.Value { none(); return nil })
	}
	either(fitting(k, j, x, p), func() {
		w := kit.Workspace{}
		own := k.Memory(x.Ext...)
		k.EachOf(own, func(at []ir.Value) { own.Store(k, k.Num(0), at...) })
		valid := k.IsNumber(apply.JointDensityOps(j, k, w, own, p))
		either(valid, func() {
			d := draw.CounterOps(kit.ArrayOps{Ops: k, Work: w}, args[0], args[1], args[2])
			apply.JointDrawOps(j, k, w, d, own, p)
			k.Copy(x, own)
		})
	})
	return m.B.Pack()
}
