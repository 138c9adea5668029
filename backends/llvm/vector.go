package llvm

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// vectorEmitters are the ops of vector that a machine has instructions for; the others are
// lowered to them.
func vectorEmitters() map[*ir.OpDef]func(*fn) {
	out := map[*ir.OpDef]func(*fn){
		vector.ExtractElement: emitExtractElement, vector.InsertElement: emitInsertElement, vector.Bitcast: emitVectorBitcast,
		vector.Extract: emitExtract, vector.Insert: emitInsert,
		vector.FMA: emitFma, vector.Reduction: emitReduction,
		vector.Load: emitVectorLoad, vector.Store: emitVectorStore,
	}
	for _, def := range vector.Movers() {
		if out[def] == nil {
			out[def] = emitMove
		}
	}
	return out
}

func poisonOf(t types.Type) *lit { return &lit{typ: t, text: "poison"} }

// asVector makes a vector of one lane of a scalar.
func (f *fn) asVector(x value.Value) value.Value {
	if _, ok := lanesIn(x); ok {
		return x
	}
	return add(f, llir.NewInsertElement(poisonOf(types.NewVector(1, x.Type())), x, i32(0)))
}

// emitMove emits an op that only moves lanes.
func emitMove(f *fn) {
	for _, v := range f.g.Args(f.v) {
		f.llType(f.g.Type(v)) // refuses what is too long
	}
	from, ok := vector.Moves(f.g, f.v)
	if !ok {
		f.llType(f.g.Type(f.v))
		f.fail("has a position that is known only when it runs, which is not translated")
	}
	var in []value.Value
	for i := range f.g.Args(f.v) {
		in = append(in, f.arg(i))
	}
	ts := f.c.Results(f.g.Type(f.v))
	out := make([]val, len(ts))
	for i, t := range ts {
		n, _ := lanes(f.c.Info(t))
		if f.c.Info(t).Kind != ir.KindVector {
			out[i].v = f.laneOf(in, from[i](0))
			continue
		}
		f.llType(t) // refuses what is too long
		list := make([]int, n)
		for k := range list {
			list[k] = from[i](k)
		}
		out[i].v = f.shuffle(in, list)
	}
	f.setAll(out)
}

// laneOf is a lane of operands that are counted one behind the other.
func (f *fn) laneOf(in []value.Value, k int) value.Value {
	for _, x := range in {
		n, isVector := lanesIn(x)
		if k >= 0 && k < n {
			if !isVector {
				return x
			}
			return add(f, llir.NewExtractElement(x, i32(int64(k))))
		}
		k -= n
	}
	return poisonOf(scalarOf(in[0].Type()))
}

// shuffle makes a vector of lanes of operands, counted one behind the other.
func (f *fn) shuffle(in []value.Value, list []int) value.Value {
	first := 0
	for _, x := range in {
		n, isVector := lanesIn(x)
		if isVector && n == len(list) && countsOn(list, first) {
			return x
		}
		first += n
	}
	if len(in) > 2 {
		var out value.Value = poisonOf(types.NewVector(uint64(len(list)), scalarOf(in[0].Type())))
		for i, k := range list {
			out = add(f, llir.NewInsertElement(out, f.laneOf(in, k), i32(int64(i))))
		}
		return out
	}
	x := f.asVector(in[0])
	n, _ := lanesIn(x)
	if len(in) == 1 {
		return f.shuffleTwo(x, poisonOf(x.Type()), list)
	}
	y := f.asVector(in[1])
	m, _ := lanesIn(y)
	most := max(n, m)
	x, y = f.widen(x, most), f.widen(y, most)
	moved := make([]int, len(list))
	for i, k := range list {
		if moved[i] = k; k >= n {
			moved[i] += most - n
		}
	}
	return f.shuffleTwo(x, y, moved)
}

func countsOn(list []int, first int) bool {
	for i, k := range list {
		if k != first+i {
			return false
		}
	}
	return true
}

