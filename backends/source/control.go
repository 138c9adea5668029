package source

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/cf/reason"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// resultTypes lists the result types of the current op.
func (f *Function) resultTypes() []ir.Type { return f.Ctx.Results(f.G.Type(f.V)) }

func (f *Function) typesOf(vs []ir.Value) []ir.Type {
	return lists.Map(vs, f.G.Type)
}

// giving runs do for regions that give values of types to what is around them.
func (f *Function) giving(ts []ir.Type, do func()) {
	n := 0
	for _, t := range ts {
		if f.IsMemory(t) {
			n = 1
		}
	}
	f.moves += n
	do()
	f.moves -= n
}

// GivesMemory reports that a region around the current op gives memory to what is around it.
func (f *Function) GivesMemory() bool { return f.moves > 0 }

// declareWith writes the declarations of variables with values.
func (f *Function) declareWith(ts []ir.Type, fields [][]Field, vals []Val) {
	for i, t := range ts {
		for k, x := range f.ToFields(t, vals[i]) {
			f.Code.Let(fields[i][k], x)
		}
	}
}

func emitIf(f *Function) {
	regions, ts, cond := f.G.Regions(f.V), f.resultTypes(), f.Arg(0)
	vals, fields := f.declareAll("t", ts)
	f.Code.declareOnly(fields)
	branch := func(r ir.Region) {
		f.Code.Block(func() { f.giving(ts, func() { f.assign(ts, fields, f.Body(r)) }) })
	}
	empty := func(r ir.Region) bool { return len(f.s.Body(r)) <= 1 && len(ts) == 0 }
	if empty(regions[0]) && !empty(regions[1]) {
		f.Code.Line(f.syntax.If, Negated(cond).Text)
		branch(regions[1])
	} else {
		f.Code.Line(f.syntax.If, cond.Text)
		branch(regions[0])
		if !empty(regions[1]) {
			f.Code.Line("} else {")
			branch(regions[1])
		}
	}
	f.Code.Line("}")
	f.SetAll(vals)
}

func emitSwitch(f *Function) {
	regions, ts, on := f.G.Regions(f.V), f.resultTypes(), f.Arg(0)
	vals, fields := f.declareAll("t", ts)
	f.Code.declareOnly(fields)
	f.Code.Line(f.syntax.Switch, f.Lang.Signed(on, 64).Text)
	one := func(label string, r ir.Region) {
		f.Code.Line("%s", label)
		end := f.syntax.EndCase
		f.Code.Block(func() {
			f.giving(ts, func() { f.assign(ts, fields, f.Body(r)) })
			if len(end) > 0 {
				f.Code.Line("%s", end[0])
			}
		})
		if len(end) > 1 {
			f.Code.Line("%s", end[1])
		}
	}
	for i, n := range f.Ctx.Ints(f.G.Attr(f.V, "cases")) {
		one(fmt.Sprintf(f.syntax.Case, f.Number(n).Text), regions[i+1])
	}
	one(f.syntax.Otherwise, regions[0])
	f.Code.Line("}")
	f.SetAll(vals)
}

// emitOnce is a region that runs once, as a block.
func emitOnce(f *Function) {
	ts := f.resultTypes()
	vals, fields := f.declareAll("t", ts)
	f.Code.declareOnly(fields)
	f.Code.Line("{")
	f.Code.Block(func() { f.giving(ts, func() { f.assign(ts, fields, f.Body(f.G.Regions(f.V)[0])) }) })
	f.Code.Line("}")
	f.SetAll(vals)
}

// loopNames are those of the indices of loops by their nesting.
var loopNames = []string{"i", "j", "k", "l"}

// counted is a loop over low <= i < high by step, around what body prints. The index of a
// loop whose last step might not fit is computed from the number of the round.
func (f *Function) counted(low, high, step ir.Value, body func(i Expr)) {
	t := f.G.Type(low)
	width, typ := f.Width(t), f.Scalar(f.G, f.V, t)
	x, n := f.Lang.Signed(f.ScalarOf(low), width), f.Lang.Signed(f.ScalarOf(high), width)
	by := f.HoistedOf(f.Lang.Signed(f.ScalarOf(step), width), t)
	known := f.Known.At(f.Region)
	if s := known.Number(step); !(s.Width > 0 && s.Low > 0) {
		f.Check(Binary(Relation, "<=", by, f.Number(0)), "the step of a loop is not positive")
	}
	most := known.Number(high).High
	direct := by.Constant && (by.Num == 1 || most <= 1<<(width-1)-1-by.Num)
	if width == 64 && by.Constant && by.Num > 1 {
		direct = most <= 1<<62 && by.Num <= 1<<61
	}
	i := f.Code.loopName()
	f.Code.nest++
	if direct {
		f.Code.Line("%s", f.Lang.Count(typ, i, f.Lang.Typed(x, t), f.Lang.Typed(n, t), by))
		f.Code.Block(func() { body(Name(i)) })
	} else {
		from := f.HoistedOf(x, t)
		index := f.Lang.CountTrips(f, typ, i, f.Lang.Typed(from, t), f.Lang.Typed(n, t), f.Lang.Typed(by, t))
		f.Code.Block(func() {
			f.Code.Line("%s", index)
			body(Name(i))
		})
	}
	f.Code.Line("}")
	f.Code.nest--
}

