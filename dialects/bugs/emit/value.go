package emit

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/eval"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/model"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// An arrayValue is an expression that may be an array, on the way to ops. Its
// elements are made where they are wanted, once for each use; extents are values,
// for they may differ from one iteration to the next.
type arrayValue struct {
	ext  []ir.Value // of type index; none: a number
	most []int64    // their bounds; 0 where none is known
	at   func(i []ir.Value) ir.Value
	// part adds it as an operand of an op; nil if it is not in memory.
	part func(p *partEmitter)
	// costly says that an element takes more than a few operations.
	costly bool
}

func scalarValue(x ir.Value) arrayValue {
	return arrayValue{at: func([]ir.Value) ir.Value { return x }}
}

// isOne reports extents that are all 1: such an array is as good as a number.
func (e *expressions) isOne(a arrayValue) bool {
	for _, n := range a.ext {
		if c, ok := e.b.Graph().Const(n); !ok || c.Bits != 1 {
			return false
		}
	}
	return true
}

func (e *expressions) first(a arrayValue) ir.Value {
	idx := make([]ir.Value, len(a.ext))
	for d := range idx {
		idx[d] = e.b.Index(1)
	}
	return a.at(idx)
}

// oneValue is the only element of an array where a number is wanted. The front end
// has seen its extents, if they follow from data.
func (e *expressions) oneValue(x syntax.Expr) ir.Value {
	a := e.array(x)
	ones := make([]ir.Value, len(a.ext))
	for d, n := range a.ext {
		ones[d] = e.b.Index(1)
		if c, ok := e.b.Graph().Const(n); ok && c.Bits != 1 {
			panic(diag.Errorf(x.Span(), "a single value is wanted here, and this is %s", apply.ShapeName(len(a.ext))).
				WithFix("give a single index, or take sum(), mean() or another function of the part"))
		}
	}
	v := e.first(a)
	if fits := e.sameExtents(ones, a.ext); fits != 0 {
		v = arith.Choose(e.b, fits, v, e.num(gomath.NaN()))
	}
	return v
}

// array makes an expression that may be an array.
func (e *expressions) array(x syntax.Expr) arrayValue {
	switch x := x.(type) {
	case *syntax.Ref:
		if bd := e.model.Bindings[x]; bd.Level == 0 && eval.IsPart(bd.Var, x) {
			return e.partOf(x, bd.Var)
		}
	case *syntax.Range:
		return e.rangeOf(x)
	case *syntax.Unary:
		y := e.array(x.X)
		return e.map1(y, func(v ir.Value) ir.Value { return e.unary(x.Op, v) })
	case *syntax.Binary:
		y, z := e.array(x.X), e.array(x.Y)
		if x.Op == syntax.OpMatMul {
			return e.product(x, y, z)
		}
		return e.elementwise(x, []arrayValue{y, z}, func(v []ir.Value) ir.Value { return e.binaryOp(x.Op, v[0], v[1]) })
	case *syntax.Call:
		return e.arrayCall(x)
	}
	return scalarValue(e.scalar(x))
}

// partOf is a part of a variable.
func (e *expressions) partOf(r *syntax.Ref, v *model.Var) arrayValue {
	var out arrayValue
	start := make([]ir.Value, len(v.Dims)) // what to add to an index, or the position
	var ranged []int
	var valid ir.Value // that ranges which depend on nodes are in the array
	one := e.b.Index(1)
	for d, n := range v.Dims {
		lo, hi, single := e.positions(r, d, int64(n), &valid)
		if single {
			start[d] = lo
			continue
		}
		start[d] = arith.SubI(e.b, lo, one)
		ranged = append(ranged, d)
		ext := arith.SubI(e.b, hi, start[d])
		out.ext, out.most = append(out.ext, ext), append(out.most, e.bound(ext, int64(n)))
	}
	out.at = func(i []ir.Value) ir.Value {
		args := append([]ir.Value{e.mem[v]}, start...)
		for k, d := range ranged {
			args[1+d] = arith.AddI(e.b, i[k], start[d])
		}
		if x := e.b.Op(ops.Read, args...); valid == 0 {
			return x
		} else {
			return arith.Choose(e.b, valid, x, e.num(gomath.NaN()))
		}
	}
	if valid == 0 {
		out.part = func(p *partEmitter) { p.add(e.mem[v], v, r, false) }
	}
	return out
}