// widen is a vector with lanes of poison behind its own.
func (f *fn) widen(x value.Value, n int) value.Value {
	m, _ := lanesIn(x)
	if m == n {
		return x
	}
	list := make([]int, n)
	for i := range list {
		if list[i] = i; i >= m {
			list[i] = -1
		}
	}
	return f.shuffleTwo(x, poisonOf(x.Type()), list)
}

// splatTo makes a vector whose every lane is a scalar.
func (f *fn) splatTo(x value.Value, n int) value.Value {
	if l, ok := x.(*lit); ok {
		return splatOf(types.NewVector(uint64(n), x.Type()), l)
	}
	return f.shuffleTwo(f.asVector(x), poisonOf(types.NewVector(1, x.Type())), make([]int, n))
}

// laneAt is the lane at a position, some of whose numbers are operands, from the given one on. One
// outside of the vector is any lane, or none: what it gives is poison.
func (f *fn) laneAt(t ir.Type, from int) value.Value {
	var at value.Value = i64(0)
	shape := f.c.Info(t).Shape
	for d, p := range f.c.Ints(f.g.Attr(f.v, "static_position")) {
		var x value.Value = i64(p)
		if p == ir.Dynamic {
			x = f.arg(from)
			from++
		}
		n := int64(1)
		for _, s := range shape[d+1:] {
			n = ir.Times(n, s)
		}
		at = f.sum(at, f.times(x, i64(n)))
	}
	return at
}

// spilledAt is a vector in memory, and the lane at the position that operands from the given one on name, made one from which
// so many lanes follow: what is read from, or written to, a position outside of the vector is poison.
func (f *fn) spilledAt(x value.Value, t ir.Type, from, lanes int) (*scratch, value.Value) {
	s := f.spilled(x)
	at := add(f, llir.NewInstFreeze(f.laneAt(t, from)))
	return s, f.intrinsic("llvm.umin.i64", types.I64, nil, at, i64(int64(s.n-lanes)))
}

// emitExtract reads a row from memory where its position is known only when it runs.
func emitExtract(f *fn) {
	if _, ok := vector.Moves(f.g, f.v); ok {
		emitMove(f)
		return
	}
	t, ok := f.llType(f.g.Type(f.v)).(*types.VectorType)
	if !ok {
		f.set(add(f, llir.NewExtractElement(f.arg(0), f.laneAt(f.typeOf(0), 1))))
		return
	}
	s, at := f.spilledAt(f.of(f.g.Args(f.v)[0]).v, f.typeOf(0), 1, int(t.Len))
	f.vals[f.v] = val{v: s.load(f, at, int(t.Len))}
}

func emitInsert(f *fn) {
	if _, ok := vector.Moves(f.g, f.v); ok {
		emitMove(f)
		return
	}
	x, out := f.of(f.g.Args(f.v)[0]).v, f.of(f.g.Args(f.v)[1]).v
	n, isVector := lanesIn(x)
	if !isVector {
		f.vals[f.v] = val{v: add(f, llir.NewInsertElement(out, x, f.laneAt(f.typeOf(1), 2)))}
		return
	}
	s, at := f.spilledAt(out, f.typeOf(1), 2, n)
	s.store(f, x, at)
	f.vals[f.v] = val{v: s.load(f, i64(0), s.n)}
}

// element64 is the position that an operand names, as LLVM takes it: without sign.
func (f *fn) element64(i int) value.Value {
	if i == len(f.g.Args(f.v)) {
		return i64(0)
	}
	return f.arg(i)
}

func emitExtractElement(f *fn) {
	f.vals[f.v] = val{v: add(f, llir.NewExtractElement(f.arg(0), f.element64(1)))}
}

func emitInsertElement(f *fn) {
	f.vals[f.v] = val{v: add(f, llir.NewInsertElement(f.arg(1), f.arg(0), f.element64(2)))}
}

func emitVectorBitcast(f *fn) {
	t := f.llType(f.g.Type(f.v))
	if x := f.of(f.g.Args(f.v)[0]).v; types.Equal(x.Type(), t) {
		f.vals[f.v] = val{v: x}
	} else {
		f.vals[f.v] = val{v: add(f, llir.NewBitCast(x, t))}
	}
}

