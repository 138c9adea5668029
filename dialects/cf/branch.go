package cf

import (
	"slices"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
)

// The branches are in texts only: a region of several blocks is structured when it is read, so no graph has them.
var (
	// Br is cf.br.
	Br = ir.Define(&ir.OpDef{Name: "cf.br", Doc: "Ends a block and goes on in another. In texts only.",
		Args: []string{"destOperands..."}, Traits: ir.Terminator, Infer: inTextOnly})
	// CondBr is cf.cond_br.
	CondBr = ir.Define(&ir.OpDef{Name: "cf.cond_br", Doc: "Ends a block and goes on in one of two others. In texts only.",
		Args:  []string{"condition", "trueDestOperands...", "falseDestOperands..."},
		Attrs: []string{"branch_weights", "operandSegmentSizes"}, Traits: ir.Terminator, Infer: inTextOnly})
	// Switch is cf.switch.
	Switch = ir.Define(&ir.OpDef{Name: "cf.switch", Doc: "Ends a block and goes on in one of several others, by an integer. In texts only.",
		Args:  []string{"flag", "defaultOperands...", "caseOperands..."},
		Attrs: []string{"case_operand_segments", "case_values", "operandSegmentSizes"}, Traits: ir.Terminator, Infer: inTextOnly})
)

func inTextOnly(c *ir.Call) (ir.Type, error) {
	return 0, c.Errorf("branches between blocks, which become ifs and loops when a text is read")
}

// parseBr reads `cf.br ^bb(%x : t)`.
func parseBr(p *text.Parser, op *text.Op) {
	op.Args = branchTarget(p, op)
	p.AttrDict(op)
	op.SetTypes()
}

// parseCondBr reads `cf.cond_br %c weights([1, 2]), ^a(%x : t), ^b`.
func parseCondBr(p *text.Parser, op *text.Op) {
	op.Args = []ir.Value{p.Operand()}
	if p.Optional("weights") {
		var weights []int64
		p.Expect("(")
		p.List("[", "]", func() { weights = append(weights, p.Integer()) })
		p.Expect(")")
		op.SetProp("branch_weights", p.Ctx().DenseArray(ir.I32, weights...))
	}
	p.Expect(",")
	yes := branchTarget(p, op)
	p.Expect(",")
	no := branchTarget(p, op)
	op.Args = append(append(op.Args, yes...), no...)
	op.SetProp("operandSegmentSizes", p.Ctx().DenseArray(ir.I32, 1, int64(len(yes)), int64(len(no))))
	p.AttrDict(op)
	op.SetTypes()
}

// parseSwitch reads `cf.switch %n : i32, [default: ^a(%x : t), 1: ^b]`.
func parseSwitch(p *text.Parser, op *text.Op) {
	flag := p.Operand()
	p.CheckType(flag, p.ColonType())
	op.Args = []ir.Value{flag}
	p.Expect(",")
	var cases, segments []int64
	var first, rest []ir.Value
	seen := false
	p.List("[", "]", func() {
		if !seen {
			seen = true
			p.Expect("default")
			p.Expect(":")
			first = branchTarget(p, op)
			return
		}
		cases = append(cases, p.Integer())
		p.Expect(":")
		to := branchTarget(p, op)
		segments, rest = append(segments, int64(len(to))), append(rest, to...)
	})
	if !seen {
		p.Errorf(op.At, "'cf.switch' op has no default: [default: ^bb]")
	}
	op.Args = append(append(op.Args, first...), rest...)
	c := p.Ctx()
	op.SetProp("case_values", c.DenseArray(ir.I64, cases...))
	op.SetProp("case_operand_segments", c.DenseArray(ir.I32, segments...))
	op.SetProp("operandSegmentSizes", c.DenseArray(ir.I32, 1, int64(len(first)), int64(len(rest))))
	p.AttrDict(op)
	op.SetTypes()
}

// branchTarget reads `^name(%x, %y : t, u)` and gives the values.
func branchTarget(p *text.Parser, op *text.Op) (args []ir.Value) {
	p.Successor(op)
	if p.Optional("(") {
		args = p.Operands()
		p.CheckTypes(args, p.ColonTypes())
		p.Expect(")")
	}
	return args
}

