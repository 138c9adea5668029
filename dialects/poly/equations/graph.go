package equations

import (
	"slices"

	"github.com/irc-lang/irc/dialects/builtin"
	funcs "github.com/irc-lang/irc/dialects/func"
	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// graph makes the function.
func (b *builder) graph(ctx *ir.Context) *ir.Graph {
	module := ir.NewBuilder(ctx)
	for _, x := range b.prog.externs {
		in := lists.Map(x.in, func(t token) ir.Type { return typesByName[t.text].of() })
		funcs.Declare(module, x.name.text, in, []ir.Type{typesByName[x.out.text].of()})
	}
	var in []ir.Type
	var attrs []ir.Attr
	for range b.prog.params {
		in, attrs = append(in, ir.Index), append(attrs, ctx.Attr(ir.AttrInfo{Kind: ir.AttrDict}))
	}
	alone := ctx.Attr(ir.AttrInfo{Kind: ir.AttrDict, Dict: []ir.NamedAttr{{Name: funcs.NoAlias, Value: ctx.UnitAttr()}}})
	for _, a := range b.order {
		if a.role != "local" {
			in, attrs = append(in, ctx.MemRef(slices.Repeat([]int64{ir.Dynamic}, a.rank), a.typ.of())), append(attrs, alone)
		}
	}
	f := ir.NewBuilder(ctx)
	for _, t := range in {
		f.Param(t)
	}
	props := funcs.Props(ctx, b.prog.name.text, "", in, nil)
	if len(attrs) > 0 {
		props = ctx.With(props, "arg_attrs", ctx.ArrayAttr(attrs...))
	}
	funcs.Prepare(f, props)
	b.system(f, f.Params(ir.Root))
	f.Op(funcs.Return)
	module.Must(ir.Call{Def: funcs.Func, Attr: props, Graphs: []*ir.Graph{f.Finish()}, Loc: loc(span{b.prog.name.start, b.prog.name.end})})
	out := ir.NewBuilder(ctx)
	out.Must(ir.Call{Def: builtin.Module, Graphs: []*ir.Graph{module.Finish()}})
	return out.Finish()
}

func loc(s span) ir.Loc { return ir.Loc(s.start + 1) }

// system makes the poly.system of the program.
func (b *builder) system(f *ir.Builder, args []ir.Value) {
	ctx := f.Ctx()
	n := len(b.prog.params)
	b.params = args[:n]
	region := f.Region(ir.Once, nil, func([]ir.Value) {
		next := n
		for _, a := range b.order {
			f.Loc = loc(a.at)
			if a.role == "local" {
				a.value = poly.NewLocal(f, a.name, a.extent, a.typ.of())
				continue
			}
			a.value = poly.NewBind(f, args[next], poly.Role(a.role), a.name, a.extent, false)
			next++
		}
		for _, st := range b.sts {
			b.emitStatement(f, st)
		}
		f.Op(poly.Yield)
	})
	f.Loc = loc(span{b.prog.name.start, b.prog.name.end})
	names := lists.Map(b.prog.params, func(p token) ir.Attr { return ctx.StringAttr(p.text) })
	f.Must(ir.Call{Def: poly.SystemOp, Args: b.params, Regions: []ir.Region{region}, Attr: ctx.Props([]ir.NamedAttr{
		{Name: "names", Value: ctx.ArrayAttr(names...)}, {Name: "context", Value: poly.SetAttr(ctx, b.context)}}, nil)})
}
