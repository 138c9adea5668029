package presburger

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
	"github.com/irc-lang/irc/dialects/poly/presburger/internal/union"
)

// BenchmarkSets runs the operations of sets.json, a kind each; one iteration is all
// cases of the kind once.
func BenchmarkSets(b *testing.B) {
	text, err := os.ReadFile("testdata/sets.json")
	if err != nil {
		b.Fatal(err)
	}
	var cases []setCase
	if err := json.Unmarshal(text, &cases); err != nil {
		b.Fatal(err)
	}
	kinds := map[string][]setCase{}
	var names []string
	for _, c := range cases {
		if kinds[c.Op] == nil {
			names = append(names, c.Op)
		}
		kinds[c.Op] = append(kinds[c.Op], c)
	}
	slices.Sort(names)
	for _, name := range names {
		if name == "card" {
			continue
		}
		b.Run(name, func(b *testing.B) {
			in := make([][]*union.Relation, len(kinds[name]))
			for i, c := range kinds[name] {
				if in[i], err = c.parse(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			for b.Loop() {
				for i, c := range kinds[name] {
					if _, _, err := c.apply(in[i]); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

// BenchmarkTexts reads and prints the inputs of sets.json.
func BenchmarkTexts(b *testing.B) {
	text, err := os.ReadFile("testdata/sets.json")
	if err != nil {
		b.Fatal(err)
	}
	var cases []setCase
	if err := json.Unmarshal(text, &cases); err != nil {
		b.Fatal(err)
	}
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, c := range cases {
				c.parse()
			}
		}
	})
	b.Run("print", func(b *testing.B) {
		var in []*union.Relation
		for _, c := range cases {
			rs, _ := c.parse()
			in = append(in, rs...)
		}
		b.ReportAllocs()
		for b.Loop() {
			for _, r := range in {
				_ = notation.Relation(r)
			}
		}
	})
}
