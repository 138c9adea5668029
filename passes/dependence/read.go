package dependence

import (
	"errors"
	"fmt"

	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/diag"
)

// A Unit is a function or model as a program, and the ops that it came from.
type Unit struct {
	Program *Program
	Graph   *ir.Graph // the body
	Outer   *ir.Graph // where Op stands
	Op      ir.Value
	Ops     map[*Statement]ir.Value

	problems []error // attributes that cannot be read
}

// Options of Read.
type Options struct {
	// Name calls a value as the source does, or "": then it is numbered.
	Name func(g *ir.Graph, v ir.Value) string
	// Params names the parameters of a function's op, as far as it knows, or is nil.
	Params func(g *ir.Graph, op ir.Value) []string
	// Source is where the ops' locations point to, or nil.
	Source *diag.Source
}

// Err reports attributes that cannot be read.
func (u *Unit) Err() error { return errors.Join(u.problems...) }

// Read makes a program of each function and model in a module. See the package for
// what counts as what.
func Read(g *ir.Graph, o Options) []*Unit {
	m := &module{functions: map[string]ir.Node{}}
	m.collect(g)
	return m.units(g, o)
}

// module knows the functions by their symbols.
type module struct {
	functions map[string]ir.Node
}

func (m *module) collect(g *ir.Graph) {
	s := ir.ScheduleOf(g)
	for _, v := range s.Body(ir.Root) {
		n := g.NodeOf(v)
		if n.Def().Has(ir.Symbol|ir.Isolated) && n.Attr("function_type") != 0 {
			m.functions[stringAttr(n, "sym_name")] = n
			continue
		}
		for _, c := range g.Children(v) {
			m.collect(c)
		}
	}
}

func (m *module) units(g *ir.Graph, o Options) (out []*Unit) {
	s := ir.ScheduleOf(g)
	for _, v := range s.Body(ir.Root) {
		n := g.NodeOf(v)
		for _, c := range g.Children(v) {
			if !isProgram(n.Def()) {
				out = append(out, m.units(c, o)...)
			} else if c.HasBlock(ir.Root) {
				out = append(out, m.unit(n, c, o))
			}
		}
	}
	return out
}

func (m *module) unit(n ir.Node, body *ir.Graph, o Options) *Unit {
	p := &Program{Name: stringAttr(n, "sym_name"), Defined: n.Def() == ops.ModelOp}
	u := &Unit{Program: p, Graph: body, Outer: n.Graph(), Op: n.Old(), Ops: map[*Statement]ir.Value{}}
	r := &reader{module: m, Unit: u, g: body, s: ir.ScheduleOf(body), ints: affine.Of(body), o: o,
		vars: map[ir.Value]*Variable{}, names: map[ir.Value]string{}, globals: map[string]*Variable{}, taken: map[string]bool{}, next: map[string]int{},
		place: map[ir.Region]Domain{}, held: map[ir.Region][]Access{}, written: map[*Variable]bool{}, results: map[ir.Value]*Variable{}}
	r.taken[""] = true
	args := argAttrs(n)
	var known []string
	if o.Params != nil {
		known = o.Params(n.Graph(), n.Old())
	}
	for i, v := range body.Params(ir.Root) {
		name := fmt.Sprintf("arg%d", i)
		if i < len(known) && known[i] != "" {
			name = known[i]
		}
		if i < len(args) {
			name = dictString(body.Ctx, args[i], "dep.name", name)
		}
		name = r.fresh(name)
		r.names[v] = name
		r.variable(v, name, true)
	}
	r.findWritten(ir.Root)
	r.region(ir.Root, Domain{}, nil)
	return u
}

// reader makes a program of one body.
type reader struct {
	*module
	*Unit
	g       *ir.Graph
	s       *ir.Schedule
	ints    affine.Analysis
	o       Options
	vars    map[ir.Value]*Variable // by the memref, or the scalar parameter
	names   map[ir.Value]string
	globals map[string]*Variable
	taken   map[string]bool
	next    map[string]int // numbers behind names that are taken
	place   map[ir.Region]Domain
	held    map[ir.Region][]Access // what the bounds and conditions around read
	written map[*Variable]bool
	results map[ir.Value]*Variable // results of calls that are statements
	symbols int

	loopsKnown []*Loop // all so far, for their names
}

// nameOf is the name of a value: what it is told by, or the default.
func (r *reader) nameOf(v ir.Value, otherwise string) string {
	if name := r.told(v); name != "" {
		otherwise = name
	}
	return r.fresh(otherwise)
}

// told is what a value is called, or "".
func (r *reader) told(v ir.Value) string {
	if a := r.g.Attr(v, "dep.name"); a != 0 {
		return r.g.Ctx.AttrInfo(a).Str
	}
	if a := r.g.Attr(v, "name"); a != 0 && isDeclaration(r.g, v) {
		return r.g.Ctx.AttrInfo(a).Str
	}
	if r.o.Name != nil {
		return r.o.Name(r.g, v)
	}
	return ""
}

// fresh makes a name that nothing else has.
func (r *reader) fresh(name string) string {
	base := name
	for r.taken[name] {
		name = fmt.Sprintf("%s_%d", base, r.next[base])
		r.next[base]++
	}
	r.taken[name] = true
	return name
}

// variable makes a variable of a memref, or of a scalar.
func (r *reader) variable(v ir.Value, name string, parameter bool) *Variable {
	x := &Variable{Name: name, Parameter: parameter}
	if info := r.g.Ctx.Info(r.g.Type(v)); info.Kind == ir.KindMemRef && !info.Unranked {
		for _, n := range info.Shape {
			x.Shape = append(x.Shape, max(n, -1))
		}
	}
	if isDeclaration(r.g, v) {
		x.Base = 1
	}
	r.vars[v] = x
	r.Program.Variables = append(r.Program.Variables, x)
	return x
}

