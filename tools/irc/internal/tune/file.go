package tune

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/irc-lang/irc/ir/diag"
)

// A Key says what tuned passes are for.
type Key struct {
	Program string // Hash of its text
	Target  string
	Entry   string
	Passes  string
}

// Hash is that of a program.
func Hash(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))[:16] }

// A Record is what was found.
type Record struct {
	Key
	Tuned string // passes
	Gain  string // for people
}

// fields are the lines of a record, in order.
func (r *Record) fields() []field {
	return []field{{"program", &r.Program}, {"target", &r.Target}, {"entry", &r.Entry}, {"passes", &r.Passes}, {"tuned", &r.Tuned}, {"gain", &r.Gain}}
}

type field struct {
	name  string
	value *string
}

// heading is the first line of a file.
const heading = "# irc: passes with the options that were fastest, by program, target and passes"

// Read reads a file. Errors are diagnostics at their lines.
func Read(src *diag.Source) (out []Record, err error) {
	at := 0
	var r *Record
	var left []field
	for line := range strings.Lines(src.Text) {
		begin := at
		at += len(line)
		text := strings.TrimSpace(line)
		span := src.Span(begin, begin+len(strings.TrimRight(line, "\n")))
		switch {
		case text == "" && len(left) > 0:
			return nil, diag.Errorf(span, "the record before has no %q", left[0].name).WithFix("leave such a record out: -tune finds it again")
		case text == "" || strings.HasPrefix(text, "#"):
			continue
		}
		if len(left) == 0 {
			out = append(out, Record{})
			r = &out[len(out)-1]
			left = r.fields()
		}
		name, value, ok := strings.Cut(text, ": ")
		if !ok || name != left[0].name {
			return nil, diag.Errorf(span, "a line %q is wanted here: a file of -tune has records of program, target, entry, passes, tuned and gain", left[0].name+": ...").WithFix("name a file that -tune has written, or one that is not there yet")
		}
		*left[0].value = value
		left = left[1:]
	}
	if len(left) > 0 {
		return nil, diag.Errorf(src.At(len(src.Text)), "the record before has no %q", left[0].name).WithFix("leave such a record out: -tune finds it again")
	}
	return out, nil
}

// Find is the record of a key; nil if there is none.
func Find(list []Record, k Key) *Record {
	if i := slices.IndexFunc(list, func(r Record) bool { return r.Key == k }); i >= 0 {
		return &list[i]
	}
	return nil
}

// With is a list with a record in place of the one of its key.
func With(list []Record, r Record) []Record {
	list = slices.DeleteFunc(slices.Clone(list), func(x Record) bool { return x.Key == r.Key })
	return append(list, r)
}

// Text writes a file.
func Text(list []Record) string {
	var b strings.Builder
	b.WriteString(heading + "\n")
	for _, r := range list {
		b.WriteString("\n")
		for _, f := range r.fields() {
			fmt.Fprintf(&b, "%s: %s\n", f.name, *f.value)
		}
	}
	return b.String()
}

func spell(values [][]int) string { return fmt.Sprint(values) }
