package affine

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/affine/expr"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text"
)

// implicit is the terminator that an op without results leaves out.
func implicit(results int) *ir.OpDef {
	if results > 0 {
		return nil
	}
	return Yield
}

// arrow reads `-> types` if it is there, as the types of op.
func arrow(p *text.Parser, op *text.Op) (ts []ir.Type) {
	if p.Peek("->") {
		ts = p.ArrowTypes()
	}
	op.SetTypes(ts...)
	return ts
}

// parseBound reads a number, `%s`, or `max #map(%d)[%s]`, of which the word is needed where the
// map has several results.
func parseBound(p *text.Parser, word, which string) (*expr.Map, []ir.Value) {
	if n, ok := p.OptionalInteger(); ok {
		return expr.Constants(n), nil
	}
	if v, ok := p.OptionalOperand(); ok {
		p.CheckType(v, ir.Index)
		checkOperands(p, 0, []ir.Value{v})
		return &expr.Map{Syms: 1, Results: []*expr.Expr{expr.Sym(0)}}, []ir.Value{v}
	}
	given := p.Optional(word)
	at := p.At()
	_, m := p.AffineMap()
	if len(m.Results) == 0 || len(m.Results) > 1 && !given {
		p.Errorf(at, "the %s bound is a map with %d results: one needs no word before it, several need '%s'", which, len(m.Results), word)
	}
	args := mapOperands(p, m.Dims, m.Syms)
	checkOperands(p, m.Dims, args)
	return m, args
}

func printBound(p *text.Printer, m *expr.Map, args []ir.Value, word string) {
	if len(m.Results) == 1 {
		e := m.Results[0]
		if e.IsConst() && len(args) == 0 {
			p.Int(e.N)
			return
		}
		if m.Dims == 0 && m.Syms == 1 && e.Op == expr.OpSym {
			p.Value(args[0])
			return
		}
	} else {
		p.Str(word, " ")
	}
	p.Attr(m.Attr(p.Ctx()))
	printOperands(p, m.Dims, args)
}

func parseFor(p *text.Parser, op *text.Op) {
	at := p.At()
	iv := p.ArgumentName()
	iv.Type = ir.Index
	p.Expect("=")
	b := bounds{step: 1}
	b.lower, b.lowerArgs = parseBound(p, "max", "lower")
	p.Expect("to")
	b.upper, b.upperArgs = parseBound(p, "min", "upper")
	if p.Optional("step") {
		at := p.At()
		if b.step = p.Integer(); b.step <= 0 {
			p.Errorf(at, "the step of a loop is positive, not %d", b.step)
		}
	}
	params := []text.Param{iv}
	if p.Optional("iter_args") {
		p.List("(", ")", func() {
			params = append(params, p.ArgumentName())
			p.Expect("=")
			b.inits = append(b.inits, p.Operand())
		})
		ts := arrow(p, op)
		if len(ts) != len(b.inits) {
			p.Errorf(at, "%d values are named, but %d types are given", len(b.inits), len(ts))
		}
		for i, t := range ts {
			params[i+1].Type = t
		}
		p.CheckTypes(b.inits, ts)
	}
	c := p.Ctx()
	op.Args = b.args()
	op.SetProp("lowerBoundMap", b.lower.Attr(c))
	op.SetProp("upperBoundMap", b.upper.Attr(c))
	op.SetProp("step", c.IntAttr(b.step, ir.Index))
	op.SetProp("operandSegmentSizes", c.DenseArray(ir.I32, int64(len(b.lowerArgs)), int64(len(b.upperArgs)), int64(len(b.inits))))
	p.Region(op, params, implicit(len(b.inits)))
	p.AttrDict(op)
}

