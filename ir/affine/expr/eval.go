package expr

import (
	"errors"
	"math/big"
)

// What is no number.
var (
	ErrOverflow = errors.New("an affine expression does not fit in 64 bits")
	ErrDivisor  = errors.New("an affine expression divides by a number that is not positive")
)

// Eval is the value of an expression at a point.
func (e *Expr) Eval(dims, syms []int64) (int64, error) {
	if n, err := e.eval(dims, syms); err != ErrOverflow {
		return n, err
	}
	n, err := e.exact(dims, syms)
	if err == nil && !n.IsInt64() {
		err = ErrOverflow
	}
	if err != nil {
		return 0, err
	}
	return n.Int64(), nil
}

// eval gives up where anything inside does not fit.
func (e *Expr) eval(dims, syms []int64) (int64, error) {
	switch e.Op {
	case OpConst:
		return e.N, nil
	case OpDim:
		return dims[e.N], nil
	case OpSym:
		return syms[e.N], nil
	}
	x, err := e.L.eval(dims, syms)
	if err != nil {
		return 0, err
	}
	y, err := e.R.eval(dims, syms)
	if err != nil {
		return 0, err
	}
	ok := true
	switch e.Op {
	case OpAdd:
		x, ok = addInt(x, y)
	case OpMul:
		x, ok = mulInt(x, y)
	default:
		if y <= 0 {
			return 0, ErrDivisor
		}
		q, m := floorDiv(x, y)
		if x = q; e.Op == OpMod {
			x = m
		} else if e.Op == OpCeilDiv && m > 0 {
			x++
		}
	}
	if !ok {
		return 0, ErrOverflow
	}
	return x, nil
}

// exact computes without bound; what is divided must fit, and so must the divisor.
func (e *Expr) exact(dims, syms []int64) (*big.Int, error) {
	switch e.Op {
	case OpConst:
		return big.NewInt(e.N), nil
	case OpDim:
		return big.NewInt(dims[e.N]), nil
	case OpSym:
		return big.NewInt(syms[e.N]), nil
	}
	x, err := e.L.exact(dims, syms)
	if err != nil {
		return nil, err
	}
	y, err := e.R.exact(dims, syms)
	if err != nil {
		return nil, err
	}
	switch {
	case e.Op == OpAdd:
		return x.Add(x, y), nil
	case e.Op == OpMul:
		return x.Mul(x, y), nil
	case !x.IsInt64() || !y.IsInt64():
		return nil, ErrOverflow
	case y.Sign() <= 0:
		return nil, ErrDivisor
	}
	q, m := new(big.Int).DivMod(x, y, new(big.Int)) // Euclidean: rounds down, as y > 0
	switch {
	case e.Op == OpMod:
		return m, nil
	case e.Op == OpCeilDiv && m.Sign() > 0:
		return q.Add(q, big.NewInt(1)), nil
	}
	return q, nil
}
