package prose

import (
	"flag"
	"strings"
	"testing"
)

const root = "../.."

var list = flag.String("list", "", "print the long sentences of what begins with this: docs, dialects/bugs")

// mostLong is the share of sentences of more than LongWords, in percent.
const mostLong = 10

// No sentence that people read is longer than MaxWords, and few of a folder are longer than LongWords.
func TestSentences(t *testing.T) {
	places, err := Sentences(root)
	if err != nil {
		t.Fatal(err)
	}
	type count struct{ all, long, over int }
	tops := map[string]*count{}
	for _, p := range places {
		c := tops[p.Top]
		if c == nil {
			c = &count{}
			tops[p.Top] = c
		}
		c.all++
		if p.Words > LongWords {
			c.long++
		}
		if p.Words > MaxWords {
			c.over++
		}
		if *list != "" && (*list == "all" || strings.HasPrefix(p.File, *list)) && p.Words > LongWords {
			t.Logf("%s:%d: %d %s: %s", p.File, p.Line, p.Words, p.Kind, p.Text)
		}
	}
	if len(tops) < 9 {
		t.Errorf("only %d folders have sentences", len(tops))
	}
	for top, c := range tops {
		share := 100 * float64(c.long) / float64(c.all)
		t.Logf("%-10s %6d sentences, %5d over %d (%.1f %%), %d over %d", top, c.all, c.long, LongWords, share, c.over, MaxWords)
		if share > mostLong {
			t.Errorf("%s: %.1f %% of the sentences have more than %d words, at most %d %% may: -args -list=%s prints them", top, share, LongWords, mostLong, top)
		}
		if c.over > 0 {
			t.Errorf("%s: %d sentences have more than %d words: -args -list=%s prints them", top, c.over, MaxWords, top)
		}
	}
}
