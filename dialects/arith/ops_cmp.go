package arith

import (
	"strings"

	"github.com/irc-lang/irc/dialects/arith/elementwise"
	"github.com/irc-lang/irc/ir"
)

// CmpIPredicate says which comparison cmpi makes.
type CmpIPredicate int64

// The predicates of cmpi.
const (
	EQ CmpIPredicate = iota
	NE
	SLT
	SLE
	SGT
	SGE
	ULT
	ULE
	UGT
	UGE
)

var cmpiNames = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

func (p CmpIPredicate) String() string { return cmpiNames[p] }

// CmpFPredicate says which comparison cmpf makes: O.. is false and U.. true if
// an operand is NaN.
type CmpFPredicate int64

// The predicates of cmpf.
const (
	AlwaysFalse CmpFPredicate = iota
	OEQ
	OGT
	OGE
	OLT
	OLE
	ONE
	ORD
	UEQ
	FUGT
	FUGE
	FULT
	FULE
	UNE
	UNO
	AlwaysTrue
)

var cmpfNames = []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
	"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"}

func (p CmpFPredicate) String() string { return cmpfNames[p] }

// Comparisons and choice.
var (
	Cmpi = ir.Define(&ir.OpDef{Name: "arith.cmpi", Doc: "Compares integers, signed or unsigned, by `predicate`.",
		Args: []string{"lhs", "rhs"}, Attrs: []string{"predicate"}, Traits: ir.Elementwise,
		Infer: compare(elementwise.IntegerLike, len(cmpiNames)), Eval: cmpiEval})
	Cmpf = ir.Define(&ir.OpDef{Name: "arith.cmpf", Doc: "Compares floats, ordered or unordered, by `predicate`.",
		Args: []string{"lhs", "rhs"}, Attrs: []string{"predicate", "fastmath"}, Traits: ir.Elementwise,
		Infer: compare(elementwise.FloatLike, len(cmpfNames)), Eval: cmpfEval, Poisons: elementwise.NotFinite})
	Select = ir.Define(&ir.OpDef{Name: "arith.select", Doc: "The second operand where the first is 1, else the third; the other may be poison.",
		Args: []string{"condition", "true_value", "false_value"}, Traits: ir.Elementwise | ir.EachPart, Infer: inferSelect, Eval: selectEval,
		Refs: func(c *ir.Call) ir.Refs { return ir.Refs{Alias: c.Args[1:]} }})
)

func compare(k elementwise.Class, cases int) func(*ir.Call) (ir.Type, error) {
	return func(c *ir.Call) (ir.Type, error) {
		p := c.Get("predicate")
		if p == 0 {
			return 0, c.Errorf("requires attribute 'predicate'")
		}
		info := c.Ctx().AttrInfo(p)
		if info.Kind != ir.AttrInt || info.Type != ir.I64 || info.Int < 0 || info.Int >= int64(cases) {
			return 0, c.Errorf("attribute 'predicate' failed to satisfy constraint: allowed 64-bit signless integer cases: %s", count(cases))
		}
		if err := elementwise.CheckOperands(c, k, k); err != nil {
			return 0, err
		}
		t := c.ArgType(0)
		if c.ArgType(1) != t {
			return 0, c.Errorf("requires all operands to have the same type")
		}
		if c.Type != ir.NoType {
			if err := elementwise.CheckResult(c, elementwise.BoolLike); err != nil {
				return 0, err
			}
		}
		out := elementwise.WithElem(c.Ctx(), t, ir.I1)
		if c.Type != ir.NoType && c.Type != out {
			return 0, c.Errorf("failed to verify that result type has i1 element type and same shape as operands")
		}
		return out, elementwise.CheckFlags(c)
	}
}

func count(n int) string {
	const digits = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15"
	parts := strings.Split(digits, ", ")
	return strings.Join(parts[:n], ", ")
}

func inferSelect(c *ir.Call) (ir.Type, error) {
	if err := elementwise.CheckOperands(c, elementwise.BoolLike, elementwise.AnyType, elementwise.AnyType); err != nil {
		return 0, err
	}
	cond, t := c.ArgType(0), c.ArgType(1)
	if c.ArgType(2) != t || c.Type != ir.NoType && c.Type != t {
		return 0, c.Errorf("failed to verify that all of {true_value, false_value, result} have same type")
	}
	if cond == ir.I1 {
		return t, nil
	}
	info := c.Ctx().Info(t)
	if info.Kind != ir.KindVector && info.Kind != ir.KindTensor {
		return 0, c.Errorf("failed to verify that condition is signless i1 or has matching shape")
	}
	if !elementwise.SameShape(c.Ctx(), cond, t) {
		return 0, c.Errorf("expected condition type to have the same shape as the result type, expected %s, but got %s",
			elementwise.Quote(c.Ctx(), elementwise.WithElem(c.Ctx(), t, ir.I1)), elementwise.Quote(c.Ctx(), cond))
	}
	return t, nil
}

// PredicateI and PredicateF return the properties of a comparison.
func PredicateI(c *ir.Context, p CmpIPredicate) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "predicate", Value: c.IntAttr(int64(p), ir.I64)}}, nil)
}

// PredicateF is PredicateI for floats.
func PredicateF(c *ir.Context, p CmpFPredicate, f FastMath) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "predicate", Value: c.IntAttr(int64(p), ir.I64)}, {Name: "fastmath", Value: elementwise.FastMathAttr(c, uint8(f))}}, nil)
}
