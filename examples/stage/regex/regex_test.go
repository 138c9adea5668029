package regex

import (
	"regexp"
	"strings"
	"testing"

	"github.com/irc-lang/irc/backends/engine"
	"github.com/irc-lang/irc/tools/stage/stagetest"
)

func TestMain(m *testing.M) {
	engine.ServeIfChild()
	m.Run()
}

// Patterns count the lines that package regexp matches.
func TestCount(t *testing.T) {
	lines := strings.Split("abbbcd\nacd\nab\nabcdd\nabbbbb\nd\n\nabd\nacbd\nab*c*d\nfoo@example.com\na.b@c.d.org\n1.2.3.4\n300.1.2.x\nSome words here.\nno, these not\nx=\"a\\\"b\"c\n\"\"\nfünf", "\n")
	start := []int{0}
	var bytes []uint8
	for _, l := range lines {
		bytes = append(append(bytes, l...), '\n')
		start = append(start, len(bytes))
	}
	for _, p := range []string{"ab*c*d", "[a-z0-9._]+@([a-z0-9]+\\.)+(com|org|net)", "([0-9]{1,3}\\.){3}[0-9]{1,3}", "[A-Za-z]+( [A-Za-z]+)*[.!?]", `[^"]*"([^"\\]|\\.)*"[^"]*`, "f.nf", "", "(a|b)*abb.*"} {
		fn, err := Count(p)
		if err != nil {
			t.Fatal(err)
		}
		c := stagetest.Compile[func([]uint8, []int) int](t, fn)
		re, want := regexp.MustCompile(`\A(?:`+p+`)\z`), 0
		for _, l := range lines {
			if re.MatchString(l) {
				want++
			}
		}
		if got := c.Same(bytes, start); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %v lines match, want %d\n%s", p, got, want, c.Text())
		}
		if c.Stats.Runs != c.Stats.Branches+1 {
			t.Errorf("%s: %+v", p, c.Stats)
		}
	}
}