func emitFor(f *Function) {
	args, r := f.G.Args(f.V), f.G.Regions(f.V)[0]
	ts := f.typesOf(args[3:])
	inits := f.Args(args[3:])
	vals, fields := f.declareAll("x", ts)
	f.declareWith(ts, fields, inits)
	f.giving(ts, func() {
		f.counted(args[0], args[1], args[2], func(i Expr) {
			f.assign(ts, fields, f.bodyWith(r, append([]Val{{X: i}}, vals...)))
		})
	})
	f.SetAll(vals)
}

// emitWhile runs until the first region says so; what that gives then are the results.
func emitWhile(f *Function) {
	regions, args := f.G.Regions(f.V), f.G.Args(f.V)
	ts, outs := f.typesOf(args), f.resultTypes()
	vals, fields := f.declareAll("x", ts)
	f.declareWith(ts, fields, f.Args(args))
	results, resultFields := f.declareAll("t", outs)
	f.Code.declareOnly(resultFields)
	f.Code.nest++
	f.Code.Line("%s", f.syntax.Forever)
	f.giving(append(append([]ir.Type(nil), ts...), outs...), func() {
		f.Code.Block(func() {
			pass := f.bodyWith(regions[0], vals)
			cond := f.HoistedOf(pass[0].X, ir.I1)
			f.assign(outs, resultFields, pass[1:])
			f.Code.guarded(Negated(cond), f.syntax.Exit)
			f.assign(ts, fields, f.bodyWith(regions[1], results))
		})
	})
	f.Code.Line("}")
	f.Code.nest--
	f.SetAll(results)
}

// emitParallel runs the points of a box in order.
func emitParallel(f *Function) {
	seg, r := f.G.Segments(f.V), f.G.Regions(f.V)[0]
	term := f.G.Term(r)
	ts := f.typesOf(seg[3])
	red := &reduction{Function: f, ts: ts, regions: f.G.Regions(term)}
	red.declare(f.Args(seg[3]))
	var points []Val
	var level func(d int)
	level = func(d int) {
		if d < len(seg[0]) {
			f.counted(seg[0][d], seg[1][d], seg[2][d], func(i Expr) {
				points = append(points[:d:d], Val{X: i})
				level(d + 1)
			})
			return
		}
		ys := f.bodyWith(r, points)
		outer := f.V
		f.V = term
		red.add(ys)
		f.V = outer
	}
	level(0)
	red.finish()
	f.SetAll(red.vals)
}

func emitAssert(f *Function) {
	f.stopIf(Negated(f.Arg(0)), reason.Of(f.Ctx, f.G.AttrsOf(f.V)))
}

// emitPoison is any value.
func emitPoison(f *Function) {
	t := f.G.Type(f.V)
	if f.IsMemory(t) {
		f.Fail("is memory that is poison, which is not printed as %s", f.syntax.Name)
	}
	f.Scalar(f.G, f.V, t)
	f.Give(f.number(t, 0))
}

// emitFreeze is the operand, for poison is some value here.
func emitFreeze(f *Function) { f.SetAll([]Val{f.Of(f.G.Args(f.V)[0])}) }

// Call is the call of a function of this module: who is called, with what.
func (f *Function) Call() (c *Callee, args []ir.Value) {
	symbol := f.Ctx.AttrInfo(f.G.Attr(f.V, "callee")).Str
	c = f.Callees[symbol]
	if c == nil {
		f.Fail("calls @%s, which is no function of this module; declare it with func.func private @%s(...)", symbol, symbol)
	}
	in, outs := f.G.Args(f.V), f.resultTypes()
	if len(in) != len(c.In) || len(outs) != len(c.Out) {
		f.Fail("calls @%s with %d operands and %d results, but it has %d and %d", symbol, len(in), len(outs), len(c.In), len(c.Out))
	}
	for i, a := range in {
		if f.G.Type(a) != c.In[i] {
			f.Fail("calls @%s with operand #%d of another type than it has", symbol, i)
		}
	}
	for i, t := range outs {
		if t != c.Out[i] {
			f.Fail("takes result #%d of @%s as another type than it has", i, symbol)
		}
	}
	return c, in
}

// SelectFields is a select of memory: each part is chosen.
func (f *Function) SelectFields(choose func(c, x, y Expr) Expr) {
	args, t := f.G.Args(f.V), f.G.Type(f.V)
	vals, fields := f.declareAll("m", []ir.Type{t})
	x, y := f.ToFields(t, f.Of(args[1])), f.ToFields(t, f.Of(args[2]))
	cond := f.HoistedOf(f.Of(args[0]).X, ir.I1)
	for i, to := range fields[0] {
		f.Code.Let(to, choose(cond, x[i], y[i]))
	}
	f.SetAll(vals)
}