// positions are the bounds of an index, or the one position that it picks. A range that
// depends on nodes is 1:1 where it is none in the array, and valid is false then.
func (e *expressions) positions(r *syntax.Ref, d int, n int64, valid *ir.Value) (lo, hi ir.Value, one bool) {
	if len(r.Indices) == 0 {
		return e.b.Index(1), e.b.Index(n), false
	}
	switch x := r.Indices[d].(type) {
	case *syntax.All:
		return e.b.Index(1), e.b.Index(n), false
	case *syntax.Range:
		if eval.FromData(e.model, x) {
			return e.index(x.From), e.index(x.To), false
		}
		k := kit.Ops{B: e.b}
		from, to := e.scalar(x.From), e.scalar(x.To)
		first, last := arith.Float(e.b, math.Round, 0, from), arith.Float(e.b, math.Round, 0, to)
		near := func(x, y ir.Value) ir.Value {
			return k.Cmp(arith.OLE, k.Abs(arith.SubF(e.b, x, y)), e.num(function.IndexSlack))
		}
		none := k.Cmp(arith.OLT, last, first) // an empty range may stand anywhere
		some := k.And(k.Cmp(arith.OGE, first, e.num(1)), k.Cmp(arith.OLE, last, e.num(float64(n))))
		ok := k.And(k.And(near(from, first), near(to, last)), k.Or(none, some))
		if *valid != 0 {
			*valid = k.And(*valid, ok)
		} else {
			*valid = ok
		}
		lo = e.b.Op(ops.IndexOf, k.Pick(none, e.num(1), k.Pick(ok, first, e.num(1))))
		hi = e.b.Op(ops.IndexOf, k.Pick(ok, k.Pick(none, e.num(0), last), e.num(1)))
		return lo, hi, false
	default:
		lo = e.index(x)
		return lo, lo, true
	}
}

// bound is an extent that is constant, or else a bound of it.
func (e *expressions) bound(ext ir.Value, most int64) int64 {
	if c, ok := e.b.Graph().Const(ext); ok {
		return max(int64(c.Bits), 0)
	}
	return most
}

// rangeOf is a:b as a vector.
func (e *expressions) rangeOf(r *syntax.Range) arrayValue {
	if !eval.FromData(e.model, r) {
		panic(diag.Errorf(r.Span(), "the ends of a range depend on a node, and the length of an array must not").WithFix("give ends that follow from the data"))
	}
	lo, hi := e.index(r.From), e.index(r.To)
	ext := arith.AddI(e.b, arith.SubI(e.b, hi, lo), e.b.Index(1))
	return arrayValue{ext: []ir.Value{ext}, most: []int64{e.longest(ext, r)}, at: func(i []ir.Value) ir.Value {
		return e.toFloat(arith.SubI(e.b, arith.AddI(e.b, lo, i[0]), e.b.Index(1)))
	}}
}

// longest bounds the extent of a vector that data determine, over all iterations; 0
// if they do not.
func (e *expressions) longest(ext ir.Value, x syntax.Expr) int64 {
	if c, ok := e.b.Graph().Const(ext); ok {
		return max(int64(c.Bits), 0)
	}
	most := 0
	f := eval.ShapeFrame(e.model, e.stmt)
	for i := range e.stmt.Iterations {
		f.At = e.stmt.At(i)
		v, err := f.Array(x)
		if err != nil {
			return 0
		}
		most = max(most, len(v.V))
	}
	return int64(most)
}

func (e *expressions) map1(a arrayValue, f func(ir.Value) ir.Value) arrayValue {
	if a.ext == nil {
		return scalarValue(f(e.first(a)))
	}
	return arrayValue{ext: a.ext, most: a.most, costly: a.costly, at: func(i []ir.Value) ir.Value { return f(a.at(i)) }}
}

