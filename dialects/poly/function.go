package poly

import (
	"github.com/irc-lang/irc/dialects/poly/presburger"
)

// A function is a single-valued relation, made ready to be evaluated at many points
// for given values of the parameters.
type function struct {
	rows   [][]int64 // of a constant and coefficients of the coordinates, if it is linear and defined wherever it is asked for
	slow   presburger.PwMultiAff
	params map[string]presburger.Int
	in     []presburger.Int // room for Eval
}

// newFunction prepares a relation. whole says that it is defined at all points that
// it will be asked for.
func newFunction(m presburger.Map, dims int, params map[string]presburger.Int, whole bool) (*function, error) {
	f, err := m.AsPwMultiAff()
	if err != nil {
		return nil, err
	}
	out := &function{slow: f, params: params}
	if !whole {
		return out, nil
	}
	if a, ok := f.AsMultiAff(); ok {
		out.rows, _ = linearRows(a, dims, params)
	}
	return out, nil
}

// linearRows reads a tuple of affine functions without floors and fractions.
func linearRows(a presburger.MultiAff, dims int, params map[string]presburger.Int) ([][]int64, bool) {
	rows := make([][]int64, a.Len())
	for i := range rows {
		x := a.At(i)
		if x.HasFloors() {
			return nil, false
		}
		c, ok := whole(x.Constant())
		for _, p := range x.Params() {
			k, isInt := whole(x.ParamCoefficient(p))
			v, known := params[p].Int64()
			ok = ok && isInt && known
			c += k * v
		}
		row := append(make([]int64, 0, dims+1), c)
		for d := range dims {
			k, isInt := whole(x.Coefficient(d))
			ok = ok && isInt
			row = append(row, k)
		}
		if !ok {
			return nil, false
		}
		rows[i] = row
	}
	return rows, true
}

func whole(r presburger.Rat) (int64, bool) {
	if r.Den.Cmp(presburger.NewInt(1)) != 0 {
		return 0, false
	}
	return r.Num.Int64()
}

// at evaluates the function at a point into out; ok is false where it is not defined.
func (f *function) at(x []int64, out []int64) (ok bool, err error) {
	if f.rows != nil {
		for i, row := range f.rows {
			s := row[0]
			for d, k := range row[1:] {
				s += k * x[d]
			}
			out[i] = s
		}
		return true, nil
	}
	f.in = f.in[:0]
	for _, v := range x {
		f.in = append(f.in, presburger.NewInt(v))
	}
	vs, ok, err := f.slow.Eval(f.in, f.params)
	if err != nil || !ok {
		return false, err
	}
	for i, v := range vs {
		if out[i], ok = v.Num.Int64(); !ok || v.Den.Cmp(presburger.NewInt(1)) != 0 {
			return false, nil
		}
	}
	return true, nil
}
