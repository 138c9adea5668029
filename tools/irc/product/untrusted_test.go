package product_test

import (
	"os"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/irc/internal/cli"
	"github.com/irc-lang/irc/tools/irc/product"
)

// Whatever a command line may say has a row that says what becomes of it with -untrusted, and docs/security.md has the table.
func TestUntrustedTable(t *testing.T) {
	for _, what := range cli.Undecided(product.All()) {
		t.Error(what)
	}
	const file = "../../../docs/security.md"
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), "<!-- untrusted -->\n")
	old, after, ok2 := strings.Cut(rest, "<!-- end -->\n")
	if !ok || !ok2 {
		t.Fatal("docs/security.md has no place for the table")
	}
	want := cli.UntrustedTable()
	if old == want {
		return
	}
	if os.Getenv("IRC_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(before+"<!-- untrusted -->\n"+want+"<!-- end -->\n"+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Errorf("the table of docs/security.md is not that of the program (IRC_UPDATE=1 rewrites it):\n%s", want)
}
