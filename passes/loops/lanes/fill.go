package lanes

import (
	affinedialect "github.com/irc-lang/irc/dialects/affine"
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/dialects/vector"
	"github.com/irc-lang/irc/ir"
)

// A filler writes what a loop does in so many iterations at once.
type filler struct {
	*Loop
	m     *ir.Mirror
	b     *ir.Builder
	lanes int64
	mask  ir.Value         // of the lanes that do what is written; 0 is all
	after map[int]ir.Value // what running sums are after all lanes
}

// Fill writes so many iterations into the region that is open, in the lanes of a mask, or in all if it is 0. The first
// begins at an index; carried are what First and the iterations before give.
func (l *Loop) Fill(m *ir.Mirror, lanes int64, mask, index ir.Value, carried []ir.Value) []ir.Value {
	f := &filler{Loop: l, m: m, b: m.B, lanes: lanes, mask: mask, after: map[int]ir.Value{}}
	body := l.G.Regions(l.V)[0]
	ps := l.G.Params(body)
	f.set(ps[0], index)
	for k, p := range ps[1:] {
		f.set(p, carried[k])
	}
	f.region(body)
	var out []ir.Value
	for k, y := range l.G.Yields(body) {
		if l.Carries[k].scan != 0 {
			out = append(out, f.after[k])
			continue
		} else if l.Carries[k].isScalar() {
			out = append(out, f.of(y))
			continue
		}
		y := f.vector(y)
		// Lanes that are left out keep the sum that they had.
		if mask != 0 {
			y = arith.Choose(f.b, mask, y, carried[k])
		}
		out = append(out, y)
	}
	return out
}

// set says what an old value is; of and vector read it.
func (f *filler) set(old, v ir.Value) { f.m.Set(f.G.NodeOf(old), v) }

// of is what an old value is: a vector if it differs between lanes by no constant, else the scalar of the first lane.
func (f *filler) of(v ir.Value) ir.Value { return f.m.Of(f.G.NodeOf(v)) }

// row is the type of a vector with an element for each lane.
func (f *filler) row(elem ir.Type) ir.Type { return f.b.Ctx().Vector([]int64{f.lanes}, elem) }

// isVector reports a value that is held as a vector.
func (f *filler) isVector(v ir.Value) bool {
	_, scalar := f.stride(v)
	return !scalar
}

// like is a value, as a vector if wanted.
func (f *filler) like(v ir.Value, vector bool) ir.Value {
	if vector {
		return f.vector(v)
	}
	return f.of(v)
}

// vector is a value in all lanes.
func (f *filler) vector(v ir.Value) ir.Value {
	s, scalar := f.stride(v)
	if !scalar {
		return f.of(v)
	}
	return f.ramp(f.of(v), s)
}

// ramp is a vector that begins with a scalar and grows by a constant.
func (f *filler) ramp(first ir.Value, stride int64) ir.Value {
	t := f.b.Graph().Type(first)
	x := vector.BuildBroadcast(f.b, first, f.lanes)
	if stride == 0 {
		return x
	}
	return arith.AddI(f.b, x, f.steps(t, 0, stride))
}

// steps is a constant vector of numbers one after the other.
func (f *filler) steps(t ir.Type, first, stride int64) ir.Value {
	list := make(ir.Vector, f.lanes)
	for i := range list {
		list[i] = ir.IntVal(first+int64(i)*stride, f.width(t))
	}
	return f.b.Const(f.row(t), ir.Val{Ref: list})
}

// width is how many bits a constant of a type has: an index has 64.
func (f *filler) width(t ir.Type) int {
	if t == ir.Index {
		return 64
	}
	return f.b.Ctx().Info(t).Width
}

// all is a mask of all lanes, or of none.
func (f *filler) all(set bool) ir.Value {
	n := uint64(0)
	if set {
		n = 1
	}
	return f.b.Splat(f.row(ir.I1), n)
}

// any says whether a lane of a mask is set.
func (f *filler) any(mask ir.Value) ir.Value {
	return vector.BuildReduction(f.b, arith.Ori, 0, mask, arith.ConstBool(f.b, false))
}

// and is the lanes of a mask, if there is one, in which a condition holds: what the others say of it may be poison.
func (f *filler) and(mask, cond ir.Value) ir.Value {
	if mask == 0 {
		return cond
	}
	return arith.Choose(f.b, mask, cond, f.all(false))
}

// not flips all bits, as arith has no op for that.
func (f *filler) not(cond ir.Value) ir.Value { return f.b.Op(arith.Xori, cond, f.all(true)) }

// zero is a number of a type.
func (f *filler) zero(t ir.Type) ir.Value { return arith.Zero(f.b, t) }

// under writes with another mask.
func (f *filler) under(mask ir.Value, do func() []ir.Value) []ir.Value {
	was := f.mask
	f.mask = mask
	out := do()
	f.mask = was
	return out
}

// region writes the ops of a region, at their locations; the terminator is for the caller to write.
func (f *filler) region(r ir.Region) {
	for _, v := range f.S.Body(r) {
		if f.G.Def(v).Has(ir.Terminator) {
			continue
		}
		if at := f.G.LocsOf(v); len(at) > 0 {
			f.b.Loc = at[0]
		}
		f.set(v, f.op(v))
	}
}

// op writes an op and gives what takes its place. Control flow and stores come first: their form does not
// depend on whether they give vectors.
func (f *filler) op(v ir.Value) ir.Value {
	g, def := f.G, f.G.Def(v)
	switch {
	case def == scf.If:
		return f.choice(v, g.Args(v)[0])
	case def == affinedialect.If:
		return f.affineChoice(v)
	case isFor(def):
		return f.inner(v)
	case def == scf.While:
		return f.while(v)
	case isStore(def):
		f.store(v)
		return f.b.Pack()
	case f.countAt(slot{v, 0}) != nil:
		return f.grown(f.countAt(slot{v, 0}), f.vector(g.Args(v)[0]))
	case f.isVector(v) && isLoad(def):
		return f.load(v)
	case f.isVector(v):
		if k, ok := f.scanAt(v); ok {
			return f.scan(v, k)
		}
		return f.lanewise(v)
	case f.mask != 0 && (g.IsPartial(v) || isLoad(def)):
		return f.rarely(v)
	}
	return f.m.Copy(g.NodeOf(v))
}

// rarely is a scalar op that has to be done only if a lane does it.
func (f *filler) rarely(v ir.Value) ir.Value {
	n := f.G.NodeOf(v)
	x := scf.BuildIf(f.b, f.any(f.mask), func() []ir.Value { return []ir.Value{f.m.Copy(n)} },
		func() []ir.Value { return []ir.Value{f.zero(f.m.Type(n.Type()))} })
	return f.b.Results(x)[0]
}

// lanewise is an op on each lane. What a mask leaves out divides by 1.
func (f *filler) lanewise(v ir.Value) ir.Value {
	g, def := f.G, f.G.Def(v)
	args := make([]ir.Value, len(g.Args(v)))
	for i, a := range g.Args(v) {
		// A condition that is the same in all lanes stays a scalar.
		if args[i] = f.vector(a); def == arith.Select && i == 0 && !f.differs(a) {
			args[i] = f.of(a)
		}
	}
	if last := len(args) - 1; f.mask != 0 && divides(def) {
		t := f.b.Graph().Type(args[last])
		args[last] = arith.Choose(f.b, f.mask, args[last], f.b.Splat(t, 1))
	}
	return f.b.Must(ir.Call{Def: def, Args: args, Attr: g.AttrsOf(v), Type: f.row(f.m.Type(g.Type(v)))})
}
