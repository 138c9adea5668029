package dialects_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

// A region is entered before its op is checked: whatever operands, parameters and attributes a wrong text has, that
// is a diagnostic of the op, and no panic.
func TestRegionsOfWrongOpsAreEntered(t *testing.T) {
	attrs := []string{"", `cases = array<i64: 1>`, `staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 1, 1>`,
		`lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<(d0)[s0] -> (d0, s0)>, step = 1 : index`,
		`lowerBoundMap = affine_map<() -> ()>, upperBoundMap = affine_map<() -> (8)>, step = 0 : index`,
		`lowerBoundMap = 7 : i64, upperBoundMap = "x", step = affine_map<() -> (8)>`,
		`lowerBoundsMap = affine_map<() -> (0)>, upperBoundsMap = affine_map<(d0) -> (d0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsGroups = dense<3> : tensor<1xi32>, steps = [1], reductions = []`,
		`lowerBoundsMap = 1 : i64, upperBoundsMap = unit, lowerBoundsGroups = "x", upperBoundsGroups = 2 : i64, steps = 3 : i64, reductions = 4 : i64`}
	names := []string{"index", "i1", "f32", "memref<?xf32>"}
	tried := 0
	for _, d := range dialects.All {
		for _, op := range d.Ops {
			if op.Enter == nil {
				continue
			}
			for _, a := range attrs {
				for n := range 5 {
					for shift := range len(names) {
						for params := range 3 {
							src := wrongRegion(op, a, names, n, shift, params)
							_, _ = text.Parse(ir.NewContext(dialects.All...), diag.NewSource("t.mlir", src), text.Options{})
							tried++
						}
					}
				}
			}
		}
	}
	if tried < 1000 {
		t.Errorf("only %d texts", tried)
	}
}

// wrongRegion is a function with the op, whose region has parameters.
func wrongRegion(op *ir.OpDef, attrs string, types []string, n, shift, params int) string {
	in, given, of, ps := []string{}, []string{}, []string{}, []string{}
	for i := range n {
		typ := types[(i+shift)%len(types)]
		if shift == 0 {
			typ = "index"
		}
		in, given, of = append(in, fmt.Sprintf("%%a%d: %s", i, typ)), append(given, fmt.Sprintf("%%a%d", i)), append(of, typ)
	}
	for i := range params {
		ps = append(ps, fmt.Sprintf("%%p%d: %s", i, types[(i*shift)%len(types)]))
	}
	return fmt.Sprintf("func.func @f(%s) {\n  %q(%s) <{%s}> ({\n  ^bb0(%s):\n    \"test.op\"(%s) : (%s) -> ()\n  }) : (%s) -> ()\n  return\n}\n",
		strings.Join(in, ", "), op.Name, strings.Join(given, ", "), attrs, strings.Join(ps, ", "), strings.Join(given, ", "), strings.Join(of, ", "), strings.Join(of, ", "))
}
