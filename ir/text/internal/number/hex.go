package number

import (
	"strings"
	"sync/atomic"

	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/text/internal/lex"
)

// Data of constants in hexadecimal: hundreds of megabytes of it are read and written.

// notHex is the value of what is no hexadecimal digit.
const notHex = 0xFF

// hexValues are the values of hexadecimal digits.
var hexValues = func() (t [256]byte) {
	for i := range t {
		t[i] = notHex
		if lex.IsHex(byte(i)) {
			t[i] = lex.HexDigit(byte(i))
		}
	}
	return t
}()

// hexPiece is how many bytes one processor reads at a time.
const hexPiece = 1 << 20

// DecodeHex makes bytes of two digits each, and reports that all are digits.
func DecodeHex(data []byte, digits string) bool {
	var wrong atomic.Bool
	ir.Parallel((len(data)+hexPiece-1)/hexPiece, func(k int) {
		from := k * hexPiece
		to := data[from:min(from+hexPiece, len(data))]
		s, bad := digits[2*from:2*from+2*len(to)], byte(0)
		for i := range to {
			high, low := hexValues[s[2*i]], hexValues[s[2*i+1]]
			bad |= high | low
			to[i] = high<<4 | low&0xF
		}
		if bad&0xF0 != 0 {
			wrong.Store(true)
		}
	})
	return !wrong.Load()
}

// IsHexText reports a text of hexadecimal digits alone.
func IsHexText(s string) bool {
	bad := byte(0)
	for i := range len(s) {
		bad |= hexValues[s[i]]
	}
	return bad&0xF0 == 0
}

func PadHex(s string, n int) string {
	if len(s) < n {
		return strings.Repeat("0", n-len(s)) + s
	}
	return s
}
