package equations

import (
	"maps"
	"slices"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
)

// resolveCall resolves select, conversions, functions, definitions and externs.
func (b *builder) resolveCall(s scope, e *expr) *node {
	switch {
	case e.op == "select":
		return b.resolveSelect(s, e)
	case b.prog.def(e.op) != nil:
		return b.inline(s, e, b.prog.def(e.op))
	}
	args := make([]*node, len(e.args))
	for i, a := range e.args {
		if (e.op == "floor" || e.op == "ceil") && a.kind == binaryExpr && a.op == "/" {
			return b.quotient(s, e, a)
		}
		if args[i] = b.resolve(s, a); args[i] == nil {
			return nil
		}
	}
	switch {
	case typesByName[e.op] != noType:
		return b.convert(e, args)
	case b.prog.extern(e.op) != nil:
		return b.callExtern(e, args)
	case slices.Contains(extrema, e.op), e.op == "abs" && len(args) == 1 && args[0].typ.isInteger():
		return b.extremum(e, args)
	case functions()[e.op] != nil:
		return b.callFunction(e, args)
	}
	d := b.report(e.at, "there is no function %s", e.op)
	if near := nearest(e.op, b.functionNames()); near != "" {
		d.WithFix("did you mean %s?", near)
	} else {
		d.WithFix("define it, or declare it: extern %s(f64) -> f64;", e.op)
	}
	return nil
}

func (b *builder) functionNames() []string {
	out := slices.Collect(maps.Keys(functions()))
	for _, d := range b.prog.defs {
		out = append(out, d.name.text)
	}
	for _, x := range b.prog.externs {
		out = append(out, x.name.text)
	}
	out = append(append(out, "select"), extrema...)
	out = append(out, typeWords...)
	slices.Sort(out)
	return out
}

func (b *builder) arrayNames() (out []string) {
	return lists.Map(b.prog.arrays, func(a *arrayDecl) string { return a.name.text })
}

func (p *program) def(name string) *def {
	for _, d := range p.defs {
		if d.name.text == name {
			return d
		}
	}
	return nil
}

func (p *program) extern(name string) *extern {
	for _, x := range p.externs {
		if x.name.text == name {
			return x
		}
	}
	return nil
}

// count reports a wrong number of arguments.
func (b *builder) count(e *expr, n int) bool {
	if len(e.args) == n {
		return true
	}
	b.report(e.at, "%s takes %d arguments, and here are %d", e.op, n, len(e.args))
	return false
}

// resolveSelect: what is read in an arm is read where its condition holds, if that is affine.
func (b *builder) resolveSelect(s scope, e *expr) *node {
	if !b.count(e, 3) {
		return nil
	}
	c := b.resolve(s, e.args[0])
	if c == nil {
		return nil
	}
	if c.typ != boolType {
		b.report(e.args[0].at, "select takes a condition first, and this is %s", c.typ).WithFix("compare it with something")
		return nil
	}
	yes, no := s, s
	if e.args[0].isCondition(b.known(s)) {
		text := e.args[0].String()
		yes, no = s.under(text), s.under("not "+text)
	}
	x, y := b.resolve(yes, e.args[1]), b.resolve(no, e.args[2])
	if x == nil || y == nil {
		return nil
	}
	t := join(x.typ, y.typ)
	if t == noType {
		b.report(e.at, "select chooses between %s and %s", x.typ, y.typ).WithFix("convert one of them: f64(...), i64(...)")
		return nil
	}
	return &node{op: "select", args: []*node{c, x, y}, typ: t, at: e.at}
}

// inline puts a definition in the place of a call.
func (b *builder) inline(s scope, e *expr, d *def) *node {
	if !b.count(e, len(d.params)) {
		return nil
	}
	if d.busy {
		b.report(e.at, "%s is defined by itself", d.name.text).WithFix("recursion is what equations are for: make an array of its values")
		return nil
	}
	in := scope{st: s.st, guard: s.guard, args: map[string]*node{}}
	for i, p := range d.params {
		x := b.resolve(s, e.args[i])
		if x == nil {
			return nil
		}
		want := typesByName[p.typ.text]
		if !want.takes(x.typ) {
			b.report(e.args[i].at, "%s takes %s here, and this is %s", d.name.text, want, x.typ).WithFix("convert it: %s(...)", want)
			return nil
		}
		in.args[p.name.text] = &node{op: "convert", args: []*node{x}, typ: want, at: x.at}
	}
	d.busy = true
	defer func() { d.busy = false }()
	return b.resolve(in, d.body)
}

// convert is f64(x), i64(x) and the like.
func (b *builder) convert(e *expr, args []*node) *node {
	if !b.count(e, 1) {
		return nil
	}
	t := typesByName[e.op]
	if t == boolType && args[0].typ != boolType {
		b.report(e.at, "nothing is converted to i1").WithFix("compare it: x != 0")
		return nil
	}
	return &node{op: "convert", args: args, typ: t, at: e.at}
}

func (b *builder) callExtern(e *expr, args []*node) *node {
	x := b.prog.extern(e.op)
	if !b.count(e, len(x.in)) {
		return nil
	}
	n := &node{op: "extern", text: e.op, typ: typesByName[x.out.text], at: e.at}
	for i, a := range args {
		want := typesByName[x.in[i].text]
		if !want.takes(a.typ) {
			b.report(e.args[i].at, "%s takes %s here, and this is %s", e.op, want, a.typ).WithFix("convert it: %s(...)", want)
			return nil
		}
		n.args = append(n.args, &node{op: "convert", args: []*node{a}, typ: want, at: a.at})
	}
	return n
}

// callFunction calls a function of floats: of f64 if only literals are given.
func (b *builder) callFunction(e *expr, args []*node) *node {
	if !b.count(e, len(functions()[e.op].Args)) {
		return nil
	}
	t := decimal
	for i, a := range args {
		j := join(t, a.typ)
		if j == noType || !j.isFloat() {
			b.report(e.args[i].at, "%s takes floats, and this is %s", e.op, a.typ).WithFix("convert it: f64(...)")
			return nil
		}
		t = j
	}
	return &node{op: "call", text: e.op, args: args, typ: t, at: e.at}
}

// extrema are the lesser and the greater of two numbers: of floats the other one if one is NaN, then NaN if one is NaN.
var extrema = []string{"min", "max", "minimum", "maximum"}

// extremum is one of extrema, or abs, of numbers of any type.
func (b *builder) extremum(e *expr, args []*node) *node {
	n := 2
	if e.op == "abs" {
		n = 1
	}
	if !b.count(e, n) {
		return nil
	}
	t := args[0].typ
	for _, a := range args[1:] {
		t = join(t, a.typ)
	}
	if !t.isNumber() {
		b.report(e.at, "%s takes numbers of one type", e.op).WithFix("convert one of them: f64(...), i64(...)")
		return nil
	}
	return &node{op: e.op, args: args, typ: t, at: e.at}
}

// quotient is floor(a / b) or ceil(a / b): of integers a division of its own.
func (b *builder) quotient(s scope, e, q *expr) *node {
	x, y := b.resolve(s, q.args[0]), b.resolve(s, q.args[1])
	if x == nil || y == nil {
		return nil
	}
	if t := join(x.typ, y.typ); t.isInteger() {
		return &node{op: e.op + "div", args: []*node{x, y}, typ: t, at: e.at}
	}
	n := b.binary(q, x, y)
	if n == nil {
		return nil
	}
	return b.callFunction(e, []*node{n})
}

func nearest(name string, among []string) string { return diag.Nearest(name, among) }
