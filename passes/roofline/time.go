package roofline

import (
	"fmt"

	"github.com/irc-lang/irc/dialects/poly/presburger"
	"github.com/irc-lang/irc/ir/target"
)

// A Bound is how long a target needs at least for some work, in seconds, and what for.
type Bound struct {
	Seconds float64
	By      string    // "operations", or where data come from: "memory", "the L2 cache"
	Compute float64   // the time of the operations alone
	Move    []float64 // and that of what passes from behind each cache
	Work    float64   // operations
	Bytes   float64   // that are accessed
}

// A MissingError is a target that does not say what it takes to bound a time.
type MissingError struct{ Key string }

// Error names the key that the description of the target lacks.
func (e *MissingError) Error() string { return "the target does not say its " + e.Key }

// At bounds the time of the work where the parameters have values, on some cores of a target.
func (w *Work) At(params map[string]presburger.Int, t *target.Target, cores int) (b Bound, err error) {
	if t.PeakFlops == 0 {
		return b, &MissingError{"peak_flops"}
	}
	if len(t.Bandwidth) == 0 {
		return b, &MissingError{"bandwidth"}
	}
	b.By = "operations"
	for _, o := range w.Operations {
		n, err := o.Number.At(params)
		if err != nil {
			return b, err
		}
		b.Work += n
		// PeakFlops is of numbers of 8 bytes on one core: of narrower ones a vector has more.
		b.Compute += n * float64(o.Bytes) / 8 / t.PeakFlops / float64(cores)
	}
	b.Seconds = b.Compute
	read, err := w.Read.At(params)
	if err != nil {
		return b, err
	}
	written, err := w.Written.At(params)
	if err != nil {
		return b, err
	}
	b.Bytes = read + written
	for i, c := range t.Caches {
		// The cache may hold some of it before, and some of what is written after.
		room := float64(c) * float64(cores)
		seconds := (max(0, read-room) + max(0, written-room)) / (t.Bandwidth[i] * float64(cores))
		b.Move = append(b.Move, seconds)
		if seconds > b.Seconds {
			b.Seconds, b.By = seconds, behind(t, i)
		}
	}
	return b, nil
}

// behind names what is behind a cache.
func behind(t *target.Target, i int) string {
	if i == len(t.Caches)-1 {
		return "memory"
	}
	return fmt.Sprintf("the L%d cache", i+2)
}
