package prose

import (
	"regexp"
	"strings"
)

// Limits of the words of a sentence: none has more than MaxWords, and at most a tenth of
// the sentences of a folder have more than LongWords.
const (
	MaxWords  = 30
	LongWords = 20
)

// A Sentence is a stretch of text between full stops, colons, semicolons and borders of
// list items.
type Sentence struct {
	Line  int // of its first word, from 1
	Words int
	Text  string
}

var (
	codeSpan = regexp.MustCompile("``[^`]+``|`[^`]+`")
	image    = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	link     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	address  = regexp.MustCompile(`https?://\S+`)
	item     = regexp.MustCompile(`^\s*([-*+]|\d+[.)])\s+`)
	tableRow = regexp.MustCompile(`^\s*\|`)
	word     = regexp.MustCompile(`\pL`)
	notEnd   = regexp.MustCompile(`(?i)^\W*(e\.g|i\.e|cf|vs|al|p|pp|no|fig|eq|sec|ch|vol|ed|eds)\.$`)
)

// code is what a code span leaves behind: something that ends no sentence and is no word.
const code = "\u00a4"

// Markdown lists the sentences of a page.
func Markdown(text string) []Sentence {
	var s splitter
	fence := false
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		trimmed := strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fence = !fence
			s.end()
		case fence:
		case trimmed == "" || tableRow.MatchString(l):
			s.end()
		case s.open() == "" && (strings.HasPrefix(l, "      ") || strings.HasPrefix(l, "    ") && !s.list) && !item.MatchString(l):
			// a code block by indentation
		case strings.HasPrefix(trimmed, "#"):
			s.end()
			s.line(i+1, strings.TrimLeft(trimmed, "# "))
			s.end()
		case item.MatchString(l):
			s.end()
			s.list = true
			s.line(i+1, item.ReplaceAllString(l, ""))
		default:
			if l == trimmed && s.open() == "" {
				s.list = false
			}
			s.line(i+1, trimmed)
		}
	}
	s.end()
	return s.out
}

// Comment lists the sentences of a Go comment without its slashes: lines that begin with a
// tab or four blanks are code, unless they are an item of a list.
func Comment(text string, line int) []Sentence {
	var s splitter
	for i, l := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(l)
		switch {
		case trimmed == "" || tableRow.MatchString(l):
			s.end()
		case item.MatchString(l):
			s.end()
			s.list = true
			s.line(line+i, item.ReplaceAllString(l, ""))
		case (strings.HasPrefix(l, "\t") || strings.HasPrefix(l, "    ")) && !s.list:
			s.end()
		case strings.HasPrefix(l, "# "):
			s.end()
			s.line(line+i, l[2:])
			s.end()
		default:
			if l == trimmed {
				s.list = false
			}
			s.line(line+i, trimmed)
		}
	}
	s.end()
	return s.out
}

// splitter gathers the lines of a paragraph and cuts it into sentences.
type splitter struct {
	words []string // of the open paragraph
	lines []int    // of each word
	list  bool     // inside an item
	out   []Sentence
}

func (s *splitter) open() string { return strings.Join(s.words, " ") }

// line adds a line to the paragraph. Code spans over two lines are put together at the end.
func (s *splitter) line(n int, text string) {
	for _, w := range strings.Fields(text) {
		s.words, s.lines = append(s.words, w), append(s.lines, n)
	}
}

// end cuts the paragraph into sentences.
func (s *splitter) end() {
	if len(s.words) == 0 {
		return
	}
	words, lines := plain(s.words, s.lines)
	s.words, s.lines = nil, nil
	start, n := 0, 0
	for i, w := range words {
		if word.MatchString(w) {
			n++
		}
		if i+1 < len(words) && !ends(w) {
			continue
		}
		if n > 0 {
			s.out = append(s.out, Sentence{lines[start], n, strings.Join(words[start:i+1], " ")})
		}
		start, n = i+1, 0
	}
}

// ends reports that a word is the last of a sentence.
func ends(w string) bool {
	w = strings.TrimRight(w, `"')]*_`+"\u201d")
	return w != "" && strings.ContainsAny(w[len(w)-1:], ".:;?!") && !notEnd.MatchString(w) && !strings.HasSuffix(w, "...")
}

// plain takes code spans, pictures and addresses out, and of links what a reader sees.
func plain(words []string, lines []int) ([]string, []int) {
	// Blanks inside a span would make words of it: the text is cut at line marks instead.
	const mark = "\x00"
	var b strings.Builder
	last := 0
	for i, w := range words {
		if lines[i] != last {
			b.WriteString(mark)
			last = lines[i]
		}
		b.WriteString(w + " ")
	}
	keep := func(by string) func(string) string {
		return func(old string) string { return by + strings.Repeat(mark, strings.Count(old, mark)) }
	}
	t := codeSpan.ReplaceAllStringFunc(b.String(), keep(code))
	t = image.ReplaceAllStringFunc(t, keep(""))
	t = link.ReplaceAllString(t, "$1")
	t = address.ReplaceAllString(t, code)
	var out []string
	var at []int
	n, starts := 0, lineNumbers(lines)
	for _, w := range strings.Fields(strings.ReplaceAll(t, mark, " "+mark+" ")) {
		if w == mark {
			n++
			continue
		}
		out, at = append(out, w), append(at, starts[max(0, n-1)])
	}
	return out, at
}

// lineNumbers lists the lines that words come from, each once.
func lineNumbers(lines []int) (out []int) {
	for i, n := range lines {
		if i == 0 || n != lines[i-1] {
			out = append(out, n)
		}
	}
	return out
}
