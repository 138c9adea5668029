package c

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/cf"
	"github.com/irc-lang/irc/ir"
)

// segments splits the operands of the current op.
func (f *function) segments() [][]ir.Value {
	rest := f.g.Args(f.v)
	var out [][]ir.Value
	for _, n := range f.ctx.Ints(f.g.Attr(f.v, "operandSegmentSizes")) {
		out = append(out, rest[:n])
		rest = rest[n:]
	}
	return out
}

// resultTypes lists the result types of the current op.
func (f *function) resultTypes() []ir.Type { return f.ctx.Results(f.g.Type(f.v)) }

func (f *function) typesOf(vs []ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = f.g.Type(v)
	}
	return out
}

// giving runs do for regions that give values of types to what is around them.
func (f *function) giving(ts []ir.Type, do func()) {
	n := 0
	for _, t := range ts {
		if f.isMemory(t) {
			n = 1
		}
	}
	f.moves += n
	do()
	f.moves -= n
}

// declareOnly writes the declarations of variables without values.
func (f *function) declareOnly(fields [][]field) {
	for _, fs := range fields {
		for _, x := range fs {
			f.line("%s;", x.declared())
		}
	}
}

// declareWith writes the declarations of variables with values.
func (f *function) declareWith(ts []ir.Type, fields [][]field, vals []val) {
	for i, t := range ts {
		for k, x := range f.toCarried(t, vals[i]) {
			f.line("%s = %s;", fields[i][k].declared(), x.text)
		}
	}
}

func emitIf(f *function) {
	regions := f.g.Regions(f.v)
	ts := f.resultTypes()
	cond := f.arg(0)
	vals, fields := f.declareAll("t", ts)
	f.declareOnly(fields)
	branch := func(r ir.Region) {
		f.block(func() { f.giving(ts, func() { f.assign(ts, fields, f.body(r)) }) })
	}
	f.line("if (%s) {", cond.text)
	branch(regions[0])
	if len(f.s.Body(regions[1])) > 1 || len(ts) > 0 {
		f.line("} else {")
		branch(regions[1])
	}
	f.line("}")
	f.setAll(vals)
}

func emitSwitch(f *function) {
	regions := f.g.Regions(f.v)
	ts := f.resultTypes()
	on := f.arg(0)
	vals, fields := f.declareAll("t", ts)
	f.declareOnly(fields)
	f.line("switch (%s) {", signed(on, 64).text)
	one := func(label string, r ir.Region) {
		f.line("%s {", label)
		f.block(func() {
			f.giving(ts, func() { f.assign(ts, fields, f.body(r)) })
			f.line("break;")
		})
		f.line("}")
	}
	for i, n := range f.ctx.Ints(f.g.Attr(f.v, "cases")) {
		one(fmt.Sprintf("case %s:", number(n).text), regions[i+1])
	}
	one("default:", regions[0])
	f.line("}")
	f.setAll(vals)
}

func emitExecute(f *function) { f.scope(f.g.Regions(f.v)[0], f.resultTypes()) }

// scope is a region that runs once, as a block.
func (f *function) scope(r ir.Region, ts []ir.Type) {
	if ts == nil {
		ts = f.resultTypes()
	}
	vals, fields := f.declareAll("t", ts)
	f.declareOnly(fields)
	f.line("{")
	f.block(func() { f.giving(ts, func() { f.assign(ts, fields, f.body(r)) }) })
	f.line("}")
	f.setAll(vals)
}

// loopNames are those of the indices of loops by their nesting.
var loopNames = []string{"i", "j", "k", "l"}

func (f *function) loopName() string {
	base := "i"
	if f.nest < len(loopNames) {
		base = loopNames[f.nest]
	}
	if f.names["loop "+base] == 0 && !f.taken[base] && f.nest < len(loopNames) {
		return base
	}
	return f.variable(base)
}

// counted is a loop over low <= i < high by step, around what body prints. The index of a
// loop whose last step might not fit is computed from the number of the round.
func (f *function) counted(low, high, step ir.Value, body func(i expr)) {
	t := f.g.Type(low)
	width, typ := f.width(t), f.scalar(f.g, f.v, t)
	x, n, by := signed(f.scalarOf(low), width), signed(f.scalarOf(high), width), f.hoistedOf(f.scalarOf(step), t)
	known := f.known.At(f.region)
	if s := known.Number(step); !(s.Width > 0 && s.Low > 0) {
		f.check(binary(relation, "<=", by, number(0)), "the step of a loop is not positive")
	}
	f.loop(width, typ, x, n, by, known.Number(high).High, body)
}

func (f *function) loop(width int, typ string, x, n, by expr, most int64, body func(i expr)) {
	i := f.loopName()
	direct := by.constant && (by.num == 1 || most <= 1<<(width-1)-1-by.num)
	if width == 64 && by.constant && by.num > 1 {
		direct = most <= 1<<62 && by.num <= 1<<61
	}
	f.nest++
	switch {
	case by.constant && by.num == 1:
		f.line("for (%s %s = %s; %s < %s; %s++) {", typ, i, x.text, i, n.in(shift), i)
		f.block(func() { body(name(i)) })
	case direct:
		f.line("for (%s %s = %s; %s < %s; %s += %s) {", typ, i, x.text, i, n.in(shift), i, by.text)
		f.block(func() { body(name(i)) })
	default:
		f.helper("irc_rounds")
		round := f.variable("round")
		from := f.hoistedOf(x, ir.NoType)
		f.line("for (uint64_t %s = 0, rounds = irc_rounds(%s, %s, %s); %s < rounds; %s++) {", round, from.text, n.text, by.text, round, round)
		f.block(func() {
			f.line("%s %s = (%s)((uint64_t)%s + %s * (uint64_t)%s);", typ, i, typ, from.in(unary), round, by.in(unary))
			body(name(i))
		})
	}
	f.line("}")
	f.nest--
}

