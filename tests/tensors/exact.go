package tensors

// An exact is what the elements of a value are: multiples of a unit up to the most. Floats that can hold all of these are not
// rounded; what is computed of them is the same in any order, so that programs that are compared have to agree to the bit.
// A value that its type may round is a result of the program, and no operand: rules take einsums and products together,
// which are then rounded at the end alone (docs/tensors.md).
type exact struct{ most, unit float64 }

// given is what arguments and constants are.
var given = exact{2, 1}

func (e exact) or(o exact) exact { return exact{max(e.most, o.most), min(e.unit, o.unit)} }

func (e exact) times(o exact) exact { return exact{e.most * o.most, e.unit * o.unit} }

// sum is one of n of them.
func (e exact) sum(n int64) exact { return exact{e.most * float64(max(n, 1)), e.unit} }

// digits is up to which number all integers are of a type; sums of floats of 16 bits are f32.
var digits = map[string]float64{"bf16": 1 << 8, "f16": 1 << 11, "f32": 1 << 24, "f64": 1 << 53}

// isExact reports elements that are not rounded; integers never are.
func (g *generator) isExact(e exact) bool { return !g.isFloat() || e.most/e.unit <= digits[g.elem] }

// sumsExactly reports elements that are rounded once at most, when they are stored.
func (g *generator) sumsExactly(e exact) bool {
	return !g.isFloat() || e.most/e.unit <= max(digits[g.elem], digits["f32"])
}
