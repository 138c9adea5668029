package dependence

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// facts are what an argument is annotated with, for all that is read for it.
type facts struct {
	ignore, skip, anyItem, trigger, fresh bool
	arg                                   int
}

// builder collects the accesses of one statement.
type builder struct {
	*reader
	st    *Statement
	args  int // of calls met so far
	seen  map[seenKey]bool
	calls map[ir.Value]bool // that were met
}

type seenKey struct {
	v    ir.Value
	role Role
	facts
}

// isStatement reports an op that writes or calls, or gives the results of the
// function. A call that may write nothing and whose result is used is a part of the
// statements that use it, unless an attribute says something of it.
func (r *reader) isStatement(v ir.Value) bool {
	n := r.g.NodeOf(v)
	if a, ok := ir.As[ir.AccessLike](n); ok {
		return writes(a)
	}
	if call, ok := callOf(n); ok {
		if n.Type() == ir.Void || hasFacts(n) || !r.used(v) {
			return true
		}
		for i, a := range call.Operands {
			if _, writes := r.callee(n, i); writes && isMemref(r.g, a) {
				return true
			}
		}
		return false
	}
	switch n.Def() {
	case funcs.Return:
		return n.NumArgs() > 0
	case ops.Reduce, ops.Apply:
		return false
	}
	return !n.Def().Has(ir.Terminator) && (n.Def().Has(ir.Opaque) || n.Def().Effects != nil)
}

// hasFacts reports an attribute dep.* other than what a former run wrote.
func hasFacts(n ir.Node) bool {
	a := n.Attrs()
	if a == 0 {
		return false
	}
	info := n.Graph().Ctx.AttrInfo(a)
	return slices.ContainsFunc(info.Attrs, func(e ir.NamedAttr) bool {
		return strings.HasPrefix(e.Name, "dep.") && e.Name != InfoAttr
	})
}

func isMemref(g *ir.Graph, v ir.Value) bool { return g.Ctx.Info(g.Type(v)).Kind == ir.KindMemRef }

// used reports that something uses a result of an op.
func (r *reader) used(v ir.Value) bool { return len(ir.Uses(r.g).Of(v)) > 0 }

// declaration makes a variable, and a statement of its allocation. Data have none:
// they are parameters.
func (r *reader) declaration(v ir.Value, d Domain, held []Access) {
	otherwise := "alloc"
	if r.g.Def(v) == ops.Temporary {
		otherwise = "temporary"
	}
	x := r.variable(v, r.nameOf(v, otherwise), r.g.Def(v) == ops.Data)
	if x.Parameter {
		return
	}
	b := r.begin(v, d, held)
	b.st.Declares = true
	b.st.Text = "decl " + x.Name
	for _, a := range r.g.Args(v) {
		b.value(a, Value, facts{})
	}
	b.add(Access{Var: x, Write: true})
}

func (r *reader) begin(v ir.Value, d Domain, held []Access) *builder {
	n := r.g.NodeOf(v)
	is := func(name string) bool { return n.Attr("dep."+name) != 0 }
	st := &Statement{Domain: d, At: r.span(v), Operator: is("operator"), Initializer: is("initializer"),
		Output: is("output"), Uniform: is("uniform"), Increment: is("increment")}
	r.Program.Statements = append(r.Program.Statements, st)
	r.Ops[st] = v
	b := &builder{reader: r, st: st, seen: map[seenKey]bool{}, calls: map[ir.Value]bool{}}
	b.st.Accesses = append(b.st.Accesses, held...)
	return b
}

// add enters an access. Memory that is not known may be any.
func (b *builder) add(a Access) {
	if a.Domain.Loops == nil && a.Domain.Conds == nil {
		a.Domain = b.st.Domain
	}
	if a.Var != nil {
		b.st.Accesses = append(b.st.Accesses, a)
		return
	}
	for _, x := range b.Program.Variables {
		if x.Shape != nil {
			all := a
			all.Var, all.Subs = x, nil
			b.st.Accesses = append(b.st.Accesses, all)
		}
	}
}