// elementwise applies a function of numbers to arrays of one shape and to numbers.
func (e *expressions) elementwise(x syntax.Expr, args []arrayValue, f func([]ir.Value) ir.Value) arrayValue {
	out := arrayValue{}
	for _, a := range args {
		if a.ext != nil && (out.ext == nil || e.isOne(out)) {
			out.ext, out.most = a.ext, a.most
		}
		out.costly = out.costly || a.costly
	}
	for i, a := range args {
		switch {
		case a.ext == nil || e.isOne(a) && !e.isOne(out):
			args[i] = scalarValue(e.first(a))
		case len(a.ext) != len(out.ext):
			s, t := e.squeezed(a), e.squeezed(out)
			if len(s.ext) != len(t.ext) {
				panic(function.Unsupported(x.Span(), apply.ShapeName(len(a.ext))+" with "+apply.ShapeName(len(out.ext))))
			}
			args[i], out.ext, out.most = s, t.ext, t.most
		}
	}
	for i, a := range args {
		if a.ext != nil {
			args[i] = e.squeezedTo(a, len(out.ext))
		}
	}
	apply := func(i []ir.Value) ir.Value {
		v := lists.Map(args, func(a arrayValue) ir.Value { return a.at(i) })
		return f(v)
	}
	if out.ext == nil {
		return scalarValue(apply(nil))
	}
	out.at = apply
	return out
}

// squeezed drops the dimensions of extent 1.
func (e *expressions) squeezed(a arrayValue) arrayValue {
	out := arrayValue{costly: a.costly}
	var kept []int
	for d, n := range a.ext {
		if c, ok := e.b.Graph().Const(n); !ok || c.Bits != 1 {
			out.ext, out.most, kept = append(out.ext, n), append(out.most, a.most[d]), append(kept, d)
		}
	}
	if len(kept) == len(a.ext) {
		return a
	}
	out.at = func(i []ir.Value) ir.Value {
		idx := make([]ir.Value, len(a.ext))
		for d := range idx {
			idx[d] = e.b.Index(1)
		}
		for k, d := range kept {
			idx[d] = i[k]
		}
		return a.at(idx)
	}
	return out
}

// squeezedTo is a with a number of dimensions, if dropping those of extent 1 helps.
func (e *expressions) squeezedTo(a arrayValue, rank int) arrayValue {
	if len(a.ext) > rank {
		if s := e.squeezed(a); len(s.ext) == rank {
			return s
		}
	}
	return a
}

// fold combines elements.
func (e *expressions) fold(kind string, ext []ir.Value, at func(i []ir.Value) ir.Value) ir.Value {
	c := e.b.Ctx()
	var dim func(idx []ir.Value) ir.Value
	dim = func(idx []ir.Value) ir.Value {
		if len(idx) == len(ext) {
			return at(idx)
		}
		r := e.b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
			e.b.Op(ops.Element, dim(append(idx[:len(idx):len(idx)], p[0])))
		})
		return e.b.Must(ir.Call{Def: ops.Fold, Args: []ir.Value{e.b.Index(1), ext[len(idx)]}, Regions: []ir.Region{r},
			Attr: c.Props([]ir.NamedAttr{{Name: "kind", Value: c.StringAttr(kind)}}, nil)})
	}
	return dim(nil)
}

// each makes loops over the elements of an array.
func (e *expressions) each(ext []ir.Value, f func(i []ir.Value)) {
	var dim func(idx []ir.Value)
	dim = func(idx []ir.Value) {
		if len(idx) == len(ext) {
			f(idx)
			return
		}
		r := e.b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
			dim(append(idx[:len(idx):len(idx)], p[0]))
			e.b.Op(ops.Yield)
		})
		e.b.Must(ir.Call{Def: ops.For, Args: []ir.Value{e.b.Index(1), ext[len(idx)]}, Regions: []ir.Region{r}})
	}
	dim(nil)
}

// temporary makes memory for an array of given bounds; x is what asks for it.
func (e *expressions) temporary(x syntax.Expr, ext []ir.Value, most []int64) (mem ir.Value, a arrayValue) {
	total := int64(1)
	for _, n := range most {
		if n == 0 {
			n = 1
			for _, m := range ext {
				if c, ok := e.b.Graph().Const(m); !ok || c.Bits != 0 {
					panic(function.Unsupported(x.Span(), "an array whose length depends on a node"))
				}
			}
		}
		if total = ir.Times(total, n); total > function.MaxElements {
			panic(diag.Errorf(x.Span(), "an array of more than %d elements", function.MaxElements))
		}
	}
	c := e.b.Ctx()
	mem = e.b.Must(ir.Call{Def: ops.Temporary, Type: c.MemRef(most, ir.F64),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr("")}}, nil)})
	a = arrayValue{ext: ext, most: most, at: func(i []ir.Value) ir.Value { return e.b.Op(ops.Read, append([]ir.Value{mem}, i...)...) }}
	a.part = func(p *partEmitter) { p.whole(mem, ext) }
	return mem, a
}

