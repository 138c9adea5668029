package layouts

import "github.com/irc-lang/irc/ir"

// Injective reports a layout that gives every element a place of its own.
func Injective(c *ir.Context, t ir.Type) bool {
	info := c.Info(t)
	if info.Layout == 0 {
		return true
	}
	strides, _, ok := Layout(c, t)
	if !ok {
		return false
	}
	reach := int64(1)
	for i := len(strides) - 1; i >= 0; i-- {
		if strides[i] < reach || info.Shape[i] == ir.Dynamic && i > 0 {
			return false
		}
		reach = Times(strides[i], max(info.Shape[i], 1))
	}
	return true
}
