// Package operands reads how the operands, results and regions of an op are listed.
package operands

import "strings"

// Kind splits the name of an operand, result or region from what says how
// many there are: 1, '?' (at most one) or '.' (any number).
func Kind(s string) (name string, kind byte) {
	if n, ok := strings.CutSuffix(s, "..."); ok {
		return n, '.'
	}
	if n, ok := strings.CutSuffix(s, "?"); ok {
		return n, '?'
	}
	return s, 1
}

// Segments is the property with the sizes of the groups of operands.
const Segments = "operandSegmentSizes"
