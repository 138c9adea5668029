// Package bridgestan makes the C functions of BridgeStan, by which samplers take a model, of the functions of a model's
// library (package density). What is the same for all models is LLVM IR in files beside; this package writes what is the
// model's own: how its functions are called, tables, and names.
package bridgestan

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"

	"github.com/irc-lang/irc/dialects/bugs/input"
	"github.com/irc-lang/irc/dialects/bugs/ops"
	"github.com/irc-lang/irc/ir/lists"
	"github.com/irc-lang/irc/lowering/density"
)

//go:embed runtime.ll
var runtimeText string

//go:embed product.ll
var productText string

//go:embed model.ll
var modelText string

//go:embed json.ll
var jsonText string

// Text is the LLVM IR of the functions of a model, to be added to a module that has the functions of its library. free says of
// which names of the data other values may be given to the library.
func Text(l *density.Library, data *input.Data, free map[string]bool, module string) (string, error) {
	w := &writer{l: l, fixed: map[string]int{}, has: module}
	for _, text := range []string{runtimeText, productText, modelText, jsonText} {
		w.add(text)
	}
	routines := []struct {
		name string
		r    *density.Routine
	}{{"density", l.Density}, {"gradient", l.Gradient}, {"product", l.Product}, {"constrain", l.Constrain}, {"unconstrain", l.Unconstrain}, {"generate", cmp.Or(l.Generate, l.Constrain)}}
	var plans []*plan
	for _, x := range routines {
		if x.r == nil {
			continue
		}
		p := w.plan(x.name, x.r)
		plans = append(plans, p)
		w.routine(p)
	}
	w.setup(plans)
	generate := plans[len(plans)-1]
	constrain, unconstrain := plans[len(plans)-3], plans[len(plans)-2]
	w.integer("bs.at.random", generate.where(place{name: ops.RandomName}))
	if err := w.names(constrain, unconstrain, generate); err != nil {
		return "", err
	}
	w.data(data, free)
	w.parameters(unconstrain)
	w.fixedNumbers()
	w.messages()
	w.forR()
	return w.out.String(), nil
}

// Header declares the functions in C.
//
//go:embed bridgestan.h
var Header string

// messages are what functions say, by name: a name comes first, then numbers.
var messages = []struct{ name, text string }{
	{"as.it.is", "%s"},
	{"absent", "the data lack %s, which the library was made for"},
	{"differs", "%s: element %ld is %.17g here and was %.17g when the library was made, which sizes, indices or what is computed once depend on"},
	{"large", "%s: element %ld is %.17g here, and the library was made for counts up to %.17g"},
	{"extra", "%s: element %ld has a value here and had none when the library was made"},
	{"lacks", "%s: element %ld is null here and had a value when the library was made"},
	{"number", "%s: element %ld is no number of JSON: NaN and infinity are none, and a missing value is null"},
	{"huge", "%s: element %ld is too large for a number of 64 bits"},
	{"rank", "%s has another shape here than when the library was made, which was of %ld dimensions"},
	{"size", "%s has another shape here than when the library was made: dimension %ld had %ld elements"},
	{"syntax", "the text for the model %s is no JSON object of names and values: look at character %ld"},
	{"file", "cannot read %s"},
	{"memory", "the model %s finds no memory for %ld numbers"},
	{"invalid", "a parameter of the distribution of %s has no meaning at this point"},
	{"nan", "the vector has NaN in the place of %s"},
	{"index", "an index in the model %s has no meaning at this point"},
	{"outside", "%s has no place on the unconstrained scale: it is outside of its support, or on its edge"},
	{"generated", "the library of %s draws no generated quantities: call with include_gq = 0, and draw them with irc run -points"},
	{"generator", "the model %s draws generated quantities: give a generator that bs_rng_construct has made"},
	{"null", "null"}, {"json", ".json"}, {"read", "rb"},
}

func (w *writer) messages() {
	for _, m := range messages {
		w.text("bs.say."+m.name, m.text)
	}
}

// A writer writes the text of one model.
type writer struct {
	l       *density.Library
	out     strings.Builder
	has     string         // the text that this one is added to
	fixed   map[string]int // where in a model the numbers of an argument are, by its name
	numbers []float64      // of a model
	strings int
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.out, format+"\n", args...) }

// add adds a text, but for what was declared already.
func (w *writer) add(text string) {
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(line, "declare "); is {
			_, name, _ := strings.Cut(rest, "@")
			name, _, _ = strings.Cut(name, "(")
			if declared := "@" + name + "("; hasLine(w.has, declared) || hasLine(w.out.String(), declared) {
				continue
			}
		}
		w.out.WriteString(line)
	}
}

// hasLine reports that a text declares or defines a function.
func hasLine(text, name string) bool {
	for line := range strings.Lines(text) {
		if (strings.HasPrefix(line, "declare ") || strings.HasPrefix(line, "define ")) && strings.Contains(line, name) {
			return true
		}
	}
	return false
}

// text writes a string that ends with 0.
func (w *writer) text(name, s string) {
	w.line("@%s = internal constant [%d x i8] c\"%s\\00\"", name, len(s)+1, escaped(s))
}

func escaped(s string) string {
	var out strings.Builder
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			fmt.Fprintf(&out, "\\%02X", c)
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// named writes a string and gives the name of it.
func (w *writer) named(s string) string {
	w.strings++
	name := fmt.Sprintf("bs.text.%d", w.strings)
	w.text(name, s)
	return "@" + name
}

// pointers writes a list of addresses of strings.
func (w *writer) pointers(name string, list []string) {
	refs := lists.Map(list, func(s string) string { return "ptr " + w.named(s) })
	w.line("@%s = internal constant [%d x ptr] [%s]", name, len(refs), strings.Join(refs, ", "))
}

func (w *writer) integer(name string, n int) { w.line("@%s = internal constant i64 %d", name, n) }

// integers writes a list of numbers, as i32 or i64.
func (w *writer) integers(name, of string, list []int) {
	items := lists.Map(list, func(n int) string { return fmt.Sprintf("%s %d", of, n) })
	w.line("@%s = internal constant [%d x %s] [%s]", name, len(list), of, strings.Join(items, ", "))
}
