package draw

import (
	"math/rand/v2"
	"testing"
)

// The known answers of the authors of Philox.
func TestPhilox(t *testing.T) {
	ones := uint32(0xffffffff)
	for _, c := range []struct {
		counter [4]uint32
		key     [2]uint32
		want    [4]uint32
	}{
		{[4]uint32{}, [2]uint32{}, [4]uint32{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
		{[4]uint32{ones, ones, ones, ones}, [2]uint32{ones, ones}, [4]uint32{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
		{[4]uint32{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, [2]uint32{0xa4093822, 0x299f31d0}, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
	} {
		if got := philoxBlock(c.counter, c.key); got != c.want {
			t.Errorf("%x", got)
		}
	}
	r := NewRandom(3)
	r.Node("x", 1)
	a := []uint64{r.source.Uint64(), r.source.Uint64(), r.source.Uint64()}
	r.Node("y", 1)
	b := r.source.Uint64()
	r.Node("x", 1)
	if r.source.Uint64() != a[0] || r.source.Uint64() != a[1] || r.source.Uint64() != a[2] || b == a[0] || a[0] == a[2] {
		t.Error("a node has not its own numbers")
	}
	var _ rand.Source = &r.source
}

// What the documentation says of the numbers, in other words.
func TestRandomIsDocumented(t *testing.T) {
	r := NewRandom(0x123456789abcdef)
	for k := range 3 {
		r.Node("x", k)
		got := r.Rand.Float64()
		h := uint64(14695981039346656037)
		for _, c := range []byte{'x', 0, byte(k), 0, 0, 0, 0, 0, 0, 0} {
			h = (h ^ uint64(c)) * 1099511628211
		}
		w := philoxBlock([4]uint32{0, 0, uint32(h), uint32(h >> 32)}, [2]uint32{0x89abcdef, 0x01234567})
		u := uint64(w[1])<<32 | uint64(w[0])
		if want := float64(u<<11>>11) / (1 << 53); got != want {
			t.Errorf("x[%d] is %v, want %v", k+1, got, want)
		}
	}
}
