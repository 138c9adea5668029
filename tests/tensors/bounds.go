package tensors

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// A last is a value that no other op reads: its elements are rounded, or places along a dimension.
type last struct {
	bound Bound
	elem  string // of argmax
	below int64  // places are less than this
}

// A Bound says how far elements may be from each other that were computed in two ways: Share of their magnitude, for a last rounding to their
// type, and Most besides. The zero Bound is none: they are equal but for the sign of zeros, which of a sum depends on its order.
type Bound struct{ Share, Most float64 }

// precision are the bits of a float behind its first.
var precision = map[string]float64{"bf16": 7, "f16": 10, "f32": 23, "f64": 52}

// within is the bound of results that are computed by some operations of which each rounds numbers up to a magnitude; those of 16 bits as f32.
func (g *generator) within(magnitude float64, operations int64) Bound {
	bits := precision[g.elem]
	return Bound{math.Pow(2, 1-bits), magnitude * float64(operations) * math.Pow(2, -max(bits, precision["f32"]))}
}

// argmax gives places, which a gather may read.
func (g *generator) argmax() {
	x := g.pick()
	if len(x.shape) == 0 {
		return
	}
	d := g.IntN(len(x.shape))
	v := g.value(fmt.Sprintf("%%v%d", len(g.vals)), without(x.shape, d), without(x.known, d))
	v.elem, v.below = "i64", x.shape[d]
	g.vals[len(g.vals)-1] = v
	g.line("%s = ten.argmax %s along %d : %s", v.name, x.name, d, g.typ(x))
}

func without[T any](list []T, at int) []T {
	return append(append([]T{}, list[:at]...), list[at+1:]...)
}

// rounded is a softmax, a logarithm of a sum of exponentials, a layer norm or a gelu.
func (g *generator) rounded() {
	x := g.pick()
	if !g.isFloat() || len(x.shape) == 0 || x.most > 1<<16 {
		return
	}
	d := g.IntN(len(x.shape))
	n := x.shape[d]
	like := func(b Bound) val {
		v := g.value(fmt.Sprintf("%%v%d", len(g.vals)), x.shape, x.known)
		v.bound = b
		g.vals[len(g.vals)-1] = v
		return v
	}
	switch g.IntN(4) {
	case 0:
		v := like(g.within(1, 8+n))
		g.line("%s = ten.softmax %s along %d : %s", v.name, x.name, d, g.typ(x))
	case 1:
		v := g.value(fmt.Sprintf("%%v%d", len(g.vals)), without(x.shape, d), without(x.known, d))
		v.bound = g.within(x.most+math.Log(float64(n)+1), 8+n)
		g.vals[len(g.vals)-1] = v
		g.line("%s = ten.logsumexp %s along %d : %s", v.name, x.name, d, g.typ(x))
	case 2:
		g.layerNorm(x, like)
	default:
		v := like(g.within(x.most, 16))
		g.line("%s = ten.gelu %s %s : %s", v.name, []string{"exact", "tanh"}[g.IntN(2)], x.name, g.typ(x))
	}
}

// layerNorm: a difference to the mean is wrong by a unit in the last place of the elements, and becomes larger by the inverse of the
// deviation. That is no less than a unit of the elements by their number, or that of the epsilon where all are equal.
func (g *generator) layerNorm(x val, like func(Bound) val) {
	d := len(x.shape) - 1
	n := max(x.shape[d], 1)
	row := val{shape: x.shape[d:], known: x.known[d:]}
	var names []string
	for range 2 {
		row.name = fmt.Sprintf("%%row%d", len(g.params))
		names = append(names, row.name)
		g.param(row.name, g.typ(row), g.data(row.shape))
	}
	inverse := max(float64(n)/x.unit, 1/math.Sqrt(1e-5))
	v := like(g.within(given.most*(x.most*inverse+float64(n)), 8+n))
	g.line("%s = ten.layer_norm %s scale %s bias %s epsilon 1.0e-5 : f64 : %s, %s, %s", v.name, x.name, names[0], names[1], g.typ(x), g.typ(row), g.typ(row))
}

// isSame reports results, as JSON, that agree.
func (p Program) isSame(a, b string) bool {
	if a == b {
		return true
	}
	x, y := parsed(a), parsed(b)
	if x == nil || y == nil || len(y) != len(x) {
		return false
	}
	for i := range x {
		var bound Bound
		if i < len(p.Bounds) {
			bound = p.Bounds[i]
		}
		if !bound.near(x[i], y[i]) {
			return false
		}
	}
	return true
}

// parsed are results whose numbers have all their digits, nil if there are none.
func parsed(s string) (out []any) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	if d.Decode(&out) != nil {
		return nil
	}
	return out
}

func (b Bound) near(x, y any) bool {
	switch x := x.(type) {
	case []any:
		y, ok := y.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for i := range x {
			if !b.near(x[i], y[i]) {
				return false
			}
		}
		return true
	case json.Number:
		y, ok := y.(json.Number)
		if !ok || !strings.ContainsAny(string(x+y), ".e") { // integers
			return ok && x == y
		}
		v, _ := x.Float64()
		w, _ := y.Float64()
		return math.Abs(v-w) <= b.Share*max(math.Abs(v), math.Abs(w))+b.Most
	}
	return x == y // an infinity, or no number
}
