package lowering_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
	"github.com/irc-lang/irc/lowering"
	"github.com/irc-lang/irc/passes/pass"
)

var symbol = regexp.MustCompile(`@\w+`)

// Functions are rebuilt at once, and a pass may share nothing between them that it writes: the race detector, under
// which make race runs this, sees what two of them write.
func TestManyFunctions(t *testing.T) {
	const copies = 6
	for _, info := range lowering.AllPasses() {
		if info.Model || info.End != nil {
			continue
		}
		line := info.Pipeline
		if line == "" {
			line = info.Name
		}
		line = strings.ReplaceAll(line, "{of=f ", "{of=f_0 ") // the first copy
		t.Run(info.Name, func(t *testing.T) {
			var src strings.Builder
			for i := range copies {
				src.WriteString(symbol.ReplaceAllString(info.Example, fmt.Sprintf("${0}_%d", i)) + "\n")
			}
			p, err := pass.Parse(line, lowering.AllPasses())
			if err != nil {
				t.Fatal(err)
			}
			g, list := text.Parse(ir.NewContext(dialects.All...), diag.NewSource("m.mlir", src.String()), text.Options{})
			if list.Err() != nil {
				t.Fatalf("%v\n%s", list.Err(), &src)
			}
			if _, err := (&pass.Manager{VerifyEach: true}).Run(t.Context(), g, p); err != nil {
				t.Errorf("%v\n%s", err, &src)
			}
		})
	}
}
