package c

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/memref"
	"github.com/irc-lang/irc/ir"
)

// Options of Emit. The zero value makes code with checks.
type Options struct {
	// Unchecked leaves out the checks: what would trap is undefined then, but for cf.assert.
	Unchecked bool
	Name      string // of what the program was read from, for a comment
}

// Emit prints the functions of a graph: a parsed file, or the body of a module. Errors are
// *ir.OpError.
func Emit(g *ir.Graph, opts Options) (text string, err error) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		var op *ir.OpError
		if e, ok := r.(error); !ok || !errors.As(e, &op) {
			panic(r)
		}
		text, err = "", op
	}()
	g = builtin.Functions(g)
	e := &emitter{opts: opts, g: g, ctx: g.Ctx, callees: map[string]*callee{}, globals: map[string]*global{}, helpers: map[string]bool{}, taken: map[string]bool{}, ops: emitters()}
	return e.module(), nil
}

// emitter is the translation of one module.
type emitter struct {
	opts    Options
	g       *ir.Graph
	ctx     *ir.Context
	callees map[string]*callee
	globals map[string]*global
	helpers map[string]bool // functions of our own that are called (see runtime.go)
	order   []string        // of the helpers, as they were asked for
	taken   map[string]bool // identifiers of the file
	exact   bool            // an op does not allow contraction
	ops     map[*ir.OpDef]func(*function)
}

// failAt gives the translation up.
func failAt(g *ir.Graph, v ir.Value, format string, args ...any) {
	e := &ir.OpError{Op: g.Def(v).Name, Msg: fmt.Sprintf(format, args...)}
	if ls := g.LocsOf(v); len(ls) > 0 {
		e.Loc = ls[0]
	}
	panic(e)
}

// module prints globals, prototypes and functions, and before them what they need.
func (e *emitter) module() string {
	var list []*callee
	var globals, prototypes, bodies strings.Builder
	for _, v := range ir.ScheduleOf(e.g).Body(ir.Root) {
		switch def := e.g.Def(v); {
		case def == funcs.Func:
			list = append(list, e.declare(v))
		case def == memref.Global:
			globals.WriteString(e.global(v))
		case def.Has(ir.Terminator):
		default:
			failAt(e.g, v, "stands outside of a function: C has functions and globals there only; move it into a func.func")
		}
	}
	for _, c := range list {
		if text := e.prototype(c); text != "" {
			prototypes.WriteString(text + ";\n")
		}
	}
	for _, c := range list {
		if c.g.HasBlock(ir.Root) {
			bodies.WriteString("\n" + e.function(c))
		}
	}
	var out strings.Builder
	e.head(&out)
	for _, part := range []string{globals.String(), prototypes.String()} {
		if part != "" {
			out.WriteString("\n" + part)
		}
	}
	out.WriteString(bodies.String())
	return out.String()
}

// head is what stands first: where it comes from, headers and helpers.
func (e *emitter) head(out *strings.Builder) {
	from := ""
	if e.opts.Name != "" {
		from = " of " + strings.ReplaceAll(e.opts.Name, "*/", "* /")
	}
	fmt.Fprintf(out, "/* Made by irc%s. A memref is a pointer to its element (0, ..., 0), then each size that its\n"+
		"   type leaves open, then, unless its layout is the identity, each such stride (in elements). */\n", from)
	for _, h := range []string{"math", "stdarg", "stdbool", "stdint", "stdio", "stdlib", "string"} {
		fmt.Fprintf(out, "#include <%s.h>\n", h)
	}
	if e.exact {
		out.WriteString("\n#pragma STDC FP_CONTRACT OFF\n")
	}
	done := map[string]bool{}
	for _, name := range e.order {
		e.writeHelper(out, name, done)
	}
}

// callee is a function as calls see it.
type callee struct {
	name, symbol string // in C, and in the IR
	v            ir.Value
	g            *ir.Graph
	in, out      []ir.Type
	private      bool
	params       []string // names of the arguments
	results      []field  // what the results are in C
}

