package equations

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/lists"
)

// A node is an expression whose names are resolved and whose type is known.
type node struct {
	op   string // an operator, "number", "coordinate", "parameter", "read", "at", "call", "extern", "select", "convert"
	text string // of a number, or the name of a function
	n    int    // of a coordinate, parameter or read: which
	typ  ty
	args []*node
	from *array // that is read by a computed index
	at   span
}

// A scope is what names stand for in the body of a statement.
type scope struct {
	st    *statement
	guard string           // on which instances this is evaluated, in isl's notation; "" for all
	args  map[string]*node // of the parameters of a definition; nil outside of one
}

func (s scope) under(condition string) scope {
	if s.guard != "" {
		condition = s.guard + " and " + condition
	}
	s.guard = condition
	return s
}

// known says which names are coordinates or parameters.
func (b *builder) known(s scope) func(string) bool {
	return func(name string) bool {
		if s.args != nil {
			return false
		}
		return slices.Contains(s.st.dims, name) || b.param(name) >= 0
	}
}

func (b *builder) param(name string) int {
	return slices.IndexFunc(b.prog.params, func(t token) bool { return t.text == name })
}

// resolve makes a node of an expression; nil if something is wrong, which is reported.
func (b *builder) resolve(s scope, e *expr) *node {
	switch e.kind {
	case numberExpr:
		if e.float {
			return &node{op: "number", text: e.op, typ: decimal, at: e.at}
		}
		return &node{op: "number", text: e.op, typ: whole, at: e.at}
	case nameExpr:
		return b.resolveName(s, e)
	case accessExpr:
		return b.resolveAccess(s, e)
	case unaryExpr:
		return b.resolveUnary(s, e)
	case binaryExpr:
		return b.resolveBinary(s, e)
	case reduceExpr:
		return b.resolveReduction(s, e)
	}
	return b.resolveCall(s, e)
}

func (b *builder) resolveName(s scope, e *expr) *node {
	if x := s.args[e.op]; x != nil {
		return x
	}
	if s.args == nil {
		if d := slices.Index(s.st.dims, e.op); d >= 0 {
			return &node{op: "coordinate", n: d, typ: indexType, at: e.at}
		}
	}
	if i := b.param(e.op); i >= 0 {
		return &node{op: "parameter", n: i, typ: indexType, at: e.at}
	}
	if a := b.arrays[e.op]; a != nil {
		return b.resolveAccess(s, &expr{kind: accessExpr, op: e.op, at: e.at})
	}
	d := b.report(e.at, "nothing here is called %s", e.op)
	if near := nearest(e.op, b.names(s)); near != "" {
		d.WithFix("did you mean %s?", near)
	} else if !s.st.hasDomain {
		d.WithFix("a coordinate is named in the domain: write \": { [%s] : ... }\" behind the equation", e.op)
	}
	return nil
}

// names are all that may be used.
func (b *builder) names(s scope) (out []string) {
	out = append(out, s.st.dims...)
	for _, p := range b.prog.params {
		out = append(out, p.text)
	}
	for _, a := range b.prog.arrays {
		out = append(out, a.name.text)
	}
	return out
}

// resolveAccess reads an element: by an affine relation, or by an index that is computed.
func (b *builder) resolveAccess(s scope, e *expr) *node {
	a := b.arrays[e.op]
	switch {
	case a == nil:
		d := b.report(e.at, "there is no array %s", e.op)
		if near := nearest(e.op, b.arrayNames()); near != "" {
			d.WithFix("did you mean %s?", near)
		}
		return nil
	case len(e.args) != a.rank:
		b.report(e.at, "%s has %d dimensions, and here are %d indices", e.op, a.rank, len(e.args))
		return nil
	case s.args != nil:
		b.report(e.at, "a definition reads no arrays").WithFix("give it the element as an argument")
		return nil
	}
	affine := true
	for _, x := range e.args {
		affine = affine && x.isAffine(b.known(s))
	}
	if !affine {
		return b.gather(s, a, e)
	}
	m, ok := b.relation(s.st, e, s.guard)
	if !ok {
		return nil
	}
	k := slices.IndexFunc(s.st.reads, func(r read) bool { return r.array == a && r.text == m.String() })
	if k < 0 {
		k = len(s.st.reads)
		s.st.reads = append(s.st.reads, read{array: a, access: m, text: m.String(), at: e.at})
	}
	return &node{op: "read", n: k, typ: a.typ, at: e.at}
}