// reduceNames are LLVM's reductions by the kinds of MLIR, of integers and floats whose order
// does not matter.
var reduceNames = map[string]string{"minui": "umin", "minsi": "smin", "maxui": "umax", "maxsi": "smax",

	"and": "and", "or": "or", "xor": "xor", "minimumf": "fminimum", "maximumf": "fmaximum"}

// emitReduction combines by LLVM's reductions where the order is free or theirs is that of the
// op, and else, as maxnumf and minnumf and on bf16, lane by lane.
func emitReduction(f *fn) {
	elem, k := f.g.Type(f.v), vector.KindOf(f.c, f.g.AttrsOf(f.v))
	x := f.arg(0)
	args := f.operands()
	isFloat := f.c.IsFloat(elem)
	name := reduceNames[k.Name]
	if !isFloat && name == "" {
		name = k.Name // add and mul
	}
	switch {
	case elem == ir.BF16 || isFloat && strings.HasSuffix(k.Name, "numf"):
		f.reduceInOrder(k, elem, args)
	case isFloat && (k.Name == "add" || k.Name == "mul"):
		t := scalarOf(x.Type())
		start := value.Value(&lit{typ: t, text: map[string]string{"add": "0.0", "mul": "1.0"}[k.Name]})
		if len(args) > 1 {
			start = args[1]
		}
		f.set(f.intrinsic("llvm.vector.reduce.f"+k.Name+"."+overload(x.Type()), t, f.fast(), start, x))
	default:
		r := f.intrinsic("llvm.vector.reduce."+name+"."+overload(x.Type()), scalarOf(x.Type()), f.fastIf(isFloat), x)
		if len(args) > 1 {
			r = f.kindOf(k, elem, args[1], r)
		}
		f.set(r)
	}
}

func (f *fn) fastIf(yes bool) []enum.FastMathFlag {
	if yes {
		return f.fast()
	}
	return nil
}

// reduceInOrder combines one lane after the other.
func (f *fn) reduceInOrder(k *vector.Kind, elem ir.Type, args []value.Value) {
	n, _ := lanesIn(args[0])
	lane := func(i int) value.Value { return add(f, llir.NewExtractElement(args[0], i64(int64(i)))) }
	var acc value.Value
	switch {
	case len(args) > 1:
		acc = args[1]
	case k.Name == "add":
		acc = &lit{typ: types.Float, text: "0.0"} // of bf16, which is computed with as f32
	}
	for i := range n {
		if acc == nil {
			acc = lane(i)
			continue
		}
		if acc = f.kindOf(k, elem, acc, lane(i)); elem == ir.BF16 && i < n-1 {
			acc = f.fromBF16(f.toBF16(acc))
		}
	}
	f.set(acc)
}

// kindOf is the instruction of arith's op that combines scalars.
func (f *fn) kindOf(k *vector.Kind, elem ir.Type, x, y value.Value) value.Value {
	t := x.Type()
	if !f.c.IsFloat(elem) {
		switch k.Name {
		case "add":
			return add(f, llir.NewAdd(x, y))
		case "mul":
			return add(f, llir.NewMul(x, y))
		case "and":
			return add(f, llir.NewAnd(x, y))
		case "or":
			return add(f, llir.NewOr(x, y))
		case "xor":
			return add(f, llir.NewXor(x, y))
		}
		return f.intrinsic("llvm."+reduceNames[k.Name]+"."+overload(t), t, nil, x, y)
	}
	switch k.Name {
	case "add":
		i := newFAdd(x, y)
		i.FastMathFlags = f.fast()
		return add(f, i)
	case "mul":
		i := newFMul(x, y)
		i.FastMathFlags = f.fast()
		return add(f, i)
	case "minnumf":
		return f.num("minimum", f.fast(), x, y)
	case "maxnumf":
		return f.num("maximum", f.fast(), x, y)
	}
	return f.intrinsic("llvm."+strings.TrimSuffix(k.Name, "f")+"."+overload(t), t, f.fast(), x, y)
}
