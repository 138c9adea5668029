package scf

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// operandList reads `(%a, %b)`.
func operandList(p *text.Parser) (out []ir.Value) {
	p.List("(", ")", func() {
		v := p.Operand()
		p.CheckType(v, ir.Index)
		out = append(out, v)
	})
	return out
}

func indexParams(p *text.Parser) (out []text.Param) {
	p.List("(", ")", func() {
		a := p.ArgumentName()
		a.Type = ir.Index
		out = append(out, a)
	})
	return out
}

func setSegments(p *text.Parser, op *text.Op, groups ...[]ir.Value) {
	sizes := make([]int64, len(groups))
	op.Args = nil
	for i, g := range groups {
		sizes[i] = int64(len(g))
		op.Args = append(op.Args, g...)
	}
	op.SetProp("operandSegmentSizes", p.Ctx().DenseArray(ir.I32, sizes...))
}

func parseParallel(p *text.Parser, op *text.Op) {
	at := p.At()
	ivs := indexParams(p)
	p.Expect("=")
	lower := operandList(p)
	p.Expect("to")
	upper := operandList(p)
	p.Expect("step")
	step := operandList(p)
	if n := len(ivs); len(lower) != n || len(upper) != n || len(step) != n {
		p.Errorf(at, "expected %d lower bounds, upper bounds and steps, found %d, %d and %d", n, len(lower), len(upper), len(step))
	}
	var inits []ir.Value
	if p.Optional("init") {
		p.List("(", ")", func() { inits = append(inits, p.Operand()) })
	}
	setSegments(p, op, lower, upper, step, inits)
	p.CheckTypes(inits, arrow(p, op))
	p.Region(op, ivs, Reduce)
	p.AttrDict(op)
	checkSteps(p, op)
}

// checkSteps refuses steps that are written as constants that are not positive.
func checkSteps(p *text.Parser, op *text.Op) {
	n := p.Ctx().Ints(op.Prop("operandSegmentSizes"))
	if len(n) != 4 || n[0] < 0 || n[1] < 0 || n[2] < 0 || n[0]+n[1]+n[2] > int64(len(op.Args)) {
		return // Infer says so
	}
	for _, v := range op.Args[n[0]+n[1] : n[0]+n[1]+n[2]] {
		if x, ok := p.Literal(v); ok && int64(x.Bits) <= 0 {
			p.Errorf(op.At, "'%s' op constant step operand must be positive, and is %d", op.Def.Name, int64(x.Bits))
		}
	}
}

// printIndexParams prints `(%i, %j)` of the first n parameters.
func printIndexParams(p *text.Printer, v ir.Value, n int) {
	p.Str(" (")
	for i := range n {
		if i > 0 {
			p.Str(", ")
		}
		p.ParamName(v, 0, i)
	}
	p.Str(")")
}

func printParallel(p *text.Printer, v ir.Value) {
	printIndexParams(p, v, len(p.Params(v, 0)))
	for i, word := range []string{" = (", ") to (", ") step ("} {
		p.Str(word)
		p.Values(p.Group(v, []string{"lowerBound", "upperBound", "step"}[i]))
	}
	p.Str(")")
	if inits := p.Group(v, "initVals"); len(inits) > 0 {
		p.Str(" init (")
		p.Values(inits)
		p.Str(")")
	}
	p.ArrowTypes(p.Ctx().Results(p.Graph().Type(v)))
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v, "operandSegmentSizes")
}

func parseReduce(p *text.Parser, op *text.Op) {
	if p.Optional("(") {
		op.Args = p.Operands()
		p.Expect(":")
		p.CheckTypes(op.Args, p.Types())
		p.Expect(")")
	}
	for p.Peek("{") && len(op.Regions) < len(op.Args) {
		p.Region(op, nil, nil)
		if !p.Optional(",") {
			break
		}
	}
	p.AttrDict(op)
}

func printReduce(p *text.Printer, v ir.Value) {
	g := p.Graph()
	if args := g.Args(v); len(args) > 0 {
		p.Str("(")
		p.Values(args)
		p.Str(" : ")
		p.Types(typesOf(g, args))
		p.Str(")")
	}
	for i := range g.Regions(v) {
		if i > 0 {
			p.Str(",")
		}
		p.Region(v, i, text.RegionStyle{Args: true})
	}
	p.AttrDict(v)
}

