package text

import (
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/irc-lang/irc/ir/diag"
	"github.com/irc-lang/irc/ir/irtest"
)

// mutate changes a text a little: bytes and tokens are dropped, doubled and
// exchanged.
func mutate(r *rand.Rand, s string) string {
	b := []byte(s)
	for range 1 + r.IntN(4) {
		if len(b) < 2 {
			break
		}
		i, j := r.IntN(len(b)), r.IntN(len(b))
		k := min(i+1+r.IntN(12), len(b))
		switch r.IntN(5) {
		case 0:
			b = append(b[:i:i], b[k:]...)
		case 1:
			b = append(b[:k:k], b[i:]...)
		case 2:
			b[i], b[j] = b[j], b[i]
		case 3:
			b = append(b[:j:j], append(append([]byte(nil), b[i:k]...), b[j:]...)...)
		case 4:
			const odd = "<>(){}[]%#!^@\"\\:,=-+*?/|.\n 0x9ai\x00\xff"
			b[i] = odd[r.IntN(len(odd))]
		}
	}
	return string(b)
}

// Texts a little wrong are answered in time, and what is accepted is a fixpoint.
func TestMutations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for _, file := range append(testFiles(t), "testdata/errors/cases.mlir") {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for range 300 {
			text := mutate(r, string(src))
			spent := irtest.Work()
			g, errs := Parse(miniContext(), diag.NewSource("in", text), Options{AllowUnregistered: true, Verbatim: r.IntN(2) == 0})
			_ = errs.Error()
			if g != nil {
				accepted++
				for _, form := range []PrintOptions{{}, {Generic: true}} {
					one := String(g, form)
					if two := String(parse(t, one, Options{AllowUnregistered: true, Verbatim: g.IsVerbatim()}), form); one != two {
						t.Errorf("%s: printed\n%s\nthen\n%s", file, one, two)
					}
				}
			}
			if d := spent(); d > time.Second {
				t.Errorf("%s: took %v:\n%s", file, d, text)
			}
		}
	}
	if accepted == 0 {
		t.Error("no mutation was accepted")
	}
}
