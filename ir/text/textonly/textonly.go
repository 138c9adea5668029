// Package textonly defines ops that MLIR has and that are text only here: read, printed and checked as far as their form
// says, and neither run nor compiled.
package textonly

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/text/internal/operands"
)

// An Op is a row of a dialect's table of such ops.
type Op struct {
	Name, Doc string
	Args      []string // as in OpDef
	Attrs     []string // properties; "name?" may be absent
	Like      string   // the operand whose type is that of the result, where the text does not say it
	Gives     ir.Type  // the type of the result, if it is always the same
	// Check says what else is wrong with an op whose operands, by Args, and properties are there; c.Type is its type. It
	// knows no more rules than MLIR's verifier.
	Check func(c *ir.Call, args [][]ir.Value) error
	text.Form
}

// Define defines the ops of a table, and says how they are written.
func Define(dialect string, rows ...Op) (ops []*ir.OpDef, syntax text.Syntax) {
	syntax = text.Syntax{}
	for _, row := range rows {
		def := &ir.OpDef{Name: dialect + "." + row.Name, Doc: row.Doc, Args: row.Args, Body: ir.Loop,
			Traits: ir.TextOnly | ir.Partial, Effects: effects, Infer: row.infer}
		for _, a := range row.Attrs {
			name, _ := operands.Kind(a)
			def.Attrs = append(def.Attrs, name)
		}
		slices.Sort(def.Attrs)
		ops = append(ops, ir.Define(def))
		syntax[def] = row.Form
	}
	return ops, syntax
}

// effects: nobody knows what it does to the world, unless it gives a result and touches no memory and runs nothing.
func effects(c *ir.Call) []ir.Effect {
	pure := c.Type != ir.Void && len(c.Regions) == 0
	for i := range c.Args {
		k := c.Ctx().Info(c.ArgType(i)).Kind
		pure = pure && k != ir.KindMemRef && k != ir.KindOpaque
	}
	if pure {
		return nil
	}
	return []ir.Effect{{Kind: ir.Write, On: ir.World}}
}

// infer checks that the operands and properties are there that the row lists.
func (row Op) infer(c *ir.Call) (ir.Type, error) {
	groups, err := row.groups(c)
	if err != nil {
		return 0, err
	}
	for _, a := range row.Attrs {
		if name, k := operands.Kind(a); k == 1 && c.Get(name) == 0 {
			return 0, c.Errorf("requires attribute '%s'", name)
		}
	}
	t := c.Type
	switch {
	case row.Like != "":
		t = c.Graph().Type(groups[slices.Index(row.Args, row.Like)][0])
	case row.Gives != ir.NoType:
		t = row.Gives
	case t == ir.NoType: // the form has no place for the type of a result
		t = ir.Void
	}
	if row.Check != nil {
		err = row.Check(c, groups)
	}
	return t, err
}

// groups splits the operands by the names of the row.
func (row Op) groups(c *ir.Call) ([][]ir.Value, error) {
	n := len(row.Args)
	groups := make([][]ir.Value, n)
	if slices.Contains(row.Attrs, operands.Segments) {
		var err error
		if groups, err = c.Segments(n); err != nil {
			return nil, err
		}
	} else {
		rest := c.Args
		for i, a := range row.Args {
			take := 1
			if _, k := operands.Kind(a); k != 1 {
				take = len(rest) - (n - 1 - i)
			}
			if take < 0 || take > len(rest) {
				return nil, c.Errorf("expects %s, and has %d operands", strings.Join(row.Args, ", "), len(c.Args))
			}
			groups[i], rest = rest[:take], rest[take:]
		}
		if len(rest) > 0 {
			return nil, c.Errorf("expects %s, and has %d operands", strings.Join(row.Args, ", "), len(c.Args))
		}
	}
	for i, a := range row.Args {
		if name, k := operands.Kind(a); k == 1 && len(groups[i]) != 1 || k == '?' && len(groups[i]) > 1 {
			return nil, c.Errorf("expects one operand '%s', and has %d", name, len(groups[i]))
		}
	}
	return groups, nil
}
