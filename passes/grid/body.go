package grid

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/passes/grid/kernel"
)

// A builder makes the kernels of ops and of loops.
type builder struct{ kernel.Kit }

// newBuilder begins a kernel: Param adds its parameters, and End gives its graph.
func newBuilder(c *ir.Context) builder { return builder{kernel.New(c)} }

// A body is a region of ops on numbers, which threads run for elements.
type body struct {
	s         *ir.Schedule
	r         ir.Block
	free      []ir.Value // what it uses from outside, without constants: arguments of the kernel
	constants []ir.Value // that it uses from outside
	emitted   []ir.Value // sequences from outside, each after those that it is made of
}

// onNumbers are the dialects whose ops a body may have.
var onNumbers = []*ir.Dialect{arith.Dialect, math.Dialect, special.Dialect, scf.Dialect}

// bodyOf looks at a region. Why kernels cannot have it completes "stays on the host: it". Ops that more reports are
// the caller's to replace, and so are values from outside that are no numbers and only they use.
func bodyOf(s *ir.Schedule, r ir.Block, more func(n ir.Node) bool) (b *body, why string) {
	g := s.Graph()
	b = &body{s: s, r: r}
	inside := map[ir.Value]bool{}
	var use func(v ir.Value)
	use = func(v ir.Value) {
		n, _, projected := g.Projection(v)
		if inside[v] || projected && inside[n] {
			return
		}
		if d := g.Def(v); d == loop.Emit || d == loop.None || d == arith.Select && loop.IsEmit(g.Ctx, g.Type(v)) {
			for _, a := range g.Args(v) {
				use(a)
			}
			inside[v] = true
			b.emitted = append(b.emitted, v)
			return
		}
		list := &b.free
		if _, ok := g.Const(v); ok {
			list = &b.constants
		}
		if !slices.Contains(*list, v) {
			*list = append(*list, v)
		}
	}
	var visit func(r ir.Region)
	visit = func(r ir.Region) {
		for _, p := range g.Params(r) {
			inside[p] = true
		}
		for _, v := range s.Body(r) {
			n := g.NodeOf(v)
			inside[v] = true
			replaced := more != nil && more(n)
			if !replaced && !g.Def(v).Has(ir.Terminator) && (!slices.Contains(onNumbers, g.Ctx.DialectOf(g.Def(v))) || g.Def(v) == special.Print || g.Def(v).Has(ir.TextOnly)) {
				why = "has an op that its kernel would not run: " + g.Def(v).Name
			}
			for _, a := range g.Args(v) {
				use(a)
			}
			for _, in := range g.Regions(v) {
				visit(in)
			}
		}
	}
	visit(r.Old())
	for _, v := range b.free {
		if !isScalar(g.Ctx, g.Type(v)) && more == nil {
			why = "uses a value from outside that is no number"
		}
	}
	return b, why
}

// isScalar reports types that a launch passes as numbers.
func isScalar(c *ir.Context, t ir.Type) bool {
	return c.IsInt(t) && c.Info(t).Width <= 64 || t == ir.F16 || t == ir.BF16 || t == ir.F32 || t == ir.F64
}

// outside makes what stands for the values that the body uses from outside: constants, and args in the order of free.
func (x *body) outside(b *ir.Builder, args []ir.Value) map[ir.Value]ir.Value {
	g, outer := x.s.Graph(), map[ir.Value]ir.Value{}
	for _, v := range x.constants {
		outer[v] = b.ConstAttr(g.Type(v), g.Attr(v, "value"))
	}
	for i, v := range x.free {
		outer[v] = args[i]
	}
	for _, v := range x.emitted {
		of := lists.Map(g.Args(v), func(a ir.Value) ir.Value { return outer[a] })
		outer[v] = b.Must(ir.Call{Def: g.Def(v), Args: of, Type: g.Type(v)})
	}
	return outer
}

// insert makes the body for the given parameters and returns what it yields.
func (x *body) insert(b *ir.Builder, outer map[ir.Value]ir.Value, params ...ir.Value) []ir.Value {
	return ir.Insert(b, x.s, x.r.Old(), outer, nil, params...)
}
