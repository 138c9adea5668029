package polyhedral

import (
	"errors"
	"maps"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/dialects/loop/kit"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/contraction"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// An emitter makes the ops of one system.
type emitter struct {
	*code
	systems.Numbers
	m      *ir.Mirror
	memory map[*poly.ArrayDecl]place
	stored map[presburger.Map]presburger.Map
	shared bool // in a loop that cores share
}

// A place is the memory of an array; lower is what to subtract from an index.
type place struct {
	memory ir.Value
	lower  []ir.Value
}

// system makes the check of the parameters, the memory, the loops, and the release of local memory.
func (e *emitter) system(n ir.Node) {
	e.Params = map[string]ir.Value{}
	for i, p := range e.sys.Params {
		e.Params[p] = e.m.Of(n.Arg(i))
	}
	e.assume()
	e.m.BodyWithout(n.Region(0), func(x ir.Node) bool {
		return x.Def() == poly.Bind || x.Def() == poly.Local || x.Def() == poly.Statement
	})
	e.memory = map[*poly.ArrayDecl]place{}
	var owned []ir.Value
	for _, a := range e.sys.Arrays {
		p := e.bind(a)
		e.memory[a] = p
		e.m.Set(a.Node, p.memory)
		if a.Node.Def() == poly.Local {
			owned = append(owned, p.memory)
		}
	}
	e.block(e.ast, systems.Names(e.Params))
	for _, v := range slices.Backward(owned) {
		e.B.Op(memref.Dealloc, v)
	}
}

// assume stops the program where its parameters are not in the context, by which the loops and
// what is known of accesses were made.
func (e *emitter) assume() {
	holds, err := e.Condition(e.sys.Context, nil)
	if err != nil {
		e.reason = err
		return
	}
	e.assert(holds, "the parameters are not in the context of the equations")
}

// assert ends the program with a message where a condition does not hold.
func (e *emitter) assert(holds ir.Value, msg string) {
	c := e.B.Ctx()
	e.B.OpAttr(cf.Assert, c.Props([]ir.NamedAttr{{Name: "msg", Value: c.StringAttr(msg)}}, nil), holds)
}

// bind finds the memory of an array, or makes it.
func (e *emitter) bind(a *poly.ArrayDecl) place {
	b := e.B
	var p place
	var sizes []ir.Value
	for _, x := range e.sizes[a] {
		lower := e.Expr(x.Lower, e.Params)
		size := arith.AddI(b, arith.SubI(e.B, e.Expr(x.Upper, e.Params), lower), b.Index(1))
		p.lower = append(p.lower, lower)
		// The upper bound of an empty range is below the lower one, and a size must not be negative.
		sizes = append(sizes, b.Op(arith.Maxsi, size, b.Index(0)))
	}
	if a.Node.Def() == poly.Local {
		shape := slices.Repeat([]int64{ir.Dynamic}, len(sizes))
		attr := b.Ctx().Props([]ir.NamedAttr{{Name: "operandSegmentSizes", Value: b.Ctx().DenseArray(ir.I32, int64(len(sizes)), 0)}}, nil)
		p.memory = b.Must(ir.Call{Def: memref.Alloc, Args: sizes, Attr: attr, Type: b.Ctx().MemRef(shape, a.Elem)})
		return p
	}
	p.memory = e.m.Of(a.Node.Arg(0))
	for d, size := range sizes {
		// The memory of the program around begins at 0, wherever the extent does.
		all := arith.AddI(b, size, p.lower[d])
		have := b.Op(memref.Dim, p.memory, b.Index(int64(d)))
		e.assert(arith.CmpI(b, arith.SGE, have, all), a.Name+" is smaller than its extent")
	}
	// Indices of bound memory are not shifted.
	p.lower = nil
	return p
}

// block makes nodes in order. A tiling takes over the node before it, if that initialises its target, and
// the one behind it, if that ends it.
func (e *emitter) block(n *codegen.Block, at systems.Names) {
	for i, x := range n.Nodes {
		if i+1 < len(n.Nodes) && e.tilings.Initialised(x, n.Nodes[i+1]) != nil {
			continue // it is made there
		}
		if i > 0 && e.tilings.Ending(n.Nodes[i-1], x) != nil {
			continue // so is this
		}
		switch x := x.(type) {
		case *codegen.Block:
			e.block(x, at)
		case *codegen.Mark:
			if t := e.tilings.Of(x); t != nil {
				code := func(y codegen.Node) func() {
					return func() { e.block(&codegen.Block{Nodes: []codegen.Node{y}}, at) }
				}
				var zeros, after func()
				if before := n.Nodes[max(i-1, 0)]; e.tilings.Initialised(before, x) != nil {
					zeros = code(before)
				}
				if i+1 < len(n.Nodes) && e.tilings.Ending(x, n.Nodes[i+1]) != nil {
					after = code(n.Nodes[i+1])
					e.code.finished = append(e.code.finished, t)
				}
				(&contraction.Emitter{Kit: kit.Kit{Builder: e.B}, Host: e, Numbers: &e.Numbers, Mirror: e.m, Shared: e.shared}).Emit(t, at, x.Outer, zeros, after)
			} else {
				e.block(x.Body, at)
			}
		case *codegen.If:
			branch := func(b *codegen.Block) func() []ir.Value {
				if b == nil {
					return nil
				}
				return func() []ir.Value { e.block(b, at); return nil }
			}
			scf.BuildIf(e.B, e.Expr(x.Cond, at), branch(x.Then), branch(x.Else))
		case *codegen.For:
			e.loop(x, at)
		case *codegen.User:
			e.user(x, at)
		}
	}
}

// loop makes an accumulation, a parallel loop, or scf.for, in this preference. Parallel loops do not
// nest: in one, all others are sequential.
func (e *emitter) loop(x *codegen.For, at systems.Names) {
	if len(x.Upper) == 0 {
		e.reason = errors.New("a loop of the schedule has no end")
		return
	}
	if a := e.accumulation(x); a != nil {
		e.accumulate(a, at)
		return
	}
	lower, end := e.bounds(x, at)
	if x.Parallel && !e.shared {
		e.shared = true
		scf.BuildParallel(e.B, lower, end, e.B.Index(x.Stride), func(iv ir.Value) {
			at[x.Iterator] = iv
			e.withOwn(e.own[x], func() { e.block(x.Body, at) })
			delete(at, x.Iterator)
		})
		e.shared = false
		return
	}
	scf.BuildForWith(e.B, e.hint(x), lower, end, e.B.Index(x.Stride), nil, func(iv ir.Value, _ []ir.Value) []ir.Value {
		at[x.Iterator] = iv
		e.block(x.Body, at)
		delete(at, x.Iterator)
		return nil
	})
}

// withOwn makes what is in an iteration of a parallel loop, with memory of its own for some arrays.
func (e *emitter) withOwn(own []*poly.ArrayDecl, do func()) {
	common := maps.Clone(e.memory)
	var owned []ir.Value
	for _, a := range own {
		e.memory[a] = e.bind(a)
		owned = append(owned, e.memory[a].memory)
	}
	do()
	for _, v := range slices.Backward(owned) {
		e.B.Op(memref.Dealloc, v)
	}
	e.memory = common
}

// bounds are where a loop begins, and the least value that is behind its end.
// The syntax tree has inclusive upper bounds, and scf.for an exclusive one.
func (e *emitter) bounds(x *codegen.For, at systems.Names) (lower, end ir.Value) {
	bound := func(list []codegen.Expr, by *ir.OpDef) ir.Value {
		v := e.Expr(list[0], at)
		for _, y := range list[1:] {
			v = e.B.Op(by, v, e.Expr(y, at))
		}
		return v
	}
	return bound(x.Lower, arith.Maxsi), arith.AddI(e.B, bound(x.Upper, arith.Minsi), e.B.Index(1))
}

// user makes an instance of a statement.
func (e *emitter) user(x *codegen.User, at systems.Names) {
	st := e.sys.Statement(x.Statement)
	if st == nil {
		e.reason = errors.New("the schedule has instances of " + x.Statement + ", which is no statement")
		return
	}
	coords := e.coordinates(x, at)
	yields := e.yields(st, coords)
	if st.Keyed {
		if err := e.accumulateAt(st, coords, yields); err != nil {
			e.reason = err
		}
		return
	}
	v := yields[0]
	index, err := e.Element(st.Target, st.Write, st.Domain, coords)
	if err != nil {
		e.reason = err
		return
	}
	if st.Operator != poly.Set {
		v = combine(e.B, st, e.get(systems.Written(st), index), v)
	}
	e.put(st, v, index)
}

// get loads the element of an access; put stores the one that a statement writes.
func (e *emitter) get(x systems.Access, index []ir.Value) ir.Value {
	a := x.Stmt.Target
	if x.Read >= 0 {
		a = x.Stmt.Reads[x.Read].Array
	}
	return e.B.OpAttr(memref.Load, e.promise(x), append([]ir.Value{e.memory[a].memory}, index...)...)
}

// put stores a value into the element that a statement writes.
func (e *emitter) put(st *poly.Stmt, v ir.Value, index []ir.Value) {
	e.B.OpAttr(memref.Store, e.promise(systems.Written(st)), append([]ir.Value{v, e.memory[st.Target].memory}, index...)...)
}

// promise is the attribute of an access that needs no check.
func (e *emitter) promise(x systems.Access) ir.Attr {
	if !e.inside[x] {
		return 0
	}
	return e.B.Ctx().WithDiscardable(0, memref.InBoundsAttr, e.B.Ctx().UnitAttr())
}

// coordinates are those of an instance.
func (e *emitter) coordinates(x *codegen.User, at systems.Names) []ir.Value {
	return lists.Map(x.Args, func(a codegen.Expr) ir.Value { return e.Expr(a, at) })
}

// yields makes what the body of an instance yields.
func (e *emitter) yields(st *poly.Stmt, coords []ir.Value) []ir.Value {
	args := slices.Clone(coords)
	for i := range st.Reads {
		args = append(args, e.Load(systems.ReadBy(st, i), coords))
	}
	return e.m.Body(st.Node.Region(0), args...)
}

// Memory is that of an array.
func (e *emitter) Memory(a *poly.ArrayDecl) ir.Value { return e.memory[a].memory }

// Fail keeps an error.
func (e *emitter) Fail(err error) { e.reason = err }

// Element makes the index at which an instance accesses memory.
func (e *emitter) Element(a *poly.ArrayDecl, m presburger.Map, domain presburger.Set, coords []ir.Value) (_ []ir.Value, err error) {
	defer unwind.To(&err)
	index, _ := unwind.Must2(e.indexed(a, m, domain, coords))
	return index, nil
}

// indexed is the index of an access among the places of an array, and where the access exists: 0 for
// everywhere.
func (e *emitter) indexed(a *poly.ArrayDecl, m presburger.Map, domain presburger.Set, coords []ir.Value) (index []ir.Value, where ir.Value, err error) {
	defer unwind.To(&err)
	m = unwind.Must(e.kept(a, m))
	index, where = unwind.Must2(e.Image(m, domain, coords))
	for d, l := range e.memory[a].lower {
		index[d] = arith.SubI(e.B, index[d], l)
	}
	return index, where, nil
}

// kept relates instances to the places where elements are stored.
func (e *emitter) kept(a *poly.ArrayDecl, m presburger.Map) (_ presburger.Map, err error) {
	defer unwind.To(&err)
	if !a.IsStored {
		return m, nil
	}
	// A statement may stand in many places of the tree; each relation is composed once.
	if to, ok := e.stored[m]; ok {
		return to, nil
	}
	to := unwind.Must(a.Storage.Compose(m))
	if e.stored == nil {
		e.stored = map[presburger.Map]presburger.Map{}
	}
	e.stored[m] = to
	return to, nil
}

// Load reads what an instance reads; where the relation leads nowhere a zero, which its
// body does not use.
func (e *emitter) Load(x systems.Access, coords []ir.Value) ir.Value {
	r := x.Stmt.Reads[x.Read]
	a := r.Array
	index, where, err := e.indexed(a, r.Map, x.Stmt.Domain, coords)
	if err != nil {
		e.reason = err
		return arith.Zero(e.B, a.Elem)
	}
	read := func() ir.Value { return e.get(x, index) }
	if where == 0 {
		return read()
	}
	return e.B.Result(scf.BuildIf(e.B, where, func() []ir.Value { return []ir.Value{read()} }, func() []ir.Value { return []ir.Value{arith.Zero(e.B, a.Elem)} }), 0)
}

// at reads an element by a computed index. It needs the whole array, so that the extent is where
// the index may be.
func (e *emitter) at(n ir.Node) ir.Value {
	for a, p := range e.memory {
		if a.Node != n.Arg(0) {
			continue
		}
		index, err := e.indexOf(a, e.m.All(n.Args())[1:])
		if err != nil {
			e.reason = err
			return arith.Zero(e.B, a.Elem)
		}
		return e.m.Op(memref.Load, append([]ir.Value{p.memory}, index...)...)
	}
	return 0
}
