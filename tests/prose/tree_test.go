package prose

import (
	"flag"
	"strings"
	"testing"
)

const root = "../.."

var list = flag.String("list", "", "print the long sentences of what begins with this: docs, dialects/bugs")

// tooLong is how many sentences of a folder have more than MaxWords: it only falls, to none.
var tooLong = map[string]int{"backends": 16, "dialects": 73, "examples": 1, "ir": 15, "lowering": 3, "passes": 40, "tests": 6, "tools": 6}

// mostLong is the share of sentences of more than LongWords, in percent: a tenth, but for folders that have more still.
var mostLong = map[string]float64{"passes": 12}

// No sentence that people read is longer than MaxWords, and few are longer than LongWords, but for those that are counted above.
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
	if len(tops) < len(tooLong) {
		t.Errorf("only %d folders have sentences", len(tops))
	}
	for top, c := range tops {
		share, most := 100*float64(c.long)/float64(c.all), mostLong[top]
		if most == 0 {
			most = 10
		}
		t.Logf("%-10s %6d sentences, %5d over %d (%.1f %%), %d over %d", top, c.all, c.long, LongWords, share, c.over, MaxWords)
		if share > most {
			t.Errorf("%s: %.1f %% of the sentences have more than %d words, at most %v %% may: -args -list=%s prints them", top, share, LongWords, most, top)
		}
		if c.over > tooLong[top] {
			t.Errorf("%s: %d sentences have more than %d words, %d had: -args -list=%s prints them", top, c.over, MaxWords, tooLong[top], top)
		}
	}
}
