package c

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine"
)

// val is what a node is in C.
type val struct {
	x    expr  // a scalar
	m    *view // a memref
	many []val // the results of an op that has several
}

// function is the translation of one function.
type function struct {
	*emitter
	callee *callee
	g      *ir.Graph
	s      *ir.Schedule
	plan   *plan
	known  affine.Analysis
	out    strings.Builder
	depth  int // of braces
	vals   map[ir.Value]val
	v      ir.Value // the op that is being translated
	region ir.Region
	names  map[string]int // how often a name was given
	nest   int            // of loops
	moves  int            // of the regions around, how many give memrefs to what is around them
}

func newFunction(e *emitter, c *callee) *function {
	f := &function{emitter: e, callee: c, g: c.g, s: ir.ScheduleOf(c.g), known: affine.Of(c.g).Certain(), vals: map[ir.Value]val{}, names: map[string]int{}}
	f.plan = newPlan(c.g, f.s)
	return f
}

// fail gives up at the op that is being translated.
func (f *function) fail(format string, args ...any) { failAt(f.g, f.v, format, args...) }

func (f *function) line(format string, args ...any) {
	f.out.WriteString(strings.Repeat("\t", f.depth))
	fmt.Fprintf(&f.out, format, args...)
	f.out.WriteByte('\n')
}

// variable is a new name.
func (f *function) variable(base string) string {
	for {
		f.names[base]++
		n := fmt.Sprintf("%s%d", base, f.names[base])
		if !f.taken[n] {
			return n
		}
	}
}

// of is the translation of a node.
func (f *function) of(v ir.Value) val {
	if n, i, ok := f.g.Projection(v); ok {
		return f.vals[n].many[i]
	}
	return f.vals[v]
}

func (f *function) bind(v ir.Value, x val) { f.vals[v] = x }

// arg is operand i of the current op, a scalar.
func (f *function) arg(i int) expr { return f.scalarOf(f.g.Args(f.v)[i]) }

func (f *function) scalarOf(v ir.Value) expr {
	f.scalar(f.g, f.v, f.g.Type(v))
	return f.of(v).x
}

func (f *function) args(vs []ir.Value) []val {
	out := make([]val, len(vs))
	for i, v := range vs {
		out[i] = f.of(v)
	}
	return out
}

func (f *function) typeOf(i int) ir.Type    { return f.g.Type(f.g.Args(f.v)[i]) }
func (f *function) isMemory(t ir.Type) bool { return f.ctx.Info(t).Kind == ir.KindMemRef }

// widthOf is the bits of operand i.
func (f *function) widthOf(i int) int { return f.width(f.typeOf(i)) }

// maxOps is how many ops an expression has at most: more are hard to read.
const maxOps = 12

// set gives the current op its result: a part of the expression that uses it, or a variable.
func (f *function) set(x expr) {
	t := f.g.Type(f.v)
	if f.plan.folded[f.v] && x.ops <= maxOps || x.constant || !x.acts && x.prec == primary && x.ops == 0 {
		f.vals[f.v] = val{x: x}
		return
	}
	n := f.variable("t")
	f.line("%s %s = %s;", f.scalar(f.g, f.v, t), n, x.text)
	f.vals[f.v] = val{x: name(n)}
}

// hoisted is an expression as one that has no operator, a variable if need be.
func (f *function) hoisted(x expr, base string) expr {
	if x.constant || x.prec == primary && x.ops == 0 {
		return x
	}
	n := f.variable(base)
	f.line("int64_t %s = %s;", n, x.text)
	return name(n)
}

// setAll gives the current op its results.
func (f *function) setAll(vs []val) {
	if len(vs) == 1 {
		f.vals[f.v] = vs[0]
	} else {
		f.vals[f.v] = val{many: vs}
	}
}

// body translates the ops of a region and gives what its terminator yields.
func (f *function) body(r ir.Region) []val {
	outer := f.region
	f.region = r
	term := f.g.Term(r)
	for _, v := range f.s.Body(r) {
		if v != term {
			f.op(v)
		}
	}
	f.region = outer
	return f.args(f.g.Yields(r))
}

// bodyWith is body of a region with values for its parameters.
func (f *function) bodyWith(r ir.Region, params []val) []val {
	for i, p := range f.g.Params(r) {
		f.bind(p, params[i])
	}
	return f.body(r)
}

// block is body in braces, after a line that opens it.
func (f *function) block(do func()) {
	f.depth++
	do()
	f.depth--
}

// op translates one op.
func (f *function) op(v ir.Value) {
	outer := f.v
	f.v = v
	def := f.g.Def(v)
	do := f.ops[def]
	switch {
	case def.Has(ir.ConstantLike):
		f.constantOp()
	case do != nil:
		do(f)
	case !def.Registered():
		f.fail("is not registered, so nobody knows what it does; remove it, or lower its dialect before -emit=c")
	default:
		f.fail("is not printed as C; lower it first, with -passes=lower{to=scf} or as its dialect says")
	}
	f.v = outer
}

// constantOp is a constant; each use has it.
func (f *function) constantOp() {
	a := f.g.Attr(f.v, "value")
	t := f.g.Type(f.v)
	f.scalar(f.g, f.v, t)
	if a == 0 {
		f.fail("has no value")
	}
	info := f.ctx.AttrInfo(a)
	switch {
	case info.Kind == ir.AttrInt && t == ir.I1:
		f.vals[f.v] = val{x: boolean(info.Int&1 != 0)}
	case info.Kind == ir.AttrInt:
		w := f.width(t)
		f.vals[f.v] = val{x: integer(ir.IntVal(info.Int, w).Int(w), w)}
	case info.Kind == ir.AttrFloat:
		f.vals[f.v] = val{x: floating(ir.BitsToFloat(info.Bits, t), t == ir.F32)}
	default:
		f.fail("is a constant that is not printed as C")
	}
}

func boolean(b bool) expr {
	if b {
		return expr{text: "true", prec: primary, num: 1, constant: true}
	}
	return expr{text: "false", prec: primary, constant: true}
}

// declare declares variables for values of types, and gives them as values; of a memref the
// fields that its type leaves open.
func (f *function) declareAll(base string, ts []ir.Type) (vals []val, fields [][]field) {
	for _, t := range ts {
		n := f.variable(base)
		fs := f.carried(t, n)
		vals, fields = append(vals, f.fromCarried(t, fs)), append(fields, fs)
	}
	return vals, fields
}

// assign writes values to variables, as if at once: what a later one needs of an earlier
// variable is kept.
func (f *function) assign(ts []ir.Type, to [][]field, from []val) {
	type move struct {
		to  string
		typ string
		x   expr
	}
	var moves []move
	for i, t := range ts {
		for k, x := range f.toCarried(t, from[i]) {
			if x.text != to[i][k].name {
				moves = append(moves, move{to[i][k].name, to[i][k].typ, x})
			}
		}
	}
	for i := range moves {
		for j := 0; j < i; j++ {
			if uses(moves[i].x, moves[j].to) {
				n := f.variable("next")
				f.line("%s = %s;", field{moves[i].typ, n}.declared(), moves[i].x.text)
				moves[i].x = name(n)
				break
			}
		}
	}
	// Those that were kept are read before anything is written.
	for _, m := range moves {
		f.line("%s = %s;", m.to, m.x.text)
	}
}

func uses(x expr, name string) bool {
	for _, v := range x.vars {
		if v == name {
			return true
		}
	}
	return false
}
