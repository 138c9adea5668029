package presburger

import (
	"strings"
	"testing"
	"time"

	"github.com/irc-lang/irc/dialects/poly/presburger/internal/notation"
)

// TestSyntaxErrors lists what may be wrong with a text, where that is said, and how.
func TestSyntaxErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `1:1: expected "{" to open the set, not the end of the text`},
		{"foo", `1:1: expected "{" to open the set, not "foo"`},
		{"{ [i] : 0 <= i < 5", `1:19: expected ";" or "}" after a disjunct, not the end of the text`},
		{"{ [i] } }", `1:9: expected nothing after "}", not "}"`},
		{"[N -> { [i] }", `1:4: expected "," or "]" after a parameter, not "->"`},
		{"[N, N] -> { [i] }", `1:5: the parameter N is listed twice`},
		{"[1] -> { [i] }", `1:2: expected the name of a parameter, not "1"`},
		{"[N] { [i] }", `1:5: expected "->" after the parameters, not "{"`},
		{"{ [i] : 0 <= i < N }", `1:18: unknown variable N; a parameter is declared in front, as in [N] -> { ... }`},
		{"[size] -> { [i] : i < siz }", `1:23: unknown variable siz; is it size?`},
		{"{ [i] -> [j] : k = 0 }", `1:16: unknown variable k`},
		{"{ i : i = 0 }", `1:5: expected "[" to open a tuple, not ":"`},
		{"{ [i : i = 0 }", `1:6: expected "," or "]" after a dimension, not ":"`},
		{"{ [i, ] : i = 0 }", `1:7: expected an expression, not "]"`},
		{"{ [and] }", `1:4: expected an expression, not "and", which is a word of this notation`},
		{"{ [i=] }", `1:6: expected an expression, not "]"`},
		{"{ S[i][j] }", `1:7: expected ";" or "}" after a disjunct, not "["`},
		{"{ [S[i] -> ] }", `1:12: expected "[" to open a tuple, not "]"`},
		{"{ [[i] -> [j] -> [k]] }", `1:15: expected "]" to close a tuple, not "->"`},
		{"{ [i] -> [j] -> [k] }", `1:14: expected ";" or "}" after a disjunct, not "->"`},
		{"{ S[i] ; S[i] -> T[j] }", `1:10: a disjunct of a set and one of a map cannot be mixed`},
		{"{ [i] :: i = 0 }", `1:8: expected an expression, not ":"`},
		{"{ [i] : i }", `1:11: expected a comparison, such as < or =, not "}"`},
		{"{ [i] : i < }", `1:13: expected an expression, not "}"`},
		{"{ [i] : < i }", `1:9: expected an expression, not "<"`},
		{"{ [i] : i => 3 }", `1:12: expected an expression, not ">"; at least is >=, at most is <=`},
		{"{ [i] : i =< 3 }", `1:12: expected an expression, not "<"; at least is >=, at most is <=`},
		{"{ [i, j] : i*j >= 0 }", `1:13: a product of two expressions with variables is not affine: one side has to be a number`},
		{"{ [i] : i^2 >= 0 }", `1:10: a power is not affine`},
		{"{ [i] : i/i >= 0 }", `1:11: expected a positive number for a divisor`},
		{"{ [i] : i = 2/(3/2) }", `1:15: expected a positive number for a divisor`},
		{"{ [0:1:2] }", `1:7: expected "," or "]" after a dimension, not ":"`},
		{"[N=] -> { [i] }", `1:4: expected an expression, not "]"`},
		{"{ [i] -> [(i : i > 0; i < 0)] }", `1:25: expected ")" to close the expression, not "<"`},
		{"{ [i, i // 0] }", `1:12: expected a positive number for a divisor`},
		{"{ [i] : i mod 0 = 0 }", `1:15: expected a positive number for the right side of mod`},
		{"{ [i] : floor(i/-2) = 0 }", `1:17: expected a positive number for a divisor`},
		{"{ [i] : floor(i = 0 }", `1:17: expected ")" to close floor, not "="`},
		{"{ [i] : floord(i; 2) = 0 }", `1:17: expected "," between dividend and divisor, not ";"`},
		{"{ [i] : 2(i = 4 }", `1:13: expected ")" to close the expression, not "="`},
		{"{ [i] : min() = 0 }", `1:13: expected an expression, not ")"`},
		{"{ [i] : exists (j j = i) }", `1:19: expected ":" after the variables that exist, not "j"`},
		{"{ [i] : exists (: i = 0) }", `1:17: expected the name of a variable that exists, not ":"`},
		{"{ [i] : exists (j : j = i }", `1:27: expected ")" to close what exists, not "}"`},
		{"{ [i] : (i = 0 }", `1:16: expected ")" to close the formula, not "}"`},
		{"{ [i] : i = 0 and }", `1:19: expected an expression, not "}"`},
		{"{ [i] : i = 0 or or i = 1 }", `1:18: expected an expression, not "or", which is a word of this notation`},
		{"{ [i] : not }", `1:13: expected an expression, not "}"`},
		{"{ [i] : i = (i >= 0 ? 1) }", `1:24: expected ":" between the two values, not ")"`},
		{"{ [i, j] : [i, j] << [3] }", `1:19: lists of 2 and 1 expressions cannot be compared`},
		{"{ [i] : i = 1.5 }", `1:14: unexpected character '.'; numbers are integers`},
		{"{ [i] : i ≥ 0 }", `1:11: unexpected character '≥'; write >=`},
		{"{ [i] : i = \"a\" }", `1:13: unexpected character '"'`},
		{"{ [i] :\n  i = \xff }", `2:7: unexpected character '�'; the text is not UTF-8`},
		{"{ [i] : i = 1" + strings.Repeat("0", 20_000) + " }", `1:13: a number of 20001 digits; at most 10000 are read`},
		{"{ [i] : " + strings.Repeat("(", 500), `1:108: nested more than 200 deep`},
		{"{ [" + strings.Repeat("*,", 5000) + "*] }", `1:2005: more than 1000 dimensions`},
		{"{ [i] : " + strings.Repeat("i = 0 or ", 12_000) + " i = 1 }", `1:90015: the formula multiplies out to more than 10000 conjunctions`},
		{"{ [i] : i = " + strings.Repeat("floor(i/3) + ", 2_000) + " i }", `1:13024: more than 1000 floors in one expression`},
		{"{ [i] : i" + strings.Repeat(", i", 999) + " >= 1" + strings.Repeat(", 1", 999) + " }", `1:3008: more than 100000 comparisons`},
		{strings.Repeat(" ", 2<<20), `presburger: a text of 2097152 bytes; at most 1048576 are read`},
		{"{ [i] : " + strings.Repeat("(i >= 0 ? 1 : 2) >= 1 and ", 30_000) + " i >= 1 }", ErrBudget.Error()},
	} {
		start := time.Now()
		_, _, _, err := Parse(c.text)
		if err == nil {
			t.Errorf("%.60q is read", c.text)
			continue
		}
		got, rest, _ := strings.Cut(err.Error(), "\n")
		if _, syntax := err.(*SyntaxError); syntax && !strings.HasSuffix(rest, "^") {
			t.Errorf("%.60q: no caret: %q", c.text, rest)
		}
		if got != c.want && !(strings.HasSuffix(c.want, "unknown variable k") && strings.HasPrefix(got, c.want)) {
			t.Errorf("%.60q\n got %s\nwant %s", c.text, got, c.want)
		}
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%.60q takes %v", c.text, d)
		}
	}
}

