package c

import (
	"regexp"
	"strings"
)

// A declaration of a variable stands on a line of its own.
var declaration = regexp.MustCompile(`^\t+(?:const )?[a-z0-9_]+ \*?(?:restrict )?([a-z]+[0-9]+)(?: = (.*))?;$`)

// So does what writes to one.
var assignment = regexp.MustCompile(`^\t+([a-z]+[0-9]+) = .*;$`)

var word = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// calls finds the call of a function, which does more than to give a value.
var calls = regexp.MustCompile(`[A-Za-z0-9_]\(`)

// withoutUnused takes out of a function the variables that nobody reads, of which compilers warn. What calls
// a function stays, without its value.
func withoutUnused(text string) string {
	lines := strings.Split(text, "\n")
	for changed := true; changed; {
		changed = false
		uses := map[string]int{}
		for _, l := range lines {
			for _, w := range word.FindAllString(l, -1) {
				uses[w]++
			}
		}
		var kept []string
		for _, l := range lines {
			m := declaration.FindStringSubmatch(l)
			switch {
			case m == nil || uses[m[1]] > 1:
				kept = append(kept, l)
				continue
			case calls.MatchString(m[2]):
				kept = append(kept, l[:len(l)-len(strings.TrimLeft(l, "\t"))]+"(void)("+m[2]+");")
			}
			changed = true
		}
		lines = kept
	}
	return setAlone(lines)
}

// setAlone says of variables that are written to alone that this is meant: what writes may be all of a branch.
func setAlone(lines []string) string {
	uses, sets := map[string]int{}, map[string]int{}
	for _, l := range lines {
		for _, w := range word.FindAllString(l, -1) {
			uses[w]++
		}
		if m := assignment.FindStringSubmatch(l); m != nil {
			sets[m[1]]++
		}
	}
	var out []string
	for _, l := range lines {
		out = append(out, l)
		if m := declaration.FindStringSubmatch(l); m != nil && uses[m[1]] == 1+sets[m[1]] {
			out = append(out, l[:len(l)-len(strings.TrimLeft(l, "\t"))]+"(void)"+m[1]+";")
		}
	}
	return strings.Join(out, "\n")
}
