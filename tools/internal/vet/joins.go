package vet

import (
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/param"
	"github.com/irc-lang/irc/ir/unwind"
)

// joins are the ops that take values of a dialect's types apart and put them together, as its type lowerings use them:
// where the types become their parts, folds take these ops away.
func (f *finder) joins() map[*ir.OpDef]bool {
	if f.joining == nil {
		f.joining = map[*ir.OpDef]bool{}
		for _, types := range ir.Table[ir.TypeLowerings](f.d) {
			for def, t := range types {
				f.uses(def.Shape(), t)
			}
		}
	}
	return f.joining
}

// uses notes the ops by which a type lowering takes a value apart and puts it together. They are asked for a value of some
// type of the definition; what goes wrong with that is for a program to show.
func (f *finder) uses(s *ir.Shape, t ir.TypeLowering) {
	if f.known.ctx == nil || t.Parts == nil || t.Unpack == nil || t.Pack == nil {
		return
	}
	of, ok := someType(f.known.ctx, s)
	if !ok {
		return
	}
	_, _ = unwind.Catch[any](func() {
		b := ir.NewBuilder(f.known.ctx, ir.Verbatim)
		t.Unpack(b, b.Param(of))
		var parts []ir.Value
		for _, p := range t.Parts(f.known.ctx, of) {
			parts = append(parts, b.Param(p))
		}
		t.Pack(b, of, parts)
		for n := range b.Finish().All() {
			f.joining[n.Def()] = true
		}
	})
}

// someType makes a type of a definition, of parameters that it does not refuse.
func someType(c *ir.Context, s *ir.Shape) (ir.Type, bool) {
	for _, elem := range []ir.Type{ir.F64, ir.I32, ir.F32, ir.I64, ir.Index, ir.I1} {
		for _, n := range []int64{4, 1, 32} {
			params := make([]ir.Attr, len(s.Params))
			for i, p := range s.Params {
				params[i] = someParam(c, p, elem, n)
			}
			var t ir.Type
			var err error
			if _, thrown := unwind.Catch[any](func() { t, err = c.DefinedType(s, params) }); err == nil && !thrown {
				return t, true
			}
		}
	}
	return 0, false
}

// someParam is a parameter of a kind.
func someParam(c *ir.Context, p ir.ParamInfo, elem ir.Type, n int64) ir.Attr {
	switch p.Kind {
	case param.Type, param.Attr:
		return c.TypeAttr(elem)
	case param.Types:
		return c.TypesAttr(elem)
	case param.Int:
		return c.IntAttr(n, ir.I64)
	case param.Word:
		return c.IntAttr(0, ir.I64)
	case param.Ints:
		return c.DenseArray(ir.I64, n)
	case param.Float:
		return c.FloatAttr(1, ir.F64)
	case param.String:
		return c.StringAttr("x")
	case param.Size:
		return c.SizeAttr(ir.Known(n))
	case param.Sizes:
		return c.ArrayAttr(c.SizeAttr(ir.Known(n)))
	case param.Fields:
		return c.FieldsAttr(ir.Field{Name: "x", Type: elem})
	}
	return 0
}
