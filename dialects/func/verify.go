package funcs

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/ir"
)

// Verify checks what an op alone cannot see: that symbols of a module are unique,
// and that calls and func.constant name functions of their type. g is a file, or
// the body of a module. The error is an *ir.OpError.
func Verify(g *ir.Graph) error {
	symbols := map[string]ir.Value{}
	var err error
	s := ir.NewSchedule(g, ir.ScheduleOptions{})
	s.Walk(func(v ir.Value) {
		a := g.Attr(v, "sym_name")
		if err != nil || a == 0 || !g.Def(v).Has(ir.Symbol) {
			return
		}
		name := g.Ctx.AttrInfo(a).Str
		if symbols[name] != 0 {
			err = opError(g, v, "redefinition of symbol named '%s'", name)
		}
		symbols[name] = v
	})
	s.Walk(func(v ir.Value) {
		for _, c := range g.Children(v) {
			if err != nil {
				return
			}
			if g.Def(v) == Func {
				err = verifyUses(c, g, symbols)
			} else {
				err = Verify(c)
			}
		}
	})
	return err
}

func opError(g *ir.Graph, v ir.Value, format string, args ...any) error {
	e := &ir.OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf(format, args...)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	return e
}

// verifyUses checks the body of a function of module m.
func verifyUses(g, m *ir.Graph, symbols map[string]ir.Value) error {
	var err error
	ir.NewSchedule(g, ir.ScheduleOptions{}).Walk(func(v ir.Value) {
		if err != nil {
			return
		}
		switch g.Def(v) {
		case Call:
			err = verifyCall(g, v, m, symbols)
		case Constant:
			name := g.Ctx.AttrInfo(g.Attr(v, "value")).Str
			f := symbols[name]
			if f == 0 || m.Def(f) != Func {
				err = opError(g, v, "reference to undefined function '%s'", name)
			} else if g.Ctx.AttrInfo(m.Attr(f, "function_type")).Type != g.Type(v) {
				err = opError(g, v, "reference to function with mismatched type")
			}
		}
	})
	return err
}

func verifyCall(g *ir.Graph, v ir.Value, m *ir.Graph, symbols map[string]ir.Value) error {
	name := g.Ctx.AttrInfo(g.Attr(v, "callee")).Str
	f := symbols[name]
	if f == 0 || m.Def(f) != Func {
		return opError(g, v, "'%s' does not reference a valid function", name)
	}
	t := TypeOf(g.Ctx, m.AttrsOf(f))
	args := g.Args(v)
	if len(args) != t.NumIn {
		return opError(g, v, "incorrect number of operands for callee")
	}
	for i, a := range args {
		if g.Type(a) != t.Types[i] {
			return opError(g, v, "operand type mismatch: expected operand type %s, but provided %s for operand number %d",
				arith.Quote(g.Ctx, t.Types[i]), arith.Quote(g.Ctx, g.Type(a)), i)
		}
	}
	results, want := g.Ctx.Results(g.Type(v)), t.Types[t.NumIn:]
	if len(results) != len(want) {
		return opError(g, v, "incorrect number of results for callee")
	}
	for i := range results {
		if results[i] != want[i] {
			return opError(g, v, "result type mismatch at index %d", i)
		}
	}
	return nil
}
