// Package reason says why an assertion of cf failed. It is of this repository alone.
package reason

import (
	"strings"
	"unicode"

	"github.com/irc-lang/irc/ir"
)

// Of is what is said when an assertion with these attributes fails. Control
// characters of the message but newlines and tabs are shown as ?: they are for a
// terminal, and the program is not to command it.
func Of(c *ir.Context, attr ir.Attr) string {
	msg := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return '?'
		}
		return r
	}, c.AttrInfo(c.Get(attr, "msg")).Str)
	if msg == "" {
		return "assertion failed"
	}
	return "assertion failed: " + msg
}
