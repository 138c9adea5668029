package text

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/text/internal/operands"
)

// CheckForms reads all formats of a dialect, which else are read when a program first has the op, and yields what its
// author has got wrong: the name of the op, type or attribute, and what is wrong with its syntax.
func CheckForms(d *ir.Dialect) iter.Seq2[string, *diag.Diagnostic] {
	return func(yield func(string, *diag.Diagnostic) bool) {
		syntax := ir.Table[Syntax](d)
		byName := func(x, y *ir.OpDef) int { return cmp.Compare(x.Name, y.Name) }
		for _, def := range slices.SortedFunc(maps.Keys(syntax), byName) {
			c := formCheck{form: &form{Form: syntax[def], def: def, compiledFormat: new(compiledFormat)}, branches: ir.Table[Branches](d)[def]}
			c.op()
			for _, w := range c.wrong {
				if !yield(def.Name, w) {
					return
				}
			}
		}
		for _, list := range [][]ir.Defined{d.Types, d.Attrs} {
			for _, x := range list {
				if s := x.Shape(); s != nil {
					if w := checkNotation(s); w != nil && !yield(s.Name, w) {
						return
					}
				}
			}
		}
	}
}

// checkNotation is what is wrong with how a type or an attribute is written, or nil.
func checkNotation(s *ir.Shape) *diag.Diagnostic {
	f, wrong := formOfShape(s)
	if wrong != nil {
		names := lists.Map(s.Params, func(p ir.ParamInfo) string { return "$" + p.Name })
		return wrong.diagnostic().WithFix("a format has literals in `...`, optional groups, and the parameters: %s", cmp.Or(strings.Join(names, ", "), "here none"))
	}
	names := map[string]bool{}
	for _, e := range elementsIn(f.elems) {
		names[e.text] = names[e.text] || e.kind == eAttr
	}
	for _, p := range s.Params {
		if !names[p.Name] {
			e := formatError{name: s.Name, format: f.Format, msg: "the parameter $" + p.Name + " is not in the format: it would be lost in text"}
			return e.diagnostic().WithFix("write $%s into the format", p.Name)
		}
	}
	return nil
}

// diagnostic shows the format with the place of the mistake.
func (e *formatError) diagnostic() *diag.Diagnostic {
	src := diag.NewSource("format of "+e.name, e.format)
	return diag.Errorf(src.At(e.at), "%s", e.msg)
}

// formCheck looks for mistakes in the form of an op.
type formCheck struct {
	*form
	branches func(*Parser, *Op) Branch // what the op does that branches: a graph has other ops in its place
	all      []element                 // of the format, those of groups too
	wrong    []*diag.Diagnostic
}

func (c *formCheck) say(at int, format string, args ...any) *diag.Diagnostic {
	e := formatError{name: c.def.Name, format: c.Format, at: at, msg: fmt.Sprintf(format, args...)}
	c.wrong = append(c.wrong, e.diagnostic())
	return c.wrong[len(c.wrong)-1]
}

// op checks a form: its fields against one another and the definition, then what the format says.
func (c *formCheck) op() {
	switch {
	case c.Format != "" && (c.Parse != nil || c.Print != nil):
		c.say(0, "the op has a Format and a Parse or a Print: they say the same twice").WithFix("leave out one of them")
	case (c.Parse == nil) != (c.Print == nil) && c.branches == nil:
		c.say(0, "the op has one of Parse and Print: what is printed must be read").WithFix("give both, or a Format")
	}
	for _, name := range slices.Sorted(maps.Keys(c.Attrs)) {
		if !inherent(c.def, name) {
			c.say(0, "Form.Attrs says how %q is written, which is no attribute of the op", name).WithFix("%s", c.meant(name, c.def.Attrs, "add it to OpDef.Attrs"))
		}
	}
	if c.Terminator != nil && !c.Terminator.Has(ir.Terminator) {
		c.say(0, "Form.Terminator is %s, which ends no region", c.Terminator.Name).WithFix("give %s the trait ir.Terminator", c.Terminator.Name)
	}
	if c.Format == "" {
		return
	}
	elems, wrong := c.compile()
	if wrong != nil {
		c.wrong = append(c.wrong, wrong.diagnostic().WithFix("%s", c.has()))
		return
	}
	c.all = elementsIn(elems)
	for _, look := range []func(){c.names, c.groups, c.variadics, c.missing} {
		if look(); len(c.wrong) > 0 {
			return // what is missing may be what was spelt wrongly
		}
	}
}

