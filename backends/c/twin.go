package c

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/backends/status"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// A function that a trap may leave is printed once, with a status as its result: what is checked is a
// statement before the one that needs it, and what fails is a return. A call hands the status on. Of a
// public function that is NAME_checked, and NAME calls it and ends the program where there is a status.
// A function that no trap leaves is printed as it is, and NAME_checked calls it.

// A unit is a function as it is printed.
type unit struct {
	text  string
	done  bool // it is printed; while it is not, who calls it cannot know whether it traps
	traps bool
	twin  string // the name of its form with a status
}

// print prints a function, once, and before it those that it calls.
func (e *emitter) print(c *source.Callee) *unit {
	if u := e.units[c]; u != nil {
		return u
	}
	u := &unit{twin: c.Name}
	e.units[c] = u
	if !c.Defined() {
		u.done = true
		return u
	}
	if !c.Private {
		if u.twin = c.Name + status.Suffix; e.Taken[u.twin] {
			source.FailAt(e.G, c.V, status.NameConflict, c.Symbol, u.twin)
		}
	}
	f := &function{e.NewFunction(c), e}
	f.Code.Block(func() {
		for i, p := range c.G.Params(ir.Root) {
			f.Bind(p, f.parameter(c.In[i], c.Params[i]))
		}
		f.returns(f.Body(ir.Root))
	})
	f.Code.DropUnused("(void)%s;")
	u.text, u.done = e.signature(c, u.traps)+" {\n"+f.Code.Text()+"}\n", true
	return u
}

// mayTrap reports that a call of a function has to look at its status.
func (e *emitter) mayTrap(c *source.Callee) bool {
	u := e.print(c)
	if !u.done { // it calls itself, perhaps by way of others
		u.traps = true
	}
	return u.traps
}

// Trap is a return with a status.
func (e *emitter) Trap(f *source.Function, reason string) string {
	e.units[f.Callee].traps = true
	e.reasons = append(e.reasons, reason)
	_, what, _ := strings.Cut(reason, ": ")
	return fmt.Sprintf("return %d; /* %s */", status.Code(reason), commented(what))
}

// commented is a text as it may stand in a comment.
func commented(s string) string {
	return strings.NewReplacer("*/", "* /", "/*", "/ *", "\n", " ", "\r", " ").Replace(s)
}

// resultStruct declares what a function of several results fills.
func (e *emitter) resultStruct(c *source.Callee) string {
	if len(c.Results) < 2 {
		return ""
	}
	members := lists.Map(c.Results, func(x source.Field) string { return declared(x) + ";" })
	return fmt.Sprintf("struct %s_results { %s };\n", c.Name, strings.Join(members, " "))
}

