package vectors

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/irc-lang/irc/backends/llvm/internal/emit"
	"github.com/irc-lang/irc/backends/llvm/internal/lit"
	"github.com/irc-lang/irc/backends/llvm/internal/numbers"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// VectorEmitters are the ops of vector that a machine has instructions for; the others are
// lowered to them.
func VectorEmitters() map[*ir.OpDef]func(*emit.Fn) {
	out := map[*ir.OpDef]func(*emit.Fn){
		vector.ExtractElement: emitExtractElement, vector.InsertElement: emitInsertElement, vector.Bitcast: emitVectorBitcast,
		vector.Extract: emitExtract, vector.Insert: emitInsert,
		vector.FMA: numbers.EmitFma, vector.Reduction: emitReduction,
		vector.Load: emitVectorLoad, vector.Store: emitVectorStore,
	}
	for _, def := range vector.Movers() {
		if out[def] == nil {
			out[def] = emitMove
		}
	}
	return out
}

func poisonOf(t types.Type) *lit.Lit { return &lit.Lit{Typ: t, Text: "poison"} }

// asVector makes a vector of one lane of a scalar.
func asVector(f *emit.Fn, x value.Value) value.Value {
	if _, ok := emit.LanesIn(x); ok {
		return x
	}
	return emit.Add(f.B, llir.NewInsertElement(poisonOf(types.NewVector(1, x.Type())), x, lit.I32(0)))
}

// emitMove emits an op that only moves lanes.
func emitMove(f *emit.Fn) {
	for _, v := range f.G.Args(f.V) {
		f.LLType(f.G.Type(v)) // refuses what is too long
	}
	from, ok := vector.Moves(f.G, f.V)
	if !ok {
		f.LLType(f.G.Type(f.V))
		f.Fail("has a position that is known only when it runs, which is not translated")
	}
	var in []value.Value
	for i := range f.G.Args(f.V) {
		in = append(in, f.Arg(i))
	}
	ts := f.C.Results(f.G.Type(f.V))
	out := make([]emit.Val, len(ts))
	for i, t := range ts {
		n, _ := lit.Lanes(f.C.Info(t))
		if f.C.Info(t).Kind != ir.KindVector {
			out[i].V = laneOf(f, in, from[i](0))
			continue
		}
		f.LLType(t) // refuses what is too long
		list := make([]int, n)
		for k := range list {
			list[k] = from[i](k)
		}
		out[i].V = shuffle(f, in, list)
	}
	f.SetAll(out)
}

// laneOf is a lane of operands that are counted one behind the other.
func laneOf(f *emit.Fn, in []value.Value, k int) value.Value {
	for _, x := range in {
		n, isVector := emit.LanesIn(x)
		if k >= 0 && k < n {
			if !isVector {
				return x
			}
			return emit.Add(f.B, llir.NewExtractElement(x, lit.I32(int64(k))))
		}
		k -= n
	}
	return poisonOf(emit.ScalarOf(in[0].Type()))
}

