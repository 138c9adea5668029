package polyhedral

import (
	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
)

// accumulation finds the one instance that a loop executes in each round, if that is of a
// reduction and all rounds update one element, which nothing in the loop reads: then the
// loop carries the element, and memory has it before and after.
func (e *emitter) accumulation(x *codegen.For) (*codegen.User, *poly.Stmt) {
	if len(x.Body.Nodes) != 1 {
		return nil, nil
	}
	u, ok := x.Body.Nodes[0].(*codegen.User)
	if !ok {
		return nil, nil
	}
	st := e.sys.Statement(u.Statement)
	if st == nil || st.Operator == poly.Set {
		return nil, nil
	}
	for _, r := range st.Reads {
		if r.Array == st.Target {
			return nil, nil
		}
	}
	for _, g := range st.Gathers {
		if g == st.Target {
			return nil, nil
		}
	}
	m := st.Write
	if st.Target.IsStored {
		var err error
		if m, err = st.Target.Storage.Compose(m); err != nil {
			return nil, nil
		}
	}
	f, err := m.AsPwMultiAff()
	if err != nil {
		return nil, nil
	}
	index, ok := f.AsMultiAff()
	if !ok {
		return nil, nil
	}
	for i := range index.Len() {
		row, _, divs := index.At(i).Floors()
		params := len(index.At(i).Params())
		for d, a := range u.Args {
			used := row[1+params+d].Sign() != 0
			for _, v := range divs {
				used = used || v.Num[1+params+d].Sign() != 0
			}
			if used && mentions(a, x.Iterator) {
				return nil, nil
			}
		}
	}
	return u, st
}

// mentions reports an expression that has a name in it.
func mentions(e codegen.Expr, name string) bool {
	switch e := e.(type) {
	case codegen.Name:
		return string(e) == name
	case *codegen.Op:
		for _, a := range e.Args {
			if mentions(a, name) {
				return true
			}
		}
	}
	return false
}

// accumulate makes such a loop, under a condition: where it has no round, the element need not
// be there.
func (e *emitter) accumulate(x *codegen.For, u *codegen.User, st *poly.Stmt, lower, end ir.Value, at names) {
	some := arith.CmpI(e.b, arith.SLT, lower, end)
	scf.BuildIf(e.b, some, func() []ir.Value {
		at[x.Iterator] = lower // of what does not depend on it
		index, err := e.element(st.Target, st.Write, st.Domain, e.coordinates(u, at))
		delete(at, x.Iterator)
		if err != nil {
			e.reason = err
			return nil
		}
		old := e.get(access{st, -1}, index)
		sum := scf.BuildForWith(e.b, e.hint(x), lower, end, e.b.Index(x.Stride), []ir.Value{old}, func(iv ir.Value, carried []ir.Value) []ir.Value {
			at[x.Iterator] = iv
			v := e.value(u, st, at)
			delete(at, x.Iterator)
			return []ir.Value{combine(e.b, st, carried[0], v)}
		})
		e.put(st, e.b.Result(sum, 0), index)
		return nil
	}, nil)
}

// combine makes what an update leaves of what was there and a value.
func combine(b *ir.Builder, st *poly.Stmt, old, v ir.Value) ir.Value {
	by, ok := st.Operator.Combine()
	if !ok {
		return v
	}
	g := loop.Generator{Kind: loop.ReduceKind, By: by, Reassoc: true, Types: []ir.Type{st.Target.Elem}}
	return g.CombineNamed(b, []ir.Value{old}, []ir.Value{v})[0]
}