func printFor(p *text.Printer, v ir.Value) {
	g := p.Graph()
	b := boundsOf(p.Ctx(), g.AttrsOf(v), g.Args(v))
	p.Str(" ")
	p.ParamName(v, 0, 0)
	p.Str(" = ")
	printBound(p, b.lower, b.lowerArgs, "max")
	p.Str(" to ")
	printBound(p, b.upper, b.upperArgs, "min")
	if b.step != 1 {
		p.Str(" step ")
		p.Int(b.step)
	}
	if len(b.inits) > 0 {
		p.Str(" iter_args(")
		for i, x := range b.inits {
			if i > 0 {
				p.Str(", ")
			}
			p.ParamName(v, 0, i+1)
			p.Str(" = ")
			p.Value(x)
		}
		p.Str(")")
	}
	printArrow(p, v)
	p.Region(v, 0, text.RegionStyle{Implicit: implicit(g.Results(v))})
	p.AttrDict(v, For.Attrs...)
}

// printArrow prints the types of results in parentheses.
func printArrow(p *text.Printer, v ir.Value) {
	if ts := p.Ctx().Results(p.Graph().Type(v)); len(ts) > 0 {
		p.Str(" -> (")
		p.Types(ts)
		p.Str(")")
	}
}

// checkFor checks the operands of an op in generic form; what Infer says comes later.
func checkFor(p *text.Parser, op *text.Op) {
	args := op.Args
	for _, name := range []string{"lowerBoundMap", "upperBoundMap"} {
		if m := expr.MapOf(p.Ctx(), op.Prop(name)); m != nil && m.Inputs() <= len(args) {
			checkOperands(p, m.Dims, args[:m.Inputs()])
			args = args[m.Inputs():]
		}
	}
}

func checkParallel(p *text.Parser, op *text.Op) {
	args := op.Args
	for _, name := range []string{"lowerBoundsMap", "upperBoundsMap"} {
		if m := expr.MapOf(p.Ctx(), op.Prop(name)); m != nil && m.Inputs() <= len(args) {
			checkOperands(p, m.Dims, args[:m.Inputs()])
			args = args[m.Inputs():]
		}
	}
}

func checkIf(p *text.Parser, op *text.Op) {
	a := op.Attr("condition")
	if a == 0 {
		a = op.Prop("condition")
	}
	if s := expr.SetOf(p.Ctx(), a); s != nil && s.Inputs() == len(op.Args) {
		checkOperands(p, s.Dims, op.Args)
	}
}

func parseIf(p *text.Parser, op *text.Op) {
	a, s := p.AffineSet()
	op.Args = mapOperands(p, s.Dims, s.Syms)
	checkOperands(p, s.Dims, op.Args)
	ts := arrow(p, op)
	p.Region(op, nil, implicit(len(ts)))
	if p.Optional("else") {
		p.Region(op, nil, implicit(len(ts)))
	} else {
		p.NoRegion(op)
	}
	p.AttrDict(op)
	op.SetAttr("condition", a)
}

func printIf(p *text.Printer, v ir.Value) {
	g := p.Graph()
	p.Str(" ")
	p.Attr(p.Prop(v, "condition"))
	printOperands(p, expr.SetOf(p.Ctx(), p.Prop(v, "condition")).Dims, g.Args(v))
	printArrow(p, v)
	style := text.RegionStyle{Implicit: implicit(g.Results(v))}
	p.Region(v, 0, style)
	if p.HasBody(v, 1) {
		p.Str(" else")
		p.Region(v, 1, style)
	}
	p.AttrDict(v, "condition")
}

// parseBox reads `(%i + 1, max(%a, %b))`: a group of expressions for each dimension.
func parseBox(p *text.Parser, word string) (m *expr.Map, groups []int64, args []ir.Value) {
	var in text.AffineOperands
	m = &expr.Map{}
	p.List("(", ")", func() {
		before := len(m.Results)
		if p.Optional(word) {
			p.List("(", ")", func() { m.Results = append(m.Results, p.Affine(&in)) })
		} else {
			m.Results = append(m.Results, p.Affine(&in))
		}
		groups = append(groups, int64(len(m.Results)-before))
	})
	m.Dims, m.Syms = len(in.Dims), len(in.Syms)
	checkOperands(p, m.Dims, in.All())
	return m, groups, in.All()
}

