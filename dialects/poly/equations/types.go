package equations

import (
	"sync"

	"github.com/irc-lang/irc/dialects/arith"
	"github.com/irc-lang/irc/dialects/math"
	"github.com/irc-lang/irc/dialects/special"
	"github.com/irc-lang/irc/ir"
)

// ty is the type of an expression: one of the language, or that of what takes the type
// of what stands beside it.
type ty uint8

const (
	noType    ty = iota
	whole        // a whole number as it is written: any number
	decimal      // a number with a point: any float
	indexType    // coordinates and parameters: any integer
	boolType
	i32Type
	i64Type
	f32Type
	f64Type
)

var typeNames = [...]string{"nothing", "a whole number", "a float", "an integer (a coordinate)", "i1", "i32", "i64", "f32", "f64"}

func (t ty) String() string { return typeNames[t] }

var typesByName = map[string]ty{"i1": boolType, "i32": i32Type, "i64": i64Type, "f32": f32Type, "f64": f64Type}

// of is the type in the graph.
func (t ty) of() ir.Type {
	switch t {
	case boolType:
		return ir.I1
	case i32Type:
		return ir.I32
	case i64Type:
		return ir.I64
	case f32Type:
		return ir.F32
	case f64Type, decimal:
		return ir.F64
	}
	return ir.Index
}

func (t ty) isFloat() bool   { return t == decimal || t == f32Type || t == f64Type }
func (t ty) isInteger() bool { return t == whole || t == indexType || t == i32Type || t == i64Type }
func (t ty) isNumber() bool  { return t.isFloat() || t.isInteger() }

// takes reports that a value of type u may stand where one of type t is wanted.
func (t ty) takes(u ty) bool {
	switch {
	case t == u:
		return true
	case u == whole:
		return t.isNumber()
	case u == decimal:
		return t.isFloat()
	case u == indexType:
		return t.isInteger()
	}
	return false
}

// join is the type that two operands have together; noType if there is none.
func join(t, u ty) ty {
	switch {
	case t.takes(u):
		return t
	case u.takes(t):
		return u
	}
	return noType
}

// functions are those of floats: every op of the dialects math and special that takes floats.
// They are found when they are first asked for: who has no equations does not wait for it.
var functions = sync.OnceValue(func() map[string]*ir.OpDef {
	out := map[string]*ir.OpDef{}
	add := func(d *ir.Dialect) {
		for _, op := range d.Ops {
			if len(op.Args) > 0 && op.Has(ir.Elementwise) && floatFunction(op) {
				out[op.Name[len(d.Name)+1:]] = op
			}
		}
	}
	add(special.Dialect)
	add(math.Dialect)
	delete(out, "fpowi")
	out["pow"], out["abs"] = math.Powf, math.Absf
	delete(out, "powf")
	delete(out, "absf")
	return out
})

// floatFunction asks an op whether it takes floats and gives one.
func floatFunction(op *ir.OpDef) bool {
	b := ir.NewBuilder(ir.NewContext(arith.Dialect, math.Dialect, special.Dialect))
	args := make([]ir.Value, len(op.Args))
	for i := range args {
		args[i] = b.Param(ir.F64)
	}
	v, err := b.Make(ir.Call{Def: op, Args: args, Attr: fastMath(b.Ctx(), op)})
	return err == nil && b.Graph().Type(v) == ir.F64
}

// fastMath are the attributes of an op of floats without licences.
func fastMath(c *ir.Context, op *ir.OpDef) ir.Attr {
	for _, a := range op.Attrs {
		if a == "fastmath" {
			return arith.FastMathProps(c, 0)
		}
	}
	return 0
}
