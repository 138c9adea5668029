package collection

import (
	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/scf"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
)

// An output is one generator of a loop and what the body gives to it: one sequence, or the
// values of one tuple. What combines by a region has identity and combine.
type output struct {
	loop.Generator
	gives    []ir.Value
	identity []ir.Value
	combine  func(xy []ir.Value) []ir.Value
}

// each makes a loop whose generators are known when its body is built: it is built first.
func each(b *ir.Builder, size ir.Value, regional []output, body func(i ir.Value) []output) []ir.Value {
	args := []ir.Value{size}
	for _, o := range regional {
		args = append(args, o.identity...)
	}
	var outs []output
	regions := []ir.Region{b.Region(ir.Loop, []ir.Type{ir.Index}, func(p []ir.Value) {
		b.Enter(loop.For, 0, args, 0, p)
		outs = body(p[0])
		b.Op(loop.Yield, lists.Join(outs, func(o output) []ir.Value { return o.gives })...)
	})}
	list := lists.Map(outs, func(o output) loop.Generator { return o.Generator })
	for _, o := range regional {
		params := append(append([]ir.Type(nil), o.Types...), o.Types...)
		regions = append(regions, b.Region(ir.Loop, params, func(p []ir.Value) { b.Op(loop.Yield, o.combine(p)...) }))
	}
	return loop.Assemble(b, args, list, regions)
}

// over is each for the elements of an array.
func over(b *ir.Builder, xs ir.Value, body func(i, x ir.Value) []output) []ir.Value {
	return each(b, loop.Size(b, xs), nil, func(i ir.Value) []output { return body(i, loop.Element(b, xs, i)) })
}

// collects gives the values of one tuple, or a sequence of such, to a collect.
func collects(b *ir.Builder, gives ...ir.Value) output {
	return output{Generator: loop.Generator{Kind: loop.CollectKind, Types: tuple(b, gives)}, gives: gives}
}

// emits gives values to the loop around.
func emits(b *ir.Builder, gives ...ir.Value) output {
	return output{Generator: loop.Generator{Kind: loop.EmitKind, Types: tuple(b, gives)}, gives: gives}
}

// reduces gives values to a named reduce or scan.
func reduces(b *ir.Builder, kind loop.Kind, by loop.Combine, order Order, gives ...ir.Value) output {
	return output{Generator: loop.Generator{Kind: kind, By: by, Reassoc: order == AnyOrder, Types: tuple(b, gives)}, gives: gives}
}

// tuple lists the types of the tuples of what is given.
func tuple(b *ir.Builder, gives []ir.Value) []ir.Type {
	ts := typesOf(b, gives)
	if len(ts) == 1 {
		if in, ok := loop.TupleOf(b.Ctx(), ts[0]); ok {
			return in
		}
	}
	return ts
}

func typesOf(b *ir.Builder, vs []ir.Value) []ir.Type {
	return lists.Map(vs, func(v ir.Value) ir.Type { return b.Graph().Type(v) })
}

// One is the sequence of one tuple.
func One(b *ir.Builder, tuple ...ir.Value) ir.Value { return b.Op(loop.Emit, tuple...) }

// None is the sequence without a tuple, of an emit's type.
func None(b *ir.Builder, emit ir.Type) ir.Value { return b.Must(ir.Call{Def: loop.None, Type: emit}) }

// When is a sequence where cond is true, else none.
func When(b *ir.Builder, cond ir.Value, then func() ir.Value) ir.Value {
	var t ir.Type
	return scf.BuildIf(b, cond, func() []ir.Value {
		v := then()
		t = b.Graph().Type(v)
		return []ir.Value{v}
	}, func() []ir.Value { return []ir.Value{None(b, t)} })
}

// present is a sequence of one tuple f(x), or without any where x is null.
func present(b *ir.Builder, x ir.Value, f func(x ir.Value) []ir.Value) []ir.Value {
	if !loop.IsNullable(b.Ctx(), b.Graph().Type(x)) {
		return f(x)
	}
	return []ir.Value{When(b, loop.FieldOf(b, x, "valid"), func() ir.Value {
		return One(b, f(loop.FieldOf(b, x, "value"))...)
	})}
}
