package vet_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/irc-lang/irc/tools/internal/vet"
	"github.com/irc-lang/irc/tools/irc/product"
)

// Nothing is wrong with irc's own dialects and passes.
func TestProductIsRight(t *testing.T) {
	for _, list := range []string{"dialects", "passes"} {
		var out, errs strings.Builder
		if code := product.All().Main([]string{list, "-check"}, nil, &out, &errs); code != 0 || out.Len() > 0 || errs.Len() > 0 {
			t.Errorf("irc %s -check ends with %d and says\n%s%s", list, code, &out, &errs)
		}
	}
}

// What is right is said in a sentence, for those who ask what is checked.
func TestRulesAreSentences(t *testing.T) {
	rules := slices.Concat(vet.DialectRules(), vet.PassRules())
	for _, r := range rules {
		if !strings.HasSuffix(r, ".") || len(strings.Fields(r)) > 30 {
			t.Errorf("%q is no sentence of at most 30 words", r)
		}
	}
	if len(rules) < 15 {
		t.Errorf("only %d rules", len(rules))
	}
}

// BenchmarkStart is what each run of the command pays.
func BenchmarkStart(b *testing.B) {
	irc := product.All()
	p := vet.Program{Dialects: irc.Dialects, Passes: irc.Passes}
	b.ReportAllocs()
	for b.Loop() {
		if len(p.Start()) > 0 {
			b.Fatal("the product is wrong")
		}
	}
}
