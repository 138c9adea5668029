package golang

import (
	"fmt"
	"go/format"
	"strings"

	"github.com/irc-lang/irc/backends/source"
	"github.com/irc-lang/irc/ir"
)

// Options of Emit. The zero value makes code with checks.
type Options struct {
	// Unchecked leaves out the checks that Go does not make itself, but for cf.assert.
	Unchecked bool
	Name      string       // of what the program was read from, for a comment
	Package   string       // the package clause; made of Name, or "program", if empty
	Data      *source.Data // where large constants go; nil refuses them
}

// Emit prints the functions of a graph, a parsed file or the body of a module, as gofmt formats them.
// Errors are *ir.OpError.
func Emit(g *ir.Graph, opts Options) (string, error) {
	return source.Text(func() string { return emit(g, opts) })
}

func emit(g *ir.Graph, opts Options) string {
	if opts.Package == "" {
		opts.Package = packageOf(opts.Name)
	}
	e := &emitter{opts: opts, helpers: map[string]bool{}, imports: map[string]bool{}}
	e.Module = source.NewModule(g, e, opts.Unchecked)
	text := withoutUnused(e.module())
	out, err := format.Source([]byte(text))
	if err != nil {
		panic(fmt.Sprintf("golang: %v in\n%s", err, text))
	}
	return string(out)
}

// emitter is the translation of one module.
type emitter struct {
	*source.Module
	opts    Options
	helpers map[string]bool // functions of our own that are called (see runtime.go)
	order   []string        // of the helpers, as they were asked for
	imports map[string]bool
	indexed bool   // an index is printed
	data    string // the variable that is the second file, or ""
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

// module prints globals, functions and what they need.
func (e *emitter) module() string {
	var globals, outside, bodies, runtime strings.Builder
	e.Declare(e.declare, func(g *source.Global) { globals.WriteString(e.global(g)) })
	for _, c := range e.List {
		if c.Defined() {
			bodies.WriteString("\n" + e.function(c))
		} else {
			outside.WriteString("//\t" + e.signature(c) + "\n")
		}
	}
	for _, name := range e.order {
		text := helpers[name]
		e.use(text)
		runtime.WriteString("\n" + text)
	}
	var out strings.Builder
	from := ""
	if e.opts.Name != "" {
		from = " of " + strings.ReplaceAll(e.opts.Name, "\n", " ")
	}
	fmt.Fprintf(&out, "// Made by irc%s. A memref of one dimension is a slice; any other one a slice, then the offset,\n"+
		"// the sizes and the strides that its type leaves open.\n\npackage %s\n", from, e.opts.Package)
	for _, name := range []string{"math", "math/bits", "unsafe"} {
		if e.imports[name] {
			fmt.Fprintf(&out, "\nimport %q\n", name)
		}
	}
	if e.data != "" {
		fmt.Fprintf(&out, "\nimport _ \"embed\"\n\n//go:embed %s\nvar %s string\n", e.opts.Data.Name, e.data)
	}
	if e.indexed {
		out.WriteString("\nconst _ = uint(1 << 63) // an index has 64 bits, and so has int\n")
	}
	if outside.Len() > 0 {
		out.WriteString("\n// Another file of this package has:\n//\n" + outside.String())
	}
	if globals.Len() > 0 {
		out.WriteString("\n" + globals.String())
	}
	out.WriteString(bodies.String())
	out.WriteString(runtime.String())
	return out.String()
}

// use imports what a text needs.
func (e *emitter) use(text string) {
	for name, mark := range map[string]string{"math": "math.", "math/bits": "bits.", "unsafe": "unsafe."} {
		if strings.Contains(text, mark) {
			e.imports[name] = true
		}
	}
}

// helper asks for a function of ours that stands at the end of the file.
func (e *emitter) helper(name string) string {
	if !e.helpers[name] {
		e.helpers[name] = true
		e.order = append(e.order, name)
	}
	return name
}

// declare names a function, and what it returns.
func (e *emitter) declare(c *source.Callee) {
	if c.Defined() {
		c.Name = e.fresh(c.Symbol, !c.Private)
	} else if c.Name = c.Symbol; identifier(c.Symbol) != c.Symbol || reserved[c.Symbol] {
		source.FailAt(e.G, c.V, "is called %q, which is no identifier of Go, and is defined elsewhere", c.Symbol)
	} else {
		e.Taken[c.Name] = true
	}
	for i, t := range c.Out {
		c.Results = append(c.Results, e.Fields(e.G, c.V, t, fmt.Sprintf("result%d", i))...)
	}
}

// signature is the head of a function.
func (e *emitter) signature(c *source.Callee) string {
	var params []source.Field
	for i, t := range c.In {
		params = append(params, e.Fields(e.G, c.V, t, c.Params[i])...)
	}
	var list, results []string
	for i, x := range params {
		if i+1 < len(params) && params[i+1].Type == x.Type {
			list = append(list, x.Name) // gofmt leaves it, people write it: a, b int
			continue
		}
		list = append(list, x.Name+" "+x.Type)
	}
	for _, x := range c.Results {
		results = append(results, x.Type)
	}
	out := strings.Join(results, ", ")
	if len(results) > 1 {
		out = "(" + out + ")"
	}
	return "func " + c.Name + "(" + strings.Join(list, ", ") + ") " + out
}

// function prints a function with its body.
func (e *emitter) function(c *source.Callee) string {
	f := &function{e.NewFunction(c), e}
	f.Code.Line("%s {", e.signature(c))
	f.Code.Block(func() {
		for i, p := range c.G.Params(ir.Root) {
			fs := e.Fields(e.G, c.V, c.In[i], c.Params[i])
			f.Bind(p, f.FromFields(e.G, c.V, c.In[i], source.Names(fs)))
		}
		vals := f.Body(ir.Root)
		f.V = c.G.Term(ir.Root)
		var all []string
		for i, t := range c.Out {
			for _, x := range f.ToFields(t, vals[i]) {
				all = append(all, x.Text)
			}
		}
		if len(all) > 0 {
			f.Code.Line("return %s", strings.Join(all, ", "))
		}
	})
	f.Code.Line("}")
	e.use(f.Code.Text())
	return f.Code.Text()
}

func emitCall(f *function) {
	c, args := f.Call()
	var flat []source.Expr
	for i, a := range args {
		flat = append(flat, f.ToFields(c.In[i], f.Of(a))...)
	}
	call := source.Called(c.Name, flat...)
	if len(c.Results) == 0 {
		f.Code.Line("%s", call.Text)
		f.SetAll(make([]source.Val, len(c.Out)))
		return
	}
	var names []string
	vals := make([]source.Val, len(c.Out))
	for i, t := range c.Out {
		fs := f.Fields(f.G, f.V, t, f.Code.Variable("t"))
		for _, x := range fs {
			names = append(names, x.Name)
		}
		vals[i] = f.FromFields(f.G, f.V, t, source.Names(fs))
	}
	f.Code.Line("%s := %s", strings.Join(names, ", "), call.Text)
	f.SetAll(vals)
}
