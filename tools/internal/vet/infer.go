package vet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// mostOperands is how many operands an Infer is asked about at most, besides those that its Args name.
const mostOperands = 3

// answers asks Infer about operands of usual types, and about too few and too many: a text may hold any.
func (f *finder) answers() {
	c := f.known.ctx
	if f.op.Infer == nil || c == nil || f.op.Traits&(ir.TextOnly|ir.Symbol|ir.Isolated) != 0 || len(f.op.Bodies) > 0 {
		return
	}
	usual := []struct {
		name string
		t    ir.Type
	}{{"i32", ir.I32}, {"f64", ir.F64}, {"i1", ir.I1}, {"index", ir.Index}, {"memref<4xf64>", c.MemRef([]int64{4}, ir.F64)}}
	for n := range max(mostOperands, len(f.op.Args)+1) + 1 {
		for _, x := range usual {
			what := "no operands"
			if n > 0 {
				what = "operands of types " + strings.Join(slices.Repeat([]string{x.name}, n), ", ")
			}
			if !f.answer(what, slices.Repeat([]ir.Type{x.t}, n)) {
				return
			}
		}
	}
}

// answer asks about operands of some types; false if that shows a mistake.
func (f *finder) answer(what string, operands []ir.Type) bool {
	var made ir.Type
	var err error
	thrown, panicked := unwind.Catch[any](func() {
		b := ir.NewBuilder(f.known.ctx, ir.Verbatim)
		var args []ir.Value
		for _, t := range operands {
			args = append(args, b.Param(t))
		}
		var v ir.Value
		if v, err = b.Make(ir.Call{Def: f.op, Args: args}); err == nil {
			made = b.Graph().Type(v)
		}
	})
	var wrong *ir.OpError
	switch {
	case panicked:
		said := fmt.Sprintf("its Infer panics on %s: %v", what, thrown)
		if e := ir.AuthorError(thrown); e != nil {
			said = fmt.Sprintf("on %s it %s", what, e.Msg)
		}
		f.wrong(f.op.Infer, "%s", said).WithFix("look at len(c.Args) and the types first: a text may hold any operands")
	case errors.As(err, &wrong) && wrong.Author:
		f.wrong(f.op.Infer, "on %s it %s", what, wrong.Msg)
	case err == nil && made == ir.NoType:
		f.typeless(what)
	default:
		return true
	}
	return false
}

// typeless tells of an Infer that gives neither a type nor an error. That is right where the type stands in the text,
// and text has a place for it.
func (f *finder) typeless(what string) {
	form, ok := ir.Table[text.Syntax](f.d)[f.op]
	if !ok || form.Format == "" || givesTypes(f.op, form.Format) {
		return
	}
	f.wrong(f.op.Infer, "nothing gives the type of its result: the format has no place for it, and Infer gives none for %s", what).
		WithFix("write `:` type(results) into the format, or let Infer return the type; of an op without results that is ir.Void")
}

// givesTypes reports a format with a place for the types of results.
func givesTypes(op *ir.OpDef, format string) bool {
	if strings.Contains(format, "results)") || strings.Contains(format, "custom<") {
		return true
	}
	for _, part := range strings.Split(format, "type($")[1:] {
		name, _, _ := strings.Cut(part, ")")
		if !slices.ContainsFunc(op.Args, func(a string) bool { return strings.TrimRight(a, ".?") == name }) {
			return true
		}
	}
	return false
}
