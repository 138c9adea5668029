package affine

import (
	"slices"

	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/text"
)

// isSymbol reports a value that MLIR takes for a symbol: a constant, what stands at the top of
// the function or could stand there, and affine.apply and memref.dim of such.
func isSymbol(g *ir.Graph, v ir.Value) bool { return kindOf(g, v, false, 8) }

// isDim reports a value that MLIR takes for a dimension: a symbol, the index of an affine loop,
// and affine.apply of dimensions.
func isDim(g *ir.Graph, v ir.Value) bool { return kindOf(g, v, true, 8) }

// kindOf looks through so many ops: affine.apply is composed, so few stand in a row.
func kindOf(g *ir.Graph, v ir.Value, dim bool, depth int) bool {
	if t := g.Type(v); t != ir.Index || depth == 0 {
		return t == ir.NoType && g.IsForward(v) // known later
	}
	def := g.Def(v)
	if def.Has(ir.ConstantLike) || g.Home(v) == ir.Root {
		return true
	}
	switch def {
	case Apply:
		return !slices.ContainsFunc(g.Args(v), func(a ir.Value) bool { return !kindOf(g, a, dim, depth-1) })
	case memref.Dim:
		return knownSize(g, v, depth)
	}
	r, i, ok := g.Param(v)
	if !ok || !dim {
		return false
	}
	loop := g.OpenedFor(r)
	return loop == For && i == 0 || loop == Parallel
}

// knownSize reports a memref.dim that is a symbol: of memory that stands at the top, or of memory made where the size is one.
func knownSize(g *ir.Graph, dim ir.Value, depth int) bool {
	m := g.Args(dim)[0]
	if g.Home(m) == ir.Root {
		return true
	}
	for g.Def(m) == memref.Cast {
		m = g.Args(m)[0]
	}
	d, ok := g.Const(g.Args(dim)[1])
	info := g.Ctx.Info(g.Type(m))
	if !ok || info.Unranked || d.Bits >= uint64(len(info.Shape)) {
		return false
	}
	sizes := map[*ir.OpDef]string{memref.Alloc: "dynamicSizes", memref.View: "sizes", memref.Subview: "sizes"}[g.Def(m)]
	if sizes == "" || info.Shape[d.Bits] != ir.Dynamic {
		return sizes != ""
	}
	open := 0
	for _, n := range info.Shape[:d.Bits] {
		if n == ir.Dynamic {
			open++
		}
	}
	vs := text.Group(g, m, sizes)
	return open < len(vs) && kindOf(g, vs[open], false, depth-1)
}

// operands collects the values that expressions are made of.
type operands struct {
	g          *ir.Graph
	dims, syms []ir.Value
	strict     bool // operands must be dimensions and symbols
	wrong      bool // one is not
}

// leaf is the expression that stands for an operand.
func (o *operands) leaf(v ir.Value, symbol bool) *expr.Expr {
	if c, ok := o.g.Const(v); ok && c.Ref == nil {
		return expr.Const(int64(c.Bits))
	}
	if o.g.Def(v) == Apply {
		if e := o.composed(v); e != nil {
			return e
		}
	}
	return o.itself(v, symbol)
}

// composed is the expression of an affine.apply, or nil.
func (o *operands) composed(v ir.Value) *expr.Expr {
	m, args := expr.MapOf(o.g.Ctx, o.g.Attr(v, "map")), o.g.Args(v)
	before := *o
	o.dims, o.syms = slices.Clip(o.dims), slices.Clip(o.syms)
	dims, syms := o.leaves(m.Dims, args)
	e := m.Results[0].Replace(dims, syms)
	if e == nil {
		*o = before
	}
	return e
}

func (o *operands) leaves(n int, args []ir.Value) (dims, syms []*expr.Expr) {
	for i, v := range args {
		if i < n {
			dims = append(dims, o.leaf(v, false))
		} else {
			syms = append(syms, o.leaf(v, true))
		}
	}
	return dims, syms
}

// itself makes a value an operand, a symbol wherever it may be one.
func (o *operands) itself(v ir.Value, symbol bool) *expr.Expr {
	switch {
	case isSymbol(o.g, v):
		return expr.Sym(place(&o.syms, v))
	case !o.strict:
		if symbol {
			return expr.Sym(place(&o.syms, v))
		}
	case !isDim(o.g, v):
		o.wrong = true
	}
	return expr.Dim(place(&o.dims, v))
}

func place(list *[]ir.Value, v ir.Value) int {
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}

// normal is expressions in the one form in which they are kept, and their operands. What is
// not affine any more is not ok.
type normal struct {
	exprs      []*expr.Expr
	dims, syms []ir.Value
	ok         bool
}

// normalise composes affine.apply, takes constants in, leaves out operands that are not used
// and makes symbols of what may be one. Strict says that operands must be dimensions or
// symbols.
func normalise(g *ir.Graph, exprs []*expr.Expr, ndims int, args []ir.Value, strict bool) normal {
	o := operands{g: g, strict: strict}
	dims, syms := o.leaves(ndims, args)
	n := normal{ok: !o.wrong}
	for _, e := range exprs {
		if e = e.Replace(dims, syms); e == nil {
			n.ok = false
			return n
		}
		n.exprs = append(n.exprs, e.Simplify())
	}
	n.dims, n.syms = o.dims, o.syms
	n.compress()
	return n
}

// compress leaves out the operands that no expression uses.
func (n *normal) compress() {
	usedDims, usedSyms := make([]bool, len(n.dims)), make([]bool, len(n.syms))
	for _, e := range n.exprs {
		e.Uses(usedDims, usedSyms)
	}
	keep := func(vs []ir.Value, used []bool, leaf func(int) *expr.Expr) (out []ir.Value, now []*expr.Expr) {
		for i, v := range vs {
			if !used[i] {
				now = append(now, nil)
				continue
			}
			now = append(now, leaf(len(out)))
			out = append(out, v)
		}
		return out, now
	}
	dims, d := keep(n.dims, usedDims, expr.Dim)
	syms, s := keep(n.syms, usedSyms, expr.Sym)
	if len(dims) == len(n.dims) && len(syms) == len(n.syms) {
		return
	}
	for i, e := range n.exprs {
		n.exprs[i] = e.Replace(d, s)
	}
	n.dims, n.syms = dims, syms
}

func (n *normal) args() []ir.Value { return slices.Concat(n.dims, n.syms) }

func (n *normal) mapping() *expr.Map {
	return &expr.Map{Dims: len(n.dims), Syms: len(n.syms), Results: n.exprs}
}

// same reports that nothing is won: the operands are what they were, and the expressions are no
// smaller. So normalising ends.
func (n *normal) same(exprs []*expr.Expr, ndims int, args []ir.Value) bool {
	size := func(list []*expr.Expr) (sum int) {
		for _, e := range list {
			sum += e.Size()
		}
		return sum
	}
	return len(n.dims) == ndims && slices.Equal(n.args(), args) && size(n.exprs) >= size(exprs)
}
