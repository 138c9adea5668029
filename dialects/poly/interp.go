package poly

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/lists"
)

var table = interp.Table{SystemOp: runSystem, Bind: runBind, Local: runLocal, Statement: runStatement, At: runAt}

// A running is a system that is being executed.
type running struct {
	m      *interp.Machine
	sys    *System
	params map[string]presburger.Int
	arrays map[ir.Value]*store
	bodies map[ir.Value]*interp.Op
	sts    []*statement
	demand *demand    // while equations are computed
	now    *statement // the one whose body runs,
	point  []int64    // and at which coordinates
}

// A statement is one of a running system, made ready.
type statement struct {
	*Stmt
	dims   int
	points []int64   // the coordinates of its instances, one after the other
	write  *function // nil if it is keyed
	may    *related  // if it is keyed
	key    []int64   // room for the indices that its body yields
	target *store
	reads  []*function
	from   []*store
	body   *interp.Op
	in     []ir.Val
	after  map[string]*related // by keyed statement: the instances that the body comes after
}

type runningKey struct{}

// stack is the running systems of a machine, the innermost last: the body of a statement may
// call a function that has one.
type stack struct{ list []*running }

func stackOf(m *interp.Machine) *stack {
	return m.Local(runningKey{}, func() any { return &stack{} }).(*stack)
}

func (s *stack) top() *running {
	if len(s.list) == 0 {
		return nil
	}
	return s.list[len(s.list)-1]
}

// runSystem lets the ops of the region say what there is, then executes it.
func runSystem(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	sys, _ := o.Data.(*System)
	if sys == nil {
		for _, s := range Systems(o.G) {
			if s.Node.Old() == o.V {
				sys = s
			}
		}
		o.Data = sys
	}
	r := &running{m: m, sys: sys, params: map[string]presburger.Int{}, arrays: map[ir.Value]*store{}, bodies: map[ir.Value]*interp.Op{}}
	for i, p := range sys.Params {
		n, err := interp.Index(args[i])
		if err != nil {
			return err
		}
		r.params[p] = presburger.NewInt(n)
	}
	if err := r.inContext(); err != nil {
		return err
	}
	st := stackOf(m)
	st.list = append(st.list, r)
	defer func() { st.list = st.list[:len(st.list)-1] }()
	if _, err := m.Run(o.Regions[0], nil); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	if sys.Schedule != nil {
		return r.execute()
	}
	return r.solve()
}

// inContext traps where the program says that the values of its parameters do not occur.
func (r *running) inContext() error {
	ok, err := r.sys.Context.Contains(nil, r.params)
	if err != nil {
		return err
	}
	if !ok {
		at := lists.Map(r.sys.Params, func(p string) string { return p + " = " + r.params[p].String() })
		return ir.Trapf("%s is not in the context %s of the system", strings.Join(at, ", "), r.sys.Context)
	}
	return nil
}

func runBind(_ *interp.Machine, _ *interp.Op, args, out []ir.Val) error {
	out[0] = args[0]
	return nil
}

// runLocal: the memory of a local array is made when its extent is known.
func runLocal(_ *interp.Machine, o *interp.Op, _, out []ir.Val) error {
	out[0] = ir.Val{Ref: &localArray{}}
	return nil
}

// localArray is the value of a poly.local.
type localArray struct{}

// runStatement only tells the system that the statement is there.
func runStatement(m *interp.Machine, o *interp.Op, args, _ []ir.Val) error {
	r := stackOf(m).top()
	if r == nil {
		return &interp.Unsupported{Reason: "poly.statement outside of a system"}
	}
	r.bodies[o.V] = o
	for i, v := range o.G.Args(o.V) {
		if _, err := r.store(v, args[i]); err != nil {
			return err
		}
	}
	return nil
}

// runAt reads an element by a computed index.
func runAt(m *interp.Machine, o *interp.Op, args, out []ir.Val) error {
	r := stackOf(m).top()
	if r == nil {
		return &interp.Unsupported{Reason: "poly.at outside of a system"}
	}
	s, err := r.store(o.G.Args(o.V)[0], args[0])
	if err != nil {
		return err
	}
	at := make([]int64, len(args)-1)
	for i := range at {
		if at[i], err = interp.Index(args[i+1]); err != nil {
			return err
		}
	}
	if list := r.partial(s); list != nil {
		out[0], err = r.after(s, list, at)
		return err
	}
	out[0], err = s.load(at)
	return err
}

