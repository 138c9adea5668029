package mlir_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A sample is a public function of testdata. The lines of comment right above it
// may say what its arguments are and how exact its results:
//
//	// in: 0..20, any     a range of integers, or anything
//	// ulp: 2             results may differ by so many units in the last place
type sample struct {
	file, name   string
	args, result []string // types
	in           []string // for each argument: "any" or "lo..hi"
	ulp          int64
}

type sampleFile struct {
	path, text string
	libm       bool // "pipeline: libm"
	samples    []sample
}

var (
	funcLine  = regexp.MustCompile(`^func\.func @(\w+)\((.*?)\) -> \(?([^){]+)\)? \{`)
	directive = regexp.MustCompile(`^// (in|ulp|pipeline): (.*)`)
)

func samples(t *testing.T) []sampleFile {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	var out []sampleFile
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, parseSamples(t, path, string(data)))
	}
	return out
}

func parseSamples(t *testing.T, path, src string) sampleFile {
	t.Helper()
	f := sampleFile{path: path, text: src}
	var next sample
	for line := range strings.Lines(src) {
		line = strings.TrimSpace(line)
		if m := directive.FindStringSubmatch(line); m != nil {
			switch m[1] {
			case "in":
				next.in = strings.Split(m[2], ", ")
			case "ulp":
				next.ulp, _ = strconv.ParseInt(m[2], 10, 64)
			case "pipeline":
				f.libm = m[2] == "libm"
			}
			continue
		}
		if strings.HasPrefix(line, "//") {
			continue
		}
		m := funcLine.FindStringSubmatch(line)
		if m == nil {
			next = sample{}
			continue
		}
		next.file, next.name = path, m[1]
		for _, p := range strings.Split(m[2], ", ") {
			_, typ, _ := strings.Cut(p, ": ")
			next.args = append(next.args, typ)
		}
		next.result = strings.Split(strings.TrimSpace(m[3]), ", ")
		if next.in != nil && len(next.in) != len(next.args) {
			t.Fatalf("%s: @%s has %d arguments and %d ranges", path, next.name, len(next.args), len(next.in))
		}
		f.samples = append(f.samples, next)
		next = sample{}
	}
	return f
}

// floatCorners are what goes wrong first. NaN is the quiet one.
var floatCorners = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, math.Inf(1), math.Inf(-1), math.NaN(),
	math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64, 0x1p-1022, 0x1.fffffffffffffp-1023, math.MaxFloat64, -math.MaxFloat64,
	0x1p-149, 0x1p-126, math.MaxFloat32, 16777217, 9007199254740993, 1e-8, 3, 0.1, 1e10, 0.49999999999999994, 4503599627370497.5}

// arguments makes tuples: corners first, then random ones.
func (s *sample) arguments(r *rand.Rand) [][]uint64 {
	var out [][]uint64
	for range 30 {
		tuple := make([]uint64, len(s.args))
		for i, typ := range s.args {
			in := "any"
			if s.in != nil {
				in = s.in[i]
			}
			tuple[i] = argument(r, typ, in)
		}
		out = append(out, tuple)
	}
	return out
}

func argument(r *rand.Rand, typ, in string) uint64 {
	if lo, hi, ok := strings.Cut(in, ".."); ok {
		a, _ := strconv.ParseInt(lo, 10, 64)
		b, _ := strconv.ParseInt(hi, 10, 64)
		return mask(uint64(a+r.Int64N(b-a+1)), typ)
	}
	w := widthOf(typ)
	if w == 0 {
		x := r.NormFloat64() * math.Pow(10, float64(r.IntN(9)-4))
		if r.IntN(2) == 0 {
			x = floatCorners[r.IntN(len(floatCorners))]
		}
		if typ == "f32" {
			return uint64(math.Float32bits(float32(x)))
		}
		return math.Float64bits(x)
	}
	corners := []uint64{0, 1, ^uint64(0), 2, 7, 1<<(w-1) - 1, 1 << (w - 1), 1<<(w-1) + 1, 3, ^uint64(4), 10, ^uint64(9)}
	if r.IntN(5) < 3 {
		return mask(corners[r.IntN(len(corners))], typ)
	}
	return mask(uint64(int64(r.Uint64())>>r.IntN(60)), typ)
}

func mask(x uint64, typ string) uint64 {
	if n := floatSizes[typ]; n > 0 && n < 8 {
		return x & (1<<(8*n) - 1)
	}
	if w := widthOf(typ); w > 0 && w < 64 {
		return x & (1<<w - 1)
	}
	return x
}

// equal compares results: bitwise, but that all NaNs are one, and that floats
// may be so many units in the last place apart.
func equal(a, b uint64, typ string, ulp int64) bool {
	a, b = mask(a, typ), mask(b, typ)
	switch typ {
	case "f64":
		x, y := math.Float64frombits(a), math.Float64frombits(b)
		return a == b || x != x && y != y || apart(int64(a), int64(b), math.MinInt64) <= ulp
	case "f16", "bf16":
		inf := map[string]uint64{"f16": 0x7C00, "bf16": 0x7F80}[typ]
		return a == b || a&0x7FFF > inf && b&0x7FFF > inf
	case "f32":
		x, y := math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b))
		return a == b || x != x && y != y || apart(int64(int32(a)), int64(int32(b)), math.MinInt32) <= ulp
	}
	return a == b
}

// apart counts the floats between two patterns; both zeros are one step apart, so
// that the sign of zero counts where ulp is 0.
func apart(a, b, least int64) int64 {
	if a < 0 {
		a = least - a - 1
	}
	if b < 0 {
		b = least - b - 1
	}
	d := a - b
	if d < 0 {
		d = -d
	}
	if d < 0 { // from one end to the other
		return math.MaxInt64
	}
	return d
}

// show spells a slot for a message.
func show(x uint64, typ string) string {
	switch typ {
	case "f64":
		return strconv.FormatFloat(math.Float64frombits(x), 'g', -1, 64)
	case "f32":
		return strconv.FormatFloat(float64(math.Float32frombits(uint32(x))), 'g', -1, 32)
	}
	w := widthOf(typ)
	if w == 0 {
		return fmt.Sprintf("%#04x", x)
	}
	return strconv.FormatInt(int64(x<<(64-w))>>(64-w), 10)
}

func showAll(xs []uint64, types []string) string {
	var out []string
	for i, x := range xs {
		out = append(out, show(x, types[i]))
	}
	return "(" + strings.Join(out, ", ") + ")"
}
