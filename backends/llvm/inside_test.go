package llvm

import (
	"testing"

	"github.com/llir/llvm/ir/value"
)

// A rectangle is known to lie inside exactly if its last element does, or if it has
// none.
func TestProvenInside(t *testing.T) {
	for n := range int64(7) {
		for off := range int64(5) {
			for size := range int64(5) {
				for stride := range int64(4) {
					want := size == 0 || off+(size-1)*stride < n
					one := func(x int64) []value.Value { return []value.Value{i64(x)} }
					if got := provenInside(one(n), [3][]value.Value{one(off), one(size), one(stride)}); got != want {
						t.Errorf("%d elements from %d by %d of %d: %v", size, off, stride, n, got)
					}
				}
			}
		}
	}
	if provenInside([]value.Value{i64(4)}, [3][]value.Value{{i64(-1)}, {i64(1)}, {i64(1)}}) {
		t.Error("a negative offset")
	}
}
