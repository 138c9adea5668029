// Package diff compares texts line by line: a line of the first alone begins with -, one of the second alone with +, and
// one of both with a space. It is of this repository alone.
package diff

import (
	"strings"

	"github.com/irc-lang/irc/ir/lists"
)

// context is how many equal lines a diff shows around a change.
const contextLines = 2

// maxDiff bounds the table of the longest common subsequence; larger changed
// parts are shown as removed and added as a whole.
const maxDiff = 1 << 22

// Lines shows how text b differs from a: lines with "-" and "+", a few equal
// lines around them, "..." for the rest.
func Lines(a, b string) string {
	x, y := lines(a), lines(b)
	head := 0
	for head < len(x) && head < len(y) && x[head] == y[head] {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && x[len(x)-1-tail] == y[len(y)-1-tail] {
		tail++
	}
	// what both begin and end with is not aligned: most of a text is that
	all := lists.Map(x[:head], func(l string) string { return " " + l })
	all = append(all, middle(x[head:len(x)-tail], y[head:len(y)-tail])...)
	for _, l := range x[len(x)-tail:] {
		all = append(all, " "+l)
	}
	return elide(all)
}

// lines are the lines of a text, without their ends.
func lines(s string) []string {
	if s = strings.TrimRight(s, "\n"); s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// middle aligns two lists of lines by their longest common subsequence.
func middle(x, y []string) (out []string) {
	if len(x)*len(y) > maxDiff { // all of one, then all of the other: right, and not the shortest
		for _, l := range x {
			out = append(out, "-"+l)
		}
		for _, l := range y {
			out = append(out, "+"+l)
		}
		return out
	}
	w := len(y) + 1
	common := make([]int32, (len(x)+1)*w) // of x[i:] and y[j:], at i*w+j
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(x) || j < len(y) {
		switch {
		case i < len(x) && j < len(y) && x[i] == y[j]:
			out = append(out, " "+x[i])
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && common[(i+1)*w+j] >= common[i*w+j+1]:
			out = append(out, "-"+x[i])
			i++
		default:
			out = append(out, "+"+y[j])
			j++
		}
	}
	return out
}

// elide leaves out equal lines far from a change.
func elide(all []string) string {
	near := make([]bool, len(all))
	for i, l := range all {
		if l[0] == ' ' {
			continue
		}
		for k := max(0, i-contextLines); k <= min(len(all)-1, i+contextLines); k++ {
			near[k] = true
		}
	}
	var b strings.Builder
	skipped := false
	for i, l := range all {
		if near[i] {
			b.WriteString(l + "\n")
		} else if !skipped {
			b.WriteString("...\n")
		}
		skipped = !near[i]
	}
	return b.String()
}
