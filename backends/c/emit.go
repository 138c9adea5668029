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
	// Freestanding needs no library: see the package's comment.
	Freestanding bool
	Name         string       // of what the program was read from, for a comment
	Data         *source.Data // where large constants go; nil refuses them
}

// Emit prints the functions of a graph: a parsed file, or the body of a module. Errors are
// *ir.OpError.
func Emit(g *ir.Graph, opts Options) (string, error) {
	return source.Text(func() string { return emit(g, opts) })
}

func emit(g *ir.Graph, opts Options) string {
	e := &emitter{opts: opts, helpers: map[string]bool{}, units: map[*source.Callee]*unit{}, externals: map[string]string{}, fixed: map[*source.Callee]map[string]bool{}}
	e.Module = source.NewModule(g, e, opts.Unchecked)
	return e.module()
}

// emitter is the translation of one module.
type emitter struct {
	*source.Module
	opts    Options
	helpers map[string]bool // functions of our own that are called (see runtime.go)
	order   []string        // of the helpers, as they were asked for
	exact   bool            // an op does not allow contraction
	units   map[*source.Callee]*unit
	reasons []string // of traps
	globals []*source.Global
	// externals are prototypes of functions that freestanding code needs of elsewhere, by their names.
	externals map[string]string
	// fixed are the allocations of functions that are static arrays, by their names.
	fixed map[*source.Callee]map[string]bool
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

// module prints globals, prototypes and functions, and before them what they need. What is private and
// that nothing refers to is left out.
func (e *emitter) module() string {
	e.Declare(e.declare, func(g *source.Global) {
		g.Name = e.fresh(g.Symbol)
		e.globals = append(e.globals, g)
	})
	for _, c := range e.List {
		for i, name := range c.Params {
			c.Params[i] = e.local(name)
		}
	}
	for _, c := range e.List {
		if !c.Private {
			e.print(c)
		}
	}
	var globals, bodies strings.Builder
	for _, g := range e.globals {
		if !g.Private || g.Used {
			globals.WriteString(e.global(g))
		}
	}
	prototypes := e.prototypes()
	for _, c := range e.List {
		if u := e.units[c]; u != nil && c.Defined() {
			bodies.WriteString("\n" + u.text + e.otherForm(c, u))
		}
	}
	bodies.WriteString(e.texts())
	var out strings.Builder
	e.head(&out)
	for _, part := range []string{globals.String(), prototypes} {
		if part != "" {
			out.WriteString("\n" + part)
		}
	}
	out.WriteString(bodies.String())
	return out.String()
}

// prototypes declares the functions that are printed, and those of elsewhere that they call.
func (e *emitter) prototypes() string {
	var out strings.Builder
	if slices.ContainsFunc(e.List, func(c *source.Callee) bool {
		return !c.Private && slices.ContainsFunc(c.Out, func(t ir.Type) bool { return e.Ctx.Info(t).Kind == ir.KindMemRef })
	}) {
		fmt.Fprintf(&out, "/* Memory that a function returns is freed by its caller, with %s, unless it is that of an argument: the\n"+
			"   pointer is one that was passed, or points into what was. */\n", e.free())
	}
	for _, c := range e.List {
		u := e.units[c]
		if u == nil || !c.Defined() && libm[c.Name] && !e.opts.Freestanding { // which a header declares
			continue
		}
		out.WriteString(e.resultStruct(c))
		for _, status := range []bool{false, true} {
			if c.Private && status == u.traps || !c.Private && (!status || c.Defined()) {
				out.WriteString(e.signature(c, status) + ";\n")
			}
		}
	}
	return out.String()
}

// head is what stands first: where it comes from, headers and helpers.
func (e *emitter) head(out *strings.Builder) {
	from := ""
	if e.opts.Name != "" {
		from = " of " + commented(e.opts.Name)
	}
	fmt.Fprintf(out, "/* Made by irc%s. A memref is a pointer to its element (0, ..., 0), then each size that its\n"+
		"   type leaves open, then, unless its layout is the identity, each such stride (in elements). */\n", from)
	e.headers(out)
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

// external notes a function that freestanding code needs of elsewhere.
func (e *emitter) external(name, prototype string) {
	e.externals[name] = prototype
	e.helper(name)
}

func (e *emitter) noAlias(c *source.Callee, i int) bool {
	return e.Says(c.V, "arg_attrs", i, funcs.NoAlias)
}
