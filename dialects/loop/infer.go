package loop

import (
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/lists"
	irtext "github.com/irc-lang/irc/ir/text"
)

type infer = func(c *ir.Call) (ir.Type, error)

// noRegions is the check of an op that has none.
func noRegions(f infer) infer {
	return func(c *ir.Call) (ir.Type, error) {
		if len(c.Regions) > 0 {
			return 0, c.Errorf("has no regions")
		}
		return f(c)
	}
}

func spell(c *ir.Context, ts ...ir.Type) string {
	out := lists.Map(ts, func(t ir.Type) string { return irtext.TypeString(c, t) })
	if len(out) == 1 {
		return out[0]
	}
	return "(" + strings.Join(out, ", ") + ")"
}

func typesOf(g *ir.Graph, vs []ir.Value) []ir.Type {
	return lists.Map(vs, g.Type)
}

// takes is the check of an op that has n operands and no regions.
func takes(n int, f infer) infer {
	return noRegions(func(c *ir.Call) (ir.Type, error) {
		if len(c.Args) != n {
			return 0, c.Errorf("takes %d operands, has %d", n, len(c.Args))
		}
		return f(c)
	})
}

func inferYield(*ir.Call) (ir.Type, error) { return ir.Void, nil }

func inferConstant(c *ir.Call) (ir.Type, error) {
	t := String(c.Ctx())
	if a := c.Get("value"); a == 0 || c.Ctx().TypeOf(a) != t {
		return 0, c.Errorf("has a value that is a #loop.text")
	}
	return t, nil
}

func inferEmit(c *ir.Call) (ir.Type, error) {
	ts := typesOf(c.Graph(), c.Args)
	t, err := emitType.Make(c.Ctx(), tuples{c.Ctx().TypesAttr(ts...)})
	if err != nil {
		return 0, c.Errorf("emits a tuple that %v", err)
	}
	return t, nil
}

func inferNone(c *ir.Call) (ir.Type, error) {
	if _, ok := TupleOf(c.Ctx(), c.Type); !ok {
		return 0, c.Errorf("gives a !loop.emit")
	}
	return c.Type, nil
}

func inferSeq(c *ir.Call) (ir.Type, error) {
	if _, ok := TupleOf(c.Ctx(), c.Type); !ok {
		return 0, c.Errorf("gives a !loop.emit")
	}
	for i := range c.Args {
		if c.ArgType(i) != c.Type {
			return 0, c.Errorf("operand #%d is %s, not %s", i, spell(c.Ctx(), c.ArgType(i)), spell(c.Ctx(), c.Type))
		}
		if err := checkMade(c, c.Args[i], For); err != nil {
			return 0, c.Errorf("takes as operand #%d %v", i, err)
		}
	}
	return c.Type, nil
}

// indices checks operands that are of type index.
func indices(c *ir.Call, from int) error {
	for i := from; i < len(c.Args); i++ {
		if c.ArgType(i) != ir.Index {
			return c.Errorf("operand #%d is %s, not index", i, spell(c.Ctx(), c.ArgType(i)))
		}
	}
	return nil
}

