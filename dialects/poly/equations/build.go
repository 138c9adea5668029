package equations

import (
	"slices"
	"strconv"
	"strings"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
)

// An array is one that is declared, or that a nested reduction has.
type array struct {
	name   string
	role   string
	typ    ty
	rank   int
	extent presburger.Set
	sizes  []*expr
	at     span
	value  ir.Value // in the graph
}

// A statement is an equation whose names are resolved.
type statement struct {
	name      string
	dims      []string
	domain    presburger.Set
	hasDomain bool
	hidden    bool // of a nested reduction
	operator  string
	target    *array
	write     presburger.Map
	keys      []*node // the indices of the target, if some are computed
	reads     []read
	gathers   []read
	body      *node
	at        span
}

// A read is an array that is read, by an affine relation or a computed index.
type read struct {
	array  *array
	access presburger.Map
	text   string
	at     span
}

// builder makes a graph of a program.
type builder struct {
	prog    *program
	list    *diag.List
	context presburger.Set
	arrays  map[string]*array
	order   []*array // as they are declared
	sts     []*statement
	taken   map[string]bool
	params  []ir.Value
}

// Read makes a graph of a source: a module with a function of the program's name.
func Read(ctx *ir.Context, src *diag.Source) (*ir.Graph, diag.List) {
	var list diag.List
	prog := parse(src, &list)
	if list.Err() != nil {
		return nil, list
	}
	b := &builder{prog: prog, list: &list, arrays: map[string]*array{}, taken: map[string]bool{}}
	if b.declare(); list.Err() == nil {
		b.statements()
	}
	if list.Err() == nil {
		b.check()
	}
	if list.Err() != nil {
		return nil, list
	}
	g := b.graph(ctx)
	if list.Err() != nil { // of numbers, whose type is known when they are made
		return nil, list
	}
	return g, list
}

// declare reads the context and the arrays.
func (b *builder) declare() {
	for i, p := range b.prog.params {
		if b.taken[p.text] {
			b.report(span{p.start, p.end}, "a parameter %s is there already", p.text)
		}
		b.taken[b.prog.params[i].text] = true
	}
	var ok bool
	if b.context, ok = b.set(b.prog.header()+"{ : ", b.prog.context, " }"); !ok {
		return
	}
	if empty, err := b.context.IsEmpty(); b.ok(err, 0, b.prog.context) && empty {
		b.report(b.prog.context, "no values of the parameters satisfy this").WithFix("what stands here holds of the parameters whenever the program runs")
	}
	for _, d := range b.prog.defs {
		b.name(d.name, "definition")
		for i, p := range d.params {
			if slices.ContainsFunc(d.params[:i], func(q param) bool { return q.name.text == p.name.text }) {
				b.report(span{p.name.start, p.name.end}, "a parameter %s is there already", p.name.text)
			}
		}
	}
	for _, x := range b.prog.externs {
		b.name(x.name, "function")
		if x.name.text == b.prog.name.text {
			b.report(span{x.name.start, x.name.end}, "%s is the name of the program", x.name.text).WithFix("call the program otherwise")
		}
	}
	for _, a := range b.prog.arrays {
		b.declareArray(a)
	}
}

// name notes that a name is taken, and reports one that is.
func (b *builder) name(t token, what string) {
	if b.taken[t.text] {
		b.report(span{t.start, t.end}, "%s is something else already", t.text).WithFix("call the %s otherwise", what)
	}
	b.taken[t.text] = true
}

func (b *builder) declareArray(d *arrayDecl) {
	b.name(d.name, "array")
	a := &array{name: d.name.text, role: d.role, typ: typesByName[d.elem.text], rank: len(d.sizes), sizes: d.sizes, at: span{d.name.start, d.name.end}}
	var dims, bounds []string
	onlyParams := func(name string) bool { return b.param(name) >= 0 }
	for i, e := range d.sizes {
		if !e.isAffine(onlyParams) {
			b.report(e.at, "a size is an affine function of the parameters").WithFix("make it a parameter of the program")
			return
		}
		dim := "i" + string(rune('0'+i%10)) + strings.Repeat("_", i/10)
		dims = append(dims, dim)
		bounds = append(bounds, "0 <= "+dim+" < "+e.String())
	}
	text := b.prog.header() + "{ " + a.name + "[" + strings.Join(dims, ", ") + "]"
	if len(bounds) > 0 {
		text += " : " + strings.Join(bounds, " and ")
	}
	var err error
	if a.extent, err = presburger.ParseSet(text + " }"); b.ok(err, len(text), a.at) {
		b.arrays[a.name] = a
		b.order = append(b.order, a)
	}
}

// statements resolves the equations.
func (b *builder) statements() {
	for _, e := range b.prog.sts {
		if e.label != "" {
			if b.taken[e.label] {
				b.report(span{e.at.start, e.at.start + len(e.label)}, "%s is something else already", e.label).WithFix("give the equation another label, or none")
			}
			b.taken[e.label] = true
		}
	}
	for _, e := range b.prog.sts {
		if e.label == "" {
			e.label = b.fresh("S_" + e.target.op)
		}
		b.statement(e)
	}
}

