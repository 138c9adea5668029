package emit

import (
	gomath "math"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/prob/apply"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// arrayCall makes a call of a function whose arguments or value may be arrays.
func (e *expressions) arrayCall(x *syntax.Call) arrayValue {
	name := function.Canonical(x)
	if fn := ops.NumberOps(name); fn != nil {
		args := lists.Map(x.Args, e.array)
		out := e.elementwise(x, args, func(v []ir.Value) ir.Value { return fn(e.b, v) })
		out.costly = true
		return out
	}
	if v := e.reduction(x, name); v != 0 {
		return scalarValue(v)
	}
	switch name {
	case "sd":
		return scalarValue(e.deviation(x))
	case "inprod":
		return scalarValue(e.innerProduct(x))
	case "t":
		return e.transposed(e.array(x.Args[0]))
	case "c":
		return e.joined(x)
	case "rep":
		return e.repeated(x)
	case "dim":
		return e.dimensions(x)
	}
	if len(x.Args) > 1 && (name == "rank" || name == "ranked") {
		name += ".one"
	}
	if f := function.ArrayOpOf(name); f != nil {
		return e.applied(x, name, f)
	}
	panic(function.Unsupported(x.NameAt, "the function "+x.Name+" of values that are no data"))
}

// applied makes the op of a function that works on memory.
func (e *expressions) applied(x *syntax.Call, name string, f *function.ArrayOp) arrayValue {
	p := partEmitter{e: e}
	args := make([]arrayValue, len(f.Args))
	for i, rank := range f.Args {
		switch {
		case i >= len(x.Args):
			panic(function.Unsupported(x.Span(), x.Name+" of so few arguments"))
		case rank == 0:
			args[i] = scalarValue(e.scalar(x.Args[i]))
		default:
			args[i] = e.ranked(x.Args[i], rank)
		}
	}
	var out arrayValue
	if f.Result > 0 {
		ext, most := args[0].ext[:f.Result], args[0].most[:f.Result]
		var mem ir.Value
		mem, out = e.temporary(x, ext, most)
		p.whole(mem, ext)
	}
	for i, rank := range f.Args {
		if rank == 0 {
			p.args = append(p.args, e.first(args[i]))
		} else {
			args[i].part(&p)
		}
	}
	c := e.b.Ctx()
	call := ir.Call{Def: ops.Apply, Args: p.args, Loc: loc(x),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}, {Name: "ranges", Value: c.DenseArray(ir.I32, p.ranges...)}}, nil)}
	if f.Result > 0 {
		call.Def = ops.Compute
		e.b.Must(call)
		return out
	}
	return scalarValue(e.b.Must(call))
}

// ranked is an argument in memory, with a number of dimensions: a matrix with one row
// or column may stand for a vector, and for one of some functions any array may.
func (e *expressions) ranked(x syntax.Expr, rank int) arrayValue {
	a := e.array(x)
	switch {
	case a.ext == nil:
		n := make([]ir.Value, rank)
		most := make([]int64, rank)
		for d := range n {
			n[d], most[d] = e.b.Index(1), 1
		}
		v := e.first(a)
		a = arrayValue{ext: n, most: most, at: func([]ir.Value) ir.Value { return v }}
	case len(a.ext) != rank:
		a = e.squeezedTo(a, rank)
		if rank == 1 && len(a.ext) > 1 {
			a = e.flattened(x, []arrayValue{a})
		}
	}
	if len(a.ext) != rank {
		panic(function.Unsupported(x.Span(), apply.ShapeName(len(a.ext))+" where "+apply.ShapeName(rank)+" is wanted"))
	}
	return e.inMemory(x, a)
}

// count is the number of elements.
func (e *expressions) count(a arrayValue) ir.Value {
	n := e.b.Index(1)
	for _, x := range a.ext {
		n = arith.MulI(e.b, n, e.b.Op(arith.Maxsi, x, e.b.Index(0)))
	}
	return n
}

// deviation is the standard deviation, in two passes.
func (e *expressions) deviation(x *syntax.Call) ir.Value {
	a := e.array(x.Args[0])
	if a.costly {
		a = e.inMemory(x.Args[0], a)
	}
	b, n := e.b, e.count(a)
	mean := arith.DivF(b, e.fold("sum", a.ext, a.at), e.toFloat(n))
	squares := e.fold("sum", a.ext, func(i []ir.Value) ir.Value {
		d := arith.SubF(b, a.at(i), mean)
		return arith.MulF(b, d, d)
	})
	return arith.Float(b, math.Sqrt, 0, arith.DivF(b, squares, e.toFloat(arith.SubI(b, n, b.Index(1)))))
}

func (e *expressions) innerProduct(x *syntax.Call) ir.Value {
	prod := e.elementwise(x, []arrayValue{e.array(x.Args[0]), e.array(x.Args[1])},
		func(v []ir.Value) ir.Value { return arith.MulF(e.b, v[0], v[1]) })
	return e.fold("sum", prod.ext, prod.at)
}

// transposed takes a vector for a column.
func (e *expressions) transposed(a arrayValue) arrayValue {
	switch len(a.ext) {
	case 0:
		return a
	case 1:
		return arrayValue{ext: []ir.Value{e.b.Index(1), a.ext[0]}, most: []int64{1, a.most[0]}, costly: a.costly,
			at: func(i []ir.Value) ir.Value { return a.at(i[1:]) }}
	}
	return arrayValue{ext: []ir.Value{a.ext[1], a.ext[0]}, most: []int64{a.most[1], a.most[0]}, costly: a.costly,
		at: func(i []ir.Value) ir.Value { return a.at([]ir.Value{i[1], i[0]}) }}
}

