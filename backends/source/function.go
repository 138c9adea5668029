package source

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
	"github.com/irc-lang/irc/ir/lists"
)

// A Val is what a node is in the language.
type Val struct {
	X    Expr  // a scalar
	M    *View // a memref
	Many []Val // the results of an op that has several
}

// A Function is the translation of one function: what its nodes are in the language. Statements go to Code.
type Function struct {
	*Module
	Callee *Callee
	G      *ir.Graph
	V      ir.Value // the op that is being translated
	Known  affine.Analysis
	Region ir.Region

	Code       *Code
	conditions conditions
	syntax     *Syntax
	s          *ir.Schedule
	plan       *plan
	vals       map[ir.Value]Val
	moves      int             // of the regions around, how many give memrefs to what is around them
	held       map[string]bool // what was checked in the regions around, before
	holds      []string        // the same, in order
}

// NewFunction begins the translation of a function that has a body.
func (m *Module) NewFunction(c *Callee) *Function {
	f := &Function{Module: m, Callee: c, G: c.G, Known: affine.Of(c.G).Certain(), syntax: m.Lang.Syntax(), s: ir.ScheduleOf(c.G), vals: map[ir.Value]Val{}, held: map[string]bool{}}
	f.Code, f.conditions = &Code{m: m, syntax: f.syntax, names: map[string]int{}}, conditions{m}
	f.plan = newPlan(c.G, f.s)
	return f
}

// Fail gives up at the op that is being translated.
func (f *Function) Fail(format string, args ...any) { FailAt(f.G, f.V, format, args...) }

// Refuse says that the op is not printed, why, and what to do.
func (f *Function) Refuse(what, instead string) {
	f.Fail("%s, which is not printed as %s; %s", what, f.syntax.Name, instead)
}

// Of is the translation of a node.
func (f *Function) Of(v ir.Value) Val {
	if n, i, ok := f.G.Projection(v); ok {
		return f.vals[n].Many[i]
	}
	return f.vals[v]
}

// Bind says what a node is.
func (f *Function) Bind(v ir.Value, x Val) { f.vals[v] = x }

// Arg is operand i of the current op, a scalar.
func (f *Function) Arg(i int) Expr { return f.ScalarOf(f.G.Args(f.V)[i]) }

// ScalarOf is a node that is a scalar.
func (f *Function) ScalarOf(v ir.Value) Expr {
	f.Scalar(f.G, f.V, f.G.Type(v))
	return f.Of(v).X
}

// Args are the translations of nodes.
func (f *Function) Args(vs []ir.Value) []Val {
	return lists.Map(vs, f.Of)
}

// TypeOf is the type of operand i.
func (f *Function) TypeOf(i int) ir.Type { return f.G.Type(f.G.Args(f.V)[i]) }

// Type is the type of the current op, which has one result.
func (f *Function) Type() ir.Type { return f.G.Type(f.V) }

// IsMemory reports a memref.
func (m *Module) IsMemory(t ir.Type) bool { return m.Ctx.Info(t).Kind == ir.KindMemRef }

// Width is the bits of an integer type.
func (m *Module) Width(t ir.Type) int { return m.Ctx.Info(t).Width }

// WidthOf is the bits of operand i.
func (f *Function) WidthOf(i int) int { return f.Width(f.TypeOf(i)) }

// Number is an integer of 64 bits.
func (m *Module) Number(n int64) Expr { return m.Lang.Integer(n, 64) }

// maxOps is how many ops an expression has at most: more are hard to read.
const maxOps = 12

// Set gives the current op its result: a part of the expression that uses it, or a variable.
func (f *Function) Set(x Expr) {
	t := f.G.Type(f.V)
	if f.plan.folded[f.V] && x.Ops <= maxOps || x.Constant || !x.Acts && x.Prec == Primary && x.Ops == 0 {
		f.vals[f.V] = Val{X: x}
		return
	}
	n := f.Code.Variable("t")
	f.Code.Let(Field{f.Scalar(f.G, f.V, t), n}, x)
	f.vals[f.V] = Val{X: Name(n)}
}

