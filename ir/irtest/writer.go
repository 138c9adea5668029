package irtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A Writer writes the text of a random program: lines of ops whose results have fresh names. What writes
// programs of one kind embeds it, and adds what is in scope and which statements there are.
type Writer struct {
	*rand.Rand
	strings.Builder
	Indent int // of lines, by two spaces
	// Vals are the names in scope, by type, of a generator that chooses by type alone.
	Vals  map[string][]string
	Names int // so far
}

// NewWriter makes the writer of a seed; stream tells generators apart.
func NewWriter(seed, stream uint64) *Writer {
	return &Writer{Rand: rand.New(rand.NewPCG(seed, stream)), Vals: map[string][]string{}}
}

// One is one of some texts.
func (w *Writer) One(of ...string) string { return of[w.IntN(len(of))] }

// Chance is true with a probability.
func (w *Writer) Chance(p float64) bool { return w.Float64() < p }

// Line writes a line.
func (w *Writer) Line(format string, args ...any) {
	w.WriteString(strings.Repeat("  ", w.Indent))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

// Name is a name that is new.
func (w *Writer) Name() string {
	w.Names++
	return fmt.Sprintf("%%v%d", w.Names)
}

// Def writes an op with a result, and names that.
func (w *Writer) Def(format string, args ...any) string {
	v := w.Name()
	w.Line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

// DefOf is Def, and puts the result in scope as a value of a type.
func (w *Writer) DefOf(typ, format string, args ...any) string {
	v := w.Def(format, args...)
	w.Vals[typ] = append(w.Vals[typ], v)
	return v
}

// Val is a value of a type in scope; there must be one.
func (w *Writer) Val(typ string) string { return w.One(w.Vals[typ]...) }

// Inside calls f for lines that are indented, and forgets what it put in scope.
func (w *Writer) Inside(f func()) {
	w.Indent++
	w.Scoped(f)
	w.Indent--
}

// Scoped calls f and forgets what it put in scope.
func (w *Writer) Scoped(f func()) {
	before := map[string]int{}
	for t, vs := range w.Vals {
		before[t] = len(vs)
	}
	f()
	for t, vs := range w.Vals {
		w.Vals[t] = vs[:before[t]]
	}
}

// List is n texts with commas in between.
func List(n int, f func(i int) string) string {
	out := make([]string, n)
	for i := range out {
		out[i] = f(i)
	}
	return strings.Join(out, ", ")
}
