package layouts

import "slices"

// KeptDims finds the dimensions of the sizes that a rank-reduced shape keeps: as
// early as possible, those left out are 1.
func KeptDims(sizes, shape []int64) []int {
	if len(shape) == 0 {
		return nil
	}
	for i, n := range sizes {
		if n != shape[0] {
			if n != 1 {
				return nil
			}
			continue
		}
		if len(shape) == 1 && !slices.ContainsFunc(sizes[i+1:], func(n int64) bool { return n != 1 }) {
			return []int{i}
		}
		if rest := KeptDims(sizes[i+1:], shape[1:]); rest != nil {
			for k := range rest {
				rest[k] += i + 1
			}
			return append([]int{i}, rest...)
		}
		if n != 1 {
			return nil
		}
	}
	return nil
}
