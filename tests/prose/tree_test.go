package prose

import (
	"flag"
	"strings"
	"testing"
)

const root = "../.."

var list = flag.String("list", "", "print the long sentences of what begins with this: docs, dialects/bugs")

// No sentence that people read is longer than MaxWords, and few are longer than LongWords.
func TestSentences(t *testing.T) {
	places, err := Sentences(root)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ all, long, over int }
	rooms, tops := map[string]*count{}, map[string]*count{}
	add := func(m map[string]*count, key string, n int) {
		c := m[key]
		if c == nil {
			c = &count{}
			m[key] = c
		}
		c.all++
		if n > LongWords {
			c.long++
		}
		if n > MaxWords {
			c.over++
		}
	}
	for _, p := range places {
		add(rooms, p.Room, p.Words)
		add(tops, p.Top, p.Words)
		if *list != "" && (*list == "all" || strings.HasPrefix(p.File, *list)) && p.Words > LongWords {
			t.Logf("%s:%d: %d %s: %s", p.File, p.Line, p.Words, p.Kind, p.Text)
		}
	}
	for top, c := range tops {
		t.Logf("%-10s %6d sentences, %5d over %d (%.1f %%), %d over %d", top, c.all, c.long, LongWords, 100*float64(c.long)/float64(c.all), c.over, MaxWords)
	}
}
