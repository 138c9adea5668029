package reduce

import "strings"

// textual reduces text that does not parse: ops as far as brackets show them, lines, then words of lines.
func (r *reducer) textual() {
	r.ops()
	r.ddmin(func(s string) []string { return strings.SplitAfter(s, "\n") })
	r.ddmin(words)
}

// words splits a text behind each run of blanks and each bracket.
func words(s string) []string {
	var out []string
	from := 0
	for i := range len(s) {
		if strings.IndexByte(" \n(){}[]<>,", s[i]) >= 0 {
			out = append(out, s[from:i+1])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// ddmin leaves out runs of parts, long ones first, as long as any can go
// (Zeller and Hildebrandt 2002, without their tests of subsets).
func (r *reducer) ddmin(split func(string) []string) {
	for r.more() {
		before := r.best
		for n := (len(split(r.best)) + 1) / 2; n >= 1 && r.more(); n /= 2 {
			for end := len(split(r.best)); end > 0 && r.more(); {
				parts := split(r.best)
				end = min(end, len(parts))
				i := r.first((end+n-1)/n, func(i int) (candidate, bool) {
					to := end - i*n
					return candidate{text: strings.Join(parts[:max(to-n, 0)], "") + strings.Join(parts[to:], "")}, true
				})
				end -= (i + 1) * n
			}
		}
		if r.best == before {
			return
		}
	}
}