func inferAt(c *ir.Call) (ir.Type, error) {
	elem, ok := ElemOf(c.Ctx(), c.ArgType(0))
	if !ok {
		return 0, c.Errorf("takes an array or a string, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	return elem, indices(c, 1)
}

func inferLen(c *ir.Call) (ir.Type, error) {
	if _, ok := ElemOf(c.Ctx(), c.ArgType(0)); ok || is[buckets](c.Ctx(), c.ArgType(0)) {
		return ir.Index, nil
	}
	return 0, c.Errorf("takes an array, a string or buckets, not %s", spell(c.Ctx(), c.ArgType(0)))
}

func inferSlice(c *ir.Call) (ir.Type, error) {
	if _, ok := ElemOf(c.Ctx(), c.ArgType(0)); !ok {
		return 0, c.Errorf("takes an array or a string, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	return c.ArgType(0), indices(c, 1)
}

func inferSort(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes an array of keys at least")
	}
	for i := range c.Args {
		elem, ok := c.Ctx().Info(c.ArgType(i)).Value.(array)
		if !ok || checkKeys(c.Ctx(), []ir.Type{elem.Elem}) != nil {
			return 0, c.Errorf("operand #%d is %s, not an array of numbers, strings or structs of such", i, spell(c.Ctx(), c.ArgType(i)))
		}
	}
	if d := c.Get("descending"); d != 0 && len(c.Ctx().Ints(d)) != len(c.Args) {
		return 0, c.Errorf("says of %d keys which way they go, and has %d", len(c.Ctx().Ints(d)), len(c.Args))
	}
	return Array(c.Ctx(), ir.Index), nil
}

func inferStruct(c *ir.Call) (ir.Type, error) {
	fields, ok := Fields(c.Ctx(), c.Type)
	if !ok {
		return 0, c.Errorf("makes a !loop.struct or a !loop.nullable")
	}
	if len(c.Args) != len(fields) {
		return 0, c.Errorf("has %d operands for the %d fields of %s", len(c.Args), len(fields), spell(c.Ctx(), c.Type))
	}
	for i, f := range fields {
		if c.ArgType(i) != f.Type {
			return 0, c.Errorf("field %q is %s, not %s", f.Name, spell(c.Ctx(), f.Type), spell(c.Ctx(), c.ArgType(i)))
		}
	}
	return c.Type, nil
}

// fieldNamed finds the field that the op names.
func fieldNamed(c *ir.Call, fields []ir.Field) (ir.Field, error) {
	name := c.Get("name")
	if name == 0 || c.Ctx().KindOf(name) != ir.AttrString {
		return ir.Field{}, c.Errorf("names a field")
	}
	want := c.Ctx().AttrInfo(name).Str
	i := slices.IndexFunc(fields, func(f ir.Field) bool { return f.Name == want })
	if i < 0 {
		names := lists.Map(fields, func(f ir.Field) string { return f.Name })
		if near := diag.Nearest(want, names); near != "" {
			return ir.Field{}, c.Errorf("names a field %q, which is not there; did you mean %q?", want, near)
		}
		return ir.Field{}, c.Errorf("names a field %q, which is not there; there are %s", want, strings.Join(names, ", "))
	}
	return fields[i], nil
}

func inferField(c *ir.Call) (ir.Type, error) {
	fields, ok := Fields(c.Ctx(), c.ArgType(0))
	if !ok && holdsRecord(c.Ctx(), c.ArgType(0)) {
		return 0, c.Errorf("takes a struct or a nullable value, not %s, of whose elements loop.column takes a field", spell(c.Ctx(), c.ArgType(0)))
	} else if !ok {
		return 0, c.Errorf("takes a struct or a nullable value, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	f, err := fieldNamed(c, fields)
	return f.Type, err
}

func inferZip(c *ir.Call) (ir.Type, error) {
	fields, ok := columnsOf(c.Ctx(), c.Type)
	if !ok {
		return 0, c.Errorf("makes an array of structs or of nullable values")
	}
	if len(c.Args) != len(fields) {
		return 0, c.Errorf("has %d operands for the %d columns of %s", len(c.Args), len(fields), spell(c.Ctx(), c.Type))
	}
	for i, f := range fields {
		if c.ArgType(i) != f.Type {
			return 0, c.Errorf("column %q is %s, not %s", f.Name, spell(c.Ctx(), f.Type), spell(c.Ctx(), c.ArgType(i)))
		}
	}
	return c.Type, nil
}

func inferColumn(c *ir.Call) (ir.Type, error) {
	fields, ok := columnsOf(c.Ctx(), c.ArgType(0))
	if !ok && holdsRecord(c.Ctx(), c.ArgType(0)) {
		return 0, c.Errorf("takes an array of structs, not %s, of which loop.field takes a field", spell(c.Ctx(), c.ArgType(0)))
	} else if !ok {
		return 0, c.Errorf("takes an array of structs, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	f, err := fieldNamed(c, fields)
	return f.Type, err
}

// place is the property index, a place in a list.
func place(c *ir.Call, n int) (int, error) {
	i := int64(0)
	if a := c.Get("index"); a != 0 {
		i = c.Ctx().AttrInfo(a).Int
	}
	if i < 0 || i >= int64(n) {
		return 0, c.Errorf("asks for key %d of %d; the first is 0", i, n)
	}
	return int(i), nil
}

func inferKeys(c *ir.Call) (ir.Type, error) {
	keys, ok := KeysOf(c.Ctx(), c.ArgType(0))
	if !ok {
		return 0, c.Errorf("takes buckets, not %s", spell(c.Ctx(), c.ArgType(0)))
	}
	i, err := place(c, len(keys))
	if err != nil {
		return 0, err
	}
	return Array(c.Ctx(), keys[i]), nil
}

func inferFind(c *ir.Call) (ir.Type, error) {
	if len(c.Args) == 0 {
		return 0, c.Errorf("takes buckets")
	}
	keys, ok := KeysOf(c.Ctx(), c.ArgType(0))
	if got := typesOf(c.Graph(), c.Args[1:]); !ok || !slices.Equal(keys, got) {
		return 0, c.Errorf("looks for a key of type %s in %s", spell(c.Ctx(), got...), spell(c.Ctx(), c.ArgType(0)))
	}
	return ir.Index, nil
}

func inferCompare(c *ir.Call) (ir.Type, error) {
	for i := range c.Args {
		if !IsString(c.Ctx(), c.ArgType(i)) {
			return 0, c.Errorf("operand #%d is %s, not a string", i, spell(c.Ctx(), c.ArgType(i)))
		}
	}
	if a := c.Get("predicate"); a == 0 || c.Ctx().AttrInfo(a).Int < 0 || c.Ctx().AttrInfo(a).Int >= int64(len(predicates)) {
		return 0, c.Errorf("has a predicate: %s", strings.Join(predicates, ", "))
	}
	return ir.I1, nil
}

// inferRekey: the keys are what those of the result are made of.
func inferRekey(c *ir.Call) (ir.Type, error) {
	from, to := c.ArgType(0), c.Type
	for {
		x, ok := c.Ctx().Info(from).Value.(array)
		y, also := c.Ctx().Info(to).Value.(array)
		if !ok || !also {
			break
		}
		from, to = x.Elem, y.Elem
	}
	keys, ok := KeysOf(c.Ctx(), from)
	want, also := KeysOf(c.Ctx(), to)
	if !ok || !also || !slices.Equal(keys, Leaves(c.Ctx(), want...)) {
		return 0, c.Errorf("makes buckets of %s of %s", spell(c.Ctx(), want...), spell(c.Ctx(), c.ArgType(0)))
	}
	return c.Type, nil
}

func inferPack(c *ir.Call) (ir.Type, error) {
	if c.Type == ir.NoType || c.Ctx().LoweringOf(c.Type) == nil {
		return 0, c.Errorf("makes an array, a string, a struct, a nullable value or buckets")
	}
	if want := Parts(c.Ctx(), c.Type); !slices.Equal(typesOf(c.Graph(), c.Args), want) {
		return 0, c.Errorf("makes %s of %s, not of %s", spell(c.Ctx(), c.Type), spell(c.Ctx(), want...), spell(c.Ctx(), typesOf(c.Graph(), c.Args)...))
	}
	return c.Type, nil
}

func inferUnpack(c *ir.Call) (ir.Type, error) {
	if c.Ctx().LoweringOf(c.ArgType(0)) == nil {
		return 0, c.Errorf("takes an array, a string, a struct, a nullable value or buckets")
	}
	return c.Ctx().Multi(Parts(c.Ctx(), c.ArgType(0))...), nil
}