// mixedList reads `(%a, 4, ...)`: operands and numbers.
func mixedList(p *text.Parser, op *text.Op, prop string) (out []ir.Value) {
	var static []int64
	p.List("(", ")", func() {
		if v, ok := p.OptionalOperand(); ok {
			p.CheckType(v, ir.Index)
			out, static = append(out, v), append(static, ir.Dynamic)
			return
		}
		static = append(static, p.Integer())
	})
	op.SetProp(prop, p.Ctx().DenseArray(ir.I64, static...))
	return out
}

func parseForall(p *text.Parser, op *text.Op) {
	c := p.Ctx()
	params := indexParams(p)
	n := len(params)
	var lower, upper, step []ir.Value
	if p.Optional("in") {
		upper = mixedList(p, op, "staticUpperBound")
		zero, one := make([]int64, n), make([]int64, n)
		for i := range one {
			one[i] = 1
		}
		op.SetProp("staticLowerBound", c.DenseArray(ir.I64, zero...))
		op.SetProp("staticStep", c.DenseArray(ir.I64, one...))
	} else {
		p.Expect("=")
		lower = mixedList(p, op, "staticLowerBound")
		p.Expect("to")
		upper = mixedList(p, op, "staticUpperBound")
		p.Expect("step")
		step = mixedList(p, op, "staticStep")
	}
	var outs []ir.Value
	if p.Optional("shared_outs") {
		at := p.At()
		var names []text.Param
		names, outs = initList(p)
		ts := arrow(p, op)
		typed(p, names, ts, at)
		p.CheckTypes(outs, ts)
		params = append(params, names...)
	}
	setSegments(p, op, lower, upper, step, outs)
	p.Region(op, params, InParallel)
	p.AttrDict(op)
}

// printMixed prints `(%a, 4, ...)`.
func printMixed(p *text.Printer, static []int64, dynamic []ir.Value) {
	p.Str("(")
	for i, n := range static {
		if i > 0 {
			p.Str(", ")
		}
		if n != ir.Dynamic {
			p.Int(n)
			continue
		}
		p.Value(dynamic[0])
		dynamic = dynamic[1:]
	}
	p.Str(")")
}

func printForall(p *text.Printer, v ir.Value) {
	c, g := p.Ctx(), p.Graph()
	lower, step := c.Ints(p.Prop(v, "staticLowerBound")), c.Ints(p.Prop(v, "staticStep"))
	upper := c.Ints(p.Prop(v, "staticUpperBound"))
	printIndexParams(p, v, len(lower))
	normal := true
	for i := range lower {
		normal = normal && lower[i] == 0 && step[i] == 1
	}
	if normal {
		p.Str(" in ")
		printMixed(p, upper, p.Group(v, "dynamicUpperBound"))
	} else {
		p.Str(" = ")
		printMixed(p, lower, p.Group(v, "dynamicLowerBound"))
		p.Str(" to ")
		printMixed(p, upper, p.Group(v, "dynamicUpperBound"))
		p.Str(" step ")
		printMixed(p, step, p.Group(v, "dynamicStep"))
	}
	if outs := p.Group(v, "outputs"); len(outs) > 0 {
		p.Str(" shared_outs")
		printInits(p, v, len(lower), outs)
		printArrow(p, v)
	}
	p.Region(v, 0, text.RegionStyle{Implicit: emptyEnd(g, v)})
	p.AttrDict(v, "operandSegmentSizes", "staticLowerBound", "staticUpperBound", "staticStep")
}

// emptyEnd is the terminator of forall if it combines nothing.
func emptyEnd(g *ir.Graph, v ir.Value) *ir.OpDef {
	t := g.Term(g.Regions(v)[0])
	if g.Results(v) > 0 || t == 0 || len(g.Regions(t)) != 1 || len(g.Members(g.Regions(t)[0])) > 0 {
		return nil
	}
	return InParallel
}

func parseInParallel(p *text.Parser, op *text.Op) {
	p.Region(op, nil, nil)
	p.AttrDict(op)
}

func printInParallel(p *text.Printer, v ir.Value) {
	p.Region(v, 0, text.RegionStyle{})
	p.AttrDict(v)
}
