package elementwise

import (
	"strings"

	"github.com/irc-lang/irc/ir"
)

var fastMathNames = []string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"}

var overflowNames = []string{"nsw", "nuw"}

const (
	fastMathPrefix = "arith.fastmath<"
	overflowPrefix = "arith.overflow<"
)

// The bits of a fastmath, in the order of MLIR: of these an op makes poison, and fast is all.
const (
	noNaN   = 1 << 1
	noInf   = 1 << 2
	allFast = 1<<7 - 1
)

// FastMathAttr returns the attribute of the bits of a fastmath.
func FastMathAttr(c *ir.Context, bits uint8) ir.Attr {
	if bits == allFast {
		return c.OpaqueAttr(fastMathPrefix + "fast>")
	}
	return c.OpaqueAttr(fastMathPrefix + flagText(bits, fastMathNames, ",") + ">")
}

// OverflowAttr returns the attribute of the bits of overflow flags.
func OverflowAttr(c *ir.Context, bits uint8) ir.Attr {
	return c.OpaqueAttr(overflowPrefix + flagText(bits, overflowNames, ", ") + ">")
}

func flagText(bits uint8, names []string, sep string) string {
	var on []string
	for i, n := range names {
		if bits>>i&1 == 1 {
			on = append(on, n)
		}
	}
	if len(on) == 0 {
		return "none"
	}
	return strings.Join(on, sep)
}

// parseFlags reads "#arith.x<a, b>"; ok is false for anything else.
func parseFlags(c *ir.Context, a ir.Attr, prefix string, names []string) (bits uint8, ok bool) {
	info := c.AttrInfo(a)
	if info.Kind != ir.AttrOpaque || !strings.HasPrefix(info.Str, prefix) || !strings.HasSuffix(info.Str, ">") {
		return 0, false
	}
	if info.Str[len(prefix):] == "none>" {
		return 0, true
	}
next:
	for w := range strings.SplitSeq(info.Str[len(prefix):len(info.Str)-1], ",") {
		switch w = strings.TrimSpace(w); {
		case w == "none":
			continue
		case w == "fast" && prefix == fastMathPrefix:
			bits |= allFast
			continue
		}
		for i, n := range names {
			if w == n {
				bits |= 1 << i
				continue next
			}
		}
		return 0, false
	}
	return bits, true
}

// FastMath reads the property fastmath of an op; 0 if it is absent or malformed.
func FastMath(c *ir.Context, op ir.Attr) uint8 {
	return flagsOf(c, op, "fastmath", fastMathPrefix, fastMathNames)
}

// Overflow reads the property overflowFlags of an op; 0 if it is absent or malformed.
func Overflow(c *ir.Context, op ir.Attr) uint8 {
	return flagsOf(c, op, "overflowFlags", overflowPrefix, overflowNames)
}

func flagsOf(c *ir.Context, op ir.Attr, property, prefix string, names []string) uint8 {
	a := c.Get(op, property)
	if a == 0 {
		return 0
	}
	bits, _ := parseFlags(c, a, prefix, names)
	return bits
}

// CheckFlags reports a malformed fastmath or overflowFlags.
func CheckFlags(c *ir.Call) error {
	if c.Attr == 0 {
		return nil
	}
	for _, n := range c.Def.Attrs {
		switch n {
		case "fastmath":
			if a := c.Get(n); a != 0 {
				if _, ok := parseFlags(c.Ctx(), a, fastMathPrefix, fastMathNames); !ok {
					return c.Errorf("attribute 'fastmath' failed to satisfy constraint: Floating point fast math flags")
				}
			}
		case "overflowFlags":
			if a := c.Get(n); a != 0 {
				if _, ok := parseFlags(c.Ctx(), a, overflowPrefix, overflowNames); !ok {
					return c.Errorf("attribute 'overflowFlags' failed to satisfy constraint: Integer overflow arith flags")
				}
			}
		}
	}
	return nil
}
