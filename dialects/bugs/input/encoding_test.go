package input

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
)

// A file in UTF-16 is told from others in every format, with a mark and without, and its
// first line is shown as it would be read.
func TestUTF16(t *testing.T) {
	for name, text := range map[string]string{"m.bug": "model { y ~ dnorm(0, 1) }", "d.json": `{"y": 1}`, "d.R": "y <- 1", "d.csv": "y,x\n1,2\n", "d.txt": "list(y = 1)"} {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, mark := range []string{"", "\ufeff"} {
				var b []byte
				for _, u := range utf16.Encode([]rune(mark + text)) {
					b = order.AppendUint16(b, u)
				}
				src := diag.NewSource(name, string(b))
				_, list := ParseData(src, Unknown)
				if strings.HasSuffix(name, ".bug") {
					_, list = syntax.Parse(src, syntax.Options{})
				}
				line, _, _ := strings.Cut(text, "\n")
				want := name + ":1:1: error: the file is in UTF-16\n  " + line + "\n  ^\nhelp: save it as UTF-8: `iconv -f UTF-16 -t UTF-8`, in PowerShell `-Encoding utf8`"
				if got := list.Error(); got != want {
					t.Errorf("%s, %v, mark %q: got\n%s\nwant\n%s", name, order, mark, got, want)
				}
			}
		}
		_, list := ParseData(diag.NewSource(name, "\ufeff"+text), Unknown)
		if !strings.HasSuffix(name, ".bug") && list.Err() != nil {
			t.Errorf("%s with a mark in UTF-8: %v", name, list)
		}
	}
}

// Data of CmdStan's columns are read by their indices, and names of rows are no column.
func TestForeignColumns(t *testing.T) {
	for text, want := range map[string]string{
		"lp__,mu.1,mu.2\n-1,2,3\n":     "mu [2] 2 3 int\n",
		"\"\",y\n\"1\",5\n\"2\",6\n":   "y [2] 5 6 int\n",
		"\"\",\"y\",\"x\"\n\"1\",,2\n": "y [1] NA int\nx [1] 2 int\n",
	} {
		d, list := ParseData(diag.NewSource("d.csv", text), CSV)
		if got := show(d); got != want || list.Err() != nil {
			t.Errorf("%q: got %q, want %q; %v", text, got, want, list)
		}
	}
}
