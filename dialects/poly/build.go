package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
)

// A NewAccess is an array and the elements of it that a statement accesses.
type NewAccess struct {
	Array ir.Value
	Map   presburger.Map
}

// NewBind makes memory an array of the system that is being built. The zero Set is no extent;
// inbounds promises that all accesses by relations are inside of the memory.
func NewBind(b *ir.Builder, memory ir.Value, role Role, name string, extent presburger.Set, inbounds bool) ir.Value {
	c := b.Ctx()
	attrs := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}, {Name: "role", Value: c.StringAttr(string(role))}}
	if !extent.Tuple().IsNone() {
		attrs = append(attrs, ir.NamedAttr{Name: "extent", Value: SetAttr(c, extent)})
	}
	if inbounds {
		attrs = append(attrs, ir.NamedAttr{Name: "inbounds", Value: c.UnitAttr()})
	}
	return b.Must(ir.Call{Def: Bind, Args: []ir.Value{memory}, Attr: c.Props(attrs, nil)})
}

// NewLocal makes an array of the system alone.
func NewLocal(b *ir.Builder, name string, extent presburger.Set, elem ir.Type) ir.Value {
	c := b.Ctx()
	return b.Must(ir.Call{Def: Local, Type: Array(c, extent.Tuple().Len(), elem),
		Attr: c.Props([]ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}, {Name: "extent", Value: SetAttr(c, extent)}}, nil)})
}

// NewStatement makes a statement; body gets the coordinates of an instance and the values
// that it reads, and returns the value that it defines.
func NewStatement(b *ir.Builder, name string, domain presburger.Set, op Operator, write NewAccess, reads []NewAccess, body func(coords, values []ir.Value) ir.Value) ir.Value {
	return NewKeyed(b, name, domain, op, write, reads, func(coords, values []ir.Value) (ir.Value, []ir.Value) { return body(coords, values), nil })
}

// NewKeyed makes a statement that accumulates into the element whose indices its body returns beside
// the value, of those that write relates an instance to; without indices it is as NewStatement.
func NewKeyed(b *ir.Builder, name string, domain presburger.Set, op Operator, write NewAccess, reads []NewAccess, body func(coords, values []ir.Value) (ir.Value, []ir.Value)) ir.Value {
	return newStatement(b, name, domain, op, write, reads, 0, body)
}

// NewAfter makes a statement whose body reads elements of reductions at computed indices (At) as
// they are after those instances of keyed statements that a relation leads to.
func NewAfter(b *ir.Builder, name string, domain presburger.Set, op Operator, write NewAccess, reads []NewAccess, after presburger.Map, body func(coords, values []ir.Value) ir.Value) ir.Value {
	return newStatement(b, name, domain, op, write, reads, MapAttr(b.Ctx(), after), func(coords, values []ir.Value) (ir.Value, []ir.Value) { return body(coords, values), nil })
}

func newStatement(b *ir.Builder, name string, domain presburger.Set, op Operator, write NewAccess, reads []NewAccess, after ir.Attr, body func(coords, values []ir.Value) (ir.Value, []ir.Value)) ir.Value {
	c := b.Ctx()
	dims := domain.Tuple().Len()
	params := make([]ir.Type, dims)
	for i := range params {
		params[i] = ir.Index
	}
	args := []ir.Value{write.Array}
	var maps []ir.Attr
	for _, r := range reads {
		params = append(params, elemOf(b.Graph(), r.Array))
		args = append(args, r.Array)
		maps = append(maps, MapAttr(c, r.Map))
	}
	at := b.Loc
	region := b.Region(ir.Loop, params, func(p []ir.Value) {
		value, keys := body(p[:dims], p[dims:])
		b.Op(Yield, append([]ir.Value{value}, keys...)...)
	})
	attrs := []ir.NamedAttr{{Name: "name", Value: c.StringAttr(name)}, {Name: "domain", Value: SetAttr(c, domain)}, {Name: "operator", Value: c.StringAttr(string(op))},
		{Name: "write", Value: MapAttr(c, write.Map)}, {Name: "reads", Value: c.ArrayAttr(maps...)}}
	if after != 0 {
		attrs = append(attrs, ir.NamedAttr{Name: "after", Value: after})
	}
	return b.Must(ir.Call{Def: Statement, Args: args, Regions: []ir.Region{region}, Loc: at, Attr: c.Props(attrs, nil)})
}
