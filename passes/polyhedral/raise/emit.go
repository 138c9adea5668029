package raise

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/ub"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// A raising makes the ops of a program.
type raising struct {
	*program
	m       *ir.Mirror
	b       *ir.Builder
	params  map[string]ir.Value
	results map[*memory]ir.Value // memory of the program around for what comes out of the loops
	arrays  map[*memory]ir.Value
	checked bool // no access is outside of its memory
}

// emit makes the system in the place of loops, and returns what stands for each.
func (p *program) emit(m *ir.Mirror, members []ir.Node) []ir.Value {
	r := &raising{program: p, m: m, b: m.B, params: map[string]ir.Value{}, results: map[*memory]ir.Value{}, arrays: map[*memory]ir.Value{}}
	loc := r.b.Loc
	for _, v := range p.nest.params {
		r.params[p.named[v]] = r.index(m.Of(p.g.NodeOf(v)))
	}
	for _, s := range p.sizes {
		r.params[s.name] = r.b.Op(memref.Dim, m.Of(p.g.NodeOf(s.memory.value)), r.b.Index(int64(s.dim)))
	}
	r.checked = r.assert()
	// Each result of a loop has a cell of memory, which the system writes and which is loaded behind it.
	for _, n := range members {
		for k := range p.g.Results(n.Old()) {
			c := p.of[value{n.Old(), k}]
			r.results[c] = r.b.Must(ir.Call{Def: memref.Alloc, Type: r.b.Ctx().MemRef(nil, c.elem),
				Attr: r.b.Ctx().Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: r.b.Ctx().DenseArray(ir.I32, 0, 0)}}, nil)})
		}
	}
	if len(p.sentences) > 0 {
		r.system()
	}
	r.b.Loc = loc
	out := make([]ir.Value, len(members))
	for i, n := range members {
		var values []ir.Value
		for k := range p.g.Results(n.Old()) {
			from := r.results[p.of[value{n.Old(), k}]]
			values = append(values, r.b.Op(memref.Load, from))
			r.b.Op(memref.Dealloc, from)
		}
		out[i] = r.b.Pack(values...)
	}
	return out
}

// index is an integer as an index. It is frozen if it may be poison: code made of the system branches on it
// where the nest, which may run no round, did not.
func (r *raising) index(v ir.Value) ir.Value {
	v = ub.Frozen(r.b, v)
	switch r.b.Graph().Type(v) {
	case ir.Index:
		return v
	case ir.I1:
		return arith.Cast(r.b, arith.IndexCastui, v, ir.Index)
	}
	return arith.Cast(r.b, arith.IndexCast, v, ir.Index)
}

// assert ends the program where an access would, and reports that none does after it.
func (r *raising) assert() bool {
	if !r.program.checked || len(r.outside.Basics()) == 0 {
		return r.program.checked
	}
	params := map[string]ir.Value{}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		params[name] = r.near(r.params[name])
	}
	outside, err := systems.Condition(r.b, params, r.outside)
	if err != nil {
		return false
	}
	inside := r.b.Op(arith.Xori, outside, arith.ConstBool(r.b, true))
	r.b.OpAttr(cf.Assert, r.b.Ctx().Props([]ir.NamedAttr{{Name: "msg", Value: r.b.Ctx().StringAttr("an access of the loops is outside of its memory")}}, nil), inside)
	return true
}

// near is a number or, where it is beyond what memory can have, the limit of that, so that the sums
// of a condition do not wrap.
func (r *raising) near(v ir.Value) ir.Value {
	const far = 1 << 55
	return r.b.Op(arith.Maxsi, r.b.Op(arith.Minsi, v, r.b.Index(far)), r.b.Index(-far))
}