// TestNotation: two ways to write the same.
func TestNotation(t *testing.T) {
	for _, c := range [][2]string{
		{"{ [i] : i/3 <= 5 }", "{ [i] : i <= 15 }"},
		{"{ [i, j] : i/2 + j/3 = 1/6 }", "{ [i, j] : 3i + 2j = 1 }"},
		{"{ [i] : i = 7/2 }", "{ [i] : false }"},
		{"{ [i] -> [i/2] }", "{ [i] -> [j] : i = 2j }"},
		{"{ [i] : floor(i/2 + 1/3) = 4 }", "{ [i] : 8 <= i <= 9 }"},
		{"{ [i, i//3] : -4 <= i <= -2 }", "{ [-4, -2]; [-3, -1]; [-2, -1] }"},
		{"{ [2:4, :3] }", "{ [i, j] : 2 <= i <= 4 and j <= 3 }"},
		{"{ [i = 1:5] -> [i - 1 : i + 1] }", "{ [i] -> [j] : 1 <= i <= 5 and i - 1 <= j <= i + 1 }"},
		{"{ [i] -> [i : i > 2; 0 : i < 0, -i] }", "{ [i] -> [i, -i] : i > 2; [i] -> [0, -i] : i < 0 }"},
		{"{ [i] -> [1 + (i : i > 2; -i : i < 0)] }", "{ [i] -> [1 + i] : i > 2; [i] -> [1 - i] : i < 0 }"},
		{"[N = 5, M = N + 1] -> { [i] : i <= M }", "[N, M] -> { [i] : i <= 6 and N = 5 and M = 6 }"},
		{"{ Sym = [n] [i] : i <= n }", "[n] -> { [i] : i <= n }"},
		{"{ [i] : i > 3 & i < 7 | i = 9 }", "{ [4:6]; [9] }"},
		{"{ [i] : i = (i > 3 ? 4 : 2) }", "{ [4]; [2] }"},
		{"{ [i] : 3 + -2i >= -(i) }", "{ [i] : i <= 3 }"},
	} {
		a, _, err := notation.Parse(c[0])
		b, _, err2 := notation.Parse(c[1])
		if err != nil || err2 != nil {
			t.Errorf("%s: %v %v", c[0], err, err2)
			continue
		}
		if same, err := isEqual(a, b); !same || err != nil {
			t.Errorf("%s is %s, want %s", c[0], Set{a}, Set{b})
		}
	}
}