// product is a product of matrices. A vector is a row on the left and a column on the
// right, and what it adds to the shape is dropped.
func (e *expressions) product(x *syntax.Binary, y, z arrayValue) arrayValue {
	if len(y.ext) > 2 || len(z.ext) > 2 {
		panic(function.Unsupported(x.Span(), "a product of arrays of more than 2 dimensions"))
	}
	if y.costly {
		y = e.inMemory(x.X, y)
	}
	if z.costly {
		z = e.inMemory(x.Y, z)
	}
	if y.ext == nil || z.ext == nil {
		return e.elementwise(x, []arrayValue{y, z}, func(v []ir.Value) ir.Value { return arith.MulF(e.b, v[0], v[1]) })
	}
	inner := y.ext[len(y.ext)-1:]
	out := arrayValue{costly: true}
	if len(y.ext) == 2 {
		out.ext, out.most = append(out.ext, y.ext[0]), append(out.most, y.most[0])
	}
	if len(z.ext) == 2 {
		out.ext, out.most = append(out.ext, z.ext[1]), append(out.most, z.most[1])
	}
	element := func(i []ir.Value) ir.Value {
		row := i[:len(y.ext)-1]
		col := i[len(row):]
		return e.fold("sum", inner, func(l []ir.Value) ir.Value {
			u := y.at(append(row[:len(row):len(row)], l[0]))
			return arith.MulF(e.b, u, z.at(append(l[:1:1], col...)))
		})
	}
	if out.ext == nil {
		return scalarValue(element(nil))
	}
	out.at = element
	return out
}

// joined is c(...): all elements in a vector, those of a matrix by columns.
func (e *expressions) joined(x *syntax.Call) arrayValue {
	args := lists.Map(x.Args, e.array)
	return e.flattened(x, args)
}

func (e *expressions) flattened(x syntax.Expr, args []arrayValue) arrayValue {
	total, most := e.b.Index(0), int64(0)
	for _, a := range args {
		total = arith.AddI(e.b, total, e.count(a))
		n := ir.Elements(a.most)
		most += n
	}
	mem, out := e.temporary(x, []ir.Value{total}, []int64{most})
	offset := e.b.Index(0)
	for _, a := range args {
		// The last index varies slowest: extents are reversed.
		n := len(a.ext)
		reversed := make([]ir.Value, n)
		for d := range n {
			reversed[n-1-d] = a.ext[d]
		}
		start := offset
		e.each(reversed, func(i []ir.Value) {
			at, idx := e.b.Index(0), make([]ir.Value, n)
			for d, k := range i {
				idx[n-1-d] = k
				at = arith.AddI(e.b, arith.MulI(e.b, at, reversed[d]), arith.SubI(e.b, k, e.b.Index(1)))
			}
			at = arith.AddI(e.b, arith.AddI(e.b, at, start), e.b.Index(1))
			e.put(mem, []ir.Value{at}, a.at(idx))
		})
		offset = arith.AddI(e.b, offset, e.count(a))
	}
	return out
}

// repeated is rep(v, n), of any number of times: the extent alone depends on n.
func (e *expressions) repeated(x *syntax.Call) arrayValue {
	v := e.array(x.Args[0])
	switch len(v.ext) {
	case 0:
		y := e.first(v)
		v = arrayValue{ext: []ir.Value{e.b.Index(1)}, most: []int64{1}, at: func([]ir.Value) ir.Value { return y }}
	case 1:
	default:
		v = e.flattened(x.Args[0], []arrayValue{v})
	}
	if v.costly {
		v = e.inMemory(x.Args[0], v)
	}
	n := e.scalar(x.Args[1])
	whole := arith.Float(e.b, math.Round, 0, n)
	good := kit.Ops{B: e.b}.Between(arith.MulF(e.b, n, e.toFloat(v.ext[0])), e.num(0), e.num(function.MaxElements))
	good = e.b.Op(arith.Andi, good, arith.CmpF(e.b, arith.OEQ, whole, n))
	// What cannot be done is done once, and has no value.
	times := e.b.Op(ops.IndexOf, arith.Choose(e.b, good, whole, e.num(1)))
	if c, ok := e.b.Graph().Const(n); ok {
		times = e.b.Index(int64(c.F64()))
	}
	out := arrayValue{ext: []ir.Value{arith.MulI(e.b, times, v.ext[0])}}
	out.most = []int64{e.longest(out.ext[0], x)}
	out.at = func(i []ir.Value) ir.Value {
		one := e.b.Index(1)
		k := e.b.Op(arith.Remsi, arith.SubI(e.b, i[0], one), e.b.Op(arith.Maxsi, v.ext[0], one))
		return arith.Choose(e.b, good, v.at([]ir.Value{arith.AddI(e.b, k, one)}), e.num(gomath.NaN()))
	}
	return out
}

// dimensions is dim(A).
func (e *expressions) dimensions(x *syntax.Call) arrayValue {
	a := e.array(x.Args[0])
	if a.ext == nil {
		return scalarValue(e.num(1))
	}
	n := int64(len(a.ext))
	mem, out := e.temporary(x, []ir.Value{e.b.Index(n)}, []int64{n})
	for d, y := range a.ext {
		e.put(mem, []ir.Value{e.b.Index(int64(d + 1))}, e.toFloat(y))
	}
	return out
}
