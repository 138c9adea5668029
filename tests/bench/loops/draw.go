package loops

import (
	"hash/fnv"
	"math/bits"
)

// A draw is a sequence of random numbers, of which each is made from its index alone.
type draw uint64

func newDraw(name string) draw {
	h := fnv.New64a()
	h.Write([]byte(name))
	return draw(h.Sum64())
}

const golden = 0x9E3779B97F4A7C15

// at is 64 random bits: SplitMix64 (Steele, Lea and Flood 2014) at a position.
func (d draw) at(i int) uint64 {
	z := uint64(d) + uint64(i+1)*golden
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// unit is a number in [0, 1).
func (d draw) unit(i int) float64 { return float64(d.at(i)>>11) / (1 << 53) }

// between is an integer from low to high, both included.
func (d draw) between(i, low, high int) int {
	hi, _ := bits.Mul64(d.at(i), uint64(high-low+1))
	return low + int(hi)
}
