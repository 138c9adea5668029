package lanes

import (
	"slices"

	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
)

// How lanes lie in memory.
type pattern int

const (
	forward  pattern = iota // one behind the other
	backward                // the same, from the last lane to the first
	packed                  // one behind the other, those of a mask
	spread                  // in one row
	anywhere
)

// pattern is how the lanes of an access lie.
func (l *Loop) pattern(v ir.Value) pattern {
	list := l.subscripts(v)
	info := l.G.Ctx.Info(l.G.Type(l.memory(v)))
	if len(list) == 0 || info.Layout != 0 || info.Unranked {
		return anywhere
	}
	last := len(list) - 1
	// The subscripts before the last choose a row, which has to be one for all lanes.
	if slices.ContainsFunc(list[:last], l.pointVaries) {
		return anywhere
	}
	switch s, ok := l.strideOf(list[last]); {
	case isStore(l.G.Def(v)) && isValue(list[last]) && l.counted(list[last].Dims[0]):
		return packed
	case !ok && !isValue(list[last]):
		return anywhere
	case !ok:
		return spread
	case s == 1:
		return forward
	case s == -1:
		return backward
	}
	return spread
}

// isValue reports an expression that is just a value.
func isValue(p affinedialect.Point) bool {
	return len(p.Dims) == 1 && len(p.Syms) == 0 && p.Expr.Op == expr.OpDim
}

// memory is what an op accesses.
func (l *Loop) memory(v ir.Value) ir.Value {
	if isStore(l.G.Def(v)) {
		return l.G.Args(v)[1]
	}
	return l.G.Args(v)[0]
}

// point is an expression in the first lane.
func (f *filler) point(p affinedialect.Point) ir.Value {
	return affinedialect.Compute(f.b, p.Map(f.of))
}

// at are the operands that say where the first lane is.
// less is taken from the last index: what goes backward begins in memory with its last lane.
func (f *filler) at(v ir.Value, less int64) []ir.Value {
	out := []ir.Value{f.of(f.memory(v))}
	list := f.subscripts(v)
	for i, p := range list {
		x := f.point(p)
		if i == len(list)-1 && less != 0 {
			x = arith.SubI(f.b, x, f.b.Index(less))
		}
		out = append(out, x)
	}
	return out
}

// spreadAt are the operands of a gather or a scatter.
func (f *filler) spreadAt(v ir.Value) []ir.Value {
	list := f.subscripts(v)
	last := list[len(list)-1]
	out := []ir.Value{f.of(f.memory(v))}
	out = append(out, lists.Map(list[:len(list)-1], f.point)...)
	var lanes ir.Value
	if s, ok := f.strideOf(last); ok {
		out, lanes = append(out, f.point(last)), f.steps(ir.Index, 0, s)
	} else {
		out, lanes = append(out, f.b.Index(0)), f.vector(last.Dims[0])
	}
	return append(out, lanes)
}

// maskOr is the mask, or one of all lanes: for ops that have no form without a mask.
func (f *filler) maskOr() ir.Value {
	if f.mask == 0 {
		return f.all(true)
	}
	return f.mask
}

// turned is a vector from its last lane to its first.
func (f *filler) turned(v ir.Value) ir.Value {
	lanes := make([]int, f.lanes)
	for i := range lanes {
		lanes[i] = len(lanes) - 1 - i
	}
	return vector.BuildTake(f.b, v, lanes)
}

// load reads a vector: at once where lanes are neighbours, by a gather in a row, else lane by lane. It is
// zero in lanes that the mask leaves out.
func (f *filler) load(v ir.Value) ir.Value {
	t := f.row(f.m.Type(f.G.Type(v)))
	make := func(def *ir.OpDef, args ...ir.Value) ir.Value {
		return f.b.Must(ir.Call{Def: def, Args: args, Type: t})
	}
	switch f.pattern(v) {
	case forward:
		if f.mask == 0 {
			return make(vector.Load, f.at(v, 0)...)
		}
		return make(vector.MaskedLoad, append(f.at(v, 0), f.mask, f.zero(t))...)
	case backward:
		at := f.at(v, f.lanes-1)
		if f.mask == 0 {
			return f.turned(make(vector.Load, at...))
		}
		return f.turned(make(vector.MaskedLoad, append(at, f.turned(f.mask), f.zero(t))...))
	case spread:
		return make(vector.Gather, append(f.spreadAt(v), f.maskOr(), f.zero(t))...)
	}
	out := f.zero(t)
	for lane := range f.lanes {
		x := f.single(lane, func() []ir.Value {
			return []ir.Value{f.b.Op(memref.Load, f.laneAt(v, lane)...)}
		}, f.m.Type(f.G.Type(v)))
		out = vector.BuildWithLane(f.b, x[0], out, lane)
	}
	return out
}

// store writes a vector as load reads one. Packed lanes go one behind the other from the count on, which
// grown then moves.
func (f *filler) store(v ir.Value) {
	x := f.vector(f.G.Args(v)[0])
	switch f.pattern(v) {
	case forward:
		if f.mask == 0 {
			f.b.Op(vector.Store, append([]ir.Value{x}, f.at(v, 0)...)...)
		} else {
			f.b.Op(vector.MaskedStore, append(f.at(v, 0), f.mask, x)...)
		}
	case backward:
		at := f.at(v, f.lanes-1)
		if f.mask == 0 {
			f.b.Op(vector.Store, append([]ir.Value{f.turned(x)}, at...)...)
		} else {
			f.b.Op(vector.MaskedStore, append(at, f.turned(f.mask), f.turned(x))...)
		}
	case packed:
		f.b.Op(vector.CompressStore, append(f.at(v, 0), f.maskOr(), x)...)
	case spread:
		f.b.Op(vector.Scatter, append(f.spreadAt(v), f.maskOr(), x)...)
	default:
		for lane := range f.lanes {
			f.single(lane, func() []ir.Value {
				f.b.Op(memref.Store, append([]ir.Value{vector.BuildLane(f.b, x, lane)}, f.laneAt(v, lane)...)...)
				return nil
			})
		}
	}
}

// single does something for one lane, if that is not masked.
func (f *filler) single(lane int64, do func() []ir.Value, types ...ir.Type) []ir.Value {
	if f.mask == 0 {
		return do()
	}
	return f.b.Results(scf.BuildIf(f.b, vector.BuildLane(f.b, f.mask, lane), do, func() []ir.Value {
		return lists.Map(types, f.zero)
	}))
}

// laneAt are the operands of an access in one lane.
func (f *filler) laneAt(v ir.Value, lane int64) []ir.Value {
	out := []ir.Value{f.of(f.memory(v))}
	for _, p := range f.subscripts(v) {
		out = append(out, affinedialect.Compute(f.b, p.Map(func(x ir.Value) ir.Value {
			s, ok := f.stride(x)
			if !ok {
				return vector.BuildLane(f.b, f.of(x), lane)
			}
			if s == 0 {
				return f.of(x)
			}
			first := f.of(x)
			t := f.b.Graph().Type(first)
			return arith.AddI(f.b, first, f.b.Const(t, ir.IntVal(s*lane, f.width(t))))
		})))
	}
	return out
}
