package funcs

import (
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// NoAlias is the argument attribute which says that nothing else refers to the
// memory of that argument while the function runs.
const NoAlias = "llvm.noalias"

// Doc is the attribute of a function whose lines C headers show above it.
const Doc = "func.doc"

// Static is the argument attribute which says that an argument is the same in every call: a
// number, or all that the memory holds, which nobody writes. Staged is that of an argument,
// added by the pass specialize-data, which the function that it names has to fill once.
const (
	Static = "func.static"
	Staged = "func.staged"
)

// StaticArgs says of each argument of a function with these attributes whether it is static;
// nil if none is.
func StaticArgs(c *ir.Context, op ir.Attr) []bool {
	a := c.Get(op, "arg_attrs")
	if a == 0 {
		return nil
	}
	list := c.AttrInfo(a).List
	out, some := make([]bool, len(list)), false
	for i, d := range list {
		out[i] = has(c, d, Static)
		some = some || out[i]
	}
	if !some {
		return nil
	}
	return out
}

// Prepare tells a builder what the attributes of a function say about its arguments: what
// arg_attrs says about memory, and that those of a public function are never poison. Call it
// when the parameters of the root region are there and before its ops are.
func Prepare(b *ir.Builder, attr ir.Attr) {
	c := b.Ctx()
	var list []ir.Attr
	if a := c.Get(attr, "arg_attrs"); a != 0 {
		list = c.AttrInfo(a).List
	}
	public := isPublic(c, attr)
	for i, p := range b.Params(ir.Root) {
		if public {
			b.SetClean(p)
		}
		if i < len(list) && has(c, list[i], NoAlias) {
			b.Own(p)
		}
	}
}

// isPublic reports the attributes of a function that the outside may call.
func isPublic(c *ir.Context, attr ir.Attr) bool {
	a := c.Get(attr, "sym_visibility")
	return a == 0 || c.AttrInfo(a).Str == "public"
}

func has(c *ir.Context, dict ir.Attr, name string) bool {
	return slices.ContainsFunc(c.AttrInfo(dict).Dict, func(e ir.NamedAttr) bool { return e.Name == name })
}

// Props returns the properties of a function; visibility may be "" (public).
func Props(c *ir.Context, name, visibility string, in, out []ir.Type) ir.Attr {
	props := []ir.NamedAttr{
		{Name: "sym_name", Value: c.StringAttr(name)},
		{Name: "function_type", Value: c.TypeAttr(c.Func(in, out))},
	}
	if visibility != "" {
		props = append(props, ir.NamedAttr{Name: "sym_visibility", Value: c.StringAttr(visibility)})
	}
	return c.Props(props, nil)
}

// Define builds a function in the region that is open: body makes its ops and
// returns its results.
func Define(b *ir.Builder, name string, in, out []ir.Type, body func(f *ir.Builder, args []ir.Value) []ir.Value) ir.Value {
	f := ir.NewBuilder(b.Ctx())
	for _, t := range in {
		f.SetClean(f.Param(t))
	}
	f.Op(Return, body(f, f.Params(ir.Root))...)
	return b.Must(ir.Call{Def: Func, Attr: Props(b.Ctx(), name, "", in, out), Graphs: []*ir.Graph{f.Finish()}})
}

// Function is Define for a body whose results say what the function returns.
func Function(b *ir.Builder, name string, in []ir.Type, body func(f *ir.Builder, args []ir.Value) []ir.Value) ir.Value {
	f := ir.NewBuilder(b.Ctx())
	for _, t := range in {
		f.SetClean(f.Param(t))
	}
	results := body(f, f.Params(ir.Root))
	out := lists.Map(results, func(v ir.Value) ir.Type { return f.Graph().Type(v) })
	f.Op(Return, results...)
	return b.Must(ir.Call{Def: Func, Attr: Props(b.Ctx(), name, "", in, out), Graphs: []*ir.Graph{f.Finish()}})
}

// Declare makes the declaration of a function.
func Declare(b *ir.Builder, name string, in, out []ir.Type) ir.Value {
	f := ir.NewBuilder(b.Ctx())
	f.NoBlock()
	return b.Must(ir.Call{Def: Func, Attr: Props(b.Ctx(), name, "private", in, out), Graphs: []*ir.Graph{f.Finish()}})
}

// CallTo makes a call of the function @name.
func CallTo(b *ir.Builder, name string, out []ir.Type, args ...ir.Value) ir.Value {
	c := b.Ctx()
	attr := c.Props([]ir.NamedAttr{{Name: "callee", Value: c.SymbolAttr(name)}}, nil)
	return b.Must(ir.Call{Def: Call, Attr: attr, Args: args, Type: c.Multi(out...)})
}
