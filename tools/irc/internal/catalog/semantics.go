package catalog

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/interp"
	"github.com/irc-lang/irc/ir/text"
)

// Undefined says when running an op is undefined, and what it does with poison. It is read off the
// definition that the graph itself goes by, so that it is true of an author's dialect as of ours.
type Undefined struct {
	Traps   string `json:"traps"`   // "never", "may", "by case" or "its regions'"
	Takes   string `json:"takes"`   // what an operand that is poison does
	Makes   string `json:"makes"`   // whether the op gives poison of operands that are none
	Effects string `json:"effects"` // "none", "declared", "its regions'" or "world"
}

// undefinedOf reads a definition.
func undefinedOf(d *ir.Dialect, op *ir.OpDef) Undefined {
	r := owns(d, op)
	return Undefined{Traps: trapsOf(op, r), Takes: takesOf(d, op, r), Makes: makesOf(d, op), Effects: effectsOf(op, r)}
}

// owns reports an op with regions.
func owns(d *ir.Dialect, op *ir.OpDef) bool {
	form := ir.Table[text.Syntax](d)[op]
	return op.Body != ir.Once || op.Bodies != nil || op.Kind != nil || op.Has(ir.SingleRegion) || len(form.Regions) > 0 || form.Terminator != nil ||
		form.Blocks
}

func trapsOf(op *ir.OpDef, owns bool) string {
	switch {
	case op.Has(ir.Partial) && op.Traps != nil:
		return "by case"
	case op.Has(ir.Partial):
		return "may"
	case owns && !op.Has(ir.Isolated):
		return "its regions'"
	}
	return "never"
}

// takesOf says what poison in an operand does, in the order of ir.Graph's own questions: see the
// text above Graph.MayBePoison.
func takesOf(d *ir.Dialect, op *ir.OpDef, owns bool) string {
	switch {
	case op.Has(ir.Freezes):
		return "a number"
	case op.Has(ir.Terminator):
		return "handed on"
	case op.Has(ir.Isolated) || len(op.Args) == 0 && !owns:
		return "-"
	case op.Has(ir.Partial) || owns:
		if op.Harmless != nil {
			return "undefined, but where handed on"
		}
		return "undefined"
	case op.Eval == nil && ir.Table[interp.Table](d)[op] != nil: // a Func sees poison
		return "handed on"
	case ir.Table[interp.TakesPoison](d)[op]:
		return "poison, but where not chosen"
	}
	return "poison"
}

func makesOf(d *ir.Dialect, op *ir.OpDef) string {
	switch {
	case op.Has(ir.Terminator) || op.Has(ir.Isolated):
		return "-"
	case op.Poisons != nil:
		return "by case"
	case d.Clean || op.Traits&(ir.Clean|ir.Freezes|ir.ConstantLike|ir.Unique|ir.View) != 0:
		return "never"
	}
	return "may"
}

func effectsOf(op *ir.OpDef, owns bool) string {
	switch {
	case op.Has(ir.Opaque):
		return "world"
	case op.Has(ir.Isolated):
		return "-"
	case op.Effects != nil && owns:
		return "declared, its regions'"
	case op.Effects != nil, op.Has(ir.Unique):
		return "declared"
	case owns && !op.Has(ir.EffectFree):
		return "its regions'"
	}
	return "none"
}

// SemanticsMark is the line of a page behind which Semantics writes.
const SemanticsMark = "<!-- `irc dialects -write docs/semantics.md` writes what follows -->\n"

// Semantics writes, in the place of what stands behind SemanticsMark, a table of the ops of each dialect:
// when running one is undefined. It is an error if the page has no such line.
func Semantics(page string, list []*ir.Dialect) (string, error) {
	return behind(page, SemanticsMark, list, semanticsOf)
}

// behind writes of each dialect what of does, in the place of what a page has behind a line.
func behind(page, mark string, list []*ir.Dialect, of func(b *strings.Builder, d *ir.Dialect)) (string, error) {
	head, _, found := strings.Cut(page, mark)
	if !found {
		return "", fmt.Errorf("the page has no line %s", strings.TrimSpace(mark))
	}
	var b strings.Builder
	b.WriteString(head + mark)
	for _, d := range list {
		of(&b, d)
	}
	return b.String(), nil
}

// semanticsOf writes a row for each op that runs; ops that say the same of themselves share one.
func semanticsOf(b *strings.Builder, d *ir.Dialect) {
	var rows []Undefined
	names := map[Undefined][]string{}
	for _, op := range DescribeDialect(d, nil).Ops {
		if !op.Interp {
			continue
		}
		if len(names[op.Undefined]) == 0 {
			rows = append(rows, op.Undefined)
		}
		names[op.Undefined] = append(names[op.Undefined], "`"+short(op.Name)+"`")
	}
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n| ops | traps | poison in | poison made | effects |\n|---|---|---|---|---|\n", d.Name)
	for _, u := range rows {
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", strings.Join(names[u], " "), u.Traps, u.Takes, u.Makes, u.Effects)
	}
}

// short is the name of an op within its dialect.
func short(name string) string {
	_, n, _ := strings.Cut(name, ".")
	return n
}