// Give says what the current op is where nothing has to be written.
func (f *Function) Give(x Expr) { f.vals[f.V] = Val{X: x} }

// GiveView says the same of an op that is memory.
func (f *Function) GiveView(m *View) { f.vals[f.V] = Val{M: m} }

// HoistedOf is Hoisted of a type of the IR.
func (f *Function) HoistedOf(x Expr, t ir.Type) Expr {
	return f.Code.Hoisted(x, f.Scalar(f.G, f.V, t), "n")
}

// SetAll gives the current op its results.
func (f *Function) SetAll(vs []Val) {
	if len(vs) == 1 {
		f.vals[f.V] = vs[0]
	} else {
		f.vals[f.V] = Val{Many: vs}
	}
}

// Body translates the ops of a region and gives what its terminator yields.
func (f *Function) Body(r ir.Region) []Val {
	outer, held := f.Region, len(f.holds)
	f.Region = r
	term := f.G.Term(r)
	for _, v := range f.s.Body(r) {
		if v != term {
			f.op(v)
		}
	}
	for _, x := range f.holds[held:] {
		delete(f.held, x)
	}
	f.Region, f.holds = outer, f.holds[:held]
	return f.Args(f.G.Yields(r))
}

// bodyWith is Body of a region with values for its parameters.
func (f *Function) bodyWith(r ir.Region, params []Val) []Val {
	for i, p := range f.G.Params(r) {
		f.Bind(p, params[i])
	}
	return f.Body(r)
}

// op translates one op.
func (f *Function) op(v ir.Value) {
	outer := f.V
	f.V = v
	def := f.G.Def(v)
	do := f.ops[def]
	switch {
	case def.Has(ir.ConstantLike):
		f.constant()
	case do != nil:
		do(f)
	case f.Lang.Op(f):
	case !def.Registered():
		f.Fail("is not registered, so nobody knows what it does; remove it, or lower its dialect first")
	default:
		f.Fail("is not printed as %s; lower it first, with -passes=lower{to=scf} or as its dialect says", f.syntax.Name)
	}
	f.V = outer
}

// constant is a number; each use has it.
func (f *Function) constant() {
	a, t := f.G.Attr(f.V, "value"), f.G.Type(f.V)
	f.Scalar(f.G, f.V, t)
	if a == 0 {
		f.Fail("has no value")
	}
	info := f.Ctx.AttrInfo(a)
	switch info.Kind {
	case ir.AttrInt:
		f.Give(f.number(t, uint64(info.Int)))
	case ir.AttrFloat:
		f.Give(f.number(t, info.Bits))
	default:
		f.Fail("is a constant that is not printed as %s", f.syntax.Name)
	}
}

// declareAll names variables for values of types, and gives them as values; of a memref the
// fields that its type leaves open.
func (f *Function) declareAll(base string, ts []ir.Type) (vals []Val, fields [][]Field) {
	for _, t := range ts {
		n := f.Code.Variable(base)
		fs := f.Fields(f.G, f.V, t, n)
		vals, fields = append(vals, f.FromFields(f.G, f.V, t, Names(fs))), append(fields, fs)
	}
	return vals, fields
}

// assign writes values to variables, as if at once: what a later one needs of an earlier
// variable is kept.
func (f *Function) assign(ts []ir.Type, to [][]Field, from []Val) {
	type move struct {
		to Field
		x  Expr
	}
	var moves []move
	for i, t := range ts {
		for k, x := range f.ToFields(t, from[i]) {
			if x.Text != to[i][k].Name {
				moves = append(moves, move{to[i][k], x})
			}
		}
	}
	for i := range moves {
		for j := range i {
			if uses(moves[i].x, moves[j].to.Name) {
				n := f.Code.Variable("next")
				f.Code.Let(Field{moves[i].to.Type, n}, moves[i].x)
				moves[i].x = Name(n)
				break
			}
		}
	}
	// Those that were kept are read before anything is written.
	for _, m := range moves {
		f.Code.Assign(m.to.Name, m.x)
	}
}
