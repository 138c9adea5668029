package loop

import (
	"errors"
	"fmt"
	"slices"

	"github.com/irc-lang/irc/ir"
)

// The Go values of the types. What checks a type looks at these, not at the definitions,
// which would refer to themselves.
type (
	array    struct{ Elem ir.Type }
	nullable struct{ Elem ir.Type }
	record   struct{ Fields ir.Attr }
	bytes    struct{}
	buckets  struct{ Keys ir.Attr }
	tuples   struct{ Types ir.Attr }
)

var (
	arrayType = ir.DefineType(&ir.TypeDef[array]{Name: "loop.array", Doc: "A collection: numbers, strings, structs, or arrays of any lengths.",
		Params: []ir.Param[array]{ir.TypeParam("elem", func(t *array) *ir.Type { return &t.Elem })},
		Verify: func(c *ir.Context, t array) error { return checkElem(c, t.Elem) }})
	nullableType = ir.DefineType(&ir.TypeDef[nullable]{Name: "loop.nullable", Doc: "A value or none: a struct of a value and a flag, valid.",
		Params: []ir.Param[nullable]{ir.TypeParam("elem", func(t *nullable) *ir.Type { return &t.Elem })},
		Verify: func(c *ir.Context, t nullable) error { return checkElem(c, t.Elem) }})
	structType = ir.DefineType(&ir.TypeDef[record]{Name: "loop.struct", Doc: "Named fields.",
		Params: []ir.Param[record]{ir.FieldsParam("fields", func(t *record) *ir.Attr { return &t.Fields })}, Verify: checkStruct})
	stringType  = ir.DefineType(&ir.TypeDef[bytes]{Name: "loop.string", Doc: "Bytes."})
	bucketsType = ir.DefineType(&ir.TypeDef[buckets]{Name: "loop.buckets", Doc: "The groups of a bucket generator: how many, and their keys.",
		Params: []ir.Param[buckets]{ir.TypesParam("keys", func(t *buckets) *ir.Attr { return &t.Keys }).Bare()},
		Verify: func(c *ir.Context, t buckets) error { return checkKeys(c, c.TypesOf(t.Keys)) }})
	emitType = ir.DefineType(&ir.TypeDef[tuples]{Name: "loop.emit", Doc: "What the body of a loop emits to a generator: a sequence of tuples.",
		Params: []ir.Param[tuples]{ir.TypesParam("types", func(t *tuples) *ir.Attr { return &t.Types }).Bare()},
		Verify: func(c *ir.Context, t tuples) error {
			for _, x := range c.TypesOf(t.Types) {
				if err := checkElem(c, x); err != nil {
					return err
				}
			}
			return nil
		}})
)

// Array is the type of collections of elem.
func Array(c *ir.Context, elem ir.Type) ir.Type { return arrayType.Type(c, array{elem}) }

// ElemOf is the type of the elements of an array, or of a string's bytes.
func ElemOf(c *ir.Context, t ir.Type) (elem ir.Type, ok bool) {
	switch v := c.Info(t).Value.(type) {
	case bytes:
		return ir.I8, true
	case array:
		return v.Elem, true
	}
	return 0, false
}

// StructOf is the type of structs with the given fields.
func StructOf(c *ir.Context, fields ...ir.Field) ir.Type {
	return structType.Type(c, record{c.FieldsAttr(fields...)})
}

// Nullable is the type of a value of type elem or none.
func Nullable(c *ir.Context, elem ir.Type) ir.Type { return nullableType.Type(c, nullable{elem}) }

// IsNullable reports a type made by Nullable.
func IsNullable(c *ir.Context, t ir.Type) bool { return is[nullable](c, t) }

// String is the type of strings.
func String(c *ir.Context) ir.Type { return stringType.Type(c, bytes{}) }

// IsString reports the type of strings.
func IsString(c *ir.Context, t ir.Type) bool { return is[bytes](c, t) }

// Buckets is the type of groups with keys of the given types.
func Buckets(c *ir.Context, keys ...ir.Type) ir.Type {
	return bucketsType.Type(c, buckets{c.TypesAttr(keys...)})
}

// KeysOf lists the types of the keys of buckets.
func KeysOf(c *ir.Context, t ir.Type) (keys []ir.Type, ok bool) {
	b, ok := c.Info(t).Value.(buckets)
	return c.TypesOf(b.Keys), ok
}

// EmitOf is the type of sequences of tuples of the given types.
func EmitOf(c *ir.Context, ts ...ir.Type) ir.Type {
	return emitType.Type(c, tuples{c.TypesAttr(ts...)})
}

// TupleOf lists the types of the tuples of an emit.
func TupleOf(c *ir.Context, t ir.Type) (ts []ir.Type, ok bool) {
	e, ok := c.Info(t).Value.(tuples)
	return c.TypesOf(e.Types), ok
}

// IsEmit reports sequences of tuples.
func IsEmit(c *ir.Context, t ir.Type) bool { return is[tuples](c, t) }

// Fields lists the fields of a record: of a struct, or value and valid of a nullable.
func Fields(c *ir.Context, t ir.Type) (fields []ir.Field, ok bool) {
	switch v := c.Info(t).Value.(type) {
	case record:
		return c.FieldsOf(v.Fields), true
	case nullable:
		return []ir.Field{{Name: "value", Type: v.Elem}, {Name: "valid", Type: ir.I1}}, true
	}
	return nil, false
}

// columnsOf lists the columns of an array of records, or of arrays of such: to each field the
// array of those of all elements.
func columnsOf(c *ir.Context, t ir.Type) (columns []ir.Field, ok bool) {
	if !is[array](c, t) {
		return nil, false
	}
	return components(c, t)
}

// is reports a type whose Go value is a T.
func is[T any](c *ir.Context, t ir.Type) bool {
	_, ok := c.Info(t).Value.(T)
	return ok
}

func checkElem(c *ir.Context, t ir.Type) error {
	info := c.Info(t)
	switch info.Value.(type) {
	case record, nullable, bytes, array, buckets:
		return nil
	}
	switch {
	case t == ir.Index, info.Kind == ir.KindFloat && info.Width <= 64:
		return nil
	case info.Kind == ir.KindInteger && info.Width <= 64 && info.Sign == ir.Signless:
		return nil
	}
	return errors.New("holds numbers of at most 64 bits, strings, structs, nullable values or arrays")
}

func checkStruct(c *ir.Context, t record) error {
	fields := c.FieldsOf(t.Fields)
	if len(fields) == 0 {
		return errors.New("has no field")
	}
	for i, f := range fields {
		if slices.ContainsFunc(fields[:i], func(x ir.Field) bool { return x.Name == f.Name }) {
			return fmt.Errorf("has two fields %q", f.Name)
		}
		if err := checkElem(c, f.Type); err != nil {
			return err
		}
	}
	return nil
}

// checkKeys: what is compared for equality has no arrays in it.
func checkKeys(c *ir.Context, keys []ir.Type) error {
	if len(keys) == 0 {
		return errors.New("has no key")
	}
	for _, k := range keys {
		if fields, ok := Fields(c, k); ok {
			for _, f := range fields {
				if err := checkKeys(c, []ir.Type{f.Type}); err != nil {
					return err
				}
			}
			continue
		}
		if is[array](c, k) || is[buckets](c, k) || checkElem(c, k) != nil {
			return errors.New("has keys that are numbers of at most 64 bits, strings, or structs of such")
		}
	}
	return nil
}