// relation is that of the instances of a statement to an element of an array.
func (b *builder) relation(st *statement, e *expr, guard string) (presburger.Map, bool) {
	index := lists.Map(e.args, func(x *expr) string { return x.String() })
	text := b.prog.header() + "{ " + st.name + "[" + strings.Join(st.dims, ", ") + "] -> " + e.op + "[" + strings.Join(index, ", ") + "]"
	if guard != "" {
		text += " : " + guard
	}
	m, err := presburger.ParseMap(text + " }")
	return m, b.ok(err, len(text), e.at)
}

func (b *builder) gather(s scope, a *array, e *expr) *node {
	n := &node{op: "at", from: a, typ: a.typ, at: e.at}
	for _, x := range e.args {
		i := b.index(s, x)
		if i == nil {
			return nil
		}
		n.args = append(n.args, i)
	}
	s.st.gathers = append(s.st.gathers, read{array: a, at: e.at})
	return n
}

// index resolves an index that is computed.
func (b *builder) index(s scope, x *expr) *node {
	i := b.resolve(s, x)
	if i != nil && !i.typ.isInteger() {
		b.report(x.at, "an index is an integer, and this is %s", i.typ).WithFix("convert it: i64(...)")
		return nil
	}
	return i
}

func (b *builder) resolveUnary(s scope, e *expr) *node {
	x := b.resolve(s, e.args[0])
	switch {
	case x == nil:
		return nil
	case e.op == "not" && x.typ != boolType:
		b.report(e.args[0].at, "not takes a condition, and this is %s", x.typ)
		return nil
	case e.op == "-" && !x.typ.isNumber():
		b.report(e.args[0].at, "- takes a number, and this is %s", x.typ)
		return nil
	}
	return &node{op: e.op, args: []*node{x}, typ: x.typ, at: e.at}
}

func (b *builder) resolveBinary(s scope, e *expr) *node {
	x, y := b.resolve(s, e.args[0]), b.resolve(s, e.args[1])
	if x == nil || y == nil {
		return nil
	}
	return b.binary(e, x, y)
}

// binary checks the operands of an operator.
func (b *builder) binary(e *expr, x, y *node) *node {
	n := &node{op: e.op, args: []*node{x, y}, at: e.at}
	t := join(x.typ, y.typ)
	if t == noType {
		d := b.report(e.at, "%s of %s and %s", e.op, x.typ, y.typ)
		if x.typ.isNumber() && y.typ.isNumber() {
			d.WithFix("convert one of them: f64(...), i64(...)")
		}
		return nil
	}
	switch {
	case e.op == "and" || e.op == "or":
		if t != boolType {
			b.report(e.at, "%s joins conditions, and here are %s and %s", e.op, x.typ, y.typ)
			return nil
		}
		n.typ = boolType
	case slices.Contains(comparisons, e.op):
		if t == boolType && e.op != "==" && e.op != "!=" {
			b.report(e.at, "conditions have no order")
			return nil
		}
		n.typ = boolType
	case !t.isNumber():
		b.report(e.at, "%s takes numbers, and here are %s and %s", e.op, x.typ, y.typ)
		return nil
	case e.op == "/" && t.isInteger() && !(t == whole):
		b.report(e.at, "/ is a division of floats, and these are integers").WithFix("write floor(%s / %s), or convert them: f64(...)", e.args[0], e.args[1])
		return nil
	case e.op == "/" && t == whole:
		n.typ = decimal
	case e.op == "mod" && t.isFloat():
		b.report(e.at, "mod takes integers, and here are %s and %s", x.typ, y.typ)
		return nil
	default:
		n.typ = t
	}
	return n
}

