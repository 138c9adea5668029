package arith

import (
	"strings"

	"github.com/irc-lang/irc/ir"
)

// FastMath is the set of licences of a float op.
type FastMath uint8

// The licences, in the order of MLIR's bits.
const (
	Reassoc FastMath = 1 << iota
	NNan
	NInf
	Nsz
	Arcp
	Contract
	Afn
	Fast FastMath = 1<<iota - 1
)

var fastMathNames = []string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"}

// Overflow is the set of promises of an integer op.
type Overflow uint8

// The promises.
const (
	NSW Overflow = 1 << iota // does not wrap as signed
	NUW                      // does not wrap as unsigned
)

var overflowNames = []string{"nsw", "nuw"}

const (
	fastMathPrefix = "arith.fastmath<"
	overflowPrefix = "arith.overflow<"
)

// FastMathAttr returns the attribute of a set of licences.
func FastMathAttr(c *ir.Context, f FastMath) ir.Attr {
	if f == Fast {
		return c.OpaqueAttr(fastMathPrefix + "fast>")
	}
	return c.OpaqueAttr(fastMathPrefix + flagText(uint8(f), fastMathNames, ",") + ">")
}

// overflowAttr returns the attribute of a set of promises.
func overflowAttr(c *ir.Context, f Overflow) ir.Attr {
	return c.OpaqueAttr(overflowPrefix + flagText(uint8(f), overflowNames, ", ") + ">")
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
			bits |= uint8(Fast)
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

// FastMathOf reads the property fastmath of an op; none if it is absent.
func FastMathOf(c *ir.Context, op ir.Attr) FastMath {
	if a := c.Get(op, "fastmath"); a != 0 {
		f, _ := parseFlags(c, a, fastMathPrefix, fastMathNames)
		return FastMath(f)
	}
	return 0
}

// OverflowOf reads the property overflowFlags of an op; none if it is absent.
func OverflowOf(c *ir.Context, op ir.Attr) Overflow {
	if a := c.Get(op, "overflowFlags"); a != 0 {
		f, _ := parseFlags(c, a, overflowPrefix, overflowNames)
		return Overflow(f)
	}
	return 0
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

// FastMathProps and OverflowProps are all properties of an op that has just those
// flags.
func FastMathProps(c *ir.Context, f FastMath) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "fastmath", Value: FastMathAttr(c, f)}}, nil)
}

// OverflowProps is FastMathProps for integer ops.
func OverflowProps(c *ir.Context, f Overflow) ir.Attr {
	return c.Props([]ir.NamedAttr{{Name: "overflowFlags", Value: overflowAttr(c, f)}}, nil)
}