// declare notes a function.
func (e *emitter) declare(v ir.Value) *callee {
	t := funcs.TypeOf(e.ctx, e.g.AttrsOf(v))
	c := &callee{v: v, g: e.g.Children(v)[0], symbol: funcs.NameOf(e.g, v), in: t.Types[:t.NumIn], out: t.Types[t.NumIn:]}
	if err := ir.CheckWidths(e.g, v); err != nil {
		panic(err)
	}
	a := e.g.Attr(v, "sym_visibility")
	c.private = a != 0 && e.ctx.AttrInfo(a).Str != "public"
	if c.g.HasBlock(ir.Root) {
		c.name = e.fresh(c.symbol)
	} else if c.name = c.symbol; identifier(c.symbol) != c.symbol || keywords[c.symbol] {
		failAt(e.g, v, "is called %q, which is no identifier of C, and is defined elsewhere", c.symbol)
	}
	for i := range c.in {
		c.params = append(c.params, fmt.Sprintf("arg%d", i))
	}
	for i, t := range c.out {
		c.results = append(c.results, e.fields(e.g, v, t, fmt.Sprintf("result%d", i))...)
	}
	e.callees[c.symbol] = c
	return c
}

// prototype declares a function; what a header of C's declares has none.
func (e *emitter) prototype(c *callee) string {
	defined := c.g.HasBlock(ir.Root)
	if !defined && libm[c.name] {
		return ""
	}
	var params []string
	if len(c.results) > 1 {
		params = append(params, fmt.Sprintf("struct %s_results *results", c.name))
	}
	for i, t := range c.in {
		for k, f := range e.fields(e.g, c.v, t, c.params[i]) {
			if k == 0 && e.says(c.v, "arg_attrs", i, funcs.NoAlias) && strings.HasSuffix(f.typ, "*") {
				f.typ += "restrict "
			}
			params = append(params, f.declared())
		}
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	result := "void"
	if len(c.results) == 1 {
		result = c.results[0].typ
	}
	text := strings.TrimSuffix(result, " ") + " "
	if strings.HasSuffix(result, "*") {
		text = result
	}
	text += c.name + "(" + strings.Join(params, ", ") + ")"
	if defined && c.private {
		text = "static " + text
	}
	if len(c.results) > 1 {
		var members []string
		for _, f := range c.results {
			members = append(members, f.declared()+";")
		}
		text = fmt.Sprintf("struct %s_results { %s };\n%s", c.name, strings.Join(members, " "), text)
	}
	return text
}

// says reports that a function's list of attributes, of arguments or of results, has one.
func (e *emitter) says(v ir.Value, list string, i int, name string) bool {
	a := e.g.Attr(v, list)
	if a == 0 || i >= len(e.ctx.AttrInfo(a).List) {
		return false
	}
	return slices.ContainsFunc(e.ctx.AttrInfo(e.ctx.AttrInfo(a).List[i]).Dict, func(x ir.NamedAttr) bool { return x.Name == name })
}

// function prints a function with its body.
func (e *emitter) function(c *callee) string {
	head := e.prototype(c)
	if i := strings.LastIndex(head, ";\n"); i >= 0 {
		head = head[i+2:] // the struct of the results is declared
	}
	f := newFunction(e, c)
	f.line("%s {", head)
	f.depth++
	for i, p := range c.g.Params(ir.Root) {
		f.bind(p, f.parameter(c.in[i], c.params[i]))
	}
	f.returns(f.body(ir.Root))
	f.depth--
	f.line("}")
	return f.out.String()
}

// returns ends a function.
func (f *function) returns(vals []val) {
	c := f.callee
	f.v = c.g.Term(ir.Root)
	var all []expr
	for i, t := range c.out {
		all = append(all, f.toFields(t, vals[i])...)
	}
	switch {
	case len(all) == 1:
		f.line("return %s;", all[0].text)
	case len(all) > 1:
		for i, x := range all {
			f.line("results->%s = %s;", c.results[i].name, x.text)
		}
	}
}
