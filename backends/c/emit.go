package c

import (
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/ir"
)

// Options of Emit. The zero value makes code with checks.
type Options struct {
	// Unchecked leaves out the checks: what would trap is undefined then, but for cf.assert.
	Unchecked bool
	Name      string       // of what the program was read from, for a comment
	Data      *source.Data // where large constants go; nil refuses them
}

// Emit prints the functions of a graph: a parsed file, or the body of a module. Errors are
// *ir.OpError.
func Emit(g *ir.Graph, opts Options) (text string, err error) {
	defer func() {
		if e := source.Recover(recover()); e != nil {
			text, err = "", e
		}
	}()
	e := &emitter{opts: opts, helpers: map[string]bool{}}
	e.Module = source.NewModule(g, e, opts.Unchecked)
	return e.module(), nil
}

// emitter is the translation of one module.
type emitter struct {
	*source.Module
	opts    Options
	helpers map[string]bool // functions of our own that are called (see runtime.go)
	order   []string        // of the helpers, as they were asked for
	exact   bool            // an op does not allow contraction
}

// function is the translation of one function.
type function struct {
	*source.Function
	e *emitter
}

// Op translates the current op, or does not know it.
func (e *emitter) Op(f *source.Function) bool {
	do := emitters()[f.G.Def(f.V)]
	if do == nil {
		return false
	}
	do(&function{f, e})
	return true
}

// module prints globals, prototypes and functions, and before them what they need.
func (e *emitter) module() string {
	var globals, prototypes, bodies strings.Builder
	e.Declare(e.declare, func(g *source.Global) { globals.WriteString(e.global(g)) })
	if slices.ContainsFunc(e.List, func(c *source.Callee) bool {
		return !c.Private && slices.ContainsFunc(c.Out, func(t ir.Type) bool { return e.Ctx.Info(t).Kind == ir.KindMemRef })
	}) {
		prototypes.WriteString("/* Memory that a function returns is freed by its caller, with free, unless it is that of an argument: the\n" +
			"   pointer is one that was passed, or points into what was. */\n")
	}
	for _, c := range e.List {
		if text := e.prototype(c); text != "" {
			prototypes.WriteString(text + ";\n")
		}
	}
	for _, c := range e.List {
		if c.Defined() {
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
		out.WriteString("\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC optimize(\"fp-contract=off\")\n#else\n#pragma STDC FP_CONTRACT OFF\n#endif\n")
	}
	done := map[string]bool{}
	for _, name := range e.order {
		e.writeHelper(out, name, done)
	}
}

// declare names a function, and what it returns.
func (e *emitter) declare(c *source.Callee) {
	if c.Defined() {
		c.Name = e.fresh(c.Symbol)
	} else if c.Name = c.Symbol; identifier(c.Symbol) != c.Symbol || keywords[c.Symbol] {
		source.FailAt(e.G, c.V, "is called %q, which is no identifier of C, and is defined elsewhere", c.Symbol)
	}
	for i, t := range c.Out {
		c.Results = append(c.Results, e.fields(e.G, c.V, t, fmt.Sprintf("result%d", i))...)
	}
}

func (e *emitter) noAlias(c *source.Callee, i int) bool {
	return e.Says(c.V, "arg_attrs", i, funcs.NoAlias)
}

// function prints a function with its body.
func (e *emitter) function(c *source.Callee) string {
	head := e.prototype(c)
	if i := strings.LastIndex(head, ";\n"); i >= 0 {
		head = head[i+2:] // the struct of the results is declared
	}
	f := &function{e.NewFunction(c), e}
	f.Line("%s {", head)
	f.Block(func() {
		for i, p := range c.G.Params(ir.Root) {
			f.Bind(p, f.parameter(c.In[i], c.Params[i]))
		}
		f.returns(f.Body(ir.Root))
	})
	f.Line("}")
	return withoutUnused(f.Text())
}
