package cf_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/dialects"
	"github.com/irc-lang/irc/ir"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/text"
)

var update = flag.Bool("update", false, "rewrite golden files")

// Wrong regions of several blocks, and all that is said of them.
func TestWrongBlocks(t *testing.T) {
	const in, golden = "testdata/wrong-blocks.txt", "testdata/wrong-blocks.golden"
	src, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, part := range text.Split(diag.NewSource("wrong-blocks.mlir", string(src)), text.SplitMarker) {
		if i > 0 {
			b.WriteString("// -----\n")
		}
		g, errs := text.Parse(ir.NewContext(dialects.All...), part, text.Options{})
		if g != nil || errs.Err() == nil {
			t.Errorf("part %d is accepted", i)
		}
		b.WriteString(errs.Error() + "\n")
	}
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got:\n%s\nwant (run with -update if right):\n%s", b.String(), want)
	}
}
