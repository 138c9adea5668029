package syntax

import (
	"strings"
	"testing"
	"time"

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

func TestHostilePrograms(t *testing.T) {
	big := 200000
	for what, c := range map[string]struct {
		text string
		ok   bool
	}{
		"parentheses":    {"model { x <- " + strings.Repeat("(", big) + "1" + strings.Repeat(")", big) + " }", false},
		"open":           {"model { x <- " + strings.Repeat("(", big), false},
		"signs":          {"model { x <- " + strings.Repeat("-", big) + "1 }", false},
		"powers":         {"model { x <- " + strings.Repeat("2^", big) + "1 }", false},
		"indices":        {"model { x <- " + strings.Repeat("x[", big) + "1 }", false},
		"calls":          {"model { x <- " + strings.Repeat("log(", big) + "1 }", false},
		"loops":          {"model { " + strings.Repeat("for (i in 1:2) {", big), false},
		"braces":         {"model { " + strings.Repeat("{", big), false},
		"closing":        {"model { } " + strings.Repeat("}", big), false},
		"deep but legal": {"model { x <- " + strings.Repeat("(", 900) + "1" + strings.Repeat(")", 900) + " }", true},
		"sum":            {"model { x <- 1" + strings.Repeat(" + y", 8000) + " }", true},
		"long sum":       {"model { x <- 1" + strings.Repeat(" + y", big) + " }", false},
		"digits":         {"model { x <- 0." + strings.Repeat("1", 1000000) + " }", true},
		"large number":   {"model { x <- " + strings.Repeat("1", 1000000) + " }", false},
		"name":           {"model { x <- " + strings.Repeat("a", 1000000) + " }", true},
		"unknown call":   {"model { x <- " + strings.Repeat("a", 1000000) + "(1) }", false},
		"heads":          {"model { " + strings.Repeat("a[", big) + strings.Repeat("\nb[", big), false},
		"names":          {"model { " + strings.Repeat("a ", big), false},
		"commas":         {"model { x <- f(" + strings.Repeat(",", big), false},
		"empties":        {"model { y <- x[" + strings.Repeat(",", big) + "] }", true},
		"invalid UTF-8":  {"model { x <- \xff\xfe\x80 + 1 }\x00", false},
		"NULs":           {strings.Repeat("\x00", big), false},
		"comments":       {"model { " + strings.Repeat("/* */ # x\n", big) + "}", true},
		"no comment end": {"model { /* " + strings.Repeat("*", big), false},
		"statements":     {"model { " + strings.Repeat("a[1]<-b ", big) + "}", true},
	} {
		soon(t, what, func() {
			p, list := Parse(diag.NewSource("m", c.text), Options{})
			if (list.Err() == nil) != c.ok {
				t.Errorf("%s: ok is %v", what, list.Err() == nil)
			}
			if len(list) > 2*diag.MaxErrors+2 {
				t.Errorf("%s: %d messages", what, len(list))
			}
			_ = list.Error()
			if c.ok {
				checkRoundTrip(t, p)
			}
		})
	}
}
