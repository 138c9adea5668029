package main

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/irc-lang/irc/examples/stage/regex"
	"github.com/irc-lang/irc/tests/bench/report"
	"github.com/irc-lang/irc/tools/stage"
)

// regexPatterns begin with no letters that a search could look for.
var regexPatterns = []string{`[a-z0-9._]+@([a-z0-9]+\.)+(com|org|net)`, `([0-9]{1,3}\.){3}[0-9]{1,3}`, `[A-Za-z]+( [A-Za-z]+)*[.!?]`, `[^"]*"([^"\\]|\\.)*"[^"]*`}

// regexText is how many bytes of lines there are.
const regexText = 100_000_000

// regexTurns is how often each side reads them.
const regexTurns = 3

// lines are addresses, numbers with dots, sentences and quoted text, some of each a little wrong.
func lines(size int) []byte {
	r := rand.New(rand.NewPCG(1, 9))
	var out bytes.Buffer
	word := func(least, most int) {
		for range least + r.IntN(most-least+1) {
			out.WriteByte(byte('a' + r.IntN(26)))
		}
	}
	for out.Len() < size {
		switch r.IntN(4) {
		case 0:
			word(3, 10)
			out.WriteByte('.')
			word(3, 8)
			out.WriteByte('@')
			word(3, 9)
			out.WriteByte('.')
			word(3, 9)
			out.WriteString([]string{".com", ".org", ".net", ".edu"}[r.IntN(4)])
		case 1:
			fmt.Fprintf(&out, "%d.%d.%d.%d", r.IntN(1100), r.IntN(256), r.IntN(256), r.IntN(256))
		case 2:
			for range 4 + r.IntN(9) {
				word(2, 9)
				out.WriteByte(' ')
			}
			out.Truncate(out.Len() - 1)
			out.WriteByte(".!?;"[r.IntN(4)])
		default:
			word(3, 9)
			out.WriteString(`="`)
			for range 1 + r.IntN(8) {
				word(2, 6)
				out.WriteString([]string{" ", `\" `, ","}[r.IntN(3)])
			}
			out.WriteString([]string{`"`, ``}[r.IntN(8)/7])
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// regexes counts the lines that match patterns as a whole: staged, by package regexp, and by PCRE2's code.
func (b *bench) regexes() error {
	root, err := repository()
	if err != nil {
		return err
	}
	if b.clang == "" {
		return errors.New("needs clang-19")
	}
	text := lines(b.size(regexText))
	file, exe := filepath.Join(b.dir, "lines"), filepath.Join(b.dir, "pcre2")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	if out, err := exec.CommandContext(b.ctx, b.clang, "-O3", "-march=native", filepath.Join(root, "tests/bench/peers/pcre2.c"), "-o", exe, "-lpcre2-8").CombinedOutput(); err != nil {
		return fmt.Errorf("needs libpcre2-dev: %s", firstLine(string(out)))
	}
	start := []int{0}
	for i, c := range text {
		if c == '\n' {
			start = append(start, i+1)
		}
	}
	logs := 0.0
	for _, p := range regexPatterns {
		ratio, err := b.regexRow(p, text, start, exe, file)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		logs += math.Log(ratio)
	}
	mean := math.Exp(logs / float64(len(regexPatterns)))
	b.table.Absolute("regex", "4 patterns, ours by PCRE2", "", mean, mean <= 1, "mean <= 1")
	return b.ctx.Err()
}

func (b *bench) regexRow(pattern string, text []byte, start []int, exe, file string) (ratio float64, err error) {
	fn, err := regex.Count(pattern)
	if err != nil {
		return 0, err
	}
	p, err := stage.Compile[func([]uint8, []int) (int, error)](b.ctx, "count", fn)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	bound, err := p.Bind(text, start)
	if err != nil {
		return 0, err
	}
	defer bound.Close()
	ours, theirs, gos := math.Inf(1), math.Inf(1), math.Inf(1)
	re := regexp.MustCompile("^(?:" + pattern + ")$")
	for range max(1, b.size(regexTurns)) {
		out, err := exec.CommandContext(b.ctx, exe, file, "1", pattern).Output()
		if err != nil {
			return 0, err
		}
		var s float64
		var want int
		if _, err := fmt.Fscan(strings.NewReader(string(out)), &s, &want); err != nil {
			return 0, err
		}
		theirs = min(theirs, s)
		results, took, err := bound.Run()
		if err != nil {
			return 0, err
		}
		ours = min(ours, took.Seconds())
		if results[0] != uint64(want) {
			return 0, fmt.Errorf("%d lines match, of PCRE2 %d", results[0], want)
		}
		t, got := time.Now(), 0
		for i, at := range start[1:] {
			if re.Match(text[start[i] : at-1]) {
				got++
			}
		}
		if gos = min(gos, time.Since(t).Seconds()); got != want {
			return 0, fmt.Errorf("%d lines match, of PCRE2 %d", got, want)
		}
	}
	b.table.Compare("regex", pattern+", beside regexp", "ms", ours*1e3, gos*1e3, 0.1, "<= 1/10")
	b.table.Add(report.Row{Group: "regex", What: pattern + ", beside PCRE2", Unit: "ms", Ours: ours * 1e3, Peer: theirs * 1e3, Ratio: ours / theirs})
	return ours / theirs, nil
}
