package differentiate

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// startGathers allocates the arrays of all gathers. An element of these is one round; where a read of a round may be sought that there is
// none of, it is a zero. The memory that is read has an element for each round, or there would be none.
func (f *frame) startGathers() {
	for _, r := range f.allRegions() {
		for _, g := range f.gathers[f.loops[r]] {
			o := g.groups[0]
			shadow := f.shadow(o.memory)
			info := f.g.Ctx.Info(f.g.Type(o.memory))
			shape, open := make([]int64, len(g.loops)), []ir.Value(nil)
			isZero := false
			for k, d := range g.dims {
				isZero = isZero || g.spread[k] > 0
				if shape[k] = info.Shape[d]; shape[k] == ir.Dynamic {
					open = append(open, arith.AddI(f.b, f.b.Op(memref.Dim, shadow, f.b.Index(int64(d))), f.b.Index(2*g.spread[k])))
				} else {
					shape[k] += 2 * g.spread[k]
				}
			}
			for range g.givers {
				a := memref.BuildOwned(f.b, f.b.Ctx().MemRef(shape, info.Elem), 0, open...)
				if isZero {
					writeZeros(f.b, a)
				}
				g.arrays = append(g.arrays, a)
			}
		}
	}
}

// deliver writes the adjoint of a giver where the loops behind the gather's find it, for the first of its reads.
func (f *frame) deliver(x *neighbour) {
	z := f.take(ref{op: x.v})
	if x.giver.root.op != x.v {
		z = f.taken[x.giver.root]
	}
	if z = f.leaves(z, f.arms.clean(x.giver.root), f.arms.top); z == 0 {
		return
	}
	g := x.of
	i := slices.Index(g.givers, x.giver)
	if f.left[g] == nil {
		f.left[g] = make([]bool, len(g.givers))
	}
	if f.left[g][i] {
		return
	}
	f.left[g][i] = true
	if x.giver.factor != 1 {
		z = arith.Float(f.b, arith.Mulf, real, z, arith.ConstFloat(f.b, f.b.Graph().Type(z), x.giver.factor))
	}
	at := []ir.Value{z, g.arrays[i]}
	for k, l := range g.loops {
		at = append(at, arith.AddI(f.b, f.roundNow(l), f.b.Index(g.spread[k])))
	}
	f.b.Op(memref.Store, at...)
}

// gather adds to shadows what the rounds of a loop have left.
func (f *frame) gather(l *loop) {
	for _, g := range f.gathers[l] {
		rounds, index := make([]ir.Value, len(g.loops)), make([]func(ir.Value) ir.Value, len(g.loops))
		some := arith.ConstBool(f.b, true)
		for k, l := range g.loops {
			now := f.value
			if g.fixed {
				now = f.ahead(nil)
			}
			rounds[k], index[k] = f.rounds(l, now)
			some = f.b.Op(arith.Andi, some, arith.CmpI(f.b, arith.SGT, rounds[k], f.b.Index(0)))
		}
		// Without a round there are no elements, and indices may be out of bounds.
		scf.BuildIf(f.b, some, func() []ir.Value {
			for i, a := range g.arrays {
				for s := range g.spread[0] {
					if !g.fixed && f.left[g] != nil && f.left[g][i] {
						zero := arith.Zero(f.b, f.b.Ctx().Info(f.b.Graph().Type(a)).Elem)
						f.b.Op(memref.Store, zero, a, arith.AddI(f.b, rounds[0], f.b.Index(g.spread[0]+s)))
					}
				}
			}
			for _, o := range g.groups {
				f.gathered(g, o, rounds, index)
			}
			return nil
		}, nil)
	}
}

// gathered makes the loops over the elements of a group. Element e is that of offset 0 in round e.
func (f *frame) gathered(g *gather, o *group, rounds []ir.Value, index []func(ir.Value) ir.Value) {
	var nest func(k int, e []ir.Value)
	nest = func(k int, e []ir.Value) {
		if k == len(g.loops) {
			f.element(g, o, e, index)
			return
		}
		least, most := o.offsets(k)
		end := arith.AddI(f.b, rounds[k], f.b.Index(most-least))
		scf.BuildFor(f.b, f.b.Index(0), end, f.b.Index(1), nil, func(i ir.Value, _ []ir.Value) []ir.Value {
			nest(k+1, append(e[:k:k], arith.AddI(f.b, i, f.b.Index(least))))
			return nil
		})
	}
	nest(0, nil)
}

// element adds to one of a group's elements what the rounds have for it.
func (f *frame) element(g *gather, o *group, e []ir.Value, index []func(ir.Value) ir.Value) {
	at := []ir.Value{f.shadow(o.memory)}
	for _, form := range o.index {
		at = append(at, f.sum(form, func(v ir.Value) ir.Value {
			for k, l := range g.loops {
				if v == l.Indices[0] {
					return index[k](e[k])
				}
			}
			return f.value(v)
		}))
	}
	sum := ir.Value(0)
	for _, x := range o.reads {
		i := slices.Index(g.givers, x.giver)
		if f.left[g] == nil || !f.left[g][i] {
			continue
		}
		from := []ir.Value{g.arrays[i]}
		for k := range g.loops {
			from = append(from, arith.AddI(f.b, e[k], f.b.Index(g.spread[k]-x.offset[k])))
		}
		z := f.b.Op(memref.Load, from...)
		switch {
		case sum != 0 && x.minus:
			sum = arith.Float(f.b, arith.Subf, real, sum, z)
		case sum != 0:
			sum = arith.Float(f.b, arith.Addf, real, sum, z)
		case x.minus:
			sum = arith.NegF(f.b, z)
		default:
			sum = z
		}
	}
	if sum != 0 {
		f.addTo(at, sum)
	}
}

// sum builds an affine form of values.
func (f *frame) sum(form affine.Linear, of func(ir.Value) ir.Value) ir.Value {
	out := f.b.Index(form.Int(form.Const))
	for _, t := range form.Terms {
		v := f.as(of(t.Value), ir.Index)
		if c := form.Int(t.Coef); c != 1 {
			v = arith.MulI(f.b, v, f.b.Index(c))
		}
		out = arith.AddI(f.b, v, out)
	}
	return out
}
