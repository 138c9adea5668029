package loop

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/irc-lang/irc/dialects/loop"
	"github.com/irc-lang/irc/dialects/loop/collection"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/ir/run/table"
)

// A shape is what a row in a query is: one expression, or a struct of such.
type shape struct {
	typ    reflect.Type
	single Expr // of a row that is one expression
	fields []shapeField
}

type shapeField struct {
	name string
	at   int
	zero Expr
}

// A failure is a mistake in a query; Compile returns it.
type failure struct{ error }

func fail(format string, args ...any) { panic(failure{fmt.Errorf("loop: "+format, args...)}) }

var exprType = reflect.TypeFor[Expr]()

// shapeOf looks at a type of rows.
func shapeOf(t reflect.Type) *shape {
	s := &shape{typ: t}
	if t.Implements(exprType) && t.Kind() == reflect.Struct {
		s.single = reflect.Zero(t).Interface().(Expr)
		return s
	}
	if t.Kind() != reflect.Struct || t.NumField() == 0 {
		fail("%v is no row of a query: that is a Num, a Str or a Bool, an Opt of one, or a struct with such fields", t)
	}
	for i := range t.NumField() {
		f := t.Field(i)
		switch {
		case !f.IsExported():
			fail("the field %s of %v is not exported, so nobody can set it here: begin its name with a capital", f.Name, t)
		case !f.Type.Implements(exprType):
			fail("the field %s of %v is of type %v: fields of a row in a query are loop.Num[T], loop.Str or loop.Bool, or a loop.Opt of one%s", f.Name, t, f.Type, advice(f.Type))
		}
		s.fields = append(s.fields, shapeField{nameOf(f), i, reflect.Zero(f.Type).Interface().(Expr)})
	}
	return s
}

// advice names the type that was likely meant.
func advice(t reflect.Type) string {
	if name := meant(t); name != "" {
		return ", here " + name
	}
	return ""
}

func meant(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "loop.Str"
	case reflect.Bool:
		return "loop.Bool"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return fmt.Sprintf("loop.Num[%v]", t)
	case reflect.Pointer:
		if of := meant(t.Elem()); of != "" && t.Elem().Kind() != reflect.Pointer {
			return "loop.Opt[" + of + "]"
		}
	}
	return ""
}

// nameOf is the column of a field.
func nameOf(f reflect.StructField) string {
	if tag, ok := f.Tag.Lookup("loop"); ok {
		return tag
	}
	return f.Name
}

// elem is the type of a row as a value.
func (s *shape) elem(c *ir.Context) ir.Type {
	if s.single != nil {
		return typeOf(c, s.single.cell())
	}
	fields := make([]ir.Field, len(s.fields))
	for i, f := range s.fields {
		fields[i] = ir.Field{Name: f.name, Type: typeOf(c, f.zero.cell())}
	}
	return loop.StructOf(c, fields...)
}

// wants lists the columns of rows.
func (s *shape) wants() []table.Want {
	if s.single != nil {
		return []table.Want{s.single.cell().want("value")}
	}
	return lists.Map(s.fields, func(f shapeField) table.Want { return f.zero.cell().want(f.name) })
}

// row is a row of expressions, each made by a node.
func (s *shape) row(of func(field int) *node) reflect.Value {
	if s.single != nil {
		return reflect.ValueOf(s.single.of(of(0)))
	}
	row := reflect.New(s.typ).Elem()
	for i, f := range s.fields {
		row.Field(f.at).Set(reflect.ValueOf(f.zero.of(of(i))))
	}
	return row
}

// exprs lists the expressions of a row.
func (s *shape) exprs(row any) []Expr {
	if s.single != nil {
		return []Expr{row.(Expr)}
	}
	v := reflect.ValueOf(row)
	out := make([]Expr, len(s.fields))
	for i, f := range s.fields {
		out[i] = v.Field(f.at).Interface().(Expr)
		if out[i].made() == nil {
			fail("the field %s of %v has no value here: it was not set", s.typ.Field(f.at).Name, s.typ)
		}
	}
	return out
}

func (s *shape) names() []string {
	return lists.Map(s.fields, func(f shapeField) string { return f.name })
}

// rowOf is the row that is an element of an array, in the function that is given it.
func rowOf[T any](c *compiler, v ir.Value) T {
	s, home := shapeOf(reflect.TypeFor[T]()), c.here()
	return s.row(func(i int) *node {
		return made(func(c *compiler) ir.Value {
			c.inside(home)
			if s.single != nil {
				return v
			}
			return loop.FieldOf(c.b, v, s.fields[i].name)
		})
	}).Interface().(T)
}

// element makes the element of an array that a row is.
func element[T any](c *compiler, row T) ir.Value {
	s := shapeOf(reflect.TypeFor[T]())
	vals := c.values(s.exprs(row))
	if s.single != nil {
		return vals[0]
	}
	return collection.Record(c.b, s.names(), vals...)
}

func (x cell) want(name string) table.Want {
	return table.Want{Name: name, Kind: x.kind, Nullable: x.nullable}
}

// String is how a value of a column is written in Go.
func (x cell) String() string {
	name, ok := map[table.Kind]string{table.I1: "bool", table.String: "string", table.F32: "float32", table.F64: "float64"}[x.kind]
	if !ok {
		name = strings.Replace(x.kind.String(), "i", "int", 1)
	}
	if x.nullable {
		return "*" + name
	}
	return name
}