func printBox(p *text.Printer, m *expr.Map, groups []int64, args []ir.Value, word string) {
	w := inValues{p, m.Dims, args}
	p.Str("(")
	for d, n := range groups {
		if d > 0 {
			p.Str(", ")
		}
		if n > 1 {
			p.Str(word, "(")
		}
		w.list(results(m, groups, d))
		if n > 1 {
			p.Str(")")
		}
	}
	p.Str(")")
}

func parseParallel(p *text.Parser, op *text.Op) {
	c, at := p.Ctx(), p.At()
	var ivs []text.Param
	p.List("(", ")", func() {
		iv := p.ArgumentName()
		iv.Type = ir.Index
		ivs = append(ivs, iv)
	})
	p.Expect("=")
	lower, lowerN, lowerArgs := parseBox(p, "max")
	p.Expect("to")
	upper, upperN, upperArgs := parseBox(p, "min")
	steps := make([]int64, len(ivs))
	for i := range steps {
		steps[i] = 1
	}
	if p.Optional("step") {
		steps = nil
		p.List("(", ")", func() {
			at := p.At()
			n := p.Integer()
			if n <= 0 {
				p.Errorf(at, "the step of a loop is positive, not %d", n)
			}
			steps = append(steps, n)
		})
	}
	if n := len(ivs); len(lowerN) != n || len(upperN) != n || len(steps) != n {
		p.Errorf(at, "expected %d lower bounds, upper bounds and steps, found %d, %d and %d", n, len(lowerN), len(upperN), len(steps))
	}
	var kinds []ir.Attr
	if p.Optional("reduce") {
		p.List("(", ")", func() { kinds = append(kinds, c.IntAttr(parseReduction(p), ir.I64)) })
	}
	ts := arrow(p, op)
	op.Args = slices.Concat(lowerArgs, upperArgs)
	op.SetProp("lowerBoundsMap", lower.Attr(c))
	op.SetProp("upperBoundsMap", upper.Attr(c))
	op.SetProp("lowerBoundsGroups", groupsAttr(c, lowerN))
	op.SetProp("upperBoundsGroups", groupsAttr(c, upperN))
	op.SetProp("steps", intArray(c, steps))
	op.SetProp("reductions", c.ArrayAttr(kinds...))
	p.Region(op, ivs, implicit(len(ts)))
	p.AttrDict(op)
}

func intArray(c *ir.Context, ns []int64) ir.Attr {
	list := lists.Map(ns, func(n int64) ir.Attr { return c.IntAttr(n, ir.I64) })
	return c.ArrayAttr(list...)
}

// parseReduction reads the name of a reduction.
func parseReduction(p *text.Parser) int64 {
	at := p.At()
	name := p.String()
	i := slices.IndexFunc(reductions, func(r reduction) bool { return r.name == name && r.op != nil })
	if i < 0 {
		p.Errorf(at, "there is no reduction \"%s\"", name)
	}
	return int64(i)
}

func printParallel(p *text.Printer, v ir.Value) {
	g := p.Graph()
	b, _ := boxOf(p.Ctx(), g.AttrsOf(v), g.Args(v))
	p.Str(" (")
	for i := range p.Params(v, 0) {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, i)
	}
	p.Str(") = ")
	printBox(p, b.lower, b.lowerN, b.lowerArgs, "max")
	p.Str(" to ")
	printBox(p, b.upper, b.upperN, b.upperArgs, "min")
	if slices.ContainsFunc(b.steps, func(n int64) bool { return n != 1 }) {
		p.Str(" step (")
		for i, n := range b.steps {
			if i > 0 {
				p.Str(", ")
			}
			p.Int(n)
		}
		p.Str(")")
	}
	for i, k := range b.kinds {
		p.Str([]string{", ", " reduce ("}[btoi(i == 0)])
		p.Quoted(k.name)
	}
	if len(b.kinds) > 0 {
		p.Str(")")
	}
	printArrow(p, v)
	p.Region(v, 0, text.RegionStyle{Implicit: implicit(g.Results(v))})
	p.AttrDict(v, Parallel.Attrs...)
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
