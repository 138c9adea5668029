package intern

// HashSeed begins the hash of what consists of several numbers.
const HashSeed = 0x9E3779B97F4A7C15

const hashPrime = 0xff51afd7ed558ccd

// Mix adds a number to a hash.
func Mix(h, x uint64) uint64 {
	h = (h ^ x) * hashPrime
	return h ^ h>>32
}