// TestTuples: what an equation gives a dimension that has no name of its own stands in the
// tuple. The text is read as the same set.
func TestTuples(t *testing.T) {
	for _, c := range [][2]string{
		{"{ S[i, j] -> A[i + 1] }", "{ S[i, j] -> A[i + 1] }"},
		{"{ S[i, j] -> S[i, j + 1] : i > 0 }", "{ S[i, j] -> S[i, j + 1] : i >= 1 }"},
		{"{ S[i] -> [T[i] -> A[2i, 3]] }", "{ S[i] -> [T[i] -> A[2i, 3]] }"},
		{"[N] -> { [N + 1, 5] }", "[N] -> { [N + 1, 5] }"},
		{"[N] -> { [N] -> [N - 1] }", "[N] -> { [N] -> [N - 1] }"},
		{"{ [i] -> [j] : j = i }", "{ [i] -> [j] : j = i }"}, // its name stays
		{"{ [i, j] : j = 2i }", "{ [i, j] : j = 2i }"},
		{"{ [i] -> [o, o + i] : 0 <= o < 4 }", "{ [i] -> [o, i + o] : 0 <= o <= 3 }"},
		{"{ S[i] -> A[i mod 4] }", "{ S[i] -> A[i1] : (-i + i1) mod 4 = 0 and 0 <= i1 <= 3 }"},
		{"{ [i] -> [floor(i/2)] }", "{ [i] -> [i1] : 0 <= i - 2i1 <= 1 }"},
		{"{ [] -> [i, j] : i = 1 and exists (e : j = 2e) }", "{ [] -> [i, j] : (j) mod 2 = 0 and i = 1 }"},
		{"{ A[i] -> B[i1, i, i + i1] }", "{ A[i] -> B[i1, i, i + i1] }"},
	} {
		m, err := ParseMap(c[0])
		text, same := m.String(), false
		if err != nil || len(m.Maps()) == 0 { // a set
			s := mustSet(t, c[0])
			text = s.String()
			same, err = s.IsEqual(mustSet(t, text))
		} else {
			same, err = m.IsEqual(mustMap(t, text))
		}
		if text != c[1] || !same || err != nil {
			t.Errorf("%s is written %s, read as the same: %v %v", c[0], text, same, err)
		}
	}
}

// TestKinds: a set where a map is wanted, and the other way.
func TestKinds(t *testing.T) {
	if _, err := ParseSet("{ [i] -> [i] }"); err == nil || !strings.Contains(err.Error(), `this is a map`) {
		t.Error(err)
	}
	if _, err := ParseMap("{ [i] }"); err == nil || !strings.Contains(err.Error(), `this is a set`) {
		t.Error(err)
	}
}

// FuzzParse: what is read is printed and read again as the same set; nothing panics.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"{ [i] }", "[N] -> { S[i, j] -> T[[a] -> b[c]] : 0 <= i < N and j = 2i mod 3 and exists (k : floor((a + 1)/3) = k) }",
		"{ [i] : i = (i > 0 ? 1 : 2) or not (i < 3 implies i, 3 > 2) }", "{ [i, j] : [i, j] << [j, i]; [3, 4] }", "{ [i] : -(2i - 3) != max(i, 3, -i) }",
		"[N, M] -> { : N > floord(M, 3) }", "{ [i = 3, *] ; A[] }", "{ [[[a] -> [b]] -> [c]] : a % 7 = 3 && !(b = 2) || c => 3 }"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 300 {
			return
		}
		r, isMap, err := notation.Parse(text)
		if err != nil {
			return
		}
		r = r.WithBudget(1_000_000)
		again, isMap2, err := notation.Parse(notation.Relation(r))
		if err != nil || isMap != isMap2 && len(again.Parts) > 0 {
			t.Fatalf("%q is printed as %s: %v", text, Set{r}, err)
		}
		if same, err := isEqual(r, again.WithBudget(1_000_000)); err == nil && !same {
			t.Errorf("%q is printed as %s", text, Set{r})
		}
	})
}