// has says what the format may name.
func (c *formCheck) has() string {
	var names []string
	for _, n := range slices.Concat(c.def.Args, c.def.Attrs, c.Regions) {
		base, _ := operands.Kind(n)
		names = append(names, "$"+base)
	}
	if len(names) == 0 {
		return "the op has no operands, attributes or regions to name"
	}
	return "the op has " + strings.Join(names, ", ") + "; the notation is that of text.Form"
}

// meant is a way out for a name that is nothing.
func (c *formCheck) meant(name string, names []string, otherwise string) string {
	bases := lists.Map(names, func(s string) string { base, _ := operands.Kind(s); return base })
	if near := diag.Nearest(name, bases); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// names checks that each $name is something of the op.
func (c *formCheck) names() {
	for _, e := range c.all {
		near := c.meant(e.text, c.def.Args, "")
		if e.kind == eType && e.results && !e.all && len(c.Results) == 0 && near != "" && !strings.HasPrefix(e.text, "res") {
			c.say(e.at, "type($%s) is the type of the result: no operand is called so", e.text).WithFix("%s", near)
		}
	}
}

// groups checks that what says whether a group is there can be absent.
func (c *formCheck) groups() {
	for _, e := range c.all {
		for _, x := range e.body {
			switch {
			case x.anchor && x.kind == eLiteral:
				c.say(x.at, "the anchor of the group is a literal, which is always there").WithFix("write ^ behind an operand, an attribute or a region")
			case x.anchor && x.kind == eOperand && x.kindOf == 1:
				c.say(x.at, "the anchor of the group is $%s, which is always there", x.text).WithFix("call the operand %q in OpDef.Args if it may be absent", x.text+"?")
			}
		}
	}
}

// variadics checks that text says which operand belongs to which name.
func (c *formCheck) variadics() {
	var many []string
	for _, a := range c.def.Args {
		if name, kind := operands.Kind(a); kind != 1 {
			many = append(many, "$"+name)
		}
	}
	if len(many) > 1 && !inherent(c.def, operands.Segments) && slices.ContainsFunc(c.all, func(e element) bool { return e.kind == eOperand && e.kindOf != 1 }) {
		c.say(0, "%s have any number of operands, and nothing says which are whose", strings.Join(many, " and ")).WithFix("add %q to OpDef.Attrs", operands.Segments)
	}
}

// missing checks that the format has all of the op: what it leaves out would be lost in text.
func (c *formCheck) missing() {
	has := func(kinds ...elemKind) bool {
		return slices.ContainsFunc(c.all, func(e element) bool { return slices.Contains(kinds, e.kind) })
	}
	if has(eCustom) {
		return // it may write anything
	}
	if !has(eAttrDict) {
		c.say(len(c.Format), "attr-dict is missing: attributes of the op would be lost in text").WithFix("write attr-dict where they are to stand, mostly before the `:`")
	}
	if !has(eOperands) {
		for _, a := range c.def.Args {
			name, _ := operands.Kind(a)
			if !slices.ContainsFunc(c.all, func(e element) bool { return e.kind == eOperand && e.text == name }) {
				c.say(len(c.Format), "the operand $%s is missing: it would be lost in text", name).WithFix("write $%s into the format, or operands for all", name)
			}
		}
	}
	if len(c.def.Bodies) > 0 && !has(eRegion, eRegions) {
		c.say(len(c.Format), "the regions are missing: they would be lost in text").WithFix("write regions into the format")
	}
	if c.def.Infer == nil && len(c.Results) > 0 && !typesResults(c.elems) {
		c.say(len(c.Format), "nothing gives the types of the results: neither the format nor an Infer").WithFix("write type(results) into the format")
	}
}
