package input

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/bugs/syntax"
	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
)

// soon fails the test if f takes longer than it may.
func soon(t *testing.T, what string, f func()) {
	t.Helper()
	spent := irtest.Work()
	f()
	if d := spent(); d > 20*time.Second {
		t.Errorf("%s took %s", what, d)
	}
}

// TestTruncated parses every beginning of a program and of data.
func TestTruncated(t *testing.T) {
	text, err := os.ReadFile("../../../examples/bugs/kidney.bug")
	if err != nil {
		t.Fatal(err)
	}
	for i := range text {
		p, list := syntax.Parse(diag.NewSource("m", string(text[:i])), syntax.Options{})
		if list.Err() == nil && i < len(text)-2 {
			t.Fatalf("%d bytes are accepted", i)
		}
		_, _ = syntax.Print(p), list.Error()
	}
	for _, name := range []string{"dyes-data.json", "dyes-data.R"} {
		text, err := os.ReadFile("../../../examples/bugs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range text {
			_, list := ParseData(diag.NewSource(name, string(text[:i])), Unknown)
			_ = list.Error()
			if strings.HasSuffix(name, "json") && list.Err() == nil && i < len(text)-2 {
				t.Fatalf("%d bytes of %s are accepted", i, name)
			}
		}
	}
}

func TestHostileData(t *testing.T) {
	big := 200000
	for what, c := range map[string]struct {
		text string
		kind Kind
	}{
		"deep JSON":     {`{"x": ` + strings.Repeat("[", big), JSON},
		"deep object":   {strings.Repeat(`{"x":`, big), JSON},
		"long JSON":     {`{"x": ` + strings.Repeat("1", 1000000) + "}", JSON},
		"bad JSON":      {"{\"\xff\": [1, \x00", JSON},
		"deep R":        {"x <- " + strings.Repeat("c(", big), RDump},
		"parentheses":   {"x <- " + strings.Repeat("(", big), RDump},
		"many signs":    {"x <- " + strings.Repeat("-", big), RDump},
		"far":           {"x <- 1:1e300", RDump},
		"infinite":      {"x <- 1:Inf", RDump},
		"repeated":      {"x <- rep(rep(rep(rep(1:10, 1000), 1000), 1000), 1000)", RDump},
		"dimensions":    {"x <- structure(1, .Dim = c(1e9, 1e9, 1e9))", RDump},
		"array":         {"x <- array(0, c(100000, 100000))", RDump},
		"matrix":        {"x <- matrix(1, 1e9, 1e9)", RDump},
		"no dimensions": {"x <- matrix(1:3, nrow = 0)", RDump},
		"step":          {"x <- seq(1, 2, by = 0)", RDump},
		"small step":    {"x <- seq(0, 1, by = 1e-300)", RDump},
		"NaN step":      {"x <- seq(0, NaN, by = 1)", RDump},
		"quotes":        {"x <- \"" + strings.Repeat("\\", big), RDump},
		"list":          {"list(" + strings.Repeat("x = list(", big), BUGSList},
		"table":         {"x[" + strings.Repeat(",", big) + "]\n1\nEND", BUGSList},
		"wide":          {"x[,16777216]\n1\nEND", BUGSList},
		"CSV quotes":    {"\"x\n" + strings.Repeat("\"", big+1), CSV},
		"CSV index":     {"\"x[1,99999999999]\"\n1", CSV},
		"CSV far":       {"\"x[16777216,16777216]\"\n1", CSV},
	} {
		soon(t, what, func() {
			_, list := ParseData(diag.NewSource("d", c.text), c.kind)
			if list.Err() == nil {
				t.Errorf("%s: accepted", what)
			}
			if len(list) > 2*diag.MaxErrors+2 || len(list.Error()) > 100000 {
				t.Errorf("%s: %d messages of %d bytes", what, len(list), len(list.Error()))
			}
		})
	}
}
