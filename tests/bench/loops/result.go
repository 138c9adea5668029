package loops

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"slices"
)

// A Result is rows of Width numbers; a string counts as the number behind its first two
// letters.
type Result struct {
	Width int
	Data  []float64
}

// Rows is how many there are.
func (r Result) Rows() int { return len(r.Data) / r.Width }

func (r Result) row(i int) []float64 { return r.Data[i*r.Width:][:r.Width] }

// ReadResult reads what a peer wrote.
func ReadResult(path string, width int) (Result, error) {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return Result{}, err
	}
	if len(bytes)%(8*width) != 0 {
		return Result{}, fmt.Errorf("a result of %d bytes has no rows of %d numbers", len(bytes), width)
	}
	r := Result{width, make([]float64, len(bytes)/8)}
	_, err = binary.Decode(bytes, binary.LittleEndian, r.Data)
	return r, err
}

// Sorted is a result in the order of its first columns, the keys; without keys it is as
// it is.
func (r Result) Sorted(keys int) Result {
	if keys == 0 {
		return r
	}
	order := make([]int, r.Rows())
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return slices.Compare(r.row(a)[:keys], r.row(b)[:keys]) })
	out := Result{r.Width, make([]float64, 0, len(r.Data))}
	for _, i := range order {
		out.Data = append(out.Data, r.row(i)...)
	}
	return out
}

// Same compares two results: numbers differ by at most the share bound, or, where that
// is 0, in no bit. Sums of n numbers of one sign in different orders differ by less than
// n times 2^-53.
func (r Result) Same(other Result, bound float64) error {
	if r.Width != other.Width || r.Rows() != other.Rows() {
		return fmt.Errorf("%d rows of %d, and %d of %d", r.Rows(), r.Width, other.Rows(), other.Width)
	}
	for i, x := range r.Data {
		y := other.Data[i]
		if math.Float64bits(x) == math.Float64bits(y) || bound > 0 && math.Abs(x-y) <= bound*max(1, math.Abs(y)) {
			continue
		}
		return fmt.Errorf("row %d, column %d: %v and %v", i/r.Width, i%r.Width, x, y)
	}
	return nil
}
