package reduce

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// An op of a text that is not parsed begins on a line of its own, and ends with the line on which all brackets are closed.

// A textOp is where one stands, with what is in it, the end of its line included.
type textOp struct{ from, to int }

// textOps are those of a text, in others too, the longest first.
func textOps(s string) (out []textOp) {
	for at := 0; at < len(s); {
		line := len(s)
		if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
			line = at + n + 1
		}
		if text := strings.TrimSpace(s[at:line]); text != "" && !strings.HasPrefix(text, "}") && !strings.HasPrefix(text, "^") && !strings.HasPrefix(text, "//") {
			if end := closing(s, at); end > 0 {
				out = append(out, textOp{at, end})
			}
		}
		at = line
	}
	slices.SortStableFunc(out, func(x, y textOp) int { return cmp.Compare(y.to-y.from, x.to-x.from) })
	return out
}

// closing is the end of the first line on which all brackets since from are closed; 0 if others are, or there is none.
func closing(s string, from int) int {
	depth, quoted := 0, false
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' && s[i-min(i, 1)] != '\\':
			quoted = !quoted
		case c == '\n':
			if quoted = false; depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '/' && strings.HasPrefix(s[i:], "//"):
			if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
				i += n - 1
			}
		case strings.IndexByte("({[", c) >= 0:
			depth++
		case strings.IndexByte(")}]", c) >= 0:
			if depth--; depth < 0 {
				return 0
			}
		}
	}
	if depth == 0 {
		return len(s)
	}
	return 0
}

var (
	resultOf = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(%[\w$.-]+)(:\d+)?\s*=`) })
	valueOf  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[\w$.-]+(#\d+)?`) })
	returned = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^(\s*(?:func\.)?return)\b.*$`) })
	gives    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\)\s*->[^{\n]*\{[ \t]*\n`) })
)

// ops leaves out ops, alone and with another value, one of its operands, where the result was used, and what functions return, until none
// can go.
func (r *reducer) ops() {
	for r.more() {
		before, list := r.best, textOps(r.best)
		if r.first(len(list), func(i int) (candidate, bool) {
			return shorterText(before, before[:list[i].from]+before[list[i].to:])
		}) < len(list) {
			continue
		}
		var texts []string
		for _, x := range list {
			texts = append(texts, replacedBy(before, x)...)
			texts = append(texts, withoutResults(before, x))
		}
		if r.first(len(texts), func(i int) (candidate, bool) { return shorterText(before, texts[i]) }) == len(texts) {
			return
		}
	}
}

// shorterText is a candidate that is shorter than the text before, so that it ends.
func shorterText(before, text string) (candidate, bool) {
	return candidate{text: text}, len(text) < len(before)
}

// replacedBy are texts without an op, in which its result is each of its operands in turn.
func replacedBy(s string, x textOp) (out []string) {
	op := s[x.from:x.to]
	m := resultOf().FindStringSubmatch(op)
	if m == nil {
		return nil
	}
	seen := map[string]bool{m[1]: true}
	for _, v := range valueOf().FindAllString(op[len(m[0]):], -1) {
		if seen[v] {
			continue
		}
		seen[v] = true
		use := func(text string) string {
			return valueOf().ReplaceAllStringFunc(text, func(w string) string {
				if name, _, _ := strings.Cut(w, "#"); name == m[1] {
					return v
				}
				return w
			})
		}
		out = append(out, s[:x.from]+use(s[x.to:]))
	}
	return out
}

// withoutResults is the text with a function that returns nothing.
func withoutResults(s string, x textOp) string {
	op := s[x.from:x.to]
	if at := gives().FindStringIndex(op); at != nil && strings.Count(op[:at[0]], "\n") == 0 && strings.Contains(op[:at[0]], "func") {
		op = op[:at[0]] + ") {\n" + returned().ReplaceAllString(op[at[1]:], "$1")
	}
	return s[:x.from] + op + s[x.to:]
}