// system makes the system.
func (r *raising) system() {
	b, c := r.b, r.b.Ctx()
	names := r.parameters()
	for _, s := range r.sizes {
		if s.memory.gathered {
			names = append(names, s.name)
		}
	}
	var args []ir.Value
	var attrs []ir.Attr
	for _, n := range names {
		args, attrs = append(args, r.params[n]), append(attrs, c.StringAttr(n))
	}
	region := b.Region(ir.Once, nil, func([]ir.Value) {
		// Statements have arrays as operands, so all arrays are made first.
		for _, st := range r.sentences {
			r.array(st.target)
			for i := range st.reads {
				r.array(st.source(i))
			}
		}
		for _, st := range r.sentences {
			r.statement(st)
		}
		b.Op(poly.Yield)
	})
	b.Must(ir.Call{Def: poly.SystemOp, Args: args, Regions: []ir.Region{region}, Attr: c.Props([]ir.NamedAttr{
		{Name: "names", Value: c.ArrayAttr(attrs...)}, {Name: "context", Value: poly.SetAttr(c, r.context)},
		{Name: "schedule", Value: poly.TreeAttr(c, r.tree)}}, nil)})
}

// array makes an array, once.
func (r *raising) array(m *memory) {
	if r.arrays[m] != 0 {
		return
	}
	role := poly.Input
	if m.written {
		role = poly.InOut
	}
	// An array is the cell of a result, a cell of the system alone, or memory of the program.
	switch from := r.results[m]; {
	case from != 0:
		r.arrays[m] = poly.NewBind(r.b, from, role, m.name, presburger.Set{}, true)
	case m.value == 0:
		r.arrays[m] = poly.NewLocal(r.b, m.name, m.extent, m.elem)
	default:
		r.arrays[m] = poly.NewBind(r.b, r.m.Of(r.g.NodeOf(m.value)), role, m.name, m.extent, r.checked)
	}
}

// statement makes a statement, its body of the ops that make the value.
func (r *raising) statement(st *sentence) {
	if st.write != nil && st.write.op != 0 {
		if at := r.g.LocsOf(st.write.op); len(at) > 0 {
			r.b.Loc = at[0]
		}
	}
	var reads []poly.NewAccess
	var of []value
	for i := range st.reads {
		if !st.gathers(i) {
			reads, of = append(reads, poly.NewAccess{Array: r.arrays[st.source(i)], Map: st.from[i]}), append(of, st.of[i])
		}
	}
	poly.NewStatement(r.b, st.name, st.domain, st.operator, poly.NewAccess{Array: r.arrays[st.target], Map: st.to}, reads,
		func(coords, values []ir.Value) ir.Value {
			made := map[value]ir.Value{}
			for d, x := range st.at.rounds {
				made[value{x.index, 0}] = coords[d]
			}
			for i, v := range values {
				made[of[i]] = v
			}
			if st.write == nil {
				return r.yielded(st, made)
			}
			return r.under(st, st.write.at.guards, made)
		})
}

// yielded is what a statement puts into its target.
func (r *raising) yielded(st *sentence, made map[value]ir.Value) ir.Value {
	v := r.copy(st.value, made)
	if !st.minus {
		return v
	}
	// Floats are negated, as 0 - x loses the sign of zero.
	if r.b.Ctx().IsFloat(st.target.elem) {
		return r.b.Op(arith.Negf, v)
	}
	return arith.SubI(r.b, arith.Zero(r.b, st.target.elem), v)
}

// copy makes a value again in the body of a statement.
func (r *raising) copy(v ir.Value, made map[value]ir.Value) ir.Value {
	n := r.g.NodeOf(v)
	if !r.isInside(v) {
		return r.m.Of(n)
	}
	key := r.key(v)
	if w := made[key]; w != 0 {
		return w
	}
	// A gather has an index that is data, so it is no read of the statement.
	if x := r.reads[key]; x != nil && x.isGather() {
		args := []ir.Value{r.arrays[x.memory]}
		for _, i := range x.indices {
			args = append(args, r.copy(i, made))
		}
		made[key] = r.b.Op(poly.At, args...)
		return made[key]
	}
	if cond, arms, ok := r.chosen(key); ok {
		made[key] = r.either(cond, arms, made)
		return made[key]
	}
	op := r.g.NodeOf(key.v)
	for _, a := range op.Args() {
		r.m.Set(a, r.copy(a.Old(), made))
	}
	w := r.m.Copy(op)
	if op != n { // one of several results
		for k := range r.g.Results(key.v) {
			made[value{key.v, k}] = r.b.Result(w, k)
		}
		return made[key]
	}
	made[key] = w
	return w
}