func (b *builder) statement(e *equation) {
	st := &statement{name: e.label, at: e.at, operator: assignments[e.op.text], hasDomain: e.has}
	if !b.domain(st, e) {
		return
	}
	target := b.arrays[e.target.op]
	switch {
	case target == nil:
		d := b.report(e.target.at, "there is no array %s", e.target.op)
		if near := nearest(e.target.op, b.arrayNames()); near != "" {
			d.WithFix("did you mean %s?", near)
		} else {
			d.WithFix("declare it: local %s[...] : f64;", e.target.op)
		}
		return
	case target.role == "input":
		b.report(e.target.at, "%s is an input, which no equation defines", target.name)
		return
	case target.rank != len(e.target.args):
		b.report(e.target.at, "%s has %d dimensions, and here are %d indices", target.name, target.rank, len(e.target.args))
		return
	}
	s := scope{st: st}
	st.target = target
	if !b.writes(s, e) {
		return
	}
	if st.body = b.resolve(s, e.body); st.body == nil {
		return
	}
	if !target.typ.takes(st.body.typ) {
		b.report(e.body.at, "%s holds %s, and this is %s", target.name, target.typ, st.body.typ).WithFix("convert it: %s(...)", target.typ)
		return
	}
	if b.checkOperator(st, span{e.op.start, e.op.end}) {
		b.sts = append(b.sts, st)
	}
}

// writes finds the elements that an equation defines. Indices of a reduction that are not affine are
// computed: then it may accumulate into all elements that these dimensions have.
func (b *builder) writes(s scope, e *equation) (ok bool) {
	known := b.known(s)
	if !slices.ContainsFunc(e.target.args, func(x *expr) bool { return !x.isAffine(known) }) {
		s.st.write, ok = b.relation(s.st, e.target, "")
		return ok
	}
	to := &expr{kind: accessExpr, op: e.target.op, at: e.target.at}
	var inside []string
	for i, x := range e.target.args {
		k := b.index(s, x)
		if k == nil {
			return false
		}
		s.st.keys = append(s.st.keys, k)
		if !x.isAffine(known) {
			if s.st.operator == "set" {
				b.report(x.at, "this is no affine function of the coordinates and the parameters, and says which element is defined").
					WithFix("a reduction may accumulate at an index that is computed: +=, *=, max=, min=, and= or or=")
				return false
			}
			name := "k" + strconv.Itoa(i)
			for known(name) {
				name += "_"
			}
			inside = append(inside, "0 <= "+name+" < "+s.st.target.sizes[i].String())
			x = &expr{kind: nameExpr, op: name, at: x.at}
		}
		to.args = append(to.args, x)
	}
	s.st.write, ok = b.relation(s.st, to, strings.Join(inside, " and "))
	return ok
}

// checkOperator: and and or combine conditions and integers, the others numbers.
func (b *builder) checkOperator(st *statement, at span) bool {
	switch t := st.target.typ; {
	case st.operator == "set":
	case (st.operator == "and" || st.operator == "or") && t.isFloat():
		b.report(at, "%s combines no floats", st.operator)
		return false
	case st.operator != "and" && st.operator != "or" && t == boolType:
		b.report(at, "%s combines numbers, and %s holds conditions", st.operator, st.target.name).WithFix("and=, or=; or count in an array of i64")
		return false
	}
	return true
}

// domain reads the domain of an equation.
func (b *builder) domain(st *statement, e *equation) bool {
	if !e.has {
		s, err := presburger.ParseSet(b.prog.header() + "{ " + st.name + "[] }")
		st.domain = s
		return b.ok(err, 0, e.at)
	}
	s, ok := b.set(b.prog.header()+"{ ", e.domain, " }")
	if !ok {
		return false
	}
	for _, p := range s.Params() {
		if b.param(p) < 0 {
			b.report(e.domain, "%s is no parameter of the program", p)
			return false
		}
	}
	text := strings.TrimSpace(b.prog.text(e.domain))
	if t := s.Tuple(); t.IsNone() || len(s.Sets()) > 1 {
		b.report(e.domain, "a domain is a set of tuples: { [i] : 0 <= i < N }")
		return false
	}
	open, end := strings.Index(text, "["), strings.Index(text, "]")
	if open < 0 || end < open {
		b.report(e.domain, "a domain is a set of tuples: { [i] : 0 <= i < N }")
		return false
	}
	if inner := strings.TrimSpace(text[open+1 : end]); inner != "" {
		for _, n := range strings.Split(inner, ",") {
			if n = strings.TrimSpace(n); !isName(n) {
				b.report(e.domain, "%q is no name of a coordinate", n).WithFix("name it, and say what it is behind the colon: { [i, j] : j = i + 1 }")
				return false
			}
			if b.param(n) >= 0 || slices.Contains(st.dims, n) {
				b.report(e.domain, "%s is something else already", n).WithFix("call the coordinate otherwise")
				return false
			}
			st.dims = append(st.dims, n)
		}
	}
	st.domain = named(s, st.name, st.dims)
	return true
}

// named gives the tuples of a set a name and names of their coordinates.
func named(s presburger.Set, name string, dims []string) presburger.Set {
	bs := s.Basics()
	for i := range bs {
		bs[i].Out = presburger.NewTuple(name, dims...)
	}
	if len(bs) == 0 { // the empty set of these tuples
		t, err := presburger.ParseSet("{ " + name + "[" + strings.Join(dims, ", ") + "] : 1 = 0 }")
		if err != nil {
			panic("equations: " + err.Error())
		}
		return t
	}
	return presburger.SetOf(bs...)
}