// shuffle makes a vector of lanes of operands, counted one behind the other.
func shuffle(f *emit.Fn, in []value.Value, list []int) value.Value {
	first := 0
	for _, x := range in {
		n, isVector := emit.LanesIn(x)
		if isVector && n == len(list) && countsOn(list, first) {
			return x
		}
		first += n
	}
	if len(in) > 2 {
		var out value.Value = poisonOf(types.NewVector(uint64(len(list)), emit.ScalarOf(in[0].Type())))
		for i, k := range list {
			out = emit.Add(f.B, llir.NewInsertElement(out, laneOf(f, in, k), lit.I32(int64(i))))
		}
		return out
	}
	x := asVector(f, in[0])
	n, _ := emit.LanesIn(x)
	if len(in) == 1 {
		return f.B.ShuffleTwo(x, poisonOf(x.Type()), list)
	}
	y := asVector(f, in[1])
	m, _ := emit.LanesIn(y)
	most := max(n, m)
	x, y = widen(f, x, most), widen(f, y, most)
	moved := make([]int, len(list))
	for i, k := range list {
		if moved[i] = k; k >= n {
			moved[i] += most - n
		}
	}
	return f.B.ShuffleTwo(x, y, moved)
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
func widen(f *emit.Fn, x value.Value, n int) value.Value {
	m, _ := emit.LanesIn(x)
	if m == n {
		return x
	}
	list := make([]int, n)
	for i := range list {
		if list[i] = i; i >= m {
			list[i] = -1
		}
	}
	return f.B.ShuffleTwo(x, poisonOf(x.Type()), list)
}

// splatTo makes a vector whose every lane is a scalar.
func splatTo(f *emit.Fn, x value.Value, n int) value.Value {
	if l, ok := x.(*lit.Lit); ok {
		return lit.SplatOf(types.NewVector(uint64(n), x.Type()), l)
	}
	return f.B.ShuffleTwo(asVector(f, x), poisonOf(types.NewVector(1, x.Type())), make([]int, n))
}

// laneAt is the lane at a position, some of whose numbers are operands, from the given one on. One
// outside of the vector is any lane, or none: what it gives is poison.
func laneAt(f *emit.Fn, t ir.Type, from int) value.Value {
	var at value.Value = lit.I64(0)
	shape := f.C.Info(t).Shape
	for d, p := range f.C.Ints(f.G.Attr(f.V, "static_position")) {
		var x value.Value = lit.I64(p)
		if p == ir.Dynamic {
			x = f.Arg(from)
			from++
		}
		n := int64(1)
		for _, s := range shape[d+1:] {
			n = ir.Times(n, s)
		}
		at = f.B.Sum(at, f.B.Times(x, lit.I64(n)))
	}
	return at
}

// spilledAt is a vector in memory, and the lane at the position that operands from the given one on name, made one from which
// so many lanes follow: what is read from, or written to, a position outside of the vector is poison.
func spilledAt(f *emit.Fn, x value.Value, t ir.Type, from, lanes int) (*emit.Scratch, value.Value) {
	s := f.B.Spilled(x)
	at := emit.Add(f.B, llir.NewInstFreeze(laneAt(f, t, from)))
	return s, f.B.Intrinsic("llvm.umin.i64", types.I64, nil, at, lit.I64(int64(s.N-lanes)))
}

// emitExtract reads a row from memory where its position is known only when it runs.
func emitExtract(f *emit.Fn) {
	if _, ok := vector.Moves(f.G, f.V); ok {
		emitMove(f)
		return
	}
	t, ok := f.LLType(f.G.Type(f.V)).(*types.VectorType)
	if !ok {
		f.Set(emit.Add(f.B, llir.NewExtractElement(f.Arg(0), laneAt(f, f.TypeOf(0), 1))))
		return
	}
	s, at := spilledAt(f, f.Of(f.G.Args(f.V)[0]).V, f.TypeOf(0), 1, int(t.Len))
	f.Vals[f.V] = emit.Val{V: s.Load(f.B, at, int(t.Len))}
}

func emitInsert(f *emit.Fn) {
	if _, ok := vector.Moves(f.G, f.V); ok {
		emitMove(f)
		return
	}
	x, out := f.Of(f.G.Args(f.V)[0]).V, f.Of(f.G.Args(f.V)[1]).V
	n, isVector := emit.LanesIn(x)
	if !isVector {
		f.Vals[f.V] = emit.Val{V: emit.Add(f.B, llir.NewInsertElement(out, x, laneAt(f, f.TypeOf(1), 2)))}
		return
	}
	s, at := spilledAt(f, out, f.TypeOf(1), 2, n)
	s.Store(f.B, x, at)
	f.Vals[f.V] = emit.Val{V: s.Load(f.B, lit.I64(0), s.N)}
}

// element64 is the position that an operand names, as LLVM takes it: without sign.
func element64(f *emit.Fn, i int) value.Value {
	if i == len(f.G.Args(f.V)) {
		return lit.I64(0)
	}
	return f.Arg(i)
}

func emitExtractElement(f *emit.Fn) {
	f.Vals[f.V] = emit.Val{V: emit.Add(f.B, llir.NewExtractElement(f.Arg(0), element64(f, 1)))}
}

func emitInsertElement(f *emit.Fn) {
	f.Vals[f.V] = emit.Val{V: emit.Add(f.B, llir.NewInsertElement(f.Arg(1), f.Arg(0), element64(f, 2)))}
}

func emitVectorBitcast(f *emit.Fn) {
	t := f.LLType(f.G.Type(f.V))
	if x := f.Of(f.G.Args(f.V)[0]).V; types.Equal(x.Type(), t) {
		f.Vals[f.V] = emit.Val{V: x}
	} else {
		f.Vals[f.V] = emit.Val{V: emit.Add(f.B, llir.NewBitCast(x, t))}
	}
}

// reduceNames are LLVM's reductions by the kinds of MLIR, of integers and floats whose order
// does not matter.
var reduceNames = map[string]string{"minui": "umin", "minsi": "smin", "maxui": "umax", "maxsi": "smax",

	"and": "and", "or": "or", "xor": "xor", "minimumf": "fminimum", "maximumf": "fmaximum"}

// emitReduction combines by LLVM's reductions where the order is free or theirs is that of the
// op, and else, as maxnumf and minnumf and on bf16, lane by lane.
func emitReduction(f *emit.Fn) {
	elem := f.G.Type(f.V)
	kind := kindNames[vector.CombinerOf(f.C, f.G.AttrsOf(f.V), elem)]
	x := f.Arg(0)
	args := numbers.Operands(f)
	isFloat := f.C.IsFloat(elem)
	name := reduceNames[kind]
	if !isFloat && name == "" {
		name = kind // add and mul
	}
	switch {
	case elem == ir.BF16 || isFloat && strings.HasSuffix(kind, "numf"):
		reduceInOrder(f, kind, elem, args)
	case isFloat && (kind == "add" || kind == "mul"):
		t := emit.ScalarOf(x.Type())
		start := value.Value(&lit.Lit{Typ: t, Text: map[string]string{"add": "0.0", "mul": "1.0"}[kind]})
		if len(args) > 1 {
			start = args[1]
		}
		f.Set(f.B.Intrinsic("llvm.vector.reduce.f"+kind+"."+emit.Overload(x.Type()), t, f.Fast(), start, x))
	default:
		r := f.B.Intrinsic("llvm.vector.reduce."+name+"."+emit.Overload(x.Type()), emit.ScalarOf(x.Type()), fastIf(f, isFloat), x)
		if len(args) > 1 {
			r = combine(f, kind, elem, args[1], r)
		}
		f.Set(r)
	}
}

// kindNames are MLIR's names of the kinds that combine by ops of arith.
var kindNames = map[*ir.OpDef]string{arith.Addi: "add", arith.Addf: "add", arith.Muli: "mul", arith.Mulf: "mul",
	arith.Andi: "and", arith.Ori: "or", arith.Xori: "xor",
	arith.Minui: "minui", arith.Minsi: "minsi", arith.Maxui: "maxui", arith.Maxsi: "maxsi",
	arith.Minimumf: "minimumf", arith.Maximumf: "maximumf", arith.Minnumf: "minnumf", arith.Maxnumf: "maxnumf"}

func fastIf(f *emit.Fn, yes bool) []enum.FastMathFlag {
	if yes {
		return f.Fast()
	}
	return nil
}

// reduceInOrder combines one lane after the other.
func reduceInOrder(f *emit.Fn, kind string, elem ir.Type, args []value.Value) {
	n, _ := emit.LanesIn(args[0])
	lane := func(i int) value.Value { return emit.Add(f.B, llir.NewExtractElement(args[0], lit.I64(int64(i)))) }
	var acc value.Value
	switch {
	case len(args) > 1:
		acc = args[1]
	case kind == "add":
		acc = &lit.Lit{Typ: types.Float, Text: "0.0"} // of bf16, which is computed with as f32
	}
	for i := range n {
		if acc == nil {
			acc = lane(i)
			continue
		}
		if acc = combine(f, kind, elem, acc, lane(i)); elem == ir.BF16 && i < n-1 {
			acc = f.B.FromBF16(f.B.ToBF16(acc))
		}
	}
	f.Set(acc)
}

// combine is the instruction of arith's op that combines scalars.
func combine(f *emit.Fn, kind string, elem ir.Type, x, y value.Value) value.Value {
	t := x.Type()
	if !f.C.IsFloat(elem) {
		switch kind {
		case "add":
			return emit.Add(f.B, llir.NewAdd(x, y))
		case "mul":
			return emit.Add(f.B, llir.NewMul(x, y))
		case "and":
			return emit.Add(f.B, llir.NewAnd(x, y))
		case "or":
			return emit.Add(f.B, llir.NewOr(x, y))
		case "xor":
			return emit.Add(f.B, llir.NewXor(x, y))
		}
		return f.B.Intrinsic("llvm."+reduceNames[kind]+"."+emit.Overload(t), t, nil, x, y)
	}
	switch kind {
	case "add":
		i := emit.NewFAdd(x, y)
		i.FastMathFlags = f.Fast()
		return emit.Add(f.B, i)
	case "mul":
		i := emit.NewFMul(x, y)
		i.FastMathFlags = f.Fast()
		return emit.Add(f.B, i)
	case "minnumf":
		return numbers.Num(f, "minimum", f.Fast(), x, y)
	case "maxnumf":
		return numbers.Num(f, "maximum", f.Fast(), x, y)
	}
	return f.B.Intrinsic("llvm."+strings.TrimSuffix(kind, "f")+"."+emit.Overload(t), t, f.Fast(), x, y)
}
