package stage

import (
	"errors"
	"math"
)

// eval computes what an op gives of values, as Go does.
func eval(op string, k kind, x, y uint64) uint64 {
	switch {
	case op == "eq" && !k.float():
		return truth(x == y)
	case op == "ne" && !k.float():
		return truth(x != y)
	case k == boolean:
		return map[string]uint64{"and": x & y, "or": x | y, "xor": x ^ y, "not": x ^ 1}[op]
	case k.float():
		return evalFloat(op, k, k.of(x), k.of(y))
	}
	return evalInt(op, k, x, y)
}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func evalFloat(op string, k kind, x, y float64) uint64 {
	switch op {
	case "eq":
		return truth(x == y)
	case "ne":
		return truth(x != y)
	case "lt":
		return truth(x < y)
	case "le":
		return truth(x <= y)
	case "add":
		return k.round(x + y)
	case "sub":
		return k.round(x - y)
	case "mul":
		return k.round(x * y)
	case "div":
		return k.round(x / y)
	case "rem":
		return k.round(math.Mod(x, y))
	case "min":
		return k.round(min(x, y))
	case "max":
		return k.round(max(x, y))
	case "neg":
		return k.round(-x)
	}
	return k.round(function(op, x, y))
}

// errZero stops a program.
var errZero = errors.New("division by zero")

func evalInt(op string, k kind, x, y uint64) uint64 {
	a, b := k.number(x), k.number(y)
	less := func(or bool) uint64 {
		if k.signed() {
			return truth(a < b || or && a == b)
		}
		return truth(x < y || or && x == y)
	}
	shift := y < uint64(k.width())
	var out uint64
	switch op {
	case "lt":
		return less(false)
	case "le":
		return less(true)
	case "add":
		out = x + y
	case "sub":
		out = x - y
	case "mul":
		out = x * y
	case "div", "rem":
		out = k.divide(op, x, y)
	case "and":
		out = x & y
	case "or":
		out = x | y
	case "xor":
		out = x ^ y
	case "shl":
		if shift {
			out = x << y
		}
	case "shr":
		switch {
		case k.signed():
			out = uint64(a >> min(y, 63))
		case shift:
			out = x >> y
		}
	case "min":
		if out = x; less(true) == 0 {
			out = y
		}
	case "max":
		if out = y; less(true) == 0 {
			out = x
		}
	case "neg":
		out = -x
	case "not":
		out = ^x
	}
	return k.wrap(out)
}

// divide gives the quotient or the rest, rounded to zero.
func (k kind) divide(op string, x, y uint64) uint64 {
	a, b := k.number(x), k.number(y)
	switch {
	case y == 0:
		panic(errZero)
	case !k.signed() && op == "div":
		return x / y
	case !k.signed():
		return x % y
	case op == "div":
		return uint64(a / b)
	default:
		return uint64(a % b)
	}
}

// convert makes a value of another type.
func convert(from, to kind, x uint64) uint64 {
	switch {
	case from == to:
		return x
	case from.float() && to.float():
		return to.round(from.of(x))
	case from.float():
		low, high := to.limits()
		switch f := math.Trunc(from.of(x)); {
		case f != f:
			return 0
		case f <= low:
			return to.least()
		case f >= high:
			return to.most()
		case to.signed():
			return to.wrap(uint64(int64(f)))
		default:
			return uint64(f)
		}
	case to.float() && from.signed():
		if to == f32 {
			return uint64(math.Float32bits(float32(from.number(x))))
		}
		return math.Float64bits(float64(from.number(x)))
	case to.float():
		if to == f32 {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(float64(x))
	case from.signed():
		return to.wrap(uint64(from.number(x)))
	}
	return to.wrap(x)
}

// limits are the floats from which on there is no integer.
func (k kind) limits() (low, high float64) {
	if k.signed() {
		return -math.Ldexp(1, k.width()-1), math.Ldexp(1, k.width()-1)
	}
	return 0, math.Ldexp(1, k.width())
}

func (k kind) least() uint64 {
	if k.signed() {
		return 1 << (k.width() - 1)
	}
	return 0
}

func (k kind) most() uint64 {
	if k.signed() {
		return 1<<(k.width()-1) - 1
	}
	return k.wrap(math.MaxUint64)
}
