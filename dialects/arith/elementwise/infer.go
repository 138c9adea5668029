package elementwise

import "github.com/irc-lang/irc/ir"

// SameTypes checks that values have the given types.
func SameTypes(c *ir.Call, what string, vs []ir.Value, want []ir.Type) error {
	if len(vs) != len(want) {
		return c.Errorf("%s: %d values, wanted %d", what, len(vs), len(want))
	}
	for i, v := range vs {
		if c.Graph().Type(v) != want[i] {
			return c.Errorf("%s: value #%d has another type than wanted", what, i)
		}
	}
	return nil
}