// signature is the head of a function, with a status as its result or without.
func (e *emitter) signature(c *source.Callee, withStatus bool) string {
	result, name := source.Field{Type: "void"}, c.Name
	var params []string
	switch {
	case len(c.Results) > 1:
		params = append(params, fmt.Sprintf("struct %s_results *%s", c.Name, e.local("results")))
	case len(c.Results) == 1 && withStatus:
		params = append(params, declared(source.Field{Type: e.Base(c.Results[0].Type), Name: e.local("result")}))
	case len(c.Results) == 1:
		result.Type = c.Results[0].Type
	}
	if withStatus {
		result.Type, name = "int32_t", e.units[c].twin
	}
	for i, t := range c.In {
		for k, x := range e.fields(e.G, c.V, t, c.Params[i]) {
			if k == 0 && e.noAlias(c, i) && strings.HasSuffix(x.Type, "*") {
				x.Type += "restrict "
			}
			params = append(params, declared(x))
		}
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	result.Name = name
	text := declared(result) + "(" + strings.Join(params, ", ") + ")"
	if c.Defined() && c.Private {
		text = "static " + text
	}
	return text
}

// otherForm is that form of a public function that calls the one which has its body.
func (e *emitter) otherForm(c *source.Callee, u *unit) string {
	if c.Private {
		return ""
	}
	var args []string
	for i, t := range c.In {
		for _, x := range e.fields(e.G, c.V, t, c.Params[i]) {
			args = append(args, x.Name)
		}
	}
	if len(c.Results) > 1 {
		args = append([]string{e.local("results")}, args...)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s {\n", e.signature(c, !u.traps))
	call := func(name string) string { return name + "(" + strings.Join(args, ", ") + ")" }
	single, result, status := len(c.Results) == 1, e.local("result"), e.local("status")
	switch {
	case u.traps:
		if single {
			fmt.Fprintf(&b, "\t%s;\n", declared(source.Field{Type: c.Results[0].Type, Name: result}))
			args = append([]string{"&" + result}, args...)
		}
		fmt.Fprintf(&b, "\tint32_t %[1]s = %[2]s;\n\tif (%[1]s != 0)\n\t\t%[3]s(%[1]s);\n", status, call(u.twin), e.helper("irc_trap"))
		if single {
			fmt.Fprintf(&b, "\treturn %s;\n", result)
		}
	case single:
		fmt.Fprintf(&b, "\t*%s = %s;\n\treturn 0;\n", result, call(c.Name))
	default:
		fmt.Fprintf(&b, "\t%s;\n\treturn 0;\n", call(c.Name))
	}
	return b.String() + "}\n"
}

func emitCall(f *function) {
	c, args := f.Call()
	var flat []source.Expr
	for i, a := range args {
		flat = append(flat, f.toBorder(c.In[i], f.Of(a))...)
	}
	traps := f.e.mayTrap(c)
	var fields []source.Expr
	into := func(n string) {
		flat = append([]source.Expr{{Text: "&" + n, Prec: source.Primary}}, flat...)
	}
	switch {
	case len(c.Results) == 1 && !traps:
		n := f.Code.Variable("t")
		f.Code.LetCall(source.Field{Type: c.Results[0].Type, Name: n}, source.Called(c.Name, flat...))
		fields = append(fields, source.Name(n))
	case len(c.Results) == 1:
		n := f.Code.Variable("t")
		f.Code.Var(source.Field{Type: c.Results[0].Type, Name: n}, 0)
		into(n)
		fields = append(fields, source.Name(n))
	case len(c.Results) > 1:
		n := f.Code.Variable("r")
		f.Code.Line("struct %s_results %s;", c.Name, n)
		into(n)
		for _, x := range c.Results {
			fields = append(fields, source.Expr{Text: n + "." + x.Name, Prec: source.Primary, Vars: []string{n}})
		}
	}
	switch {
	case traps:
		f.handOn(source.Called(f.e.units[c].twin, flat...))
	case len(c.Results) != 1:
		f.Code.Line("%s;", source.Called(c.Name, flat...).Text)
	}
	vals := make([]source.Val, len(c.Out))
	for i, t := range c.Out {
		k := len(f.e.fields(f.G, f.V, t, "x"))
		vals[i] = f.fromBorder(f.G, f.V, t, fields[:k])
		fields = fields[k:]
	}
	f.SetAll(vals)
}

// handOn returns the status of a call, if there is one.
func (f *function) handOn(call source.Expr) {
	f.e.units[f.Callee].traps = true
	n := f.Code.Variable("status")
	f.Code.Line("int32_t %s = %s;", n, call.Text)
	f.Code.Line("if (%s != 0)", n)
	f.Code.Block(func() { f.Code.Line("return %s;", n) })
}

// returns ends a function.
func (f *function) returns(vals []source.Val) {
	c := f.Callee
	f.V = c.G.Term(ir.Root)
	var all []source.Expr
	for i, t := range c.Out {
		all = append(all, f.toBorder(t, vals[i])...)
	}
	traps := f.e.units[c].traps
	switch {
	case len(all) == 1 && !traps:
		f.Code.Line("return %s;", all[0].Text)
	case len(all) == 1:
		f.Code.Line("*%s = %s;", f.e.local("result"), all[0].Text)
	default:
		for i, x := range all {
			f.Code.Line("%s->%s = %s;", f.e.local("results"), c.Results[i].Name, x.Text)
		}
	}
	if traps {
		f.Code.Line("return 0;")
	}
}

// texts are irc_trap_text and its table, where a public function has a twin.
func (e *emitter) texts() string {
	public := false
	for c := range e.units {
		public = public || c.Defined() && !c.Private
	}
	if !public {
		return ""
	}
	var rows strings.Builder
	seen := map[string]bool{}
	for _, r := range e.reasons {
		if !seen[r] {
			fmt.Fprintf(&rows, "\t{%d, %s},\n", status.Code(r), quoted(r))
		}
		seen[r] = true
	}
	return trapTable + rows.String() + "};\n" + trapTexts
}
