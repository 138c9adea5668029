// Package expect checks diagnostics against comments of their source, for -verify-diagnostics. The mechanism is MLIR's: a comment
//
//	// expected-error @+1 {{text}}
//
// says that a diagnostic of that severity whose message contains the text is
// made for the line after the comment. The place is @above, @below, @+N, @-N,
// @unknown or, without one, the comment's own line; expected-error-re takes
// regular expressions in {{...}} inside the text.
package expect

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/irc-lang/irc/ir/diag"
)

// expectation is one such comment.
type expectation struct {
	severity diag.Severity
	line     int // 0: at no known place
	text     string
	re       *regexp.Regexp
	span     diag.Span
	met      bool
}

// A List is the expectations of a source.
type List struct {
	all []*expectation
	bad diag.List
	// of each line, the nearest above and below that holds no expectation
	above, below []int
}

var (
	expectRE = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`expected-(error|warning|note|remark)(-re)?\s*(@(?:above|below|unknown|[+-]\d+))?\s*(\{\{)?`)
	})
	severities = map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "note": diag.Note, "remark": diag.Remark}
)

// Read reads the comments of a source.
func Read(src *diag.Source) List {
	var out List
	offset := 0
	for i, line := range strings.SplitAfter(src.Text, "\n") {
		comment := strings.Index(line, "//")
		for comment >= 0 {
			m := expectRE().FindStringSubmatchIndex(line[comment:])
			if m == nil {
				break
			}
			for k := range m {
				if m[k] >= 0 {
					m[k] += comment
				}
			}
			comment = out.add(src, line, offset, i, m)
		}
		offset += len(line)
	}
	return out
}

// add reads one expectation of line i of the text and returns where to look for
// the next.
func (l *List) add(src *diag.Source, line string, offset, i int, m []int) int {
	group := func(k int) string {
		if m[2*k] < 0 {
			return ""
		}
		return line[m[2*k]:m[2*k+1]]
	}
	e := &expectation{severity: severities[group(1)], line: src.First + i + 1, span: src.Span(offset+m[0], offset+m[1])}
	end := -1
	if group(4) != "" {
		end = closing(line, m[1])
	}
	if end < 0 {
		l.bad = append(l.bad, diag.Errorf(e.span, "expected {{text}} on this line after expected-%s", group(1)))
		return len(line)
	}
	e.text = line[m[1]:end]
	switch at := group(3); {
	case at == "@unknown":
		e.line = 0
	case at == "@above" || at == "@below":
		e.line = src.First + l.neighbour(src, i, at == "@above") + 1
	case at != "":
		n, _ := strconv.Atoi(at[1:])
		e.line += n
	}
	if group(2) != "" {
		re, err := regexp.Compile(pattern(e.text))
		if err != nil {
			l.bad = append(l.bad, diag.Errorf(e.span, "bad regular expression: %v", err))
			return end + 2
		}
		e.re = re
	}
	l.all = append(l.all, e)
	return end + 2
}

// closing finds the }} that ends the text, past {{...}} pairs inside it.
func closing(line string, from int) int {
	depth := 1
	for i := from; i+1 < len(line); i++ {
		switch line[i : i+2] {
		case "{{":
			depth++
			i++
		case "}}":
			if depth--; depth == 0 {
				return i
			}
			i++
		}
	}
	return -1
}

// neighbour is the nearest line above or below line i that holds no expectation.
func (l *List) neighbour(src *diag.Source, i int, above bool) int {
	if l.above == nil {
		lines := strings.Split(src.Text, "\n")
		l.above, l.below = make([]int, len(lines)), make([]int, len(lines))
		for k := range lines {
			l.above[k] = k
			if expectRE().MatchString(lines[k]) {
				l.above[k] = -1
				if k > 0 {
					l.above[k] = l.above[k-1]
				}
			}
		}
		for k := len(lines) - 1; k >= 0; k-- {
			l.below[k] = k
			if l.above[k] != k {
				l.below[k] = k + 1
				if k+1 < len(lines) {
					l.below[k] = l.below[k+1]
				}
			}
		}
	}
	if above {
		return l.above[i]
	}
	return l.below[i]
}

// pattern turns `text {{re}} text` into a regular expression.
func pattern(text string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{{")
		b.WriteString(regexp.QuoteMeta(before))
		if !found {
			return b.String()
		}
		re, after, _ := strings.Cut(rest, "}}")
		b.WriteString("(?:" + re + ")")
		text = after
	}
}

// Compare returns what differs from the expectations: nothing if all is as said.
func (l List) Compare(got diag.List) diag.List {
	out := l.bad
	for _, d := range flatten(got) {
		if !l.meet(d) {
			out = append(out, diag.Errorf(d.Span, "unexpected %s: %s", d.Severity, d.Message))
		}
	}
	for _, e := range l.all {
		if !e.met {
			out = append(out, diag.Errorf(e.span, "expected %s %q was not produced", e.severity, e.text))
		}
	}
	return out
}

// flatten lists diagnostics and their notes.
func flatten(list diag.List) (out []*diag.Diagnostic) {
	for _, d := range list {
		out = append(out, d)
		for i := range d.Notes {
			out = append(out, &d.Notes[i])
		}
	}
	return out
}

func (l List) meet(d *diag.Diagnostic) bool {
	line := 0
	if d.Span.Source != nil {
		line, _ = d.Span.Source.Position(d.Span.Start)
	}
	for _, e := range l.all {
		if e.met || e.severity != d.Severity || e.line != line {
			continue
		}
		if e.re != nil && e.re.MatchString(d.Message) || e.re == nil && strings.Contains(d.Message, e.text) {
			e.met = true
			return true
		}
	}
	return false
}
