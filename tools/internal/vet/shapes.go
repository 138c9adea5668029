package vet

import (
	"reflect"
	"slices"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/param"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/ir/unwind"
)

// looseShapes looks for types and attributes with the dialect's prefix that nobody lists: text takes them for words.
func (f *finder) looseShapes() {
	if !f.Whole {
		return
	}
	types, attrs := param.Defined()
	for _, kind := range []struct {
		mark, list string
		defined    []string
		listed     func(*ir.Dialect) []ir.Defined
	}{
		{"type !", "Types", types, func(d *ir.Dialect) []ir.Defined { return d.Types }},
		{"attribute #", "Attrs", attrs, func(d *ir.Dialect) []ir.Defined { return d.Attrs }},
	} {
		listed := map[string]bool{}
		for _, x := range kind.listed(f.d) {
			if x != nil && !reflect.ValueOf(x).IsNil() && x.Shape() != nil {
				listed[x.Shape().Name] = true
			}
		}
		for _, name := range kind.defined {
			if _, is := own(f.d, name); is && !listed[name] {
				f.wrong(f.firstHook(f.d), "%s%s is defined, and not listed: what is read of that name is another one, without parameters", kind.mark, name).
					WithFix("list it in %s of the dialect, or leave the definition out", kind.list)
			}
		}
	}
}

// attrValues looks for attributes that say which value they stand for and are never made of one: nothing folds to them.
func (f *finder) attrValues() {
	for _, x := range f.d.Attrs {
		v := reflect.ValueOf(x)
		if x == nil || v.IsNil() || x.Shape() == nil {
			continue
		}
		var lacks string
		for _, name := range []string{"ValueType", "FromValue"} {
			if v.Elem().FieldByName(name).IsNil() {
				lacks = name
			}
		}
		if value := v.Elem().FieldByName("Value"); !value.IsNil() && lacks != "" {
			f.wrong(value.Interface(), "attribute #%s has a Value, and no %s: ops on such constants are not folded", x.Shape().Name, lacks).
				WithFix("write ValueType, Value and FromValue, or none of them")
		}
	}
}

// typeParts asks what types become about a value of some type, and compares what is said of its parts.
func (f *finder) typeParts() {
	for _, types := range ir.Table[ir.TypeLowerings](f.d) {
		for def, t := range types {
			of, ok := ir.NoType, false
			if f.known.ctx != nil && t.Parts != nil && t.Unpack != nil && t.Pack != nil {
				of, ok = someType(f.known.ctx, def.Shape())
			}
			if ok {
				f.partsOf(of, t)
			}
		}
	}
}

func (f *finder) partsOf(of ir.Type, t ir.TypeLowering) {
	var want, got []ir.Type
	packed := of
	// What panics is told where a program does it.
	_, thrown := unwind.Catch[any](func() {
		b := ir.NewBuilder(f.known.ctx, ir.Verbatim)
		want = t.Parts(f.known.ctx, of)
		for _, v := range t.Unpack(b, b.Param(of)) {
			got = append(got, b.Graph().Type(v))
		}
		var parts []ir.Value
		for _, p := range want {
			parts = append(parts, b.Param(p))
		}
		packed = b.Graph().Type(t.Pack(b, of, parts))
	})
	show := func(ts ...ir.Type) string { return text.TypeString(f.known.ctx, f.known.ctx.Multi(ts...)) }
	switch {
	case got != nil && !slices.Equal(got, want):
		f.wrong(t.Unpack, "Unpack of %s gives values of types %s, and Parts lists %s", show(of), show(got...), show(want...)).WithFix("let both say the same")
	case !thrown && packed != of:
		f.wrong(t.Pack, "Pack of %s gives a value of type %s", show(of), show(packed)).WithFix("give the type that it is asked for: ir.Call{..., Type: t}")
	}
}