// put stores an element of a temporary.
func (e *expressions) put(mem ir.Value, i []ir.Value, x ir.Value) {
	c := e.b.Ctx()
	e.b.Must(ir.Call{Def: ops.Assign, Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr("")}}, nil), Args: append([]ir.Value{x, mem}, i...)})
}

// inMemory writes an array to a temporary, unless it is in memory.
func (e *expressions) inMemory(x syntax.Expr, a arrayValue) arrayValue {
	if a.part != nil {
		return a
	}
	mem, out := e.temporary(x, a.ext, a.most)
	e.each(a.ext, func(i []ir.Value) { e.put(mem, i, a.at(i)) })
	return out
}

// whole adds all of a temporary: its first elements, as many as there are.
func (p *partEmitter) whole(mem ir.Value, ext []ir.Value) {
	p.args = append(p.args, mem)
	for _, n := range ext {
		p.args = append(p.args, p.e.b.Index(1), n)
		p.ranges = append(p.ranges, 1)
	}
}

// assignArray assigns to a part of an array.
func (e *Emitter) assignArray(s *model.Statement) {
	x := e.exprs.array(s.Assign.RHS)
	left := e.exprs.partOf(s.LHS, s.Var)
	if x.ext == nil || e.exprs.isOne(x) && !e.exprs.isOne(left) {
		panic(diag.Errorf(s.Span(), "a single value is assigned to more elements of %s", s.Var.Name).WithFix("write a loop over them, or rep(value, n)"))
	}
	x = e.exprs.squeezedTo(x, len(left.ext))
	if len(x.ext) != len(left.ext) {
		panic(diag.Errorf(s.Span(), "%s is assigned to %s", apply.ShapeName(len(x.ext)), apply.ShapeName(len(left.ext))))
	}
	if x.costly && s.Assign.Link != "" {
		x = e.exprs.inMemory(s.Assign.RHS, x)
	}
	c := e.Builder.Ctx()
	props := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(s.Var.Name)}}
	if s.Assign.Link != "" {
		props = append(props, ir.NamedAttr{Name: "link", Value: c.StringAttr(s.Assign.Link)})
	}
	fits := e.exprs.sameExtents(x.ext, left.ext)
	e.exprs.each(left.ext, func(i []ir.Value) {
		y := x.at(i)
		if fits != 0 {
			y = arith.Choose(e.Builder, fits, y, e.exprs.num(gomath.NaN()))
		}
		args := append([]ir.Value{y, e.exprs.mem[s.Var]}, e.positionsOf(s, i)...)
		e.Builder.Must(ir.Call{Def: ops.Assign, Attr: e.props(props), Args: args, Loc: ir.Loc(s.Span().Start + 1)})
	})
}

// positionsOf are the indices of element i of the left side.
func (e *Emitter) positionsOf(s *model.Statement, i []ir.Value) (out []ir.Value) {
	k := 0
	for d, n := range s.Var.Dims {
		lo, _, one := e.exprs.positions(s.LHS, d, int64(n), new(ir.Value))
		if !one {
			lo = arith.AddI(e.Builder, i[k], arith.SubI(e.Builder, lo, e.Builder.Index(1)))
			k++
		}
		out = append(out, lo)
	}
	return out
}

// sameExtents is the condition that extents are equal which are not so by their
// form; 0 if there is none. Where data determine them, the front end has compared
// them.
func (e *expressions) sameExtents(x, y []ir.Value) ir.Value {
	g, ok := e.b.Graph(), ir.Value(0)
	for d := range x {
		_, known := g.Const(x[d])
		_, also := g.Const(y[d])
		if x[d] == y[d] || known && also {
			continue
		}
		eq := arith.CmpI(e.b, arith.EQ, x[d], y[d])
		if ok == 0 {
			ok = eq
		} else {
			ok = e.b.Op(arith.Andi, ok, eq)
		}
	}
	return ok
}