// statement makes a statement of an op.
func (r *reader) statement(v ir.Value, d Domain, held []Access) {
	b := r.begin(v, d, held)
	n, args := r.g.NodeOf(v), r.g.Args(v)
	a, touches := ir.As[ir.AccessLike](n)
	call, calls := callOf(n)
	switch def := n.Def(); {
	case slices.Contains(statements, def):
		b.model(n)
	case touches:
		b.accesses(v, a.Accesses)
	case calls:
		b.call(n, true)
		b.st.Text = r.spellCall(call, 0)
		if x := r.results[v]; x != nil {
			b.st.Text = x.Name + " = " + b.st.Text
		}
	case def == funcs.Return:
		b.st.Output = true
		b.st.Text = "return " + r.spellAll(args, 0)
		for _, a := range args {
			b.value(a, Value, facts{})
		}
	default:
		b.unknown(v)
	}
	b.st.Text = clip(b.st.Text)
}

// accesses adds what an op reads and writes, and what it computes that from.
func (b *builder) accesses(v ir.Value, list []ir.Access) {
	told := map[ir.Value]bool{}
	var from, to ir.Access
	for _, a := range list {
		if told[a.Memory] = true; a.Writes {
			b.target(a.Memory, a.Indices)
			to = a
		}
		for _, i := range a.Indices {
			told[i] = true
		}
	}
	for _, a := range list {
		if a.Reads {
			b.read(a.Memory, a.Indices, Value, facts{})
			from = a
		}
	}
	b.region(v)
	for _, x := range b.g.Args(v) {
		if !told[x] || x == to.Stored {
			b.value(x, Value, facts{})
		}
	}
	b.st.Text = b.spellElement(to.Memory, to.Indices)
	switch {
	case to.Reads:
		b.st.Text += " (atomic)"
	case to.Stored != 0:
		b.st.Text += " = " + b.spell(to.Stored, 0)
	case from.Memory != 0:
		b.st.Text += " = " + b.spellElement(from.Memory, from.Indices)
	}
}

// unknown is an op of which nothing is known: it reads and writes all memory that it
// is given.
func (b *builder) unknown(v ir.Value) {
	for _, a := range b.g.Args(v) {
		b.value(a, Value, facts{})
		if isMemref(b.g, a) {
			b.target(a, nil)
		}
	}
	b.region(v)
	b.st.Text = b.g.Def(v).Name + "(" + b.spellAll(b.g.Args(v), 0) + ")"
}

// region reads what the regions of a value need.
func (b *builder) region(v ir.Value) {
	for _, in := range b.g.Regions(v) {
		for _, y := range b.g.Yields(in) {
			b.value(y, Value, facts{})
		}
	}
}

// target writes an element, or with no indices all of a memref; indices are read.
func (b *builder) target(m ir.Value, indices []ir.Value) {
	a := b.element(m, indices, b.st.Domain)
	a.Write = true
	b.add(a)
	for _, i := range indices {
		b.value(i, Index, facts{})
	}
	b.window(m)
}

// window reads the offsets of views.
func (b *builder) window(m ir.Value) {
	for b.vars[m] == nil && b.g.IsOp(m) && b.g.Def(m).Has(ir.View) && len(b.g.Args(m)) > 0 {
		for _, a := range b.g.Args(m)[1:] {
			b.value(a, Index, facts{})
		}
		m = b.g.Args(m)[0]
	}
}

func (b *builder) read(m ir.Value, indices []ir.Value, role Role, f facts) {
	a := b.element(m, indices, b.st.Domain)
	b.note(a, role, f)
	inner := Index
	if role == Container {
		inner = Container
	}
	for _, i := range indices {
		b.value(i, inner, facts{})
	}
	b.window(m)
}

// note adds a read with what its argument is annotated with.
func (b *builder) note(a Access, role Role, f facts) {
	a.Role, a.Arg = role, f.arg
	a.Ignore, a.SkipIfUniform, a.AnyItem, a.Trigger, a.Fresh = f.ignore, f.skip, f.anyItem, f.trigger, f.fresh
	b.add(a)
}

