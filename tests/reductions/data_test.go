package reductions

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/poly"
	"github.com/irc-lang/irc/dialects/poly/equations"
	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/tests/sdr"
)

// data are the parameters and arrays of a run: small integers, of which sums and products are
// exact.
type data struct {
	sizes  map[string]int
	arrays map[string]*array
}

type array struct {
	equations.Argument
	sizes  []int64
	values []float64
}

// newData draws the inputs. The elements of outputs are none yet.
func newData(in equations.Interface, sizes map[string]int, seed uint64) (*data, error) {
	d := &data{sizes: sizes, arrays: map[string]*array{}}
	values := map[string]presburger.Int{}
	for name, n := range sizes {
		values[name] = presburger.NewInt(int64(n))
	}
	draw := rand.New(rand.NewPCG(seed, 15))
	for _, a := range in.Arrays {
		s, err := poly.Sizes(a.Extent, values)
		if err != nil {
			return nil, err
		}
		n := 1
		for _, k := range s {
			n *= int(k)
		}
		x := &array{Argument: a, sizes: s, values: make([]float64, n)}
		for i := range x.values {
			switch {
			case a.Output:
				x.values[i] = math.NaN()
			case a.Type == ir.I32: // a label
				x.values[i] = float64(draw.IntN(sizes["K"]))
			default:
				x.values[i] = float64(draw.IntN(17) - 8)
			}
		}
		d.arrays[a.Name] = x
	}
	return d, nil
}

func (d *data) n(name string) int {
	n, ok := d.sizes[name]
	if !ok {
		panic("no parameter " + name)
	}
	return n
}

func (d *data) element(name string, at []int) *float64 {
	a, k := d.arrays[name], 0
	if len(at) != len(a.sizes) {
		panic("the rank of " + name)
	}
	for i, x := range at {
		if x < 0 || x >= int(a.sizes[i]) {
			panic(fmt.Sprintf("%s%v", name, at))
		}
		k = k*int(a.sizes[i]) + x
	}
	return &a.values[k]
}

func (d *data) at(name string, at ...int) float64 { return *d.element(name, at) }

func (d *data) set(v float64, name string, at ...int) { *d.element(name, at) = v }

// line is an array of one dimension.
func (d *data) line(name string) func(int) float64 {
	return func(i int) float64 { return d.at(name, i) }
}

// arguments are those of the program: outputs have room.
func (d *data) arguments(c *ir.Context, in equations.Interface) (args []ir.Val) {
	for _, name := range in.Params {
		args = append(args, ir.IntVal(int64(d.sizes[name]), 64))
	}
	for _, a := range in.Arrays {
		x := d.arrays[a.Name]
		args = append(args, sdr.Memory(c, a, x.sizes, x.values))
	}
	return args
}

// compare says where the outputs of a run are not what the loops computed.
func (d *data) compare(c *ir.Context, in equations.Interface, args []ir.Val) error {
	for i, a := range in.Arrays {
		if !a.Output {
			continue
		}
		got := sdr.Numbers(c, args[len(in.Params)+i])
		for k, want := range d.arrays[a.Name].values {
			if got[k] != want && !(math.Abs(got[k]-want) <= 1e-12*math.Abs(want)) {
				return fmt.Errorf("element %d of %s is %v, by loops %v", k, a.Name, got[k], want)
			}
		}
	}
	return nil
}