// resolveReduction makes an array of its own of a nested reduction, over the instances in
// which it is evaluated.
func (b *builder) resolveReduction(s scope, e *expr) *node {
	if s.args != nil {
		b.report(e.at, "a definition has no reductions").WithFix("give it the value as an argument")
		return nil
	}
	vars, condition, ok := b.bound(e.domain)
	if !ok {
		return nil
	}
	for _, v := range vars {
		if slices.Contains(s.st.dims, v) || b.param(v) >= 0 || b.arrays[v] != nil {
			b.report(e.domain, "%s is something else already", v).WithFix("call it otherwise")
			return nil
		}
	}
	name := b.fresh(s.st.name + "_" + e.op)
	outer, ok := b.restrict(s.st.domain, s.st, s.guard)
	if !ok {
		return nil
	}
	all := slices.Concat(s.st.dims, vars)
	in := &statement{name: name, dims: all, operator: reductions[e.op], at: e.at, hasDomain: true, hidden: true}
	if in.domain, ok = b.reduced(s.st, outer, in, condition); !ok {
		return nil
	}
	value := b.resolve(scope{st: in}, e.args[0])
	if value == nil {
		return nil
	}
	a := &array{name: name, role: "local", typ: value.typ, rank: len(s.st.dims), at: e.at}
	if a.typ == whole || a.typ == indexType {
		a.typ = i64Type
	}
	if a.typ == decimal {
		a.typ = f64Type
	}
	a.extent = named(outer, name, s.st.dims)
	in.target, in.body = a, value
	if !b.checkOperator(in, e.at) {
		return nil
	}
	access := &expr{kind: accessExpr, op: name, at: e.at}
	for _, d := range s.st.dims {
		access.args = append(access.args, &expr{kind: nameExpr, op: d, at: e.at})
	}
	if in.write, ok = b.relation(in, access, ""); !ok {
		return nil
	}
	b.arrays[name] = a
	b.order = append(b.order, a)
	b.sts = append(b.sts, in)
	return b.resolveAccess(s, access)
}

// bound reads `j, k : condition`; the condition may be left out where there is nothing to say.
func (b *builder) bound(at span) (vars []string, condition span, ok bool) {
	text := b.prog.text(at)
	list, _, found := strings.Cut(text, ":")
	if !found {
		b.report(at, "a reduction says over what it goes: {j : 0 <= j < N}")
		return nil, span{}, false
	}
	for _, v := range strings.Split(strings.Trim(strings.TrimSpace(list), "[]"), ",") {
		if v = strings.TrimSpace(v); !isName(v) {
			b.report(span{at.start, at.start + len(list)}, "%q is no name of a coordinate", v)
			return nil, span{}, false
		}
		vars = append(vars, v)
	}
	return vars, span{at.start + len(list) + 1, at.end}, true
}

func isName(s string) bool { return s != "" && nameLen(s) == len(s) && !(s[0] >= '0' && s[0] <= '9') }

// restrict is the part of a domain where a guard holds.
func (b *builder) restrict(d presburger.Set, st *statement, guard string) (presburger.Set, bool) {
	if guard == "" {
		return d, true
	}
	cut, err := presburger.ParseSet(b.prog.header() + "{ " + st.name + "[" + strings.Join(st.dims, ", ") + "] : " + guard + " }")
	if !b.ok(err, 0, st.at) {
		return d, false
	}
	d, err = d.Intersect(cut)
	return d, b.ok(err, 0, st.at)
}

// fresh is a name that nothing has yet.
func (b *builder) fresh(name string) string {
	for b.taken[name] {
		name += "_"
	}
	b.taken[name] = true
	return name
}

// reduced is the domain of a reduction: that of the instances around, with more coordinates, of which the condition holds.
func (b *builder) reduced(st *statement, outer presburger.Set, in *statement, condition span) (domain presburger.Set, ok bool) {
	all := strings.Join(in.dims, ", ")
	lift, err := presburger.ParseMap("{ " + st.name + "[" + strings.Join(st.dims, ", ") + "] -> " + in.name + "[" + all + "] }")
	if !b.ok(err, 0, in.at) {
		return domain, false
	}
	if domain, err = outer.Apply(lift); !b.ok(err, 0, in.at) {
		return domain, false
	}
	domain = named(domain, in.name, in.dims)
	cut, ok := b.set(b.prog.header()+"{ "+in.name+"["+all+"] : ", condition, " }")
	if !ok {
		return domain, false
	}
	domain, err = domain.Intersect(cut)
	return domain, b.ok(err, 0, in.at)
}
