package polyhedral

import (
	"errors"
	"slices"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/codegen"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/unwind"
	"github.com/irc-lang/irc/passes/polyhedral/systems"
)

// accumulateAt puts a value into the element that an instance of a keyed statement yields the
// indices of, if the relation has it.
func (e *emitter) accumulateAt(st *poly.Stmt, coords, yields []ir.Value) error {
	value, keys := yields[0], yields[1:]
	where, err := e.related(st, coords, keys)
	if err != nil {
		return err
	}
	scf.BuildIf(e.B, where, func() []ir.Value {
		var index []ir.Value
		if index, err = e.indexOf(st.Target, keys); err == nil {
			e.put(st, combine(e.B, st, e.get(systems.Written(st), index), value), index)
		}
		return nil
	}, nil)
	return err
}

// related makes a truth value of whether the relation of a keyed statement has an element. Indices
// are compared with the bounds of what it leads to first: the arithmetic of those outside may wrap,
// which makes no difference then.
func (e *emitter) related(st *poly.Stmt, coords, keys []ir.Value) (_ ir.Value, err error) {
	defer unwind.To(&err)
	b := e.B
	x := e.keys[st]
	where := arith.ConstBool(b, true)
	for d, l := range x.bounds {
		if x.bounded[d] {
			where = b.Op(arith.Andi, where, arith.CmpI(b, arith.SGE, keys[d], e.Expr(l.Lower, e.Params)))
			where = b.Op(arith.Andi, where, arith.CmpI(b, arith.SLE, keys[d], e.Expr(l.Upper, e.Params)))
		}
	}
	rest := unwind.Must(e.Condition(x.rest, append(coords[:len(coords):len(coords)], keys...)))
	return b.Op(arith.Andi, where, rest), nil
}

// keyTest is how it is found out whether the relation of a keyed statement has an element.
type keyTest struct {
	bounds  []systems.Extent // by dimension, of those that are bounded
	bounded []bool
	rest    presburger.Set // what it says besides, of the coordinates and the element
}

// findKeyTests finds those of all keyed statements.
func (c *code) findKeyTests(o codegen.Options) {
	c.keys = map[*poly.Stmt]*keyTest{}
	for _, st := range c.sys.Statements {
		if !st.Keyed {
			continue
		}
		x := newKeyTest(st, o)
		c.keys[st] = x
	}
}

// newKeyTest: an index that is a coordinate as it is needs no bounds, nor one whose values have holes.
func newKeyTest(st *poly.Stmt, o codegen.Options) *keyTest {
	m := unwind.Must(st.Write.IntersectDomain(st.Domain))
	context := paramsOf(st.Domain)
	all, n := m.Range(), st.Domain.Tuple().Len()
	x := &keyTest{}
	known := st.Domain.CrossMap(all.Universe())
	params := st.Node.Region(0).Params()
	for d, key := range st.Node.Region(0).Yields()[1:] {
		one, err := systems.Along(all, d)
		if err != nil {
			panic(unwind.Failed(err))
		}
		x.bounds, x.bounded = append(x.bounds, systems.Extent{}), append(x.bounded, false)
		if k := slices.Index(params[:n], key); k >= 0 {
			known, err = known.Intersect(equalTo(st.Domain.Tuple(), all.Tuple(), k, d))
		} else if bs := one.Basics(); len(bs) == 1 && len(bs[0].Divs) == 0 {
			if x.bounds[d], err = systems.ExtentOf(all, d, context, o); errors.Is(err, systems.ErrExtent) {
				err = nil
			} else if err == nil {
				x.bounded[d] = true
				known, err = known.IntersectRange(raised(one, all.Tuple(), d))
			}
		}
		if err != nil {
			panic(unwind.Failed(err))
		}
	}
	x.rest = unwind.Must(st.Write.Wrap().Gist(known.Wrap()))
	return x
}

// paramsOf is for which values of the parameters a set has a point.
func paramsOf(s presburger.Set) presburger.Set {
	s = unwind.Must(s.ProjectOut(0, s.Tuple().Len()))
	bs := s.Basics()
	for i := range bs {
		bs[i].Out = presburger.Tuple{}
	}
	return presburger.SetOf(bs...)
}

// equalTo relates tuples of which entry k of the first is entry d of the second.
func equalTo(in, out presburger.Tuple, k, d int) presburger.Map {
	r := make([]presburger.Int, 1+in.Len()+out.Len())
	r[1+k], r[1+in.Len()+d] = presburger.NewInt(-1), presburger.NewInt(1)
	return presburger.MapOf(presburger.Basic{In: in, Out: out, Eq: [][]presburger.Int{r}})
}

// raised is the tuples whose entry d is in a set of single integers, a conjunction without floors.
func raised(one presburger.Set, t presburger.Tuple, d int) presburger.Set {
	b := one.Basics()[0]
	wide := func(rows [][]presburger.Int) (out [][]presburger.Int) {
		for _, r := range rows {
			w := make([]presburger.Int, len(r)-1+t.Len())
			copy(w, r[:len(r)-1])
			w[len(r)-1+d] = r[len(r)-1]
			out = append(out, w)
		}
		return out
	}
	b.Out, b.Eq, b.Ge = t, wide(b.Eq), wide(b.Ge)
	return presburger.SetOf(b)
}

// indexOf is where the memory of an array has the element of a computed index, which is in its extent.
func (e *emitter) indexOf(a *poly.ArrayDecl, index []ir.Value) ([]ir.Value, error) {
	if a.Node.Def() != poly.Local {
		return index, nil
	}
	return e.Element(a, a.Extent.Universe().Identity(), a.Extent, index)
}
