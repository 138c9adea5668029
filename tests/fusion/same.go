package fusion

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
)

// sumBound is how much sums of numbers that are not negative may differ that are taken in
// another order, as a share.
const sumBound = 1e-9

// same compares what programs give: every digit, but of programs that take sums in any order
// (src). NaN is as good as any other NaN.
func same(src, got, want string) bool {
	if got == want {
		return true
	}
	if !strings.Contains(src, "reassoc : f64") {
		return false
	}
	var a, b []any
	i, j := strings.LastIndexByte(got, '\n')+1, strings.LastIndexByte(want, '\n')+1
	if got[:i] != want[:j] || json.Unmarshal([]byte(got[i:]), &a) != nil || json.Unmarshal([]byte(want[j:]), &b) != nil {
		return false
	}
	return near(a, b)
}

// near compares JSON values, numbers with a bound.
func near(a, b any) bool {
	switch x := a.(type) {
	case float64:
		y, ok := b.(float64)
		return ok && (x == y || math.Abs(x-y) <= sumBound*max(math.Abs(x), math.Abs(y)))
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !near(x[k], y[k]) {
				return false
			}
		}
		return true
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !near(x[k], y[k]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
