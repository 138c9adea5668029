package lower

import (
	gomath "math"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/bugs/function"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/prob/kit"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// loose are the flags of sums of terms, which are added in any order.
const loose = kit.Fused | arith.Reassoc

// The density is a sum over nodes of sums of addends: constants of the family, parts
// of the data, parts of the parameters. Each addend is added where it varies:
//
//   - in the innermost loop only what changes there;
//   - what a loop does not change is added once behind it, times the number of its
//     rounds;
//   - what depends on data alone is summed by @logdensity_setup, which runs once,
//     and the function reads that sum from its argument `staged`.
//
// A guard is an addend too: "NaN unless ok" added to a term makes it NaN unless ok,
// and is hoisted by the same rule.

// terms are the parts of a sum.
type terms struct {
	parts  []addend
	guards []ir.Value // conditions without which the sum is NaN
}

// addend is a part of a sum; neg says that it is taken away.
type addend struct {
	v   ir.Value
	neg bool
}

// sumLoop is a loop that is being lowered.
type sumLoop struct {
	iv           ir.Value
	lower, upper ir.Value
	late         []lateAddend // what is added behind it
}

type lateAddend struct {
	slot slot
	v    ir.Value
}

// take takes a term apart.
func (l *lowering) take(t *terms, v ir.Value, neg bool) {
	g := l.b.Graph()
	if len(t.parts) > maxAddends || l.isPart(v) {
		t.parts = append(t.parts, addend{v, neg})
		return
	}
	args := g.Args(v)
	if x, y, ok := l.logIn(v); ok {
		l.takeLog(t, x, y, neg, false)
		return
	}
	switch g.Def(v) {
	case arith.Addf:
		l.take(t, args[0], neg)
		l.take(t, args[1], neg)
		return
	case arith.Subf:
		l.take(t, args[0], neg)
		l.take(t, args[1], !neg)
		return
	case arith.Negf:
		l.take(t, args[0], !neg)
		return
	case arith.Select:
		k := l.kit()
		switch other, isConst := g.Const(args[2]); {
		case isConst && gomath.IsNaN(other.F64()):
			t.guards = append(t.guards, args[0])
			l.take(t, args[1], neg)
			return
		case isConst && other.F64() == -function.Inf && l.traits(args[0]).data:
			t.parts = append(t.parts, addend{k.Within(args[0], k.Num(0)), neg})
			l.take(t, args[1], neg)
			return
		}
	}
	t.parts = append(t.parts, addend{v, neg})
}

// maxAddends bounds the parts of one term.
const maxAddends = 64

// isPart reports a term that is added as a whole: no loop changes some of it only.
func (l *lowering) isPart(v ir.Value) bool {
	t := l.traits(v)
	return t.level < len(l.loops) || t.data
}

// addTo adds a term to a sum.
func (l *lowering) addTo(s slot, term ir.Value) {
	var t terms
	l.take(&t, term, false)
	k := l.kit()
	inner, ok := ir.Value(0), ir.Value(0)
	for _, c := range t.guards {
		switch tr := l.traits(c); {
		case tr.level < len(l.loops) || tr.data:
			l.addPart(s, k.Valid(c, k.Num(0)), tr)
		case ok == 0:
			ok = c
		default:
			ok = k.And(ok, c)
		}
	}
	for _, a := range t.parts {
		switch tr := l.traits(a.v); {
		case tr.level < len(l.loops) || tr.data:
			if v := a.v; a.neg {
				l.addPart(s, k.Neg(v), tr)
			} else {
				l.addPart(s, v, tr)
			}
		case inner == 0 && a.neg:
			inner = k.Neg(a.v)
		case inner == 0:
			inner = a.v
		case a.neg:
			inner = arith.Float(l.b, arith.Subf, loose, inner, a.v)
		default:
			inner = arith.Float(l.b, arith.Addf, loose, inner, a.v)
		}
	}
	if ok != 0 && inner == 0 {
		inner = k.Num(0)
	}
	if ok != 0 {
		inner = k.Valid(ok, inner)
	}
	if inner != 0 {
		l.addPart(s, inner, traits{level: len(l.loops)})
	}
}

// addPart adds a part where it belongs.
func (l *lowering) addPart(s slot, v ir.Value, t traits) {
	c, isConst := l.b.Graph().Const(v)
	if isConst && c.F64() == 0 {
		return
	}
	staged := t.data && !isConst && !l.notStaged && !l.careful && !l.apart[l.at]
	if staged {
		l.parts[l.at]++
		l.staged[s] = true
	}
	if staged == l.setup {
		l.addLevel(s, v)
	}
}

// addLevel adds a value at the innermost loop that changes it.
func (l *lowering) addLevel(s slot, v ir.Value) {
	if n := len(l.loops); l.traits(v).level < n {
		l.loops[n-1].late = append(l.loops[n-1].late, lateAddend{s, v})
		return
	}
	if c, ok := l.b.Graph().Const(l.sums[s]); ok && c.F64() == 0 {
		l.sums[s] = v
		return
	}
	l.sums[s] = arith.Float(l.b, arith.Addf, loose, l.sums[s], v)
}

// closeLoop adds what a loop did not change, once it is left.
func (l *lowering) closeLoop() {
	n := len(l.loops) - 1
	f := l.loops[n]
	l.loops = l.loops[:n]
	if len(f.late) == 0 {
		return
	}
	b := l.b
	trips := arith.SubI(b, f.upper, f.lower)
	count := arith.Cast(b, arith.Sitofp, arith.Cast(b, arith.IndexCast, trips, ir.I64), ir.F64)
	times := func() []ir.Value {
		here := map[ir.Value]ir.Value{}
		out := make([]ir.Value, len(f.late))
		for i, a := range f.late {
			out[i] = arith.Float(b, arith.Mulf, kit.Fused, count, l.again(a.v, here))
		}
		return out
	}
	none := func() []ir.Value {
		out := make([]ir.Value, len(f.late))
		for i := range out {
			out[i] = arith.ConstF64(b, 0)
		}
		return out
	}
	var vs []ir.Value
	switch known, isConst := b.Graph().Const(count); {
	case !isConst: // a loop that does not run may have nothing to read
		some := arith.CmpF(b, arith.OGT, count, arith.ConstF64(b, 0))
		v := scf.BuildIf(b, some, times, none)
		for i := range f.late {
			x := b.Result(v, i)
			l.known[x] = traits{level: len(l.loops)}
			vs = append(vs, x)
		}
	case known.F64() <= 0:
		return
	default:
		vs = times()
	}
	for i, a := range f.late {
		l.addLevel(a.slot, vs[i])
	}
}

// again makes a value of the loop that was left behind it; what it loads is loaded
// again. here has what was made.
func (l *lowering) again(v ir.Value, here map[ir.Value]ir.Value) ir.Value {
	if x, ok := here[v]; ok {
		return x
	}
	g := l.b.Graph()
	x := v
	if g.Def(v) != nil && len(g.Regions(v)) == 0 {
		args := slices.Clone(g.Args(v))
		same := g.Def(v) != memref.Load
		for i, a := range args {
			args[i] = l.again(a, here)
			same = same && args[i] == a
		}
		if !same {
			x = l.b.Must(ir.Call{Def: g.Def(v), Attr: g.AttrsOf(v), Type: g.Type(v), Args: args})
		}
	}
	here[v] = x
	return x
}

// traits say of a new value on what it depends.
type traits struct {
	level int  // the depth of the innermost open loop
	data  bool // on data and loop variables alone
}

func (l *lowering) traits(v ir.Value) traits {
	if t, ok := l.known[v]; ok {
		return t
	}
	g := l.b.Graph()
	t := traits{data: true}
	deepest := traits{level: len(l.loops)}
	r, i, isParam := g.Param(v)
	_, isConst := g.Const(v)
	switch {
	case isConst:
	case isParam && r == ir.Root:
		t.data = i < len(l.params) && l.g.Def(l.params[i]) == ops.Data
	case isParam:
		t = deepest
		if i := slices.IndexFunc(l.loops, func(f sumLoop) bool { return f.iv == v }); i >= 0 {
			t = traits{i + 1, true}
		}
	case len(g.Regions(v)) > 0:
		t = deepest
	case g.Def(v) == memref.Load:
		args := g.Args(v)
		r, i, ok := g.Param(args[0])
		if !ok || r != ir.Root || i >= len(l.params) || l.g.Def(l.params[i]) == ops.LogicalVar {
			t = deepest
			break
		}
		t.data = l.g.Def(l.params[i]) == ops.Data
		for _, a := range args[1:] {
			t = join(t, l.traits(a))
		}
	case !g.IsPure(v):
		t = deepest
	default:
		for _, a := range g.Args(v) {
			t = join(t, l.traits(a))
		}
	}
	l.known[v] = t
	return t
}

func join(x, y traits) traits { return traits{max(x.level, y.level), x.data && y.data} }

// openLoop builds a loop whose body may add to the sums.
func (l *lowering) openLoop(lower, upper ir.Value, inits []ir.Value, body func(iv ir.Value, carried []ir.Value) []ir.Value) ir.Value {
	return scf.BuildFor(l.b, lower, upper, l.b.Index(1), inits, func(iv ir.Value, carried []ir.Value) []ir.Value {
		l.loops = append(l.loops, sumLoop{iv: iv, lower: lower, upper: upper})
		return body(iv, carried)
	})
}

// stage stores what depends on data alone, by sum; it ends @logdensity_setup.
func (l *lowering) stage(out ir.Value) []ir.Value {
	for i, s := range l.stagedSlots() {
		l.b.Op(memref.Store, l.sums[s], out, l.b.Index(int64(i)))
	}
	return []ir.Value{arith.ConstF64(l.b, 0), arith.ConstInt(l.b, ir.I32, ops.StatusOK), arith.ConstInt(l.b, ir.I32, -1)}
}

// stagedSlots are the sums of which setup may make a part.
func (l *lowering) stagedSlots() []slot { return append(slices.Clone(l.slots), largeNodes, badIndices) }

// addStaged adds what @logdensity_setup has stored.
func (l *lowering) addStaged(staged ir.Value) {
	for i, s := range l.stagedSlots() {
		if l.staged[s] {
			l.sums[s] = arith.Float(l.b, arith.Addf, loose, l.sums[s], l.b.Op(memref.Load, staged, l.b.Index(int64(i))))
		}
	}
}
