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
	a := f.ask(operands, ir.NoType, 0)
	var wrong *ir.OpError
	switch {
	case a.panicked:
		said := fmt.Sprintf("its Infer panics on %s: %v", what, a.thrown)
		if e := ir.AuthorError(a.thrown); e != nil {
			said = fmt.Sprintf("on %s it %s", what, e.Msg)
		}
		f.wrong(f.op.Infer, "%s", said).WithFix("look at len(c.Args) and the types first: a text may hold any operands")
	case errors.As(a.err, &wrong) && wrong.Author:
		f.wrong(f.op.Infer, "on %s it %s", what, wrong.Msg)
	case a.err == nil && a.made == ir.NoType:
		f.typeless("gives none for " + what)
	default:
		return f.inferred(what, operands)
	}
	return false
}

// An answer is what comes of making an op: its type, an error, or a panic of its Infer.
type answer struct {
	made     ir.Type
	err      error
	thrown   any
	panicked bool
}

// is reports an op that was made, of a type.
func (a answer) is(t ir.Type) bool { return a.ok() && a.made == t }

func (a answer) ok() bool { return a.err == nil && !a.panicked }

// ask makes an op of operands, a type that the text says, or ir.NoType, and attributes.
func (f *finder) ask(operands []ir.Type, given ir.Type, attr ir.Attr) (a answer) {
	a.thrown, a.panicked = unwind.Catch[any](func() {
		b := ir.NewBuilder(f.known.ctx, ir.Verbatim)
		var args []ir.Value
		for _, t := range operands {
			args = append(args, b.Param(t))
		}
		var v ir.Value
		if v, a.err = b.Make(ir.Call{Def: f.op, Args: args, Type: given, Attr: attr}); a.err == nil {
			a.made = b.Graph().Type(v)
		}
	})
	return a
}

// inferred reports that an op whose format has no place for types of results does without them: a text that says the type is
// refused, or says what is inferred. An op of numbers as attributes is asked, too; others are found by tests of their texts.
func (f *finder) inferred(what string, operands []ir.Type) bool {
	if form := ir.Table[text.Syntax](f.d)[f.op]; form.Format == "" || givesTypes(f.op, form.Format) {
		return true
	}
	c := f.known.ctx
	var numbers []ir.NamedAttr
	for _, name := range f.op.Attrs {
		numbers = append(numbers, ir.NamedAttr{Name: name, Value: c.IntAttr(1, ir.I64)})
	}
	for _, attr := range []ir.Attr{0, c.Props(numbers, nil)} {
		if f.ask(operands, ir.NoType, attr).ok() {
			continue // its type is inferred, or it has none, which is told
		}
		for _, given := range append([]ir.Type{ir.I32, ir.I64, ir.F64, ir.I1, ir.Index, c.MemRef([]int64{4}, ir.F64)}, operands...) {
			if f.ask(operands, given, attr).is(given) {
				f.typeless(fmt.Sprintf("refuses %s where the text says none, and takes %s for them", what, text.TypeString(c, given)))
				return false
			}
		}
	}
	return true
}

// typeless tells of an Infer that gives neither a type nor an error. That is right where the type stands in the text,
// and text has a place for it.
func (f *finder) typeless(why string) {
	form, ok := ir.Table[text.Syntax](f.d)[f.op]
	if !ok || form.Format == "" || givesTypes(f.op, form.Format) {
		return
	}
	f.wrong(f.op.Infer, "nothing gives the type of its result: the format has no place for it, and Infer %s", why).
		WithFix("write `:` type(results), or `:` type($result), into the format, or let Infer return the type; of an op without results that is ir.Void")
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