// region reads the ops that stand in a region.
func (r *reader) region(at ir.Region, d Domain, held []Access) {
	r.place[at], r.held[at] = d, held
	for _, v := range r.s.Body(at) {
		r.op(v, d, held)
	}
}

func (r *reader) op(v ir.Value, d Domain, held []Access) {
	switch n := r.g.NodeOf(v); {
	case isAllocation(n):
		r.declaration(v, d, held)
	case n.Def() == memref.GetGlobal:
		name := "@" + stringAttr(n, "name")
		if r.globals[name] == nil {
			r.globals[name] = r.variable(v, name, true)
			r.written[r.globals[name]] = true // elsewhere, for all that is known
		}
		r.vars[v] = r.globals[name]
	case len(r.g.Regions(v)) > 0 && !r.isStatement(v):
		r.control(v, d, held)
	case r.isStatement(v):
		r.statement(v, d, held)
	}
}

// control reads the regions of an op: loops add an index to what is in them, branches
// a condition. What the bounds and conditions read is held by everything inside.
func (r *reader) control(v ir.Value, d Domain, held []Access) {
	inner := held
	for _, a := range r.g.Args(v) {
		if isScalarInt(r.g, a) {
			inner = append(inner[:len(inner):len(inner)], r.reads(a, d, Container)...)
		}
	}
	regions := r.g.Regions(v)
	if b, ok := ir.As[ir.BranchLike](r.g.NodeOf(v)); ok {
		for i, c := range r.cases(b, len(regions)) {
			r.region(regions[i], with(d, nil, c...), inner)
		}
		return
	}
	if len(regions) == 1 && r.g.KindOf(regions[0]) == ir.Once {
		r.region(regions[0], d, held)
		return
	}
	loops := r.loops(v)
	for _, in := range regions {
		r.region(in, with(d, loops), inner)
	}
}

func branch(c Cond, then bool) Cond {
	if then {
		return c
	}
	return Not(c)
}

// with is a domain with further loops and conditions.
func with(d Domain, loops []*Loop, conds ...Cond) Domain {
	return Domain{append(d.Loops[:len(d.Loops):len(d.Loops)], loops...), append(d.Conds[:len(d.Conds):len(d.Conds)], conds...)}
}

// cases are the conditions under which each of the regions of a conditional runs.
func (r *reader) cases(b ir.BranchLike, regions int) [][]Cond {
	is := func(n int64) Cond { return Unknown() }
	if r.g.Type(b.On) == ir.I1 {
		c := r.cond(b.On)
		is = func(n int64) Cond { return branch(c, n != 0) }
	} else if arg, known := r.affine(b.On); known {
		is = func(n int64) Cond { return Eq(arg, presburger.Number(n)) }
	}
	out := make([][]Cond, regions)
	for i := range out {
		if i != b.Default {
			c := is(b.Values[i])
			out[i] = append(out[i], c)
			if b.Default >= 0 {
				out[b.Default] = append(out[b.Default], Not(c))
			}
		}
	}
	return out
}

// loops are those that an op runs its regions in. Of an op that is none that we know,
// the regions are in a loop without bounds.
func (r *reader) loops(v ir.Value) (out []*Loop) {
	loop, _ := ir.As[ir.LoopLike](r.g.NodeOf(v))
	last := int64(0)
	if loop.Inclusive {
		last = 1
	}
	for k, p := range loop.Indices {
		l := &Loop{Index: r.symbol(), At: r.span(v), Step: 1}
		if l.Name = r.told(p); l.Name == "" { // loops of one name are told apart by their indices
			l.Name = "i" + l.Index[1:]
		}
		r.names[p] = l.Index
		if a, ok := r.bound(loop.Lower[k]); ok {
			l.Lo = &a
		}
		if a, ok := r.bound(loop.Upper[k]); ok {
			a = a.Plus(1, presburger.Number(last))
			l.Hi = &a
		}
		if n, ok := r.bound(loop.Step[k]); ok && len(n.Terms) == 0 {
			l.Step = n.Const
		}
		out = append(out, l)
		r.loopsKnown = append(r.loopsKnown, l)
	}
	if len(loop.Indices) == 0 {
		out = append(out, &Loop{Index: r.symbol(), Name: "*", Step: 1, At: r.span(v)})
	}
	return out
}

// bound reads a number that an op is given.
func (r *reader) bound(b ir.Bound) (presburger.Sum, bool) {
	if b.Value == 0 {
		return presburger.Number(b.Const), true
	}
	return r.affine(b.Value)
}

// symbol makes a name that no other symbol has.
func (r *reader) symbol() string {
	r.symbols++
	return fmt.Sprintf("$%d", r.symbols)
}

func (r *reader) span(v ir.Value) diag.Span {
	if ls := r.g.LocsOf(v); r.o.Source != nil && len(ls) > 0 && ls[0]&ir.LocAttr == 0 && ls[0] > 0 {
		return r.o.Source.At(int(ls[0]) - 1)
	}
	return diag.Span{}
}

// AnalyzeAll analyses each function and model in a module.
func AnalyzeAll(g *ir.Graph, o Options) (out []*Result, err error) {
	for _, u := range Read(g, o) {
		if err := u.Err(); err != nil {
			return nil, fmt.Errorf("@%s: %w", u.Program.Name, err)
		}
		out = append(out, Analyze(u.Program))
	}
	return out, nil
}
