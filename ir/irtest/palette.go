package irtest

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// palette is the types of a program: few, so that values of one meet.
type palette struct {
	ints, floats, scalars, vectors []string
	sized                          []string // integers but index
	casts                          []string // those that index casts are between
	elems                          []string // of allocations
	args                           []string // of memory that is passed, and of globals
	counters                       []string // integers that count to 10
	many                           []string // integers that hold products of numbers below 64
}

var plain = palette{
	ints:     []string{"i1", "i8", "i16", "i32", "i64", "index"},
	floats:   []string{"f32", "f64"},
	scalars:  []string{"i1", "i8", "i16", "i32", "i64", "index", "f32", "f64"},
	vectors:  []string{"vector<4xi32>", "vector<4xf32>"},
	sized:    []string{"i1", "i8", "i16", "i32", "i64"},
	casts:    []string{"i8", "i16", "i32", "i64"},
	elems:    []string{"i32", "f64", "i8", "index", "f32", "i64"},
	args:     []string{"i32", "f64", "i64"},
	counters: []string{"i32", "i64", "index"},
	many:     []string{"i16", "i32", "i64", "index"},
}

// odd are widths that no processor has.
var odd = []string{"i3", "i7", "i17", "i24", "i33", "i48", "i63"}

// narrow picks types with floats of 16 bits, and with integers of two odd widths in
// place of two of the usual ones.
func narrow(r *rand.Rand) palette {
	at := r.Perm(len(odd))
	usual := []string{"i8", "i16", "i32", "i64"}
	for _, i := range r.Perm(len(usual))[:2] {
		usual[i] = odd[at[i%2]]
	}
	if usual[0] == usual[1] || usual[2] == usual[3] || usual[0] == usual[2] || usual[1] == usual[3] {
		usual = []string{odd[at[0]], "i16", odd[at[1]], "i64"}
	}
	p := palette{floats: []string{"bf16", "f16", []string{"f32", "f64"}[r.IntN(2)]}}
	p.casts = usual
	p.sized = append([]string{"i1"}, usual...)
	p.ints = append(append([]string{}, p.sized...), "index")
	p.scalars = append(append([]string{}, p.ints...), p.floats...)
	p.args = []string{"bf16", "f16", usual[r.IntN(4)], usual[r.IntN(4)]}
	p.elems = append(append([]string{"i1", "index"}, p.args...), usual...)
	for _, t := range p.ints {
		if widths[t] > 4 {
			p.counters = append(p.counters, t)
		}
		if widths[t] > 12 {
			p.many = append(p.many, t)
		}
	}
	for _, e := range []string{usual[r.IntN(4)], "bf16", "f16", "f32"} {
		p.vectors = append(p.vectors, "vector<4x"+e+">")
	}
	return p
}

// widths are those of integers.
var widths = func() map[string]uint {
	m := map[string]uint{"index": 64}
	for w := uint(1); w <= 64; w++ {
		m["i"+strconv.Itoa(int(w))] = w
	}
	return m
}()

func isFloat(t string) bool { return floatWidth(t) > 0 }

func floatWidth(t string) int {
	return map[string]int{"bf16": 16, "f16": 16, "f32": 32, "f64": 64}[t]
}

// elementOf is T of vector<4xT>, or t.
func elementOf(t string) string {
	return strings.TrimSuffix(strings.TrimPrefix(t, "vector<4x"), ">")
}

// corners16 are the patterns of f16 and bf16 that are remarkable: zeros, the least and
// the largest numbers, denormals, infinities, NaN, one and its neighbours.
var corners16 = map[string][]uint64{
	"f16":  {0, 0x8000, 1, 0x8001, 0x03FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x3C00, 0xBC00, 0x3C01, 0x3800, 0x4280, 0x6400},
	"bf16": {0, 0x8000, 1, 0x8001, 0x007F, 0x0080, 0x7F7F, 0xFF7F, 0x7F80, 0xFF80, 0x7FC0, 0x3F80, 0xBF80, 0x3F81, 0x3F00, 0x4050, 0x4300},
}

// bits16 is a random pattern of f16 or bf16, most often of a number near one.
func (g *gen) bits16(t string) uint64 {
	c := corners16[t]
	switch g.IntN(4) {
	case 0, 1:
		return c[g.IntN(len(c))]
	case 2:
		return c[11] ^ uint64(g.IntN(1<<12)) ^ uint64(g.IntN(2))<<15
	}
	x := g.Uint64() & 0xFFFF
	if inf := c[8]; x&^0x8000 > inf {
		return x&0x8000 | c[10] // the NaN that engines agree on
	}
	return x
}

// bits returns a random pattern, often a corner.
func (g *gen) bits(t string) uint64 {
	switch t {
	case "f64":
		return math.Float64bits(g.float())
	case "f32":
		return uint64(math.Float32bits(float32(g.float())))
	case "f16", "bf16":
		return g.bits16(t)
	}
	n := g.integer(t)
	if w := widths[t]; w < 64 {
		return uint64(n) & (1<<w - 1)
	}
	return uint64(n)
}

func (g *gen) integer(t string) int64 {
	w := widths[t]
	corners := []int64{0, 1, -1, 2, 7, 1<<(w-1) - 1, -1 << (w - 1), 3, -5}
	if g.Chance(0.6) {
		return corners[g.IntN(len(corners))]
	}
	return int64(g.Uint64()) >> g.IntN(60)
}

func (g *gen) float() float64 {
	corners := []float64{0, 1, -1, 0.5, 2, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1e30, -1e-30, 3.25, math.SmallestNonzeroFloat64, 16777217, math.NaN()}
	if g.Chance(0.5) {
		return corners[g.IntN(len(corners))]
	}
	return g.NormFloat64() * 100
}
