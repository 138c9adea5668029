package randmodel

import (
	"math/rand/v2"
	"strings"
)

// Break changes a text in one to three places: a token is dropped, doubled, moved,
// replaced by another one of the text or by one that hurts.
func Break(r *rand.Rand, text string) string {
	toks := tokens(text)
	for range 1 + r.IntN(3) {
		if len(toks) < 2 {
			return strings.Join(toks, "")
		}
		i, j := r.IntN(len(toks)), r.IntN(len(toks))
		switch r.IntN(7) {
		case 0:
			toks = append(toks[:i:i], toks[i+1:]...)
		case 1:
			toks = append(toks[:i:i], append([]string{toks[j]}, toks[i:]...)...)
		case 2:
			toks[i], toks[j] = toks[j], toks[i]
		case 3:
			toks[i] = toks[j]
		case 4:
			toks[i] = hurtful[r.IntN(len(hurtful))]
		case 5: // a number, a little changed
			for k := range toks {
				if t := toks[(i+k)%len(toks)]; t[0] >= '0' && t[0] <= '9' {
					toks[(i+k)%len(toks)] = []string{"0", "1", "2", "3", "-1", "1.5", "7"}[r.IntN(7)]
					break
				}
			}
		case 6: // a name for another
			if a, b := word(toks, i), word(toks, j); a >= 0 && b >= 0 {
				toks[a] = toks[b]
			}
		}
	}
	return strings.Join(toks, "")
}

var hurtful = []string{"0", "-1", "1e308", "1E-300", "NA", "NaN", "null", "[]", "[,]", "()", "{", "}", "(", ")", ",", ";", "<-", "~", "model", "for",
	" T(0,)", " I(,0)", " C(1,0)", "dnorm", "dcat", "x", "i", "N", "1:2", "2:1", "1:N", ":", "^", "%*%", "\"", "'", "#", "/*", "\n", "in", "list(", "c(",
	"dmnorm", "inverse(", "sum(", "\x00", "é", "structure(", ".Dim", "= ", "==", "&&", "!", "logit(", "K", "[1]", "[0]", "[1,1]", "10", "data {", "var x[2];"}

// word is the first token from i on that is a name, or -1.
func word(toks []string, i int) int {
	for k := range toks {
		if c := toks[(i+k)%len(toks)][0] | 0x20; c >= 'a' && c <= 'z' {
			return (i + k) % len(toks)
		}
	}
	return -1
}

// tokens splits a text into names, numbers, spaces and single characters.
func tokens(s string) []string {
	class := func(c byte) int {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '_' || c >= '0' && c <= '9':
			return 1
		case c == ' ' || c == '\n' || c == '\t':
			return 2
		}
		return 0
	}
	var out []string
	for i := 0; i < len(s); {
		j := i + 1
		for c := class(s[i]); j < len(s) && c > 0 && class(s[j]) == c; {
			j++
		}
		out = append(out, s[i:j])
		i = j
	}
	return out
}
