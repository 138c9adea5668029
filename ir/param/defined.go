package param

import (
	"slices"
	"sync"
)

// defined are the names of types and attributes that were defined so far, of whatever dialect: also those that no dialect
// lists.
var defined struct {
	mu           sync.Mutex
	types, attrs []string
}

// Define notes a definition: of an attribute, or else of a type.
func Define(name string, isAttr bool) {
	defined.mu.Lock()
	defer defined.mu.Unlock()
	if isAttr {
		defined.attrs = append(defined.attrs, name)
	} else {
		defined.types = append(defined.types, name)
	}
}

// Defined lists the names of the types and of the attributes that were defined so far.
func Defined() (types, attrs []string) {
	defined.mu.Lock()
	defer defined.mu.Unlock()
	return slices.Clone(defined.types), slices.Clone(defined.attrs)
}