// prepare lists the instances of all statements and makes their relations ready.
func (r *running) prepare() error {
	for _, st := range r.sys.Statements {
		o := r.bodies[st.Node.Old()]
		x := &statement{Stmt: st, dims: st.Domain.Tuple().Len(), body: o, target: r.arrays[st.Target.Node.Old()]}
		if err := r.instances(x); err != nil {
			return err
		}
		var err error
		if st.Keyed {
			x.may, x.key = newRelated(st.Write, r.params), make([]int64, st.Target.Rank)
		} else if x.write, err = newFunction(st.Write, x.dims, r.params, true); err != nil {
			return err
		}
		x.in = make([]ir.Val, x.dims+len(st.Reads))
		if x.after, err = r.sys.relatedAfter(st, r.params); err != nil {
			return err
		}
		for _, a := range st.Reads {
			whole, err := st.Domain.IsSubset(a.Map.Domain())
			if err != nil {
				return err
			}
			f, err := newFunction(a.Map, x.dims, r.params, whole)
			if err != nil {
				return err
			}
			x.reads, x.from = append(x.reads, f), append(x.from, r.arrays[a.Array.Node.Old()])
		}
		r.sts = append(r.sts, x)
	}
	return nil
}

// instances lists the points of the domain of a statement.
func (r *running) instances(x *statement) error {
	d := fixed(x.Domain, r.params)
	points, err := d.Points()
	if err != nil {
		return fmt.Errorf("the instances of %s: %w", x.Name, err)
	}
	for p := range points {
		if err := r.m.Spend(1); err != nil {
			return err
		}
		for _, v := range p {
			n, ok := v.Int64()
			if !ok {
				return ir.Trapf("a coordinate of statement %s does not fit 64 bits", x.Name)
			}
			x.points = append(x.points, n)
		}
		if x.dims == 0 {
			x.points = append(x.points, 0) // an instance is there, without coordinates
		}
	}
	return nil
}

// fixed gives the parameters of a set their values.
func fixed(s presburger.Set, params map[string]presburger.Int) presburger.Set {
	for _, p := range s.Params() {
		if v, ok := params[p]; ok {
			s = s.FixParam(p, v)
		}
	}
	return s
}

// len is how many instances a statement has, and at the coordinates of one.
func (x *statement) len() int { return len(x.points) / max(x.dims, 1) }

func (x *statement) at(i int) []int64 {
	if x.dims == 0 {
		return nil
	}
	return x.points[i*x.dims : (i+1)*x.dims]
}

// value runs the body of an instance; the elements that it reads are there. If it is keyed, key has
// the indices of the element that it goes to then.
func (r *running) value(x *statement, at []int64) (ir.Val, error) {
	for d, v := range at {
		x.in[d] = ir.IntVal(v, 64)
	}
	for k, f := range x.reads {
		s := x.from[k]
		e := s.cellIndex()
		ok, err := f.at(at, e)
		if err != nil {
			return ir.Val{}, err
		}
		if !ok {
			x.in[x.dims+k] = ir.Val{Ref: ir.Poison}
			continue
		}
		if x.in[x.dims+k], err = s.load(e); err != nil {
			return ir.Val{}, fmt.Errorf("%s%v: %w", x.Name, at, err)
		}
	}
	r.now, r.point = x, at
	r.m.Watch(x.body)
	ys, err := r.m.Run(x.body.Regions[0], x.in)
	if err != nil {
		return ir.Val{}, err
	}
	for i := range x.key {
		if x.key[i], err = interp.Index(ys[1+i]); err != nil {
			return ir.Val{}, fmt.Errorf("%s: %w", element(x.Name, at), err)
		}
	}
	return ys[0], nil
}

// combine puts a value into what an element has.
func (r *running) combine(x *statement, old, v ir.Val) ir.Val {
	by, ok := x.Operator.Combine()
	if !ok {
		return v
	}
	return by.Apply(r.sys.Node.Graph().Ctx, x.Target.Elem, old, v)
}