// hoistedOf is an expression as one that may be written several times.
func (f *function) hoistedOf(x expr, t ir.Type) expr {
	if x.constant || x.prec == primary && x.ops == 0 {
		return x
	}
	typ := "int64_t"
	if t != ir.NoType {
		typ = f.scalar(f.g, f.v, t)
	}
	n := f.variable("n")
	f.line("%s %s = %s;", typ, n, x.text)
	return name(n)
}

func emitFor(f *function) {
	args := f.g.Args(f.v)
	r := f.g.Regions(f.v)[0]
	ts := f.typesOf(args[3:])
	inits := f.args(args[3:])
	vals, fields := f.declareAll("x", ts)
	f.declareWith(ts, fields, inits)
	f.giving(ts, func() {
		f.counted(args[0], args[1], args[2], func(i expr) {
			f.assign(ts, fields, f.bodyWith(r, append([]val{{x: i}}, vals...)))
		})
	})
	f.setAll(vals)
}

// emitWhile runs until the first region says so; what that gives then are the results.
func emitWhile(f *function) {
	regions := f.g.Regions(f.v)
	args := f.g.Args(f.v)
	ts, outs := f.typesOf(args), f.resultTypes()
	vals, fields := f.declareAll("x", ts)
	f.declareWith(ts, fields, f.args(args))
	results, resultFields := f.declareAll("t", outs)
	f.declareOnly(resultFields)
	f.nest++
	f.line("for (;;) {")
	f.giving(append(append([]ir.Type(nil), ts...), outs...), func() {
		f.block(func() {
			pass := f.bodyWith(regions[0], vals)
			cond := f.hoistedOf(pass[0].x, ir.I1)
			f.assign(outs, resultFields, pass[1:])
			f.line("if (!%s)", cond.in(unary))
			f.block(func() { f.line("break;") })
			f.assign(ts, fields, f.bodyWith(regions[1], results))
		})
	})
	f.line("}")
	f.nest--
	f.setAll(results)
}

// emitParallel runs the points of a box in order.
func emitParallel(f *function) {
	seg := f.segments()
	r := f.g.Regions(f.v)[0]
	term := f.g.Term(r)
	ts := f.typesOf(seg[3])
	red := &reduction{function: f, ts: ts, regions: f.g.Regions(term)}
	red.declare(f.args(seg[3]))
	var points []val
	var level func(d int)
	level = func(d int) {
		if d < len(seg[0]) {
			f.counted(seg[0][d], seg[1][d], seg[2][d], func(i expr) {
				points = append(points[:d:d], val{x: i})
				level(d + 1)
			})
			return
		}
		ys := f.bodyWith(r, points)
		outer := f.v
		f.v = term
		red.add(ys)
		f.v = outer
	}
	level(0)
	red.finish()
	f.setAll(red.vals)
}

func emitAssert(f *function) {
	f.stopIf(negated(f.arg(0)), cf.Reason(f.ctx, f.g.AttrsOf(f.v)))
}

// negated is not x.
func negated(x expr) expr { return made(unary, "!"+x.in(unary), x) }

// emitPoison is any value.
func emitPoison(f *function) {
	t := f.g.Type(f.v)
	if f.isMemory(t) {
		f.fail("is memory that is poison, which is not printed as C")
	}
	f.scalar(f.g, f.v, t)
	switch {
	case f.ctx.IsFloat(t):
		f.vals[f.v] = val{x: floating(0, t == ir.F32)}
	case t == ir.I1:
		f.vals[f.v] = val{x: boolean(false)}
	default:
		f.vals[f.v] = val{x: number(0)}
	}
}

func emitCall(f *function) {
	symbol := f.ctx.AttrInfo(f.g.Attr(f.v, "callee")).Str
	c := f.callees[symbol]
	if c == nil {
		f.fail("calls @%s, which is no function of this module; declare it with func.func private @%s(...)", symbol, symbol)
	}
	args, outs := f.g.Args(f.v), f.resultTypes()
	if len(args) != len(c.in) || len(outs) != len(c.out) {
		f.fail("calls @%s with %d operands and %d results, but it has %d and %d", symbol, len(args), len(outs), len(c.in), len(c.out))
	}
	var flat []expr
	for i, a := range args {
		if f.g.Type(a) != c.in[i] {
			f.fail("calls @%s with operand #%d of another type than it has", symbol, i)
		}
		flat = append(flat, f.toFields(c.in[i], f.of(a))...)
	}
	for i, t := range outs {
		if t != c.out[i] {
			f.fail("takes result #%d of @%s as another type than it has", i, symbol)
		}
	}
	var fields []expr
	switch call := called(c.name, flat...); len(c.results) {
	case 0:
		f.line("%s;", call.text)
	case 1:
		n := f.variable("t")
		f.line("%s = %s;", field{c.results[0].typ, n}.declared(), call.text)
		fields = append(fields, name(n))
	default:
		n := f.variable("r")
		f.line("struct %s_results %s;", c.name, n)
		f.line("%s;", called(c.name, append([]expr{{text: "&" + n, prec: primary}}, flat...)...).text)
		for _, x := range c.results {
			fields = append(fields, expr{text: n + "." + x.name, prec: primary, vars: []string{n}})
		}
	}
	vals := make([]val, len(outs))
	for i, t := range outs {
		k := len(f.fields(f.g, f.v, t, "x"))
		vals[i] = f.fromFields(f.g, f.v, t, fields[:k])
		fields = fields[k:]
	}
	f.setAll(vals)
}
