package memref

import "github.com/irc-lang/irc/ir"

// within reports that an index is certainly at least 0 and below n.
func within(b *ir.Builder, v ir.Value, n int64) bool {
	if x, ok := b.Graph().Const(v); ok {
		return x.Ref == nil && x.Bits < uint64(n)
	}
	return false
}
