package main

import (
	"fmt"
	"regexp"
	"strings"
)

// A value is one in an initializer of C: a string, a word such as a number or the
// name of a function, or a list in braces.
type value struct {
	text  string
	items []value // of a list
	list  bool
}

// table reads the initializer of the array with a name in a C source.
func table(source, name string) ([]value, error) {
	at := regexp.MustCompile(`\b` + name + `\s*\[\]\s*=\s*\{`).FindStringIndex(source)
	if at == nil {
		return nil, fmt.Errorf("no table %s", name)
	}
	r := &reader{text: source, at: at[1]}
	v, err := r.items()
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", name, err)
	}
	return v, nil
}

// reader reads C as far as initializers go.
type reader struct {
	text string
	at   int
}

var (
	blank   = regexp.MustCompile(`^(?s:\s+|//[^\n]*|/\*.*?\*/)`)
	literal = regexp.MustCompile(`^"((?:[^"\\]|\\.)*)"`)
	word    = regexp.MustCompile(`^(?:'[^']+'|[-&.\w]+)`)
)

func (r *reader) skip() {
	for {
		n := len(blank.FindString(r.text[r.at:min(len(r.text), r.at+10_000)]))
		if n == 0 {
			return
		}
		r.at += n
	}
}

// items reads values up to the brace that closes them.
func (r *reader) items() (out []value, err error) {
	for {
		r.skip()
		if r.at == len(r.text) {
			return nil, fmt.Errorf("no closing brace")
		}
		switch r.text[r.at] {
		case '}':
			r.at++
			return out, nil
		case ',':
			r.at++
			continue
		}
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

func (r *reader) value() (value, error) {
	rest := r.text[r.at:]
	if rest[0] == '{' {
		r.at++
		items, err := r.items()
		return value{items: items, list: true}, err
	}
	if w := word.FindString(rest); w != "" {
		r.at += len(w)
		return value{text: strings.TrimPrefix(w, "&")}, nil
	}
	var b strings.Builder
	for { // adjacent strings are one
		m := literal.FindStringSubmatch(r.text[r.at:])
		if m == nil {
			break
		}
		b.WriteString(strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(m[1]))
		r.at += len(m[0])
		r.skip()
	}
	if b.Len() == 0 {
		return value{}, fmt.Errorf("unexpected %.20q", rest)
	}
	return value{text: b.String()}, nil
}
