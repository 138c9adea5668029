package lists

import (
	"slices"
	"strconv"
	"testing"
)

func TestLists(t *testing.T) {
	xs := []int{1, 2, 3}
	if got := Map(xs, strconv.Itoa); !slices.Equal(got, []string{"1", "2", "3"}) {
		t.Errorf("Map: %v", got)
	}
	if Map([]int{}, strconv.Itoa) != nil || Filter([]int{}, even) != nil || Filter([]int{1}, even) != nil {
		t.Error("of nothing comes nil")
	}
	if got := Filter(xs, even); !slices.Equal(got, []int{2}) || &got[0] == &xs[1] {
		t.Errorf("Filter: %v", got)
	}
	if All(xs, even) || !All(xs[1:2], even) || !All(nil, even) {
		t.Error("All")
	}
}

func even(n int) bool { return n%2 == 0 }
