package decimal

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// Numbers are read as strconv reads them.
func TestScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	check := func(s string) {
		t.Helper()
		want, err := strconv.ParseFloat(s, 64)
		got, n := Scan(s + ",")
		if err != nil {
			if n != 0 {
				t.Fatalf("%s: %v, and it is out of range", s, got)
			}
			return
		}
		if n != len(s) || math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %v, want %v; %d bytes", s, got, want, n)
		}
	}
	for _, s := range []string{"0", "-0", "1e22", "1e23", "1e-22", "1e-23", "9007199254740993", "9007199254740991e22",
		"123456789012345678901234567890", "0.000000000000000000000000000001", "9007199254740993.0", "900719925474099.25", "900719925474099.35", "9007199254740992.5",
		"9007199254740994.50", "9007199254740995.5", "1844674407370955161.5", "9999999999999999999", "0.9999999999999999999", "0.9999999999999999444", "1.000000000000000111",
		"1.000000000000000112", "4.9e-324", "1e309", "-1e309", "1e99999999999", "1E+5", "00012.50"} {
		check(s)
	}
	for range 200000 {
		x := math.Float64frombits(rng.Uint64())
		if rng.IntN(2) == 0 {
			x = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(40)-20))
		}
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		check(strconv.FormatFloat(x, "feg"[rng.IntN(3)], rng.IntN(20)-1, 64))
		digits := fmt.Sprint(1e18 + rng.Uint64N(9e18))
		point := rng.IntN(18)
		check(digits[:point+1] + "." + digits[point+1:])
		check(strconv.FormatFloat(rng.NormFloat64(), 'f', 15+rng.IntN(4), 64))
		check(fmt.Sprint(rng.IntN(100000)-50000) + "." + fmt.Sprint(rng.IntN(1000)))
	}
	for s, want := range map[string]int{"": 0, "-": 0, ".5": 0, "5.": 1, "5.e1": 1, "5e": 1, "5e+": 1, "1.5e3x": 5, "+1": 0, "1-2": 1} {
		if _, n := Scan(s); n != want {
			t.Errorf("%q: %d bytes, want %d", s, n, want)
		}
	}
}