// branches says where the ops go.
var branches = text.Branches{
	Br: func(p *text.Parser, op *text.Op) text.Branch {
		successors(p, op, 1)
		return text.Branch{To: []text.BranchTarget{{Args: slices.Clone(op.Args)}}}
	},
	CondBr: func(p *text.Parser, op *text.Op) text.Branch {
		successors(p, op, 2)
		parts := segments(p, op, "operandSegmentSizes", 0, 3)
		on := decides(p, op, parts[0])
		if p.B().Graph().Type(on) != ir.I1 {
			p.Errorf(op.At, "'cf.cond_br' op operand #0 must be 1-bit signless integer, but got %s", elementwise.Quote(p.Ctx(), p.B().Graph().Type(on)))
		}
		return text.Branch{On: on, To: []text.BranchTarget{{Args: parts[1]}, {Successor: 1, Args: parts[2]}}}
	},
	Switch: switchBranch,
}

func switchBranch(p *text.Parser, op *text.Op) text.Branch {
	values := numbers(p.Ctx(), op.Prop("case_values"))
	successors(p, op, len(values)+1)
	parts := segments(p, op, "operandSegmentSizes", 0, 3)
	on := decides(p, op, parts[0])
	c, t := p.Ctx(), p.B().Graph().Type(on)
	if !c.IsInt(t) || t == ir.Index || c.Info(t).Width > 64 {
		p.Errorf(op.At, "'cf.switch' op operand #0 must be an integer of at most 64 bits, but got %s", elementwise.Quote(c, t))
	}
	sizes := c.Ints(op.Prop("case_operand_segments"))
	if len(sizes) != len(values) {
		p.Errorf(op.At, "'cf.switch' op has %d case values, but operands for %d", len(values), len(sizes))
	}
	out := text.Branch{On: on, Cases: values}
	groups := op.Segments(p, 1+len(parts[1]), sizes)
	seen := map[int64]bool{}
	for i, n := range values {
		values[i] = n << (64 - c.Info(t).Width) >> (64 - c.Info(t).Width)
		if n = values[i]; seen[n] {
			p.Errorf(op.At, "'cf.switch' op has the case %d twice", n)
		}
		seen[n] = true
		out.To = append(out.To, text.BranchTarget{Successor: i + 1, Args: groups[i]})
	}
	out.To = append(out.To, text.BranchTarget{Args: parts[1]})
	if len(values) == 0 {
		out.On, out.Cases = 0, nil
	}
	return out
}

// numbers lists what an array or a dense attribute of integers holds.
func numbers(c *ir.Context, a ir.Attr) []int64 {
	if a == 0 || c.AttrInfo(a).Kind != ir.AttrDense {
		return slices.Clone(c.Ints(a))
	}
	info := c.AttrInfo(a)
	n := ir.Elements(c.Info(info.Type).Shape)
	raw := c.Elems(a)
	out := make([]int64, n)
	for i := range out {
		if info.Splat {
			out[i] = int64(raw[0])
		} else {
			out[i] = int64(raw[i])
		}
	}
	return out
}

func segments(p *text.Parser, op *text.Op, name string, from, n int) [][]ir.Value {
	sizes := p.Ctx().Ints(op.Prop(name))
	if len(sizes) != n {
		p.Errorf(op.At, "'%s' op attribute '%s' has %d numbers, not %d", op.Def.Name, name, len(sizes), n)
	}
	return op.Segments(p, from, sizes)
}

// decides is the one operand that a branch looks at.
func decides(p *text.Parser, op *text.Op, part []ir.Value) ir.Value {
	if len(part) != 1 {
		p.Errorf(op.At, "'%s' op looks at one value, not at %d", op.Def.Name, len(part))
	}
	return part[0]
}

func successors(p *text.Parser, op *text.Op, n int) {
	if op.Successors() != n {
		p.Errorf(op.At, "'%s' op requires %d successors, but has %d", op.Def.Name, n, op.Successors())
	}
}
