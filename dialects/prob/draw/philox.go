package draw

import (
	"hash/fnv"
	"math/bits"
	"math/rand/v2"
)

// Random is where the random numbers of a simulation come from. They are a function of
// the seed, the node, and how many the node has taken, and of nothing else: not of the
// order in which nodes are drawn, nor of what else the model has.
//
// The generator is Philox4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011). Its key is the seed; the counter is the number of the block, 64
// bits, and a hash of the node, 64 bits. The hash is FNV-1a of the variable's name, a zero byte, and the
// position of the node's first element, least byte first.
type Random struct {
	source philox
	Rand   *rand.Rand
}

// NewRandom makes the numbers of a seed.
func NewRandom(seed uint64) *Random {
	r := &Random{}
	r.source.key = [2]uint32{uint32(seed), uint32(seed >> 32)}
	r.Rand = rand.New(&r.source)
	return r
}

// Node starts the numbers of a node.
func (r *Random) Node(name string, elem int) {
	if r == nil {
		return
	}
	h := fnv.New64a()
	h.Write(append([]byte(name), 0))
	var b [8]byte
	for i := range b {
		b[i] = byte(elem >> (8 * i))
	}
	h.Write(b[:])
	r.source.node, r.source.block, r.source.left = h.Sum64(), 0, 0
}

// philox is the generator as a rand.Source.
type philox struct {
	key         [2]uint32
	node, block uint64
	out         [2]uint64
	left        int
}

// Uint64 takes the next half of a block, the first half first; of a half the first word
// is the low one.
func (p *philox) Uint64() uint64 {
	if p.left == 0 {
		w := philoxBlock([4]uint32{uint32(p.block), uint32(p.block >> 32), uint32(p.node), uint32(p.node >> 32)}, p.key)
		p.out = [2]uint64{uint64(w[1])<<32 | uint64(w[0]), uint64(w[3])<<32 | uint64(w[2])}
		p.left = 2
		p.block++
	}
	p.left--
	return p.out[1-p.left]
}

// philoxBlock is ten rounds of Philox4x32.
func philoxBlock(c [4]uint32, k [2]uint32) [4]uint32 {
	for range 10 {
		hi0, lo0 := bits.Mul32(0xD2511F53, c[0])
		hi1, lo1 := bits.Mul32(0xCD9E8D57, c[2])
		c = [4]uint32{hi1 ^ c[1] ^ k[0], lo1, hi0 ^ c[3] ^ k[1], lo0}
		k[0] += 0x9E3779B9
		k[1] += 0xBB67AE85
	}
	return c
}
