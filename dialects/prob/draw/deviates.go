package draw

import (
	"math/rand/v2"

	"github.com/irc-lang/irc/dialects/prob/kit"
	"gonum.org/v1/gonum/stat/distuv"
)

// Deviates are independent random numbers of standard laws, of which draws of vectors and
// matrices are made. Each call of a draw has another `at`: a source by counters gives the
// number of that position, a sequence its next.
type Deviates[T, I any] interface {
	Uniform(at I) T // strictly between 0 and 1
	Normal(at I) T
	// Gamma has rate 1 and is never 0; LogGamma is its logarithm.
	Gamma(at I, shape T) T
	LogGamma(at I, shape T) T
	Binomial(at I, size, p T) T
	// Category is a position of weights, with a chance in proportion to them.
	Category(at I, weights kit.Part[T, I]) I
}

// Sequence takes the next numbers of a generator.
type Sequence struct{ *rand.Rand }

// Uniform, and the others, do not look at the position.
func (s Sequence) Uniform(int) float64                   { return Open(s.Rand) }
func (s Sequence) Normal(int) float64                    { return s.NormFloat64() }
func (s Sequence) Gamma(_ int, shape float64) float64    { return Gamma(s.Rand, shape, 1) }
func (s Sequence) LogGamma(_ int, shape float64) float64 { return LogGamma(s.Rand, shape) }
func (s Sequence) Binomial(_ int, size, p float64) float64 {
	return distuv.Binomial{N: size, P: p, Src: s.Rand}.Rand()
}

func (s Sequence) Category(_ int, weights kit.Part[float64, int]) int {
	p := make([]float64, weights.Len())
	for i := range p {
		p[i] = weights.Load(i)
	}
	return Category(s.Rand, p)
}
