package regex

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// matches runs the machine.
func (m *machine) matches(text string) bool {
	state := 0
	for i := range len(text) {
		if state = m.step(state, text[i]); state == dead {
			return false
		}
	}
	return m.accepts(state)
}

// Random patterns match what package regexp matches.
func TestMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var pattern func(deep int) string
	pattern = func(deep int) string {
		if deep == 0 {
			return []string{"a", "b", ".", "[a-c]", "[^b]", "é?", `\d`, "(?i:b)", "[[:^alpha:]]", "ab", "(?s:.)"}[r.IntN(11)]
		}
		x := pattern(deep - 1)
		switch r.IntN(6) {
		case 0:
			return "(" + x + "|" + pattern(deep-1) + ")"
		case 1:
			return "(?:" + x + ")" + []string{"*", "+", "?", "*?", "{2,3}", "{0}"}[r.IntN(6)]
		default:
			return x + pattern(deep-1)
		}
	}
	yes, refused := 0, 0
	for range 2000 {
		p := pattern(r.IntN(5))
		m, err := compile(p)
		if err != nil {
			if !strings.Contains(p, "é") {
				t.Fatalf("%s: %v", p, err)
			}
			refused++
			continue
		}
		want := regexp.MustCompile(`\A(?:` + p + `)\z`)
		for range 20 {
			var text strings.Builder
			for range r.IntN(8) {
				text.WriteString([]string{"a", "b", "c", "B", "1", "é", "€", "\U0001F600", "\n"}[r.IntN(9)])
			}
			got := m.matches(text.String())
			if got != want.MatchString(text.String()) {
				t.Fatalf("%q matches %q: %v", p, text.String(), got)
			}
			if got {
				yes++
			}
		}
	}
	if yes < 500 || refused > 1500 {
		t.Errorf("%d texts match, %d patterns are refused", yes, refused)
	}
}

func TestRefused(t *testing.T) {
	for p, says := range map[string]string{"a^b": "asks where it stands", `\bx`: "asks where it stands", "é": "beyond ASCII", "[a-é]": "beyond ASCII", "(?i)k": "beyond ASCII", "a(": "missing closing )", "[^é]": "beyond ASCII"} {
		if _, err := compile(p); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %s", p, err, says)
		}
	}
}
