package funcs

import "github.com/irc-lang/irc/ir"

// Parts are the attributes of a function whose arguments and results give way to their
// parts: each of those has what is said of the whole.
func Parts(c *ir.Context, attr ir.Attr, parts func(ir.Type) []ir.Type) ir.Attr {
	t := TypeOf(c, attr)
	in, argAttrs := partsOf(c, t.Types[:t.NumIn], c.Get(attr, "arg_attrs"), parts)
	out, resAttrs := partsOf(c, t.Types[t.NumIn:], c.Get(attr, "res_attrs"), parts)
	attr = c.With(attr, "function_type", c.TypeAttr(c.Func(in, out)))
	return c.With(c.With(attr, "arg_attrs", argAttrs), "res_attrs", resAttrs)
}

// partsOf lists the parts of types, and their attributes: an array of dictionaries, or 0.
func partsOf(c *ir.Context, types []ir.Type, attrs ir.Attr, parts func(ir.Type) []ir.Type) (out []ir.Type, outAttrs ir.Attr) {
	var dicts []ir.Attr
	for i, t := range types {
		ps := parts(t)
		out = append(out, ps...)
		for range ps {
			if attrs != 0 {
				dicts = append(dicts, c.AttrInfo(attrs).List[i])
			}
		}
	}
	if len(dicts) == 0 {
		return out, 0
	}
	return out, c.ArrayAttr(dicts...)
}
