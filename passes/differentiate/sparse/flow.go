package sparse

import (
	"fmt"
	"slices"

	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/passes/pass/symbols"
)

// A Place is what a row or a column is of: a float, or memory of floats, which has one for each element.
type Place struct {
	Result bool // of the function, else an argument
	N      int  // its number
}

// PatternOf is the pattern of the derivatives of a function's output, at the end, by an argument, at the beginning. Rows and
// columns are elements of memory in the order of their indices. It is proved for the integers and the sizes of a call,
// and for all values of its floats. The function is in loops and single accesses; the options bound the work. An *ir.OpError is about an op of
// which it is not known what it does to memory.
func PatternOf(module *ir.Graph, function string, args []ir.Val, out, in Place, opts interp.Options) (*Pattern, error) {
	m, err := interp.New(module, opts)
	if err != nil {
		return nil, err
	}
	x := &analysis{m: m, c: module.Ctx, functions: map[string]*program{}, cells: map[*interp.Memory][]cell{}, fresh: map[string]*interp.MemRef{}}
	for n := range module.All() {
		if n.Def() == funcs.Func && len(n.Children()) == 1 && n.Children()[0].HasBlock(ir.Root) {
			x.functions[symbols.Of(n)] = x.program(n.Children()[0])
		}
	}
	p := x.functions[function]
	if p == nil {
		return nil, fmt.Errorf("there is no function @%s with a body", function)
	}
	if n := len(p.g.Params(ir.Root)); n != len(args) {
		return nil, fmt.Errorf("@%s takes %d arguments, not %d", function, n, len(args))
	}
	values := x.arguments(p.g, args)
	columns := x.name(values, in.N)
	results, err := x.call(p, values)
	if err != nil {
		return nil, err
	}
	from := values
	if out.Result {
		from = results
	}
	return &Pattern{Columns: columns, Rows: x.rows(from[out.N])}, nil
}

// A value is what is known of one.
type value struct {
	val   ir.Val // if it is known. Of memory of which only a part is meant, and not which, the whole
	known bool   // it is this whatever the floats are
	on    *set   // the columns that it depends on
}

// analysis is of one call.
type analysis struct {
	m         *interp.Machine // which has the memory, and runs ops that look at no float
	c         *ir.Context
	functions map[string]*program
	depth     int // of calls

	cells map[*interp.Memory][]cell
	fresh map[string]*interp.MemRef // allocations where it is weak

	// weak counts what is around that may not run, or that stands for many rounds: what is stored is added to what is there.
	weak    int
	changed bool // something was added to memory
}

// arguments copies memory, which the analysis writes to.
func (x *analysis) arguments(g *ir.Graph, args []ir.Val) []value {
	out, copies := make([]value, len(args)), map[*interp.Memory]*interp.Buffer{}
	for i, a := range args {
		out[i] = value{val: a, known: !isFloat(x.c, g.Type(g.Params(ir.Root)[i]))}
		out[i].val = copied(x.c, a, copies)
	}
	return out
}

// name makes each element of an argument a column, and returns how many there are.
func (x *analysis) name(values []value, in int) (n int) {
	r, ok := values[in].val.Ref.(*interp.MemRef)
	if !ok {
		values[in].on = only(0)
		return 1
	}
	cells := x.cellsOf(r)
	r.Each(func(pos int) {
		cells[pos].on = only(n)
		n++
	})
	return n
}

// rows are what the elements of a value depend on.
func (x *analysis) rows(v value) (out [][]int32) {
	row := func(s *set) {
		if s == nil {
			s = &set{}
		}
		out = append(out, slices.Clip(s.of))
	}
	r, ok := v.val.Ref.(*interp.MemRef)
	if !ok {
		row(v.on)
		return out
	}
	cells := x.cellsOf(r)
	r.Each(func(pos int) { row(cells[pos].on) })
	return out
}

// isFloat reports a float, or a vector of floats.
func isFloat(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	return c.IsFloat(t) || (info.Kind == ir.KindVector || info.Kind == ir.KindTensor) && c.IsFloat(info.Elem)
}

// join is what is known of a value that is one of two.
func (x *analysis) join(a, b value) value {
	out := value{on: union(a.on, b.on)}
	switch {
	case a.known && b.known && same(a.val, b.val):
		out.val, out.known = a.val, true
	case a.val.Ref != nil && a.val.Ref == b.val.Ref: // of one memory two parts
		out.val = a.val
	}
	return out
}

// joinAll adds to values others, and reports whether that changes one.
func (x *analysis) joinAll(to, from []value) (changed bool) {
	for i := range to {
		j := x.join(to[i], from[i])
		if j.known != to[i].known || j.on.size() != to[i].on.size() {
			changed = true
		}
		to[i] = j
	}
	return changed
}

// same reports the same number, or the same memory.
func same(a, b ir.Val) bool {
	if a.Ref == nil || b.Ref == nil {
		return a.Ref == nil && b.Ref == nil && a.Bits == b.Bits
	}
	r, isMemory := a.Ref.(*interp.MemRef)
	q, both := b.Ref.(*interp.MemRef)
	return isMemory && both && (r == q || r.Buf == q.Buf && r.Offset == q.Offset && slices.Equal(r.Sizes, q.Sizes) && slices.Equal(r.Strides, q.Strides))
}