// value adds what a value is computed from.
func (b *builder) value(v ir.Value, role Role, f facts) {
	key := seenKey{v, role, f}
	if b.seen[key] {
		return
	}
	b.seen[key] = true
	if x := b.results[v]; x != nil {
		b.note(Access{Var: x}, role, f)
		return
	}
	n, _, _ := b.g.Projection(v)
	switch {
	case isMemref(b.g, v):
		b.read(v, nil, role, f)
	case b.vars[v] != nil: // a scalar parameter
		b.note(Access{Var: b.vars[v]}, role, f)
	case !b.g.IsOp(n):
		if in, _, ok := b.g.Param(n); ok && in != ir.Root && b.names[n] == "" { // no loop's index
			b.carried(b.g.Owner(in), role, f)
		}
	case b.results[n] != nil:
		b.note(Access{Var: b.results[n]}, role, f)
	default:
		b.operation(n, role, f)
	}
}

// carried adds what comes into a region from its op and from the round before.
func (b *builder) carried(v ir.Value, role Role, f facts) {
	for _, a := range b.g.Args(v) {
		if !isMemref(b.g, a) {
			b.value(a, role, f)
		}
	}
	for _, in := range b.g.Regions(v) {
		for _, y := range b.g.Yields(in) {
			b.value(y, role, f)
		}
	}
}

func (b *builder) operation(v ir.Value, role Role, f facts) {
	n, args := b.g.NodeOf(v), b.g.Args(v)
	if len(b.g.Regions(v)) > 0 {
		b.carried(v, role, f)
		return
	}
	if read, ok := reading(n); ok {
		b.readAt(v, read.Memory, read.Indices, role, b.own(n, f))
		return
	}
	if _, ok := callOf(n); ok {
		b.call(n, false)
		return
	}
	switch n.Def() {
	case ops.Reduce:
		b.part(args[0], args[1:], role, f)
	case ops.Apply:
		b.parts(args, func(int, []ir.Value) bool { return false })
	default:
		_, untouched := ir.As[ir.AccessLike](n) // it reads no element, or it were a statement
		for _, a := range args {
			if !untouched || !isMemref(b.g, a) {
				b.value(a, role, f)
			}
		}
	}
}

// own adds to what an argument is annotated with what the read itself says.
func (b *builder) own(n ir.Node, f facts) facts {
	is := func(name string) bool { return n.Attr("dep."+name) != 0 }
	f.ignore = f.ignore || is("ignore")
	f.skip, f.anyItem = f.skip || is("skip_if_uniform"), f.anyItem || is("any_item")
	f.trigger, f.fresh = f.trigger || is("trigger"), f.fresh || is("fresh")
	return f
}

// readAt is read for an op of its own, which may stand deeper than the statement.
func (b *builder) readAt(v, m ir.Value, indices []ir.Value, role Role, f facts) {
	outer := b.st.Domain
	if d, ok := b.place[b.s.Place(v)]; ok && len(d.Loops)+len(d.Conds) > len(outer.Loops)+len(outer.Conds) {
		b.st.Domain = d
		defer func() { b.st.Domain = outer }()
	}
	b.read(m, indices, role, f)
}

// reads lists what a value is computed from, for the containers around statements.
func (r *reader) reads(v ir.Value, d Domain, role Role) []Access {
	b := &builder{reader: r, st: &Statement{Domain: d}, seen: map[seenKey]bool{}, calls: map[ir.Value]bool{}}
	b.value(v, role, facts{})
	return b.st.Accesses
}

// findWritten notes which parameters anything may write.
func (r *reader) findWritten(at ir.Region) {
	for _, v := range r.s.Body(at) {
		n := r.g.NodeOf(v)
		for _, a := range r.g.Args(v) {
			x, _ := r.root(a)
			if x == nil || n.Def().Has(ir.View) {
				continue
			}
			r.written[x] = r.written[x] || r.mayWrite(n, a)
		}
		for _, in := range r.g.Regions(v) {
			r.findWritten(in)
		}
	}
}

// mayWrite reports that an op may write the memory that an operand is.
func (r *reader) mayWrite(n ir.Node, m ir.Value) bool {
	if a, ok := ir.As[ir.AccessLike](n); ok {
		return slices.ContainsFunc(a.Accesses, func(x ir.Access) bool { return x.Writes && x.Memory == m })
	}
	call, ok := callOf(n)
	if !ok {
		return true
	}
	for i, a := range call.Operands {
		if a == m {
			if _, writes := r.callee(n, i); writes {
				return true
			}
		}
	}
	return false
}
