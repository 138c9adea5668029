package stage

import (
	"math"
	"reflect"

	"github.com/irc-lang/irc/ir"
)

// Scalar are the types that a program computes with.
type Scalar interface {
	bool | int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// kind is a scalar type.
type kind uint8

const (
	none kind = iota
	boolean
	i8
	i16
	i32
	i64
	u8
	u16
	u32
	u64
	f32
	f64
)

var kinds = map[reflect.Kind]kind{reflect.Bool: boolean, reflect.Int: i64, reflect.Int8: i8, reflect.Int16: i16, reflect.Int32: i32, reflect.Int64: i64,
	reflect.Uint: u64, reflect.Uint8: u8, reflect.Uint16: u16, reflect.Uint32: u32, reflect.Uint64: u64, reflect.Float32: f32, reflect.Float64: f64}

func kindOf[T Scalar]() kind { return kinds[reflect.TypeFor[T]().Kind()] }

func (k kind) float() bool  { return k >= f32 }
func (k kind) signed() bool { return k >= i8 && k <= i64 }
func (k kind) int() bool    { return k >= i8 && k <= u64 }

// width is in bits.
func (k kind) width() int {
	switch k {
	case boolean:
		return 1
	case i8, u8:
		return 8
	case i16, u16:
		return 16
	case i32, u32, f32:
		return 32
	}
	return 64
}

func (k kind) String() string {
	return []string{"none", "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"}[k]
}

// typ is the type of the IR.
func (k kind) typ(c *ir.Context) ir.Type {
	switch k {
	case f32:
		return ir.F32
	case f64:
		return ir.F64
	}
	return c.Int(k.width())
}

// bits are those of a value of Go.
func bits(x any) (uint64, kind) {
	v := reflect.ValueOf(x)
	k := kinds[v.Kind()]
	switch {
	case k == boolean:
		if v.Bool() {
			return 1, k
		}
		return 0, k
	case k == f32:
		return uint64(math.Float32bits(float32(v.Float()))), k
	case k == f64:
		return math.Float64bits(v.Float()), k
	case k.signed():
		return k.wrap(uint64(v.Int())), k
	case k != none:
		return v.Uint(), k
	}
	return 0, none
}

// wrap leaves the bits of the type.
func (k kind) wrap(x uint64) uint64 { return x << (64 - k.width()) >> (64 - k.width()) }

// number is an integer with its sign.
func (k kind) number(x uint64) int64 { return int64(x<<(64-k.width())) >> (64 - k.width()) }

// of is a float.
func (k kind) of(x uint64) float64 {
	if k == f32 {
		return float64(math.Float32frombits(uint32(x)))
	}
	return math.Float64frombits(x)
}

// round are the bits of a float.
func (k kind) round(x float64) uint64 {
	if k == f32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// value is the value of Go.
func value[T Scalar](x uint64) T {
	var out T
	v := reflect.ValueOf(&out).Elem()
	setValue(v, x)
	return out
}

func setValue(v reflect.Value, x uint64) {
	switch k := kinds[v.Kind()]; {
	case k == boolean:
		v.SetBool(x != 0)
	case k.float():
		v.SetFloat(k.of(x))
	case k.signed():
		v.SetInt(k.number(x))
	default:
		v.SetUint(x)
	}
}
